package experiment

import (
	"slices"
	"strings"

	"ident/identify/project"
	"ident/simulate/plant"
)

// frictionKeys are the keys of a plant's friction.
var frictionKeys = []string{"stribeck", "speed", "load", "capacity", "resistance", "viscous", "coulomb"}

// Friction reads friction of the simulated robot in addition to the robot file's. Each key has
// one value for all joints, or one for each.
//
//	stribeck=2 speed=0.05 load=0.1 capacity=500 resistance=2 viscous=0.02 coulomb=0.005
func Friction(text string, joints int) (plant.Options, error) {
	var o plant.Options
	given := map[string][]float64{}
	for _, word := range strings.Fields(text) {
		key, list, _ := strings.Cut(word, "=")
		if !slices.Contains(frictionKeys, key) {
			return o, project.NewOptionError("{friction} %q: %q; there are %s", text, key, strings.Join(frictionKeys, ", "))
		}
		v, err := project.ParseNumbers(list)
		if err != nil || len(v) != 1 && len(v) != joints || slices.Min(v) < 0 {
			return o, project.NewOptionError("{friction} %q: %s has one number of zero or more for all joints, or one for each of the %d", text, key, joints)
		}
		if len(v) == 1 {
			v = slices.Repeat(v, joints)
		}
		given[key] = v
	}
	o.Stribeck, o.Load = plant.Stribeck{Torque: given["stribeck"], Speed: given["speed"]}, given["load"]
	if (o.Stribeck.Torque == nil) != (o.Stribeck.Speed == nil) {
		return o, project.NewOptionError("{friction} %q: stribeck is the torque and speed the velocity of Stribeck's friction: give both", text)
	}
	warm := given["capacity"] != nil || given["resistance"] != nil || given["viscous"] != nil || given["coulomb"] != nil
	if !warm {
		return o, nil
	}
	if given["capacity"] == nil || given["resistance"] == nil || given["viscous"] == nil && given["coulomb"] == nil {
		return o, project.NewOptionError("{friction} %q: friction that warms joints needs their capacity, J/K, resistance, K/W, and viscous or coulomb, 1/K", text)
	}
	for _, key := range []string{"viscous", "coulomb"} {
		if given[key] == nil {
			given[key] = make([]float64, joints)
		}
	}
	o.Warming = &plant.Warming{Capacity: given["capacity"], Resistance: given["resistance"], Viscous: given["viscous"], Coulomb: given["coulomb"]}
	return o, nil
}

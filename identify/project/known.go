package project

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/regressor"
	"ident/robot"
)

// Known is the given value of a parameter with its standard deviation, in the unit of the value. The standard deviation of an
// exact value is zero.
type Known struct{ Value, Sigma float64 }

// knownForm says how a known parameter is written.
const knownForm = "a number, as 2.6, or one with a standard deviation, as 2.6±0.05, 2.6+-0.05 or 2.6±2%, that is not negative"

// parseKnown reads a value with or without its deviation.
func parseKnown(text string) (Known, error) {
	number, deviation, doubted := strings.Cut(strings.Replace(text, "+-", "±", 1), "±")
	v, err := parseFloat(strings.TrimSpace(number))
	sigma := 0.0
	if doubted && err == nil {
		part, percent := strings.CutSuffix(strings.TrimSpace(deviation), "%")
		if sigma, err = parseFloat(strings.TrimSpace(part)); percent {
			sigma *= max(v, -v) / 100
		}
		if percent && v == 0 || !(sigma >= 0) || !usable(sigma) {
			err = strconv.ErrRange
		}
	}
	if err != nil {
		return Known{}, fmt.Errorf("%q is not %s", text, knownForm)
	}
	return Known{v, sigma}, nil
}

// plain returns the number of an exact value, otherwise the text with the deviation.
func (k Known) plain() any {
	if k.Sigma == 0 {
		return k.Value
	}
	return fmt.Sprintf("%v±%v", k.Value, k.Sigma)
}

// MarshalYAML returns a number for an exact value, otherwise a text such as 2.6±0.05.
func (k Known) MarshalYAML() (any, error) { return k.plain(), nil }

// MarshalJSON writes a number for an exact value, otherwise a text such as "2.6±0.05".
func (k Known) MarshalJSON() ([]byte, error) { return json.Marshal(k.plain()) }

// UnmarshalYAML reads a number, or a text with a deviation.
func (k *Known) UnmarshalYAML(n *yaml.Node) (err error) {
	if n.Decode(&k.Value) == nil {
		return nil
	}
	if *k, err = parseKnown(n.Value); err != nil {
		return fmt.Errorf("line %d: %w", n.Line, err)
	}
	return nil
}

// UnmarshalJSON reads a number, or a text with a deviation.
func (k *Known) UnmarshalJSON(text []byte) (err error) {
	s := ""
	if json.Unmarshal(text, &s) != nil {
		return json.Unmarshal(text, &k.Value)
	}
	*k, err = parseKnown(s)
	return err
}

// checkKnown refuses values that cannot be computed with.
func checkKnown(s *Settings) error {
	for _, name := range slices.Sorted(maps.Keys(s.Known)) {
		if k := s.Known[name]; !usable(k.Value) || !(k.Sigma >= 0) || !usable(k.Sigma) {
			return wrong("known", fmt.Sprint(k.plain()), "{known} of %s is %v, not %s", name, k.plain(), knownForm)
		}
	}
	return nil
}

// FileBodies is the value of the setting bodies that holds those of the robot file.
const FileBodies = "file"

// holdBodies makes the parameters of all bodies of the robot file known, if the settings say so: then drives alone are identified. Values that the user gives
// stay.
func (s *Settings) holdBodies(r *robot.Robot) error {
	if s.BodiesFrom != FileBodies {
		return nil
	}
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		return err
	}
	known := maps.Clone(s.Known)
	if known == nil {
		known = map[string]Known{}
	}
	for _, c := range m.Columns() {
		v, ok := regressor.ValueOf(r, c)
		if _, given := known[c.Name]; given {
			continue
		}
		if !ok && !r.Links[c.Link].Massless {
			return wrong("bodies", s.BodiesFrom, "{bodies} file: link %q has no inertial in the robot file; give it one, or identify the bodies", r.Links[c.Link].Name)
		}
		known[c.Name] = Known{Value: v}
	}
	s.Known = known
	return nil
}

// checkBodies refuses what goes with identified bodies alone.
func (s *Settings) checkBodies() error {
	if s.BodiesFrom != FileBodies || !s.Feasible() {
		return nil
	}
	key := s.knowsBodies()
	if key == "" {
		key = "physically-consistent"
	}
	return wrong("bodies", s.BodiesFrom, "{bodies} file holds the bodies of the robot file, and {"+key+"} is for those that are identified: leave out one of them")
}

// KnownValues returns the values of the known parameters, and the deviations of those that are not exact.
func (s *Settings) KnownValues() (values, sigmas map[string]float64) {
	if len(s.Known) == 0 {
		return nil, nil
	}
	values, sigmas = map[string]float64{}, map[string]float64{}
	for name, k := range s.Known {
		if values[name] = k.Value; k.Sigma > 0 {
			sigmas[name] = k.Sigma
		}
	}
	return values, sigmas
}

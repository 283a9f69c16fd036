package exports

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"ident/identify/project"
	"ident/mechanics/dynamics"
	"ident/physical"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// withoutArmature returns the formats that have no place for reflected rotor inertias.
func withoutArmature(format string) bool { return format == "urdf" || format == "sdf" }

// withRotors returns the identified robot for a format without armatures: bodies contain the rotor inertias that the base
// parameters regroup onto bodies, as far as feasible bodies can. The torques are the same. A note names them.
func withRotors(ft *project.Fitted, id *result.Identified, format string, said *Remarks) *result.Identified {
	if !withoutArmature(format) {
		return id
	}
	var rotors []int
	for i, c := range ft.Set.Columns {
		if c.Term == regressor.Ia && c.Drive == 0 {
			rotors = append(rotors, i)
		}
	}
	standard := id.Standard()
	chi, contained := physical.Contain(ft.Robot, ft.Set, standard, rotors)
	if len(contained) == 0 {
		return id
	}
	slices.Sort(contained)
	var names []string
	for _, i := range contained {
		c := ft.Set.Columns[i]
		names = append(names, fmt.Sprintf("%s = %.4g %s (joint %q)", c.Name, standard[i], c.Unit, ft.Robot.Links[c.Link].Joint.Name))
	}
	said.note("rotor inertias that the bodies of the %s contain, with the same torques; leave the armature of these joints at zero: %s", map[string]string{"urdf": "URDF", "sdf": "SDF"}[format], strings.Join(names, ", "))
	with := result.NewIdentifiedFrom(ft.Source, ft.Robot, ft.Set, ft.Set.FromStandard(chi), chi)
	with.Robot.Name = id.Robot.Name
	return with
}

const (
	rotorStates    = 500
	rotorFrequency = 0.5 // Hz
)

// WithoutRotors says by how much the torques of a robot are wrong in a file without its rotor inertias, "" if the format
// has a place for them, if the robot has none, or if its joints form loops.
//
// The motion is a random one: positions within the limits, velocities up to half the limit, or 1 rad/s or 1 m/s, and
// accelerations of an oscillation of 0.5 Hz at these velocities.
func WithoutRotors(r *robot.Robot, format string) string {
	if !withoutArmature(format) || len(r.Unset) > 0 || r.Closed() || len(r.Mimics) > 0 {
		return ""
	}
	joints := r.Moving()
	if !slices.ContainsFunc(joints, func(i int) bool { return r.Links[i].Joint.Ia != 0 }) {
		return ""
	}
	tree, err := dynamics.New(r)
	if err != nil {
		return ""
	}
	n := len(joints)
	rng := rand.New(rand.NewPCG(1, 0x726f746f72))
	q, dq, ddq, tau := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	whole, lost := make([]float64, n), make([]float64, n)
	for range rotorStates {
		for k, i := range joints {
			j := &r.Links[i].Joint
			low, high, speed := -math.Pi, math.Pi, 1.0
			if j.Kind == robot.Prismatic {
				low, high = -0.5, 0.5
			}
			if j.Lower < j.Upper {
				low, high = j.Lower, j.Upper
			}
			if j.Velocity > 0 && !math.IsInf(j.Velocity, 0) {
				speed = j.Velocity / 2
			}
			q[k] = low + (high-low)*rng.Float64()
			dq[k] = speed * (2*rng.Float64() - 1)
			ddq[k] = 2 * math.Pi * rotorFrequency * speed * (2*rng.Float64() - 1)
		}
		tree.InverseDynamics(tau, q, dq, ddq)
		for k, i := range joints {
			whole[k] += tau[k] * tau[k]
			v := r.Links[i].Joint.Ia * ddq[k]
			lost[k] += v * v
		}
	}
	var parts []string
	for k, i := range joints {
		j := &r.Links[i].Joint
		if lost[k] == 0 || j.Virtual {
			continue
		}
		unit := "N·m"
		if j.Kind == robot.Prismatic {
			unit = "N"
		}
		parts = append(parts, fmt.Sprintf("%q %.3g %s rms (%.2g %%)", j.Name, math.Sqrt(lost[k]/rotorStates), unit, 100*math.Sqrt(lost[k]/max(whole[k], lost[k]*1e-12))))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("without the armatures the torques lack, in a random motion at up to half the limits of velocity and %.4g Hz (per cent of the torque without friction): %s", rotorFrequency, strings.Join(parts, ", "))
}

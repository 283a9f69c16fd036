package yaml

import (
	"fmt"
	"math"

	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/words"
)

func (y *reader) joint(m yamlMap) (robot.Joint, error) {
	none := robot.NewJoint("", robot.Revolute)
	keys := elasticityKeys()
	j, err := m.sub("joint", m.where+": joint", append([]string{"name", "kind", "passive", "redundant", "virtual", "carried", "limits", "drive", "motor", "elastic"}, keys[:]...)...)
	if err != nil {
		return none, err
	}
	name, err := j.text("name")
	if err != nil {
		return none, err
	}
	if name == "" {
		name = fmt.Sprintf("J%d", len(y.links)+1)
	}
	if _, dup := y.links[name]; dup {
		return none, robot.Fault(j.line, "", "joint %q is defined twice; rename one", name)
	}
	kind, err := j.text("kind")
	if err != nil {
		return none, err
	}
	out := robot.NewJoint(name, robot.Revolute)
	switch kind {
	case "", "revolute":
	case "continuous":
		out.Continuous = true
	case "prismatic":
		out.Kind = robot.Prismatic
	case "fixed":
		out.Kind = robot.Fixed
	default:
		return none, robot.Fault(j.line, words.Joint(name), "kind %q is not known%s", kind, words.DidYouMean(kind, append([]string{"revolute", "continuous", "prismatic", "fixed"}, assembly.CompoundKinds[:]...)))
	}
	if out.Passive, err = j.flag("passive"); err != nil {
		return none, err
	}
	if out.Redundant, err = j.flag("redundant"); err != nil {
		return none, err
	}
	out.Passive = out.Passive || out.Redundant
	if out.Virtual, err = j.flag("virtual"); err != nil {
		return none, err
	}
	if out.ExternalForce, err = j.flag("carried"); err != nil {
		return none, err
	}
	if err := j.elasticity(&out); err != nil {
		return none, err
	}
	if err := limitsOf(j, &out); err != nil {
		return none, err
	}
	if out.Motor, err = j.flow("motor"); err != nil {
		return none, err
	}
	d, err := j.sub("drive", j.where+": drive", "ia", "fv", "fs", "fo", "gear_ratio", "gain", "dc", "cylinder")
	if err != nil {
		return none, err
	}
	if out.Actuator, err = d.actuator(); err != nil {
		return none, err
	}
	for _, f := range []struct {
		key string
		to  *float64
	}{{"ia", &out.Ia}, {"fv", &out.Fv}, {"fs", &out.Fs}, {"fo", &out.Fo}, {"gear_ratio", &out.GearRatio}, {"gain", &out.Gain}} {
		if *f.to, err = d.number(f.key, 0); err != nil {
			return none, err
		}
	}
	return out, nil
}

func limitsOf(j yamlMap, out *robot.Joint) error {
	l, err := j.sub("limits", j.where+": limits", "position", "velocity", "acceleration", "jerk", "effort")
	if err != nil {
		return err
	}
	range2, err := l.list("position")
	if err != nil {
		return err
	}
	if l.has("position") {
		if len(range2) != 2 {
			return robot.Fault(l.line, l.where, "position needs [lower, upper]")
		}
		for i, to := range []*float64{&out.Lower, &out.Upper} {
			if resolve(range2[i]).Tag == "!!null" {
				continue
			}
			if *to, err = yamlNumber(range2[i], l.where+": position"); err != nil {
				return err
			}
		}
		if out.Lower > out.Upper {
			return robot.Fault(l.line, l.where, "lower limit %g is above upper limit %g", out.Lower, out.Upper)
		}
	}
	for _, f := range []struct {
		key string
		to  *float64
	}{{"velocity", &out.Velocity}, {"acceleration", &out.Accel}, {"jerk", &out.Jerk}, {"effort", &out.Effort}} {
		if *f.to, err = l.number(f.key, math.NaN()); err != nil {
			return err
		}
		if *f.to <= 0 {
			return robot.Fault(l.line, l.where, "%s must be positive; leave it out where there is none", f.key)
		}
	}
	return nil
}

// yamlInertial reads inertial, in the user's own frame, or standard, in frame j.
func yamlInertial(m yamlMap, user robot.Transform) (robot.Inertial, bool, error) {
	var p robot.Inertial
	if m.has("standard") {
		if m.has("inertial") {
			return p, false, robot.Fault(m.line, m.where, "give inertial or standard, not both")
		}
		s, err := m.sub("standard", m.where+": standard", robot.InertialNames[:]...)
		if err != nil {
			return p, false, err
		}
		for k, name := range robot.InertialNames {
			if p[k], err = s.number(name, 0); err != nil {
				return p, false, err
			}
		}
		return p, true, nil
	}
	if !m.has("inertial") {
		return p, false, nil
	}
	in, err := m.sub("inertial", m.where+": inertial", "mass", "com", "inertia")
	if err != nil {
		return p, false, err
	}
	mass, err := in.number("mass", 0)
	if err != nil {
		return p, false, err
	}
	com, err := in.vector("com", [3]float64{})
	if err != nil {
		return p, false, err
	}
	names := [6]string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}
	t, err := in.sub("inertia", in.where+": inertia", names[:]...)
	if err != nil {
		return p, false, err
	}
	var j [6]float64
	for k, key := range names {
		if j[k], err = t.number(key, 0); err != nil {
			return p, false, err
		}
	}
	return robot.InertialFromCentral(mass, com, assembly.Symmetric(j)).InFrame(user), true, nil
}

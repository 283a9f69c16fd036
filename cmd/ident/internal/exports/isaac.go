package exports

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/identify/project"
	to "ident/internal/controller"
	"ident/regressor"
	"ident/robot"
)

// Isaac returns the identified joints as the part of an Isaac Lab articulation's configuration that they decide: an
// actuator group with armature and friction by joint, in the fields of ActuatorBaseCfg (Isaac Lab 2.3 and later on
// Isaac Sim 5.0 and later, where friction is an effort). Stiffness, damping and limits of the drives are left to the
// configuration; bodies go in by the URDF.
func Isaac(ft *project.Fitted, choice string) ([]byte, Remarks, error) {
	var said Remarks
	id := withRotors(ft, ft.Identified(), "urdf", &said) // the bodies come from there
	if out := unsaid(id, []regressor.Term{regressor.Fo}); len(out) > 0 {
		said.note("identified, but not written (the format has no place for them): %s", values(id, out))
	}
	if len(id.Shared) > 0 {
		said.note("the file has no parameters for drives that several joints share; left out: %s", values(id, id.Shared))
	}
	if err := friction(ft, id, choice, &said); err != nil {
		return nil, said, err
	}
	if err := sizes(id); err != nil {
		return nil, said, err
	}
	said.note("masses and inertias are not in this file: write them with --to urdf, and convert that")
	var joints []robot.Joint
	for _, l := range id.Robot.Links {
		if l.Joint.Kind != robot.Fixed && !l.Joint.Virtual {
			joints = append(joints, l.Joint)
		}
	}
	var names []*yaml.Node
	for _, j := range joints {
		names = append(names, to.Text(regular(j.Name)))
	}
	group := []*yaml.Node{to.Key("joint_names_expr"), to.List(false, names...)}
	for _, field := range []struct {
		name  string
		value func(j robot.Joint) float64
	}{
		{"armature", func(j robot.Joint) float64 { return j.Ia }},
		{"friction", func(j robot.Joint) float64 { return j.Fs }},
		{"dynamic_friction", func(j robot.Joint) float64 { return j.Fs }},
		{"viscous_friction", func(j robot.Joint) float64 { return j.Fv }},
	} {
		var values []*yaml.Node
		for _, j := range joints {
			v := field.value(j)
			if err := to.Finite(v); err != nil {
				return nil, said, fmt.Errorf("joint %q: %s: %w", j.Name, field.name, err)
			}
			if v < 0 {
				said.warn("joint %q: %s is %.4g, which no joint has: zero is written", j.Name, field.name, v)
				v = 0
			}
			values = append(values, to.Text(regular(j.Name)), to.Value(to.General(v, 10)))
		}
		group = append(group, to.Key(field.name), to.Map(values...))
	}
	text, err := to.YAML(to.Map(to.Key("actuators"), to.Map(to.Key("identified"), to.Map(group...))),
		"Isaac Lab: fields of isaaclab.actuators.ActuatorBaseCfg, N·m, N·m·s/rad, kg·m², of joints that slide N, N·s/m, kg.",
		"Isaac Sim 5.0 or later: friction is an effort there, a factor of the load before. Stiffness and damping of the drives stay as they are.")
	return text, said, err
}

// regular returns a name as a regular expression of Isaac Lab, which takes no other joint.
func regular(name string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(name, "\ufffd") {
		if strings.ContainsRune(`.+*?()|[]{}^$\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

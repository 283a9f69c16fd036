package exports

import (
	"fmt"
	"strings"

	"ident/identify/project"
	"ident/regressor"
	"ident/robot"
)

// Isaac returns the identified joints as the part of an Isaac Lab articulation's configuration that they decide: an
// actuator group with armature and friction by joint, in the fields of ActuatorBaseCfg (Isaac Lab 2.3 and later on
// Isaac Sim 5.0 and later, where friction is an effort). Stiffness, damping and limits of the drives are left to the
// configuration; bodies go in by the URDF.
func Isaac(ft *project.Fitted, choice string) ([]byte, Remarks, error) {
	var said Remarks
	id := ft.Identified()
	if out := unsaid(id, []regressor.Term{regressor.Fo}); len(out) > 0 {
		said.note("identified, but not written (the format has no place for them): %s", values(id, out))
	}
	if len(id.Shared) > 0 {
		said.note("the drives that several joints share have no parameters in the file; left out: %s", values(id, id.Shared))
	}
	if err := friction(ft, id, choice, &said); err != nil {
		return nil, said, err
	}
	said.note("masses and inertias are not in this file: write them with --to urdf, and convert that")
	var joints []robot.Joint
	for _, l := range id.Robot.Links {
		if l.Joint.Kind != robot.Fixed && !l.Joint.Virtual {
			joints = append(joints, l.Joint)
		}
	}
	var b strings.Builder
	b.WriteString("# Isaac Lab: fields of isaaclab.actuators.ActuatorBaseCfg, N·m, N·m·s/rad, kg·m², of joints that slide N, N·s/m, kg.\n# Isaac Sim 5.0 or later: friction is an effort there, a factor of the load before. Stiffness and damping of the drives stay as they are.\nactuators:\n  identified:\n    joint_names_expr:\n")
	for _, j := range joints {
		fmt.Fprintf(&b, "      - %q\n", escaped(j.Name))
	}
	for _, field := range []struct {
		name  string
		value func(j robot.Joint) float64
	}{
		{"armature", func(j robot.Joint) float64 { return j.Ia }},
		{"friction", func(j robot.Joint) float64 { return j.Fs }},
		{"dynamic_friction", func(j robot.Joint) float64 { return j.Fs }},
		{"viscous_friction", func(j robot.Joint) float64 { return j.Fv }},
	} {
		fmt.Fprintf(&b, "    %s:\n", field.name)
		for _, j := range joints {
			v := field.value(j)
			if v < 0 {
				said.warn("joint %q: %s is %.4g, which no joint has: zero is written", j.Name, field.name, v)
				v = 0
			}
			fmt.Fprintf(&b, "      %q: %.10g\n", escaped(j.Name), v)
		}
	}
	return []byte(b.String()), said, nil
}

// escaped returns a name as a regular expression of Isaac Lab, which takes no other joint.
func escaped(name string) string {
	var b strings.Builder
	for _, r := range name {
		if strings.ContainsRune(`.+*?()|[]{}^$\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

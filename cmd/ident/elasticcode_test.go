package main

import (
	"context"
	"os"
	"strings"
	"testing"
)

// Models of a robot with elastic joints have its links and motors, with the file's stiffness where it is baked in; kinematic ones have the
// links. A stiffness that is missing is named, and so is hysteresis, which has no form.
func TestCodeOfElasticJoints(t *testing.T) {
	t.Chdir(t.TempDir())
	arm := func(elastic string) {
		t.Helper()
		text := "name: arm\nlinks:\n  - name: upper\n    joint: {name: shoulder, elastic: true" + elastic + "}\n    mdh: {}\n    inertial: {mass: 2, com: [0.2, 0, 0], inertia: {ixx: 0.01, ixy: 0, ixz: 0, iyy: 0.02, iyz: 0, izz: 0.02}}\n"
		if err := os.WriteFile("arm.yaml", []byte(strings.Replace(text, "", "", 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	arm(", drive: {ia: 0.5}, stiffness: 4321")
	write := func() (int, string) {
		var out, errs strings.Builder
		code := run(context.Background(), []string{"codegen", "arm.yaml", "--bake", "--model", "forward-dynamics,jacobian", "--lang", "python", "-o", ".", "--overwrite"},
			streams{in: strings.NewReader(""), out: &out, err: &errs})
		return code, out.String() + errs.String()
	}
	code, out := write()
	if code != exitDone {
		t.Fatal(out)
	}
	if !strings.Contains(out, "motors of shoulder") {
		t.Errorf("no note about the motors:\n%s", out)
	}
	text, err := os.ReadFile("arm.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"4321.0*", "rows: shoulder, shoulder motor", "out J[6][1]"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%q is missing:\n%s", part, text)
		}
	}
	for elastic, why := range map[string]string{", drive: {ia: 0.5}": "give stiffness", ", drive: {ia: 0.5}, stiffness: 4321, hysteresis: 2": "hysteresis"} {
		arm(elastic)
		if code, text := write(); code == exitDone || !strings.Contains(text, why) {
			t.Errorf("%s: %d, %s", elastic, code, text)
		}
	}
}

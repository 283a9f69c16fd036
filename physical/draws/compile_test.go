package draws

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"ident/internal/long"
	"ident/result"
	"ident/robot"
	"ident/robot/format/mjcf"
	"ident/robot/format/urdf"
)

// compiler answers, for each model on standard input, with MuJoCo's error, "" where it compiles as it is: bodies are not balanced.
const compiler = `
import json, sys, mujoco
answers = []
for text in json.load(sys.stdin):
    try:
        spec = mujoco.MjSpec.from_string(text)
        assert not spec.compiler.balanceinertia and spec.compiler.boundmass == 0 and spec.compiler.boundinertia == 0
        spec.compile()
        answers.append("")
    except Exception as e:
        answers.append(str(e) or type(e).__name__)
json.dump(answers, sys.stdout)`

// MuJoCo's compiler takes every robot drawn, with the widest prior, as MJCF and as URDF, and refuses those with a moment of a body above the sum of the other two.
// IDENT_ENGINES=$(.ci/venv engines) names a Python with MuJoCo. Figure of docs/draws.md: IDENT_LONG=1 -v.
func TestDrawsCompile(t *testing.T) {
	python := os.Getenv("IDENT_ENGINES")
	if python == "" {
		t.Skip("IDENT_ENGINES names no Python with mujoco: IDENT_ENGINES=$(.ci/venv engines)")
	}
	count := long.Of(200, 20)
	var texts []string
	write := func(r *robot.Robot) {
		var m, u bytes.Buffer
		if err := mjcf.Write(&m, r); err != nil {
			t.Fatal(err)
		}
		if err := urdf.Write(&u, r); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, m.String(), u.String())
	}
	for _, joints := range []int{3, 5, 7} {
		p, _ := arm(t, joints, 0.01)
		p.Robot.BaseName, p.Deviation = "base", mostDeviation
		d, err := Draw(t.Context(), p, count, 1)
		if err != nil {
			t.Fatal(err)
		}
		for k := range count {
			write(result.NewIdentifiedFrom(p.Robot, p.Robot, p.Set, d.Base[k], d.Standard[k]).Robot)
		}
	}
	drawn := len(texts)
	broken, _ := arm(t, 3, 0.01)
	broken.Robot.BaseName = "base"
	for j := range broken.Robot.Links {
		r := broken.Robot.Clone()
		l := &r.Links[j]
		l.Own = robot.InertialFromCentral(1, [3]float64{0.1, 0, 0}, [3][3]float64{{0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.021}})
		l.Inertial = l.Own
		write(r)
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", compiler)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var answers []string
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(texts) {
		t.Fatalf("%v: %d answers to %d models", err, len(answers), len(texts))
	}
	refused := 0
	for k, a := range answers {
		switch {
		case k < drawn && a != "":
			refused++
			t.Errorf("draw %d: %s", k, a)
		case k >= drawn && a == "":
			t.Errorf("a body that cannot be compiles:\n%s", texts[k])
		}
	}
	t.Logf("%d files of %d robots, %d refused; %d of bodies that cannot be: %s", drawn, drawn/2, refused, len(texts)-drawn, answers[len(answers)-1])
}

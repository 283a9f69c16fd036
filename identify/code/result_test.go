package code

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ident/identify/project"
	"ident/regressor"
)

// The identified drives of a result are in the code that has its parameters as numbers. Other robots, and terms that are asked for, leave
// out what a note names; kinematic models leave out nothing.
func TestTermsOfBakedCode(t *testing.T) {
	folder := filepath.Join("..", "..", "cmd", "ident", "testdata", "v0.4.0")
	result := filepath.Join(folder, "result")
	for _, c := range []struct {
		robot string
		terms []string
		model string
		want  []regressor.Term
		left  string // what the note names
	}{
		{result, nil, "inverse-dynamics", regressor.DefaultTerms(), ""},
		{result, []string{"links", "Ia"}, "inverse-dynamics", []regressor.Term{regressor.Links, regressor.Ia}, "without Fv, Fs, Fo,"},
		{result, []string{"links"}, "transform", []regressor.Term{regressor.Links}, ""},
		{filepath.Join(folder, "arm.urdf"), nil, "inverse-dynamics", []regressor.Term{regressor.Links}, "without "},
	} {
		g, err := Run(t.Context(), &project.Settings{Robot: c.robot, Terms: c.terms}, Options{Models: []string{c.model}, Bake: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(g.Document.Terms, c.want) {
			t.Errorf("%s with %v: terms %v, want %v", c.robot, c.terms, g.Document.Terms, c.want)
		}
		if notes := strings.Join(g.Document.Notes, "\n"); strings.Contains(notes, "the torques are those without") != (c.left != "") || !strings.Contains(notes, c.left) {
			t.Errorf("%s with %v: notes %q, want %q", c.robot, c.terms, notes, c.left)
		}
	}
}

// All models of a robot whose loops have no formulas are those that it has: notes name the others, and the Newton step says where it may start.
func TestAllModelsByNewton(t *testing.T) {
	path := filepath.Join(t.TempDir(), "platform.yaml")
	if err := os.WriteFile(path, []byte(threeRRR), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := Run(t.Context(), &project.Settings{Robot: path}, Options{Models: []string{"all"}})
	if err != nil {
		t.Fatal(err)
	}
	var c string
	for _, f := range g.Files {
		c += string(f.Text)
	}
	for _, want := range []string{"_inverse_dynamics(", "_loop_solution(", "assembly: "} {
		if !strings.Contains(c, want) {
			t.Errorf("no %q in the text", want)
		}
	}
	if notes := strings.Join(g.Document.Notes, "\n"); !strings.Contains(notes, "joint-wrenches is left out") || strings.Contains(c, "_joint_wrenches(") {
		t.Errorf("notes %q", notes)
	}
}

// threeRRR is a plane platform on three legs of unequal lengths.
const threeRRR = `name: platform
links:
  - {name: a1, joint: {name: m1}}
  - {name: b1, joint: {name: p1, passive: true}, origin: {xyz: [0.3, 0, 0]}}
  - {name: plate, joint: {name: e1, passive: true}, origin: {xyz: [0.32, 0, 0]}}
  - {name: a2, parent: base, joint: {name: m2}, origin: {xyz: [1, 0, 0]}}
  - {name: b2, joint: {name: p2, passive: true}, origin: {xyz: [0.31, 0, 0]}}
  - {name: a3, parent: base, joint: {name: m3}, origin: {xyz: [0.5, 0.87, 0]}}
  - {name: b3, joint: {name: p3, passive: true}, origin: {xyz: [0.28, 0, 0]}}
loops:
  - {frame: {parent: b2, origin: {xyz: [0.29, 0, 0]}}, meets: {parent: plate, origin: {xyz: [0.35, 0, 0]}}}
  - {frame: {parent: b3, origin: {xyz: [0.33, 0, 0]}}, meets: {parent: plate, origin: {xyz: [0.18, 0.29, 0]}}}
assembly: {m1: 1.41, p1: -1.78, e1: 0.37, m2: 3.51, p2: -1.78, m3: -0.68, p3: -1.78}
`

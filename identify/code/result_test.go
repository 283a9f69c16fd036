package code

import (
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

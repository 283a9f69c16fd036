package result

import (
	"strings"
	"testing"

	"ident/physical"
)

// A proof is a note, a pose with a negative eigenvalue a warning that shows it, and a search without one says that nothing is proved.
func TestDescribeInertiaMatrix(t *testing.T) {
	joints := []string{"waist", "slide"}
	for _, c := range []struct {
		of         physical.Definite
		warning    bool
		indefinite bool
		says       string
	}{
		{physical.Definite{Proved: true}, false, false, "positive definite in every pose: feasible bodies"},
		{physical.Definite{Worst: &physical.WorstPose{Least: -0.25, Q: []float64{1.5, -0.2}, Poses: 9}}, true, true, "least eigenvalue is -0.25 of the mean diagonal entry at waist = 1.5, slide = -0.2; {physically-consistent}"},
		{physical.Definite{Worst: &physical.WorstPose{Least: 0.25, Q: []float64{1.5, -0.2}, Poses: 9}}, false, false, "in 9 poses within the joint limits, not proved in every pose: the least eigenvalue is 0.25"},
		{physical.Definite{}, false, false, "not proved to be positive definite in every pose: no feasible bodies"},
	} {
		var res Result
		res.DescribeInertiaMatrix(&c.of, joints)
		texts := res.Notes
		if c.warning {
			texts = res.Warnings
		}
		if len(texts) != 1 || len(res.Notes)+len(res.Warnings) != 1 || !strings.Contains(texts[0], c.says) || res.InertiaMatrix.Indefinite() != c.indefinite {
			t.Errorf("%+v: notes %q, warnings %q", c.of, res.Notes, res.Warnings)
		}
	}
}

package frictionterms

import (
	"testing"

	"ident/baseparams"
	"ident/regressor"
)

// A viscous term that depends on others, as of two joints on one motor, must go with them: it would take the place of the first.
func TestNoViscousWithDependentViscous(t *testing.T) {
	set := &baseparams.Set{
		Columns: []regressor.Column{{Name: "Fv1", Term: regressor.Fv}, {Name: "Fv2", Term: regressor.Fv}, {Name: "Fs1", Term: regressor.Fs}},
		Base:    []int{0, 2}, Dependent: []int{1}, Beta: [][]float64{{1}, {0}},
	}
	f, c := Columns{Model: 2, Joints: 1, Viscous: []int{0}}, Choice{NoViscous: true}
	if got := f.Base(set, c, nil, f.Selected(c, nil)); len(got.Base) != 1 || got.Columns[got.Base[0]].Name != "Fs1" {
		t.Errorf("base %v of %v, want Fs1 alone", got.Base, got.Columns)
	}
}

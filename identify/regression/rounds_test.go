package regression

import (
	"testing"

	"ident/estimate"
)

func TestEqualWeights(t *testing.T) {
	own := &estimate.CrossValidation{Percent: 2, Joints: []float64{2, 10}}
	for _, c := range []struct {
		percent float64
		joints  []float64
		want    bool
	}{
		{1.9, []float64{1.9, 9}, true},
		{1.9, []float64{1.8, 12}, false}, // only the strong joint gains
		{1.97, []float64{2, 5}, false},   // the weak one alone, which weights are made for
	} {
		if got := equalWeights(own, &estimate.CrossValidation{Percent: c.percent, Joints: c.joints}); got != c.want {
			t.Errorf("%v %%, joints %v: %v, want %v", c.percent, c.joints, got, c.want)
		}
	}
	if exact := (&estimate.CrossValidation{Percent: 1e-9, Joints: []float64{1e-9}}); equalWeights(exact, &estimate.CrossValidation{Joints: []float64{0}}) {
		t.Error("rounding is no reason")
	}
}

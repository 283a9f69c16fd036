package regression

import (
	"math"
	"testing"

	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// A drive whose inertia of 2 kg·m² is known to 0.02: on any other motion its torque is known to 1 %.
func TestExpectedError(t *testing.T) {
	r := robot.FromMDH("drive", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Revolute}})
	full, err := regressor.NewDynamic(r, []regressor.Term{regressor.Ia})
	if err != nil {
		t.Fatal(err)
	}
	v := observation.Observation{Motion: observation.Motion{Q: [][]float64{{0, 1}}, DQ: [][]float64{{1, -1}}, DDQ: [][]float64{{3, -3}}}, Extent: observation.Extent{Hi: 2}}
	motion := reachOf(&v)
	e := expectedError(full, observation.Known{}, 1, r, &motion, make([]bool, 1), []float64{2}, [][]float64{{0.02 * 0.02}})
	if math.Abs(e.Stacked-1) > 1e-9 {
		t.Errorf("expected error %g %%, want 1", e.Stacked)
	}
}

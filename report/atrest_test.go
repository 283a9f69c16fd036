package report

import (
	"math"
	"testing"

	"ident/observation"
	"ident/result"
)

// Rest is told by the rule, with half a period of the cut-off on either side, and its rows are in no residual figure.
func TestRestMask(t *testing.T) {
	const rate = 100
	run := result.ResidualRun{Role: "train", Stride: 1, T: make([]float64, 1000), Measured: [][]float64{make([]float64, 1000)}, Predicted: [][]float64{make([]float64, 1000)}, Position: [][]float64{make([]float64, 1000)}}
	for k := range run.T {
		run.T[k] = float64(k) / rate
		run.Position[0][k] = math.Sin(run.T[k])
		if k >= 400 && k < 500 {
			run.Position[0][k] = run.Position[0][400]
			run.Measured[0][k] = 5 // what is left at rest
		}
	}
	p := result.Processing{Path: observation.Path{Cutoff: 10}, Rest: &result.Rest{Range: []float64{1e-6}, Seconds: []float64{0.3}}}
	got := restStretches(&run, 0, p)
	if len(got) != 1 || math.Abs(got[0][0]-3.95) > 1e-9 || math.Abs(got[0][1]-5.04) > 1e-9 {
		t.Errorf("at rest: %v, want 3.95 to 5.04", got)
	}
	if r := residualsOf([]result.ResidualRun{run}, "train", 0, p); r.n != 890 || r.hi != 0 {
		t.Errorf("%d residuals up to %g, want 890 without those at rest", r.n, r.hi)
	}
	p.Rest = nil
	if got := restStretches(&run, 0, p); got != nil {
		t.Errorf("rest was kept, and %v is hatched", got)
	}
}

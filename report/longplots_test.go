package report

import (
	"math"
	"strings"
	"testing"

	"ident/result"
)

// The plots of a long run are those of its buckets, so that a peak between the kept rows is drawn, and the close-up
// is a stretch at full rate.
func TestLongPlots(t *testing.T) {
	f := newFixture(2, 10)
	const stride, peak = 10, 40.0
	run := result.ResidualRun{Log: "long", Role: "train", Stride: stride}
	l := &result.LongRun{Rows: stride}
	n := 4 * curveBins(2) * 2
	for k := range n {
		run.T = append(run.T, 0.1*float64(k))
		l.From, l.To = append(l.From, 0.1*float64(k)), append(l.To, 0.1*float64(k)+0.09)
	}
	flat := func(v float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = v
		}
		return out
	}
	for range 2 {
		run.Measured, run.Predicted = append(run.Measured, flat(1)), append(run.Predicted, flat(1))
		for s, c := range []*result.Curves{&l.Low, &l.High} {
			v := 2*float64(s) - 1
			c.Measured, c.Predicted, c.Residual = append(c.Measured, flat(1+v)), append(c.Predicted, flat(1)), append(c.Residual, flat(v))
		}
	}
	l.High.Measured[0][7], l.High.Residual[0][7] = peak, peak-1 // no row of run.T has it
	block := result.ResidualRun{Log: "long", Role: "train", Stride: 1, T: []float64{0.70, 0.71, 0.72}, Measured: [][]float64{{1, peak, 1}, {1, 1.5, 1}}, Predicted: [][]float64{{1, 1, 1}, {1, 1, 1}}}
	l.Blocks, run.Long = []result.ResidualRun{block}, l

	times, measured, _, residual := drawnRows(&run, 0)
	if len(times) != 2*n || measured[14] != 0 || measured[15] != peak || residual[15] != peak-1 || math.Abs(times[15]-0.79) > 1e-9 {
		t.Errorf("bucket 7 is drawn from %g at %g s to %g at %g s, with a residual of %g", measured[14], times[14], measured[15], times[15], residual[15])
	}
	plots, err := Plots(t.Context(), f.res, []result.ResidualRun{run}, Options{Formats: []string{"svg"}})
	if err != nil {
		t.Fatal(err)
	}
	whole, close := "", ""
	for _, p := range plots {
		switch {
		case p.Group != GroupTorque || !strings.HasPrefix(p.Name, torqueName(0)):
		case strings.HasSuffix(p.Name, closeUpSuffix):
			close = p.Caption
		default:
			whole = p.Caption
		}
	}
	if !strings.Contains(whole, "(the least and the largest of every 10)") {
		t.Errorf("the whole: %s", whole)
	}
	if !strings.Contains(close, "3 samples of long around the largest residual, 39.0 N·m at 0.71 s") {
		t.Errorf("the close-up: %s", close)
	}
}

package draws

import (
	"math"
	"slices"
	"testing"

	"ident/internal/long"
	"ident/physical"
	"ident/regressor"
	"ident/robot"
)

// Where every estimate has bodies, draws under a flat prior are those of the fit's covariance, whatever the prior. Where the
// data are weak, the prior makes draws narrow, and under a flat one feasibility alone does.
func TestFlat(t *testing.T) {
	for _, c := range []struct {
		part float64
		sure bool // of the data
	}{{0.3, false}, {0.002, true}}[:long.Of(2, 1)] {
		p, _ := arm(t, long.Of(2, 1), c.part)
		spread := func(flat bool) []float64 {
			own := *p
			own.Flat = flat
			d, err := Draw(t.Context(), &own, 400, 3)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range d.Standard {
				for j := range p.Robot.Links {
					var body robot.Inertial
					for c, col := range p.Set.Columns {
						if col.Term == regressor.Links && col.Link == j {
							body[col.Param] = x[c]
						} else if !col.Signed && x[c] < 0 {
							t.Fatalf("%s is %g", col.Name, x[c])
						}
					}
					if least := physical.LeastEigenvalue(body); !(least > 0) {
						t.Fatalf("a body of link %d that cannot be: %g", j+1, least)
					}
				}
			}
			_, covariance := moments(d.Base)
			var out []float64
			for i := range covariance {
				out = append(out, math.Sqrt(covariance[i][i]/p.Covariance[i][i]))
			}
			t.Logf("noise of %g, flat %t: %+v, ratios %.2f", c.part, flat, d.Mixing, out)
			return out
		}
		informed, flat := spread(false), spread(true)
		// Of 400 draws a deviation has one of 1/√800, 0.04.
		for i, r := range flat {
			if c.sure && !binds(p, i) && math.Abs(r-1) > 0.15 {
				t.Errorf("%s: draws have %.2f of the fit's deviation", p.Set.Name(i), r)
			}
			if r < informed[i]-0.15 {
				t.Errorf("%s: %.2f of the fit's deviation under a flat prior, %.2f under another", p.Set.Name(i), r, informed[i])
			}
		}
		if !c.sure && !(slices.Min(flat) > max(0.9, slices.Min(informed)+0.15)) {
			t.Errorf("least ratios: %.2f with a prior, %.2f with a flat one", slices.Min(informed), slices.Min(flat))
		}
	}
}

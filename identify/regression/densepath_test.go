package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/filter"
	"ident/internal/long"
	"ident/regressor"
)

// The fast path (programs, chunks, filters of many columns at once, kept rows, triangular factors of blocks of time, factors
// merged) gives the estimate of the plain one, to 1e-9 of its deviations: the regressor by the recursion, every
// column of the whole record in memory and through the filter by itself, and one QR factorisation of all rows, weighted by the
// deviations of each joint's own least squares.
//
// Both are backward stable: with condition numbers below 1e3, rounding of 1e-16 of the parameters and residuals of a hundredth
// of the torques, they differ by some 1e-13 of the parameters, which are known to 1e-3 at most. Ends of the filters' responses
// that chunks cut off are 1e-12 of the torques. 1e-11 of the deviations are seen. Three seconds are cut from the ends: of a
// low-pass at 2 Hz the rows that are kept continue the reflection there further than the filter of all rows does, which is 1e-9 of the
// deviations at half a second.
func TestEstimateOfADensePath(t *testing.T) {
	long.Only(t, "TestChunksAreWhole has the path of other estimators")
	const rate = 200.0
	r := arm(5)
	rec := simulate(t, r, newTrajectory(5, 3, 0.1), steady(rate, 20))
	rng := rand.New(rand.NewPCG(4, 5))
	for k := range rec.tau {
		for i := range rec.tau[k] {
			rec.tau[k][i] += 0.1 * rng.NormFloat64()
		}
	}
	for name, c := range map[string]struct {
		cutoff float64
		every  int
		change func(*Config)
	}{
		"no filter":  {0, 1, func(cfg *Config) {}},
		"low-pass":   {8, 1, func(cfg *Config) { cfg.Cutoff = 8 }},
		"kept rows":  {2, 16, func(cfg *Config) { cfg.Cutoff, cfg.long = 2, 1 }},
		"one weight": {8, 1, func(cfg *Config) { cfg.Cutoff, cfg.Weighting = 8, "ols" }},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "low-pass" {
				long.Only(t, "the low-pass is tried")
			}
			cfg := exact()
			cfg.Plain, cfg.Trim, cfg.chunk = true, 3, 777
			c.change(&cfg)
			out := fit(t, r, cfg, rec.run("log"))
			full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
			if err != nil {
				t.Fatal(err)
			}
			x := densePath(t, full.Select(out.Base.Base), rec, c.cutoff, rate, int(3*rate), c.every, cfg.Weighting != "ols")
			for i, p := range out.Result.BaseParameters {
				if d := math.Abs(x[i] - p.Value); !(d <= 1e-9*p.Sigma) {
					t.Errorf("%s is %.15g ± %.3g, along the dense path %.15g: %.2g deviations", p.Name, p.Value, p.Sigma, x[i], d/p.Sigma)
				}
			}
		})
	}
}

// densePath is the least-squares estimate of a record, with rows at every every-th sample beyond the cut ends.
func densePath(t *testing.T, m *regressor.Model, rec *record, cutoff, rate float64, cut, every int, weighted bool) []float64 {
	n := len(rec.t)
	block := m.NewBlock(n)
	m.Eval(block, rec.q, rec.dq, rec.ddq, m.NewWorkspace())
	var sos filter.SOS
	if cutoff > 0 {
		var err error
		if sos, err = filter.Butterworth(DefaultOrder, cutoff, rate); err != nil {
			t.Fatal(err)
		}
	}
	var rows []int
	for i := 0; i < n-cut; i += every {
		if i >= cut {
			rows = append(rows, i)
		}
	}
	thinned := func(x []float64) []float64 {
		y := make([]float64, n)
		copy(y, x)
		if cutoff > 0 {
			sos.ZeroPhase(y, x, new(filter.Work))
		}
		var kept []float64
		for _, i := range rows {
			kept = append(kept, y[i])
		}
		return kept
	}
	columns, joints := len(m.Columns()), m.Joints()
	w, y := mat.NewDense(joints*len(rows), columns, nil), mat.NewVecDense(joints*len(rows), nil)
	for k := range joints {
		own := mat.NewDense(len(rows), len(m.Mask(k)), nil)
		for c, col := range m.Mask(k) {
			x := thinned(block.Joint[k][c])
			own.SetCol(c, x)
			for i, v := range x {
				w.Set(k*len(rows)+i, col, v)
			}
		}
		tau := mat.NewVecDense(len(rows), thinned(rec.tau[k]))
		weight := 1.0
		if weighted {
			weight = 1 / ownDeviation(t, own, tau)
		}
		for i := range rows {
			at := k*len(rows) + i
			y.SetVec(at, weight*tau.AtVec(i))
			for c := range columns {
				w.Set(at, c, weight*w.At(at, c))
			}
		}
	}
	var qr mat.QR
	qr.Factorize(w)
	var x mat.VecDense
	if err := qr.SolveVecTo(&x, false, y); err != nil {
		t.Fatal(err)
	}
	return x.RawVector().Data
}

// ownDeviation is the deviation of the residuals of one joint's least squares, in which some columns depend on others.
func ownDeviation(t *testing.T, w *mat.Dense, y *mat.VecDense) float64 {
	rows, columns := w.Dims()
	var svd mat.SVD
	if !svd.Factorize(w, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	values := svd.Values(nil)
	rank := columns
	for rank > 0 && values[rank-1] < 1e-10*values[0] {
		rank--
	}
	var u mat.Dense
	svd.UTo(&u)
	rest := mat.VecDenseCopyOf(y)
	for i := range rank {
		column := u.ColView(i)
		rest.AddScaledVec(rest, -mat.Dot(column, rest), column)
	}
	return math.Sqrt(mat.Dot(rest, rest) / float64(rows-rank))
}

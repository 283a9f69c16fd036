// Package estimatortest holds estimators to their promises: one suite for all of
// them, with the invariances that each truly has.
package estimatortest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ident/estimate"
)

// View is how a problem is written down: an estimator that carries numbers of its
// own, such as a prior, has to write them the same way.
type View struct {
	Torque  float64   // torques are multiplied by this
	Columns []float64 // columns are multiplied by these, so parameters are divided
}

// Traits are the invariances of an estimator.
type Traits struct {
	New func(View) estimate.Estimator
	// Exact: without noise it gives the truth back.
	Exact bool
	// Units: torques in another unit give the estimate in that unit.
	Units bool
	// Joints: the order of the joints does not matter.
	Joints bool
	// Merging: rows may be summarised in parts.
	Merging bool
	// Duplicates: every row twice gives the same estimate.
	Duplicates bool
	// Columns: a column in another unit changes its parameter and no other.
	Columns bool
	// AnyRank: data that do not determine all parameters are no error.
	AnyRank bool
	// Smallest: on request, such data give the smallest solution.
	Smallest bool
	// Passes: it reads the rows more than once.
	Passes bool
	// Tolerance of an invariance, in standard deviations: rounding for estimators
	// that solve once, the end of the iteration for the others.
	Tolerance float64
}

// Truth returns the parameters of Data's rows.
func Truth() []float64 { return []float64{1.2, -0.4, 0.8, 2, -1.5, 0.3} }

// Columns is their number.
const Columns = 6

// Data is rows of three joints: the first sees all parameters, the second those
// from the third on, the third the last two.
type Data struct {
	Masks   [][]int
	Columns [][][]float64 // joint, column of its mask, row
	Y       [][]float64   // joint, row
}

// NewData draws slowly varying columns, and torques with errors of the given
// deviations: white, or an autoregression of the first order with coefficient
// colour.
func NewData(rng *rand.Rand, rows int, sigma [3]float64, colour float64) *Data {
	d := &Data{Masks: [][]int{{0, 1, 2, 3, 4, 5}, {2, 3, 4, 5}, {4, 5}}}
	truth := Truth()
	for k, mask := range d.Masks {
		y := make([]float64, rows)
		var cols [][]float64
		for _, at := range mask {
			c := make([]float64, rows)
			for range 3 {
				w, p := 2*math.Pi/(20+100*rng.Float64()), 2*math.Pi*rng.Float64()
				for i := range c {
					c[i] += math.Sin(w*float64(i) + p)
				}
			}
			for i, v := range c {
				y[i] += v * truth[at]
			}
			cols = append(cols, c)
		}
		d.Columns, d.Y = append(d.Columns, cols), append(d.Y, y)
		AddNoise(rng, y, sigma[k], colour)
	}
	return d
}

// AddNoise adds errors of a stationary autoregression of the first order.
func AddNoise(rng *rand.Rand, y []float64, sigma, colour float64) {
	e := sigma * rng.NormFloat64()
	for i := range y {
		y[i] += e
		e = colour*e + math.Sqrt(1-colour*colour)*sigma*rng.NormFloat64()
	}
}

// Problem reduces the data in time blocks of the given length, each part as a run.
func (d *Data) Problem(block int, parts ...*Data) *estimate.Problem {
	rows := estimate.NewRows(Columns, d.Masks, block)
	rows.AddRun(d.Columns, d.Y)
	for _, p := range parts {
		rows.AddRun(p.Columns, p.Y)
	}
	return rows.Problem()
}

// view writes the data down another way.
func (d *Data) view(v View) *Data {
	out := &Data{Masks: d.Masks}
	for k, mask := range d.Masks {
		out.Y = append(out.Y, times(d.Y[k], v.Torque))
		var cols [][]float64
		for c, at := range mask {
			cols = append(cols, times(d.Columns[k][c], v.Columns[at]))
		}
		out.Columns = append(out.Columns, cols)
	}
	return out
}

func times(x []float64, f float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = f * v
	}
	return out
}

// plain returns the view that changes nothing.
func plain() View { return View{Torque: 1, Columns: times([]float64{1, 1, 1, 1, 1, 1}, 1)} }

// Run holds an estimator to its traits.
func Run(t *testing.T, tr Traits) {
	data := NewData(rand.New(rand.NewPCG(1, 2)), 400, [3]float64{0.2, 0.1, 0.3}, 0.3)
	solve := func(t *testing.T, e estimate.Estimator, p *estimate.Problem) *estimate.Solution {
		t.Helper()
		s, err := e.Estimate(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		finite(t, s)
		return s
	}
	base := solve(t, tr.New(plain()), data.Problem(20))
	same := func(t *testing.T, s *estimate.Solution, v View) {
		t.Helper()
		for i, want := range base.X {
			f := v.Torque / v.Columns[i]
			sigma := math.Sqrt(base.Covariance[i][i])
			if e := math.Abs(s.X[i]/f - want); !(e <= tr.Tolerance*sigma) {
				t.Errorf("parameter %d is %.12g, want %.12g: %.2g deviations", i+1, s.X[i]/f, want, e/sigma)
			}
			// A deviation is known to a few digits, so a thousandth of it is enough.
			if got := math.Sqrt(s.Covariance[i][i]) / math.Abs(f); !(math.Abs(got-sigma) <= 1e-3*sigma) {
				t.Errorf("deviation %d is %.6g, want %.6g", i+1, got, sigma)
			}
		}
	}
	if tr.Exact {
		t.Run("exact", func(t *testing.T) {
			p := NewData(rand.New(rand.NewPCG(3, 4)), 400, [3]float64{}, 0).Problem(20)
			for i, v := range solve(t, tr.New(plain()), p).X {
				// Rounding of 400 rows at a condition number of some tens.
				if e := math.Abs(v - Truth()[i]); !(e < 1e-11) {
					t.Errorf("parameter %d is off by %.3g", i+1, e)
				}
			}
		})
	}
	if tr.Units {
		t.Run("units of torque", func(t *testing.T) {
			v := plain()
			v.Torque = 0.1382 // foot-pounds, roughly
			same(t, solve(t, tr.New(v), data.view(v).Problem(20)), v)
		})
	}
	if tr.Columns {
		t.Run("units of columns", func(t *testing.T) {
			v := plain()
			v.Columns = []float64{1e3, 1, 57.3, 1e-3, 3, 0.2}
			same(t, solve(t, tr.New(v), data.view(v).Problem(20)), v)
		})
	}
	if tr.Joints {
		t.Run("order of joints", func(t *testing.T) {
			turned := &Data{}
			for _, k := range []int{2, 0, 1} {
				turned.Masks = append(turned.Masks, data.Masks[k])
				turned.Columns, turned.Y = append(turned.Columns, data.Columns[k]), append(turned.Y, data.Y[k])
			}
			same(t, solve(t, tr.New(plain()), turned.Problem(20)), plain())
		})
	}
	if tr.Merging {
		t.Run("merging", func(t *testing.T) {
			whole := data.Problem(20)
			blocks := whole.Reduction.Blocks()
			a := estimate.NewReduction(Columns, data.Masks)
			b := estimate.NewReduction(Columns, data.Masks)
			a.Append(blocks[:7]...)
			b.Append(blocks[7:]...)
			a.Merge(b)
			same(t, solve(t, tr.New(plain()), &estimate.Problem{Reduction: a, Rows: whole.Rows}), plain())
		})
	}
	if tr.Duplicates {
		t.Run("duplicate rows", func(t *testing.T) {
			s := solve(t, tr.New(plain()), data.Problem(20, data))
			for i, want := range base.X {
				if e := math.Abs(s.X[i]-want) / math.Sqrt(base.Covariance[i][i]); !(e <= tr.Tolerance) {
					t.Errorf("parameter %d moves by %.2g deviations", i+1, e)
				}
			}
		})
	}
	t.Run("again", func(t *testing.T) {
		for i, v := range solve(t, tr.New(plain()), data.Problem(20)).X {
			if v != base.X[i] {
				t.Errorf("parameter %d is %v, then %v", i+1, base.X[i], v)
			}
		}
	})
	t.Run("rank", func(t *testing.T) { deficient(t, tr, data) })
	t.Run("rows", func(t *testing.T) {
		p := data.Problem(20)
		p.Rows = nil
		if _, err := tr.New(plain()).Estimate(t.Context(), p); errors.Is(err, estimate.ErrPasses) != tr.Passes {
			t.Errorf("without rows to read again: %v", err)
		}
	})
	t.Run("refused", func(t *testing.T) {
		empty := &Data{Masks: data.Masks, Columns: make([][][]float64, 3), Y: make([][]float64, 3)}
		for k, m := range data.Masks {
			empty.Columns[k] = make([][]float64, len(m))
		}
		if _, err := tr.New(plain()).Estimate(t.Context(), empty.Problem(20)); !errors.Is(err, estimate.ErrNoData) {
			t.Errorf("no rows: %v", err)
		}
		broken := data.view(plain())
		broken.Y[1][3] = math.NaN()
		if _, err := tr.New(plain()).Estimate(t.Context(), broken.Problem(20)); err == nil {
			t.Error("a torque that is no number was fitted")
		}
		if tr.Passes {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := tr.New(plain()).Estimate(ctx, data.Problem(20)); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
		}
	})
}

// deficient gives data in which parameter 2 acts nowhere.
func deficient(t *testing.T, tr Traits, data *Data) {
	d := data.view(plain())
	clear(d.Columns[0][1])
	for i := range d.Y[0] {
		d.Y[0][i] -= Truth()[1] * data.Columns[0][1][i]
	}
	p := d.Problem(20)
	s, err := tr.New(plain()).Estimate(t.Context(), p)
	if tr.AnyRank {
		if err != nil {
			t.Fatal(err)
		}
		finite(t, s)
	} else {
		var rank *estimate.RankError
		if !errors.As(err, &rank) {
			t.Fatalf("error %v", err)
		}
		if rank.Rank != 5 || len(rank.Undetermined) != 1 || rank.Undetermined[0] != 1 {
			t.Errorf("rank %d, undetermined %v; want 5 and column 1", rank.Rank, rank.Undetermined)
		}
	}
	if tr.Smallest {
		p.MinimumNorm = true
		if s, err = tr.New(plain()).Estimate(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		finite(t, s)
		if math.Abs(s.X[1]) > 1e-12 {
			t.Errorf("the smallest solution has %g where nothing acts", s.X[1])
		}
	}
}

// finite checks the shape of a solution and that its numbers are numbers.
func finite(t *testing.T, s *estimate.Solution) {
	t.Helper()
	if len(s.X) != Columns || len(s.Covariance) != Columns || len(s.DegreesOfFreedom) != Columns || len(s.Sigma) != 3 || len(s.Rows) != 3 || len(s.VarianceInflation) != 3 {
		t.Fatalf("a solution of another shape: %+v", s)
	}
	for i, v := range s.X {
		if math.IsNaN(v) || math.IsInf(v, 0) || !(s.Covariance[i][i] >= 0) || !(s.DegreesOfFreedom[i] >= 1) {
			t.Errorf("parameter %d: %g ± √%g, freedom %g", i+1, v, s.Covariance[i][i], s.DegreesOfFreedom[i])
		}
	}
	for k, v := range s.Sigma {
		if !(v >= 0) || math.IsInf(v, 0) {
			t.Errorf("joint %d: deviation %g", k+1, v)
		}
	}
}

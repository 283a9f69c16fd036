package estimate

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ident/internal/triangle"
)

// leastSquares is gonum's answer for dense rows.
func leastSquares(t interface{ Fatal(...any) }, w *mat.Dense, y *mat.VecDense) ([]float64, float64) {
	var qr mat.QR
	qr.Factorize(w)
	var x, r mat.VecDense
	if err := qr.SolveVecTo(&x, false, y); err != nil {
		t.Fatal(err)
	}
	r.MulVec(w, &x)
	r.SubVec(y, &r)
	norm := mat.Norm(&r, 2)
	return x.RawVector().Data, norm * norm
}

// gautier computes the weights of Gautier's WLS from dense rows, joint by joint.
func (d *dense) gautier(t interface{ Fatal(...any) }) []float64 {
	n := len(d.y[0])
	weights := make([]float64, len(d.masks))
	for k, m := range d.masks {
		w := mat.NewDense(n, len(m), nil)
		for c := range m {
			w.SetCol(c, d.w[k][c])
		}
		_, rss := leastSquares(t, w, mat.NewVecDense(n, d.y[k]))
		weights[k] = 1 / math.Sqrt(rss/float64(n-len(m)))
	}
	return weights
}

// OLS and WLS equal dense least squares on the stacked, weighted rows,
// with Gautier's weights, and so are the condition numbers and, for a single
// block, which cannot tell correlation, the covariance.
func TestDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n := rapid.IntRange(20, 300).Draw(t, "samples")
		d := newDense(rng, n, []float64{0.5, 0.01, 2})
		r := d.reduce(n)
		for _, weighting := range []Weighting{OLS, WLS} {
			s, err := r.Solve(weighting, false)
			if err != nil {
				t.Fatal(err)
			}
			weights := []float64{1, 1, 1}
			if weighting == WLS {
				weights = d.gautier(t)
			}
			for k, w := range weights {
				if !(math.Abs(s.Weights[k]/w-1) < 1e-10) {
					t.Fatalf("%s: weight of joint %d is %v, want %v", weighting, k+1, s.Weights[k], w)
				}
			}
			w, y := d.matrix(weights)
			x, _ := leastSquares(t, w, y)
			for i := range x {
				if !(math.Abs(s.X[i]-x[i]) < 1e-9*(1+math.Abs(x[i]))) {
					t.Fatalf("%s: parameter %d is %v, dense least squares gives %v", weighting, i, s.X[i], x[i])
				}
			}
			checkConditions(t, s, w)
			checkCovariance(t, s, d, w, weights)
		}
	})
}

// checkConditions compares with singular values of the rows themselves.
func checkConditions(t *rapid.T, s *Solution, w *mat.Dense) {
	condition := func(a *mat.Dense) float64 {
		var svd mat.SVD
		svd.Factorize(a, mat.SVDNone)
		v := svd.Values(nil)
		return v[0] / v[len(v)-1]
	}
	if c := condition(w); !(math.Abs(s.ConditionRaw/c-1) < 1e-9) {
		t.Fatalf("raw condition %v, want %v", s.ConditionRaw, c)
	}
	rows, columns := w.Dims()
	unit := mat.DenseCopyOf(w)
	for j := range columns {
		norm := mat.Norm(w.ColView(j), 2)
		for i := range rows {
			unit.Set(i, j, w.At(i, j)/norm)
		}
	}
	if c := condition(unit); !(math.Abs(s.ConditionScaled/c-1) < 1e-9) {
		t.Fatalf("scaled condition %v, want %v", s.ConditionScaled, c)
	}
}

// checkCovariance compares with (WᵀW)⁻¹·Wᵀ·diag(ν)·W·(WᵀW)⁻¹ of the weighted
// rows, with each joint's own residual variance ν.
func checkCovariance(t *rapid.T, s *Solution, d *dense, w *mat.Dense, weights []float64) {
	n := len(d.y[0])
	var gram, inv mat.Dense
	gram.Mul(w.T(), w)
	if err := inv.Inverse(&gram); err != nil {
		t.Fatal(err)
	}
	var middle mat.Dense
	middle.Mul(w.T(), w)
	middle.Zero()
	for k := range d.masks {
		part := w.Slice(k*n, (k+1)*n, 0, len(d.truth))
		var g, hat mat.Dense
		g.Mul(part.T(), part)
		hat.Mul(&inv, &g)
		leverage, rss := mat.Trace(&hat), 0.0
		for i := range n {
			e := d.y[k][i]
			for c, at := range d.masks[k] {
				e -= d.w[k][c][i] * s.X[at]
			}
			rss += e * e
		}
		sigma := math.Sqrt(rss / (float64(n) - leverage))
		if !(math.Abs(s.Sigma[k]/sigma-1) < 1e-9) || !(math.Abs(s.Leverage[k]-leverage) < 1e-8) {
			t.Fatalf("joint %d: deviation %v and leverage %v, want %v and %v", k+1, s.Sigma[k], s.Leverage[k], sigma, leverage)
		}
		g.Scale(sigma*sigma*weights[k]*weights[k], &g)
		middle.Add(&middle, &g)
	}
	var half, want mat.Dense
	half.Mul(&inv, &middle)
	want.Mul(&half, &inv)
	for i := range d.truth {
		for j := range d.truth {
			scale := math.Sqrt(want.At(i, i) * want.At(j, j))
			if !(math.Abs(s.Covariance[i][j]-want.At(i, j)) < 1e-8*scale) {
				t.Fatalf("covariance (%d, %d) is %v, want %v", i, j, s.Covariance[i][j], want.At(i, j))
			}
		}
	}
}

// A column that should be zero in a joint but is rounding of it takes up no
// residual there: the weights are those of exact zeros.
func TestRoundingColumns(t *testing.T) {
	d := newDense(rand.New(rand.NewPCG(13, 6)), 40, []float64{1, 1, 1})
	rng := rand.New(rand.NewPCG(1, 1))
	spoil := func(size float64) {
		for i := range d.y[0] {
			d.w[0][3][i] = size * rng.NormFloat64()
		}
	}
	spoil(0)
	exact, err := d.reduce(8).Solve(WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	spoil(1e-17)
	dust, err := d.reduce(8).Solve(WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range exact.Weights {
		if !(math.Abs(dust.Weights[k]/w-1) < 1e-12) {
			t.Errorf("weight of joint %d is %v, want %v", k+1, dust.Weights[k], w)
		}
	}
}

// Rows without noise give the parameters back to rounding, under both weightings.
func TestNoiseFree(t *testing.T) {
	d := newDense(rand.New(rand.NewPCG(3, 4)), 300, []float64{0, 0, 0})
	for _, weighting := range []Weighting{OLS, WLS} {
		s, err := d.reduce(50).Solve(weighting, false)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range d.truth {
			if !(math.Abs(s.X[i]-v) < 1e-11) {
				t.Errorf("%s: parameter %d is off by %g", weighting, i, s.X[i]-v)
			}
			if !(s.Covariance[i][i] >= 0 && math.Sqrt(s.Covariance[i][i]) < 1e-10) {
				t.Errorf("%s: variance %g of parameter %d without noise", weighting, s.Covariance[i][i], i)
			}
		}
	}
}

// Columns that depend on each other are named, and no others; the smallest
// solution predicts as well as any.
func TestRankDeficiency(t *testing.T) {
	d := newDense(rand.New(rand.NewPCG(5, 6)), 200, []float64{0.1, 0.1, 0.1})
	for i := range d.y[0] { // in every joint that has it, column 3 is column 5 and column 1 is nothing
		d.w[0][3][i] = -2 * d.w[0][5][i]
		d.w[1][1][i] = -2 * d.w[1][3][i]
		d.w[2][1][i] = 0
		d.w[0][1][i] = 0
	}
	r := d.reduce(20)
	_, err := r.Solve(WLS, false)
	var rank *RankError
	if !errors.As(err, &rank) {
		t.Fatalf("error %v", err)
	}
	got := slices.Clone(rank.Undetermined)
	slices.Sort(got)
	if rank.Rank != 4 || rank.Columns != 6 || !slices.Equal(got, []int{1, 3, 5}) || rank.Undetermined[0] != 1 {
		t.Errorf("rank %d of %d, undetermined %v", rank.Rank, rank.Columns, rank.Undetermined)
	}
	s, err := r.Solve(OLS, true)
	if err != nil {
		t.Fatal(err)
	}
	w, y := d.matrix([]float64{1, 1, 1})
	var svd mat.SVD
	svd.Factorize(w, mat.SVDThin)
	var best, res mat.VecDense
	svd.SolveVecTo(&best, y, 4)
	res.MulVec(w, &best)
	res.SubVec(y, &res)
	want := mat.Norm(&res, 2)
	res.MulVec(w, mat.NewVecDense(6, s.X))
	res.SubVec(y, &res)
	if got := mat.Norm(&res, 2); !(math.Abs(got/want-1) < 1e-12) {
		t.Errorf("the smallest solution leaves %v, the best possible %v", got, want)
	}
	if !(math.Abs(s.X[1]) < 1e-12 && math.Sqrt(s.Covariance[1][1]) < 1e-12) {
		t.Errorf("a column of zeros got %v ± %v", s.X[1], math.Sqrt(s.Covariance[1][1]))
	}
}

func TestRefused(t *testing.T) {
	d := newDense(rand.New(rand.NewPCG(7, 8)), 30, []float64{0.1, 0.1, 0.1})
	if _, err := NewReduction(6, d.masks).Solve(WLS, true); !errors.Is(err, ErrNoData) {
		t.Errorf("no rows: %v", err)
	}
	few := NewReduction(6, d.masks)
	few.Append(d.block(few, 0, 0, 1))
	if _, err := few.Solve(WLS, false); !errors.Is(err, ErrNoData) {
		t.Errorf("three rows for six parameters: %v", err)
	}
	d.y[1][3] = math.Inf(1)
	if _, err := d.reduce(30).Solve(WLS, false); err == nil {
		t.Error("an infinite torque was fitted")
	}
	d.y[1][3] = 0
	d.w[1][0][3] = math.NaN()
	if _, err := d.reduce(30).Solve(WLS, false); err == nil {
		t.Error("a regressor that is not finite was fitted")
	}
}

// A robot at rest without gravity gives rows of zeros: that is a rank error,
// and the smallest solution is zero, with finite numbers everywhere.
func TestNothingMoves(t *testing.T) {
	d := newDense(rand.New(rand.NewPCG(9, 9)), 40, []float64{1, 1, 1})
	for k := range d.w {
		for c := range d.w[k] {
			clear(d.w[k][c])
		}
	}
	r := d.reduce(5)
	var rank *RankError
	if _, err := r.Solve(WLS, false); !errors.As(err, &rank) || rank.Rank != 0 || len(rank.Undetermined) != 6 {
		t.Fatalf("error %v", err)
	}
	s, err := r.Solve(WLS, true)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.X {
		if s.X[i] != 0 || s.Covariance[i][i] != 0 || math.IsNaN(s.DegreesOfFreedom[i]) {
			t.Errorf("parameter %d: %v ± %v, freedom %v", i, s.X[i], s.Covariance[i][i], s.DegreesOfFreedom[i])
		}
	}
}

// BenchmarkSolve is the estimate of a seven-joint arm from a hundred blocks.
func BenchmarkSolve(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	var masks [][]int
	for k := range 7 {
		var m []int
		for c := 7 * k; c < 49; c++ {
			m = append(m, c)
		}
		masks = append(masks, m)
	}
	r := NewReduction(49, masks)
	var work triangle.Work
	for range 100 {
		block := r.NewBlock(0)
		for k, m := range masks {
			cols := make([][]float64, len(m)+1)
			for c := range cols {
				cols[c] = make([]float64, 200)
				for i := range cols[c] {
					cols[c][i] = rng.NormFloat64()
				}
			}
			block.Joints[k].Add(cols[:len(m)], cols[len(m)], &work)
		}
		r.Append(block)
	}
	for b.Loop() {
		if _, err := r.Solve(WLS, false); err != nil {
			b.Fatal(err)
		}
	}
}

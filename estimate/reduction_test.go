package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ident/internal/triangle"
)

// dense is rows of three joints kept whole, beside their reduction: the first
// joint sees all columns, the second the columns from the third on, the third
// the last two.
type dense struct {
	masks [][]int
	truth []float64
	w     [][][]float64 // joint, column of its mask, sample
	y     [][]float64   // joint, sample
}

// newDense draws rows with the given deviations of the joints' errors.
func newDense(rng *rand.Rand, samples int, sigma []float64) *dense {
	const columns = 6
	d := &dense{masks: [][]int{{0, 1, 2, 3, 4, 5}, {2, 3, 4, 5}, {4, 5}}}
	scale := []float64{1, 30, 0.01, 2, 5, 0.3}
	for range columns {
		d.truth = append(d.truth, rng.NormFloat64())
	}
	for k, m := range d.masks {
		cols := make([][]float64, len(m))
		y := make([]float64, samples)
		for i := range y {
			y[i] = sigma[k] * rng.NormFloat64()
		}
		for c, at := range m {
			cols[c] = make([]float64, samples)
			for i := range y {
				cols[c][i] = scale[at] * rng.NormFloat64()
				y[i] += cols[c][i] * d.truth[at]
			}
		}
		d.w, d.y = append(d.w, cols), append(d.y, y)
	}
	return d
}

// block summarises samples [lo, hi) as a block of a run.
func (d *dense) block(r *Reduction, run, lo, hi int) TimeBlock {
	var work triangle.Work
	b := r.NewBlock(run)
	for k := range d.masks {
		part := make([][]float64, len(d.w[k]))
		for c := range part {
			part[c] = d.w[k][c][lo:hi]
		}
		b.Joints[k].Add(part, d.y[k][lo:hi], &work)
	}
	return b
}

// reduce summarises everything in blocks of the given length.
func (d *dense) reduce(length int) *Reduction {
	r := NewReduction(len(d.truth), d.masks)
	n := len(d.y[0])
	for lo := 0; lo < n; lo += length {
		r.Append(d.block(r, 0, lo, min(lo+length, n)))
	}
	return r
}

// matrix returns the stacked rows with joint weights.
func (d *dense) matrix(weights []float64) (*mat.Dense, *mat.VecDense) {
	n := len(d.y[0])
	w := mat.NewDense(len(d.masks)*n, len(d.truth), nil)
	y := mat.NewVecDense(len(d.masks)*n, nil)
	for k, m := range d.masks {
		for i := range n {
			y.SetVec(k*n+i, weights[k]*d.y[k][i])
			for c, at := range m {
				w.Set(k*n+i, at, weights[k]*d.w[k][c][i])
			}
		}
	}
	return w, y
}

// Reductions of parts merge to the reduction of the whole, whatever the parts.
func TestMergedIsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n := rapid.IntRange(30, 200).Draw(t, "samples")
		d := newDense(rng, n, []float64{0.1, 0.2, 0.3})
		whole, err := d.reduce(n).Solve(WLS, false)
		if err != nil {
			t.Fatal(err)
		}
		parts := NewReduction(len(d.truth), d.masks)
		for lo, run := 0, 0; lo < n; run++ {
			hi := min(n, lo+rapid.IntRange(1, n).Draw(t, "length"))
			other := NewReduction(len(d.truth), d.masks)
			for at := lo; at < hi; {
				next := min(hi, at+rapid.IntRange(1, 40).Draw(t, "block"))
				other.Append(d.block(other, run, at, next))
				at = next
			}
			parts.Merge(other)
			lo = hi
		}
		got, err := parts.Solve(WLS, false)
		if err != nil {
			t.Fatal(err)
		}
		// A backward error of 3n·ε of the rows moves a parameter by that part of its
		// deviation times the condition number of the scaled columns and the norm of
		// the right-hand side in deviations (Higham 2002, theorem 20.1).
		norm := 0.0
		for k, y := range d.y {
			for _, v := range y {
				norm = math.Hypot(norm, v/whole.Sigma[k])
			}
		}
		for i := range whole.X {
			tolerance := 0x1p-52 * float64(3*n) * whole.ConditionScaled * norm * math.Sqrt(whole.Covariance[i][i])
			if e := math.Abs(got.X[i] - whole.X[i]); !(e < tolerance) {
				t.Fatalf("parameter %d differs by %g, tolerance %g", i, e, tolerance)
			}
		}
		for k, rows := range parts.Rows() {
			if rows != n {
				t.Fatalf("joint %d: %d rows, want %d", k+1, rows, n)
			}
		}
		last := -1
		for _, b := range parts.Blocks() {
			if b.Run < last {
				t.Fatalf("run %d after run %d", b.Run, last)
			}
			last = b.Run
		}
	})
}

// The bits depend on the blocks and their order alone: appended one by one,
// together or by merging, they are the same.
func TestSameBlocksSameBits(t *testing.T) {
	d := newDense(rand.New(rand.NewPCG(1, 1)), 500, []float64{0.1, 0.2, 0.3})
	one := d.reduce(37)
	all, halves := NewReduction(len(d.truth), d.masks), NewReduction(len(d.truth), d.masks)
	all.Append(one.Blocks()...)
	for _, part := range [][]TimeBlock{one.Blocks()[:5], one.Blocks()[5:]} {
		r := NewReduction(len(d.truth), d.masks)
		r.Append(part...)
		halves.Merge(r)
	}
	want, err := one.Solve(WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*Reduction{"at once": all, "merged": halves, "again": one} {
		got, err := r.Solve(WLS, false)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.X {
			if got.X[i] != want.X[i] || got.Covariance[i][0] != want.Covariance[i][0] {
				t.Errorf("%s: parameter %d is %v, want %v", name, i, got.X[i], want.X[i])
			}
		}
	}
}

func TestReductionShapes(t *testing.T) {
	d := newDense(rand.New(rand.NewPCG(1, 1)), 20, []float64{0, 0, 0})
	r := d.reduce(20)
	if r.Columns() != 6 || len(r.Masks()) != 3 {
		t.Errorf("%d columns, %d masks", r.Columns(), len(r.Masks()))
	}
	for name, f := range map[string]func(){
		"mask out of range":  func() { NewReduction(2, [][]int{{0, 2}}) },
		"mask not ascending": func() { NewReduction(3, [][]int{{1, 0}}) },
		"joints":             func() { r.Append(TimeBlock{Joints: []*triangle.Factor{triangle.New(6)}}) },
		"columns": func() {
			r.Append(TimeBlock{Joints: []*triangle.Factor{triangle.New(6), triangle.New(3), triangle.New(2)}})
		},
		"model": func() { r.Merge(NewReduction(5, nil)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
	if len(r.Blocks()) != 1 {
		t.Errorf("a refused block was kept")
	}
}

// Sums that are kept are those of the blocks there are: appended blocks, and those that a running estimate merges, count.
func TestSumsAreNotStale(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	r := NewReduction(2, [][]int{{0, 1}})
	var work triangle.Work
	block := func(run int) TimeBlock {
		b := r.NewBlock(run)
		cols, y := [][]float64{make([]float64, 9), make([]float64, 9)}, make([]float64, 9)
		for i := range y {
			cols[0][i], cols[1][i], y[i] = rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		}
		b.Joints[0].Add(cols, y, &work)
		return b
	}
	for n := range 6 {
		r.Append(block(n / 2))
		fresh := NewReduction(2, r.masks)
		fresh.Append(r.blocks...)
		for _, norm := range []bool{false, true} {
			got, err := r.Solve(WLS, norm)
			want, other := fresh.Solve(WLS, norm)
			if err != nil || other != nil {
				t.Fatal(err, other)
			}
			if !slices.Equal(got.X, want.X) || got.RSS != want.RSS {
				t.Fatalf("%d blocks: %v, of a new reduction %v", n+1, got.X, want.X)
			}
			got.X[0], got.Weights[0], got.Stack.R[0] = 7, 7, 7 // the caller's own
		}
		if f := r.Joint(0, &work); f.Rows != 9*(n+1) {
			t.Fatalf("%d rows of %d blocks", f.Rows, n+1)
		}
		for last := range n + 2 {
			for first := range last + 1 {
				inside, outside := r.cut(first, last), r.cut(last, first)
				if first == last {
					continue
				}
				if len(inside.blocks) != last-first || len(outside.blocks) != n+1-(last-first) {
					t.Fatalf("blocks %d to %d of %d: %d inside, %d outside", first, last, n+1, len(inside.blocks), len(outside.blocks))
				}
			}
		}
	}
}

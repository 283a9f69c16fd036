package triangle

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestNoRows(t *testing.T) {
	w := new(Work)
	for _, n := range []int{0, 1, 4, 9} {
		f := New(n)
		f.Add(make([][]float64, n), nil, w)
		f.Merge(New(n), w)
		same(t, "no rows", f, New(n))
	}
}

func TestNoColumns(t *testing.T) {
	w := new(Work)
	f := New(0)
	f.Add(nil, []float64{3, 4}, w)
	f.Merge(f.Clone(), w)
	if f.RSS != 50 || f.YY != 50 || f.Rows != 4 {
		t.Errorf("RSS %g, YY %g, rows %d; want 50, 50, 4", f.RSS, f.YY, f.Rows)
	}
	if x, ok := f.Solve(); !ok || len(x) != 0 {
		t.Errorf("solution %v, %v", x, ok)
	}
}

// TestOneRow: one row goes to the first row of R, and is fitted exactly.
func TestOneRow(t *testing.T) {
	for name, k := range kernels() {
		f := New(5)
		f.Add([][]float64{{-2}, {1}, {0}, {7}, {3}}, []float64{8}, &Work{kern: k})
		for j, want := range []float64{2, -1, 0, -7, -3} {
			if d := math.Abs(f.R[j] - want); !(d < 1e-14) {
				t.Errorf("%s: R[0,%d] is %g, want %g", name, j, f.R[j], want)
			}
		}
		if d := math.Abs(f.Z[0] + 8); !(d < 1e-14) || !(f.RSS < 1e-28) || f.YY != 64 {
			t.Errorf("%s: Z[0] %g, RSS %g, YY %g", name, f.Z[0], f.RSS, f.YY)
		}
		if _, ok := f.Solve(); ok {
			t.Errorf("%s: five unknowns solved from one row", name)
		}
	}
}

// TestDependentColumns: dependent columns are reported, and the rest of the
// summary keeps its accuracy.
func TestDependentColumns(t *testing.T) {
	const m, n = 900, 12
	for name, k := range kernels() {
		for _, zero := range []bool{true, false} {
			cols, y := sample(rand.New(rand.NewPCG(15, 16)), m, n)
			for i := range m {
				cols[7][i] = 0
				if !zero {
					cols[7][i] = cols[2][i] - 3*cols[5][i]
				}
			}
			f := summary(cols, y, &Work{kern: k})
			if d := apart(gram(cols, y), gramOf(f)); !(d < rounding) {
				t.Errorf("%s: Gram matrices differ by %g", name, d)
			}
			if r := f.R[7*n+7]; !(r <= 1e-13*math.Sqrt(m)) {
				t.Errorf("%s: R[7,7] is %g", name, r)
			}
			if _, ok := f.Solve(); ok {
				t.Errorf("%s: solved with dependent columns", name)
			}
		}
	}
}

// TestNotANumber: a NaN or an infinity reaches every entry that depends on it, and no column
// before.
func TestNotANumber(t *testing.T) {
	const m, n, at = 300, 11, 6
	finite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	for name, k := range kernels() {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			cols, y := sample(rand.New(rand.NewPCG(17, 18)), m, n)
			w := &Work{kern: k}
			clean := summary(cols, y, w)
			cols[at][200] = bad
			f := summary(cols, y, w)
			into := clean.Clone()
			into.Merge(f, w)
			for how, g := range map[string]*Factor{"added": f, "merged": into} {
				for i := range n {
					for j := i; j < n; j++ {
						r := g.R[i*n+j]
						if j < at && !finite(r) {
							t.Errorf("%s, %s, %v in column %d: R[%d,%d] is %v", name, how, bad, at, i, j, r)
						}
						if (j == at || i >= at) && finite(r) {
							t.Errorf("%s, %s, %v in column %d: R[%d,%d] is %v", name, how, bad, at, i, j, r)
						}
					}
				}
				if finite(g.Z[at]) || finite(g.RSS) {
					t.Errorf("%s, %s: Z[%d] is %v, RSS %v", name, how, at, g.Z[at], g.RSS)
				}
				if !finite(g.YY) {
					t.Errorf("%s, %s: YY is %v though y is sound", name, how, g.YY)
				}
				if _, ok := g.Solve(); ok {
					t.Errorf("%s, %s: solved with %v", name, how, bad)
				}
			}
			y[3] = bad
			g := summary(cols[:at], y, w)
			if !finite(g.R[at*at-1]) || finite(g.Z[0]) || finite(g.RSS) || finite(g.YY) {
				t.Errorf("%s, %v in y: R %v, Z %v, RSS %v, YY %v", name, bad, g.R[at*at-1], g.Z[0], g.RSS, g.YY)
			}
		}
	}
}

// TestInputKept: blocks are only read, and a column may be given twice.
func TestInputKept(t *testing.T) {
	cols, y := sample(rand.New(rand.NewPCG(19, 20)), 333, 3)
	twice := [][]float64{cols[0], cols[1], cols[0], y, cols[2]}
	copies := make([][]float64, len(twice))
	for j := range twice {
		copies[j] = append([]float64(nil), twice[j]...)
	}
	z := append([]float64(nil), y...)
	w := new(Work)
	same(t, "shared columns", summary(twice, y, w), summary(copies, z, w))
	for j := range twice {
		for i := range y {
			if twice[j][i] != copies[j][i] || y[i] != z[i] {
				t.Fatalf("Add changed row %d", i)
			}
		}
	}
}

// TestForeignSigns: a factor from elsewhere may have negative diagonals.
func TestForeignSigns(t *testing.T) {
	const n = 6
	cols, y := sample(rand.New(rand.NewPCG(21, 22)), 40, n)
	w := new(Work)
	f := summary(cols, y, w)
	g := f.Clone()
	for i := range n {
		if i%2 == 0 {
			for j := range n {
				g.R[i*n+j] = -g.R[i*n+j]
			}
			g.Z[i] = -g.Z[i]
		}
	}
	more, z := sample(rand.New(rand.NewPCG(23, 24)), 9, n)
	feed(f, more, z, 0, 9, w)
	feed(g, more, z, 0, 9, w)
	same(t, "signs turned", g, f)
}

func TestReset(t *testing.T) {
	cols, y := sample(rand.New(rand.NewPCG(25, 26)), 40, 6)
	w := new(Work)
	f := summary(cols, y, w)
	f.Reset()
	same(t, "reset", f, New(6))
	feed(f, cols, y, 0, 40, w)
	same(t, "used again", f, summary(cols, y, w))
}

func TestMisusePanics(t *testing.T) {
	w := new(Work)
	f := New(2)
	for name, call := range map[string]func(){
		"negative size":      func() { New(-1) },
		"too few columns":    func() { f.Add([][]float64{{1}}, []float64{1}, w) },
		"ragged columns":     func() { f.Add([][]float64{{1}, {1, 2}}, []float64{1}, w) },
		"other size":         func() { f.Merge(New(3), w) },
		"itself":             func() { f.Merge(f, w) },
		"index too short":    func() { f.Embed(5, []int{1}) },
		"index out of range": func() { f.Embed(5, []int{1, 5}) },
		"index descending":   func() { f.Embed(5, []int{3, 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

func TestNoAllocation(t *testing.T) {
	for name, k := range kernels() {
		cols, y := sample(rand.New(rand.NewPCG(27, 28)), 300, 29)
		w := &Work{kern: k}
		f := summary(cols, y, w)
		g := f.Clone()
		if a := testing.AllocsPerRun(5, func() {
			f.Add(cols, y, w)
			f.Merge(g, w)
		}); a != 0 {
			t.Errorf("%s: %v allocations", name, a)
		}
	}
}

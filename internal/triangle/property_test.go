package triangle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/long"
)

// rounding bounds the difference of two summaries of the same rows.
const rounding = 1e-13

// property runs check for every kernel on drawn rows.
func property(t *testing.T, check func(t *rapid.T, rng *rand.Rand, cols [][]float64, y []float64, w *Work)) {
	for name, k := range kernels() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
				n := rapid.IntRange(0, 40).Draw(t, "columns")
				m := rapid.IntRange(0, 600).Draw(t, "rows")
				cols, y := sample(rng, m, n)
				// Some columns are copies or zero: rank must not matter.
				for j := range cols {
					switch rng.IntN(8) {
					case 0:
						clear(cols[j])
					case 1:
						cols[j] = cols[rng.IntN(n)]
					}
				}
				check(t, rng, cols, y, &Work{kern: k})
			})
		})
	}
}

// alike fails unless two factors summarise the same rows.
func alike(t *rapid.T, what string, got, want *Factor) {
	t.Helper()
	if got.Rows != want.Rows {
		t.Fatalf("%s: %d rows, want %d", what, got.Rows, want.Rows)
	}
	if d := apart(gramOf(want), gramOf(got)); !(d < rounding) {
		t.Fatalf("%s: Gram matrices differ by %g", what, d)
	}
	if d := math.Abs(got.YY - want.YY); !(d <= rounding*want.YY) {
		t.Fatalf("%s: ‖y‖² differs by %g", what, d)
	}
	for j := range got.N {
		if !(got.R[j*got.N+j] >= 0) {
			t.Fatalf("%s: diagonal %d is %g", what, j, got.R[j*got.N+j])
		}
		for i := range j {
			if got.R[j*got.N+i] != 0 {
				t.Fatalf("%s: R[%d,%d] is %g below the diagonal", what, j, i, got.R[j*got.N+i])
			}
		}
	}
}

func TestPartitions(t *testing.T) {
	property(t, func(t *rapid.T, rng *rand.Rand, cols [][]float64, y []float64, w *Work) {
		want := summary(cols, y, w)
		if d := apart(gram(cols, y), gramOf(want)); !(d < rounding) {
			t.Fatalf("Gram matrices differ by %g", d)
		}
		longest := rapid.SampledFrom([]int{1, 5, 8, 100, 300}).Draw(t, "longest")
		parts := New(len(cols))
		left, right := New(len(cols)), New(len(cols))
		for at := 0; at < len(y); {
			to := min(len(y), at+1+rng.IntN(longest))
			feed(parts, cols, y, at, to, w)
			if rng.IntN(2) == 0 {
				feed(left, cols, y, at, to, w)
			} else {
				one := New(len(cols))
				feed(one, cols, y, at, to, w)
				right.Merge(one, w)
			}
			at = to
		}
		alike(t, "added in parts", parts, want)
		kept := right.Clone()
		sum := left.Clone()
		sum.Merge(right, w)
		alike(t, "left and right merged", sum, want)
		for i := range right.R {
			if right.R[i] != kept.R[i] {
				t.Fatal("Merge changed its operand")
			}
		}
		right.Merge(left, w)
		alike(t, "right and left merged", right, want)
	})
}

func TestMergeAssociates(t *testing.T) {
	property(t, func(t *rapid.T, rng *rand.Rand, cols [][]float64, y []float64, w *Work) {
		i := rng.IntN(len(y) + 1)
		j := i + rng.IntN(len(y)-i+1)
		part := func(from, to int) *Factor {
			f := New(len(cols))
			feed(f, cols, y, from, to, w)
			return f
		}
		a, b, c := part(0, i), part(i, j), part(j, len(y))
		ab := a.Clone()
		ab.Merge(b, w)
		ab.Merge(c, w)
		b.Merge(c, w)
		a.Merge(b, w)
		alike(t, "a+(b+c)", a, ab)
	})
}

func TestRowOrder(t *testing.T) {
	property(t, func(t *rapid.T, rng *rand.Rand, cols [][]float64, y []float64, w *Work) {
		order := rng.Perm(len(y))
		shuffle := func(x []float64) []float64 {
			s := make([]float64, len(x))
			for i, o := range order {
				s[i] = x[o]
			}
			return s
		}
		turned := make([][]float64, len(cols))
		for j := range cols {
			turned[j] = shuffle(cols[j])
		}
		alike(t, "rows in another order", summary(turned, shuffle(y), w), summary(cols, y, w))
	})
}

func TestScale(t *testing.T) {
	property(t, func(t *rapid.T, rng *rand.Rand, cols [][]float64, y []float64, w *Work) {
		s := rapid.SampledFrom([]float64{0, 1e-7, -0.3, 1, 12, 1e6}).Draw(t, "scale")
		times := func(x []float64) []float64 {
			c := slices.Clone(x)
			for i := range c {
				c[i] *= s
			}
			return c
		}
		f := summary(cols, y, w)
		f.Scale(s)
		scaled := make([][]float64, len(cols))
		for j := range cols {
			scaled[j] = times(cols[j])
		}
		alike(t, "scaled", f, summary(scaled, times(y), w))
	})
}

func TestEmbed(t *testing.T) {
	property(t, func(t *rapid.T, rng *rand.Rand, cols [][]float64, y []float64, w *Work) {
		n := len(cols) + rng.IntN(10)
		index := rng.Perm(n)[:len(cols)]
		slices.Sort(index)
		wide := make([][]float64, n)
		for k := range wide {
			wide[k] = make([]float64, len(y))
		}
		for j, k := range index {
			wide[k] = cols[j]
		}
		alike(t, "embedded", summary(cols, y, w).Embed(n, index), summary(wide, y, w))
	})
}

// Rows merged into some of the columns, times a factor, are those of the embedded summary.
func TestMergeColumns(t *testing.T) {
	property(t, func(t *rapid.T, rng *rand.Rand, cols [][]float64, y []float64, w *Work) {
		n := len(cols) + rng.IntN(long.Of(300, 60))
		index := rng.Perm(n)[:len(cols)]
		slices.Sort(index)
		g, scale := summary(cols, y, w), 0.1+rng.Float64()
		whole, _ := sample(rng, n/2+1, n)
		want := summary(whole, make([]float64, n/2+1), w)
		got := want.Clone()
		embedded := g.Embed(n, index)
		embedded.Scale(scale)
		want.Merge(embedded, w)
		got.MergeColumns(g, index, scale, w)
		alike(t, "merged into columns", got, want)
	})
}

// TestColumnScaling: powers of two on the columns come out of the factor to
// the bit, over far more of the exponent's range than squares can hold.
func TestColumnScaling(t *testing.T) {
	for name, k := range kernels() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
				n := rapid.IntRange(1, 20).Draw(t, "columns")
				cols, y := sample(rng, n+rapid.IntRange(0, 300).Draw(t, "more"), n)
				w := &Work{kern: k}
				want := summary(cols, y, w)
				want.Merge(want.Clone(), w)
				scales := make([]float64, n)
				for j := range cols {
					scales[j] = math.Ldexp(1, rng.IntN(1320)-660)
					for i := range cols[j] {
						cols[j][i] *= scales[j]
					}
				}
				got := summary(cols, y, w)
				got.Merge(got.Clone(), w)
				for i := range n {
					if got.Z[i] != want.Z[i] {
						t.Fatalf("Z[%d] is %v, want %v", i, got.Z[i], want.Z[i])
					}
					for j := i; j < n; j++ {
						if g, w := got.R[i*n+j], want.R[i*n+j]*scales[j]; g != w {
							t.Fatalf("R[%d,%d] is %v, want %v: %s", i, j, g, w, fmt.Sprint(scales))
						}
					}
				}
				if got.RSS != want.RSS {
					t.Fatalf("RSS is %v, want %v", got.RSS, want.RSS)
				}
			})
		})
	}
}

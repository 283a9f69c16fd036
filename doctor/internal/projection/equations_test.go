package projection

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/internal/triangle"
)

// The bound rejects no arrangement whose residual is within the limit, with dependent columns and without,
// and rejects those whose residual is clearly above it.
func TestExceedIsABound(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		const columns, rows = 12, 40
		var joints []Joint
		var masks [][]int
		x := make([]float64, columns)
		for c := range x {
			x[c] = rng.NormFloat64()
		}
		noise := []float64{0, 1e-6, 0.1}[seed%3]
		for j := range 3 {
			e, y, mask := Joint{Index: j, Turn: 1, Scale: 1}, make([]float64, rows), []int(nil)
			for c := 4 * j; c < columns; c++ {
				col := make([]float64, rows)
				for k := range col {
					col[k] = rng.NormFloat64()
				}
				if seed%2 == 1 && c == columns-1 { // the last column is the one before it, nearly
					for k := range col {
						col[k] = e.Cols[len(e.Cols)-1][k] + 1e-9*col[k]
					}
				}
				for k, v := range col {
					y[k] += x[c] * v
				}
				mask, e.Cols = append(mask, c), append(e.Cols, col)
			}
			for k := range y {
				y[k] += noise * rng.NormFloat64()
			}
			e.Sides = [][]float64{y}
			joints, masks = append(joints, e), append(masks, mask)
		}
		same := []float64{1, 1, 1}
		eq := NewLayout(columns, masks, new(triangle.Work)).Equations(joints)
		left := eq.Residual()
		if eq.Exceed(left, same) {
			t.Errorf("seed %d: a residual of %g is above itself", seed, left)
		}
		if noise == 0.1 && !eq.Exceed(left/2, same) {
			t.Errorf("seed %d: a residual of %g is not above its half", seed, left)
		}
	}
}

// TestReducedEquations: residual and spread are those of the stacked rows, and the bound of the spread is none that it
// passes.
func TestReducedEquations(t *testing.T) {
	const columns, rows, joints = 9, 30, 3
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 2))
		masks := [][]int{{0, 1, 3, 4, 6, 7, 8}, {2, 4, 5, 6, 8}, {5, 7, 8}} // own columns, and some of two joints and three
		in := make([]Joint, joints)
		stack := Basis{Rows: joints * rows}
		y := make([]float64, joints*rows)
		dense := make([][]float64, columns)
		for c := range dense {
			dense[c] = make([]float64, joints*rows)
		}
		for j := range in {
			e, own := Joint{Index: j, Turn: 1}, make([]float64, rows)
			norm := 0.0
			for k := range own {
				own[k] = rng.NormFloat64()
				norm += own[k] * own[k]
			}
			e.Scale, e.Sides = 1/math.Sqrt(norm), [][]float64{own}
			for _, c := range masks[j] {
				col := make([]float64, rows)
				for k := range col {
					col[k] = rng.NormFloat64()
					if c == 4 {
						col[k] += 3 * own[k] // explains a part
					}
					dense[c][j*rows+k] = e.Scale * col[k]
				}
				e.Cols = append(e.Cols, col)
			}
			for k, v := range own {
				y[j*rows+k] = e.Scale * v
			}
			in[j] = e
		}
		for _, c := range dense {
			stack.Offer(c)
		}
		rest := stack.Residual(y)
		want := Dot(rest, rest)
		layout := NewLayout(columns, masks, new(triangle.Work))
		eq := layout.Equations(in)
		// A few units of rounding of numbers near one, times a condition number below a hundred.
		const near = 1e-11
		if got := eq.Residual(); !(math.Abs(got-want) < near) {
			t.Errorf("seed %d: residual %v, of the stacked rows %v", seed, got, want)
		}
		sum, weights := eq.Spread(nil)
		if least := eq.LeastSpread(); !(least <= sum) {
			t.Errorf("seed %d: bound %v of the spread %v", seed, least, sum)
		}
		// The same iteration on the stacked rows.
		w := []float64{1, 1, 1}
		var spread float64
		for range 4 {
			weighted := Basis{Rows: joints * rows}
			weigh := func(x []float64) []float64 {
				v := slices.Clone(x)
				for k := range v {
					v[k] *= w[k/rows]
				}
				return v
			}
			for _, c := range dense {
				weighted.Offer(weigh(c))
			}
			x := weighted.Solve(weigh(y))
			spread = 0
			left := slices.Clone(y)
			for c, v := range x {
				for k := range left {
					left[k] -= v * dense[c][k]
				}
			}
			for j := range w {
				n := Norm(left[j*rows : (j+1)*rows])
				w[j] = 1 / n
				spread += math.Log(n)
			}
		}
		if !(math.Abs(sum-spread) < near) {
			t.Errorf("seed %d: spread %v, of the stacked rows %v", seed, sum, spread)
		}
		for j := range w {
			if !(math.Abs(weights[j]/w[j]-1) < near) {
				t.Errorf("seed %d: weight %d is %v, of the stacked rows %v", seed, j, weights[j], w[j])
			}
		}
		// Another set of equations in the same memory starts anew.
		if again, _ := layout.Equations(in).Spread(nil); again != sum {
			t.Errorf("seed %d: spread %v, then %v", seed, sum, again)
		}
	}
}

// TestSides: equations with one of several right-hand sides are those with that one alone, whichever was asked for before, and
// turned ones those of turned numbers.
func TestSides(t *testing.T) {
	const columns, rows = 6, 25
	masks := [][]int{{0, 1, 2, 3, 4}, {1, 3, 5}}
	rng := rand.New(rand.NewPCG(3, 3))
	cols, sides := make([][][]float64, len(masks)), make([][][]float64, len(masks))
	for j, mask := range masks {
		for range mask {
			cols[j] = append(cols[j], drawn(rng, rows))
		}
		for range 3 {
			sides[j] = append(sides[j], drawn(rng, rows))
		}
	}
	shared := NewLayout(columns, masks, new(triangle.Work))
	for n := range 40 {
		var one, all []Joint
		for j := range masks {
			k, turn := rng.IntN(3), float64(2*rng.IntN(2)-1)
			y := slices.Clone(sides[j][k])
			for i := range y {
				y[i] *= turn
			}
			scale := 1 / Norm(y)
			one = append(one, Joint{Index: j, Cols: cols[j], Sides: [][]float64{y}, Turn: 1, Scale: scale})
			all = append(all, Joint{Index: j, Cols: cols[j], Sides: sides[j], Side: k, Turn: turn, Scale: scale, Same: n > 0})
		}
		a, b := NewLayout(columns, masks, new(triangle.Work)).Equations(one), shared.Equations(all)
		limit := 0.2 + 0.3*rng.Float64()
		if got, want := b.Exceed(limit, []float64{1, 1}), a.Exceed(limit, []float64{1, 1}); got != want {
			t.Errorf("a residual above %g: %v, alone %v", limit, got, want)
		}
		if n%3 == 0 {
			continue // not all of the factors are made
		}
		for _, of := range []struct{ got, want float64 }{{b.Residual(), a.Residual()}, {b.LeastSpread(), a.LeastSpread()}} {
			if math.Abs(of.got-of.want) > 1e-12 {
				t.Errorf("%.17g, alone %.17g", of.got, of.want)
			}
		}
	}
}

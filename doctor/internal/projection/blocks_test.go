package projection

import (
	"math"
	"math/rand/v2"
	"testing"
)

// stacked draws columns in three blocks of rows, each with some of the columns and one that depends on those before it, and
// returns their basis by blocks and as a whole. Column drop is in no basis: it is the sum of two others. Column 6 is one in the
// second block.
func stacked(rng *rand.Rand) (blocks *Blocks, whole *Basis, columns [][]float64, drop int) {
	const rows, count = 60, 14
	has := [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {4, 5, 6, 7, 8, 9, 10, 12}, {8, 9, 10, 13}}
	weights := []float64{1, 20, 0.3}
	for range count {
		columns = append(columns, make([]float64, rows*len(has)))
	}
	var own []*Basis
	number := make([][]int, count)
	for c := range number {
		number[c] = []int{-1, -1, -1}
	}
	drop = 10
	for k, its := range has {
		b := &Basis{Rows: rows}
		for i, c := range its {
			x := make([]float64, rows)
			for r := range x {
				x[r] = rng.NormFloat64()
				switch {
				case c == drop:
					x[r] = (columns[8][k*rows+r] + columns[9][k*rows+r]) / weights[k]
				case c == 6 && k == 1:
					x[r] = (columns[4][k*rows+r] + columns[5][k*rows+r]) / weights[k]
				}
				columns[c][k*rows+r] = weights[k] * x[r]
			}
			b.Offer(x)
			number[c][k] = i
		}
		own = append(own, b)
	}
	whole = &Basis{Rows: rows * len(has)}
	whole.Offer(columns...)
	return NewBlocks(own, weights, number), whole, columns, drop
}

func drawn(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// A basis by blocks has the residuals, coefficients, deviations and parts of the basis of whole columns, also with columns
// beside those of the blocks. Columns are drawn, of condition numbers below a hundred but for the weights of 60: errors are some
// thousand roundings of numbers of order ten.
func TestBlocks(t *testing.T) {
	const near = 1e-10
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 9))
		b, whole, columns, drop := stacked(rng)
		n := whole.Rows
		y := drawn(rng, n)
		one := make([]float64, n) // of the second block alone
		copy(one[60:120], drawn(rng, 60))
		for round := range 2 {
			if b.Rank() != whole.Rank() || b.Offered != whole.Offered || b.Rows != whole.Rows {
				t.Fatalf("seed %d: %d of %d columns kept, as a whole %d of %d", seed, b.Rank(), b.Offered, whole.Rank(), whole.Offered)
			}
			x, left := b.Fit(y)
			wantX, want := whole.Fit(y)
			for c := range wantX {
				if !(math.Abs(x[c]-wantX[c]) < near) || c == drop && x[c] != 0 {
					t.Errorf("seed %d: coefficient %d is %g, as a whole %g", seed, c, x[c], wantX[c])
				}
			}
			for i, v := range b.Residuals(y, one) {
				for r, w := range whole.Residual([][]float64{y, one}[i]) {
					if !(math.Abs(v[r]-w) < near) || i == 0 && left[r] != v[r] {
						t.Fatalf("seed %d: %g is left of row %d, as a whole %g", seed, v[r], r, w)
					}
				}
			}
			for i, v := range b.LeftOf(b.Candidates(y, columns[9])...) {
				if !(distance(v, b.Residuals(y, columns[9])[i]) < near) {
					t.Errorf("seed %d: of column %d its coordinates leave %g", seed, i, Norm(v))
				}
			}
			if !(distance(left, want) < near) {
				t.Errorf("seed %d: a fit leaves %g, as a whole %g", seed, Norm(left), Norm(want))
			}
			if part, want := b.Part(1, one[60:120]), whole.Part(60, one[60:120]); !(math.Abs(part-want) < near) {
				t.Errorf("seed %d: the part within the basis has the square %g, as a whole %g", seed, part, want)
			}
			g := drawn(rng, b.Offered)
			if sd, want := b.Deviation(g), whole.Deviation(g); !(math.Abs(sd-want) < near) {
				t.Errorf("seed %d: deviation %g, as a whole %g", seed, sd, want)
			}
			// A column within the basis, projected twice, is left at rounding.
			if v := b.Residuals(columns[9])[0]; !(Norm(v) < near) {
				t.Errorf("seed %d: %g is left of a column of the basis", seed, Norm(v))
			}
			if round == 0 {
				more := drawn(rng, n)
				b.Extend(more, columns[3])
				whole.Offer(more, columns[3])
			}
		}
	}
}

// MostExplained is the part of a residual that columns explain, and an upper bound of it by one part in a hundred, for
// a basis by blocks and for a whole one; columns within the basis take no part, and columns that depend on each other leave it open.
func TestMostExplained(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 10))
		b, whole, columns, _ := stacked(rng)
		n := whole.Rows
		_, rest := b.Fit(drawn(rng, n))
		block := make([]float64, n)
		copy(block[60:120], drawn(rng, 60))
		sets := [][][]float64{{drawn(rng, n)}, {block}, {drawn(rng, n), block, columns[5], drawn(rng, n)}, {columns[5]}}
		for i, set := range sets {
			var few Few
			for _, v := range b.Residuals(set...) {
				if Norm(v) > 1e-6 {
					few.Offer(v)
				}
			}
			_, after := few.Fit(rest)
			want := 1 - Dot(after, after)/Dot(rest, rest)
			for _, candidates := range [][]Candidate{b.Candidates(set...), whole.Candidates(set...)} {
				// Sums of some hundred products of order one, over pivots of order ten.
				if part := MostExplained(rest, 1e-3, candidates...); !(part >= want) || !(part <= 1.011*want+1e-9) {
					t.Errorf("seed %d, columns %d: explain %g of the rest at most, and %g", seed, i, part, want)
				}
			}
		}
		double := make([]float64, n)
		for r, v := range sets[0][0] {
			double[r] = v + 1e-7*block[r]
		}
		if part := MostExplained(rest, 1e-3, b.Candidates(sets[0][0], double)...); part != 1 {
			t.Errorf("seed %d: columns that depend on each other explain %g of the rest at most", seed, part)
		}
	}
}

// distance returns the norm of x - y.
func distance(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		s += (x[k] - y[k]) * (x[k] - y[k])
	}
	return math.Sqrt(s)
}

package baseparams

import "math"

// resolved is the smallest residual of a unit vector that counts as a new direction in a structural decision. All
// vectors have at most a few tens of entries of order one (lengths are scaled by the robot's largest offset), so one
// projection leaves a rounding of at most 40·ε = 1e-14, and placements add some ε each. The joints' generators have
// entries 0, ±1 and ±2 and add none. A vector kept with residual ρ passes on an error of 1e-14/ρ, so rounded
// coincidences stay far below the threshold if every kept residual exceeds 1e-4; Gap is the margin.
const resolved = 1e-9

// margin records how clear a method's decisions were.
type margin struct {
	kept, dropped float64
}

func newMargin() *margin { return &margin{kept: math.Inf(1)} }

// gap returns the ratio between the smallest kept and the largest dropped residual.
func (g *margin) gap() float64 { return g.kept / max(g.dropped, 0x1p-53) }

// split returns an orthonormal basis of the span of the rows' first head entries, taking the largest residual first. The
// rest of each row, its tail, goes through the same combinations. Rows whose head is a combination of others leave their
// tails. The rows are overwritten.
func split(rows [][]float64, head int, g *margin) (basis, tails [][]float64) {
	rest := append([][]float64(nil), rows...)
	for len(rest) > 0 {
		best, at := -1.0, 0
		for i, v := range rest {
			if n := norm(v[:head]); n > best {
				best, at = n, i
			}
		}
		if best <= resolved || len(basis) == head {
			g.dropped = max(g.dropped, best)
			for _, v := range rest {
				tails = append(tails, v[head:])
			}
			return basis, tails
		}
		g.kept = min(g.kept, best)
		v := rest[at]
		rest[at] = rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		// A second projection removes the rounded remainder along the earlier directions.
		for _, b := range basis {
			axpy(v, -dot(b[:head], v[:head]), b)
		}
		scale(v, 1/norm(v[:head]))
		basis = append(basis, v)
		for _, w := range rest {
			axpy(w, -dot(v[:head], w[:head]), v)
		}
	}
	return basis, nil
}

// echelon brings rows with full rank in their first head columns to reduced echelon form, with pivots at the first
// independent columns: row i then has 1 in column pivots[i] and 0 in the other pivot columns.
func echelon(rows [][]float64, head int, g *margin) (pivots []int) {
	r := len(rows)
	var q [][]float64 // orthonormal columns
	for c := 0; c < head && len(q) < r; c++ {
		v := make([]float64, r)
		for i := range rows {
			v[i] = rows[i][c]
		}
		for range 2 {
			for _, b := range q {
				axpy(v, -dot(b, v), b)
			}
		}
		if n := norm(v); n > resolved {
			g.kept = min(g.kept, n)
			scale(v, 1/n)
			q = append(q, v)
			pivots = append(pivots, c)
		} else {
			g.dropped = max(g.dropped, n)
		}
	}
	// Gauss-Jordan on the pivot columns, the largest entry of a column first.
	for k, c := range pivots {
		at := k
		for i := k + 1; i < r; i++ {
			if math.Abs(rows[i][c]) > math.Abs(rows[at][c]) {
				at = i
			}
		}
		rows[k], rows[at] = rows[at], rows[k]
		scale(rows[k], 1/rows[k][c])
		rows[k][c] = 1
		for i := range rows {
			if i != k && rows[i][c] != 0 {
				axpy(rows[i], -rows[i][c], rows[k])
				rows[i][c] = 0
			}
		}
	}
	return pivots
}

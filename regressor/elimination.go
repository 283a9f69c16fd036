package regressor

import "math"

// Elimination finds the combinations of a sample's rows in which unknown forces do not appear: with the forces acting
// through the columns of Jᵀ, an orthonormal basis N of the vectors with Nᵀ·Jᵀ = 0, by Householder reflections with
// column pivoting (Golub and Van Loan, Matrix Computations, section 5.5). The zero value is ready to use; it keeps
// its memory.
type Elimination struct {
	// Basis holds the vectors of N, one after the other, each with an entry per row.
	Basis [][]float64
	// Rank is the number of independent forces.
	Rank int

	store   []float64
	columns [][]float64
}

// independentForce is the smallest part of the largest column by which a force counts as independent of the others. The
// Jacobians of feet have lengths of a robot's size; a part of 1e-7 of it is rounding in the geometry.
const independentForce = 1e-7

// Find sets the basis for forces that act through columns, each with an entry per row. It overwrites them.
func (e *Elimination) Find(rows int, columns [][]float64) {
	e.columns = append(e.columns[:0], columns...)
	e.Rank = 0
	largest := 0.0
	for k := 0; k < len(e.columns) && k < rows; k++ {
		best, at := -1.0, k
		for c := k; c < len(e.columns); c++ {
			if n := norm(e.columns[c][k:]); n > best {
				best, at = n, c
			}
		}
		if largest = max(largest, best); !(best > independentForce*largest) || best == 0 {
			break
		}
		e.columns[k], e.columns[at] = e.columns[at], e.columns[k]
		v := e.columns[k][k:]
		// The reflection I − v·vᵀ takes the column to ∓‖x‖ along its first entry.
		head := v[0] + math.Copysign(best, v[0])
		scale := 1 / math.Sqrt(best*math.Abs(head))
		v[0] = head
		for i := range v {
			v[i] *= scale
		}
		for _, c := range e.columns[k+1:] {
			reflect(c[k:], v)
		}
		e.Rank++
	}
	free := rows - e.Rank
	if cap(e.store) < free*rows {
		e.store = make([]float64, rows*rows)
	}
	e.Basis = e.Basis[:0]
	for b := range free {
		x := e.store[b*rows : (b+1)*rows]
		clear(x)
		x[e.Rank+b] = 1
		for k := e.Rank - 1; k >= 0; k-- {
			reflect(x[k:], e.columns[k][k:])
		}
		e.Basis = append(e.Basis, x)
	}
}

// reflect applies I − v·vᵀ to x.
func reflect(x, v []float64) {
	sum := 0.0
	for i, a := range v {
		sum += a * x[i]
	}
	for i, a := range v {
		x[i] -= sum * a
	}
}

func norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

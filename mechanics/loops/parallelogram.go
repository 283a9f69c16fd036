package loops

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// reference is the closed state at which formulas are looked for.
type reference struct {
	q        []float64
	jacobian *mat.Dense // ∂q/∂q_driven there, of all coordinates; nil where active joints are redundant
	driven   []int
	length   float64 // unit of length, m
}

const (
	// Positions of a parallelogram are whole multiples of its drives'; G at the
	// start is known to its condition times rounding, and another loop's is no
	// integer in all of its rows but by chance, which the states tried rule out.
	wholeSlope = 1e-7
	// States about the start at which the linear relation is tried, and how far
	// about it. Both sides of the loop's equations are trigonometric polynomials
	// of few terms: they agree everywhere if they do at so many states.
	parallelTrials = 40
	parallelReach  = 0.5
)

// parallel looks for corners of a plane loop that follow its drives linearly, as
// those of parallelograms do; it returns false where there is no such relation.
// The other joints of the loop must be driven.
func (s *solver) parallel(pl *plane, elements []element, corners [3]*element, ref reference) bool {
	if ref.jacobian == nil {
		return false
	}
	offsets := [3]float64{}
	var factors [3][]float64
	for i, c := range corners {
		k := c.step.coord
		offsets[i] = ref.q[k]
		for j, d := range ref.driven {
			f := ref.jacobian.At(k, j)
			whole := math.Round(f)
			if math.Abs(f-whole) > wholeSlope {
				return false
			}
			factors[i] = append(factors[i], whole)
			offsets[i] -= whole * ref.q[d]
		}
		// The distance from a quarter turn is that of the mismatch after closing.
		if q := math.Round(offsets[i]/(math.Pi/2)) * (math.Pi / 2); math.Abs(q-offsets[i]) < closed {
			offsets[i] = q
		}
	}
	var moved []int
	for j, d := range ref.driven {
		for i := range elements {
			if p := &elements[i]; p.step != nil && p.step.coord == d {
				moved = append(moved, j)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	q, r := make([]float64, len(ref.q)), make([]float64, 3)
	for range parallelTrials {
		copy(q, ref.q)
		for _, j := range moved {
			q[ref.driven[j]] += parallelReach * rng.NormFloat64()
		}
		for i, c := range corners {
			q[c.step.coord] = offsets[i]
			for j, d := range ref.driven {
				q[c.step.coord] += factors[i][j] * q[d]
			}
		}
		pl.mismatch(r, q, ref.length, false)
		for _, v := range r {
			if !(math.Abs(v) <= closed) {
				return false
			}
		}
	}
	g := s.g
	for i, c := range corners {
		k := c.step.coord
		s.at[k] = g.Float(offsets[i])
		for j, d := range ref.driven {
			f := g.Float(factors[i][j])
			s.at[k] = g.Add(s.at[k], g.Mul(f, s.at[d]))
			s.rate[k] = g.Add(s.rate[k], g.Mul(f, s.rate[d]))
			if s.acc != nil {
				s.acc[k] = g.Add(s.acc[k], g.Mul(f, s.acc[d]))
			}
			s.jacobian[k][j] = f
		}
		s.closedForm[k], s.phase[k] = true, cplx{}
	}
	return true
}

package loops

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// opening is the state that formulas are looked for at.
type opening struct {
	q      []float64
	slopes *mat.Dense // ∂q/∂q_driven there, of all coordinates
	driven []int
	length float64
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
// What else is in the loop must be driven.
func (s *sketch) parallel(pl *plane, parts []part, corners [3]*part, o opening) bool {
	if o.slopes == nil {
		return false
	}
	offsets := [3]float64{}
	var factors [3][]float64
	for i, c := range corners {
		k := c.step.coord
		offsets[i] = o.q[k]
		for j, d := range o.driven {
			f := o.slopes.At(k, j)
			whole := math.Round(f)
			if math.Abs(f-whole) > wholeSlope {
				return false
			}
			factors[i] = append(factors[i], whole)
			offsets[i] -= whole * o.q[d]
		}
		// What is left of a quarter turn is what closing left of the mismatch.
		if q := math.Round(offsets[i]/(math.Pi/2)) * (math.Pi / 2); math.Abs(q-offsets[i]) < closed {
			offsets[i] = q
		}
	}
	var moved []int
	for j, d := range o.driven {
		for i := range parts {
			if p := &parts[i]; p.step != nil && p.step.coord == d {
				moved = append(moved, j)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	q, r := make([]float64, len(o.q)), make([]float64, 3)
	for range parallelTrials {
		copy(q, o.q)
		for _, j := range moved {
			q[o.driven[j]] += parallelReach * rng.NormFloat64()
		}
		for i, c := range corners {
			q[c.step.coord] = offsets[i]
			for j, d := range o.driven {
				q[c.step.coord] += factors[i][j] * q[d]
			}
		}
		pl.mismatch(r, q, o.length, false)
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
		for j, d := range o.driven {
			f := g.Float(factors[i][j])
			s.at[k] = g.Add(s.at[k], g.Mul(f, s.at[d]))
			s.rate[k] = g.Add(s.rate[k], g.Mul(f, s.rate[d]))
			if s.acc != nil {
				s.acc[k] = g.Add(s.acc[k], g.Mul(f, s.acc[d]))
			}
			s.gain[k][j] = f
		}
		s.plain[k], s.turn[k] = true, spot{}
	}
	return true
}

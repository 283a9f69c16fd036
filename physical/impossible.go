package physical

import (
	"math"

	"ident/baseparams"
	"ident/estimate"
	"ident/physical/internal/conic"
	"ident/robot"
)

// Impossibility proves that no robot has the estimated base parameters (Farkas): a
// combination of them that every possible robot keeps at or above zero, and
// that is negative for the estimate.
type Impossibility struct {
	Combination []float64 // coefficients of the base parameters, scaled so that the combination has a standard deviation of one
	Value       float64   // value of the combination at the estimate, in standard deviations; it is negative
	// Size bounds the robots not excluded by the proof: on average their bodies and drives exceed the prior's by more
	// than this factor.
	Size   float64
	Bodies []int // indices of the robot's links whose bodies would be infeasible
	Drives []int // columns of drive parameters that would be negative
}

// enormous is the least Size of a proof: a hundred kilograms over a gram. Solves at the lightest prior reach 4e5 to 1e8, by
// their rounding, and those before it 2e4: builds that round otherwise agree.
const enormous = 1e5

// partTaken is the part of a proof's largest multiplier above which a body or drive is
// named.
const partTaken = 1e-3

// Possibility says whether an estimate is feasible.
type Possibility struct {
	Possible      bool
	Impossibility *Impossibility // proof that the estimate is infeasible; nil if it is feasible or if rounding leaves it undecided
	Distance      float64        // distance of the nearest feasible estimate, in standard deviations
	Limit         float64        // 95 % quantile that Distance has by chance alone
}

// Possible reports whether bodies and drives exist that have the estimated base parameters and keep the bounds. If not,
// it names the infeasible bodies and gives the distance of the nearest feasible estimate. It ignores Weight and Distance
// of opt.
func Possible(s *estimate.Solution, r *robot.Robot, set *baseparams.Set, opt Options) (*Possibility, error) {
	opt.Weight, opt.Distance = 0, ""
	out, err := Consistent(s, r, set, opt)
	if err != nil {
		return nil, err
	}
	return &Possibility{Possible: out.Possible, Impossibility: out.Impossibility, Distance: out.Distance, Limit: out.Limit}, nil
}

// judge decides whether the estimate itself is feasible. It returns bodies chi that have it, or a proof that there are
// none, or neither if undecided.
//
// It tries the bodies near the optimum, with at most NominalWeight, then with weights that fall by 1e4: the effect of
// the prior on a feasible estimate falls with its weight, that of a constraint does not.
func (c *program) judge(s *estimate.Solution, h *conic.Solver) (*Impossibility, []float64) {
	weights := make([]float64, len(c.Blocks))
	for k := range c.Blocks {
		weights[k] = c.Blocks[k].Weight
		c.Blocks[k].Weight = min(weights[k], NominalWeight)
	}
	defer func() {
		for k := range c.Blocks {
			c.Blocks[k].Weight = weights[k]
		}
	}()
	at := h
	for w := NominalWeight; ; w /= 1e4 {
		if at == nil || w == NominalWeight && c.lighter(weights) {
			at = conic.NewSolver(&c.Program)
			if _, _, err := at.Minimise(1e-4); err != nil {
				return nil, nil // may not converge where the estimate is impossible
			}
		}
		whole := c.complete(at.Z)
		n := len(c.set.Columns)
		chi := c.set.Lift(s.X, whole[:n:n])
		if c.possible(append(chi[:n:n], whole[n:]...)) {
			return nil, chi
		}
		if len(c.set.Columns) > c.own {
			return nil, nil // a proof speaks of bodies that are free
		}
		if proof := c.proof(s, at); proof != nil && proof.Size > enormous {
			return proof, nil
		}
		if w < NominalWeight*1e-6 {
			return nil, nil
		}
		for k := range c.Blocks {
			c.Blocks[k].Weight /= 1e4
		}
		at = nil
	}
}

// lighter reports whether a current weight is below the given one.
func (c *program) lighter(weights []float64) bool {
	for k, w := range weights {
		if c.Blocks[k].Weight < w {
			return true
		}
	}
	return false
}

// proof uses the gradient y of the measured rows at an optimum as multipliers. With
// A = Cᵀ·y, block by block,
//
//	Σ⟨A_b, X_b⟩ + yᵀ·c₀ = yᵀ·(C·z + c₀)
//
// is zero for every robot that has the estimate. The second summand is positive
// and the A_b have no eigenvalue below −t, so Σ t·tr X_b is at least yᵀ·c₀.
func (c *program) proof(s *estimate.Solution, h *conic.Solver) *Impossibility {
	n := c.Measured
	if c.estimated < len(s.X) || len(c.Constraints) > 0 {
		return nil
	}
	y, e := make([]float64, n), make([]float64, len(c.Offset))
	c.AffineMap(e, h.Z)
	norm := math.Sqrt(2 * c.Gradient(y, e))
	value := 0.0
	for i, v := range y {
		value += v * c.Offset[i]
	}
	if !(value > 0) || norm == 0 {
		return nil
	}
	out := &Impossibility{Combination: make([]float64, c.estimated), Value: -value / norm}
	for i := range out.Combination {
		out.Combination[i] = y[i] / norm
	}
	below, degree := 0.0, 0.0
	above, largest := make([]float64, len(c.Blocks)), 0.0
	for k := range c.Blocks {
		b := &c.Blocks[k]
		pull := b.Adjoint(y)
		switch b.Kind {
		case conic.Free:
			below += math.Abs(pull[0])
			degree++
		case conic.Nonnegative:
			below = math.Max(below, -pull[0])
			degree++
			above[k] = pull[0]
		case conic.Semidefinite:
			m := conic.Sym4(pull)
			e := conic.NewEigen(&m)
			below = math.Max(below, -e.Min())
			degree += 4
			above[k] = max(e.Values[0], e.Values[1], e.Values[2], e.Values[3])
		}
		largest = max(largest, above[k])
	}
	bodies := 0
	for k := range c.Blocks {
		part := above[k] > partTaken*largest
		switch {
		case c.Blocks[k].Kind == conic.Semidefinite:
			if part {
				out.Bodies = append(out.Bodies, c.owner[bodies].Link)
			}
			bodies++
		case part:
			out.Drives = append(out.Drives, c.column[k])
		}
	}
	out.Size = math.Inf(1)
	if below > 0 {
		out.Size = value / below / degree
	}
	return out
}

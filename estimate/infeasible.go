package estimate

import (
	"fmt"
	"math"
	"strings"
)

// InfeasibleError says which bounds cannot hold together, with the proof:
// multipliers, none negative, under which the sum of the bounds' left sides is
// zero or negative for every set of possible bodies while it would have to be positive.
type InfeasibleError struct {
	Bounds        []string  // in words
	Multipliers   []float64 // of Bounds; for an ellipsoid of the centre of mass, the one of its axis
	Contradiction float64   // by how much the sum misses, with multipliers that add up to one
}

func (e *InfeasibleError) Error() string {
	if len(e.Bounds) == 1 {
		return "no body keeps this bound: " + e.Bounds[0]
	}
	return "no bodies keep these bounds together: " + strings.Join(e.Bounds, "; ")
}

// broken lists the bounds that standard parameters do not keep.
func (c *consistency) broken(chi []float64) []string {
	e := make([]float64, len(c.offset))
	c.numbers(e, c.variables(chi))
	var out []string
	for _, s := range c.sides {
		v := e[s.at]
		if s.size == 4 {
			v -= math.Sqrt(e[s.at+1]*e[s.at+1] + e[s.at+2]*e[s.at+2] + e[s.at+3]*e[s.at+3])
		}
		if !(v >= -1e-9*(1+math.Abs(c.offset[s.at]))) { // rounding of what is on the bound
			out = append(out, s.label)
		}
	}
	return out
}

// relaxed is the weight of the common relaxation of all bounds, squared in the
// objective, in the program that looks for bodies that keep them.
const relaxed = 1e4

// feasible is an *InfeasibleError where no bodies keep all bounds. It minimises
// how much must be added to all of them together, t ≥ 0, beside the distance of
// the bodies from the prior's: the multipliers λ at the optimum prove, where
// they do, that no bodies keep the bounds without it. For those that do,
//
//	0 ≤ λᵀ·(S·z + s₀) = λᵀ·s₀ + Σ⟨(Sᵀλ)_b, X_b⟩
//
// but λᵀ·s₀ is negative and no eigenvalue of (Sᵀλ)_b much above zero.
func (c *consistency) feasible() error {
	p := program{margin: c.margin, offset: append([]float64{0}, c.offset[c.measured:]...)}
	p.root = upper(1, []float64{relaxed})
	shift := block{kind: positive, size: 1, weight: nominalWeight, quad: identityAt(0)}
	shift.add(0, [10]float64{1})
	for _, s := range c.sides {
		s.at += 1 - c.measured
		p.sides = append(p.sides, s)
		shift.add(s.at, [10]float64{1})
	}
	p.size = 1
	p.blocks = []block{shift}
	for _, b := range c.blocks {
		if b.kind != body {
			continue
		}
		o := block{kind: body, at: p.size, size: b.size, weight: nominalWeight}
		for i, row := range b.rows {
			if row >= c.measured {
				o.add(row-c.measured+1, b.m[i])
			}
		}
		p.size += b.size
		p.blocks = append(p.blocks, o)
	}
	if err := p.finish(); err != nil {
		return err
	}
	h := newInterior(&p)
	if _, _, err := h.minimise(1e-7); err != nil {
		return fmt.Errorf("whether any bodies keep all bounds could not be decided: %w", err)
	}
	lambda := make([]float64, len(p.offset))
	sum := 0.0
	for k, s := range p.sides {
		if s.size == 1 {
			lambda[s.at] = h.plain[h.index[k]].z
		} else {
			copy(lambda[s.at:], h.balls[h.index[k]].z[:])
		}
		sum += lambda[s.at]
	}
	value, above, degree := 0.0, 0.0, 0.0
	for i, v := range lambda {
		value += v * p.offset[i]
	}
	for k := range p.blocks[1:] {
		m := sym4(p.blocks[k+1].pull(lambda))
		e := newSpectrum(&m)
		above = max(above, e.values[0], e.values[1], e.values[2], e.values[3])
		degree += 4
	}
	if !(value < 0) || above > 0 && -value/above/degree < enormous {
		return nil
	}
	out := &InfeasibleError{Contradiction: -value / sum}
	for _, s := range p.sides {
		// A multiplier that is nothing beside the others is the barrier's.
		if v := lambda[s.at] / sum; v > 1e-5 {
			out.Bounds, out.Multipliers = append(out.Bounds, s.label), append(out.Multipliers, v)
		}
	}
	return out
}

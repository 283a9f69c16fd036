package physical

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/physical/internal/conic"
	"ident/robot"
)

// InfeasibleError names bounds that contradict each other, with a checked proof: positive multipliers with sum one, for
// which the sum of the bounds' slacks is negative and independent of the bodies.
type InfeasibleError struct {
	Bounds        []string
	Multipliers   []float64
	Contradiction float64 // minus that sum, kg or m
}

func (e *InfeasibleError) Error() string {
	if len(e.Bounds) == 1 {
		return "no body keeps this bound: " + e.Bounds[0]
	}
	return "no bodies keep these bounds together: " + strings.Join(e.Bounds, "; ")
}

// broken returns the bounds that standard parameters violate.
func (c *program) broken(chi []float64) []string {
	if len(c.Constraints) == 0 {
		return nil
	}
	e := make([]float64, len(c.Offset))
	c.AffineMap(e, c.variables(chi))
	var out []string
	for _, s := range c.Constraints {
		v := e[s.At]
		if s.Size == 4 {
			v -= math.Sqrt(e[s.At+1]*e[s.At+1] + e[s.At+2]*e[s.At+2] + e[s.At+3]*e[s.At+3])
		}
		if !(v >= -1e-9*(1+math.Abs(c.Offset[s.At]))) { // rounding of an active bound
			out = append(out, s.Label)
		}
	}
	return out
}

// feasible returns an *InfeasibleError if no bodies satisfy all bounds. Bounds on masses cannot contradict those on
// places, because scaling a body changes only its mass; nor can bounds on the places of two bodies contradict each
// other.
func (b *Bounds) feasible(r *robot.Robot) error {
	if err := b.masses(r); err != nil {
		return err
	}
	for i := range b.Bodies {
		if err := b.Bodies[i].places(r); err != nil {
			return err
		}
	}
	return nil
}

// massLabel names a bound on a mass.
func massLabel(what string, low, high float64) string {
	if low > 0 {
		return fmt.Sprintf("%s at least %g kg", what, low)
	}
	return fmt.Sprintf("%s at most %g kg", what, high)
}

const totalMass = "total mass of the links"

// masses compares the bounds of the links with that of their total. All multipliers are equal, so total and links
// cancel.
func (b *Bounds) masses(r *robot.Robot) error {
	bodies := append([]BodyBounds(nil), b.Bodies...)
	prove := func(total string, spare float64, labels []string) error {
		out := &InfeasibleError{Bounds: append([]string{total}, labels...)}
		for range out.Bounds {
			out.Multipliers = append(out.Multipliers, 1/float64(len(out.Bounds)))
		}
		out.Contradiction = -spare / float64(len(out.Bounds))
		return out
	}
	if high := b.TotalMass.High; high > 0 {
		// The heaviest first, to name as few bodies as possible.
		slices.SortStableFunc(bodies, func(x, y BodyBounds) int {
			switch {
			case x.Mass.Low > y.Mass.Low:
				return -1
			case x.Mass.Low < y.Mass.Low:
				return 1
			}
			return 0
		})
		spare, labels := high, []string(nil)
		for _, o := range bodies {
			if o.Mass.Low > 0 {
				spare -= o.Mass.Low
				labels = append(labels, massLabel(linkWord(r, o.Link)+"mass", o.Mass.Low, 0))
			}
			if spare <= 0 {
				return prove(massLabel(totalMass, 0, high), spare, labels)
			}
		}
	}
	if low := b.TotalMass.Low; low > 0 {
		spare, labels := -low, []string(nil)
		bounded := map[int]bool{}
		for _, o := range b.Bodies {
			if o.Mass.High > 0 {
				spare += o.Mass.High
				labels, bounded[o.Link] = append(labels, massLabel(linkWord(r, o.Link)+"mass", 0, o.Mass.High)), true
			}
		}
		if len(bounded) == len(r.Links) && spare <= 0 {
			return prove(massLabel(totalMass, low, 0), spare, labels)
		}
	}
	return nil
}

func linkWord(r *robot.Robot, j int) string { return fmt.Sprintf("link %q: ", r.Links[j].Name) }

// farthest is the largest distance in metres of a centre of mass from the frame's origin that a proof covers.
const farthest = 100

// places looks for a centre of mass that keeps a link's bounds: the smallest t, in
// metres, by which all of them must be relaxed. With the bounds' multipliers λ,
//
//	Σ λᵢ·(slackᵢ(c) + t) = 0 at the optimum, and Σ λᵢ·∇slackᵢ = 0
//
// so that for no centre Σ λᵢ·slackᵢ is above −t·Σλᵢ. An ellipsoid around all mass
// contains the centre as well.
func (b *BodyBounds) places(r *robot.Robot) error {
	name := linkWord(r, b.Link)
	p := conic.Program{Offset: []float64{0}, Factor: upper(1, []float64{1}), Size: 4} // one measured row, identically zero
	var centre [3]conic.Block
	for k := range centre {
		centre[k] = conic.Block{Kind: conic.Free, At: k, Size: 1, Weight: 1e-6, Quadratic: conic.UnitQuadratic(0)}
	}
	// The objective draws t to a small slack in every bound. It does not ask for the largest slack: that would draw the
	// centre of mass to the centre of an ellipsoid, the apex of its cone.
	give := conic.Block{Kind: conic.Free, At: 3, Size: 1, Weight: 1}
	little := 1e-3
	open := func(size int, label string) int {
		at := len(p.Offset)
		p.Constraints = append(p.Constraints, conic.Constraint{At: at, Size: size, Label: name + label})
		p.Offset = append(p.Offset, make([]float64, size)...)
		give.AddRow(at, [10]float64{1})
		return at
	}
	for i := range b.Centre {
		h := &b.Centre[i]
		n := math.Sqrt(h.Normal[0]*h.Normal[0] + h.Normal[1]*h.Normal[1] + h.Normal[2]*h.Normal[2])
		if n == 0 || math.IsNaN(n) || math.IsNaN(h.Offset) {
			return fmt.Errorf("%sa half-space with the normal %v and the offset %g", name, h.Normal, h.Offset)
		}
		at := open(1, h.label())
		p.Offset[at] = h.Offset / n
		for k := range centre {
			centre[k].AddRow(at, [10]float64{-h.Normal[k] / n})
		}
	}
	for _, e := range []struct {
		*Ellipsoid
		of string
	}{{b.CentreIn, "centre of mass"}, {b.BodyIn, "whole body"}} {
		if e.Ellipsoid == nil {
			continue
		}
		in, err := e.inverse()
		if err != nil {
			return fmt.Errorf("%s%w", name, err)
		}
		size := math.Inf(1) // length of the shortest axis, metres a radius
		for _, a := range e.Axes {
			size = min(size, math.Sqrt(a[0]*a[0]+a[1]*a[1]+a[2]*a[2]))
		}
		little = min(little, 1e-3*size)
		at := open(4, e.label(e.of))
		p.Offset[at] = size
		for a := range 3 {
			for k := range centre {
				centre[k].AddRow(at+1+a, [10]float64{size * in[a][k]})
				p.Offset[at+1+a] -= size * in[a][k] * e.Centre[k]
			}
		}
	}
	if len(p.Constraints) == 0 {
		return nil
	}
	give.Quadratic = conic.UnitQuadratic(-little)
	p.Blocks = append(centre[:], give)
	if err := p.Prepare(); err != nil {
		return err
	}
	h := conic.NewSolver(&p)
	if _, _, err := h.Minimise(1e-7); err != nil {
		return fmt.Errorf("%sthe search could not decide whether any centre of mass keeps all bounds of the body (%w): check these bounds, or widen them", name, err)
	}
	return contradiction(&p, h)
}

// contradiction checks the proof given by the duals of the program of places.
func contradiction(p *conic.Program, h *conic.Solver) error {
	lambda := make([]float64, len(p.Offset))
	sum, spare := 0.0, 0.0
	for k, s := range p.Constraints {
		z := h.ConstraintDual(k)
		copy(lambda[s.At:s.At+s.Size], z[:])
		sum += lambda[s.At]
	}
	for i, v := range lambda {
		spare += v * p.Offset[i]
	}
	slope := 0.0
	for k := range 3 {
		slope += math.Abs(p.Blocks[k].Adjoint(lambda)[0])
	}
	if spare+slope*farthest > 0 {
		return nil
	}
	out := &InfeasibleError{Contradiction: -spare / sum}
	for _, s := range p.Constraints {
		// Smaller multipliers come from the barrier.
		if v := lambda[s.At] / sum; v > 1e-5 {
			out.Bounds, out.Multipliers = append(out.Bounds, s.Label), append(out.Multipliers, v)
		}
	}
	return out
}

package estimate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// Numbers of the path. A step of the path multiplies prior and barrier weight
// by pathFactor; most is the number of Newton steps after which a problem is given up.
const (
	pathFactor = 0.03
	most       = 3000
	loose      = 0.5 // decrement, in units of the barrier, that is on the path
	tight      = 0.1
	away       = 0.9 // part of the way to the border that a tangent goes at most
	flat       = 0.3 // decrement from which on steps are whole, and slope, relative to the first, that ends a search
)

// path follows the minimisers of
//
//	½‖R·(C·z + offset)‖² + ν·D(z) + μ·φ(z),   φ = −Σ log det(X − εI) − Σ log x
//
// from ν = μ large, where they are the prior, down to given weights. While both
// fall together, what no data determine stays within twice its prior.
type path struct {
	p      *program
	z      []float64
	nu, mu float64
	steps  int
	last   float64 // decrement at z for nu and mu
}

func newPath(p *program) *path {
	h := &path{p: p, z: p.prior()}
	r := p.whiten(p.miss(h.z))
	h.nu = max(1, floats.Dot(r, r)/max(p.degree, 1))
	h.mu = h.nu
	return h
}

// to goes down to the weights given, which are at most the present ones.
func (h *path) to(nu, mu float64) error {
	limit := h.steps + most
	for {
		final := h.nu <= nu && h.mu <= mu
		target := loose
		if final {
			target = tight
		}
		if err := h.centre(target, limit); err != nil {
			return err
		}
		if final {
			return nil
		}
		next := max(mu, pathFactor*h.mu)
		if err := h.predict(max(nu, min(h.nu, next)), next); err != nil {
			return err
		}
	}
}

// predict goes along the tangent of the path towards lower weights, as far as
// it stays inside. The tangent is a Newton step with the slope of the new
// weights and the curvature of the old ones: what is at a bound goes down with
// the weight, where Newton's own step would leave the cone at once.
func (h *path) predict(nu, mu float64) error {
	old, _ := h.p.evaluate(h.z, h.nu, h.mu)
	at, _ := h.p.evaluate(h.z, nu, mu)
	for k := range at {
		at[k].curvature = old[k].curvature
	}
	s, err := h.p.newton(h.p.miss(h.z), at)
	if err != nil {
		return err
	}
	h.steps++
	for a := 1.0; a > 1e-6; a *= 0.8 {
		z := append([]float64(nil), h.z...)
		floats.AddScaled(z, a/away, s.z)
		if _, inside := h.p.evaluate(z, nu, mu); !inside {
			continue
		}
		floats.AddScaled(z, a-a/away, s.z)
		h.z = z
		h.nu, h.mu = nu+(1-a)*(h.nu-nu), mu+(1-a)*(h.mu-mu)
		return nil
	}
	return fmt.Errorf("the path ends at barrier weight %.3g", h.mu)
}

// centre takes Newton steps at the present weights.
func (h *path) centre(target float64, limit int) error {
	at, inside := h.p.evaluate(h.z, h.nu, h.mu)
	if !inside {
		panic("estimate: the path has left the cone")
	}
	for {
		e := h.p.miss(h.z)
		s, err := h.p.newton(e, at)
		if err != nil {
			return err
		}
		h.last = s.decrement
		unit := math.Sqrt(min(h.nu, h.mu))
		if math.IsNaN(h.last) {
			return fmt.Errorf("a Newton step is not a number at barrier weight %.3g", h.mu)
		}
		if h.last <= target*unit {
			return nil
		}
		if h.steps++; h.steps > limit {
			return fmt.Errorf("%d Newton steps were not enough: decrement %.3g at barrier weight %.3g", most, h.last/unit, h.mu)
		}
		next := h.search(e, at, s, h.last > flat*unit)
		if next == nil {
			if h.last < unit {
				return nil // the slope is rounding: gap tells what that leaves open
			}
			return fmt.Errorf("no step along the Newton direction stays inside: decrement %.3g at barrier weight %.3g", h.last/unit, h.mu)
		}
		at = next
	}
}

// search goes along a step to about where the merit function, which is convex,
// is least, or the whole step where that is near enough. It returns the
// curvature there, nil if no point along the step is inside.
func (h *path) search(e []float64, at []local, s *step, far bool) []local {
	start := math.Abs(h.p.slope(at, e, s))
	lo, hi, a := 0.0, math.Inf(1), 1.0
	var best []float64
	var found []local
	for range 30 {
		z := append([]float64(nil), h.z...)
		floats.AddScaled(z, a, s.z)
		next, inside := h.p.evaluate(z, h.nu, h.mu)
		slope := math.Inf(1)
		if inside && far {
			ahead := append([]float64(nil), e...)
			floats.AddScaled(ahead, a, s.numbers)
			slope = h.p.slope(next, ahead, s)
		}
		if inside && !(slope > flat*start && far) {
			lo, best, found = a, z, next
			if !far || slope > -flat*start {
				break
			}
		} else {
			hi = a
		}
		if a = (lo + hi) / 2; math.IsInf(hi, 1) {
			a = 2 * lo
		}
	}
	if found != nil {
		h.z = best
	}
	return found
}

// gap bounds by how much the objective with the present prior weight exceeds
// its minimum: the degree times μ on the path (the value of the dual point
// μ·(X − εI)⁻¹, μ/x), and what the distance from the path adds.
func (h *path) gap() float64 {
	delta := h.last / math.Sqrt(min(h.nu, h.mu))
	return h.mu * (h.p.degree + math.Sqrt(h.p.degree)*delta/(1-delta) + delta*delta)
}

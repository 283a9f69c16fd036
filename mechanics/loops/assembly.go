package loops

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Near returns a start for Close from positions of joints by name, cut joints
// among them; joints that are not named are at zero. It fails where a name is
// none of the mechanism's.
func (c *Closure) Near(assembly map[string]float64) ([]float64, error) {
	q := make([]float64, len(c.unit))
	for _, name := range slices.Sorted(maps.Keys(assembly)) {
		k := slices.Index(c.joints, name)
		if k < 0 {
			return nil, fmt.Errorf("robot %q: its assembly names joint %q, which is no independent joint; those are %s", c.robot, name, strings.Join(c.joints, ", "))
		}
		q[k] = assembly[name]
	}
	return q, nil
}

// Assemble returns a closed and regular state from random starts: of the
// states of the largest rank that it finds, the one farthest from singular.
// The error is the *ClosureError of the start that came nearest, or says that
// the active joints do not determine the motion.
func (c *Closure) Assemble(rng *rand.Rand) (*Motion, error) {
	const starts, wanted = 60, 3
	var best *Motion
	var nearest, undetermined error
	found, gap := 0, math.Inf(1)
	for range starts {
		q := make([]float64, len(c.unit))
		for k := range q {
			q[k] = c.random(k, rng)
		}
		q, err := c.Close(q, nil)
		if err != nil {
			var ce *ClosureError
			if errors.As(err, &ce) && math.Max(ce.Distance/c.length, ce.Angle) < gap {
				gap, nearest = math.Max(ce.Distance/c.length, ce.Angle), err
			}
			continue
		}
		m, err := c.Motion(q)
		if err != nil {
			undetermined = err
			continue
		}
		if best == nil || m.Rank > best.Rank || m.Rank == best.Rank && m.Margin > best.Margin {
			best = m
		}
		if found++; found == wanted {
			break
		}
	}
	switch {
	case best != nil:
		return best, nil
	case undetermined != nil:
		return nil, undetermined
	}
	return nil, nearest
}

// Assembled returns the closed state near positions of joints by name, as a
// robot's Assembly gives them; with none, the most regular one of a few random
// starts that are always the same.
func (c *Closure) Assembled(assembly map[string]float64) (*Motion, error) {
	if len(assembly) == 0 {
		return c.Assemble(rand.New(rand.NewPCG(0, 0xa55e)))
	}
	near, err := c.Near(assembly)
	if err != nil {
		return nil, err
	}
	q, err := c.Close(near, nil)
	if err != nil {
		return nil, err
	}
	return c.Motion(q)
}

// random draws a coordinate: any angle, or a slide of up to a unit of length.
func (c *Closure) random(k int, rng *rand.Rand) float64 {
	if c.unit[k] == 1 {
		return math.Pi * (2*rng.Float64() - 1)
	}
	return c.unit[k] * (2*rng.Float64() - 1)
}

// RandomState returns a state with the coordinates held as they are in base and
// every other anywhere: a start for Close.
func (c *Closure) RandomState(base []float64, held []int, rng *rand.Rand) []float64 {
	c.check("base", base)
	q := slices.Clone(base)
	for k := range q {
		if !slices.Contains(held, k) {
			q[k] = c.random(k, rng)
		}
	}
	return q
}

// Same reports whether two states are the same place of every joint to a
// tolerance in rad and in parts of the unit of length; whole turns do not count.
func (c *Closure) Same(a, b []float64, tolerance float64) bool {
	for k, u := range c.unit {
		d := (a[k] - b[k]) / u
		if c.IsRevolute(k) {
			d = math.Remainder(d, 2*math.Pi)
		}
		if !(math.Abs(d) <= tolerance) {
			return false
		}
	}
	return true
}

// Named returns the coordinates of a state by their joints' names.
func (c *Closure) Named(q []float64) map[string]float64 {
	c.check("q", q)
	out := make(map[string]float64, len(q))
	for k, name := range c.joints {
		out[name] = q[k]
	}
	return out
}

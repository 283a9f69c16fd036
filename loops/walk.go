package loops

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	walkStep = 0.15 // rad, or parts of the unit of length
	// From one state of a walk to the next the joints of the loops go about this far.
	walkLength = 0.6
	// Steps are refused nearer than this to a singular state, where assemblies
	// meet, unless the walk began near one.
	walkMargin = 0.03
	// A slide goes no farther than this many units of length.
	walkReach = 5
)

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

// Walk goes from state to state of one assembly: the way from each to the next
// is short steps that keep the loops closed, turn the directions of free motion
// little and stay away from the singular states where assemblies meet. A
// parallelogram so stays one, though its bars also close crossed.
type Walk struct {
	c     *Closure
	rng   *rand.Rand
	start *Motion
	at    *Motion
	least float64 // margin
	dir   []float64
	still bool // the loops hold their joints
}

// Walk starts at a closed state.
func (c *Closure) Walk(start *Motion, rng *rand.Rand) *Walk {
	w := &Walk{c: c, rng: rng, start: start, at: start, least: min(walkMargin, start.Margin/2), still: true}
	for k := range c.unit {
		for l := range start.Mobility {
			// Rounding is far below this, and motion far above.
			w.still = w.still && (!c.chain[k] || math.Abs(start.Free.At(k, l)) < 1e-6)
		}
	}
	return w
}

// Next moves to another state. Coordinates that no loop holds jump anywhere.
func (w *Walk) Next() *Motion {
	refused := 0
	for way := 0.0; way < walkLength && !w.still; {
		step := walkStep / math.Pow(2, float64(refused%4))
		m := w.step(step)
		if m == nil {
			w.dir = nil
			if refused++; refused > 40 {
				// Caught in a corner: begin anew.
				w.at, refused = w.start, 0
				way += walkStep
			}
			continue
		}
		w.at, refused = m, 0
		way += step
	}
	q := slices.Clone(w.at.Q)
	for k := range q {
		if !w.c.chain[k] {
			q[k] = w.c.random(k, w.rng)
		}
	}
	// The frames at the cuts do not see these coordinates move against each
	// other, but the rounding is another one.
	if q, err := w.c.Close(q, nil); err == nil {
		if m, err := w.c.Motion(q); err == nil {
			return m
		}
	}
	return w.at
}

// step tries one step of the given length, nil if it is refused.
func (w *Walk) step(length float64) *Motion {
	n, free := w.at.Free.Dims()
	dir := make([]float64, n)
	for l := range free {
		y := w.rng.NormFloat64()
		// Most of the last direction is kept, or the walk would stay where it is.
		for k, v := range w.dir {
			y += 3 * v * w.at.Free.At(k, l)
		}
		for k := range dir {
			if w.c.chain[k] {
				dir[k] += y * w.at.Free.At(k, l)
			}
		}
	}
	size := norm(dir)
	guess := slices.Clone(w.at.Q)
	for k := range guess {
		dir[k] /= size
		guess[k] += length * w.c.unit[k] * dir[k]
	}
	q, err := w.c.Close(guess, nil)
	if err != nil {
		return nil
	}
	off := 0.0
	for k := range q {
		d := (q[k] - guess[k]) / w.c.unit[k]
		off += d * d
		if w.c.unit[k] != 1 && math.Abs(q[k]) > walkReach*w.c.unit[k] {
			return nil
		}
	}
	if math.Sqrt(off) > length/2 {
		return nil
	}
	m, err := w.c.Motion(q)
	if err != nil || m.Rank != w.at.Rank || m.Margin < w.least {
		return nil
	}
	// The part of the new directions outside the old ones.
	var shared, outside mat.Dense
	shared.Mul(w.at.Free.T(), m.Free)
	outside.Mul(w.at.Free, &shared)
	outside.Sub(m.Free, &outside)
	if mat.Norm(&outside, 2) > 0.35 {
		return nil
	}
	w.dir = dir
	return m
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

// Same tells whether two states are the same place of every joint to a
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

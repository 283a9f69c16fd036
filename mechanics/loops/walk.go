package loops

import (
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

// Walk goes from state to state of one assembly: the way from each to the next
// is short steps that keep the loops closed, turn the directions of free motion
// little and stay away from the singular states where assemblies meet. A
// parallelogram so stays one, though its bars also close crossed.
type Walk struct {
	c        *Closure
	rng      *rand.Rand
	start    *Motion
	at       *Motion
	least    float64 // margin
	dir      []float64
	immobile bool // no joint of the loops can move
}

// Walk starts at a closed state.
func (c *Closure) Walk(start *Motion, rng *rand.Rand) *Walk {
	w := &Walk{c: c, rng: rng, start: start, at: start, least: min(walkMargin, start.Margin/2), immobile: true}
	for k := range c.unit {
		for l := range start.Mobility {
			// Rounding is far below this, and motion far above.
			w.immobile = w.immobile && (!c.chain[k] || math.Abs(start.Free.At(k, l)) < 1e-6)
		}
	}
	return w
}

// Next moves to another state. Coordinates that no loop holds jump anywhere.
func (w *Walk) Next() *Motion {
	refused := 0
	for way := 0.0; way < walkLength && !w.immobile; {
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
	// These coordinates do not move the frames at the cuts against each other,
	// but they change the rounding.
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

package poses

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ident/excite"
	"ident/regressor"
)

// Defaults of a Problem's zero fields.
const (
	DefaultCount = 40
	// DefaultSpeed is the part of the velocity limits of a slow pass.
	DefaultSpeed = 0.05
	// usualTurn is the period of a gear's ripple where no gear ratio is known, rad: a turn of a motor behind a gear of 50.
	usualTurn = 2 * math.Pi / 50
	// slideWidth is the width of a pass of a joint that slides, m.
	slideWidth = 0.02
)

// Problem is a design of poses.
type Problem struct {
	Space *excite.Space
	Model *regressor.Model // model with the base columns
	Noise []float64        // standard deviation of one torque, by joint; nil weighs all joints alike
	Count int              // number of poses; 0 for DefaultCount
	Speed float64          // speed of a pass, as a part of the velocity limits; 0 for DefaultSpeed
	// Width is the distance that each joint moves at constant speed in a pass, rad or m. nil stands for one turn of the
	// motor (by Ratio) or a fiftieth of a turn, and for slideWidth if the joint slides. Whole turns of the motor
	// average its ripple.
	Width []float64
	Ratio []float64 // gear ratios by joint, 0 where unknown; nil for none
	Seed  uint64
	// Progress, if set, is told the condition number so far.
	Progress func(done, total int, condition float64)
}

// Design is a set of poses with the motion that passes them.
type Design struct {
	Poses     [][]float64 // in the order of the motion, each with one position per joint
	Columns   []int       // ascending: the first independent ones of the model's columns that torques at rest determine
	Condition float64     // condition number of these columns at the poses, scaled to unit norm
	Motion    *excite.Polynomials
	Passes    []Pass
	Speed     []float64 // speed of a pass, by joint
	Width     []float64 // distance of a pass at constant speed, by joint
	Left      int       // number of poses left out, as no collision-free way led to them
	// Evaluations of the criterion.
	Evaluations int
}

// Pass is a pose's window at constant speed, there and back, s.
type Pass struct {
	Pose  int        `json:"pose"`
	Sign  int        `json:"sign"` // direction in which the first window is passed: 1 or -1
	First [2]float64 `json:"first_s"`
	Back  [2]float64 `json:"back_s"`
}

// TooTightError says that only Found free poses were found among Tried drawn within the limits, too few for a design.
type TooTightError struct{ Found, Tried int }

func (e *TooTightError) Error() string {
	return fmt.Sprintf("%d free poses among %d within the limits; widen the limits, lower the clearance, or take away keep-outs", e.Found, e.Tried)
}

// draws bounds the poses that are tried for one that is free.
const draws = 400

// Choose designs the poses and their motion. If ctx is done, it ends the search and returns the best poses so far.
func Choose(ctx context.Context, p Problem) (*Design, error) {
	if p.Count == 0 {
		p.Count = DefaultCount
	}
	if p.Speed == 0 {
		p.Speed = DefaultSpeed
	}
	if !(p.Speed > 0 && p.Speed <= 1) {
		return nil, fmt.Errorf("poses: a speed of %g of the limits; give a part of them, above 0 and up to 1", p.Speed)
	}
	w, err := newWindows(&p)
	if err != nil {
		return nil, err
	}
	c := &chooser{p: &p, w: w, rng: rand.New(rand.NewPCG(p.Seed, 0x706f736573)), rows: newStatic(p.Model, p.Noise)}
	if err := c.pool(); err != nil {
		return nil, err
	}
	if p.Count*p.Model.Joints() < len(c.rows.columns) {
		return nil, fmt.Errorf("poses: %d poses of %d joints for %d parameters; take more", p.Count, p.Model.Joints(), len(c.rows.columns))
	}
	c.start()
	c.exchange(ctx)
	d := &Design{Columns: c.rows.columns, Speed: w.speed, Width: w.width}
	order, left := c.tour(ctx)
	if d.Left = left; len(order) == 0 {
		return nil, &TooTightError{0, p.Count}
	}
	d.Evaluations = c.count
	g := c.empty()
	for _, stop := range order {
		if !stop.via() {
			d.Poses = append(d.Poses, stop.pose)
			g.add(c.rows.rows(stop.pose), 1)
		}
	}
	d.Condition = g.condition(len(d.Columns))
	if d.Motion, d.Passes, err = w.motion(order); err != nil {
		return nil, err
	}
	return d, nil
}

// Condition returns the condition number of any poses for a design's columns of a model; noise as in Problem.
func Condition(m *regressor.Model, noise []float64, columns []int, of [][]float64) float64 {
	s := newStatic(m, noise)
	s.columns = columns
	g := make(gram, len(columns)*(len(columns)+1)/2)
	for _, pose := range of {
		g.add(s.rows(pose), 1)
	}
	return g.condition(len(columns))
}

// chooser is the search for poses.
type chooser struct {
	p      *Problem
	w      *windows
	rng    *rand.Rand
	rows   *static
	free   [][]float64   // poses that may be taken
	of     [][][]float64 // their rows
	chosen []int         // indices of free
	sum    gram          // of the chosen
	value  float64
	count  int // evaluations
}

func (c *chooser) empty() gram {
	n := len(c.rows.columns)
	return make(gram, n*(n+1)/2)
}

// draw returns a random free pose with room for its pass; nil where none was found.
func (c *chooser) draw() []float64 {
	for range draws {
		q := make([]float64, len(c.w.joints))
		for k, j := range c.w.joints {
			room := c.w.reach(k)
			q[k] = j.Lower + room + (j.Upper-j.Lower-2*room)*c.rng.Float64()
		}
		if c.w.clear(q) {
			return q
		}
	}
	return nil
}

// pool draws the poses to choose from, and finds the columns that they determine.
func (c *chooser) pool() error {
	size := max(500, 20*c.p.Count)
	var all [][]float64
	for range size {
		q := c.draw()
		if q == nil {
			return &TooTightError{len(c.free), draws}
		}
		c.free = append(c.free, q)
		if len(all) < 4*len(c.p.Model.Columns())+100 {
			all = append(all, c.rows.rows(q)...)
		}
	}
	c.rows.columns = independent(all)
	if len(c.rows.columns) == 0 {
		return fmt.Errorf("poses: torques at rest determine no parameter of this model, because neither gravity nor a spring or an offset acts on a joint")
	}
	for _, q := range c.free {
		c.of = append(c.of, c.rows.rows(q))
	}
	return nil
}

// with returns the criterion with one pose's rows instead of another's.
func (c *chooser) with(scratch gram, out, in [][]float64) float64 {
	copy(scratch, c.sum)
	if out != nil {
		scratch.add(out, -1)
	}
	scratch.add(in, 1)
	c.count++
	return scratch.condition(len(c.rows.columns))
}

// start takes pose after pose, of each dozen draws the best; while the columns are dependent any will do.
func (c *chooser) start() {
	c.sum, c.value = c.empty(), math.Inf(1)
	scratch := c.empty()
	for range c.p.Count {
		best, value := -1, math.Inf(1)
		for range 12 {
			i := c.rng.IntN(len(c.free))
			if slices.Contains(c.chosen, i) {
				continue
			}
			if v := c.with(scratch, nil, c.of[i]); best < 0 || v < value {
				best, value = i, v
			}
		}
		if best >= 0 {
			c.chosen = append(c.chosen, best)
			c.sum.add(c.of[best], 1)
			c.value = value
		}
	}
}

// Exchanges of poses.
const (
	sweeps  = 6   // over all poses
	offers  = 40  // poses offered instead of each
	nearby  = 8   // of them near the pose itself, as a part nearPart of the range
	enough  = 0.1 // % of gain by a sweep below which the search ends
	nearest = 0.1
)

// exchange replaces poses by others as long as the criterion falls.
func (c *chooser) exchange(ctx context.Context) {
	scratch := c.empty()
	for sweep := range sweeps {
		before := c.value
		for at := range c.chosen {
			if ctx.Err() != nil {
				return
			}
			own := c.chosen[at]
			best := -1
			for n := range offers {
				i := c.rng.IntN(len(c.free))
				if n < nearby {
					if i = c.near(own); i < 0 {
						continue
					}
				}
				if slices.Contains(c.chosen, i) {
					continue
				}
				if v := c.with(scratch, c.of[own], c.of[i]); v < c.value {
					best, c.value = i, v
				}
			}
			if best >= 0 {
				c.sum.add(c.of[own], -1)
				c.sum.add(c.of[best], 1)
				c.chosen[at] = best
			}
			if c.p.Progress != nil {
				c.p.Progress(sweep*len(c.chosen)+at+1, sweeps*len(c.chosen), c.value)
			}
		}
		// Sums by turns of plus and minus gather rounding.
		c.sum = c.empty()
		for _, i := range c.chosen {
			c.sum.add(c.of[i], 1)
		}
		if c.value = c.sum.condition(len(c.rows.columns)); !(c.value < (1-enough/100)*before) && sweep > 1 {
			return
		}
	}
}

// near adds a pose near another to those that may be taken, -1 where it is not free.
func (c *chooser) near(of int) int {
	q := make([]float64, len(c.w.joints))
	for k, j := range c.w.joints {
		room := c.w.reach(k)
		q[k] = c.free[of][k] + nearest*(j.Upper-j.Lower)*c.rng.NormFloat64()
		q[k] = min(max(q[k], j.Lower+room), j.Upper-room)
	}
	if !c.w.clear(q) {
		return -1
	}
	c.free, c.of = append(c.free, q), append(c.of, c.rows.rows(q))
	return len(c.free) - 1
}

package excite

import (
	"math"

	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
)

// passiveLimits keeps the passive joints of a robot with closed loops within
// their limits of position and velocity. Only the driven joints are free. With
// G = ∂q_p/∂q_a, whose entries are derivatives of one function,
//
//	dq_p = G·dq_a,  ∂q_p/∂q_a = ∂dq_p/∂dq_a = G,  ∂dq_p/∂q_a = Ġ
type passiveLimits struct {
	joints  []passiveJoint
	model   *regressor.Model
	tracker *loops.Tracker
	along   *loops.Continuation
	margin  float64
	tight   []float64 // two a joint: position, velocity; one for the closure of the loops
	// The current sample: motion of the driven joints and of the tree; the path holds the rates of the Jacobian if
	// gradients are needed.
	drive        [3][]float64   // [order][joint]
	rows         [3][][]float64 // drive, as a motion of one sample
	tree         [3][]float64   // [order][coordinate]
	path         loops.Path
	jacobianRate [][]float64
	// Derivatives of one passive joint's rate by the driven joints' rates and positions.
	jacobian, turn []float64
}

// passiveJoint is a passive joint with limits.
type passiveJoint struct {
	name              string
	coord             int // of the tree
	unit              string
	centre, half, vel float64 // half or vel zero: no such limit
}

// passiveOf lists a robot's passive joints with limits. A position limit on one
// side only is ignored.
func passiveOf(r *robot.Robot) (out []passiveJoint) {
	links := treeOf(r).Links()
	for j := range r.Links {
		n := &r.Links[j].Joint
		if !n.Passive || n.Kind == robot.Fixed || links[j].Coord < 0 {
			continue
		}
		p := passiveJoint{name: n.Name, coord: links[j].Coord, unit: "rad"}
		if n.Kind == robot.Prismatic {
			p.unit = "m"
		}
		if n.Upper > n.Lower {
			p.centre, p.half = n.Lower+(n.Upper-n.Lower)/2, (n.Upper-n.Lower)/2
		}
		if given(n.Velocity) {
			p.vel = n.Velocity
		}
		if p.half > 0 || p.vel > 0 {
			out = append(out, p)
		}
	}
	return out
}

func newPassiveLimits(joints []passiveJoint, m *regressor.Model, margin float64, tight []float64) *passiveLimits {
	t := m.Loops().Newton()
	c := &passiveLimits{joints: joints, model: m, tracker: t, along: t.Continue(), margin: margin, tight: tight}
	n, dof, pairs := len(t.Driven()), t.Closure().DOF(), len(t.Pairs())
	for o := range c.drive {
		c.drive[o], c.tree[o] = make([]float64, n), make([]float64, dof)
		c.rows[o] = loops.Rows(c.drive[o], 1)
	}
	c.path = loops.Path{Q: loops.Rows(c.tree[0], 1), DQ: loops.Rows(c.tree[1], 1), DDQ: loops.Rows(c.tree[2], 1), Jacobian: loops.Rows(make([]float64, pairs), 1)}
	c.jacobianRate = loops.Rows(make([]float64, pairs), 1)
	c.jacobian, c.turn = make([]float64, n), make([]float64, n)
	return c
}

func (c *passiveLimits) clone() coupled {
	return newPassiveLimits(c.joints, c.model, c.margin, c.tight)
}

func (c *passiveLimits) tightening() []float64 { return c.tight }

// track closes the loops at sample t of a motion and reports whether they close. begin must be set for the first sample.
// At most one of accelerations and rates (of the Jacobian) may be set.
func (c *passiveLimits) track(motion *[3][][]float64, t int, begin, accelerations, rates bool) bool {
	d := loops.Drive{Q: c.rows[0], DQ: c.rows[1]}
	if accelerations {
		d.DDQ = c.rows[2]
	}
	for o := range c.drive {
		for i := range c.drive[o] {
			if o < 2 || accelerations {
				c.drive[o][i] = motion[o][i][t]
			}
		}
	}
	if c.path.JacobianRate = nil; rates {
		c.path.JacobianRate = c.jacobianRate
	}
	_, err := c.along.Track(&c.path, d, 0, 1, begin)
	return err == nil
}

// open returns the excess if the loops do not close, larger than any limit's.
func (c *passiveLimits) open(at float64) Excess {
	return Excess{"closing", "the loops", 1, 0, "fault", 10, at, 2 * len(c.joints)}
}

// excess returns the excesses of passive joint i over the fraction free of its
// limits, at the sample at hand and time at; Relative is -Inf without a limit.
func (c *passiveLimits) excess(i int, at, free float64) (position, velocity Excess) {
	j := &c.joints[i]
	q, dq := c.tree[0], c.tree[1]
	position, velocity = Excess{Relative: math.Inf(-1)}, Excess{Relative: math.Inf(-1)}
	if j.half > 0 {
		x := math.Abs(q[j.coord] - j.centre)
		position = Excess{"position", j.name, q[j.coord], j.centre + math.Copysign(j.half*free, q[j.coord]-j.centre), j.unit, x/j.half - free, at, 2 * i}
	}
	if j.vel > 0 {
		x := math.Abs(dq[j.coord])
		velocity = Excess{"velocity", j.name, x, j.vel * free, j.unit + "/s", x/j.vel - free, at, 2*i + 1}
	}
	return position, velocity
}

func (c *passiveLimits) penalty(e *evaluator, weight float64) (sum float64, worst Excess) {
	worst.Relative = math.Inf(-1)
	for t := range e.samples {
		if !c.track(&e.motion, t, t == 0, false, weight != 0) {
			return sum + 1, c.open(e.s.times[t])
		}
		for i := range c.joints {
			j := &c.joints[i]
			position, velocity := c.excess(i, e.s.times[t], 1-c.margin)
			position.Relative += c.tight[2*i]
			velocity.Relative += c.tight[2*i+1]
			for _, x := range [2]Excess{position, velocity} {
				if x.Relative > worst.Relative {
					worst = x
				}
			}
			rp, rv := max(0, position.Relative+onset), max(0, velocity.Relative+onset)
			if rp == 0 && rv == 0 {
				continue
			}
			sum += rp*rp + rv*rv
			if weight == 0 {
				continue
			}
			q, dq := c.tree[0], c.tree[1]
			var byPos, byVel float64
			if rp > 0 {
				byPos = weight / float64(e.samples) * 2 * rp / j.half * math.Copysign(1, q[j.coord]-j.centre)
			}
			if rv > 0 {
				byVel = weight / float64(e.samples) * 2 * rv / j.vel * math.Copysign(1, dq[j.coord])
			}
			c.slopes(j.coord)
			for k := range c.jacobian {
				e.byMotion[0][k][t] += byPos*c.jacobian[k] + byVel*c.turn[k]
				e.byMotion[1][k][t] += byVel * c.jacobian[k]
			}
		}
	}
	return sum / float64(e.samples), worst
}

// slopes fills jacobian with the derivatives of a coordinate's rate by the driven
// joints' rates, and turn with those by their positions.
func (c *passiveLimits) slopes(coord int) {
	clear(c.jacobian)
	clear(c.turn)
	for i, p := range c.tracker.Pairs() {
		if p.Coord == coord {
			c.jacobian[p.Driven], c.turn[p.Driven] = c.path.Jacobian[i][0], c.jacobianRate[i][0]
		}
	}
}

// proof adds to each sample's excess half a step at the rates of the sample: loops
// have no bounds of derivatives.
func (c *passiveLimits) proof(b *motionBounds, worst excesses) func(t []float64, motion *[3][][]float64) {
	h := b.step
	return func(times []float64, motion *[3][][]float64) {
		for t := range times {
			if !c.track(motion, t, t == 0, true, false) {
				worst.raise(c.open(times[t]))
				break
			}
			dq, ddq := c.tree[1], c.tree[2]
			for i := range c.joints {
				j := &c.joints[i]
				position, velocity := c.excess(i, times[t], 1)
				if j.half > 0 {
					position.Relative += h / 2 * math.Abs(dq[j.coord]) / j.half
					worst.raise(position)
				}
				if j.vel > 0 {
					velocity.Relative += h / 2 * math.Abs(ddq[j.coord]) / j.vel
					worst.raise(velocity)
				}
			}
		}
	}
}

package excite

import (
	"math"

	"ident/loops"
	"ident/regressor"
	"ident/robot"
)

// passiveLimits keeps the passive joints of a robot with closed loops within
// their limits of position and velocity. Only the driven joints are free. With
// G = ∂q_p/∂q_a and b(v) the passive accelerations at driven rates v without driven
// accelerations, quadratic in v,
//
//	dq_p = G·dq_a,  ∂q_p/∂q_a = ∂dq_p/∂dq_a = G,
//	∂dq_p/∂q_k = (b(dq_a + e_k) - b(dq_a - e_k))/4
//
// where e_k is the unit rate of driven joint k, exact by polarisation of b.
type passiveLimits struct {
	joints  []passiveJoint
	model   *regressor.Model
	tracker *loops.Tracker
	margin  float64
	tight   []float64    // two a joint: position, velocity; one for the closure of the loops
	at      [3][]float64 // of the driven joints: [order][joint]
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
	f := newKinematicTree(r)
	for j := range r.Links {
		n := &r.Links[j].Joint
		if !n.Passive || n.Kind == robot.Fixed || f.links[j].coord < 0 {
			continue
		}
		p := passiveJoint{name: n.Name, coord: f.links[j].coord, unit: "rad"}
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
	c := &passiveLimits{joints: joints, model: m, tracker: m.Loops(), margin: margin, tight: tight}
	n := len(c.tracker.Driven())
	for o := range c.at {
		c.at[o] = make([]float64, n)
	}
	c.jacobian, c.turn = make([]float64, n), make([]float64, n)
	return c
}

func (c *passiveLimits) clone() coupled {
	return newPassiveLimits(c.joints, c.model, c.margin, c.tight)
}

func (c *passiveLimits) tightening() []float64 { return c.tight }

// track brings the loops to sample t of a motion and tells whether they close. The
// first sample has begin set.
func (c *passiveLimits) track(q, dq [][]float64, t int, begin bool) bool {
	for i := range c.at[0] {
		c.at[0][i], c.at[1][i], c.at[2][i] = q[i][t], dq[i][t], 0
	}
	move := c.tracker.Move
	if begin {
		move = c.tracker.Seek
	}
	if move(c.at[0]) != nil {
		return false
	}
	c.tracker.Motion(c.at[1], c.at[2])
	return true
}

// open is the excess where the loops do not close, set larger than any limit's.
func (c *passiveLimits) open(at float64) Excess {
	return Excess{"closing", "the loops", 1, 0, "fault", 10, at, 2 * len(c.joints)}
}

// excess returns the excesses of passive joint i over the fraction free of its
// limits, at the tracker's state and time at; Relative is -Inf without a limit.
func (c *passiveLimits) excess(i int, at, free float64) (position, velocity Excess) {
	j := &c.joints[i]
	q, dq, _ := c.tracker.State()
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
		if !c.track(e.motion[0], e.motion[1], t, t == 0) {
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
			q, dq, _ := c.tracker.State()
			var byPos, byVel float64
			if rp > 0 {
				byPos = weight / float64(e.samples) * 2 * rp / j.half * math.Copysign(1, q[j.coord]-j.centre)
			}
			if rv > 0 {
				byVel = weight / float64(e.samples) * 2 * rv / j.vel * math.Copysign(1, dq[j.coord])
			}
			c.slopes(j.coord, rv > 0)
			for k := range c.jacobian {
				e.byMotion[0][k][t] += byPos*c.jacobian[k] + byVel*c.turn[k]
				e.byMotion[1][k][t] += byVel * c.jacobian[k]
			}
		}
	}
	return sum / float64(e.samples), worst
}

// slopes fills jacobian with the derivatives of a coordinate's rate by the driven
// joints' rates and, if turns, turn with those by their positions.
func (c *passiveLimits) slopes(coord int, turns bool) {
	clear(c.jacobian)
	for i, p := range c.tracker.Pairs() {
		if p.Coord == coord {
			c.jacobian[p.Driven] = c.tracker.Gains()[i]
		}
	}
	if !turns {
		return
	}
	for k := range c.turn {
		rate := c.at[1][k]
		var b [2]float64
		for s, sign := range [2]float64{1, -1} {
			c.at[1][k] = rate + sign
			c.tracker.Motion(c.at[1], c.at[2])
			_, _, ddq := c.tracker.State()
			b[s] = ddq[coord]
		}
		c.at[1][k] = rate
		c.turn[k] = (b[0] - b[1]) / 4
	}
	c.tracker.Motion(c.at[1], c.at[2])
}

// proof adds to each sample's excess half a step at the rates of the sample: loops
// have no bounds of derivatives.
func (c *passiveLimits) proof(b *motionBounds, worst excesses) func(t []float64, motion *[3][][]float64) {
	h := b.step
	return func(times []float64, motion *[3][][]float64) {
		for t := range times {
			if !c.track(motion[0], motion[1], t, t == 0) {
				worst.raise(c.open(times[t]))
				break
			}
			_, dq, ddq := c.tracker.State()
			for i := range c.at[2] {
				c.at[2][i] = motion[2][i][t]
			}
			c.tracker.Motion(c.at[1], c.at[2])
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

package excite

import (
	"math"

	"ident/loops"
	"ident/robot"
)

// passiveLimits keeps the passive joints of a robot with closed loops within
// their own limits of position and velocity, while only the driven ones are
// free. With G = ∂q_p/∂q_a and b(v) the passive accelerations at driven rates v
// without driven accelerations, which is quadratic in v,
//
//	dq_p = G·dq_a,  ∂q_p/∂q_a = ∂dq_p/∂dq_a = G,
//	∂dq_p/∂q_k = (b(dq_a + e_k) - b(dq_a - e_k))/4
//
// where e_k is the unit rate of driven joint k: the polarisation of b, exact.
type passiveLimits struct {
	joints  []passiveJoint
	tracker *loops.Tracker
	margin  float64
	tight   []float64 // two a joint: position, velocity; one for the closing itself
	at      [3][]float64
	gain    []float64 // of the joint at hand by the driven ones
	turn    []float64
}

// passiveJoint is one with limits.
type passiveJoint struct {
	name              string
	coord             int // of the tree
	unit              string
	centre, half, vel float64 // zero half, zero vel: none
}

// passiveOf lists a robot's passive joints with limits. Half a range does not
// limit; one that is given on one side only is taken as none.
func passiveOf(r *robot.Robot) (out []passiveJoint) {
	f := newFigure(r)
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

func newPassiveLimits(joints []passiveJoint, t *loops.Tracker, margin float64, tight []float64) *passiveLimits {
	c := &passiveLimits{joints: joints, tracker: t, margin: margin, tight: tight}
	n := len(t.Driven())
	for o := range c.at {
		c.at[o] = make([]float64, n)
	}
	c.gain, c.turn = make([]float64, n), make([]float64, n)
	return c
}

func (c *passiveLimits) slack() []float64 { return c.tight }

// follow brings the loops to sample t of a motion and tells whether they close.
func (c *passiveLimits) follow(q, dq [][]float64, t int, begin bool) bool {
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

// open is the excess where the loops do not close: more than any limit's.
func (c *passiveLimits) open(at float64) Excess {
	return Excess{"closing", "the loops", 1, 0, "fault", 10, at, 2 * len(c.joints)}
}

// excess returns how far a passive joint is from its limits at the tracker's state.
func (c *passiveLimits) excess(i int, at, free float64) (position, velocity Excess) {
	j := &c.joints[i]
	q, dq, _ := c.tracker.State()
	position, velocity = Excess{Part: math.Inf(-1)}, Excess{Part: math.Inf(-1)}
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
	worst.Part = math.Inf(-1)
	for t := range e.samples {
		if !c.follow(e.motion[0], e.motion[1], t, t == 0) {
			return sum + 1, c.open(e.s.times[t])
		}
		for i := range c.joints {
			j := &c.joints[i]
			position, velocity := c.excess(i, e.s.times[t], 1-c.margin)
			position.Part += c.tight[2*i]
			velocity.Part += c.tight[2*i+1]
			for _, x := range [2]Excess{position, velocity} {
				if x.Part > worst.Part {
					worst = x
				}
			}
			rp, rv := max(0, position.Part+cushion), max(0, velocity.Part+cushion)
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
			for k := range c.gain {
				e.back[0][k][t] += byPos*c.gain[k] + byVel*c.turn[k]
				e.back[1][k][t] += byVel * c.gain[k]
			}
		}
	}
	return sum / float64(e.samples), worst
}

// slopes fills gain and, if asked for, turn, the derivatives of a coordinate's
// rate by the driven joints' rates and positions.
func (c *passiveLimits) slopes(coord int, turns bool) {
	clear(c.gain)
	for i, p := range c.tracker.Pairs() {
		if p.Coord == coord {
			c.gain[p.Driven] = c.tracker.Gains()[i]
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

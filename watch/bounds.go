package watch

import (
	"fmt"
	"math"
	"slices"
)

// Bounds are what a sound row of one robot does not exceed, by joint. They come from rows, because the limits of a robot file are often 0
// or a placeholder.
type Bounds struct {
	Step   []float64 `json:"step"`   // of a position, from one row to the next at the rate of the rows, rad or m
	Rate   []float64 `json:"rate"`   // of a velocity, rad/s or m/s
	Torque []float64 `json:"torque"` // N·m or N
	// Apart is how far a position may lie from where the mean velocity of the rows leads from the one before, beside twice what the velocity changes
	// it by from row to row, at the rate of the rows, rad or m.
	Apart []float64 `json:"apart"`
}

// boundFactor is how many times larger than the largest value of the rows that gave the bounds a sound value may be: a quiet log may be
// slow and unloaded, and a blow of many times the usual torque must be watched. A damaged number is larger by powers of ten.
const boundFactor = 100.

// blowFactor is how many times its bound a torque may be and still count, as the bound: 10,000 times the largest of the quiet rows. A blow of ten
// times the effort limit of a robot that is watched at a hundredth of its limits is a tenth of that. A larger number is no torque.
const blowFactor = 100

// kindShare is the part of the largest value of all joints of a kind (rotary or linear) that counts for each of them: a joint that rests in the
// quiet logs may move later.
const kindShare = 0.1

// leastUnit is the least value that counts as the largest of a kind, in rad/s or m/s and in N·m or N: logs of a robot at rest tell no scale.
const leastUnit = 1

// mostAngle bounds the magnitude of a position, rad or m. An axis of 1 rad/s reaches it in 30 years, and its sine is exact to 1e-7 there.
const mostAngle = 1e9

// surveyed is how many rows of a run, evenly spread, decide which of its values are outliers.
const surveyed = 10_000

// BoundsOf returns the bounds that rows of a robot give: boundFactor times the largest velocity, torque and change of a position. linear says of
// each joint whether it is prismatic, and rateHz is the rate of the rows. Values that are not finite, and those beyond the bounds that 99 % of
// the rows would give, do not count, so that a damaged number in a quiet log is no standard.
func BoundsOf(linear []bool, rateHz float64, runs ...Columns) Bounds {
	n := len(linear)
	largest := func(least float64, values func(c *Columns, j, k int) float64) []float64 {
		usual, most := make([]float64, n), make([]float64, n)
		each := func(j int, visit func(v float64)) {
			for i := range runs {
				for k := range runs[i].T {
					if v := math.Abs(values(&runs[i], j, k)); v <= math.MaxFloat64 {
						visit(v)
					}
				}
			}
		}
		rows := 0
		for i := range runs {
			rows += len(runs[i].T)
		}
		stride := max(1, rows/surveyed)
		for j := range n {
			var some []float64
			at := 0
			each(j, func(v float64) {
				if at++; at%stride == 0 {
					some = append(some, v)
				}
			})
			if slices.Sort(some); len(some) > 0 {
				usual[j] = some[len(some)*99/100]
			}
		}
		usual = scaled(usual, linear, least)
		for j := range n {
			each(j, func(v float64) {
				if v <= usual[j] {
					most[j] = max(most[j], v)
				}
			})
		}
		return scaled(most, linear, least)
	}
	b := Bounds{
		Rate:   largest(leastUnit, func(c *Columns, j, k int) float64 { return c.DQ[j][k] }),
		Torque: largest(leastUnit, func(c *Columns, j, k int) float64 { return c.Tau[j][k] }),
		Step: largest(leastUnit/rateHz, func(c *Columns, j, k int) float64 {
			if k == 0 {
				return 0
			}
			return c.Q[j][k] - c.Q[j][k-1]
		}),
		Apart: largest(0, func(c *Columns, j, k int) float64 {
			if k == 0 {
				return 0
			}
			return apart(c.Q[j][k]-c.Q[j][k-1], c.DQ[j][k-1], c.DQ[j][k], c.T[k]-c.T[k-1])
		}),
	}
	for j := range b.Apart {
		b.Apart[j] = apartFactor/boundFactor*b.Apart[j] + 2/boundFactor*b.Rate[j]/rateHz
	}
	return b
}

// apartFactor is how many times as far as in the quiet rows a position may lie from where velocities lead: with the speed that a joint may stop from,
// which velocities that a drive smooths show late.
const apartFactor = 10.

// apart returns how far a change of a position lies from what velocities at both of its ends give.
func apart(change, before, after, dt float64) float64 { return math.Abs(change - (before+after)/2*dt) }

// AtLeast returns the bounds, with velocities and torques that are at least as large for every joint. Steps of positions follow from the velocity.
func (b Bounds) AtLeast(rate, torque, rateHz float64) Bounds {
	out := Bounds{}
	for j := range b.Rate {
		out.Rate, out.Torque = append(out.Rate, max(b.Rate[j], rate)), append(out.Torque, max(b.Torque[j], torque))
		out.Step = append(out.Step, max(b.Step[j], rate/rateHz))
	}
	out.Apart = b.Apart
	return out
}

// scaled returns the bounds that the largest values of the joints give.
func scaled(largest []float64, linear []bool, least float64) []float64 {
	kind := [2]float64{least, least}
	of := func(j int) int {
		if linear[j] {
			return 1
		}
		return 0
	}
	for j, v := range largest {
		kind[of(j)] = max(kind[of(j)], v)
	}
	out := make([]float64, len(largest))
	for j, v := range largest {
		out[j] = boundFactor * max(v, kindShare*kind[of(j)])
	}
	return out
}

// fault is what is wrong with a row. The zero value is a sound row.
type fault struct {
	kind  faultKind
	joint int // -1 for none
	size  float64
}

type faultKind int

const (
	sound       faultKind = iota
	badTime               // no number, or beyond what a clock of the rows' rate resolves
	badPosition           // no number
	badVelocity
	badTorque
	farPosition // a number that the robot cannot have
	farVelocity
	farTorque // counts as the bound
	noTorque  // no blow is as large
	torn      // a position that its velocity does not lead to
	farState  // the observer's
	clockSame
	clockBack
	gap
	otherRate
	stuckPosition
	stuckVelocity
	stuckTorque
	stuckAll // every channel of every joint
	stopped
	lostRows // that the caller left out
	badLines // that are no rows
)

// Sound reports whether row k of c is sound, the order of its clock apart. The row before it in c tells the steps of its positions.
func (b *Bounds) Sound(c *Columns, k int) bool {
	if !(math.Abs(c.T[k]) <= math.MaxFloat64) {
		return false
	}
	for j := range c.Q {
		q := c.Q[j][k]
		if !(math.Abs(q) <= mostAngle && math.Abs(c.DQ[j][k]) <= b.Rate[j] && math.Abs(c.Tau[j][k]) <= b.Torque[j]) {
			return false
		}
		if k > 0 {
			if last := c.Q[j][k-1]; math.Abs(last) <= mostAngle && math.Abs(q-last) > b.Step[j] {
				return false
			}
		}
	}
	return true
}

// before is the sound row before another one: its positions and velocities, nil for none, and how long ago it was, in intervals of rows and in s.
type before struct {
	q, v          []float64
	rows, seconds float64
}

// jumps reports whether a position is beyond what a row can change it by.
func (b *Bounds) jumps(last *before, j int, q float64) bool {
	return math.Abs(q) > mostAngle || last.q != nil && math.Abs(q-last.q[j]) > last.rows*b.Step[j]
}

// parts reports whether the velocities do not lead to a position.
func (b *Bounds) parts(last *before, j int, q, v float64) bool {
	return last.q != nil && apart(q-last.q[j], last.v[j], v, last.seconds) > last.rows*b.Apart[j]+2*max(math.Abs(v), math.Abs(last.v[j]))*last.seconds
}

// judge returns what is wrong with the values of row k.
func (b *Bounds) judge(c *Columns, k int, last *before) fault {
	for j := range c.Q {
		q, v, tau := c.Q[j][k], c.DQ[j][k], c.Tau[j][k]
		if math.Abs(v) <= b.Rate[j] && math.Abs(tau) <= b.Torque[j] && math.Abs(q) <= mostAngle && !b.jumps(last, j, q) && !b.parts(last, j, q, v) {
			continue
		}
		// A value that is no number in a later joint weighs more than one that is too large.
		for i := j; i < len(c.Q); i++ {
			for g, x := range [3]float64{c.Q[i][k], c.DQ[i][k], c.Tau[i][k]} {
				if !(math.Abs(x) <= math.MaxFloat64) {
					return fault{badPosition + faultKind(g), i, x}
				}
			}
		}
		worst := fault{farTorque, j, tau}
		for i := j; i < len(c.Q); i++ {
			switch q, v, tau := c.Q[i][k], c.DQ[i][k], c.Tau[i][k]; {
			case b.jumps(last, i, q):
				return fault{farPosition, i, q}
			case math.Abs(v) > b.Rate[i]:
				return fault{farVelocity, i, v}
			case math.Abs(tau) > blowFactor*b.Torque[i]:
				return fault{noTorque, i, tau}
			case b.parts(last, i, q, v):
				return fault{torn, i, q - last.q[i]}
			}
		}
		return worst
	}
	return fault{}
}

// groups names the channels of a joint, in the order of the faults.
var groups = [3]string{"position", "velocity", "torque"}

// text says what is wrong.
func (b *Bounds) text(f fault, names []string) string {
	at := ""
	if f.joint >= 0 && f.joint < len(names) {
		at = names[f.joint]
	}
	switch f.kind {
	case badTime:
		return "the time is no number of a clock"
	case badPosition, badVelocity, badTorque:
		return fmt.Sprintf("the %s of joint %s is no number", groups[f.kind-badPosition], at)
	case farPosition:
		return fmt.Sprintf("the position of joint %s jumps to %.3g: a row cannot change it by more than %.3g", at, f.size, b.Step[f.joint])
	case torn:
		return fmt.Sprintf("the position of joint %s jumps by %.3g, which its velocity does not lead to", at, f.size)
	case farVelocity:
		return fmt.Sprintf("the velocity of joint %s is %.3g, beyond what the joint can have (%.3g)", at, f.size, b.Rate[f.joint])
	case farTorque, noTorque:
		return fmt.Sprintf("the torque of joint %s is %.3g, beyond what a sensor should give (%.3g)", at, f.size, b.Torque[f.joint])
	case farState:
		return fmt.Sprintf("the external torque of joint %s is %.3g, beyond what can be watched (%.3g): the observer begins again", at, f.size, stateFactor*b.Torque[f.joint])
	case clockSame:
		return "the clock stands still"
	case clockBack:
		return fmt.Sprintf("the clock goes back by %.3g s", f.size)
	case gap:
		return fmt.Sprintf("%.3g s without rows", f.size)
	}
	return ""
}

// stateFactor is how many times the bound of a torque the observer's value may reach: a torque at its bound, beside a model that asks for the
// opposite.
const stateFactor = 2

// clockTime reports whether a time is one that a clock of rows at rateHz can show: beyond, numbers of 53 bits do not resolve a tenth of a row.
func clockTime(t, rateHz float64) bool { return math.Abs(t)*0x1p-52 <= 0.1/rateHz }

package excite

import (
	"fmt"
	"math"

	"ident/internal/spatial"
	"ident/regressor"
)

// coupled is a constraint that does not belong to one joint's motion alone.
// Its excess at a sample is
//
//	value/limit - (1 - margin - tight)
//
// positive where it is violated; tight is what a search keeps in hand for what
// happens between its samples.
type coupled interface {
	// penalty returns the mean over the samples of the squared excess beyond
	// -cushion, summed over what is constrained, and the worst excess. With
	// weight above zero it adds weight times the derivative to the evaluator.
	penalty(e *evaluator, weight float64) (sum float64, worst Excess)
	// slack is what the search keeps in hand, by part of the constraint.
	slack() []float64
}

// cushion makes the penalty push before a limit is reached: a penalty alone
// would stop a little beyond it.
const cushion = 0.005

// Excess says how far a constraint is from being met: it is violated where Part
// is above zero.
type Excess struct {
	Constraint string  // "torque", "power", "distance", "speed"; "position" … "jerk" for a joint's own
	Of         string  // the joint, the pair of bodies or the frame
	Value      float64 // at the worst moment
	Limit      float64
	Unit       string
	Part       float64 // excess as a part of the limit; of the unit length for distances
	At         float64 // seconds
	part       int     // index into slack
}

// String says how far.
func (x Excess) String() string {
	return fmt.Sprintf("%s of %s: %.4g %s at %.2f s, allowed %.4g %s", x.Constraint, x.Of, x.Value, x.Unit, x.At, x.Limit, x.Unit)
}

// torqueLimits bounds each joint's torque and power for all parameters in a box.
// With χ the columns' values and u their uncertainty, the torque of sample t is
// at most
//
//	|Y·χ| + |Y|·u
//
// where Coulomb friction always counts against: it changes sign within a sample.
type torqueLimits struct {
	names         []string
	prismatic     []bool
	values        []float64 // of the model's columns
	spread        []float64
	coulomb       []bool // columns of Coulomb friction
	effort, power []float64
	margin        float64
	tight         []float64 // two a joint: effort, power
}

func (c *torqueLimits) slack() []float64 { return c.tight }

// torque returns the nominal torque of joint k at sample t of a block, and how
// far the parameters' uncertainty and Coulomb friction may move it. For the
// former |y| is rounded off to √(y² + softEntry²), which is not less, convex, and
// has a derivative.
func (c *torqueLimits) torque(m *regressor.Model, b *regressor.Block, k, t int) (nominal, wide float64) {
	for a, col := range m.Mask(k) {
		y := b.Joint[k][a][t]
		if c.coulomb[col] {
			wide += math.Abs(y) * (math.Abs(c.values[col]) + c.spread[col])
			continue
		}
		nominal += y * c.values[col]
		if u := c.spread[col]; u > 0 {
			wide += u * math.Sqrt(y*y+softEntry*softEntry)
		}
	}
	return nominal, wide
}

// softEntry is small beside a moving arm's entries, which are of the order of
// one in SI units.
const softEntry = 0.01

func (c *torqueLimits) penalty(e *evaluator, weight float64) (sum float64, worst Excess) {
	worst.Part = math.Inf(-1)
	for k := range c.names {
		unit := "N·m"
		if c.prismatic[k] {
			unit = "N"
		}
		for t := range e.samples {
			if c.effort[k] == 0 && c.power[k] == 0 {
				break
			}
			nominal, wide := c.torque(e.m, e.block, k, t)
			for _, sign := range [2]float64{1, -1} {
				tau, rate := sign*nominal+wide, math.Abs(e.motion[1][k][t])
				by := 0.0 // derivative of the penalty by the bound
				if limit := c.effort[k]; limit > 0 {
					x := tau/limit - (1 - c.margin - c.tight[2*k])
					if x > worst.Part {
						worst = Excess{"torque", c.names[k], tau, limit * (1 - c.margin), unit, x, e.s.times[t], 2 * k}
					}
					if r := x + cushion; r > 0 {
						sum += r * r
						by += 2 * r / limit
					}
				}
				if limit := c.power[k]; limit > 0 {
					x := tau*rate/limit - (1 - c.margin - c.tight[2*k+1])
					if x > worst.Part {
						worst = Excess{"power", c.names[k], tau * rate, limit * (1 - c.margin), "W", x, e.s.times[t], 2*k + 1}
					}
					if r := x + cushion; r > 0 {
						sum += r * r
						by += 2 * r / limit * rate
						if weight > 0 {
							e.back[1][k][t] += weight / float64(e.samples) * 2 * r / limit * tau * math.Copysign(1, e.motion[1][k][t])
						}
					}
				}
				if by == 0 || weight == 0 {
					continue
				}
				by *= weight / float64(e.samples)
				for a, col := range e.m.Mask(k) {
					if !c.coulomb[col] {
						y := e.block.Joint[k][a][t]
						e.gamma.Joint[k][a][t] += by * (sign*c.values[col] + c.spread[col]*y/math.Sqrt(y*y+softEntry*softEntry))
					}
				}
			}
		}
	}
	return sum / float64(e.samples), worst
}

// apartness keeps bodies apart from each other and from keep-outs.
type apartness struct {
	f         *figure
	p         *pose
	in        *bodies
	pairs     []proximity
	clearance float64
	tight     []float64 // one a pair, in unit lengths
}

// unitLength is the distance that counts as one, m.
const unitLength = 0.1

func (c *apartness) slack() []float64 { return c.tight }

func (c *apartness) penalty(e *evaluator, weight float64) (sum float64, worst Excess) {
	worst.Part = math.Inf(-1)
	for t := range e.samples {
		c.p.set(e.motion[0], nil, t)
		c.in.set(c.p)
		for i := range c.pairs {
			x := &c.pairs[i]
			if over := (c.clearance-x.least(c.in))/unitLength + c.tight[i]; over < -cushion && over <= worst.Part {
				continue
			}
			d, pa, pb, n := x.distance(c.in)
			over := (c.clearance-d)/unitLength + c.tight[i]
			if over > worst.Part {
				worst = Excess{"distance", x.name, d, c.clearance, "m", over, e.s.times[t], i}
			}
			r := over + cushion
			if r <= 0 {
				continue
			}
			sum += r * r
			if weight > 0 {
				by := -weight / float64(e.samples) * 2 * r / unitLength
				c.p.pull(e.back[0], t, c.in.of[x.a].Link, pa, n, by)
				if x.b >= 0 {
					c.p.pull(e.back[0], t, c.in.of[x.b].Link, pb, n, -by)
				}
			}
		}
	}
	return sum / float64(e.samples), worst
}

// tipSpeed bounds the speed of a point of a link.
type tipSpeed struct {
	p      *pose
	name   string
	link   int
	at     spatial.Vec
	limit  float64
	margin float64
	tight  []float64
}

func (c *tipSpeed) slack() []float64 { return c.tight }

func (c *tipSpeed) penalty(e *evaluator, weight float64) (sum float64, worst Excess) {
	worst.Part = math.Inf(-1)
	for t := range e.samples {
		c.p.set(e.motion[0], e.motion[1], t)
		x := c.p.point(c.link, c.at)
		v := c.p.velocity(c.link, x)
		speed := spatial.Norm(v)
		over := speed/c.limit - (1 - c.margin - c.tight[0])
		if over > worst.Part {
			worst = Excess{"speed", c.name, speed, c.limit * (1 - c.margin), "m/s", over, e.s.times[t], 0}
		}
		r := over + cushion
		if r <= 0 || speed == 0 {
			continue
		}
		sum += r * r
		if weight > 0 {
			c.p.pullVelocity(e.back[0], e.back[1], t, c.link, x, spatial.Scale(1/speed, v), weight/float64(e.samples)*2*r/c.limit)
		}
	}
	return sum / float64(e.samples), worst
}

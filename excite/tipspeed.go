package excite

import (
	"math"

	"ident/internal/spatial"
	"ident/mechanics/kinematics"
)

// tipSpeed bounds the speed of a point of a link.
type tipSpeed struct {
	p      *kinematics.SamplePose
	name   string
	link   int
	at     spatial.Vec // in the link's frame
	limit  float64     // m/s
	margin float64
	tight  []float64
}

func (c *tipSpeed) clone() coupled {
	own := *c
	own.p = c.p.Tree().NewSamplePose()
	return &own
}

func (c *tipSpeed) tightening() []float64 { return c.tight }

func (c *tipSpeed) penalty(e *evaluator, weight float64) (sum float64, worst Excess) {
	worst.Relative = math.Inf(-1)
	for t := range e.samples {
		c.p.Place(e.motion[0], e.motion[1], t)
		x := c.p.Point(c.link, c.at)
		v := c.p.Velocity(c.link, x)
		speed := spatial.Norm(v)
		over := speed/c.limit - (1 - c.margin - c.tight[0])
		if over > worst.Relative {
			worst = Excess{"speed", c.name, speed, c.limit * (1 - c.margin), "m/s", over, e.s.times[t], 0}
		}
		r := over + onset
		if r <= 0 || speed == 0 {
			continue
		}
		sum += r * r
		if weight > 0 {
			c.p.AddVelocityGradient(e.byMotion[0], e.byMotion[1], t, c.link, x, spatial.Scale(1/speed, v), weight/float64(e.samples)*2*r/c.limit)
		}
	}
	return sum / float64(e.samples), worst
}

func (c *tipSpeed) proof(b *motionBounds, worst excesses) func(t []float64, motion *[3][][]float64) {
	l := &b.links[c.link]
	jerk := l.V.Add(l.W.Scale(spatial.Norm(c.at)))[2] // second derivative of the velocity
	return func(times []float64, motion *[3][][]float64) {
		for t := range times {
			c.p.Place(motion[0], motion[1], t)
			v := spatial.Norm(c.p.Velocity(c.link, c.p.Point(c.link, c.at))) + b.step*b.step/8*jerk
			worst.raise(Excess{"speed", c.name, v, c.limit, "m/s", v/c.limit - 1, times[t], 0})
		}
	}
}

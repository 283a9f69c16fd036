package excite

import (
	"math"

	"ident/internal/spatial"
)

// separation keeps pairs of bodies, and bodies and keep-outs, a distance apart.
type separation struct {
	tree      *kinematicTree
	p         *pose
	in        *bodies
	pairs     []bodyPair
	clearance float64   // m
	tight     []float64 // one a pair, in unitLength
}

// unitLength is the distance with excess one, m.
const unitLength = 0.1

func newSeparation(tree *kinematicTree, capsules []Capsule, pairs []bodyPair, clearance float64, tight []float64) *separation {
	return &separation{tree, tree.newPose(), newBodies(capsules), pairs, clearance, tight}
}

func (c *separation) clone() coupled {
	return newSeparation(c.tree, c.in.of, c.pairs, c.clearance, c.tight)
}

func (c *separation) tightening() []float64 { return c.tight }

func (c *separation) penalty(e *evaluator, weight float64) (sum float64, worst Excess) {
	worst.Relative = math.Inf(-1)
	for t := range e.samples {
		c.p.set(e.motion[0], nil, t)
		c.in.set(c.p)
		for i := range c.pairs {
			x := &c.pairs[i]
			// Farther than this the pair is neither penalised nor the worst.
			if x.beyond(c.in, c.clearance+unitLength*(c.tight[i]-min(-onset, worst.Relative))) {
				continue
			}
			d, pa, pb, n := x.distance(c.in)
			over := (c.clearance-d)/unitLength + c.tight[i]
			if over > worst.Relative {
				worst = Excess{"distance", x.name, d, c.clearance, "m", over, e.s.times[t], i}
			}
			r := over + onset
			if r <= 0 {
				continue
			}
			sum += r * r
			if weight > 0 {
				by := -weight / float64(e.samples) * 2 * r / unitLength
				c.p.addPositionGradient(e.byMotion[0], t, c.in.of[x.a].Link, pa, n, by)
				if x.b >= 0 {
					c.p.addPositionGradient(e.byMotion[0], t, c.in.of[x.b].Link, pb, n, -by)
				}
			}
		}
	}
	return sum / float64(e.samples), worst
}

// proof bounds each pair's distance between samples by the speeds of its
// capsules. A pair is measured again only when it may have come nearer than at
// its worst moment so far.
func (c *separation) proof(b *motionBounds, worst excesses) func(t []float64, motion *[3][][]float64) {
	h := b.step
	speeds := make([]float64, len(c.pairs)) // of approach, m/s
	for i := range c.pairs {
		speeds[i] = capsuleSpeed(b.links, &c.in.of[c.pairs[i].a])
		if k := c.pairs[i].b; k >= 0 {
			speeds[i] += capsuleSpeed(b.links, &c.in.of[k])
		}
	}
	// Distance and time of each pair's last measurement.
	seen := make([]struct{ gap, at float64 }, len(c.pairs))
	for i := range seen {
		seen[i].gap = math.Inf(-1)
	}
	return func(times []float64, motion *[3][][]float64) {
		for t := range times {
			placed := false
			for i := range c.pairs {
				if (c.clearance-seen[i].gap+speeds[i]*(times[t]-seen[i].at+h/2))/unitLength <= worst[i].Relative {
					continue
				}
				if !placed {
					placed = true
					c.p.set(motion[0], nil, t)
					c.in.set(c.p)
				}
				gap, _, _, _ := c.pairs[i].distance(c.in)
				seen[i].gap, seen[i].at = gap, times[t]
				gap -= h / 2 * speeds[i]
				worst.raise(Excess{"distance", c.pairs[i].name, gap, c.clearance, "m", (c.clearance - gap) / unitLength, times[t], i})
			}
		}
	}
}

// capsuleSpeed bounds the speed of the points of a capsule's axis, m/s.
func capsuleSpeed(links []linkBounds, c *Capsule) float64 {
	if c.Link < 0 {
		return 0
	}
	return links[c.Link].v[0] + links[c.Link].w[0]*max(spatial.Norm(c.A), spatial.Norm(c.B))
}

package excite

import (
	"fmt"
	"math"
	"sync"

	"ident/internal/spatial"
	"ident/mechanics/kinematics"
)

// separation keeps pairs of bodies, and bodies and keep-outs, a distance apart.
type separation struct {
	tree      *kinematics.Tree
	p         *kinematics.SamplePose
	in        *bodies
	pairs     []bodyPair
	clearance float64                         // m
	tight     []float64                       // one per pair, in unitLength
	program   func() *kinematics.PointProgram // see pairProgram
	track     *kinematics.PointTrack          // of the motion of the search; nil before the first
}

// unitLength is the distance with excess one, m.
const unitLength = 0.1

func newSeparation(tree *kinematics.Tree, capsules []Capsule, pairs []bodyPair, clearance float64, tight []float64) *separation {
	c := &separation{tree: tree, p: tree.NewSamplePose(), in: newBodies(capsules), pairs: pairs, clearance: clearance, tight: tight}
	c.program = sync.OnceValue(func() *kinematics.PointProgram { return pairProgram(tree, capsules, pairs) })
	return c
}

// pairProgram computes the ends of the capsules' axes, two a capsule, and the squared distance of the middles of two, one
// a pair; with a keep-out it is zero.
func pairProgram(tree *kinematics.Tree, capsules []Capsule, pairs []bodyPair) *kinematics.PointProgram {
	var points []kinematics.Point
	for _, c := range capsules {
		points = append(points, kinematics.Point{Link: c.Link, At: c.A}, kinematics.Point{Link: c.Link, At: c.B})
	}
	ends := len(points)
	for _, c := range capsules {
		points = append(points, kinematics.Point{Link: c.Link, At: spatial.Scale(0.5, spatial.Add(c.A, c.B))})
	}
	var between [][2]int
	for _, x := range pairs {
		b := x.a
		if x.b >= 0 {
			b = x.b
		}
		between = append(between, [2]int{ends + x.a, ends + b})
	}
	return tree.PointProgram(points, ends, between)
}

func (c *separation) clone() coupled {
	own := newSeparation(c.tree, c.in.of, c.pairs, c.clearance, c.tight)
	own.program = c.program
	return own
}

func (c *separation) tightening() []float64 { return c.tight }

// penalty measures a pair at the samples where the spheres around its bodies do not keep it from being penalised. Bodies
// that pass each other come nearer between two samples than at them, by centimetres at 10 Hz: a fine search measures them
// halfway as well.
func (c *separation) penalty(e *evaluator, weight float64) (sum float64, worst Excess) {
	if c.track == nil {
		c.track = c.program().NewTrack(e.samples)
	}
	share := 1 / float64(e.samples)
	if !e.fine {
		return c.penaltyAt(e.motion[0], e.byMotion[0], e.s.times, share, weight)
	}
	sum, worst = c.penaltyAt(e.motion[0], e.byMotion[0], e.s.times, share/2, weight)
	more, other := c.penaltyAt(e.halfway, e.byHalfway, e.s.times, share/2, weight)
	if other.Relative > worst.Relative {
		worst = other
	}
	return sum + more, worst
}

// penaltyAt is penalty at samples of the positions q, [joint][sample], each with the given share of a mean; by are the
// derivatives by q.
func (c *separation) penaltyAt(q, by [][]float64, times []float64, share, weight float64) (sum float64, worst Excess) {
	worst.Relative = math.Inf(-1)
	c.track.Follow(q, len(times))
	for i := range c.pairs {
		x := &c.pairs[i]
		near := c.clearance + unitLength*(c.tight[i]+onset)
		reach := near + c.in.sphere[x.a]
		if x.b >= 0 {
			reach += c.in.sphere[x.b]
		}
		if reach < 0 {
			continue
		}
		for t, square := range c.track.Square[i] {
			if x.b >= 0 && square > reach*reach {
				continue
			}
			a, b := c.axisAt(x.a, t), &[2]spatial.Vec{}
			switch {
			case x.b >= 0:
				if *b = c.axisAt(x.b, t); axesBeyond(&a, b, near+c.in.of[x.a].Radius+c.in.of[x.b].Radius) {
					continue
				}
			case !x.out.plane() && x.out.beyond(spatial.Scale(0.5, spatial.Add(a[0], a[1])), reach):
				continue
			}
			d, pa, pb, n := x.between(c.in.of, &a, b)
			r := (near - d) / unitLength
			if r <= 0 {
				continue
			}
			if over := (c.clearance-d)/unitLength + c.tight[i]; over > worst.Relative {
				worst = Excess{"distance", x.name, d, c.clearance, "m", over, times[t], i}
			}
			sum += r * r
			if weight > 0 {
				slope := -weight * share * 2 * r / unitLength
				c.p.Place(q, nil, t)
				c.p.AddPositionGradient(by, t, c.in.of[x.a].Link, pa, n, slope)
				if x.b >= 0 {
					c.p.AddPositionGradient(by, t, c.in.of[x.b].Link, pb, n, -slope)
				}
			}
		}
	}
	return share * sum, worst
}

// axesBeyond returns true if two axes are surely farther than d from each other: their extents along the line m between
// their middles are (exact for parallel axes and axes in line). It is cheap, and false if this does not decide.
func axesBeyond(a, b *[2]spatial.Vec, d float64) bool {
	var mm, ma, mb float64 // squared length of 2m; products of 2m with the axes
	for k := range 3 {
		m := a[0][k] + a[1][k] - b[0][k] - b[1][k]
		mm += m * m
		ma += m * (a[1][k] - a[0][k])
		mb += m * (b[1][k] - b[0][k])
	}
	// |m| - (|m·a| + |m·b|)/(2·|m|) > d, times 4·|m|; no axes are at a distance below zero.
	free := mm - math.Abs(ma) - math.Abs(mb)
	return d <= 0 || free > 0 && free*free > 4*d*d*mm
}

// axisAt returns the ends of a capsule's axis at a sample of the search.
func (c *separation) axisAt(capsule, t int) (ends [2]spatial.Vec) {
	for i := range ends {
		x := &c.track.At[2*capsule+i]
		ends[i] = spatial.Vec{x[0][t], x[1][t], x[2][t]}
	}
	return ends
}

// proof bounds each pair's distance between samples, see gapBounds. A pair is measured again only when it may have
// come nearer than at its worst moment so far: at the greatest speed of approach since its last measurement, and until
// the next sample.
func (c *separation) proof(b *motionBounds, worst excesses) func(t []float64, motion *[3][][]float64) {
	h := b.step
	bounds := c.bounds(b)
	// Distance and time of each pair's last measurement.
	seen := make([]struct{ gap, at float64 }, len(c.pairs))
	for i := range seen {
		seen[i].gap = math.Inf(-1)
	}
	return func(times []float64, motion *[3][][]float64) {
		for t := range times {
			placed := false
			for i := range c.pairs {
				if (c.clearance-seen[i].gap+bounds[i].speed*(times[t]-seen[i].at+h))/unitLength <= worst[i].Relative {
					continue
				}
				if !placed {
					placed = true
					c.p.Place(motion[0], nil, t)
					c.in.set(c.p)
				}
				gap, _, _, _ := c.pairs[i].distance(c.in)
				seen[i].gap, seen[i].at = gap, times[t]
				gap -= bounds[i].below(gap, c.clearance, h)
				worst.raise(Excess{"distance", c.pairs[i].name, gap, c.clearance, "m", (c.clearance - gap) / unitLength, times[t], i})
			}
		}
	}
}

// gapBounds bound the distance of two bodies between samples a time h apart. It is the least over pairs of points of the
// axes, one on each, of their distance |x|, less the radii. At a relative speed v and acceleration a of points, |x| has a
// second derivative of at most A = v²/|x| + a, so that it is no more than h²/8·A below the smaller of its values at both
// samples: |x| itself, for any two points, and so their least. No |x| is less than that of the smaller distance at the
// nearer sample, half a step away; of a larger one than is permitted that of the permitted one is taken. Without A, as for
// a half-space or axes that touch, the bound is h/2·v.
type gapBounds struct {
	speed, acceleration float64 // v, m/s, and a, m/s²
	radii               float64 // sum, m; negative where A is not known
}

// below returns the largest amount by which a pair's distance between two samples is less than at both; gap is the
// smaller.
func (g *gapBounds) below(gap, clearance, h float64) float64 {
	first := h / 2 * g.speed
	apart := g.radii + min(gap, clearance) - first
	if g.radii < 0 || !(apart > 0) {
		return first
	}
	return min(first, h*h/8*(g.speed*g.speed/apart+g.acceleration))
}

// bounds returns the bounds of all pairs: of the motion by the joints that move one body against the other, as the joints
// before them carry both and change no distance.
func (c *separation) bounds(b *motionBounds) []gapBounds {
	out := make([]gapBounds, len(c.pairs))
	known := map[string][]linkBounds{}
	for i, x := range c.pairs {
		links := []int{c.in.of[x.a].Link, -1}
		if x.b >= 0 {
			links[1] = c.in.of[x.b].Link
		}
		between := jointsBetween(c.tree, links[0], links[1])
		key := fmt.Sprint(between)
		if known[key] == nil {
			known[key] = boundLinks(c.tree, [3]float64{}, motionOf{b.motion, between}, b.reach)
		}
		g := &out[i]
		for _, k := range []int{x.a, x.b} {
			if k < 0 {
				continue
			}
			v, a := capsuleMotion(known[key], &c.in.of[k])
			g.speed, g.acceleration, g.radii = g.speed+v, g.acceleration+a, g.radii+c.in.of[k].Radius
		}
		if x.b < 0 && x.out.plane() {
			g.radii = -1
		}
	}
	return out
}

// motionOf is the motion of some joints alone, one entry per joint.
type motionOf struct {
	Motion
	moves []bool
}

func (m motionOf) Bound(joint, order int) float64 {
	if !m.moves[joint] {
		return 0
	}
	return m.Motion.Bound(joint, order)
}

// jointsBetween marks the joints that move two links against each other: those on only one of the links' two ways to the
// base. Link -1 is the base.
func jointsBetween(f *kinematics.Tree, one, other int) []bool {
	links, ways := f.Links(), make([]int, len(f.Links()))
	for _, j := range []int{one, other} {
		for ; j >= 0; j = links[j].Antecedent {
			ways[j]++
		}
	}
	moves := make([]bool, f.DOF())
	for j, n := range ways {
		if n == 1 && links[j].Coord >= 0 {
			moves[links[j].Coord] = true
		}
	}
	return moves
}

// proofRate is the least rate at which distances are measured, Hz.
const proofRate = 500

// grid thins the times of the final check to those at which distances are measured: the fewest that bound
// no distance worse than the speed of approach does at all of them.
func (c *separation) grid(b *motionBounds, times []float64) (*motionBounds, []float64) {
	every := max(1, int(1/(proofRate*b.step)))
	for _, g := range c.bounds(b) {
		for every > 1 && g.below(math.Inf(1), c.clearance, float64(every)*b.step) > b.step/2*g.speed {
			every--
		}
	}
	if every == 1 || len(times) == 0 {
		return b, times
	}
	var few []float64
	for k := 0; k < len(times)-1; k += every {
		few = append(few, times[k])
	}
	thin := *b
	thin.step *= float64(every)
	return &thin, append(few, times[len(times)-1])
}

// capsuleMotion bounds the speed and the acceleration of the points of a capsule's axis, m/s and m/s², by those of links
// without gravity.
func capsuleMotion(links []linkBounds, c *Capsule) (speed, acceleration float64) {
	if c.Link < 0 {
		return 0, 0
	}
	l, reach := &links[c.Link], max(spatial.Norm(c.A), spatial.Norm(c.B))
	return l.V[0] + l.W[0]*reach, l.DV[0] + (l.DW[0]+l.W[0]*l.W[0])*reach
}

package causes

import (
	"cmp"
	"math"
	"slices"

	"ident/observation"
)

// Half widths of a backlash, rad or m: the one that is tried of every joint, and the factor between those tried next.
// More than half of the true width already explains most of a backlash.
const someSlack, moreSlack = 0.008, 1.5

// reversalRows is the number of rows at which widths are compared: a joint passes few of them while it turns back.
const reversalRows = 120

// rivalSlacks is the number of joints whose widths are searched, mostSteps that of the steps in one direction.
const rivalSlacks, mostSteps = 2, 12

// backlashes returns the best hypothesis of lost motion between a joint and its encoder: the joint stands until the
// encoder has gone through twice the half width.
func (t *trial) backlashes() []*hypothesis {
	if slices.Max(t.share) < exactShare {
		return nil
	}
	c := t.thinned(reversalRows)
	of := func(t *trial, j int, half float64, fit func(c Cause, d *design, y [][]float64, channel []int, cost float64) *hypothesis) *hypothesis {
		d := t.slack(j, half)
		defer d.done()
		return fit(Cause{Kind: Backlash, Joints: []int{j}, Value: 2 * half}, d, t.y, nil, 1+math.Log(float64(t.bodies.joints)))
	}
	tried := func(k Cause, d *design, _ [][]float64, _ []int, cost float64) *hypothesis {
		return c.tried(&refit{Cause: k, cost: cost}, d)
	}
	var first []*hypothesis // of each joint
	for j, moves := range t.moves {
		if moves {
			first = append(first, of(c, j, someSlack, tried))
		}
	}
	slices.SortStableFunc(first, func(a, b *hypothesis) int { return cmp.Compare(b.nats, a.nats) })
	var out []*hypothesis
	for _, h := range first[:min(len(first), rivalSlacks)] {
		if h.nats < promising {
			break
		}
		better := func(by float64) bool {
			next := of(c, h.Joints[0], by*h.Value/2, tried)
			if !(next.nats > h.nats) {
				return false
			}
			h = next
			return true
		}
		for _, by := range []float64{moreSlack, 1 / moreSlack, math.Sqrt(moreSlack), 1 / math.Sqrt(moreSlack)} {
			for range mostSteps {
				if !better(by) {
					break
				}
			}
		}
		if h.promising() {
			out = append(out, of(t, h.Joints[0], h.Value/2, t.refitted))
		}
	}
	return out
}

// slack returns the design of the motion in which a joint follows its encoder with a play of the given half width.
func (t *trial) slack(j int, half float64) *design {
	paths := make([]*jointPath, t.bodies.joints)
	paths[j] = t.jointPath(true, func(i int, q []float64) {
		copy(q, t.tracks[i].raw[j])
		at := q[0]
		for k, x := range q {
			at = min(max(at, x-half), x+half)
			q[k] = at
		}
	})
	return t.along(paths)
}

// jointPath is another motion of a joint at the rows, with the sign of its velocity behind the low-pass of the torques.
type jointPath struct{ q, v, a, sign []float64 }

// pathWork is memory for the path of a joint.
type pathWork struct {
	q, sign []float64
	motion  observation.MotionWork
	rows    observation.RowWork
}

// jointPath returns the motion of a joint that has the positions that fill sets for all samples of a track, behind the low-pass if
// through says so.
func (t *trial) jointPath(through bool, fill func(track int, q []float64)) *jointPath {
	w, n := &t.desk.path, len(t.rows)
	p := &jointPath{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	for i := range t.tracks {
		tr := &t.tracks[i]
		if cap(w.q) < tr.n {
			w.q, w.sign = make([]float64, tr.n), make([]float64, tr.n)
		}
		q, sign := w.q[:tr.n], w.sign[:tr.n]
		fill(i, q)
		apply := tr.differences
		if through {
			apply = tr.motion
		}
		moved := apply.Apply(observation.Measurement{Q: [][]float64{q}}, &w.motion)
		v, a := moved.DQ[0], moved.DDQ[0]
		slow := max(slowShare*rms(v), math.SmallestNonzeroFloat64)
		for k, x := range v {
			sign[k] = x / max(math.Abs(x), slow)
		}
		tr.low.Apply([][]float64{sign}, observation.Extent{}, &w.rows)
		for k, r := range t.rows {
			if r.track == i {
				p.q[k], p.v[k], p.a[k], p.sign[k] = q[r.at], v[r.at], a[r.at], sign[r.at]
			}
		}
	}
	return p
}

// along returns the design of the motion in which joints move along other paths, by joint; nil for the joint's own.
func (t *trial) along(paths []*jointPath) *design {
	u := *t
	u.motion = motion{slices.Clone(t.motion.q), slices.Clone(t.motion.v), slices.Clone(t.motion.a)}
	u.drive = slices.Clone(t.drive)
	for j, p := range paths {
		if p != nil {
			u.motion.q[j], u.motion.v[j], u.motion.a[j], u.drive[j*frictionKinds+signOf] = p.q, p.v, p.a, p.sign
		}
	}
	return u.moved(u.motion, nil, t.opt.Gravity)
}

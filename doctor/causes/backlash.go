package causes

import (
	"cmp"
	"math"
	"slices"

	"ident/filter"
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
	return t.along(func(i, k int, low *filter.SOS) []float64 {
		if k != j {
			return nil
		}
		q := slices.Clone(t.tracks[i].raw[j])
		at := q[0]
		for k, x := range q {
			at = min(max(at, x-half), x+half)
			q[k] = at
		}
		low.ZeroPhaseColumns([][]float64{q}, new(filter.Work))
		return q
	})
}

// along returns the design of the motion in which joints have other positions at all samples, behind the low-pass: of returns
// those of a track and a joint, nil for its own.
func (t *trial) along(of func(track, j int, low *filter.SOS) []float64) *design {
	u := *t
	u.tracks = slices.Clone(t.tracks)
	changed := make([]bool, t.bodies.joints)
	var work filter.Work
	for i := range u.tracks {
		tr := &u.tracks[i]
		low, err := filter.Butterworth(filterOrder, min(t.cutoff, 0.2/tr.dt), 1/tr.dt)
		if err != nil {
			return t.design
		}
		tr.q, tr.v, tr.a, tr.friction = slices.Clone(tr.q), slices.Clone(tr.v), slices.Clone(tr.a), slices.Clone(tr.friction)
		for j := range changed {
			q := of(i, j, &low)
			if q == nil {
				continue
			}
			changed[j] = true
			v, a, sign := make([]float64, tr.n), make([]float64, tr.n), make([]float64, tr.n)
			filter.Differentiate4(v, q, tr.dt)
			filter.Differentiate4(a, v, tr.dt)
			for k, slow := 0, slowShare*rms(v); k < tr.n; k++ {
				sign[k] = v[k] / max(math.Abs(v[k]), slow, math.SmallestNonzeroFloat64)
			}
			low.ZeroPhaseColumns([][]float64{sign}, &work)
			tr.q[j], tr.v[j], tr.a[j], tr.friction[j*frictionKinds+signOf] = q, v, a, sign
		}
	}
	u.motion = motion{slices.Clone(t.motion.q), slices.Clone(t.motion.v), slices.Clone(t.motion.a)}
	u.drive = slices.Clone(t.drive)
	for j, is := range changed {
		if !is {
			continue
		}
		u.motion.q[j] = u.pick(0, func(tr *track) []float64 { return tr.q[j] })
		u.motion.v[j] = u.pick(0, func(tr *track) []float64 { return tr.v[j] })
		u.motion.a[j] = u.pick(0, func(tr *track) []float64 { return tr.a[j] })
		at := j*frictionKinds + signOf
		u.drive[at] = u.pick(0, func(tr *track) []float64 { return tr.friction[at] })
	}
	return u.moved(u.motion, nil, t.opt.Gravity)
}

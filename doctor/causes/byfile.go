package causes

import (
	"math"
	"slices"
)

// Demands on the robot file's bodies as the second witness of a hypothesis that a free fit supports with evidence and little gain.
const (
	// bothGain is the decrease of the sum of the logarithms of the residuals' norms, of free fits and of the file's bodies: in 26 measured
	// logs without a fault no arrangement has 0.05 in both. It grows with the number of torques beyond manyJoints, which add by chance.
	bothGain = 0.25
	// fileClose is the geometric mean of the parts of the torques that the file's bodies leave below which the file is this robot's.
	fileClose = 0.25
	// aloneGain is the decrease of that sum for the file's bodies that identified ones need not confirm: of a hundred arrangements the best
	// has 0.5 by chance.
	aloneGain = 1.3
	// needWitnessed is the gain that a hypothesis needs beside a second witness.
	needWitnessed = 0.2
)

// changedRows are rows of a trial under a hypothesis: its motion (nil for that of the log), the joint that has the friction of each (nil
// for its own), the torques by equation, and the factor on gravity.
type changedRows struct {
	motion  *motion
	from    []int
	y       [][]float64
	gravity float64
}

// leftByFile returns the part of the torque of each equation that the bodies of the robot file leave, with friction, rotor inertia and
// offset of each joint fitted, and the part that is left without bodies. Both are nil for a file without bodies, and where an earlier
// result adds to the normal matrix.
func (t *trial) leftByFile(of changedRows) (left, bare []float64) {
	if t.file() == nil || t.desk.trained != nil {
		return nil, nil
	}
	own, pull := t.rest, t.pull
	if m := of.motion; m != nil {
		own = evaluate(t.bodies.rest, m.q, m.v, m.a)
		for i := range pull {
			pull[i] = t.bodies.pulling(i, *m)
		}
	}
	g := t.opt.Gravity
	for i := range g {
		g[i] *= of.gravity
	}
	its := withGravity(own, pull, g, nil).torques(t.file())
	none := make(columns, len(own))
	for j := range none {
		none[j] = make([][]float64, len(own[j]))
	}
	d, weights := t.designOf(none, of.from), t.firstWeights(of.y)
	rest := slices.Clone(of.y)
	for e, j := range t.joints {
		if its[j] == nil {
			continue
		}
		rest[e] = slices.Clone(of.y[e])
		for k, v := range its[j] {
			rest[e][k] -= v
		}
	}
	with, without := t.within(d, rest, weights), t.within(d, of.y, weights)
	for e, y := range of.y {
		size := max(rms(y), 1e-12)
		left, bare = append(left, max(rms(with[e])/size, 1e-12)), append(bare, rms(without[e])/size)
	}
	return left, bare
}

// witnessed lowers the gain that a hypothesis needs to be named, if it has evidence enough and the bodies of the robot file are the second
// witness: they and identified ones both come nearer to the torques under it.
func (t *trial) witnessed(h *hypothesis) {
	if h.nats < enoughNats || h.enough() {
		return
	}
	c := t.coarsely()
	now, _ := c.leftByFile(changedRows{y: c.y, gravity: 1})
	if now == nil {
		return
	}
	then, _ := c.leftByFile(h.rows(c))
	file, left := nearer(now, then)
	free := 0.0
	for e := range now {
		free += math.Log(rms(t.left[e]) / max(rms(h.after[e]), 1e-12))
	}
	if min(file, free) > bothGain*max(1, float64(len(now))/manyJoints) && left < fileClose {
		h.need = min(h.need, needWitnessed)
	}
}

// nearer returns the decrease of the sum of the logarithms of parts of torques, and the geometric mean of the second parts.
func nearer(now, then []float64) (gain, left float64) {
	for e := range now {
		gain += math.Log(now[e] / then[e])
		left += math.Log(then[e]) / float64(len(now))
	}
	return gain, math.Exp(left)
}

// leftUnder returns what leftByFile does under a hypothesis. Free fits hardly tell a mirrored position from one that is half a turn off as
// well: the file's bodies take the nearer one.
func (t *trial) leftUnder(h *hypothesis) (left, bare []float64) {
	rows := h.rows(t)
	left, bare = t.leftByFile(rows)
	if left == nil || h.Kind != PositionSign {
		return left, bare
	}
	m := rows.motion.clone()
	for _, j := range h.Joints {
		for k := range m.q[j] {
			m.q[j][k] += math.Pi
		}
	}
	rows.motion = &m
	other, otherBare := t.leftByFile(rows)
	if gain, _ := nearer(left, other); gain > 0 {
		return other, otherBare
	}
	return left, bare
}

// fits reports whether the bodies of the robot file make the torques under gravity times a factor, and not under the declared one:
// identified bodies take either sense, and with another clock any size.
func (t *trial) fits(gravity float64) bool {
	c := t.coarsely()
	now, _ := c.leftByFile(changedRows{y: c.y, gravity: 1})
	if now == nil || !t.feelsGravity() {
		return false
	}
	then, _ := c.leftByFile(changedRows{y: c.y, gravity: gravity})
	gain, left := nearer(now, then)
	return gain > aloneGain*max(1, float64(len(now))/manyJoints) && left < fileClose
}

// ByFile is what bodies leave of the torques, by joint, as parts of these: those of the robot file, none, and identified ones.
type ByFile struct{ File, None, Free []float64 }

// ByFile returns what the robot file's bodies leave of the torques, under the leading cause if that changes the motion or exchanges torques.
// It is nil for a file without bodies.
func (r *Report) ByFile() *ByFile {
	t := r.plain
	c := t.coarsely()
	after := t.left
	left, bare := c.leftByFile(changedRows{y: c.y, gravity: 1})
	if left == nil {
		return nil
	}
	if r.Named && r.hypotheses[0].rows != nil {
		after = r.hypotheses[0].after
		left, bare = c.leftUnder(r.hypotheses[0])
	}
	n := t.bodies.joints
	out := &ByFile{make([]float64, n), make([]float64, n), make([]float64, n)}
	for e, j := range t.joints {
		out.File[j], out.None[j], out.Free[j] = left[e], bare[e], rms(after[e])/max(rms(t.y[e]), 1e-12)
	}
	return out
}

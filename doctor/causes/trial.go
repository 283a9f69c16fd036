package causes

import (
	"context"
	"errors"
	"math"

	"ident/internal/lanes"
	"ident/robot"
)

// trial is the free base fit of some logs, with everything that hypotheses need.
type trial struct {
	ctx    context.Context
	opt    Options
	bodies *bodies
	motors []motor
	cutoff float64
	moves  []bool

	tracks []track
	rows   []row // fold after fold
	order  order
	desk   *desk
	motion motion
	drive  [][]float64 // friction at the rows, motor by motor, see frictionKinds

	base   []int         // columns of the links that are fitted
	extra  [][][]float64 // further columns that are fitted, each by joint; see besides
	rest   columns       // of the links without gravity
	pull   [3]columns
	joints []int // that move and have torques: the equations

	delay    float64     // of the torques, s, that has been taken out
	y        [][]float64 // by equation
	design   *design
	factors  *factors
	spare    *factors // memory of refits
	one      *upper   // memory of within, as normal
	normal   []float64
	oneOwn   *upper // the factor of oneOwnOf with the trial's own weights
	oneOwnOf *design
	heavy    columns     // see ownGravity
	whole    bool        // all rows are one fold, none is left out
	coarse   *trial      // see coarsely
	among    []int       // indices of its rows among those of the trial
	left     [][]float64 // residuals left out, by equation
	share    []float64   // S⁰: their sum of squares over the torque's about its mean
	neff     []float64
	worths   []float64   // see frictionWorths; nil before it is asked for
	chi      []float64   // of the columns of the design, of all rows
	links    []float64   // of all columns of the links
	hat      [][]float64 // τ̂ by joint, nil for those without an equation
	hatBody  [][]float64 // its part of the links
}

// Columns of a motor in the design.
const (
	rotor = iota
	viscous
	coulomb
	offset
	perMotor
)

// ErrTooShort means that the logs have too few rows for the model.
var ErrTooShort = errors.New("causes: too few rows")

// newTrial fits the logs after removing a common delay of the torques. The delay is that of a free fit: beside known bodies a load that they
// lack would make one.
func newTrial(ctx context.Context, r *robot.Robot, logs []Log, opt Options) (*trial, error) {
	free := opt
	free.Known = nil
	t, err := newFit(ctx, r, logs, free)
	if err != nil {
		return nil, err
	}
	t.takeDelay()
	t.opt.Known = opt.Known
	t.apply(opt.Known)
	return t, ctx.Err()
}

// newFit fits the logs as they are, beside those that trained.
func newFit(ctx context.Context, r *robot.Robot, logs []Log, opt Options) (*trial, error) {
	var before *trained
	if len(opt.Trained) > 0 {
		own := opt
		own.Trained = nil
		t, err := newTrial(ctx, r, opt.Trained, own)
		if err != nil {
			return nil, err
		}
		before = t.trained()
	}
	b := opt.models.bodies
	t := &trial{ctx: ctx, opt: opt, bodies: b, cutoff: opt.Cutoff, base: opt.models.base}
	t.motors = motorsOf(r, b.links)
	t.moves = make([]bool, b.joints)
	for _, l := range logs {
		for j := range t.moves {
			t.moves[j] = t.moves[j] || moving(&l, j)
		}
	}
	for i := range logs {
		t.tracks = append(t.tracks, newTracks(i, &logs[i], t.motors, t.moves, t.cutoff)...)
	}
	t.rows = newRows(t.tracks, t.cutoff)
	// The torque of a joint that stands is friction at rest, which is anything below its breakaway torque.
	for j := range b.joints {
		has := len(t.tracks) > 0 && t.moves[j]
		for _, tr := range t.tracks {
			has = has && tr.y[j] != nil
		}
		if has {
			t.joints = append(t.joints, j)
		}
	}
	if len(t.joints) == 0 || len(t.rows) < 60 || len(t.rows)*len(t.joints) < 2*(len(t.base)+perMotor*len(t.motors)) {
		return nil, ErrTooShort
	}
	t.rows, t.order = newOrder(t.rows)
	t.desk = &desk{trained: before}
	t.motion = t.motionAt(0)
	for m := range t.motors {
		for f := range frictionKinds {
			t.drive = append(t.drive, t.pick(0, func(tr *track) []float64 { return tr.friction[m*frictionKinds+f] }))
		}
	}
	t.rest = evaluate(b.rest, t.motion.q, t.motion.v, t.motion.a)
	for i := range t.pull {
		t.pull[i] = b.pulling(i, t.motion)
	}
	t.design = t.designOf(t.ownGravity(), nil)
	t.fit()
	t.apply(opt.Known)
	return t, ctx.Err()
}

// motorsOf returns the drives of a robot's joints.
func motorsOf(r *robot.Robot, links []int) []motor {
	var out []motor
	at := map[int]int{}
	for j, l := range links {
		at[l] = j
		w := make([]float64, len(links))
		w[j] = 1
		out = append(out, motor{weights: w, own: j})
	}
	for _, d := range r.Drives {
		w := make([]float64, len(links))
		own, ok := -1, len(d.Weights) > 1
		for l, x := range d.Weights {
			j, has := at[l]
			if !has {
				ok = false
				continue
			}
			w[j] = x
			own = max(own, j)
		}
		if ok {
			out = append(out, motor{weights: w, own: own})
		}
	}
	return out
}

// moving reports whether a joint moves in a log.
func moving(l *Log, j int) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range l.Segments {
		for _, v := range s.Q[j] {
			low, high = min(low, v), max(high, v)
		}
	}
	return high-low > still
}

// pick returns a signal of the tracks, taken the given number of samples after each row.
func (t *trial) pick(later int, of func(tr *track) []float64) []float64 {
	out := make([]float64, len(t.rows))
	for i, r := range t.rows {
		tr := &t.tracks[r.track]
		out[i] = of(tr)[min(max(r.at+later, 0), tr.n-1)]
	}
	return out
}

// pickAt returns a signal taken the given time in seconds after each row, interpolated by cubics.
func (t *trial) pickAt(later float64, of func(tr *track) []float64) []float64 {
	return t.pickBy(func(row) float64 { return later }, of)
}

// pickBy does the same as pickAt, with a separate time for each row.
func (t *trial) pickBy(later func(r row) float64, of func(tr *track) []float64) []float64 {
	out := make([]float64, len(t.rows))
	for i, r := range t.rows {
		tr := &t.tracks[r.track]
		x := of(tr)
		p := float64(r.at) + later(r)/tr.dt
		k := min(max(int(math.Floor(p)), 1), tr.n-3)
		u := min(max(p-float64(k), -1), 2)
		x0, x1, x2, x3 := x[k-1], x[k], x[k+1], x[k+2]
		out[i] = x1 + 0.5*u*(x2-x0+u*(2*x0-5*x1+4*x2-x3+u*(3*(x1-x2)+x3-x0)))
	}
	return out
}

// motionAt returns the motion, taken the given number of samples after each row.
func (t *trial) motionAt(later int) motion {
	var m motion
	for j := range t.bodies.joints {
		m.q = append(m.q, t.pick(later, func(tr *track) []float64 { return tr.q[j] }))
		m.v = append(m.v, t.pick(later, func(tr *track) []float64 { return tr.v[j] }))
		m.a = append(m.a, t.pick(later, func(tr *track) []float64 { return tr.a[j] }))
	}
	return m
}

// ownGravity returns the regressor of the links under the gravity of the options; nobody changes it.
func (t *trial) ownGravity() columns {
	if t.heavy == nil {
		t.heavy = t.under(t.opt.Gravity)
	}
	return t.heavy
}

// under returns the regressor of the links under gravity g.
func (t *trial) under(g [3]float64) columns { return withGravity(t.rest, t.pull, g, nil) }

// withGravity returns the columns rest with those under gravity g added, in memory of a loan; a column without any is shared.
func withGravity(rest columns, pull [3]columns, g [3]float64, l *loan) columns {
	out := make(columns, len(rest))
	for j := range rest {
		out[j] = make([][]float64, len(rest[j]))
		for c, x := range rest[j] {
			out[j][c] = x
			own := false
			for i := range pull {
				y := pull[i][j][c]
				if y == nil || g[i] == 0 {
					continue
				}
				if !own {
					sum := l.column(len(y))
					clear(sum[copy(sum, x):])
					out[j][c], own = sum, true
				}
				lanes.Axpy(out[j][c], g[i], y)
			}
		}
	}
	return out
}

// stack returns the columns of a design: the fitted columns of the links, and those of the motors. If from is not nil,
// joint j has the motion of joint from[j]. New columns are in memory of a loan.
func (t *trial) stack(links columns, from []int, l *loan) columns {
	n := len(t.rows)
	out := make(columns, t.bodies.joints)
	ones := l.column(n)
	for k := range ones {
		ones[k] = 1
	}
	for j := range out {
		out[j] = make([][]float64, len(t.base)+perMotor*len(t.motors))
		for i, c := range t.base {
			out[j][i] = links[j][c]
		}
	}
	for m, mo := range t.motors {
		at := m
		if from != nil && m < t.bodies.joints {
			at = from[m]
		}
		first := len(t.base) + perMotor*m
		acc, vel := l.column(n), l.column(n)
		t.motors[at].ratesInto(acc, t.motion.a)
		t.motors[at].ratesInto(vel, t.motion.v)
		sign := t.drive[at*frictionKinds+signOf]
		for j, w := range mo.weights {
			if w == 0 {
				continue
			}
			for kind, of := range [...][]float64{rotor: acc, viscous: vel, coulomb: sign} {
				out[j][first+kind] = l.column(n)
				scale(out[j][first+kind], w, of)
			}
			if m < t.bodies.joints {
				out[j][first+offset] = ones
			}
		}
	}
	for _, x := range t.extra {
		for j := range out {
			out[j] = append(out[j], x[j])
		}
	}
	return out
}

func scaled(by float64, x []float64) []float64 {
	out := make([]float64, len(x))
	scale(out, by, x)
	return out
}

// scale sets out to by times x.
func scale(out []float64, by float64, x []float64) {
	for k, v := range x {
		out[k] = by * v
	}
}

// torquesLater returns the torques of the equations, taken the given time in seconds after each row.
func (t *trial) torquesLater(later float64) [][]float64 {
	out := make([][]float64, len(t.joints))
	for i, j := range t.joints {
		out[i] = t.pickAt(later, func(tr *track) []float64 { return tr.y[j] })
	}
	return out
}

// fit fits the torques, shifted by the delay.
func (t *trial) fit() {
	t.y = t.torquesLater(t.delay)
	t.factors, t.left = t.design.reweighted(t.y, t.firstWeights(t.y))
	t.worths = nil
	t.share = shares(t.left, t.y)
	t.neff = make([]float64, len(t.joints))
	for i := range t.joints {
		t.neff[i] = effective(t.order.inTime(t.left[i]), t.order.starts)
	}
	x := t.factors.solve(t.factors.project(one(t.y)))
	t.chi = x.data
	t.links = make([]float64, len(t.bodies.rest.Columns()))
	for i, c := range t.base {
		t.links[c] = t.chi[i]
	}
	t.hatBody = t.ownGravity().torques(t.links)
	t.hat = make([][]float64, t.bodies.joints)
	for _, j := range t.joints {
		t.hat[j] = make([]float64, len(t.rows))
		if t.hatBody[j] != nil {
			copy(t.hat[j], t.hatBody[j])
		}
	}
	for i, x := range t.extra {
		for j := range x {
			if x[j] != nil && t.hat[j] != nil {
				lanes.Axpy(t.hat[j], t.chi[len(t.base)+perMotor*len(t.motors)+i], x[j])
			}
		}
	}
	for _, add := range []int{rotor, viscous, coulomb, offset} {
		for m := range t.motors {
			for j, x := range t.motorColumn(m, add) {
				if x == nil || t.hat[j] == nil {
					continue
				}
				for k, v := range x {
					t.hat[j][k] += v
				}
			}
		}
	}
}

// besides returns the trial with the columns of an effect that is no fault in its fit.
func (t *trial) besides(effect *hypothesis) *trial {
	u := *t
	u.extra, u.delay, u.coarse, u.spare, u.one, u.normal, u.oneOwn, u.oneOwnOf = effect.cols, 0, nil, nil, nil, nil, nil, nil
	u.design = u.designOf(u.ownGravity(), nil)
	u.fit()
	u.takeDelay()
	return &u
}

// motorColumn returns a column of a motor times its coefficient, by joint.
func (t *trial) motorColumn(m, kind int) [][]float64 {
	n := len(t.rows)
	var x []float64
	switch kind {
	case rotor:
		x = t.motors[m].rates(t.motion.a, n)
	case viscous:
		x = t.motors[m].rates(t.motion.v, n)
	case coulomb:
		x = t.drive[m*frictionKinds+signOf]
	default:
		if m >= t.bodies.joints {
			return nil
		}
		x = make([]float64, n)
		for k := range x {
			x[k] = 1
		}
	}
	out := make([][]float64, t.bodies.joints)
	by := t.chi[len(t.base)+perMotor*m+kind]
	for j, w := range t.motors[m].weights {
		if w != 0 {
			out[j] = scaled(by*w, x)
		}
	}
	return out
}

// frictionOf returns the fitted viscous and Coulomb friction of a joint's own motor at the rows.
func (t *trial) frictionOf(j int) []float64 {
	out := make([]float64, len(t.rows))
	for _, kind := range []int{viscous, coulomb} {
		for k, v := range t.motorColumn(j, kind)[j] {
			out[k] += v
		}
	}
	return out
}

func (t *trial) firstWeights(y [][]float64) []float64 {
	w := make([]float64, len(y))
	for i := range y {
		w[i] = 1 / max(spread(y[i]), 1e-12)
	}
	return w
}

// designOf returns the design with columns of the links; see stack.
func (t *trial) designOf(links columns, from []int) *design {
	return t.designIn(links, from, nil)
}

// designIn does the same as designOf in memory of a loan.
func (t *trial) designIn(links columns, from []int, l *loan) *design {
	return newDesign(&t.order, t.desk, t.stack(links, from, l), t.joints, l)
}

// designUnder returns the design under gravity g in lent memory.
func (t *trial) designUnder(g [3]float64) *design {
	l := t.desk.lend()
	return t.designIn(withGravity(t.rest, t.pull, g, l), nil, l)
}

// spread returns the RMS about the mean.
func spread(x []float64) float64 {
	m, s := mean(x), 0.0
	for _, v := range x {
		s += (v - m) * (v - m)
	}
	return math.Sqrt(s / float64(max(len(x), 1)))
}

// leastShare is the smallest fraction of a torque that counts as unexplained. If less is left, the data are exact and
// only rounding error remains.
const leastShare = 1e-10

// shares returns the sums of squares of residuals, relative to those of the torques about their means.
func shares(left, y [][]float64) []float64 {
	out := make([]float64, len(left))
	for i := range left {
		out[i] = shareOf(left[i], y[i])
	}
	return out
}

func shareOf(left, y []float64) float64 {
	s, r := spread(y), rms(left)
	return max(r*r/max(s*s, 1e-24), leastShare)
}

// Bounds of the delay that is removed before anything else. Most logs have one, and if it stayed it would outrank real
// faults.
const (
	mostDelay  = 0.024 // s
	delayStep  = 0.003
	delayNats  = 5.0
	scanPoints = 21 // of them, from -30 to 30 ms
)

// takeDelay removes a small common delay of the torques.
func (t *trial) takeDelay() {
	score := t.scan(scanPoints, func(i int) [][]float64 { return t.torquesLater((float64(i) - float64(scanPoints/2)) * delayStep) })
	best := scanPoints / 2
	for i, v := range score {
		if v > score[best] {
			best = i
		}
	}
	if best == 0 || best == scanPoints-1 || best == scanPoints/2 {
		return
	}
	// The vertex of the parabola through the best and its neighbours.
	a, b, c := score[best-1], score[best], score[best+1]
	at := (float64(best-scanPoints/2) + 0.5*(a-c)/(a-2*b+c)) * delayStep
	if math.Abs(at) > mostDelay || score[best]-score[scanPoints/2] < delayNats {
		return
	}
	t.delay, t.coarse = at, nil
	t.fit()
}

// scan returns the evidence, in nats relative to the present fit, for n versions of the torques.
func (t *trial) scan(n int, torques func(i int) [][]float64) []float64 {
	y := make(sides, len(t.joints))
	for i := range n {
		for e, x := range torques(i) {
			y[e] = append(y[e], x)
		}
	}
	p := t.factors.project(y)
	var x [folds]matrix
	if t.whole {
		x[0] = t.factors.solve(p)
	} else {
		x = t.factors.solutions(p)
	}
	r := t.factors.leftOut(y, x)
	out := make([]float64, n)
	for i := range out {
		for e := range t.joints {
			out[i] += t.neff[e] / 2 * math.Log(t.share[e]/shareOf(r[e][i], y[e][i]))
		}
	}
	return out
}

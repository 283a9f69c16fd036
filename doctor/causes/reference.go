package causes

import (
	"context"
	"errors"
	"math"

	"ident/internal/lanes"
	"ident/judge"
	"ident/robot"
)

// refer returns how much of what the fit leaves a cause must remove, at the joints that move, and the equations of these joints;
// nil if no joint moves.
func (t *trial) refer() (*judge.Reference, []int) {
	var which []int
	rows := judge.Rows{From: t.order.from[:]}
	for _, r := range t.rows {
		rows.Time = append(rows.Time, r.t)
	}
	s := &rows.States
	for j, moves := range t.moves {
		if !moves {
			continue
		}
		s.Q, s.V, s.A = append(s.Q, t.motion.q[j]), append(s.V, t.motion.v[j]), append(s.A, t.motion.a[j])
		s.Sign = append(s.Sign, t.drive[j*frictionKinds+signOf])
		s.Revolute = append(s.Revolute, t.bodies.robot.Links[t.bodies.links[j]].Joint.Kind == robot.Revolute)
	}
	x := t.factors.solutions(t.factors.project(one(t.y)))
	later := t.later(x)
	var joints []judge.Joint
	for e, j := range t.joints {
		if !t.moves[j] {
			continue
		}
		which = append(which, e)
		joints = append(joints, judge.Joint{
			Torque: t.y[e], Without: t.without(e, x), Later: later[e], Leverage: t.leverage(t.factors, e), Independent: t.neff[e],
			Columns: t.design.equations[e].x, Velocity: t.motion.v[j], Sign: t.drive[j*frictionKinds+signOf],
		})
	}
	if len(joints) == 0 {
		return nil, nil
	}
	return judge.NewReference(rows, joints), which
}

// without returns, by fold, the residuals of all rows of an equation by the coefficients x fitted without the fold.
func (t *trial) without(e int, x [folds]matrix) [][]float64 {
	eq := &t.design.equations[e]
	coef := make([]float64, len(eq.cols))
	out := make([][]float64, folds)
	for f := range folds {
		for a, c := range eq.cols {
			coef[a] = -x[f].data[c]
		}
		out[f] = append([]float64(nil), t.y[e]...)
		lanes.Combine(out[f], coef, eq.x)
	}
	return out
}

// later returns the residuals left out judge.Lag/f_c after each row, by equation: NaN where the track ends before.
func (t *trial) later(x [folds]matrix) [][]float64 {
	if len(t.extra) > 0 {
		return make([][]float64, len(t.joints)) // these columns are known at the rows alone
	}
	after := func(r row) int {
		dt := t.tracks[r.track].dt
		return int(math.Round(judge.Lag / (min(t.cutoff, 1/dt/5) * dt)))
	}
	u := *t
	u.motion = motion{}
	pick := func(of func(tr *track) []float64) []float64 {
		out := make([]float64, len(t.rows))
		for i, r := range t.rows {
			tr := &t.tracks[r.track]
			out[i] = of(tr)[min(r.at+after(r), tr.n-1)]
		}
		return out
	}
	for j := range t.bodies.joints {
		u.motion.q = append(u.motion.q, pick(func(tr *track) []float64 { return tr.q[j] }))
		u.motion.v = append(u.motion.v, pick(func(tr *track) []float64 { return tr.v[j] }))
		u.motion.a = append(u.motion.a, pick(func(tr *track) []float64 { return tr.a[j] }))
	}
	u.drive = nil
	for i := range t.drive {
		u.drive = append(u.drive, pick(func(tr *track) []float64 { return tr.friction[i] }))
	}
	model := t.opt.models.under(nil, t.opt.Gravity)
	at := u.stack(evaluateIn(model, t.desk.space(model), model.NewBlock(len(u.motion.q[0])), u.motion.q, u.motion.v, u.motion.a), nil, nil)
	out := make([][]float64, len(t.joints))
	for e, j := range t.joints {
		y := t.pickBy(func(r row) float64 { return t.delay + float64(after(r))*t.tracks[r.track].dt }, func(tr *track) []float64 { return tr.y[j] })
		for f := range folds {
			from, to := t.order.from[f], t.order.from[f+1]
			for _, c := range t.design.equations[e].cols {
				if at[j][c] != nil {
					lanes.Axpy(y[from:to], -x[f].data[c], at[j][c][from:to])
				}
			}
		}
		for i, r := range t.rows {
			if tr := &t.tracks[r.track]; r.at+after(r) >= tr.n-tr.margin {
				y[i] = math.NaN()
			}
		}
		out[e] = y
	}
	return out
}

// leverage returns h = aᵀ·G⁻¹·a of the rows of an equation, with G the normal matrix of the other folds.
func (t *trial) leverage(s *factors, e int) []float64 {
	eq := &s.of.equations[e]
	out := make([]float64, len(t.rows))
	z := make([]float64, s.of.columns)
	for f := range folds {
		u := &s.without[f]
		for k := t.order.from[f]; k < t.order.from[f+1]; k++ {
			clear(z)
			for a, c := range eq.cols {
				z[c] = s.weights[e] * eq.x[a][k]
			}
			for i := range z {
				if z[i] == 0 {
					continue
				}
				z[i] /= u.rows[i][i]
				lanes.Axpy(z[i+1:], -z[i], u.rows[i][i+1:u.n])
				out[k] += z[i] * z[i]
			}
		}
	}
	return out
}

// add appends a hypothesis to the causes.
func (rep *Report) add(h *hypothesis) {
	rep.Causes, rep.hypotheses = append(rep.Causes, h.cause()), append(rep.hypotheses, h)
}

// Reference returns how much of what the fit leaves a true cause must remove; nil if no joint moves.
func (rep *Report) Reference() *judge.Reference {
	if rep.reference == nil && rep.which == nil {
		rep.reference, rep.which = rep.plain.refer()
	}
	return rep.reference
}

// Verdict says whether a cause removes what a true one must. known is false of causes without a fit of their own that say nothing of
// what a fit leaves: these have their own test.
func (rep *Report) Verdict(cause int) (v judge.Verdict, known bool) {
	ref := rep.Reference()
	if ref == nil {
		return v, false
	}
	h := rep.hypotheses[cause]
	switch {
	case h.Kind == External: // of torques that have nothing to do with the motion, no function of the state learns anything
		v.Attested = ref.Foreign()
		return v, true
	case h.Settled && (h.Kind == FrictionFree || h.Kind == Weightless || h.Kind == GravityTwice): // they leave a fit as it is
		v.Attested = ref.Healthy()
		return v, true
	case h.Settled || h.ratios == nil:
		return v, false
	}
	return ref.Attest(rep.plain.squaresOf(h, ref, rep.which)), true
}

// Coupled says whether a drive that turns with the sum of two joints, the second times sign, removes what a true cause must.
func (rep *Report) Coupled(a, b int, sign float64) (v judge.Verdict, known bool) {
	if rep.Reference() == nil {
		return v, false
	}
	return rep.columns(rep.plain.coupled(a, b, sign, true))
}

// Stepped says whether a torque whose offset (or scale) changes at a time removes what a true cause must.
func (rep *Report) Stepped(joint int, time float64, scale bool) (v judge.Verdict, known bool) {
	t := rep.plain
	if rep.Reference() == nil || t.hat[joint] == nil {
		return v, false
	}
	first, last := math.Inf(1), math.Inf(-1)
	for _, r := range t.rows {
		first, last = min(first, r.t), max(last, r.t)
	}
	by := t.window((time-first)/max(last-first, 1e-9), math.Inf(1))
	if scale {
		by = times(t.only(joint, t.hat[joint]), by)[joint]
	}
	return rep.columns(&hypothesis{Cause: Cause{Kind: Drift, Joints: []int{joint}}, cols: [][][]float64{t.only(joint, by)}})
}

// columns judges the columns of a hypothesis beside the fit.
func (rep *Report) columns(h *hypothesis) (v judge.Verdict, known bool) {
	rep.plain.judge([]*hypothesis{h}, map[string]float64{h.Kind: 1})
	if h.ratios == nil {
		return v, false
	}
	return rep.Reference().Attest(rep.plain.squaresOf(h, rep.Reference(), rep.which)), true
}

// Repaired says whether logs that were repaired have lost what a true cause must remove. torque is the equation whose torque each joint
// of the repaired logs has, nil for its own.
func (rep *Report) Repaired(ctx context.Context, r *robot.Robot, logs []Log, opt Options, torque []int) (judge.Verdict, error) {
	ref := rep.Reference()
	if ref == nil {
		return judge.Verdict{}, ErrTooShort
	}
	if err := opt.complete(r); err != nil {
		return judge.Verdict{}, err
	}
	t, err := newTrial(ctx, r, logs, opt)
	if err != nil {
		return judge.Verdict{}, err
	}
	of := make([]int, t.bodies.joints) // equations by joint
	for j := range of {
		of[j] = -1
	}
	for e, j := range t.joints {
		if torque != nil {
			j = torque[j]
		}
		of[j] = e
	}
	squares := make([]float64, len(rep.which))
	for i, e := range rep.which {
		k := of[rep.plain.joints[e]]
		if k < 0 {
			squares[i] = ref.Squares[i]
			continue
		}
		w := judge.Weights(t.leverage(t.factors, k), float64(len(t.rows))/max(t.neff[k], 1))
		squares[i] = max(judge.Squares(t.left[k], w)/max(math.Pow(spread(t.y[k]), 2), 1e-24), leastShare)
	}
	if unmoved(squares, ref.Squares) {
		return judge.Verdict{}, ErrSame
	}
	return ref.Attest(squares), ctx.Err()
}

// ErrSame means that a free fit of repaired logs leaves what it left before, as of torques that all have the other sign: it says nothing.
var ErrSame = errors.New("causes: a free fit does not see the repair")

// unmoved reports whether squares differ by rounding only.
func unmoved(a, b []float64) bool {
	for i := range a {
		if math.Abs(math.Log(a[i]/b[i])) > 1e-6 {
			return false
		}
	}
	return true
}

// squaresOf returns what a hypothesis leaves of the equations, as the reference counts it.
func (t *trial) squaresOf(h *hypothesis, ref *judge.Reference, which []int) []float64 {
	out := make([]float64, len(which))
	for i, e := range which {
		if h.after == nil || len(h.after[e]) != len(t.rows) { // fitted to other rows
			out[i] = ref.Squares[i] * h.ratios[e]
			continue
		}
		// In units of the torque of the fit: a hypothesis may scale it.
		by := math.Sqrt(h.shares[e] / shareOf(h.after[e], t.y[e]))
		out[i] = ref.Squared(i, scaled(by, h.after[e]))
	}
	return out
}

// Ordinary reports whether an effect that is no fault, a law of friction or a ripple, removes what a true cause must, and no effect
// without a name does so better.
func (rep *Report) Ordinary() bool {
	for i, h := range rep.hypotheses {
		if v, known := rep.Verdict(i); h.nuisance && known && v.Attested {
			return KindOf(h.Kind).Ordinary || h.Kind == LoadFriction
		}
	}
	return false
}

// Fault reports whether a cause of the list is a fault and no ordinary effect of drives.
func (rep *Report) Fault(cause int) bool {
	return !rep.hypotheses[cause].nuisance && !rep.hypotheses[cause].Settled
}

// Own returns the part of the squared error of its own torque that a cause of one joint explains on rows left out; 0 for others.
func (rep *Report) Own(cause int) float64 {
	h := rep.hypotheses[cause]
	if h.ratios == nil || len(h.Joints) != 1 {
		return 0
	}
	for e, j := range rep.plain.joints {
		if j == h.Joints[0] {
			return 1 - h.ratios[e]
		}
	}
	return 0
}

package doctor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/doctor"
	"ident/doctor/causes"
	draws "ident/internal/long"
	"ident/robot"
)

// segments returns the log as package causes takes it: pieces without gaps of a tenth of a second, with torques that are no numbers held.
func (e *experiment) segments() causes.Log {
	l := causes.Log{Interval: e.t[1] - e.t[0]}
	from := 0
	for k := 1; k <= len(e.t); k++ {
		if k < len(e.t) && e.t[k]-e.t[k-1] < 0.1 {
			continue
		}
		if k-from > 60 {
			s := causes.Segment{T: e.t[from:k]}
			for j := range e.q {
				tau := slices.Clone(e.tau[j][from:k])
				for i, v := range tau {
					if math.IsNaN(v) && i > 0 {
						tau[i] = tau[i-1]
					}
				}
				s.Q, s.Effort = append(s.Q, e.q[j][from:k]), append(s.Effort, tau)
			}
			l.Segments = append(l.Segments, s)
		}
		from = k
	}
	return l
}

// errorOn returns the error on a test log of a free fit of a training log.
func errorOn(t *testing.T, train, test *experiment) float64 {
	t.Helper()
	x, err := causes.Validate(t.Context(), train.robot, []causes.Log{train.segments()}, []causes.Log{test.segments()}, causes.Options{Gravity: train.robot.Gravity})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// mended returns the experiment with the log that its repairs leave, nil if nothing is repaired.
func (e *experiment) mended(t *testing.T, found []doctor.Finding) *experiment {
	t.Helper()
	l, roles := e.log()
	m, err := doctor.MendLog(t.Context(), e.robot, l, roles, found, e.opt)
	if err != nil {
		t.Fatal(err)
	}
	if m.Columns == nil {
		return nil
	}
	out := e.clone()
	n := len(e.q)
	out.t, out.q, out.dq, out.tau = m.Columns[0], m.Columns[1:n+1], m.Columns[n+1:2*n+1], m.Columns[2*n+1:]
	return out
}

// randomLog returns a log of a random arm of two to four joints.
func randomLog(rng *rand.Rand) *experiment {
	r := randomArm(rng, 2+rng.IntN(3))
	return run(r, rng, 100, 14).measure(rng, 0, 1e-4, 0.005+0.01*rng.Float64())
}

// An error needs harm: of rows with doubted values, few or many, large or small, an error is told only if a fit of the log predicts the
// sound log worse by harm, or the log itself is worse by as much on rows left out.
func TestErrorsNeedHarm(t *testing.T) {
	errors, harmless := 0, 0
	for seed := range uint64(draws.Of(100, 8)) {
		rng := rand.New(rand.NewPCG(seed, 41))
		sound := randomLog(rng)
		e := sound.clone()
		j := rng.IntN(len(e.q))
		size := norm(e.tau[j]) * math.Exp(6*rng.Float64()-2)
		for range 1 + rng.IntN(60) {
			e.tau[j][100+rng.IntN(len(e.t)-200)] += size * float64(1-2*rng.IntN(2))
		}
		harm := errorOn(t, e, sound) > 1.05*errorOn(t, sound, sound) || errorOn(t, e, e) > 1.05*errorOn(t, sound, sound)
		for _, f := range e.findings(t) {
			if f.Severity == doctor.Error {
				if errors++; !harm {
					t.Errorf("%d: without harm: %s", seed, show(f))
				}
			}
		}
		if !harm {
			harmless++
		}
	}
	if errors == 0 || harmless == 0 {
		t.Errorf("%d errors and %d logs without harm: this test cannot fail", errors, harmless)
	}
}

// The state of a run enters every check: a log has the same findings whether its gravity is that of the robot file or is given, and
// whether its efforts are torques or currents with their gains.
func TestStateEntersChecks(t *testing.T) {
	told := 0
	for seed := range uint64(draws.Of(60, 5)) {
		rng := rand.New(rand.NewPCG(seed, 42))
		r := randomArm(rng, 2+rng.IntN(3))
		for i := range r.Gravity {
			r.Gravity[i] = rng.NormFloat64()
		}
		size := norm(r.Gravity[:])
		for i := range r.Gravity {
			r.Gravity[i] *= 9.81 / math.Sqrt(3) / size
		}
		e := run(r, rng, 100, 14).measure(rng, 0, 1e-4, 0.01)
		if seed%2 == 1 { // with something to tell
			times(e.tau[rng.IntN(len(e.tau))], -1)
		}
		of := e.findings(t)
		told += len(of)

		given := e.clone()
		given.robot.Gravity, given.opt.Gravity = [3]float64{0, 0, -9.81}, &r.Gravity
		gains, currents := make([]float64, len(e.tau)), e.clone()
		for j := range gains {
			gains[j] = 5 + 10*rng.Float64()
			times(currents.tau[j], 1/gains[j])
		}
		currents.current, currents.opt.State.Gains = true, gains
		for name, other := range map[string]*experiment{"gravity given": given, "currents with gains": currents} {
			its := other.findings(t)
			if a, b := gravest(of), gravest(its); !slices.Equal(a, b) {
				t.Errorf("%d: %s: %v, otherwise %v", seed, name, b, a)
			}
		}
	}
	if told == 0 {
		t.Error("nothing is told: this test cannot fail")
	}
}

// gravest returns kind, joint and severity of all findings that are no remarks.
func gravest(found []doctor.Finding) (out []string) {
	for _, f := range found {
		if f.Severity != doctor.Info {
			out = append(out, string(f.Severity)+" "+f.ID+" "+f.Joint)
		}
	}
	slices.Sort(out)
	return out
}

// Evidence is measured on rows left out, or is not printed: with the repair of a cause that is named at its full size (a sign, an order, a
// zero) the squared error on rows left out falls by the part that the cause gives; a cause that was settled otherwise gives none.
func TestEvidenceIsMeasured(t *testing.T) {
	measured := 0
	for seed := range uint64(draws.Of(90, 9)) {
		rng := rand.New(rand.NewPCG(seed, 43))
		e := randomLog(rng)
		j := rng.IntN(len(e.q))
		i := (j + 1) % len(e.q)
		switch seed % 3 {
		case 0:
			times(e.tau[j], -1)
		case 1:
			plus(e.q[j], 0.4)
		default:
			e.tau[i], e.tau[j] = e.tau[j], e.tau[i]
		}
		rep, err := causes.Judge(t.Context(), e.robot, []causes.Log{e.segments()}, causes.Options{Gravity: e.robot.Gravity})
		if err != nil {
			t.Fatal(err)
		}
		if !rep.Named {
			continue
		}
		c := rep.Causes[0]
		if c.Settled {
			if c.Nats != 0 || c.Gain != 0 {
				t.Errorf("%d: %s is settled, with evidence %g, %g", seed, c.Kind, c.Nats, c.Gain)
			}
			continue
		}
		mended := e.clone()
		switch c.Kind {
		case causes.Zero:
			plus(mended.q[c.Joints[0]], c.Value)
		case causes.TorqueSign:
			times(mended.tau[c.Joints[0]], -1)
		case causes.TorqueOrder:
			if len(c.Joints) != 2 || c.Order != nil {
				continue
			}
			a, b := c.Joints[0], c.Joints[1]
			mended.tau[a], mended.tau[b] = mended.tau[b], mended.tau[a]
		default:
			continue
		}
		measured++
		before, after := leftOut(t, e), leftOut(t, mended)
		if gain := 1 - after*after/(before*before); math.Abs(gain-c.Gain) > 0.15 {
			t.Errorf("%d: %s of %v: %.2f goes with the repair, and %.2f is told", seed, c.Kind, c.Joints, gain, c.Gain)
		}
	}
	if measured == 0 {
		t.Error("no cause with a repair: this test cannot fail")
	}
}

func leftOut(t *testing.T, e *experiment) float64 {
	t.Helper()
	x, err := causes.LeftOut(t.Context(), e.robot, []causes.Log{e.segments()}, causes.Options{Gravity: e.robot.Gravity})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Deletion is judged on what was deleted: whatever rows a repair leaves out, a fit of the others of a sound log predicts all of it, with the
// motion of these rows, no worse than a fit of all.
func TestDeletionKeepsMotion(t *testing.T) {
	deleted := 0
	for seed := range uint64(draws.Of(60, 6)) {
		rng := rand.New(rand.NewPCG(seed, 44))
		sound := randomLog(rng)
		e := sound.clone()
		j := rng.IntN(len(e.q))
		from := 200 + rng.IntN(len(e.t)-600)
		switch n := 20 + rng.IntN(300); seed % 3 {
		case 0: // somebody pushes the last link
			push(e, from, from+n, 0.5+rng.Float64())
		case 1: // a placeholder in many rows
			for range n {
				e.q[j][100+rng.IntN(len(e.t)-200)] = 0
			}
		default: // the channel sticks
			for k := range n {
				e.tau[j][from+k] = e.tau[j][from]
			}
		}
		after := e.mended(t, nil)
		if after == nil || len(after.t) >= len(e.t) {
			continue
		}
		deleted++
		rest := sound.clone()
		for k := len(rest.t) - 1; k >= 0; k-- {
			if _, kept := slices.BinarySearch(after.t, rest.t[k]); !kept {
				rest.cut(k, k+1)
			}
		}
		if all, is := errorOn(t, sound, sound), errorOn(t, rest, sound); is > 1.05*all {
			t.Errorf("%d: without %d rows the log is predicted to %.3g, with them to %.3g", seed, len(e.t)-len(after.t), is, all)
		}
	}
	if deleted == 0 {
		t.Error("no rows were left out: this test cannot fail")
	}
}

// push adds to the torques those of a force on the last link, sized by the largest torque.
func push(e *experiment, from, to int, size float64) {
	pulled := e.robot.Clone()
	last := pulled.Moving()[pulled.DOF()-1]
	for i := range pulled.Links {
		pulled.Links[i].Inertial, pulled.Links[i].Joint.Fs, pulled.Links[i].Joint.Fo = robot.Inertial{}, 0, 0
	}
	pulled.Links[last].Inertial[robot.M] = 1
	pulled.Gravity = [3]float64{1, 0, 0}
	u := e.clone()
	u.robot = pulled
	for j := range u.dq {
		clear(u.dq[j])
		clear(u.ddq[j])
	}
	u.torques()
	most, its := 0.0, 0.0
	for j := range e.tau {
		most, its = max(most, norm(e.tau[j])), max(its, norm(u.tau[j]))
	}
	for j := range e.tau {
		for k := from; k < to; k++ {
			e.tau[j][k] += size * most / max(its, 1e-9) * u.tau[j][k]
		}
	}
}

// A position that never changes beside velocities of noise is that of a joint that stands, which harms no fit; beside velocities of a motion
// it was not recorded.
func TestStandingIsNoError(t *testing.T) {
	for seed := range uint64(draws.Of(20, 3)) {
		rng := rand.New(rand.NewPCG(seed, 43))
		e := randomLog(rng)
		j := rng.IntN(len(e.q))
		e.q[j] = slices.Repeat([]float64{e.q[j][0]}, len(e.t))
		dead := func() (s doctor.Severity) {
			for _, f := range e.findings(t) {
				if f.ID == doctor.Dead && f.Joint == e.robot.Links[e.robot.Moving()[j]].Joint.Name {
					s = f.Severity
				}
			}
			return s
		}
		if s := dead(); s != doctor.Error {
			t.Errorf("%d: velocities of a motion: %s", seed, s)
		}
		for k := range e.dq[j] {
			e.dq[j][k] = 0.01 * rng.NormFloat64()
		}
		if s := dead(); s != doctor.Warning {
			t.Errorf("%d: velocities of noise: %s", seed, s)
		}
	}
}

// A reversed position of the last joint, which a free fit hardly sees, is an error with a repair that holds, of the position or of the torque.
func TestLastPositionReversed(t *testing.T) {
	told, logs := 0, 0
	for seed := range uint64(draws.Of(40, 6)) {
		rng := rand.New(rand.NewPCG(seed, 44))
		e := randomLog(rng)
		j := len(e.q) - 1
		times(e.q[j], -1)
		times(e.dq[j], -1)
		logs++
		found := e.findings(t)
		if slices.ContainsFunc(found, func(f doctor.Finding) bool {
			return f.ID == doctor.Sign && f.Severity == doctor.Error && !f.Repair.IsZero() && f.Tried.Outcome == "written"
		}) {
			told++
			continue
		}
		for _, f := range found {
			t.Logf("%d: %s", seed, show(f))
		}
	}
	t.Logf("%d of %d reversed positions told", told, logs)
	if 4*told < 3*logs {
		t.Errorf("%d of %d reversed positions told", told, logs)
	}
}

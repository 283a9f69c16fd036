package causes_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/doctor/causes"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// swing returns a pendulum of two links and a log of it, whose torques have friction that grows by a part of the load.
func swing(t *testing.T, loaded float64) (*robot.Robot, causes.Log) {
	r := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1, Alpha: math.Pi / 2}, {Antecedent: 0, D: 0.5}})
	for i := range r.Links {
		r.Links[i].Inertial = robot.Inertial{robot.M: 3, robot.MX: 0.6, robot.ZZ: 0.2, robot.XX: 0.01, robot.YY: 0.2}
		r.Links[i].HasInertial = true
	}
	return r, swung(t, r, loaded, 36)
}

// swung returns a log of a pendulum of two links, with noise by seed.
func swung(t *testing.T, r *robot.Robot, loaded float64, seed uint64) causes.Log {
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	const rows, interval = 4000, 0.005
	two := func() [][]float64 { return [][]float64{make([]float64, rows), make([]float64, rows)} }
	seg := causes.Segment{Uniform: true, T: make([]float64, rows), Q: two(), Effort: two()}
	rng := rand.New(rand.NewPCG(seed, 2))
	q, dq, ddq, tau := make([]float64, 2), make([]float64, 2), make([]float64, 2), make([]float64, 2)
	for k := range rows {
		s := interval * float64(k)
		for j, w := range []float64{2.1, 3.3} {
			q[j], dq[j], ddq[j] = 0.8*math.Sin(w*s)+0.3*math.Sin(1.7*w*s), 0.8*w*math.Cos(w*s)+0.51*w*math.Cos(1.7*w*s), -0.8*w*w*math.Sin(w*s)-0.867*w*w*math.Sin(1.7*w*s)
		}
		tree.InverseDynamics(tau, q, dq, ddq)
		seg.T[k] = s
		for j := range q {
			seg.Q[j][k] = q[j]
			seg.Effort[j][k] = tau[j] + 0.5*dq[j] + (0.4+loaded*math.Abs(tau[j]))*math.Tanh(dq[j]/0.01) + 0.2*rng.NormFloat64()
		}
	}
	return causes.Log{Interval: interval, Segments: []causes.Segment{seg}}
}

func judge(t *testing.T, r *robot.Robot, l causes.Log) *causes.Report {
	return judgeBeside(t, r, l, nil)
}

func judgeBeside(t *testing.T, r *robot.Robot, l causes.Log, trained []causes.Log) *causes.Report {
	rep, err := causes.Judge(context.Background(), r, []causes.Log{l}, causes.Options{Gravity: r.Gravity, Trained: trained})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// The delay of one torque is found at its full size, where its derivative in time is no longer a good measure of it.
func TestDelayOfOne(t *testing.T) {
	r, l := swing(t, 0)
	y := l.Segments[0].Effort[1]
	const late = 20 // rows, 0.1 s
	copy(y[late:], slices.Clone(y))
	if rep := judge(t, r, l); !rep.Named || rep.Group != 1 || rep.Causes[0].Kind != causes.Delay || !slices.Equal(rep.Causes[0].Joints, []int{1}) || math.Abs(rep.Causes[0].Value-0.1) > 0.0051 {
		t.Errorf("%v %+v", rep.Named, rep.Causes[:min(len(rep.Causes), 3)])
	}
}

// Friction that grows with the load is no fault, and does not hide one.
func TestBesideFriction(t *testing.T) {
	r, l := swing(t, 0.15)
	if rep := judge(t, r, l); rep.Named {
		t.Errorf("a sound log: %+v", rep.Causes[0])
	}
	for k, v := range l.Segments[0].Effort[1] {
		if v > 0 {
			l.Segments[0].Effort[1][k] = 0.8 * v
		}
	}
	if rep := judge(t, r, l); !rep.Named || rep.Causes[0].Kind != causes.Asymmetry || !slices.Equal(rep.Causes[0].Joints, []int{1}) {
		t.Errorf("%v %+v", rep.Named, rep.Causes[:min(len(rep.Causes), 3)])
	}
}

// The value of a scale is the factor of the torque; of two torques that disagree, the other has the inverse.
func TestValueOfScale(t *testing.T) {
	for _, by := range []float64{1.5, 0.5} {
		r, l := swing(t, 0)
		for k := range l.Segments[0].Effort[1] {
			l.Segments[0].Effort[1][k] *= by
		}
		rep := judge(t, r, l)
		if !rep.Named || rep.Causes[0].Kind != causes.Scale || len(rep.Causes[0].Joints) != 1 {
			t.Errorf("times %g: %+v", by, rep.Causes[:min(len(rep.Causes), 2)])
			continue
		}
		want := []float64{1 / by, by}[rep.Causes[0].Joints[0]]
		if v := rep.Causes[0].Value; !(math.Abs(v/want-1) < 0.05) {
			t.Errorf("times %g: %.3f of joint %d, want %.3f", by, v, rep.Causes[0].Joints[0]+1, want)
		}
	}
}

// A clock that runs at another rate is named, though velocities that were derived from the positions agree with it: torques with a share of gravity
// that no driver leaves are no kind of torque. Torques without gravity, which a driver took out, are.
func TestClockOrCompensated(t *testing.T) {
	for _, by := range []float64{1.1, 1.4, 0.5, 0} { // 0: no gravity
		r, l := swing(t, 0)
		seg := &l.Segments[0]
		if by > 0 {
			l.Interval *= by
			for k := range seg.T {
				seg.T[k] *= by
			}
		} else {
			tree, err := dynamics.New(r)
			if err != nil {
				t.Fatal(err)
			}
			g, still := make([]float64, 2), make([]float64, 2)
			for k := range seg.T {
				tree.InverseDynamics(g, []float64{seg.Q[0][k], seg.Q[1][k]}, still, still)
				seg.Effort[0][k], seg.Effort[1][k] = seg.Effort[0][k]-g[0], seg.Effort[1][k]-g[1]
			}
		}
		rep, err := causes.Judge(context.Background(), r, []causes.Log{l}, causes.Options{Gravity: r.Gravity, ClockSure: true})
		if err != nil {
			t.Fatal(err)
		}
		// A pendulum has one length: one of the file's makes the same torques as a clock far off.
		lead := rep.Causes[0]
		at := slices.IndexFunc(rep.Causes, func(c causes.Cause) bool { return c.Kind == causes.Clock })
		sound := by > 0 && at >= 0 && at < 2 && math.Abs((1+rep.Causes[at].Value)/by-1) < 0.1 && (at == 0 || by != 1.1 && lead.Kind == causes.Geometry)
		if !rep.Named || by > 0 && !sound || by == 0 && lead.Family() != "torque-kind" {
			t.Errorf("times %g: %v %+v", by, rep.Named, rep.Causes[:min(len(rep.Causes), 3)])
		}
		group := rep.Causes[:rep.Group]
		if by == 1.1 && !slices.ContainsFunc(group, func(c causes.Cause) bool { return c.Kind == causes.GravityOf }) {
			t.Errorf("without gravity: %+v", group)
		}
	}
}

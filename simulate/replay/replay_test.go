package replay

import (
	"context"
	"math"
	"testing"

	"ident/mechanics/dynamics"
	"ident/robot"
)

// slide is a mass on a horizontal axis.
func slide(mass float64) *robot.Robot {
	in := robot.Inertial{}
	in[robot.M] = mass
	return &robot.Robot{Name: "slide", Gravity: [3]float64{0, 0, -9.81}, Links: []robot.Link{{Name: "carriage", Antecedent: -1,
		Placement: robot.MDH{Alpha: math.Pi / 2}.Transform(), UserFrame: robot.Identity(), Inertial: in, Own: in, HasInertial: true,
		Joint: robot.Joint{Name: "axis", Kind: robot.Prismatic}}}}
}

// constantly is a record from rest under a constant force.
func constantly(mass, force float64) *Record {
	r := &Record{Name: "log", Interval: 1e-3, Q: [][]float64{nil}, DQ: [][]float64{nil}, DDQ: [][]float64{nil}, Tau: [][]float64{nil}}
	for i := range 2001 {
		t, a := 1e-3*float64(i), force/mass
		r.Q[0], r.DQ[0], r.DDQ[0], r.Tau[0] = append(r.Q[0], a*t*t/2), append(r.DQ[0], a*t), append(r.DDQ[0], a), append(r.Tau[0], force)
	}
	return r
}

// From rest under a constant force a mass that is a tenth too large in the model goes 1/1.1 of the way: an error of
// 9.09 % at every horizon. The true one's error is rounding.
func TestWrongMass(t *testing.T) {
	rec := constantly(2, 3)
	for _, c := range []struct{ mass, percent float64 }{{2, 0}, {2.2, 100 * (1 - 1/1.1)}} {
		got, err := Forward(context.Background(), slide(c.mass), []*Record{rec}, Options{Starts: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range got {
			if math.Abs(e.Percent-c.percent) > 1e-6 || e.Starts != 1 || e.Lost != 0 {
				t.Errorf("%g kg after %g s: off by %.8g %% in %d starts, want %.8g", c.mass, e.Horizon, e.Percent, e.Starts, c.percent)
			}
		}
	}
}

// A record shorter than the longest horizon is refused.
func TestShortRecord(t *testing.T) {
	rec := constantly(2, 3)
	if _, err := Forward(context.Background(), slide(2), []*Record{rec}, Options{Horizons: []float64{3}}); err == nil {
		t.Error("two seconds were replayed for three")
	}
}

// pendulum is a bar in gravity with friction.
func pendulum(mass float64) *robot.Robot {
	r := slide(mass)
	r.Links[0].Joint.Kind, r.Links[0].Joint.Ia, r.Links[0].Joint.Fv = robot.Revolute, 0.05, 0.2
	r.Links[0].Inertial[robot.MX], r.Links[0].Inertial[robot.ZZ] = 0.3*mass, 0.12*mass
	return r
}

// A robot that is its model follows its own motion without error under feed-forward, up to the law's sampling: its torques
// change by their rate times a period, which its stiffness turns into positions. A force that the model does not explain
// makes that force over the stiffness, whatever the feed-forward; gravity compensation lacks the inertial torque.
func TestTrack(t *testing.T) {
	model := pendulum(2)
	tree, err := dynamics.New(model)
	if err != nil {
		t.Fatal(err)
	}
	const unexplainedTorque = 0.5
	rec := &Record{Name: "log", Interval: 2e-3, Q: [][]float64{nil}, DQ: [][]float64{nil}, DDQ: [][]float64{nil}, Tau: [][]float64{nil}}
	for i := range 3001 {
		sin, cos := math.Sincos(4 * 2e-3 * float64(i))
		q, dq, ddq, tau := 0.6*cos, -2.4*sin, -9.6*cos, []float64{0}
		tree.InverseDynamics(tau, []float64{q}, []float64{dq}, []float64{ddq})
		rec.Q[0], rec.DQ[0], rec.DDQ[0] = append(rec.Q[0], q), append(rec.DQ[0], dq), append(rec.DDQ[0], ddq)
		rec.Tau[0] = append(rec.Tau[0], tau[0]+0.2*dq+unexplainedTorque)
	}
	loop := Loop{Kp: []float64{200}, Kd: []float64{20}}
	got, err := Track(context.Background(), model, rec, loop, []Candidate{{Name: "none"}, {Name: "gravity", Robot: model, Gravity: true}, {Name: "all", Robot: model}})
	if err != nil {
		t.Fatal(err)
	}
	// 9.6 rad/s² of 0.29 kg·m² is a torque of 2.8 N·m, with a rate of 11 N·m/s.
	if want, e := unexplainedTorque/200, got[2].RMS; math.Abs(e-want) > 11*1e-3/200+1e-3*want {
		t.Errorf("feed-forward is off by %.4g rad, and the unexplained torque makes %.4g", e, want)
	}
	if !(got[2].RMS < got[1].RMS && got[1].RMS < got[0].RMS) {
		t.Errorf("errors of %v: feed-forward is not better than gravity alone, or that than nothing", got)
	}
}

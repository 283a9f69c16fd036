package simulate_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"ident/excite"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/mechanics/loops"
	"ident/robot"
	"ident/simulate"
	"ident/simulate/plant"
	"ident/simulate/servo"
)

func controlledArm() *robot.Robot {
	r := robot.FromMDH("arm", []robot.MDHFrame{{Antecedent: -1, Alpha: math.Pi / 2}, {Antecedent: 0, D: 0.5}})
	for i, m := range []float64{6, 2} {
		r.Links[i].Inertial = robot.InertialFromCentral(m, [3]float64{0.2, 0.01, 0}, [3][3]float64{{0.02}, {0, 0.1}, {0, 0, 0.1}})
		r.Links[i].HasInertial = true
		r.Links[i].Joint.Fv, r.Links[i].Joint.Fs, r.Links[i].Joint.Fo = 2, 1, 0.1
	}
	return r
}

func controlled(t *testing.T, opt simulate.Options) *simulate.Simulation {
	t.Helper()
	ref := &excite.Trajectory{Period: 5, Joints: []string{"1", "2"}, Q0: []float64{0.1, -0.2}, A: [][]float64{{0.5, -0.5}, {0.8, -0.8}}, B: [][]float64{{0.1, -0.05}, {0.2, -0.1}}}
	law := servo.PD([]float64{900, 500}, []float64{60, 40}, []float64{1, 1})
	x, err := simulate.NewControlled(controlledArm(), ref, simulate.Controlled{Control: plant.Control{Law: law, Period: 5e-4, Delay: 3e-4}, Text: "pd"}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A record is the same in whole and in blocks, and the law's references are those of the motion.
func TestControlledRecord(t *testing.T) {
	long.Only(t, "servo's tests have the controller, TestBlocksAreTheRecord the record")
	opt := simulate.Options{Rate: 500, Duration: 5, Noise: simulate.Noise{Position: []float64{1e-5}, Velocity: []float64{1e-4}, Torque: []float64{0.1}}, Seed: 3}
	whole, err := controlled(t, opt).All(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	err = controlled(t, opt).Blocks(context.Background(), func(e *simulate.Record) error {
		for k := range e.T {
			for i := range e.Joints {
				if e.T[k] != whole.T[at] || e.Measured.Q[i][k] != whole.Measured.Q[i][at] || e.Measured.Tau[i][k] != whole.Measured.Tau[i][at] || e.Reference[i][k] != whole.Reference[i][at] {
					t.Fatalf("row %d differs", at+1)
				}
			}
			at++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if at != 2501 || len(whole.T) != 2501 {
		t.Errorf("%d and %d rows of 2501", at, len(whole.T))
	}
	var error2, noise2 float64
	for k := range whole.T {
		e := whole.Reference[1][k] - whole.Exact.Q[1][k]
		d := whole.Measured.Q[1][k] - whole.Exact.Q[1][k]
		error2, noise2 = error2+e*e, noise2+d*d
	}
	if rms := math.Sqrt(error2 / 2501); rms < 1e-3 || rms > 0.1 {
		t.Errorf("tracking error %g rad: a PD law under gravity is some hundredths off", rms)
	}
	// Standard error of a deviation from 2501 samples: 1.4 %; five of them.
	if rms := math.Sqrt(noise2 / 2501); math.Abs(rms-1e-5) > 0.07e-5 {
		t.Errorf("position noise %g rad, want 1e-5", rms)
	}
}

// Rates that do not divide, and properties of sensors that belong to exact motions, are refused.
func TestControlledRefusals(t *testing.T) {
	ref := &excite.Trajectory{Period: 5, Joints: []string{"1", "2"}, Q0: []float64{0, 0}, A: [][]float64{{0}, {0}}, B: [][]float64{{0}, {0}}}
	law := servo.PD([]float64{900, 500}, []float64{60, 40}, []float64{1, 1})
	for name, c := range map[string]struct {
		control simulate.Controlled
		opt     simulate.Options
	}{
		"rate": {simulate.Controlled{Control: plant.Control{Law: law, Period: 3e-3}}, simulate.Options{Rate: 1000}},
		"lag":  {simulate.Controlled{Control: plant.Control{Law: law}}, simulate.Options{VelocityLag: 0.01}},
	} {
		if _, err := simulate.NewControlled(controlledArm(), ref, c.control, c.opt); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A four-bar under a controller: the passive joints of the record close its loop, and the drive's torque is that of the motion.
func TestControlledLoops(t *testing.T) {
	r := testrobot.Weigh(testrobot.FourBar(1, 0.35, 0.9, 0.7, 0, math.Pi/2), rand.New(rand.NewPCG(43, 44)))
	r.Assembly = map[string]float64{"J1": 0.3, "J2": 1, "J3": 1.5}
	for j := range r.Links {
		r.Links[j].Joint.Fv, r.Links[j].Joint.Fs, r.Links[j].Joint.Fo, r.Links[j].Joint.Ia = 0.5, 0, 0, 0.2
	}
	ref := &excite.Trajectory{Period: 5, Joints: []string{"J1"}, Q0: []float64{0.3}, A: [][]float64{{2, -2}}, B: [][]float64{{0.4, -0.2}}}
	law := servo.PD([]float64{900}, []float64{60}, []float64{1})
	x, err := simulate.NewControlled(r, ref, simulate.Controlled{Control: plant.Control{Law: law, Period: 1e-3}, Plant: plant.Options{Tolerance: 1e-8}, Text: "pd"}, simulate.Options{Rate: 100, Duration: 2})
	if err != nil {
		t.Fatal(err)
	}
	e, err := x.All(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	model, err := plant.NewModel(r)
	if err != nil {
		t.Fatal(err)
	}
	c, err := loops.NewClosure(r)
	if err != nil {
		t.Fatal(err)
	}
	passive := c.Passive()
	tau, near := []float64{0}, []float64(nil)
	for k := range e.T {
		q := make([]float64, c.DOF())
		q[c.Active()[0]] = e.Exact.Q[0][k]
		for i, p := range passive {
			q[p] = e.PassiveQ[i][k]
		}
		closed, err := c.Close(q, c.Active())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range passive {
			if math.Abs(closed[p]-q[p]) > 1e-9 {
				t.Fatalf("row %d: coordinate %d is at %.12g, the loop closes at %.12g", k+1, p+1, q[p], closed[p])
			}
		}
		near = closed
		dq := []float64{e.Exact.DQ[0][k]}
		model.InverseDynamics(tau, []float64{e.Exact.Q[0][k]}, dq, []float64{e.Exact.DDQ[0][k]})
		model.AddFriction(tau, dq)
		// The model follows the loops by steps of its own; G is known to 1e-12.
		if d := math.Abs(tau[0] - e.Exact.Tau[0][k]); d > 1e-8*(1+math.Abs(tau[0])) {
			t.Fatalf("row %d: %.12g N·m of the drive, %.12g by inverse dynamics", k+1, e.Exact.Tau[0][k], tau[0])
		}
	}
	if len(near) == 0 || len(e.PassiveQ) != len(passive) {
		t.Errorf("%d rows, %d passive joints", len(e.T), len(e.PassiveQ))
	}
}

// pushedMotion is a motion that a force pushes, of which each joint feels a torque from the second second on.
type pushedMotion struct{ simulate.Sampler }

func (pushedMotion) Pushed() bool { return true }

func (pushedMotion) Push(t float64, q, tau []float64) (force [3]float64) {
	if t < 2 {
		return force
	}
	tau[0] += 3 * math.Cos(q[0])
	tau[1] -= 2
	return [3]float64{0, 0, -7}
}

// Under a controller a force moves the robot: the drives' torques are those of the motion and the force together, to the rounding of the
// accelerations, and the log has the force.
func TestControlledPush(t *testing.T) {
	r := controlledArm()
	ref := &excite.Trajectory{Period: 5, Joints: []string{"1", "2"}, Q0: []float64{0.1, -0.2}, A: [][]float64{{0.5, -0.5}, {0.8, -0.8}}, B: [][]float64{{0.1, -0.05}, {0.2, -0.1}}}
	law := servo.PD([]float64{900, 500}, []float64{60, 40}, []float64{1, 1})
	x, err := simulate.NewControlled(r, pushedMotion{ref}, simulate.Controlled{Control: plant.Control{Law: law, Period: 1e-3}, Text: "pd"}, simulate.Options{Rate: 500, Duration: 3})
	if err != nil {
		t.Fatal(err)
	}
	e, err := x.All(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	q, dq, ddq, tau := make([]float64, 2), make([]float64, 2), make([]float64, 2), make([]float64, 2)
	pushed := 0
	for k, at := range e.T {
		for i := range q {
			q[i], dq[i], ddq[i] = e.Exact.Q[i][k], e.Exact.DQ[i][k], e.Exact.DDQ[i][k]
		}
		tree.InverseDynamics(tau, q, dq, ddq)
		f := pushedMotion{}.Push(at, q, tau)
		for i, j := range r.Links {
			want := tau[i] + j.Joint.Fv*dq[i] + j.Joint.Fo
			if dq[i] != 0 { // friction holds a joint at rest with any torque within its limit
				want += math.Copysign(j.Joint.Fs, dq[i])
				if d := math.Abs(e.Exact.Tau[i][k] - want); d > 1e-9 {
					t.Fatalf("joint %d at %g s: %.12g N·m, the motion and the force need %.12g", i+1, at, e.Exact.Tau[i][k], want)
				}
			}
		}
		if e.Contact[3][k] != f[2] {
			t.Fatalf("force of %g N at %g s", e.Contact[3][k], at)
		}
		if e.Contact[0][k] == 1 {
			pushed++
		}
	}
	if pushed != 501 {
		t.Errorf("%d rows with a force, want the 501 from 2 s on", pushed)
	}
}

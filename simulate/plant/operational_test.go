package plant

import (
	"context"
	"math"
	"testing"

	"ident/internal/spatial"
	"ident/mechanics/kinematics"
	"ident/robot"
	"ident/simulate/servo"
)

// sixJoints is an arm with the frames of the RX90 and bodies of its size.
func sixJoints() *robot.Robot {
	r := robot.FromMDH("six joints", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: math.Pi / 2}, {Antecedent: 1, D: 0.45},
		{Antecedent: 2, Alpha: -math.Pi / 2, R: 0.45}, {Antecedent: 3, Alpha: math.Pi / 2}, {Antecedent: 4, Alpha: -math.Pi / 2, R: 0.1}})
	for j, m := range []float64{8, 6, 4, 2, 1, 0.5} {
		l := &r.Links[j]
		l.HasInertial = true
		l.Inertial = robot.InertialFromCentral(m, [3]float64{0.02, 0.01, 0.05}, [3][3]float64{{0.02 * m}, {0, 0.02 * m}, {0, 0, 0.01 * m}})
		l.Joint.Ia = 0.05
	}
	return r
}

func operational(t *testing.T, r *robot.Robot, kp, kv float64) (*servo.Operational, *Plant) {
	t.Helper()
	model, err := NewModel(r)
	if err != nil {
		t.Fatal(err)
	}
	p := newPlant(t, r, Options{})
	law, err := servo.NewOperational(model, len(p.joints), kp, kv)
	if err != nil {
		t.Fatal(err)
	}
	return law, p
}

// Away from singular states the errors of the tip, in position and in rotation, fall as e₀·(1+10t)·exp(−10t), where the
// joints' errors do not. The law is sampled: the error of half the period twice less that of the whole is a continuous law's.
func TestOperationalErrors(t *testing.T) {
	r := sixJoints()
	law, p := operational(t, r, 100, 20)
	ref := fixed{0.3, -0.5, 0.8, 0.4, 0.9, -0.2}
	start := []float64{0.32, -0.47, 0.77, 0.45, 0.85, -0.15}
	pose, want := law.Tree.NewPose(), law.Tree.NewPose()
	want.Place(ref)
	off := func(q []float64) (e [6]float64) {
		pose.Place(q)
		d := spatial.Sub(want.Position(law.Tip), pose.Position(law.Tip))
		turn := spatial.RotationVector(spatial.Mul(want.Frame(law.Tip.Link).R, spatial.Transpose(pose.Frame(law.Tip.Link).R)))
		copy(e[:3], d[:])
		copy(e[3:], turn[:])
		return e
	}
	before := off(start)
	var last [2][6]float64
	for i, period := range []float64{2e-4, 1e-4} {
		err := p.Follow(context.Background(), ref, Control{Law: law, Period: period}, Run{Every: int(math.Round(0.3 / period)), Samples: 2, Q: start, DQ: make([]float64, 6)}, func(row Row) error {
			last[i] = off(row.Q)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	fall := (1 + 10*0.3) * math.Exp(-10*0.3)
	for k, e := range before {
		got := 2*last[1][k] - last[0][k]
		// Of position: the square of the period times the gains, (10·2e-4)². The error of rotation obeys the law to its own
		// second order: the rotation vector's rate is the angular rate but for a third of the error's cross product with it, 0.1².
		tolerance := 4e-5 * math.Abs(e)
		if k >= 3 {
			tolerance = 0.01 * spatial.Norm(spatial.Vec(before[3:]))
		}
		if math.Abs(got-fall*e) > tolerance {
			t.Errorf("component %d: the error is %.8g, want %.8g", k+1, got, fall*e)
		}
	}
}

// through moves the arm's wrist through its singular state, joint 5 at zero, while joints 4 and 6 stay apart.
type through struct{}

func (through) Eval(t float64, q, dq, ddq []float64) {
	for i, c := range []float64{0.3, -0.5, 0.8, 0.4, 0.4, -0.2} {
		q[i], dq[i], ddq[i] = c, 0, 0
	}
	s, c := math.Sincos(math.Pi * t)
	q[4], dq[4], ddq[4] = 0.4*c, -0.4*math.Pi*s, -0.4*math.Pi*math.Pi*c
	q[0], dq[0], ddq[0] = 0.3+0.1*s, 0.1*math.Pi*c, -0.1*math.Pi*math.Pi*s
}

// Through a singular state of the wrist, from a state a little beside the reference, damping keeps the accelerations that the law asks for
// of the size of the reference's, where the undamped law asks for hundreds of times as much; the tip stays near the reference.
func TestOperationalThroughSingularState(t *testing.T) {
	r := sixJoints()
	run := func(damping float64) (most, off float64) {
		law, p := operational(t, r, 400, 40)
		law.Damping = damping
		var zero [3][]float64
		for i := range zero {
			zero[i] = make([]float64, 6)
		}
		through{}.Eval(0, zero[0], zero[1], zero[2])
		start := append([]float64(nil), zero[0]...)
		start[3] += 0.02 // joints 4 and 6 apart from the reference: the tip is turned
		a, b := law.Tree.NewPose(), law.Tree.NewPose()
		w := make([]float64, 6)
		probe := law.Fresh().(*servo.Operational)
		err := p.Follow(context.Background(), through{}, Control{Law: law, Period: 1e-3, Limit: []float64{2e3, 2e3, 2e3, 2e3, 2e3, 2e3}}, Run{Every: 1, Samples: 1001, Q: start, DQ: zero[1]}, func(row Row) error {
			probe.Accelerations(w, servo.Sample{Q: row.Q, DQ: row.DQ, QR: row.QR, DQR: row.DQR, DDQR: row.DDQR})
			for _, x := range w {
				most = max(most, math.Abs(x))
			}
			a.Place(row.Q)
			b.Place(row.QR)
			if row.Time > 0.4 { // past the transient of the start
				off = max(off, spatial.Norm(spatial.Sub(a.Position(law.Tip), b.Position(law.Tip))))
			}
			return nil
		})
		if err != nil {
			t.Log(err)
			return math.Inf(1), math.Inf(1)
		}
		return most, off
	}
	damped, off := run(0.02)
	free, _ := run(0)
	t.Logf("accelerations up to %.3g rad/s² damped, %.3g without; the tip is %.2g m off", damped, free, off)
	if damped > 60 || free < 10*damped || off > 2e-3 {
		t.Errorf("accelerations up to %.3g rad/s² damped, %.3g without; the tip is %.2g m off", damped, free, off)
	}
}

// Arms of two and of seven joints: the tip follows as far as it can, and the joint left over stays with the reference.
func TestOperationalOtherArms(t *testing.T) {
	for _, r := range []*robot.Robot{planarArm(), sevenJoints()} {
		for j := range r.Links {
			r.Links[j].Joint.Fv, r.Links[j].Joint.Fs = 0, 0
		}
		law, p := operational(t, r, 400, 40)
		n := len(p.joints)
		ref, start := make(fixed, n), make([]float64, n)
		for i := range ref {
			ref[i] = 0.5 + 0.3*float64(i%3)
			start[i] = ref[i] + 0.03*math.Cos(float64(i))
		}
		var last []float64
		err := p.Follow(context.Background(), ref, Control{Law: law, Period: 1e-3}, Run{Every: 600, Samples: 2, Q: start, DQ: make([]float64, n)}, func(row Row) error {
			last = append(last[:0], row.Q...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range last {
			// e₀·(1 + 20t)·exp(−20t) at 0.6 s is 8e-5 of 0.03; of the joints left over to the first order of the errors.
			if math.Abs(last[i]-ref[i]) > 2e-4 {
				t.Errorf("%s: joint %d is %.3g off", r.Name, i+1, last[i]-ref[i])
			}
		}
	}
	if _, err := servo.NewOperational(noTip{}, 2, 1, 1); err == nil {
		t.Error("a model without a tip is taken")
	}
}

type noTip struct{ servo.Model }

func (noTip) Tip() (*kinematics.Tree, kinematics.Point) { return nil, kinematics.Point{} }

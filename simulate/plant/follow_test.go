package plant

import (
	"context"
	"math"
	"testing"

	"ident/mechanics/dynamics"
	"ident/simulate/servo"
)

// fixed is a reference that stays.
type fixed []float64

func (f fixed) Eval(_ float64, q, dq, ddq []float64) {
	copy(q, f)
	clear(dq)
	clear(ddq)
}

// Computed torque with Kp = 100 and Kv = 20 from errors of 0.1 and -0.05 rad: e(0.3 s) =
// e₀·(1+10t)·exp(−10t), as the critically damped errors of the law. The law is sampled
// every 10 µs, which moves the errors by some 1e-5 of them.
func TestComputedTorque(t *testing.T) {
	r := planarArm()
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	law, err := servo.NewComputedTorque(tree, []float64{100, 100}, []float64{20, 20})
	if err != nil {
		t.Fatal(err)
	}
	ref := fixed{rad(30), rad(-10)}
	p := newPlant(t, r, Options{})
	var last [2][2]float64 // errors at 0.3 s, by the law's period
	for i, period := range []float64{2e-4, 1e-4} {
		err = p.Follow(context.Background(), ref, Control{Law: law, Period: period},
			Run{Every: int(math.Round(0.3 / period)), Samples: 2, Q: []float64{ref[0] - 0.1, ref[1] + 0.05}, DQ: []float64{0, 0}}, func(row Row) error {
				last[i] = [2]float64{ref[0] - row.Q[0], ref[1] - row.Q[1]}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	for k, want := range []float64{0.0199148273, -0.0099574137} {
		// The error of a held torque is of the order of the period, so that twice the value of half
		// the period less the other is that of a continuous law, to the square of 10·2e-4.
		got := 2*last[1][k] - last[0][k]
		if math.Abs(got-want) > 4e-6*math.Abs(want) {
			t.Errorf("joint %d: error %.10f rad, want %.10f", k+1, got, want)
		}
	}
}

// A controller whose masses are a tenth too small holds a steady error that gravity
// predicts: Kp·e = M⁻¹·ΔG, with M of the controller's model.
func TestSteadyErrorOfLightModel(t *testing.T) {
	truth, light := planarArm(), planarArm()
	for j := range light.Links {
		for k := range light.Links[j].Inertial {
			light.Links[j].Inertial[k] *= 0.9
		}
	}
	model, err := dynamics.New(light)
	if err != nil {
		t.Fatal(err)
	}
	law, err := servo.NewComputedTorque(model, []float64{400, 400}, []float64{40, 40})
	if err != nil {
		t.Fatal(err)
	}
	p := newPlant(t, truth, Options{})
	ref := fixed{0.4, 0.3}
	var q []float64
	err = p.Follow(context.Background(), ref, Control{Law: law, Period: 1e-3}, Run{Every: 2000, Samples: 2}, func(row Row) error {
		q = append(q[:0], row.Q...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// At rest M·Kp·e + G(light) = G(truth), all in the position where it stands.
	weight, own, mass := make([]float64, 2), make([]float64, 2), make([]float64, 4)
	zero := make([]float64, 2)
	p.body.tree.InverseDynamics(weight, q, zero, zero)
	model.InverseDynamics(own, q, zero, zero)
	model.InertiaMatrix(mass, q)
	for i := range 2 {
		held := mass[2*i]*400*(ref[0]-q[0]) + mass[2*i+1]*400*(ref[1]-q[1])
		// The rest of the transient is exp(−20·2).
		if want := weight[i] - own[i]; math.Abs(held-want) > 1e-8*math.Abs(weight[i]) {
			t.Errorf("joint %d: the error makes %.10f N·m, gravity lacks %.10f", i+1, held, want)
		}
	}
}

// In every row the drive's torque less friction moves the bodies: inverse dynamics of the row.
func TestRowsObeyTheEquations(t *testing.T) {
	r := planarArm()
	for j := range r.Links {
		r.Links[j].Joint.Fv, r.Links[j].Joint.Fs, r.Links[j].Joint.Fo = 2, 6, -1.5
	}
	p := newPlant(t, r, Options{})
	law, err := servo.NewPID(servo.PD([]float64{4000, 2000}, []float64{400, 200}, []float64{1, 1}), []float64{2000, 2000})
	if err != nil {
		t.Fatal(err)
	}
	rest, moving, limited := 0, 0, 0
	err = p.Follow(context.Background(), swing{}, Control{Law: law, Period: 1e-3, Delay: 1.5e-3, Limit: []float64{400, 0}}, Run{Every: 10, Samples: 400}, func(row Row) error {
		want := make([]float64, 2)
		p.body.tree.InverseDynamics(want, row.Q, row.DQ, row.DDQ)
		for i := range want {
			got := row.Tau[i] - row.Friction[i] + 1.5
			if math.Abs(got-want[i]) > 1e-9*(1+math.Abs(want[i])) {
				t.Fatalf("%.2f s, joint %d: %.12g moves the body, inverse dynamics wants %.12g", row.Time, i+1, got, want[i])
			}
			if row.DQ[i] == 0 {
				rest++
				if math.Abs(row.Friction[i]) > 6 {
					t.Fatalf("%.2f s, joint %d: friction at rest is %g", row.Time, i+1, row.Friction[i])
				}
			} else {
				moving++
			}
			if row.Limited[i] {
				limited++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if rest == 0 || moving == 0 || limited == 0 {
		t.Errorf("%d entries at rest, %d moving, %d at the limit: the test sees less than it should", rest, moving, limited)
	}
}

// swing moves to and fro with rests between.
type swing struct{}

func (swing) Eval(t float64, q, dq, ddq []float64) {
	for i := range q {
		w := 2.0 + float64(i)
		s, c := math.Sin(w*t), math.Cos(w*t)
		if s < 0 {
			s, c = 0, 0
		}
		q[i], dq[i], ddq[i] = s*s*s, 3*s*s*c*w, w*w*(6*s*c*c-3*s*s*s)
	}
}

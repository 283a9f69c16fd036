package servo_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ident/baseparams"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
	"ident/simulate/servo"
)

// sines is a reference of one sine a joint.
type sines struct{ amplitude, frequency, middle []float64 }

func (s sines) Eval(t float64, q, dq, ddq []float64) {
	for k := range q {
		w := 2 * math.Pi * s.frequency[k]
		q[k] = s.middle[k] + s.amplitude[k]*math.Sin(w*t)
		dq[k] = s.amplitude[k] * w * math.Cos(w*t)
		ddq[k] = -s.amplitude[k] * w * w * math.Sin(w*t)
	}
}

// arm returns a random robot, its model on base columns, its parameters, a
// controller that holds it and a reference.
func arm(t testing.TB, n int, friction bool) (*robot.Robot, *regressor.Model, []float64, servo.Controller, sines) {
	rng := rand.New(rand.NewPCG(11, uint64(n)))
	r := testrobot.Random(rng, n, false)
	terms := []regressor.Term{regressor.Links}
	if friction {
		terms = regressor.DefaultTerms()
	}
	for j := range r.Links {
		r.Links[j].HasInertial = true
		joint := &r.Links[j].Joint
		joint.Ia, joint.Fv, joint.Fs, joint.Fo = 0, 0, 0, 0
		if friction {
			joint.Ia, joint.Fv, joint.Fs, joint.Fo = 0.3+rng.Float64(), 1+rng.Float64(), 2+rng.Float64(), rng.NormFloat64()
		}
	}
	full, err := regressor.NewDynamic(r, terms)
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(full, baseparams.Options{})
	chi := make([]float64, len(full.Columns()))
	for i, c := range full.Columns() {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	n = full.Joints()
	ctl := servo.Controller{Forward: 1}
	var ref sines
	for k := range n {
		ctl.P, ctl.D = append(ctl.P, 900), append(ctl.D, 60)
		ref.amplitude = append(ref.amplitude, 0.4+0.2*rng.Float64())
		ref.frequency = append(ref.frequency, 0.5+0.3*float64(k))
		ref.middle = append(ref.middle, rng.NormFloat64())
	}
	return r, full.Select(set.Base), set.FromStandard(chi), ctl, ref
}

// A mass without friction under a PD law is a linear system, whose motion from a
// constant reference is known.
func TestOscillator(t *testing.T) {
	r := &robot.Robot{Name: "slide", Gravity: [3]float64{0, 0, -9.81}, Links: []robot.Link{{Name: "carriage", Antecedent: -1,
		Placement: robot.Transform{R: [3][3]float64{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}, Joint: robot.Joint{Name: "x", Kind: robot.Prismatic}}}}
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(m, baseparams.Options{})
	if len(set.Base) != 1 {
		t.Fatalf("%d base parameters of a slide, want its mass", len(set.Base))
	}
	const mass, p, d = 2.0, 200.0, 12.0
	loop, err := servo.New(m.Select(set.Base), servo.Controller{P: []float64{p}, D: []float64{d}}, servo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const dt, n = 0.001, 1500
	got, err := loop.Run([]float64{mass}, sines{[]float64{0}, []float64{1}, []float64{0.3}}, 0, dt, n, []float64{0}, []float64{0}, true)
	if err != nil {
		t.Fatal(err)
	}
	position := func(mass, at float64) float64 {
		s := d / (2 * mass)
		w := math.Sqrt(p/mass - s*s)
		return 0.3 * (1 - math.Exp(-s*at)*(math.Cos(w*at)+s/w*math.Sin(w*at)))
	}
	for i := range n {
		at := float64(i) * dt
		const h = 1e-4
		slope := (position(mass+h, at) - position(mass-h, at)) / (2 * h)
		// ωh is 0.01: the fourth-order error is (ωh)⁴/120 of the motion.
		if math.Abs(got.Q[0][i]-position(mass, at)) > 1e-10 || math.Abs(got.QBy[0][0][i]-slope) > 1e-8 {
			t.Fatalf("at %g s: q %v and ∂q/∂m %v, want %v and %v", at, got.Q[0][i], got.QBy[0][0][i], position(mass, at), slope)
		}
	}
}

// The acceleration is that of the articulated-body recursion, which knows links
// and not columns.
func TestAccelerationIsForwardDynamics(t *testing.T) {
	r, m, x, ctl, ref := arm(t, 5, false)
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	loop, err := servo.New(m, ctl, servo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := m.Joints()
	q, dq := make([]float64, n), make([]float64, n)
	ref.Eval(0, q, dq, make([]float64, n))
	got, err := loop.Run(x, ref, 0, 0.002, 200, q, dq, false)
	if err != nil {
		t.Fatal(err)
	}
	links := m.JointLinks()
	full := func(v [][]float64, i int) []float64 {
		out := make([]float64, len(r.Links))
		for k, j := range links {
			out[j] = v[k][i]
		}
		return out
	}
	ddq := make([]float64, len(r.Links))
	for i := range 200 {
		if err := tree.ForwardDynamics(ddq, full(got.Q, i), full(got.DQ, i), full(got.Tau, i)); err != nil {
			t.Fatal(err)
		}
		for k, j := range links {
			if math.Abs(ddq[j]-got.DDQ[k][i]) > 1e-9*(1+math.Abs(ddq[j])) {
				t.Fatalf("sample %d, joint %d: %v, want %v", i, k, got.DDQ[k][i], ddq[j])
			}
		}
	}
}

// The derivatives are those of the computed motion: fourth-order central
// differences of runs with the same steps agree, friction and all.
func TestDerivatives(t *testing.T) {
	_, m, x, ctl, ref := arm(t, 4, true)
	n := m.Joints()
	q, dq := make([]float64, n), make([]float64, n)
	ref.Eval(0, q, dq, make([]float64, n))
	loop, err := servo.New(m, ctl, servo.Options{Steps: 4})
	if err != nil {
		t.Fatal(err)
	}
	const dt, samples = 0.002, 200
	run := func(x []float64, derivatives bool) *servo.Response {
		r, err := loop.Run(x, ref, 0, dt, samples, q, dq, derivatives)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	exact := run(x, true)
	for c, col := range m.Columns() {
		if c%long.Of(1, 25) != 0 {
			continue // some
		}
		h := 1e-4 * (1 + math.Abs(x[c]))
		var at [4]*servo.Response
		for i, s := range []float64{-2, -1, 1, 2} {
			y := append([]float64(nil), x...)
			y[c] += s * h
			at[i] = run(y, false)
		}
		for k := range n {
			var size, worst [2]float64
			for i := range samples {
				for w, pair := range [2][2]func(*servo.Response) float64{
					{func(r *servo.Response) float64 { return r.Q[k][i] }, func(r *servo.Response) float64 { return r.QBy[k][c][i] }},
					{func(r *servo.Response) float64 { return r.Tau[k][i] }, func(r *servo.Response) float64 { return r.TauBy[k][c][i] }},
				} {
					v := pair[0]
					want := (v(at[0]) - 8*v(at[1]) + 8*v(at[2]) - v(at[3])) / (12 * h)
					size[w] = max(size[w], math.Abs(want))
					worst[w] = max(worst[w], math.Abs(pair[1](exact)-want))
				}
			}
			for w, name := range []string{"q", "τ"} {
				// Rounding of q, 1e-15 and some steps' more, over h, 1e-4; in the torque
				// P = 900 times that.
				if worst[w] > 1e-6*size[w]+[2]float64{1e-10, 1e-7}[w] {
					t.Errorf("∂%s%d/∂%s: off by %.2g of %.2g", name, k+1, col.Name, worst[w], size[w])
				}
			}
		}
	}
}

func TestSaturation(t *testing.T) {
	_, m, x, ctl, ref := arm(t, 3, true)
	n := m.Joints()
	ctl.Limit = make([]float64, n)
	for k := range n {
		ctl.Limit[k] = 3
	}
	loop, err := servo.New(m, ctl, servo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := loop.Run(x, ref, 0, 0.001, 100, make([]float64, n), make([]float64, n), true)
	if err != nil {
		t.Fatal(err)
	}
	clipped := 0
	for k := range n {
		for i, v := range r.Tau[k] {
			if math.Abs(v) > 3 {
				t.Fatalf("joint %d gives %v beyond its limit", k+1, v)
			}
			if math.Abs(v) == 3 {
				clipped++
				for c := range r.TauBy[k] {
					if r.TauBy[k][c][i] != 0 {
						t.Fatal("a saturated torque depends on a parameter")
					}
				}
			}
		}
	}
	if clipped == 0 {
		t.Error("nothing was clipped")
	}
}

func TestWhatCannotBeSimulated(t *testing.T) {
	r, m, x, ctl, ref := arm(t, 3, true)
	n := m.Joints()
	loop, err := servo.New(m, ctl, servo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	y := make([]float64, len(x))
	for i := range x {
		y[i] = -x[i]
	}
	_, err = loop.Run(y, ref, 0, 0.001, 10, make([]float64, n), make([]float64, n), false)
	var inertia *servo.InertiaError
	if !errors.As(err, &inertia) {
		t.Errorf("negative inertia: %v", err)
	}
	bad := ctl
	bad.P = append([]float64{-1}, ctl.P[1:]...)
	if _, err := servo.New(m, bad, servo.Options{}); err == nil {
		t.Error("a negative gain was taken")
	}
	spring, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links, regressor.Spring})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := servo.New(spring, ctl, servo.Options{}); err == nil {
		t.Error("a term without a simulation was taken")
	}
}

func BenchmarkRun(b *testing.B) {
	_, m, x, ctl, ref := arm(b, 7, true)
	n := m.Joints()
	loop, err := servo.New(m, ctl, servo.Options{Steps: 1})
	if err != nil {
		b.Fatal(err)
	}
	for _, derivatives := range []bool{false, true} {
		name := "motion"
		if derivatives {
			name = "derivatives"
		}
		b.Run(name, func(b *testing.B) {
			q, dq := make([]float64, n), make([]float64, n)
			ref.Eval(0, q, dq, make([]float64, n))
			for b.Loop() {
				if _, err := loop.Run(x, ref, 0, 0.001, 1000, q, dq, derivatives); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(1000*b.N), "µs/sample")
		})
	}
}

// Steps as long as the motion allows, short where joints reverse, give the motion of many short ones; and its derivatives.
func TestStepsAreShortEnough(t *testing.T) {
	long.Only(t, "TestDerivatives and TestOscillator move by fixed steps")
	_, m, x, ctl, ref := arm(t, 3, true)
	m = m.Compiled()
	n := m.Joints()
	q, dq := make([]float64, n), make([]float64, n)
	ref.Eval(0, q, dq, make([]float64, n))
	const dt, samples = 0.005, 200
	run := func(steps int) *servo.Response {
		loop, err := servo.New(m, ctl, servo.Options{Steps: steps})
		if err != nil {
			t.Fatal(err)
		}
		r, err := loop.Run(x, ref, 0, dt, samples, q, dq, true)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	got, want := run(0), run(80)
	var reversals int
	var worst, worstBy, largestBy float64
	for k := range n {
		for i := range samples {
			if i > 0 && want.DQ[k][i]*want.DQ[k][i-1] < 0 {
				reversals++
			}
			worst = max(worst, math.Abs(got.Q[k][i]-want.Q[k][i]))
			for c := range got.QBy[k] {
				worstBy = max(worstBy, math.Abs(got.QBy[k][c][i]-want.QBy[k][c][i]))
				largestBy = max(largestBy, math.Abs(want.QBy[k][c][i]))
			}
		}
	}
	t.Logf("%d reversals: positions within %.2g rad, derivatives within %.2g of %.2g", reversals, worst, worstBy, largestBy)
	if reversals < 3 {
		t.Fatalf("%d reversals show nothing", reversals)
	}
	// At a reversal the velocity changes by some ten ε, 2e-2 rad/s, with an error of 3e-4 of it at the most, which the controller
	// takes back at 15 1/s: 4e-7 rad each. Derivatives have the same part of themselves.
	if worst > 2e-6 || worstBy > 3e-4*largestBy {
		t.Errorf("positions are off by %.2g rad, derivatives by %.2g of %.2g", worst, worstBy, largestBy)
	}
}

package loads

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/canceltest"
	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// motion samples a sum of two sines a joint, with exact derivatives.
func motion(joints, samples int, duration float64, rng *rand.Rand) Series {
	s := Series{T: make([]float64, samples)}
	for k := range s.T {
		s.T[k] = duration * float64(k) / float64(samples-1)
	}
	for range joints {
		q, dq, ddq := make([]float64, samples), make([]float64, samples), make([]float64, samples)
		for h := 1; h <= 2; h++ {
			a, w, phase := rng.NormFloat64()*0.4, float64(h)*2, rng.Float64()*6
			for k, t := range s.T {
				sin, cos := math.Sincos(w*t + phase)
				q[k] += a * sin
				dq[k] += a * w * cos
				ddq[k] -= a * w * w * sin
			}
		}
		s.Q, s.DQ, s.DDQ = append(s.Q, q), append(s.DQ, dq), append(s.DDQ, ddq)
	}
	return s
}

func of(t *testing.T, r *robot.Robot, s Series, opt Options) *Report {
	t.Helper()
	out, err := Of(t.Context(), r, s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func near(t *testing.T, name string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1e-300, math.Abs(want))) {
		t.Errorf("%s: %.12g, want %.12g", name, got, want)
	}
}

// The drives' net energy for bodies and rotors is the change of kinetic and potential energy; friction takes the rest,
// ∫Fv·dq² + Fs·|dq|. The trapezoidal rule's error is h²/12·T·max|p″|: with steps of 1 ms and powers that change by
// some 40 rad²/s² of their size in a second squared, 4e-6 of the largest power, times 2 s.
func TestEnergyBalance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		r := testrobot.Random(rng, 1+rng.IntN(5), true)
		n := len(r.Moving())
		s := motion(n, 2001, 2, rng)
		out := of(t, r, s, Options{})
		power := 0.0
		for _, d := range out.Drives {
			power = math.Max(power, math.Abs(d.Power.Value))
		}
		if bound := 1e-5 * float64(n) * power * out.Duration; math.Abs(out.Energy.Residual) > bound || math.Abs(out.Energy.Dissipated-out.Energy.Residual) > 1e-9*power {
			t.Errorf("residual %g J, dissipated %g J, largest power %g W", out.Energy.Residual, out.Energy.Dissipated, power)
		}
		j := &r.Links[r.Moving()[0]].Joint
		j.Fv, j.Fs, j.Fo = 0.7, 1.3, 0.2
		drag, w, lossTime := of(t, r, s, Options{}), 0.0, 0.0
		weights, duration := s.weights()
		for k, h := range weights {
			w += h * (0.7*s.DQ[0][k]*s.DQ[0][k] + 1.3*math.Abs(s.DQ[0][k]) + 0.2*s.DQ[0][k])
			lossTime += h
		}
		near(t, "time", lossTime, duration, 1e-12)
		if loss := drag.Energy.Dissipated - out.Energy.Dissipated; math.Abs(loss-w) > 1e-9*(power+w) {
			t.Errorf("friction takes %g J, want %g", loss, w)
		}
		if e := drag.Energy; !(e.Net <= e.Shared+1e-9) || !(e.Shared <= e.Without+1e-9) {
			t.Errorf("energies are not in order: %+v", e)
		}
	}
}

// The wrench of the base is that of the regressor: the torques of six virtual joints between the ground and the
// robot, three sliding and three turning, which stay at zero.
func TestBaseWrenchIsTheRegressors(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 5 {
		r := testrobot.Random(rng, 4, true)
		n := len(r.Moving())
		s := motion(n, 3, 0.01, rng)
		out := of(t, r, s, Options{Keep: true})
		base := &robot.Robot{Name: "on a sensor", Gravity: r.Gravity}
		axes := [3]spatial.Mat{spatial.RotY(math.Pi / 2), spatial.RotX(-math.Pi / 2), spatial.Eye()}
		for k := range 6 {
			kind := robot.Kind(robot.Prismatic)
			if k > 2 {
				kind = robot.Revolute
			}
			// Each frame's z is turned onto its axis, and back before the next.
			turn := axes[k%3]
			if k > 0 {
				turn = spatial.Mul(spatial.Transpose(axes[(k-1)%3]), turn)
			}
			l := robot.FromMDH("", []robot.MDHFrame{{Antecedent: -1, Kind: kind}}).Links[0]
			l.Name, l.Joint.Name, l.Antecedent, l.Placement, l.MDH, l.Massless = string(rune('a'+k)), "v"+string(rune('a'+k)), k-1, robot.Transform{R: turn}, nil, true
			base.Links = append(base.Links, l)
		}
		for _, l := range r.Links {
			if l.Antecedent < 0 {
				l.Placement = robot.Transform{R: spatial.Transpose(axes[2])}.Mul(l.Placement)
				l.Antecedent = 5
			} else {
				l.Antecedent += 6
			}
			l.MDH, l.Joint.Ia = nil, 0
			base.Links = append(base.Links, l)
		}
		m, err := regressor.NewDynamic(base, []regressor.Term{regressor.Links})
		if err != nil {
			t.Fatal(err)
		}
		chi := make([]float64, len(m.Columns()))
		for i, c := range m.Columns() {
			chi[i] = base.Links[c.Link].Inertial[c.Param]
		}
		rest := make([]float64, len(s.T))
		in := regressor.Batch{}
		for range 6 {
			in.Q, in.DQ, in.DDQ = append(in.Q, rest), append(in.DQ, rest), append(in.DDQ, rest)
		}
		in.Q, in.DQ, in.DDQ = append(in.Q, s.Q...), append(in.DQ, s.DQ...), append(in.DDQ, s.DDQ...)
		tau := make([][]float64, n+6)
		for i := range tau {
			tau[i] = make([]float64, len(s.T))
		}
		if err := regressor.NewTorques(m).Eval(tau, in, chi); err != nil {
			t.Fatal(err)
		}
		size := 1.0
		for k := range 6 {
			for _, v := range tau[k] {
				size = math.Max(size, math.Abs(v))
			}
		}
		for k, name := range [6]string{"fx_base", "fy_base", "fz_base", "mx_base", "my_base", "mz_base"} {
			for i := range s.T {
				if got := column(t, out, name)[i]; math.Abs(got-tau[k][i]) > 1e-12*size {
					t.Errorf("%s at sample %d: %.15g, by the regressor %.15g", name, i, got, tau[k][i])
				}
			}
		}
	}
}

func column(t *testing.T, r *Report, name string) []float64 {
	t.Helper()
	for _, c := range r.Columns {
		if c.Name == name {
			return c.Values
		}
	}
	t.Fatalf("no column %q", name)
	return nil
}

// A payload is a part of its link to all joints before it, and the wrench on it that of its own motion: the difference
// of the link's joint wrench with and without it.
func TestPayload(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	r := testrobot.Random(rng, 4, false)
	s := motion(4, 50, 1, rng)
	body := robot.InertialFromCentral(5, [3]float64{0.1, -0.2, 0.3}, spatial.ScaleMat(0.02, spatial.Eye()))
	with := r.Clone()
	with.Links[3].Inertial = with.Links[3].Inertial.Add(body)
	a := of(t, with, s, Options{Keep: true})
	b := of(t, r, s, Options{Keep: true, Payload: &Payload{Link: 3, Body: body}})
	bare := of(t, r, s, Options{Keep: true})
	for _, c := range a.Columns {
		for k, v := range c.Values {
			if got := column(t, b, c.Name)[k]; got != v {
				t.Fatalf("%s: %g with a payload, %g with the link that holds it", c.Name, got, v)
			}
		}
	}
	for _, name := range []string{"fx_", "fy_", "fz_", "mx_", "my_", "mz_"} {
		for k := range s.T {
			difference := column(t, b, name+"joint4")[k] - column(t, bare, name+"joint4")[k]
			if got := column(t, b, name+"payload")[k]; math.Abs(got-difference) > 1e-10*math.Max(1, math.Abs(column(t, b, name+"joint4")[k])) {
				t.Errorf("%s at sample %d: %g, by difference %g", name, k, got, difference)
			}
		}
	}
}

// A closed robot: its drives' energy is the change of its mechanical energy, joints outside its loops have
// all bearing loads, and those of its plane loop the forces in the plane.
func TestClosedRobot(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	r := testrobot.Weigh(testrobot.SR400(t), rng)
	m, err := newMechanics(r)
	if err != nil {
		t.Fatal(err)
	}
	s := motion(len(m.links), 1001, 1, rng)
	for i := range s.Q {
		for k := range s.T {
			s.Q[i][k] *= 0.3
			s.DQ[i][k] *= 0.3
			s.DDQ[i][k] *= 0.3
		}
	}
	out := of(t, r, s, Options{})
	power := 0.0
	for _, d := range out.Drives {
		power = math.Max(power, math.Abs(d.Power.Value))
	}
	if math.Abs(out.Energy.Residual) > 1e-4*power || math.Abs(out.Energy.Mechanical) < 1e-2*power {
		t.Errorf("residual %g J of %g J, largest power %g W", out.Energy.Residual, out.Energy.Mechanical, power)
	}
	whole, plane := 0, 0
	for i, b := range out.Bearings {
		switch {
		case b.Axial != nil && b.Radial != nil && b.Tilt != nil && b.Moment != nil:
			whole++
		case b.Axial == nil && b.Radial != nil && b.RMS != nil && b.Tilt == nil && b.Moment == nil && b.Twist != nil:
			plane++
		default:
			t.Errorf("bearing %d of %s: %v", i+1, b.Joint, b)
		}
	}
	// The first joint and the wrist are outside, four joints and the cut are the parallelogram's.
	if whole != 4 || plane != 5 || len(out.Notes) == 0 {
		t.Errorf("%d bearings are determined, %d in a plane; notes %q", whole, plane, out.Notes)
	}
}

// Samples cost no memory of their own: a motion of four times the samples takes as many allocations, but for the
// lists of the motion's length.
func TestAllocations(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	r := testrobot.Random(rng, 6, false)
	r.Links[5].Section = "{tube: {outer: 0.02, inner: 0.015}, material: AlMg3, to: [0.3, 0, 0]}"
	count := func(samples int) float64 {
		s := motion(6, samples, 2, rng)
		return testing.AllocsPerRun(3, func() { of(t, r, s, Options{}) })
	}
	if few, many := count(1000), count(4000); many > few+50 {
		t.Errorf("%g allocations of 1000 samples, %g of 4000", few, many)
	}
}

// A sample of seven joints takes some microseconds.
func BenchmarkOf(b *testing.B) {
	rng := rand.New(rand.NewPCG(15, 16))
	r := testrobot.Random(rng, 7, false)
	s := motion(7, 1000, 2, rng)
	for b.Loop() {
		if _, err := Of(b.Context(), r, s, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/sample")
}

// The context's error ends the computation within 256 samples, in the walk for a payload as in that for the loads.
func TestCancelled(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	r := testrobot.Random(rng, 3, false)
	const samples = 2001
	s := motion(3, samples, 2, rng)
	for range 3 {
		s.Tau = append(s.Tau, make([]float64, samples))
	}
	link := r.Moving()[2]
	opt := Options{Payload: &Payload{Link: link, Body: r.Links[link].Inertial}}
	canceltest.Everywhere(t, 2*(samples/256), func(ctx context.Context) error {
		_, err := Of(ctx, r, s, opt)
		return err
	})
}

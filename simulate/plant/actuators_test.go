package plant

import (
	"context"
	"math"
	"testing"

	"ident/robot"
	"ident/robot/drives"
	"ident/simulate/servo"
)

// gearMotor is a motor of some 100 W with a gear of 50.
func gearMotor() drives.Motor {
	return drives.Motor{Order: 2, Resistance: 1.2, Constant: 0.05, BackEMF: 0.05, Ratio: 50, Efficiency: 1}
}

// along is a drive given by a function of time.
type along func(t float64, tau []float64)

func (a along) Torque(t float64, _, _, tau []float64) { a(t, tau) }

// The voltages of a motion, from inverse dynamics and the motor's equations, move the joints
// along it: 1e-6 rad over three seconds, for the second and the third order.
func TestVoltagesOfAMotion(t *testing.T) {
	r := planarArm()
	motion := func(at float64, q, dq, ddq []float64) {
		for i, w := range []float64{2, 3.1} {
			q[i], dq[i], ddq[i] = 0.5*math.Sin(w*at), 0.5*w*math.Cos(w*at), -0.5*w*w*math.Sin(w*at)
		}
	}
	model, err := NewModel(r)
	if err != nil {
		t.Fatal(err)
	}
	torque := func(at float64, tau, dq []float64) {
		q, ddq := make([]float64, 2), make([]float64, 2)
		motion(at, q, dq, ddq)
		model.InverseDynamics(tau, q, dq, ddq)
	}
	for order := 2; order <= 3; order++ {
		m := gearMotor()
		m.Order = order
		if order == 3 {
			m.Inductance = 2e-3
		}
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
		p := newPlant(t, r, Options{Drives: []drives.Drive{&m, &m}})
		dq, tau, up, down := make([]float64, 2), make([]float64, 2), make([]float64, 2), make([]float64, 2)
		feed := along(func(at float64, asked []float64) {
			const h = 1e-4 // s: the rate of the torque to h²/6 of its third derivative, 1e-7 of it
			torque(at+h, up, dq)
			torque(at-h, down, dq)
			torque(at, tau, dq)
			for i := range asked {
				u := m.Voltage(tau[i], (up[i]-down[i])/(2*h), dq[i])
				asked[i] = m.VoltageGain() * u
			}
		})
		q, ddq := make([]float64, 2), make([]float64, 2)
		motion(0, q, dq, ddq)
		s := p.Start(0, q, dq)
		torque(0, tau, dq)
		for i := range s.x[4:] {
			s.x[4+i] = tau[i] / m.Gain()
		}
		if err := s.Advance(t.Context(), 3, feed); err != nil {
			t.Fatal(err)
		}
		motion(3, q, dq, ddq)
		for i := range q {
			if got := s.Q()[i]; math.Abs(got-q[i]) > 1e-6 {
				t.Errorf("order %d, joint %d: %.9f rad, want %.9f", order, i+1, got, q[i])
			}
		}
	}
}

// The speed of a joint without a load under 24 V, and the torque at standstill: the figures of
// the source's motor (its inertia and friction are the joint's).
func TestFreeSpeedOfBook(t *testing.T) {
	r := slide(1.52, 0, 1.5, 0)
	m := drives.Motor{Order: 2, Resistance: 2.45, Constant: 4.31, BackEMF: 7, Ratio: 1, Efficiency: 1, MaxVoltage: 24}
	p := newPlant(t, r, Options{Drives: []drives.Drive{&m}})
	s := p.Start(0, []float64{0}, []float64{0})
	full := Constant{1e6}
	if got, err := s.Signals(full); err != nil || got[0].Voltage != 24 || !got[0].Limited || math.Abs(m.Gain()*got[0].Current-42.220408) > 1e-6 {
		t.Errorf("at standstill %+v, %v", got, err)
	}
	if err := s.Advance(t.Context(), 5, full); err != nil {
		t.Fatal(err)
	}
	if got := s.DQ()[0]; math.Abs(got-3.056286) > 1e-6 {
		t.Errorf("free speed %.7f, want 3.056286", got)
	}
}

// A gear of efficiency η gives the joint η of the motor's torque, and at rest holds a load
// of up to (2 − η) of it and at least η of it.
func TestGearLoss(t *testing.T) {
	const weight = 3 * 9.81
	r := slide(3, 0, 0, 0)
	r.Gravity = [3]float64{0, 0, -9.81} // along the slide
	m := gearMotor()
	m.Efficiency = 0.7
	p := newPlant(t, r, Options{Drives: []drives.Drive{&m}})
	up := func(tau float64) float64 { // acceleration from rest
		a, tau1, f := []float64{0}, []float64{0}, []float64{0}
		if err := p.Start(0, []float64{0}, []float64{0}).At(Constant{tau}, a, tau1, f); err != nil {
			t.Fatal(err)
		}
		return a[0]
	}
	for _, c := range []struct{ tau, want float64 }{
		{2 * weight, (0.7*2 - 1) * 9.81},
		{weight / 0.71, 0}, {weight / 1.29, 0}, {weight, 0},
		{weight / 1.5, (1.3/1.5 - 1) * 9.81},
		{0, -9.81},
	} {
		if got := up(c.tau); math.Abs(got-c.want) > 1e-12*9.81 {
			t.Errorf("%.3f N of the motor under %.3f N: %.9f m/s², want %.9f", c.tau, weight, got, c.want)
		}
	}
	// In motion, up and down, driving and braking: the law that package loads and the simulation along an exact motion invert.
	current := m
	current.ByCurrent = true // no torque is lost to the back-EMF
	moving := newPlant(t, r, Options{Drives: []drives.Drive{&current}})
	for _, speed := range []float64{1, -1} {
		for _, want := range []float64{2 * weight, -weight} { // at the joint
			a, tau1, f := []float64{0}, []float64{0}, []float64{0}
			tau := drives.ThroughGear(want, speed, m.Loss())
			if err := moving.Start(0, []float64{0}, []float64{speed}).At(Constant{tau}, a, tau1, f); err != nil {
				t.Fatal(err)
			}
			if math.Abs(a[0]-(want-weight)/3) > 1e-12*weight {
				t.Errorf("%g N at the joint, %g m/s: %.9f m/s²", want, speed, a[0])
			}
		}
	}
	// In motion, the drive's torque stuck: the joint comes to rest where its gear holds it.
	s := p.Start(0, []float64{0}, []float64{2})
	if err := s.Advance(t.Context(), 4, Constant{weight}); err != nil {
		t.Fatal(err)
	}
	if s.DQ()[0] != 0 || s.Stats().Stops != 1 {
		t.Errorf("after a push it moves at %g m/s, %+v", s.DQ()[0], s.Stats())
	}
}

// A cylinder of fifth order with a fast servo valve moves as one of third order. Scaling c₁ and c₂
// by 100 leaves the slow pole of the valve at c₁/c₂, 200 1/s here: 2π·0.2/200 of the motion lags
// behind, 0.6 %. Scaling the frequency, c₁ by 10⁴, leaves 2ζω/ω² = 1e-4 s of lag.
func TestCylinderOrders(t *testing.T) {
	r := slide(60, 0, 400, 0)
	base := drives.Cylinder{Order: 3, Area: 2e-3, Modulus: 1.4e9, Volume: 1e-3, FlowPressure: 2e-11, Internal: 1e-12, External: 1e-12, ValveC1: 4e4, ValveC2: 200, ValveGain: 200}
	force := along(func(at float64, tau []float64) { tau[0] = 2e5 * math.Sin(2*math.Pi*0.2*at) })
	run := func(c drives.Cylinder) (q []float64) {
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		p := newPlant(t, r, Options{Drives: []drives.Drive{&c}, Tolerance: 1e-7})
		s := p.Start(0, []float64{0}, []float64{0})
		for k := range 20 {
			if err := s.Advance(t.Context(), 0.05*float64(k+1), force); err != nil {
				t.Fatal(err)
			}
			q = append(q, s.Q()[0])
		}
		return q
	}
	third := run(base)
	reach := math.Abs(third[len(third)-1])
	for _, f := range []struct{ c1, c2, part float64 }{{100, 100, 0.01}, {1e4, 100, 1e-3}} {
		fifth := base
		fifth.Order, fifth.ValveC1, fifth.ValveC2, fifth.ValveGain = 5, f.c1*base.ValveC1, f.c2*base.ValveC2, f.c1*base.ValveGain
		worst := 0.0
		for k, q := range run(fifth) {
			worst = max(worst, math.Abs(q-third[k]))
		}
		t.Logf("c₁·%g, c₂·%g: %.2g of a stroke of %.3g m", f.c1, f.c2, worst/reach, reach)
		if !(worst < f.part*reach) || reach < 0.05 {
			t.Errorf("c₁·%g, c₂·%g: apart by %.2g of the stroke of %.3g m", f.c1, f.c2, worst/reach, reach)
		}
	}
}

// Under a law the rows tell voltage and current of the drive, whose equations they obey, and
// the limits of the amplifier.
func TestDrivesUnderALaw(t *testing.T) {
	m := gearMotor()
	m.Order, m.Inductance, m.MaxVoltage, m.MaxCurrent = 3, 1e-3, 12, 0.6
	r := planarArm()
	for j := range r.Links {
		r.Links[j].Inertial = robot.InertialFromCentral(0.5, [3]float64{0.1, 0, 0}, [3][3]float64{{1e-3}, {0, 4e-3}, {0, 0, 4e-3}})
		r.Links[j].Joint.Fs = 0.3
	}
	p := newPlant(t, r, Options{Drives: []drives.Drive{&m, nil}})
	law := servo.PD([]float64{60, 20}, []float64{6, 2}, []float64{1, 1})
	limited, rows := 0, 0
	err := p.Follow(context.Background(), swing{}, Control{Law: law, Period: 1e-3}, Run{Every: 5, Samples: 400}, func(row Row) error {
		s := row.Signals[0]
		if math.Abs(m.Gain()*s.Current-row.Tau[0]) > 1e-12*(1+math.Abs(row.Tau[0])) || math.Abs(s.Voltage) > 12 || math.Abs(s.Current) > 0.6*(1+1e-9) {
			t.Fatalf("%g s: %+v under %g N·m", row.Time, s, row.Tau[0])
		}
		if row.Signals[1] != (drives.Signals{}) {
			t.Fatalf("signals %+v of a joint without a drive", row.Signals[1])
		}
		if row.Limited[0] {
			limited++
		}
		rows++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if limited == 0 || limited == rows {
		t.Errorf("%d of %d rows at a limit: the test sees less than it should", limited, rows)
	}
}

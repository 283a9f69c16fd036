package elastic

import (
	"math"
	"testing"

	"ident/internal/testrobot"
	"ident/robot"
)

// twoAxis is a planar arm in a vertical plane with elastic gears.
func twoAxis() *robot.Robot {
	r := robot.FromMDH("two-axis", []robot.MDHFrame{
		{Antecedent: -1, Alpha: math.Pi / 2},
		{Antecedent: 0, D: 0.4},
	})
	for j := range r.Links {
		l := &r.Links[j]
		mass, at := []float64{6, 3}[j], []float64{0.2, 0.15}[j]
		l.Inertial = robot.InertialFromCentral(mass, [3]float64{at, 0.01, 0}, [3][3]float64{{0.01}, {0, 0.05}, {0, 0, 0.05}})
		l.Own, l.HasInertial = l.Inertial, true
		l.Joint.Elastic = true
		l.Joint.Elasticity = robot.Elasticity{Stiffness: []float64{6000, 2500}[j], Damping: []float64{3, 1}[j]}
		l.Joint.Ia, l.Joint.Fv, l.Joint.Fs, l.Joint.Fo = []float64{0.8, 0.3}[j], 2, 1.5, 0.3
	}
	return r
}

// sevenJoints is an arm of seven elastic joints with alternating axes.
func sevenJoints() *robot.Robot { return testrobot.SevenElastic(8000, 4, 0, 1, 2, 3, 4, 5, 6) }

// wave is a smooth reference of two harmonics a joint.
type wave struct{ joints int }

func (w wave) Eval(t float64, q, dq, ddq []float64) {
	for j := range w.joints {
		q[j], dq[j], ddq[j] = 0, 0, 0
		for h, a := range []float64{0.5, 0.25} {
			o := 2 * math.Pi * (0.31 + 0.13*float64(j)) * (1 + 1.7*float64(h))
			p := float64(j) + 2*float64(h)
			q[j] += a * math.Sin(o*t+p)
			dq[j] += a * o * math.Cos(o*t+p)
			ddq[j] -= a * o * o * math.Sin(o*t+p)
		}
	}
}

// moved simulates a machine along the wave with a multisine around its resonances.
func moved(t testing.TB, m *Machine, rate, duration, tolerance float64) *Record {
	t.Helper()
	return movedUnder(t, m, rate, duration, Control{Tolerance: tolerance})
}

// movedUnder is the same under the law of moved with the other settings of a control.
func movedUnder(t testing.TB, m *Machine, rate, duration float64, of Control) *Record {
	t.Helper()
	c, err := m.Gains(2)
	if err != nil {
		t.Fatal(err)
	}
	c.Tolerance, c.Hold = of.Tolerance, of.Hold
	c.Dither = make([]Multisine, m.Links)
	for q, j := range m.Robot.Moving() {
		c.Dither[q] = Multisine{Amplitude: 0.002 * m.Robot.Links[j].Joint.Elasticity.Stiffness / 6, First: 3 + 0.1*float64(q), Step: 1.3, Lines: 20, Shift: float64(q)}
	}
	rec, err := m.Simulate(t.Context(), wave{m.Links}, c, rate, duration)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// ideal is the log of perfect sensors.
func ideal(rec *Record, rate float64) *Log {
	return &Log{Name: "ideal", Rate: rate, X: rec.X, DX: rec.DX, DDX: rec.DDX, Tau: rec.Tau, Sensor: rec.Spring}
}

func machine(t testing.TB, r *robot.Robot) *Machine {
	t.Helper()
	m, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

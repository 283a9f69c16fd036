package elastic

import (
	"errors"
	"math"
	"os"
	"regexp"
	"slices"
	"testing"

	"ident/internal/long"
	"ident/robot"
)

// truth are the base parameters of the robot file.
func truth(f *Fit) []float64 {
	return f.Base.FromStandard(f.Machine.standard(f.Base.Columns))
}

// Noise-free logs with exact derivatives give the parameters back: to rounding of 1e-16 times the condition number, some
// tens, times the ratio of the largest column to the parameter's own, some thousands at 0.01; 1e-8 is above that by far.
func TestRecovery(t *testing.T) {
	for _, r := range []*robot.Robot{twoAxis(), sevenJoints()}[:long.Of(2, 1)] {
		m, err := New(r)
		if err != nil {
			t.Fatal(err)
		}
		rec := moved(t, m, 500, 4, 0)
		l := ideal(rec, 500)
		l.Sensor = nil
		f, err := m.Identify(t.Context(), []*Log{l}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range truth(f) {
			got := f.Parameters[k].Value
			if math.Abs(got-want) > 1e-8*math.Max(math.Abs(want), 0.01) {
				t.Errorf("%s: %s is %.12g, want %.12g", r.Name, f.Parameters[k].Name, got, want)
			}
		}
	}
}

// Without encoders at the links the parameters come back as well where the motion reaches the resonance: from
// motors and torque sensors, and from motors alone. The links' simulated motion is exact to 1e-13 a step and the motors' is
// a polynomial of the fifth degree between samples, whose error is (ω·dt)⁶/46080 of an amplitude, 1e-10 at 25 Hz. Where a motor
// reverses against Coulomb friction, or sticks, it is continued from both sides (turnsOf), with 64 times that error.
func TestRecoveryBehindMotors(t *testing.T) {
	long.Only(t, "TestRecovery has encoders at motors and links")
	robots := []*robot.Robot{twoAxis()}
	if os.Getenv("IDENT_LONG") != "" || os.Getenv("IDENT_ELASTIC_SEEDS") != "" {
		robots = append(robots, sevenJoints())
	}
	for _, r := range robots {
		const rate = 1500
		rec := moved(t, machine(t, r), rate, 1.6, 1e-13)
		start := r.Clone()
		for j := range start.Links {
			n := &start.Links[j].Joint
			n.Elasticity.Stiffness *= 1.15
			n.Elasticity.Damping *= 0.7
			n.Ia *= 0.9
		}
		m := machine(t, start)
		for _, sensors := range []Sensors{MotorAlone, MotorAndTorque}[:long.Of(2, 0)] {
			if sensors == MotorAndTorque && r.DOF() > 2 && !long.All() {
				continue // with two joints in the gate
			}
			f, err := m.Identify(t.Context(), []*Log{withoutLinks(m, ideal(rec, rate), sensors)}, Options{})
			if err != nil {
				t.Fatalf("%s, %s: %v", r.Name, sensors, err)
			}
			worst := 0.0
			for k, w := range f.Base.FromStandard(machine(t, r).standard(f.Base.Columns)) {
				d := math.Abs(f.Parameters[k].Value-w) / math.Max(math.Abs(w), 0.01)
				worst = math.Max(worst, d)
				if d > 1e-8 {
					t.Errorf("%s, %s: %s is %.12g, want %.12g", r.Name, sensors, f.Parameters[k].Name, f.Parameters[k].Value, w)
				}
			}
			t.Logf("%s, %s: worst %.2g, error %.2g %%", r.Name, sensors, worst, f.Error)
		}
	}
}

// withoutLinks is a log without encoders at the links.
func withoutLinks(m *Machine, l *Log, sensors Sensors) *Log {
	l.X, l.DX, l.DDX = motors(m, l.X), motors(m, l.DX), motors(m, l.DDX)
	if sensors == MotorAlone {
		l.Sensor = nil
	}
	return l
}

// motors are the channels of motors alone.
func motors(m *Machine, x [][]float64) [][]float64 {
	if x == nil {
		return nil
	}
	out := make([][]float64, len(x))
	for _, s := range m.Springs {
		out[s.Motor] = x[s.Motor]
	}
	return out
}

// slow begins with neither velocity nor acceleration, which would make the springs ring.
type slow struct{}

func (slow) Eval(t float64, q, dq, ddq []float64) {
	for j := range q {
		o := 2 * math.Pi * 0.15 * float64(j+1)
		c, s := math.Cos(o*t), math.Sin(o*t)
		q[j], dq[j], ddq[j] = 0.2*(1-c)*(1-c), 0.4*o*s*(1-c), 0.4*o*o*(c-c*c+s*s)
	}
}

// Below the resonance motors and links move as one: their torques show the sum of the inertias, and neither the share of the
// rotor of the first joint, which nothing else carries, nor the stiffness; with torque sensors only a stiffness is missing.
func TestRefusedBelowResonance(t *testing.T) {
	r := twoAxis()
	for j := range r.Links {
		r.Links[j].Joint.Fs = 0 // whose steps at reversals make the springs ring
	}
	r.Gravity = [3]float64{} // a weight bends the joints at rest
	m := machine(t, r)
	c, err := m.Gains(2)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := m.Simulate(t.Context(), slow{}, c, 400, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		sensors Sensors
		want    []string
	}{{MotorAlone, []string{"K1", "K2", "Ia1"}}, {MotorAndTorque, []string{"K2"}}} {
		_, err := m.Identify(t.Context(), []*Log{withoutLinks(m, ideal(rec, 400), k.sensors)}, Options{})
		var open *UndeterminedError
		if !errors.As(err, &open) {
			t.Fatalf("%s: %v", k.sensors, err)
		}
		t.Log(open)
		if !slices.Equal(open.Parameters, k.want) {
			t.Errorf("%s: %v are open, want %v", k.sensors, open.Parameters, k.want)
		}
	}
}

// Channels of a motor and its link exchanged, the gear ratio twice or not at all, and channels of other joints have their names.
func TestFaults(t *testing.T) {
	r := twoAxis()
	r.Links[1].Joint.GearRatio = 100
	m := machine(t, r)
	rec := moved(t, m, 500, 2, 0)
	scaled := func(x []float64, f float64) []float64 {
		out := slices.Clone(x)
		for i := range out {
			out[i] *= f
		}
		return out
	}
	for _, k := range []struct {
		name string
		x    func(x [][]float64) [][]float64
		want string
	}{
		{"exchanged", func(x [][]float64) [][]float64 { return [][]float64{x[0], x[3], x[2], x[1]} }, `"J2": the spring pushes against its deflection.*exchanged`},
		{"twice", func(x [][]float64) [][]float64 { return [][]float64{x[0], x[1], x[2], scaled(x[3], 0.01)} }, `"J2": .*the factor 0.0.*one over the gear ratio 100: it is applied twice`},
		{"shaft", func(x [][]float64) [][]float64 { return [][]float64{x[0], x[1], x[2], scaled(x[3], 100)} }, `"J2": .*the factor 99.* is the gear ratio 100.*shaft`},
		{"twice, ratio unknown", func(x [][]float64) [][]float64 { return [][]float64{x[0], x[1], scaled(x[2], 0.02), x[3]} }, `"J1": .*the factor 0.01.*applied twice`},
		{"sign", func(x [][]float64) [][]float64 { return [][]float64{x[0], x[1], scaled(x[2], -1), x[3]} }, `"J1": .*counts the other way`},
		{"other joint", func(x [][]float64) [][]float64 { return [][]float64{x[0], x[1], x[3], x[3]} }, `"J1": .*`},
	} {
		l := ideal(rec, 500)
		l.X, l.DX, l.DDX, l.Sensor = k.x(rec.X), k.x(rec.DX), k.x(rec.DDX), nil
		_, err := m.Identify(t.Context(), []*Log{l}, Options{})
		var fault *FaultError
		if !errors.As(err, &fault) || !regexp.MustCompile(k.want).MatchString(err.Error()) {
			t.Errorf("%s: %v; want %s", k.name, err, k.want)
		}
	}
}

package elastic

import (
	"math"
	"testing"

	"ident/internal/long"
	"ident/robot"
	"ident/robot/format"
)

// A link behind a spring has the resonance √(K·(1/Ia + 1/ZZ)) and, with its motor locked, √(K/ZZ).
func TestModesOfOneJoint(t *testing.T) {
	r, err := format.Read([]byte(`
gravity: [0, 0, 0]
links:
  - name: arm
    joint: {name: j, elastic: true, stiffness: 2000, drive: {ia: 0.2}}
    inertial: {mass: 2, com: [0.3, 0, 0], inertia: {ixx: 0.01, ixy: 0, ixz: 0, iyy: 0.02, iyz: 0, izz: 0.02}}
`), "yaml", "one", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := machine(t, r).Described(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at, err := f.ModesWithin([]float64{0.4})
	if err != nil {
		t.Fatal(err)
	}
	zz := 0.02 + 2*0.09
	for _, k := range []struct{ got, want float64 }{
		{at.Resonances[0].Value, math.Sqrt(2000*(1/0.2+1/zz)) / (2 * math.Pi)},
		{at.AntiResonances[0].Value, math.Sqrt(2000/zz) / (2 * math.Pi)},
	} {
		// The stiffness is a difference over nudge: 1e-16 of the torque of the position over it, 1e-11.
		if math.Abs(k.got-k.want) > 1e-9*k.want {
			t.Errorf("%.12g Hz, want %.12g", k.got, k.want)
		}
	}
}

// The frequencies of a fit of a log with noise are within 1 % of the true ones, over the range of every joint, and within four
// of their deviations.
func TestFrequenciesOfFit(t *testing.T) {
	long.Only(t, "TestRecovery finds the parameters of which they are")
	m := machine(t, twoAxis())
	rec := moved(t, m, 1000, 6, 0)
	l := noisy(ideal(rec, 1000), 2e-6, 0.01, 3)
	l.Sensor = nil
	f, err := m.Identify(t.Context(), []*Log{l}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	sweeps, err := f.Sweeps()
	if err != nil {
		t.Fatal(err)
	}
	truth, err := m.Described(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sweeps {
		for _, at := range s.At {
			want, err := truth.ModesWithin(at.Q)
			if err != nil {
				t.Fatal(err)
			}
			got := append(append([]Frequency(nil), at.Resonances...), at.AntiResonances...)
			for k, w := range append(want.Resonances, want.AntiResonances...) {
				if d := math.Abs(got[k].Value - w.Value); d > 0.01*w.Value || d > 4*got[k].Sigma {
					t.Errorf("joint %s at %.3g: %.5g ± %.2g Hz, want %.5g", s.Joint, at.Q, got[k].Value, got[k].Sigma, w.Value)
				}
			}
		}
	}
}

// The frequency of free vibrations of the simulated machine is that of the eigenvalues.
func TestModesAreVibrations(t *testing.T) {
	r := twoAxis()
	for j := range r.Links {
		n := &r.Links[j].Joint
		n.Fv, n.Fs, n.Fo, n.Elasticity.Damping = 0, 0, 0, 0
	}
	r.Gravity = [3]float64{}
	m := machine(t, r)
	c := Control{Kp: make([]float64, 2), Kd: make([]float64, 2), Dither: []Multisine{{Amplitude: 0.01, First: 17, Lines: 1}, {}}}
	rec, err := m.Simulate(t.Context(), standing{}, c, 1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	at, err := m.modes(m.standardModel(), []float64{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	zeros := 0
	for k := 1; k < len(rec.T); k++ {
		if (rec.Spring[0][k] > 0) != (rec.Spring[0][k-1] > 0) {
			zeros++
		}
	}
	// Driven near its lowest resonance the deflection swings with it: two zeros a period.
	if f := float64(zeros) / 2; math.Abs(f-at.Resonances[0]) > 0.06*at.Resonances[0] {
		t.Errorf("the spring swings at %.3g Hz, the mode is at %.4g Hz", f, at.Resonances[0])
	}
}

type standing struct{}

func (standing) Eval(_ float64, q, dq, ddq []float64) { clear(q); clear(dq); clear(ddq) }

package elastic

import (
	"testing"

	"ident/internal/long"
	"ident/robot"
)

// A fit predicts another log to that log's noise, from each set of sensors, whichever set it was fitted from; a load of 0.5 kg
// that the fit has not seen shows in the torques of the joint that carries it.
func TestPredict(t *testing.T) {
	long.Only(t, "TestRecovery predicts what it fits")
	m := machine(t, twoAxis())
	learn := noisy(ideal(moved(t, m, 1000, 6, 0), 1000), 2e-6, 0.01, 1)
	learn.Sensor = nil
	f, err := m.Identify(t.Context(), []*Log{learn}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	loaded := twoAxis()
	own := &loaded.Links[1]
	own.Inertial[robot.M] += 0.5
	own.Inertial[robot.MX] += 0.5 * 0.3
	own.Inertial[robot.ZZ] += 0.5 * 0.3 * 0.3
	own.Own = own.Inertial
	for _, k := range []struct {
		of   *Machine
		load bool
	}{{m, false}, {machine(t, loaded), true}} {
		rec := moved(t, k.of, 1000, 2.5, 0)
		for _, sensors := range []Sensors{BothEncoders, MotorAndTorque, MotorAlone} {
			l := noisy(ideal(rec, 1000), 2e-6, 0.01, 2)
			if sensors != BothEncoders {
				l = withoutLinks(m, l, sensors)
			}
			p, err := f.Predict(t.Context(), []*Log{l})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, load %v: %.2f %% of %d rows: %+v", sensors, k.load, p.Error, p.Rows, p.Torques)
			// 1 % of noise through a low-pass at a tenth of the band, and the inertial torques of the encoders' noise.
			if p.Sensors != sensors || (p.Error > 1.5) != k.load {
				t.Errorf("%s: error %.3g %%", p.Sensors, p.Error)
			}
			if want := map[Sensors]int{BothEncoders: 4, MotorAndTorque: 4, MotorAlone: 2}[sensors]; len(p.Torques) != want {
				t.Errorf("%s: %d torques, want %d", sensors, len(p.Torques), want)
			}
		}
	}
}

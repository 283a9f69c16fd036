package elastic

import (
	"math"
	"testing"

	"ident/internal/long"
)

// Drives that hold their torques for a millisecond: a log of 1 kHz has torques that act half a millisecond after their rows. The time
// is found, and the parameters are as near to the truth as those of torques that change all the time: 4.5 deviations are beyond
// chance in one of 150,000 normal errors. A fit without the time has D2 off by 5.2.
func TestHeldTorque(t *testing.T) {
	long.Only(t, "seconds of simulation")
	r := twoAxis()
	m := machine(t, r)
	for _, hold := range []float64{0.001, 0} {
		rec := movedUnder(t, m, 1000, 4, Control{Hold: hold})
		for _, sensors := range []Sensors{BothEncoders, MotorAndTorque, MotorAlone}[:long.Of(3, 1)] {
			l := noisy(ideal(rec, 1000), 2e-6, 0.01, 3)
			if sensors == BothEncoders {
				l.Sensor = nil
			} else {
				l = withoutLinks(m, l, sensors)
			}
			f, err := m.Identify(t.Context(), []*Log{l}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			worst, name := 0.0, ""
			for k, want := range truth(f) {
				if d := math.Abs(f.Parameters[k].Value-want) / f.Parameters[k].Sigma; d > worst {
					worst, name = d, f.Parameters[k].Name
				}
			}
			t.Logf("%s, held for %g s: late by %.4g ± %.2g ms, %s is off by %.2g deviations", sensors, hold, 1e3*f.Late.Seconds, 1e3*f.Late.Sigma, name, worst)
			if worst > 4.5 {
				t.Errorf("%s, held for %g s: %s is off by %.3g deviations", sensors, hold, name, worst)
			}
			if d := math.Abs(f.Late.Seconds-hold/2) / f.Late.Sigma; d > 4.5 || f.Late.shows() != (hold > 0) {
				t.Errorf("%s, held for %g s: late by %g ± %g s", sensors, hold, f.Late.Seconds, f.Late.Sigma)
			}
		}
	}
}

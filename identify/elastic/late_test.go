package elastic

import (
	"math"
	"testing"

	"ident/internal/long"
)

// A polynomial of the fifth degree is interpolated exactly, and beyond the ends the last sample repeats.
func TestDelayed(t *testing.T) {
	value := func(k float64) float64 { return 1 + k*(0.3+k*(-0.2+k*(0.01+k*(0.003-0.0001*k)))) }
	x, got := make([]float64, 20), make([]float64, 20)
	for k := range x {
		x[k] = value(float64(k))
	}
	for _, by := range []float64{0, 0.5, 1, 2.25, -0.75, -2} {
		delayed(got, x, by)
		for k := 6; k < 14; k++ {
			if want := value(float64(k) - by); math.Abs(got[k]-want) > 1e-11*math.Max(math.Abs(want), 1) {
				t.Errorf("sample %d, %g samples before: %.15g, want %.15g", k, by, got[k], want)
			}
		}
	}
	if delayed(got, x, 100); got[19] != x[0] {
		t.Errorf("before the first sample: %g, want %g", got[19], x[0])
	}
}

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

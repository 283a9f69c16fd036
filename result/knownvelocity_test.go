package result

import (
	"strings"
	"testing"
)

// A law pd with a known kd is doubted if the law pv leaves no joint with negative friction, and believed if it leaves one.
func TestKnownVelocityLaw(t *testing.T) {
	for _, c := range []struct {
		law           string
		with, without []float64
		doubted, said bool
	}{
		{"pd kp=20 kd=1.5", []float64{1.7, 1.8, 1.6}, []float64{0.2, 0.3, 0.1}, true, true},
		{"pd kp=20 kd=1.5", []float64{0.2, 0.3, 1.6}, []float64{-1.3, -1.2, 0.1}, false, true},
		{"pv kp=20 kd=1.5", []float64{1.7}, []float64{0.2}, false, false},
		{"pd kp=20 kd=1.5", []float64{0, 0}, []float64{0, 0}, false, false},
	} {
		d := &Commanded{Controller: c.law, Viscous: c.with, ViscousWithout: c.without}
		said, doubted := false, false
		d.judgeVelocity(nil, func(id string, value, limit float64, why string) *Verdict {
			said, doubted = true, value > limit
			if doubted && !strings.Contains(why, "0.1 to 0.3 instead of 1.6 to 1.8") {
				t.Errorf("%s: %s", c.law, why)
			}
			return new(Verdict)
		})
		if said != c.said || doubted != c.doubted {
			t.Errorf("%s %v: said %v, doubted %v", c.law, c.without, said, doubted)
		}
	}
}

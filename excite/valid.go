package excite

import (
	"fmt"
	"math"
)

// Bounds of a motion that is read from a file. They lie far beyond any robot, so that only a damaged or wrong document meets
// them, and far within the numbers whose squares and sample counts can be computed.
const (
	// MostSeconds is the longest duration of a motion: three years.
	MostSeconds = 1e8
	// mostValue bounds positions, velocities and accelerations in rad, m and seconds: the tip of a robot of a metre would move at
	// three times the speed of light.
	mostValue = 1e9
)

// Valid returns an error if a motion cannot be one of a robot: its duration is not positive or longer than MostSeconds, or a
// position, velocity or acceleration is not finite or larger than 1e9. ReadMotion calls it.
func Valid(m Motion) error {
	if d := m.Duration(); !(d > 0 && d <= MostSeconds) {
		return fmt.Errorf("trajectory: it lasts %g s, wanted more than 0 and at most %g s", d, MostSeconds)
	}
	n := m.DOF()
	q := make([]float64, n)
	m.Eval(0, q, make([]float64, n), make([]float64, n))
	names := m.Names()
	for i := range n {
		name := ""
		if i < len(names) {
			name = names[i]
		}
		if !(math.Abs(q[i]) <= mostValue) {
			return fmt.Errorf("trajectory: joint %d (%q) starts at %g, wanted at most %g", i+1, name, q[i], mostValue)
		}
		for order, what := range []string{"velocity", "acceleration"} {
			if b := m.Bound(i, order+1); !(b <= mostValue) {
				return fmt.Errorf("trajectory: the %s of joint %d (%q) may reach %g, and more than %g is no motion of a robot: check the numbers of the file", what, i+1, name, b, mostValue)
			}
		}
		if b := m.Bound(i, 4); math.IsNaN(b) || math.IsInf(b, 0) {
			return fmt.Errorf("trajectory: joint %d (%q) has a fourth derivative that is not finite", i+1, name)
		}
	}
	return nil
}

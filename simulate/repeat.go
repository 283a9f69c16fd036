package simulate

import (
	"fmt"
	"math"
)

// looped repeats a motion that ends as it began.
type looped struct{ Sampler }

func (l looped) Periodic() bool { return true }

func (l looped) Eval(t float64, q, dq, ddq []float64) {
	l.Sampler.Eval(math.Mod(t, l.Duration()), q, dq, ddq)
}

// Pushed reports whether the motion has forces on the tip.
func (l looped) Pushed() bool {
	p, ok := l.Sampler.(Pushed)
	return ok && p.Pushed()
}

// Push returns the force of the motion within its period.
func (l looped) Push(t float64, q, tau []float64) [3]float64 {
	return l.Sampler.(Pushed).Push(math.Mod(t, l.Duration()), q, tau)
}

// Repeat returns the motion repeated, or an error if it cannot repeat; name is for the error.
func Repeat(name string, m Sampler) (Sampler, error) {
	const rest = 1e-6 // rad, rad/s, …: rounding of zero in a file of few digits
	var ends [2][3][]float64
	for k, t := range [2]float64{0, m.Duration()} {
		for i := range ends[k] {
			ends[k][i] = make([]float64, m.DOF())
		}
		m.Eval(t, ends[k][0], ends[k][1], ends[k][2])
	}
	for i, quantity := range [3]string{"position", "velocity", "acceleration"} {
		for j := range m.DOF() {
			a, b := ends[0][i][j], ends[1][i][j]
			if math.Abs(a-b) > rest*max(1, math.Abs(a), math.Abs(b)) {
				return nil, fmt.Errorf("trajectory %s lasts %g s and cannot be repeated: it begins with %s %.6g of joint %d and ends with %.6g", name, m.Duration(), quantity, a, j+1, b)
			}
		}
	}
	return looped{m}, nil
}

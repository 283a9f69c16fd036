package excite

import (
	"fmt"
	"math"
)

// Motion is a motion of n joints from time 0 to Duration.
type Motion interface {
	// DOF returns the number of joints.
	DOF() int
	// Duration returns the time from beginning to end in seconds; for a periodic motion, one period.
	Duration() float64
	// Periodic reports whether the motion repeats after Duration.
	Periodic() bool
	// Eval writes position, velocity and acceleration at time t in seconds, one entry per joint (rad or m, per second, per
	// second squared). Before and after, a motion that is not periodic is at rest.
	Eval(t float64, q, dq, ddq []float64)
	// Jerk writes the third derivative at time t.
	Jerk(t float64, jerk []float64)
	// Names returns the joints' names; callers may change the slice.
	Names() []string
	// Bound returns a proven bound of the absolute derivative of the given order, 1
	// to 4, of a joint's position; of order 4 between the times of Knots.
	Bound(joint, order int) float64
	// Knots returns the times between 0 and Duration at which a derivative up to the fourth may jump; callers may change
	// the slice.
	Knots() []float64
}

// maxSampled bounds the numbers of a sampled motion: 800 MB, or an hour and a half of six joints at 1 kHz.
const maxSampled = 100_000_000

// Samples returns an error if a motion has too many samples at a rate (Hz) to hold time, positions, velocities and
// accelerations in memory. Callers must check it before [Sample], and before they allocate by the duration of a motion.
func Samples(m interface {
	DOF() int
	Duration() float64
}, rate float64) error {
	most := maxSampled / (1 + 3*max(m.DOF(), 1))
	if n := m.Duration() * rate; !(n <= float64(most)) {
		return fmt.Errorf("%.4g s at %.4g Hz are %.3g samples of %d joints, and at most %d are held; take a shorter motion or a lower rate", m.Duration(), rate, n, m.DOF(), most)
	}
	return nil
}

// Sample evaluates a motion at 0, 1/rate, … for the given duration in seconds, including the end if the rate divides it.
// q, dq and ddq are [joint][sample].
func Sample(m Motion, rate, duration float64) (t []float64, q, dq, ddq [][]float64) {
	if !(rate > 0) || !(duration >= 0) || rate*duration > 1<<40 {
		panic(fmt.Sprintf("excite: cannot sample %g s at %.4g Hz; both must be positive", duration, rate))
	}
	// 1e-12: a whole number of samples may be rounded down.
	t = make([]float64, int(math.Floor(duration*rate*(1+1e-12)))+1)
	for s := range t {
		t[s] = float64(s) / rate
	}
	q, dq, ddq = grid(m.DOF(), len(t)), grid(m.DOF(), len(t)), grid(m.DOF(), len(t))
	sampleAt(m, t, q, dq, ddq)
	return t, q, dq, ddq
}

// sampleAt evaluates a motion at the given times into [joint][sample].
func sampleAt(m Motion, t []float64, q, dq, ddq [][]float64) {
	if tr, ok := m.(*Trajectory); ok {
		tr.EvalBatch(t, q, dq, ddq)
		return
	}
	n := m.DOF()
	a, b, c := make([]float64, n), make([]float64, n), make([]float64, n)
	for s := range t {
		m.Eval(t[s], a, b, c)
		for i := range n {
			q[i][s], dq[i][s], ddq[i][s] = a[i], b[i], c[i]
		}
	}
}

func checkMotion(n int, q, dq, ddq []float64) {
	if len(q) != n || len(dq) != n || len(ddq) != n {
		panic(fmt.Sprintf("excite: position, velocity and acceleration have %d, %d and %d entries, the trajectory %d joints", len(q), len(dq), len(ddq), n))
	}
}

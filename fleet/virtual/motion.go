package virtual

import (
	"math"
	"math/rand/v2"
)

const (
	rate      = 100.0 // Hz
	harmonics = 5
	within    = 0.8 // of a joint's range and speed that a motion uses
)

// A series is a motion by Fourier series, q = q0 + Σ a·sin(lωt) + b·cos(lωt), one row of coefficients a joint.
type series struct {
	omega  float64
	q0     []float64
	sin    [][]float64
	cos    [][]float64
	period float64
}

// motion draws a motion of some seconds within the joints' limits: the sum of the amplitudes bounds positions and speeds.
func (m model) motion(seconds float64, draw *rand.Rand) *series {
	s := &series{omega: 2 * math.Pi / seconds, period: seconds}
	for _, b := range m.bodies {
		a, c := make([]float64, harmonics), make([]float64, harmonics)
		var reach, speed float64
		for l := range a {
			a[l], c[l] = draw.NormFloat64()/float64(l+1), draw.NormFloat64()/float64(l+1)
			h := math.Hypot(a[l], c[l])
			reach, speed = reach+h, speed+h*float64(l+1)*s.omega
		}
		f := within * min((b.upper-b.lower)/2/reach, b.speed/speed)
		for l := range a {
			a[l], c[l] = f*a[l], f*c[l]
		}
		s.q0, s.sin, s.cos = append(s.q0, (b.lower+b.upper)/2), append(s.sin, a), append(s.cos, c)
	}
	return s
}

func (s *series) DOF() int          { return len(s.q0) }
func (s *series) Duration() float64 { return s.period }
func (s *series) Periodic() bool    { return true }

func (s *series) Eval(t float64, q, dq, ddq []float64) {
	for j := range s.q0 {
		x, v, a := s.q0[j], 0.0, 0.0
		for l := range s.sin[j] {
			w := float64(l+1) * s.omega
			sin, cos := math.Sincos(w * t)
			p, d := s.sin[j][l]*sin+s.cos[j][l]*cos, s.sin[j][l]*cos-s.cos[j][l]*sin
			x, v, a = x+p, v+w*d, a-w*w*p
		}
		q[j], dq[j], ddq[j] = x, v, a
	}
}

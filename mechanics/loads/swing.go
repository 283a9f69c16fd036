package loads

import (
	"math"

	"ident/internal/spatial"
)

// swing is the deflection of the tip in time, as of one mode of the lowest frequency: D·ü + u = c with D = 1/ω² and the quasi-static deflection c
// (Vukobratović and Potkonjak 1985, 4.2.2), from rest at the first c. Between samples c is a straight line, and the solution exact.
type swing struct {
	omega      float64 // rad/s; 0 where nothing vibrates
	begun      bool
	at         float64 // s
	c, u, rate spatial.Vec
}

// take moves to a sample and returns the deflection there.
func (s *swing) take(t float64, c spatial.Vec) spatial.Vec {
	if h := t - s.at; s.begun && h > 0 && s.omega > 0 {
		slope := spatial.Scale(1/h, spatial.Sub(c, s.c))
		e, de := spatial.Sub(s.u, s.c), spatial.Sub(s.rate, slope) // from the line
		sin, cos := math.Sincos(s.omega * h)
		s.u = spatial.Add(c, spatial.AddScaled(spatial.Scale(cos, e), sin/s.omega, de))
		s.rate = spatial.Add(slope, spatial.AddScaled(spatial.Scale(cos, de), -s.omega*sin, e))
	} else {
		s.u, s.rate = c, spatial.Vec{}
	}
	s.begun, s.at, s.c = true, t, c
	return s.u
}

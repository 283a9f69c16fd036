package servo

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestParseSpec(t *testing.T) {
	s, err := ParseSpec("pid+gravity kp=500,400 ki=10 kd=50 gain=2 limit=80,40 rate=1000 delay=0.002", 2)
	if err != nil {
		t.Fatal(err)
	}
	if s.Law != "pid" || s.Adds != "gravity" || s.Gains["kp"][1] != 400 || s.Gains["ki"][1] != 10 || s.Gains["limit"][1] != 40 || s.Rate != 1000 || s.Delay != 0.002 || !s.NeedsModel() {
		t.Errorf("%+v", s)
	}
	for text, want := range map[string]string{
		"":                          "it is empty",
		"lqr kp=1":                  `"lqr" is no law`,
		"pd kp=1":                   "kd is missing",
		"pd kp=1 kd=x":              `"x" is no number`,
		"pd kp=1 kd=nan":            `"nan" is no number`,
		"pd kp=1,2,3 kd=1":          "3 values for 2 joints",
		"pd kp=1 kd=1 kv=2":         `not "kv"`,
		"pd+friction kp=1 kd=1":     "cannot be added",
		"computed+gravity kp=1":     "gravity among them",
		"computed kp=1 kv=1 gain=2": `not "gain"`,
		"pd kp=1 kd=1 rate=0":       "rate=0",
		"pd kp=1 kd=1 delay=-1":     "delay=-1",
	} {
		_, err := ParseSpec(text, 2)
		var bad *SpecError
		if !errors.As(err, &bad) || !strings.Contains(bad.Reason, want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The integral of a PID grows by the error until the drive's limit, and leaves it at once when
// the error turns.
func TestPIDAtItsLimit(t *testing.T) {
	c := PD([]float64{10}, []float64{0}, []float64{1})
	c.Limit = []float64{20}
	p, err := NewPID(c, []float64{100})
	if err != nil {
		t.Fatal(err)
	}
	at := Sample{Period: 0.01, Q: []float64{0}, DQ: []float64{0}, QR: []float64{1}, DQR: []float64{0}, DDQR: []float64{0}}
	tau := make([]float64, 1)
	for k := range 100 {
		p.Torque(at, tau)
		if want := min(20, 10+float64(k+1)); math.Abs(tau[0]-want) > 1e-12 {
			t.Fatalf("sample %d: %g N·m, want %g", k, tau[0], want)
		}
	}
	at.QR[0] = -1
	// From 10 N·m of the integral: −10 of the error, less 1 that the integral loses.
	if p.Torque(at, tau); math.Abs(tau[0]+1) > 1e-12 {
		t.Errorf("after the error turned %g N·m, want -1: the integral went on growing at the limit", tau[0])
	}
	if p.Fresh().Torque(at, tau); math.Abs(tau[0]+11) > 1e-12 {
		t.Errorf("a fresh law wants %g N·m, want -11", tau[0])
	}
}

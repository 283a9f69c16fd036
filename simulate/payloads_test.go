package simulate

import (
	"math"
	"testing"

	"ident/robot"
)

// Of two payloads each has its torques while it is on, and its number in the channel: a pendulum's static torque by hand.
func TestTwoPayloads(t *testing.T) {
	r := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1, Alpha: math.Pi / 2}})
	r.Links[0].Inertial, r.Links[0].HasInertial = robot.InertialFromCentral(1, [3]float64{0.2, 0, 0}, [3][3]float64{{0.1}, {0, 0.1}, {0, 0, 0.1}}), true
	at := func(mass, x float64, from, to float64) Payload {
		return Payload{Link: r.Links[0].Name, Body: robot.InertialFromCentral(mass, [3]float64{x, 0, 0}, [3][3]float64{}), On: [][2]float64{{from, to}}}
	}
	x, err := New(r, still{}, Options{Rate: 10, Duration: 3, Payload: at(2, 0.3, 0.95, 1.95), Payloads: []Payload{at(3, 0.5, 1.95, 2.45)}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := x.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for k, s := range e.T {
		number, want := 0., 9.81*0.2
		switch {
		case s > 0.95 && s < 1.95:
			number, want = 1, want+9.81*2*0.3
		case s > 1.95 && s < 2.45:
			number, want = 2, want+9.81*3*0.5
		}
		if e.Attached[0][k] != number || math.Abs(e.Exact.Tau[0][k]-want) > 1e-12 {
			t.Fatalf("%g s: payload %g, torque %.9g, want payload %g, %.9g", s, e.Attached[0][k], e.Exact.Tau[0][k], number, want)
		}
	}
	if _, err := New(r, still{}, Options{Rate: 10, Duration: 3, Payloads: []Payload{at(3, 0.5, 1, 2)}}); err == nil {
		t.Error("a second payload without a first")
	}
}

// still stands at q = 0 and takes as long as asked.
type still struct{}

func (still) DOF() int          { return 1 }
func (still) Duration() float64 { return 10 }
func (still) Periodic() bool    { return false }
func (still) Eval(_ float64, q, dq, ddq []float64) {
	q[0], dq[0], ddq[0] = 0, 0, 0
}

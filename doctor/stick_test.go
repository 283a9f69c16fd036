package doctor_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"ident/datasets"
	"ident/doctor"
	draws "ident/internal/long"
	"ident/robot"
	"ident/robot/format"
	"ident/simulate"
	"ident/simulate/plant"
	"ident/simulate/servo"
)

// sways is a reference of five slow sines a joint, which leaves each joint some reversals.
type sways struct{}

func (sways) DOF() int { return 6 }

func (sways) Duration() float64 { return 10 }

func (sways) Periodic() bool { return true }

func (sways) Eval(t float64, q, dq, ddq []float64) {
	for i := range q {
		q[i], dq[i], ddq[i] = []float64{0, -1.2, 1.6, 0.3, 0, 0}[i], 0, 0
		for h := range 5 {
			w, a := 2*math.Pi*float64(h+1)/10, 0.3/float64(1+(h+i)%3)
			s, c := math.Sincos(w*t + float64(h*i))
			q[i], dq[i], ddq[i] = q[i]+a*s, dq[i]+a*w*c, ddq[i]-a*w*w*s
		}
	}
}

// Joints that stick for some milliseconds as they turn, under a soft controller, shift the phase of
// the torque at reversals. That is no late torque; a torque that comes late in the same log is.
func TestStickingIsNoLag(t *testing.T) {
	draws.Only(t, "takes a second")
	r, err := format.Read(datasets.ExampleRobot(), "urdf", "puma560.urdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := plant.NewModel(r)
	if err != nil {
		t.Fatal(err)
	}
	law := servo.NewGravity(servo.PD([]float64{3000, 4500, 2000, 40, 40, 40}, []float64{150, 220, 100, 1.4, 1.4, 1.4}, []float64{1, 1, 1, 1, 1, 1}), model)
	const rate = 500
	x, err := simulate.NewControlled(r, sways{}, simulate.Controlled{Control: plant.Control{Law: law, Period: 1e-3}, Plant: plant.Options{Tolerance: 1e-6}, Text: "pd+gravity"},
		simulate.Options{Rate: rate, Noise: simulate.Noise{Torque: []float64{0.3, 0.3, 0.2, 0.01, 0.01, 0.01}, Velocity: []float64{2e-4}}, Encoder: []float64{6e-6}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := x.All(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	stuck := 0
	for k := range e.T {
		if e.Exact.DQ[1][k] == 0 {
			stuck++
		}
	}
	if stuck < 10 {
		t.Fatalf("the shoulder sticks in %d of %d samples: the log is no test", stuck, len(e.T))
	}
	for _, late := range []int{0, 4} {
		log := e.Log("sticking")
		cols, err := log.Columns(log.Names()...)
		if err != nil {
			t.Fatal(err)
		}
		for c, name := range log.Names() {
			if strings.HasPrefix(name, "tau") {
				copy(cols[c][late:], append([]float64(nil), cols[c]...))
			}
		}
		log = datasets.FromColumns("sticking", log.Channels(), cols, nil)
		var joints []string
		for _, l := range r.Independent() {
			joints = append(joints, r.Links[l].Joint.Name)
		}
		roles, _, err := datasets.MapChannels(log, joints, nil)
		if err != nil {
			t.Fatal(err)
		}
		found, err := doctor.Check(context.Background(), r, log, roles, doctor.Options{Trim: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		warned := 0
		for _, f := range found {
			if f.ID != doctor.LagTorque || f.Severity == doctor.Info {
				continue
			}
			warned++
			if late == 0 {
				t.Error(show(f))
			} else if math.Abs(f.Value-float64(late)/rate) > 1.5/rate {
				t.Errorf("%s, want %g s", show(f), float64(late)/rate)
			}
		}
		if late > 0 && warned == 0 {
			t.Errorf("torques %s late: no warning", fmt.Sprintf("%g s", float64(late)/rate))
		}
	}
}

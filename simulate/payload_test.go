package simulate

import (
	"strings"
	"testing"

	"ident/robot"
)

// With a payload the torques are those of the robot that carries it while it is on and
// those of the bare robot otherwise, by the late clock of a torque sensor that lags; the
// channel follows the log's own clock.
func TestPayload(t *testing.T) {
	body := robot.InertialFromCentral(2, [3]float64{0.1, 0, 0.05}, [3][3]float64{{0.01, 0, 0}, {0, 0.02, 0}, {0, 0, 0.02}})
	r := arm()
	r.Links[2].UserFrame.P = [3]float64{0.2, 0, 0}
	with := r.Clone()
	with.Links[2].Inertial = with.Links[2].Inertial.Add(body.InFrame(r.Links[2].UserFrame))
	opt := Options{Rate: 500, Duration: 3, TorqueLag: 0.1}
	record := func(r *robot.Robot, opt Options) *Record {
		e, err := Run(t.Context(), r, wave(3), opt)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	bare, carrying := record(r, opt), record(with, opt)
	opt.Payload = Payload{Link: r.Links[2].Name, Body: body, On: [][2]float64{{0.5, 1}, {2, 2.25}}}
	e := record(r, opt)
	on := 0
	for k, at := range e.T {
		flag := 0.0
		if at >= 0.5 && at < 1 || at >= 2 && at < 2.25 {
			flag = 1
			on++
		}
		if e.Attached[0][k] != flag {
			t.Fatalf("at %g s the channel is %g", at, e.Attached[0][k])
		}
		for i := range e.Joints {
			exact, late := bare.Exact.Tau[i][k], bare.Measured.Tau[i][k]
			if flag == 1 {
				exact = carrying.Exact.Tau[i][k]
			}
			if at-0.1 >= 0.5 && at-0.1 < 1 || at-0.1 >= 2 && at-0.1 < 2.25 {
				late = carrying.Measured.Tau[i][k]
			}
			if e.Exact.Tau[i][k] != exact || e.Measured.Tau[i][k] != late {
				t.Fatalf("joint %d at %g s: %g and %g, want %g and %g", i+1, at, e.Exact.Tau[i][k], e.Measured.Tau[i][k], exact, late)
			}
		}
	}
	if on != 375 {
		t.Errorf("on in %d samples, want 375", on)
	}
	names := e.Log("log").Names()
	if names[len(names)-1] != PayloadChannel || len(bare.Attached) > 0 {
		t.Errorf("channels %v, without a payload %v", names, bare.Attached)
	}
	opt.Payload.Link = "nowhere"
	if _, err := New(r, wave(3), opt); err == nil || !strings.Contains(err.Error(), `"nowhere"`) {
		t.Errorf("a link that is not there: %v", err)
	}
	opt.Payload = Payload{Link: r.Links[2].Name, On: [][2]float64{{2, 1}}}
	if _, err := New(r, wave(3), opt); err == nil || !strings.Contains(err.Error(), "from 2 s to 1 s") {
		t.Errorf("a span that ends before it begins: %v", err)
	}
}

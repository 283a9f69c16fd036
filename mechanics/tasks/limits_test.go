package tasks

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// planar is two links of 0.4 and 0.3 m in a vertical plane, 3 and 2 kg, with friction.
func planar() *robot.Robot {
	r := robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.4}})
	r.Gravity = [3]float64{0, -9.81, 0}
	for i, m := range []float64{3, 2} {
		l := &r.Links[i]
		l.Inertial = robot.InertialFromCentral(m, [3]float64{0.2 - 0.05*float64(i)}, [3][3]float64{{0.001}, {0, 0.03}, {0, 0, 0.03}})
		l.HasInertial = true
		l.Joint.Fv, l.Joint.Fs, l.Joint.Fo, l.Joint.Ia = 0.7, 0.9, 0.2, 0.05
	}
	return r
}

var planarTip = Tip{Frame: robot.Transform{R: robot.Identity().R, P: [3]float64{0.3, 0, 0}}}

func planarTask(s ...Segment) Task {
	for i := range s {
		s[i].Components = [3]bool{true, true}
	}
	return Task{Tip: planarTip, Start: Start{Joints: map[string]float64{"J1": -0.5, "J2": 1.2}}, Segments: s}
}

// highest is the largest velocity, acceleration and torque of a motion on a fine grid, by the equations of motion.
func highest(t *testing.T, r *robot.Robot, m *Motion) (out [3][2]float64) {
	t.Helper()
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	q, dq, ddq, tau := make([]float64, 2), make([]float64, 2), make([]float64, 2), make([]float64, 2)
	for i := range 5001 {
		m.Eval(m.Duration()*(float64(i)+0.5)/5002, q, dq, ddq)
		tree.InverseDynamics(tau, q, dq, ddq)
		for k := range tau {
			j := &r.Links[k].Joint
			tau[k] += j.Fv*dq[k] + j.Fo + math.Copysign(j.Fs, dq[k])
			for o, x := range []float64{dq[k], ddq[k], tau[k]} {
				out[o][k] = max(out[o][k], math.Abs(x))
			}
		}
	}
	return out
}

// The least time uses one limit up, and no other is exceeded: of each quantity and profile.
func TestLeastTime(t *testing.T) {
	for _, c := range []struct {
		name     string
		limit    [3]float64 // velocity, acceleration, torque of both joints
		quantity int
	}{{"velocity", [3]float64{1, 50, 200}, 0}, {"acceleration", [3]float64{10, 4, 200}, 1}, {"torque", [3]float64{30, 300, 25}, 2}} {
		for _, profile := range []Profile{Quintic, Trapezoidal, Triangular, Parabolic}[:long.Of(4, 1)] {
			r := planar()
			for j := range r.Links {
				n := &r.Links[j].Joint
				n.Velocity, n.Accel, n.Effort = c.limit[0], c.limit[1], c.limit[2]
			}
			m := plan(t, r, planarTask(Segment{To: [3]float64{0.55, 0.15, 0}, Profile: profile, Least: true}))
			got, leg := highest(t, r, m), m.Legs()[0]
			used := 0.0
			for o := range got {
				for k := range got[o] {
					used = max(used, got[o][k]/c.limit[o])
				}
			}
			// Between samples a five-thousandth of the time apart the demand changes by less than some 4e-4 of it.
			if used > 1+1e-9 || used < 1-1e-3 || leg.Quantity != c.name {
				t.Errorf("%s, %s: %.9f of the limits are used, %s binds in %.6g s", c.name, profile, used, leg.Quantity, leg.Time)
			}
			if max(got[c.quantity][0], got[c.quantity][1])/c.limit[c.quantity] < 1-1e-3 {
				t.Errorf("%s, %s: %v of %v", c.name, profile, got[c.quantity], c.limit[c.quantity])
			}
			// A hundredth less is refused, with the same least time, and a value above the limit.
			var short *TimeError
			_, err := Plan(context.Background(), r, planarTask(Segment{To: [3]float64{0.55, 0.15, 0}, Profile: profile, Time: 0.99 * leg.Time}))
			if !errors.As(err, &short) || math.Abs(short.Least-leg.Time) > 1e-9 || !(short.Value > short.Limit) {
				t.Errorf("%s, %s: %v", c.name, profile, err)
			}
		}
	}
}

// The least time of a trapezoid is the analytic one of a joint with limits of velocity and acceleration: L/v + v/a, or 2·√(L/a)
// where the velocity is not reached.
func TestLeastTrapezoid(t *testing.T) {
	for _, c := range []struct{ length, velocity, acceleration float64 }{{1, 1, 20. / 3}, {1, 2, 5}, {2, 1.5, 1}, {0.5, 0.05, 10}, {1.5, 1.5, 4}}[:long.Of(5, 3)] {
		r := planar()
		for j := range r.Links {
			n := &r.Links[j].Joint
			n.Velocity, n.Accel, n.Effort = c.velocity, c.acceleration, 1e6
		}
		want := c.length/c.velocity + c.velocity/c.acceleration
		if c.velocity*c.velocity > c.length*c.acceleration {
			want = 2 * math.Sqrt(c.length/c.acceleration)
		}
		task := planarTask(Segment{Kind: Joints, Joints: map[string]float64{"J1": -0.5 + c.length}, Profile: Trapezoidal, Least: true})
		leg := plan(t, r, task).Legs()[0]
		if math.Abs(leg.Time-want) > 1e-6*want {
			t.Errorf("%+v: %.9f s, the least is %.9f", c, leg.Time, want)
		}
		// A time between the least and that of the usual ramp is possible; one below the least is not, and the error says the least.
		task.Segments[0].Least, task.Segments[0].Time = false, want*1.0001
		plan(t, r, task)
		task.Segments[0].Time = want * 0.999
		var short *TimeError
		if _, err := Plan(context.Background(), r, task); !errors.As(err, &short) || math.Abs(short.Least-want) > 1e-6*want {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// A motor too weak to hold the arm has no time at all.
func TestWeakMotor(t *testing.T) {
	r := planar()
	r.Links[0].Joint.Effort = 5
	var weak *TimeError
	_, err := Plan(context.Background(), r, planarTask(Segment{To: [3]float64{0.55, 0.15, 0}, Time: 100}))
	if !errors.As(err, &weak) || !math.IsInf(weak.Least, 1) || weak.Joint != "J1" {
		t.Fatalf("%v", err)
	}
}

// Bad input is refused with the segment, the reason and its figures.
func TestRefusals(t *testing.T) {
	try := func(r *robot.Robot, task Task) error {
		_, err := Plan(context.Background(), r, task)
		return err
	}
	two := func() *robot.Robot {
		return robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.4}})
	}
	t.Run("singular", func(t *testing.T) {
		// Out to the full reach of 0.7 m along x: the arm stretches at 0.7.
		task := planarTask(Segment{To: [3]float64{0.75, 0.1, 0}, Time: 1, Profile: Triangular})
		task.Start.Point = &[3]float64{0.5, 0.1, 0}
		var singular *SingularError
		if err := try(two(), task); !errors.As(err, &singular) {
			t.Fatal(err)
		}
		where := math.Sqrt(0.49-0.01) - 0.5 // m along the line
		near(t, "distance", singular.Distance, where, 1e-4)
		near(t, "time", singular.Time, 1-math.Sqrt((0.25-where)/0.5), 1e-3)
		if singular.Smallest > 1e-3 || singular.first() != "J2" {
			t.Errorf("%v", singular)
		}
		// Through the singular state of a wrist: J5 = 0 in the middle, of a turn about the second axis.
		wrist := Task{Start: Start{Joints: map[string]float64{"J2": 0.3, "J3": 0.9, "J5": 0.3}},
			Segments: []Segment{{To: [3]float64{}, Relative: true, Orientation: Orientation{By: Turn, Axis: [3]float64{0, 1, 0}, Angle: 0.6}, Time: 2}}}
		if err := try(rx90(), wrist); !errors.As(err, &singular) || singular.Smallest > 1e-3 || !strings.Contains(err.Error(), "J4") || !strings.Contains(err.Error(), "J6") {
			t.Errorf("%v", err)
		}
		near(t, "time at the wrist", singular.Time, 1, 0.01)
	})
	t.Run("corner", func(t *testing.T) {
		corner := func(s Segment) Task {
			task := planarTask(s, Segment{To: [3]float64{0.45, 0.1, 0}, Time: 1})
			task.Start.Point = &[3]float64{0.5, 0.1, 0}
			return task
		}
		s := Segment{To: [3]float64{0.55, 0.1, 0}, Through: true}
		var sharp *CornerError
		if err := try(two(), corner(s)); !errors.As(err, &sharp) || sharp.Angle < 3 {
			t.Errorf("%v", err)
		}
		s.Blend, s.Through = 0.02, false
		if err := try(two(), corner(s)); !errors.As(err, &sharp) { // straight back
			t.Errorf("%v", err)
		}
	})
	var free *FreeJointsError
	if err := try(rx90(), Task{Segments: []Segment{{To: [3]float64{0.4, 0.1, 0.4}, Time: 1}}}); !errors.As(err, &free) || free.Demands != 3 {
		t.Errorf("%v", err)
	}
	var lost *UnreachableError
	five := Task{Start: Start{Joints: map[string]float64{"J2": 0.3, "J3": 0.9, "J4": 0.4, "J5": 0.8}},
		Segments: []Segment{{To: [3]float64{0.1, 0.05, 0.05}, Relative: true, Orientation: Orientation{By: Fixed}, Time: 1}}}
	if err := try(shorter(rx90(), 5), five); !errors.As(err, &lost) || !strings.Contains(err.Error(), "contradict") {
		t.Errorf("%v", err)
	}
	limited := planar()
	limited.Links[1].Joint.Lower, limited.Links[1].Joint.Upper = -1, 1.4
	var beyond *LimitError
	if err := try(limited, planarTask(Segment{Kind: Joints, Joints: map[string]float64{"J2": 2}, Time: 1})); !errors.As(err, &beyond) || beyond.Joint != "J2" {
		t.Errorf("%v", err)
	}
	for why, s := range map[string]Segment{
		"did you mean":           {Kind: Joints, Joints: map[string]float64{"J3": 2}, Time: 1},
		"give a time or a speed": {To: [3]float64{0.5, 0.1, 0}},
		"out of reach":           {Kind: Point, To: [3]float64{0.9, 0.1, 0}, Time: 1},
		"on a line":              {Kind: Arc, Via: &[3]float64{0.5, 0.1, 0}, To: [3]float64{0.5, 0.1, 0}, Time: 1},
		"has through":            {To: [3]float64{0.5, 0.1, 0}, Through: true, Time: 1},
		"needs a duration":       {Kind: Wait},
		"least time, and a":      {To: [3]float64{0.5, 0.1, 0}, Least: true, Time: 1},
		"both say":               {To: [3]float64{0.5, 0.1, 0}, Time: 1, Speed: 1},
		"above":                  {To: [3]float64{0.5, 0.1, 0}, Time: 1, Speed: 1, Profile: Trapezoidal},
	} {
		if err := try(two(), planarTask(s)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", why, err)
		}
	}
}

package watch

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/regressor"
	"ident/robot"
)

// with adds a body to the tip of the arm between two times.
func (a *drawnArm) with(t *testing.T, c Columns, ddq [][]float64, mass float64, centre [3]float64, from, to float64) {
	t.Helper()
	body := robot.InertialFromCentral(mass, centre, [3][3]float64{{0.002 * mass, 0, 0}, {0, 0.002 * mass, 0}, {0, 0, 0.002 * mass}})
	tau := make([][]float64, len(c.Q))
	for j := range tau {
		tau[j] = make([]float64, len(c.T))
	}
	if err := a.loads.Eval(tau, regressor.Batch{Q: c.Q, DQ: c.DQ, DDQ: ddq}, body[:]); err != nil {
		t.Fatal(err)
	}
	for j := range tau {
		for k, at := range c.T {
			if at >= from && at < to {
				c.Tau[j][k] += tau[j][k]
			}
		}
	}
}

// told returns the events of rows.
func (a *drawnArm) told(t *testing.T, c Columns) (list []Event) {
	t.Helper()
	w, err := New(a.model, a.noise, Options{})
	if err != nil {
		t.Fatal(err)
	}
	each := func(r *Row) error {
		list = append(list, r.Events...)
		return nil
	}
	if err := w.Add(c, each); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(each); err != nil {
		t.Fatal(err)
	}
	return list
}

// only returns the events of some kinds.
func only(list []Event, kinds ...Kind) (out []Event) {
	for _, e := range list {
		if slices.Contains(kinds, e.Type) && !e.Over {
			out = append(out, e)
		}
	}
	return out
}

// A body is possible unless its parameters contradict it by more than their deviations.
func TestPossible(t *testing.T) {
	exact, vague := newNormal(robot.NumInertial).a, newNormal(robot.NumInertial).a
	for i := range vague {
		exact[i][i], vague[i][i] = 1e-8, 0.01
	}
	body := func(mass, x, inertia float64) robot.Inertial {
		return robot.InertialFromCentral(mass, [3]float64{x, 0, 0}, [3][3]float64{{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}})
	}
	for _, c := range []struct {
		what string
		body robot.Inertial
		cov  [][]float64
		want bool
	}{
		{"a tool", body(2, 0.1, 0.01), exact, true},
		{"a load of half a metre in a gripper of a quarter", body(2, 0.49, 0.04), exact, true},
		{"no mass", body(-2, 0.1, -0.01), exact, false},
		{"a centre out of reach", body(2, 0.6, 0.01), exact, false},
		{"a negative inertia", body(2, 0.1, -0.05), exact, false},
		{"a negative inertia within its deviation", body(2, 0.1, -0.05), vague, true},
		{"points out of reach", body(2, 0.1, 1), exact, false},
	} {
		if got := possible(c.body, c.cov); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

func TestEdges(t *testing.T) {
	arms := drawnArms(t)
	a := arms[0]
	t.Run("a robot that stands and is pushed is in no other units", func(t *testing.T) {
		a := arms[2]
		c, _ := a.motion(t, 2, standing, 6)
		a.on([]push{{link: 2, point: [3]float64{0.1, 0, 0}, dir: direction(rand.New(rand.NewPCG(2, 5))), size: 60, from: 2.2, to: 5}}, c)
		if got := only(a.told(t, c), Contact, Collision); len(got) == 0 {
			t.Error("no contact")
		}
	})
	t.Run("a heavy load makes the noise of velocities count for more", func(t *testing.T) {
		c, ddq := a.motion(t, 9, 1, 20)
		a.with(t, c, ddq, 15, [3]float64{0.02, 0, 0.1}, 3, 15)
		list := a.told(t, c)
		if got := only(list, Payload); len(got) != 2 || math.Abs(*got[0].Mass-15) > 0.1 || *got[1].Mass != 0 {
			t.Errorf("payloads %+v", got)
		}
		if got := only(list, Contact, Collision); len(got) != 2 {
			t.Errorf("%d contacts, want those of the pick and of the put: %+v", len(got), got)
		}
	})
	t.Run("a load slips in the gripper, and its end is told at its time", func(t *testing.T) {
		c, ddq := a.motion(t, 10, 1, 25)
		a.with(t, c, ddq, 1.5, [3]float64{0.02, 0, 0.08}, 3, 10)
		a.with(t, c, ddq, 1.5, [3]float64{0.02, 0.1, 0.08}, 10, 20)
		got := only(a.told(t, c), Payload)
		if len(got) != 3 || got[1].T > 14 || math.Abs(*got[1].Mass-1.5) > 0.1 || math.Abs(got[1].Centre[1]-0.1) > 0.01 || *got[2].Mass != 0 || math.Abs(got[2].Since-20) > 0.1 {
			t.Errorf("payloads %+v", got)
		}
	})
	t.Run("a torque that is stuck is one fault, and the other joints are watched", func(t *testing.T) {
		c, _ := a.motion(t, 11, 1, 25)
		a.on([]push{{link: 5, point: [3]float64{0, 0.1, 0}, dir: [3]float64{1, 0, 0}, size: 30, from: 15, to: 16}}, c)
		for k, at := range c.T {
			if at > 5 {
				c.Tau[3][k] = c.Tau[3][5*armRate]
			}
		}
		got := only(a.told(t, c), Contact, Collision, Drift)
		i := slices.IndexFunc(got, func(e Event) bool { return e.T > 15 })
		if i < 0 || i > 1 || got[i].T > 15.1 || len(got) > i+1 {
			t.Errorf("events %+v", got)
		}
	})
	t.Run("a position or velocity that is stuck blinds", func(t *testing.T) {
		for _, of := range [2]int{0, 1} {
			c, _ := a.motion(t, 12, 1, 15)
			x := [2][][]float64{c.Q, c.DQ}[of][2]
			for k, at := range c.T {
				if at > 5 && at < 10 {
					x[k] = x[5*armRate]
				}
			}
			list := a.told(t, c)
			if got := only(list, Contact, Collision, Drift, Payload); len(got) > 2 {
				t.Errorf("channel %d: events %+v", of, got)
			}
			if got := only(list, Sensor, Blind); len(got) < 2 {
				t.Errorf("channel %d: faults %+v", of, got)
			}
		}
	})
	t.Run("a logger that repeats its last row", func(t *testing.T) {
		c, _ := a.motion(t, 13, 1, 15)
		for _, x := range slices.Concat(c.Q, c.DQ, c.Tau) {
			for k := 5 * armRate; k < 8*armRate; k++ {
				x[k] = x[5*armRate]
			}
		}
		if got := only(a.told(t, c), Blind); len(got) == 0 || got[0].T > 7.1 {
			t.Errorf("events %+v", got)
		}
	})
	t.Run("stamps in milliseconds", func(t *testing.T) {
		c, _ := a.motion(t, 14, 1, 2)
		for k := range c.T {
			c.T[k] *= 1000
		}
		if got := only(a.told(t, c), Sensor); !slices.ContainsFunc(got, func(e Event) bool { return strings.Contains(e.Text, "in ms") }) {
			t.Errorf("events %+v", got)
		}
	})
	t.Run("torques of another sign", func(t *testing.T) {
		c, _ := a.motion(t, 14, 1, 5)
		for _, x := range c.Tau {
			for k := range x {
				x[k] = -x[k]
			}
		}
		got := only(a.told(t, c), Sensor)
		if len(got) != 1 || got[0].T > 1.1 {
			t.Errorf("events %+v", got)
		}
	})
}

// A log in other units than it is read in is refused behind its first second; one of a robot that is held is not.
func TestOtherUnits(t *testing.T) {
	m := seven(t)
	quiet := NewCalibrator(m, 0)
	quiet.Add(exact(t, m, 10000, 0.1))
	n, err := quiet.Noise()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		q, dq, tau float64
		force      float64
		want       string
	}{
		{1, 1, 1, 0, ""}, {1, 1, 1, 80, ""},
		{180 / math.Pi, 180 / math.Pi, 1, 0, "the positions and velocities are in degrees: "},
		{180 / math.Pi, 180 / math.Pi, 1, 0.5, "the positions and velocities are in degrees: "},
		{1, 180 / math.Pi, 1, 0, "the velocities are in degrees a second: "},
		{1, 1, 1000, 0, "the torques are in N·mm: "},
	} {
		rows := exact(t, m, 3000, 0.1)
		for j := range rows.Q {
			for k := range rows.T {
				rows.Q[j][k], rows.DQ[j][k], rows.Tau[j][k] = c.q*rows.Q[j][k], c.dq*rows.DQ[j][k], c.tau*(rows.Tau[j][k]+c.force)
			}
		}
		for _, part := range []int{1, 700, 3000} { // rows at a time
			w, err := New(m, n, Options{})
			if err != nil {
				t.Fatal(err)
			}
			told := 0
			for at := 0; at < 3000 && err == nil; at += part {
				err = w.Add(rows.Slice(at, min(at+part, 3000)), func(*Row) error { told++; return nil })
			}
			unit := UnitError("")
			if errors.As(err, &unit) != (c.want != "") || !strings.HasPrefix(string(unit), c.want) || c.want != "" && told != 1000 || c.want == "" && told != 3000 {
				t.Errorf("%+v, %d rows at a time: %v, %d rows", c, part, err, told)
			}
		}
	}
}

package sensors

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"ident/robot"
	"ident/simulate"
)

// slide is a mass on a level slide that swings: position, velocity and force are sines.
func slide(t *testing.T) *robot.Robot {
	t.Helper()
	r := robot.FromMDH("slide", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Prismatic}})
	r.Gravity = [3]float64{0, -9.81, 0}
	r.Links[0].Inertial = robot.InertialFromCentral(2, [3]float64{}, [3][3]float64{{1}, {0, 1}, {0, 0, 1}})
	r.Links[0].HasInertial = true
	r.Links[0].Joint.Fv, r.Links[0].Joint.Fs = 3, 1
	return r
}

type swing struct{}

func (swing) DOF() int          { return 1 }
func (swing) Duration() float64 { return 4 }
func (swing) Periodic() bool    { return true }
func (swing) Eval(t float64, q, dq, ddq []float64) {
	q[0], dq[0], ddq[0] = math.Sin(3*t), 3*math.Cos(3*t), -9*math.Sin(3*t)
}

// record runs the slide with faults and returns all rows, and the clean ones.
func record(t *testing.T, text string) (with, clean *simulate.Record) {
	t.Helper()
	r := slide(t)
	opt := simulate.Options{Rate: 1000, Seed: 4}
	x, err := simulate.New(r, swing{}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if clean, err = x.All(context.Background()); err != nil {
		t.Fatal(err)
	}
	list, err := Parse(text, []string{"joint1"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStage(r, x, list, []float64{10}, 4)
	if err != nil {
		t.Fatal(err)
	}
	all := x.Outline()
	add := func(to *[][]float64, from [][]float64) {
		for i := range from {
			(*to)[i] = append((*to)[i], from[i]...)
		}
	}
	if err := x.Blocks(context.Background(), func(e *simulate.Record) error {
		e = s.Apply(e)
		all.T = append(all.T, e.T...)
		add(&all.Measured.Q, e.Measured.Q)
		add(&all.Measured.DQ, e.Measured.DQ)
		add(&all.Measured.Tau, e.Measured.Tau)
		add(&all.Exact.Q, e.Exact.Q)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all, clean
}

// A late channel is that of an earlier time, whole or broken numbers of samples, across the blocks of a
// thousand rows: the cubic through samples of 3 rad/s sines a millisecond apart errs by (3e-3)⁴.
func TestLate(t *testing.T) {
	for _, lag := range []float64{0.0004, 0.001, 0.0037, 0.05} {
		with, _ := record(t, "late-velocity="+trim(lag))
		for k, v := range with.Measured.DQ[0] {
			at := with.T[k] - lag
			if at < 0.004 {
				continue
			}
			if want := 3 * math.Cos(3*at); math.Abs(v-want) > 1e-9 {
				t.Fatalf("%g s late: %.12f at %.3f s, want %.12f", lag, v, with.T[k], want)
			}
		}
	}
}

func trim(v float64) string { return strings.Split(Fault{Name: "x", Size: v}.String(), "=")[1] }

// The size of each fault in the record is the one asked for.
func TestSizes(t *testing.T) {
	for text, check := range map[string]func(with, clean *simulate.Record) (got, want float64){
		"zero=-0.02": func(w, c *simulate.Record) (float64, float64) {
			return w.Measured.Q[0][77] - c.Measured.Q[0][77], -0.02
		},
		"saturated=0.5":      func(w, c *simulate.Record) (float64, float64) { return most(w.Measured.Tau[0]), 5 },
		"torque-quantum=0.3": func(w, c *simulate.Record) (float64, float64) { return math.Mod(w.Measured.Tau[0][500], 3), 0 },
		"scale=1.5": func(w, c *simulate.Record) (float64, float64) {
			return w.Measured.Tau[0][9] / c.Measured.Tau[0][9], 1.5
		},
		"offset-drift=0.1": func(w, c *simulate.Record) (float64, float64) {
			return w.Measured.Tau[0][4000] - c.Measured.Tau[0][4000], 4. / 4.001
		},
		"warming=0.4": func(w, c *simulate.Record) (float64, float64) {
			dq := c.Exact.DQ[0][4000]
			return c.Measured.Tau[0][4000] - w.Measured.Tau[0][4000], 0.4 * (1 - math.Exp(-3*4/4.001)) * (3*dq + math.Copysign(1, dq))
		},
		"backlash=0.01": func(w, c *simulate.Record) (float64, float64) {
			return math.Abs(w.Measured.Q[0][300] - c.Measured.Q[0][300]), 0.005
		},
		"flexible=0.01": func(w, c *simulate.Record) (float64, float64) {
			return w.Measured.Q[0][300] - c.Measured.Q[0][300], 0.01 * c.Exact.Tau[0][300] / 10
		},
		"stuck=0.25": func(w, c *simulate.Record) (float64, float64) {
			return w.Measured.Q[0][3900], w.Measured.Q[0][1002]
		},
	} {
		with, clean := record(t, text)
		if got, want := check(with, clean); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %.12g, want %.12g", text, got, want)
		}
	}
}

func most(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

// Rows are lost, held and stamped at the asked rate, to four deviations of a binomial draw.
func TestRows(t *testing.T) {
	with, clean := record(t, "dropped=0.1")
	if n, lost := float64(len(clean.T)), float64(len(clean.T)-len(with.T)); math.Abs(lost-0.1*n) > 4*math.Sqrt(0.09*n) {
		t.Errorf("%g of %g rows are lost", lost, n)
	}
	for k := range with.T {
		if math.Abs(with.Exact.Q[0][k]-math.Sin(3*with.T[k])) > 1e-12 {
			t.Fatalf("row %d is torn apart", k)
		}
	}
	with, _ = record(t, "repeated=0.1")
	held := 0
	for k := 1; k < len(with.T); k++ {
		if with.Measured.Q[0][k] == with.Measured.Q[0][k-1] && with.Measured.Tau[0][k] == with.Measured.Tau[0][k-1] {
			held++
		}
	}
	if n := float64(len(with.T)); math.Abs(float64(held)-0.1*n) > 4*math.Sqrt(0.09*n) {
		t.Errorf("%d of %g rows are held", held, n)
	}
	with, clean = record(t, "jitter=0.2")
	sum := 0.0
	for k, v := range with.T {
		if k > 0 && !(v > with.T[k-1]) {
			t.Fatalf("row %d does not come after the one before", k)
		}
		sum += (v - clean.T[k]) * (v - clean.T[k])
	}
	// Of a sum of 4001 squares the deviation is a fortieth; stamps that wait take little from it.
	if got := 1000 * math.Sqrt(sum/float64(len(with.T))); math.Abs(got-0.2) > 0.02 {
		t.Errorf("jitter of %g periods", got)
	}
}

func TestParse(t *testing.T) {
	joints := []string{"a", "b"}
	list, err := Parse("late-torque=0.01, zero:b,dropped,sign:2", joints)
	if text := fmt.Sprint(list); err != nil || text != "[late-torque=0.01 zero:2=0.05 dropped=0.01 sign:2=-1]" {
		t.Errorf("%q, %v", text, err)
	}
	for text, want := range map[string]string{
		"rust":        `"rust" is no fault; they are zero, `,
		"zero:c":      `"c" is no joint; they are a, b`,
		"zero:3":      `"3" is no joint`,
		"dropped:a":   "whole rows",
		"dropped=2":   "of the rows",
		"encoder=-1":  "rad or m",
		"encoder=nan": "rad or m",
	} {
		if _, err := Parse(text, joints); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for _, p := range Presets() {
		if _, err := Parse(p.Faults, joints); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if _, err := PresetOf("toaster"); err == nil || !strings.Contains(err.Error(), "hobby-servo") {
		t.Error(err)
	}
}

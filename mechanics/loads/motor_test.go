package loads

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/robot"
)

// 620 N·m and 36 rpm at the joint take a motor of about 10 N·m and 3600 rpm by a gear of 100 (Vukobratović and
// Potkonjak 1985, section 5.4, Example 3): an efficiency of 0.62, by division.
func TestPublishedMotor(t *testing.T) {
	m := Motor{Ratio: 100, Efficiency: 0.62}
	near(t, "torque", m.torque(620, 36*math.Pi/30, 0, 0), 10, 1e-12)
	near(t, "speed", m.Ratio*36*math.Pi/30, 3600*math.Pi/30, 1e-12)
	near(t, "braking", m.torque(-620, 1, 0, 0), -620/1.38/100, 1e-12)
	near(t, "rotor", m.torque(0, 1, 2, 50), 1, 1e-12)
}

// The line holds where the motor drives, and beyond the stall torque where it brakes; the current limits both.
func TestMotorLine(t *testing.T) {
	m := Motor{Stall: 10, NoLoad: 100}
	for _, c := range []struct{ torque, speed, want float64 }{{1, 0, 10}, {1, 50, 5}, {-1, -50, 5}, {-1, 50, 15}, {1, 100, 0}, {1, 130, 0}} {
		near(t, "limit", m.limit(c.torque, c.speed), c.want, 1e-12)
	}
	m.Peak = 6
	near(t, "with current", m.limit(1, 0), 6, 1e-12)
	near(t, "with current", m.limit(-1, 50), 6, 1e-12)
	if v := (&Motor{}).limit(1, 1e9); !math.IsInf(v, 1) {
		t.Errorf("a motor of no known limit has %g", v)
	}
}

// A faster motion over the same path violates a line that the slower one keeps, at a time that is told: the peak of
// the faster is beyond the line, that of the slower below.
func TestLineBetweenMotions(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	r := testrobot.Random(rng, 1, false)
	r.Links[0].Joint.Kind, r.Links[0].Joint.Ia = robot.Revolute, 0
	run := func(duration float64) *Report {
		s := Series{T: make([]float64, 501)}
		q, dq, ddq := make([]float64, 501), make([]float64, 501), make([]float64, 501)
		for k := range s.T {
			s.T[k] = duration * float64(k) / 500
			w := 2 * math.Pi / duration
			q[k], dq[k], ddq[k] = math.Sin(w*s.T[k]), w*math.Cos(w*s.T[k]), -w*w*math.Sin(w*s.T[k])
		}
		s.Q, s.DQ, s.DDQ = [][]float64{q}, [][]float64{dq}, [][]float64{ddq}
		return of(t, r, s, Options{})
	}
	r.Links[0].Joint.Motor = "{stall_torque: 1, no_load_speed: 1000, ratio: 50}"
	slow, fast := run(2.5).Motors[0], run(2).Motors[0]
	between := (*slow.Line + *fast.Line) / 2
	r.Links[0].Joint.Motor = strings.Replace(r.Links[0].Joint.Motor, "stall_torque: 1,", "stall_torque: "+text(between)+",", 1)
	slow, fast = run(2.5).Motors[0], run(2).Motors[0]
	if !slow.OK || slow.Violated != nil || fast.OK || fast.Violated == nil {
		t.Errorf("slow %+v, fast %+v", slow, fast)
	}
}

func text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Motors are chosen from the last joint to the first, and each loads the joints before: the choice is that for a robot
// whose file holds the chosen motors' masses as bodies.
func TestSizing(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	r := testrobot.Random(rng, 3, false)
	for j := range r.Links {
		r.Links[j].Antecedent, r.Links[j].Joint.Ia, r.Links[j].Joint.GearRatio = j-1, 0, 80
	}
	s := motion(3, 300, 2, rng)
	var catalogue []Motor
	for i := range 12 {
		x := math.Pow(2, float64(i)-4)
		catalogue = append(catalogue, Motor{Name: string(rune('A' + i)), Continuous: x, Peak: 3 * x, Mass: 0.5 * x, RotorInertia: 1e-6 * x, Efficiency: 0.8})
	}
	out := of(t, r, s, Options{Catalogue: catalogue})
	if len(out.Sizing) != 3 || out.Sizing[0].Joint != "joint3" || out.Sizing[2].Link != "" {
		t.Fatalf("%+v", out.Sizing)
	}
	heavy := r.Clone()
	for i, choice := range out.Sizing {
		if choice.Use == nil {
			t.Fatalf("no motor for %s: %+v", choice.Joint, choice.Rejected)
		}
		j := 2 - i
		if len(choice.Rejected) == 0 || choice.Rejected[0].Why == "" {
			t.Errorf("%+v", choice)
		}
		// The same torque from a robot that has the motors of the joints beyond in its file, without sizing.
		with := heavy.Clone()
		m := choice.Use.Motor
		with.Links[j].Joint.Ia = m.RotorInertia * m.Ratio * m.Ratio
		with.Links[j].Joint.Motor = "{continuous_torque: 1, peak_torque: 1, ratio: 80, efficiency: 0.8}"
		use := of(t, with, s, Options{}).Motors[0]
		near(t, "peak of "+choice.Joint, choice.Use.Torque.Value, use.Torque.Value, 1e-9)
		near(t, "rms of "+choice.Joint, choice.Use.RMS, use.RMS, 1e-9)
		if j > 0 {
			l := &heavy.Links[j-1]
			l.Inertial = l.Inertial.Add(robot.InertialFromCentral(m.Mass, heavy.Links[j].Placement.P, spatial.Mat{}))
		}
	}
	none := of(t, r, s, Options{Catalogue: catalogue[:1]}).Sizing[2]
	if none.Use != nil || len(none.Rejected) != 1 {
		t.Errorf("%+v", none)
	}
	r.Links[1].Joint.GearRatio = 0
	if _, err := Of(t.Context(), r, s, Options{Catalogue: catalogue}); err == nil || !strings.Contains(err.Error(), "joint2") {
		t.Errorf("%v", err)
	}
}

func TestBadMotors(t *testing.T) {
	for text, want := range map[string]string{
		"{stall_torque: 1}":                    "both",
		"{peak_torque: -1}":                    "negative",
		"{efficiency: 62}":                     "above 1",
		"{stal_torque: 1, no_load_speed: 100}": `"stal_torque" is not known`,
	} {
		if _, err := ParseMotor(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := ParseCatalogue("- {name: M, mass: 2}"); err == nil || !strings.Contains(err.Error(), "no torque") {
		t.Errorf("%v", err)
	}
	if _, err := ParseCatalogue("[]"); err == nil {
		t.Error("an empty catalogue is taken")
	}
	list, err := ParseCatalogue("- {name: M, continuous_torque: 1, no_load_speed: 3600*Pi/30, stall_torque: 2}\n- {peak_torque: 3, mass: 1}\n")
	if err != nil || len(list) != 2 || list[1].Name != "motor 2" || math.Abs(list[0].NoLoad-120*math.Pi) > 1e-9 {
		t.Errorf("%v %+v", err, list)
	}
}

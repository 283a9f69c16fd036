package doctor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/doctor"
	"ident/robot"
)

// scaled multiplies a channel, as the conversion from a declared unit does.
func (e *experiment) scaled(x []float64, by float64) {
	for k := range x {
		x[k] *= by
	}
}

// A unit that was declared and that the other channel of the joint contradicts is itself in doubt: neither a gear nor the clock is, nor the
// channel that is right. Where the declared unit is right and the other lacks one, that one is named.
func TestDeclaredUnits(t *testing.T) {
	const deg, mm = math.Pi / 180, 1e-3
	for _, c := range []struct {
		name  string
		make  func(e *experiment)
		named string // channel and the unit of its fix
	}{
		{"position in rad, declared in deg", func(e *experiment) { e.unit["q2"] = "deg"; e.scaled(e.q[1], deg) }, "q2=rad"},
		{"velocity in rad/s, declared in deg/s", func(e *experiment) { e.unit["dq1"] = "deg/s"; e.scaled(e.dq[0], deg) }, "dq1=rad/s"},
		{"velocity in rad/s, declared in rpm", func(e *experiment) { e.unit["dq1"] = "rpm"; e.scaled(e.dq[0], math.Pi/30) }, "dq1=rad/s"},
		{"slide in m, declared in mm", func(e *experiment) { e.unit["q4"] = "mm"; e.scaled(e.q[3], mm) }, "q4=m"},
		{"velocity of a slide in m/s, declared in mm/s", func(e *experiment) { e.unit["dq4"] = "mm/s"; e.scaled(e.dq[3], mm) }, "dq4=m/s"},
		{"position in rad, declared in turns", func(e *experiment) { e.unit["q2"] = "rev"; e.scaled(e.q[1], 2*math.Pi) }, "q2=rad"},
		{"position in deg, as declared, velocity not declared", func(e *experiment) { e.unit["q2"] = "deg"; e.scaled(e.dq[1], 1/deg) }, "dq2=deg/s"},
		{"velocity of a slide not declared", func(e *experiment) { e.scaled(e.dq[3], 1/mm) }, "dq4=mm/s"},
	} {
		rng := rand.New(rand.NewPCG(61, 0))
		e := run(scara(rng), rng, 50, 8).measure(rng, 0, 1e-4, 0.01)
		c.make(e)
		var said []string
		for _, f := range e.findings(t) {
			switch {
			case f.ID == doctor.Units:
				said = append(said, f.Fix)
			case f.ID == doctor.GearRatio || f.ID == doctor.ClockRate:
				t.Errorf("%s: %s", c.name, show(f))
			}
		}
		if len(said) != 1 || !strings.HasPrefix(said[0], "{units} "+c.named) {
			t.Errorf("%s: %q, want %s", c.name, said, c.named)
		}
	}
}

// The units of positions and velocities are told by the ratio of the two, of all joints or of one, and no clock or gear is.
func TestUnitsOfPositionsBesideVelocities(t *testing.T) {
	const deg, rpm, turn = math.Pi / 180, math.Pi / 30, 2 * math.Pi
	for _, c := range []struct {
		q, dq  float64
		joints []int
		want   string // of the fix for joint 1, or for the only one
	}{
		{turn, 1, []int{0, 1, 2}, "q1=rev"},
		{1, turn, []int{0, 1, 2}, "dq1=rev/s"},
		{turn, 1, []int{1}, "q2=rev"},
		{deg, rpm, []int{0, 1, 2}, "q1=deg and {units} dq1=rpm"},
		{turn, deg, []int{0, 1, 2}, "q1=rev and {units} dq1=deg/s"},
		{turn, rpm, []int{0, 1, 2}, "q1=rev and {units} dq1=rpm"},
	} {
		rng := rand.New(rand.NewPCG(63, 0))
		e := run(scara(rng), rng, 50, 8).measure(rng, 0, 1e-4, 0.01)
		for _, j := range c.joints {
			e.scaled(e.q[j], 1/c.q)
			e.scaled(e.dq[j], 1/c.dq)
		}
		var said []string
		for _, f := range e.findings(t) {
			switch {
			case f.ID == doctor.Units:
				said = append(said, f.Fix)
			case f.Severity != doctor.Info:
				t.Errorf("%+v: %s", c, show(f))
			}
		}
		if len(said) != len(c.joints) || !slices.ContainsFunc(said, func(fix string) bool { return strings.HasPrefix(fix, "{units} "+c.want) }) {
			t.Errorf("%+v: %q", c, said)
		}
	}
}

// Whole numbers of a slide beyond the millimetres of its limits are counts of an encoder; within them they are millimetres.
func TestCountsOfSlides(t *testing.T) {
	for _, c := range []struct {
		step  float64
		limit float64
		want  string
	}{{2e-6, 2.9, "counts"}, {2e-6, math.Inf(1), "counts"}, {1e-3, 0.5, "in mm"}} {
		rng := rand.New(rand.NewPCG(62, 0))
		e := run(scara(rng), rng, 50, 8).measure(rng, 0, 1e-4, 0.01)
		joint := &e.robot.Links[len(e.robot.Links)-1].Joint
		joint.Lower, joint.Upper = -c.limit, c.limit
		for k, v := range e.q[3] {
			e.q[3][k] = math.Round(v / c.step)
		}
		e.skip["dq4"] = true
		found := e.findings(t)
		at := slices.IndexFunc(found, func(f doctor.Finding) bool { return f.Channel == "q4" && f.Severity == doctor.Error })
		if at < 0 || found[at].ID != doctor.Units || !strings.Contains(found[at].Why, c.want) || strings.Contains(found[at].Advice(), "{scale} q4=") != (c.want == "counts") {
			t.Errorf("steps of %g m, limit %g: %d", c.step, c.limit, at)
		}
		for _, f := range found {
			if f.ID == doctor.GearRatio {
				t.Error(show(f))
			}
		}
	}
}

// A joint that rests between motions is not held, froze nowhere, and its log is no one's slower source.
func TestRests(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 0))
	e := run(planar(rng), rng, 50, 24)
	for j := range e.q {
		for k, s := range e.t {
			if w := math.Mod(s, 4); w < 0.8 {
				e.q[j][k] = math.Round(400*math.Sin(2*math.Pi*w/0.8)) / 1000
			} else {
				e.q[j][k] = 0
			}
		}
	}
	e.skip["dq1"], e.skip["dq2"] = true, true
	for _, f := range e.findings(t) {
		if strings.HasPrefix(f.Channel, "q") && (f.ID == doctor.Held || f.ID == doctor.Stuck) {
			t.Error(show(f))
		}
	}
}

// A driver that takes the gravity of the file's bodies out of the torques is answered by adding it, not by a fit of what is left.
func TestTakenGravity(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 0))
	e := run(arm("three", rng, []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, D: 0.4}}), rng, 100, 12)
	e.weighedUnder([3]float64{})
	e.measure(rng, 0, 1e-4, 0.01)
	said := false
	for _, f := range e.findings(t) {
		if f.ID == doctor.TorqueKind {
			said = len(f.Repair.Settings) == 1 && f.Repair.Settings[0].Key == "torque" && strings.Contains(f.Fix, "{torque} gravity-compensated")
			if !said {
				t.Errorf("%s, tried %+v", show(f), f.Tried)
			}
		}
	}
	if !said {
		t.Error("not told")
	}
}

// The name of a load is doubted, unless the robot file's bodies explain the channels as torques in N·m.
func TestLoadsByName(t *testing.T) {
	for _, c := range []struct {
		name    string
		factor  func(j int) float64
		doubted bool
	}{
		{"N·m", func(int) float64 { return 1 }, false},
		{"per cent of one rating", func(int) float64 { return 100.0 / 60 }, true},
		{"per cent of ratings", func(j int) float64 { return 100 / []float64{97, 186, 89, 24, 20, 21}[j] }, true},
		{"per cent of 100 N·m in two joints alone", func(j int) float64 { return 100 / []float64{100, 100, 30, 24, 20, 21}[j] }, true},
	} {
		rng := rand.New(rand.NewPCG(63, 0))
		e := run(puma(), rng, 100, 12).measure(rng, 0, 1e-4, 0.01)
		e.skip, e.extra = map[string]bool{}, map[string][]float64{}
		names := make([]string, len(e.tau))
		for j, x := range e.tau {
			e.skip[fmt.Sprintf("tau%d", j+1)] = true
			names[j] = fmt.Sprintf("axis %d load", j+1)
			e.scaled(x, c.factor(j))
			e.extra[names[j]] = x
		}
		l, roles := e.log()
		roles.Tau = names
		found, err := doctor.Check(t.Context(), e.robot, l, roles, e.opt)
		if err != nil {
			t.Fatal(err)
		}
		doubted := slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.ID == doctor.Units && strings.Contains(f.Why, "by its name") })
		if doubted != c.doubted {
			t.Errorf("%s: doubted %t", c.name, doubted)
		}
	}
}

// Torques that the limits of the joints allow are doubted by the bodies of the robot file: all of them are one unit's multiple of what these need.
// A file whose bodies are rough, as those of drawings are, doubts none.
func TestUnitsByBodiesAlone(t *testing.T) {
	for _, c := range []struct {
		name  string
		si    float64
		rough float64 // scatter of the logarithms of the file's masses
		named string
	}{
		{"kgf·m", 9.80665, 0, "tau1=kgf.m"},
		{"kgf·cm", 9.80665e-2, 0, "tau1=kgf.cm"},
		{"lbf·in", 0.112984829, 0, "tau1=in.lb"},
		{"kgf·m, rough file", 9.80665, 0.1, "tau1=kgf.m"},
		{"N·m", 1, 0, ""},
		{"N·m, rough file", 1, 0.3, ""},
		{"foot-pounds, within the errors of files", 1.3558, 0, ""},
	} {
		rng := rand.New(rand.NewPCG(65, 0))
		e := run(puma(), rng, 100, 12)
		e.measure(rng, 0, 1e-4, 0.01)
		for j := range e.tau {
			e.scaled(e.tau[j], 1/c.si)
		}
		for l := range e.robot.Links {
			by := math.Exp(c.rough * rng.NormFloat64())
			for p := range e.robot.Links[l].Inertial {
				e.robot.Links[l].Inertial[p] *= by
			}
			e.robot.Links[l].Own = e.robot.Links[l].Inertial
		}
		named := ""
		for _, f := range e.findings(t) {
			if f.ID == doctor.Units && f.Channel == "tau1" {
				named = f.Advice()
			}
		}
		if c.named == "" && named != "" || c.named != "" && !strings.HasPrefix(named, "{units} "+c.named) {
			t.Errorf("%s: %q", c.name, named)
		}
	}
}

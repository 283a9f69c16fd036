package sway

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ident/baseparams"
	"ident/excite"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/kinematics"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

var stand = []float64{0, 0.9, -1.7, 0, 0.9, -1.7, 0, 0.9, -1.7, 0, 0.9, -1.7}

func quadruped(t testing.TB, radius float64) (*robot.Robot, []regressor.Foot) {
	t.Helper()
	r := testrobot.Quadruped(t, nil)
	var feet []regressor.Foot
	for _, leg := range testrobot.QuadrupedLegs {
		for j := range r.Links {
			if r.Links[j].Name == leg+"_calf" {
				feet = append(feet, regressor.Foot{Name: leg, Link: j, Centre: testrobot.QuadrupedFoot, Radius: radius})
			}
		}
	}
	return r, feet
}

func problem(t testing.TB, radius float64) Problem {
	t.Helper()
	r, feet := quadruped(t, radius)
	return problemOf(t, r, feet, stand)
}

func problemOf(t testing.TB, r *robot.Robot, feet []regressor.Foot, start []float64) Problem {
	t.Helper()
	s, err := NewStance(r, feet, start)
	if err != nil {
		t.Fatal(err)
	}
	terms := []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs}
	set, err := baseparams.QRStanding(context.Background(), r, terms, baseparams.Standing{Feet: feet, Modes: [][]bool{slices.Repeat([]bool{true}, len(feet))}}, baseparams.Options{})
	if err != nil {
		t.Fatal(err)
	}
	full, err := regressor.NewDynamic(r, terms)
	if err != nil {
		t.Fatal(err)
	}
	chi, weight := make([]float64, len(full.Columns())), 0.0
	for c, col := range full.Columns() {
		chi[c], _ = regressor.ValueOf(r, col)
		if col.Param == robot.M && col.Term == regressor.Links {
			weight += 9.81 * chi[c]
		}
	}
	p := Problem{Stance: s, Model: full.Select(set.Base), Values: set.FromStandard(chi), Weight: weight, Duration: 12, Friction: DefaultFriction, Margin: 0.05, Draws: 2}
	for _, j := range r.Independent()[6:] {
		p.Limits = append(p.Limits, excite.Limits{Joint: r.Links[j].Joint.Name, Lower: -3, Upper: 3, Velocity: 5, Accel: 30, Effort: 40})
	}
	return p
}

// feetOf returns where the feet are at a sample of a sway.
func feetOf(t *testing.T, stance *Stance, w *Sway) func(sample int) [][3]float64 {
	tree, err := kinematics.New(stance.robot)
	if err != nil {
		t.Fatal(err)
	}
	pose, in := tree.NewPose(), w.Coordinates()
	q := make([]float64, len(in.Q))
	return func(i int) (out [][3]float64) {
		for k := range q {
			q[k] = in.Q[k][i]
		}
		pose.Place(q)
		for _, foot := range stance.feet {
			out = append(out, pose.Frame(foot.Link).Apply(stance.robot.Links[foot.Link].UserFrame.Apply(foot.Centre)))
		}
		return out
	}
}

// Points that stick stay where they are: the chain of the robot, which shares no code with the integration, says so.
func TestFollowKeepsFeet(t *testing.T) {
	p := problem(t, 0)
	d := &designer{p: p, rng: newSource(p.Seed), height: p.Stance.height()}
	w := p.Stance.Follow(d.draw().path([]part{{to: 12, scale: 1}}), 1/Rate, 12*Rate+1)
	in, feet := w.Coordinates(), feetOf(t, p.Stance, w)
	first := make([][3]float64, len(p.Stance.feet))
	moved, worst := 0.0, 0.0
	for i := range in.Q[0] {
		for f, at := range feet(i) {
			if i == 0 {
				first[f] = at
			}
			for k := range 3 {
				worst = max(worst, math.Abs(at[k]-first[f][k]))
			}
		}
		moved = max(moved, math.Abs(in.Q[0][i]))
	}
	if worst > 1e-6 || moved < 0.01 {
		t.Errorf("feet move by %g m while the base moves by %g m", worst, moved)
	}
	// Rates and accelerations are the derivatives of the positions.
	for k := range in.Q {
		for i := 1; i+1 < len(in.Q[k]); i++ {
			v, a := (in.Q[k][i+1]-in.Q[k][i-1])*Rate/2, (in.DQ[k][i+1]-in.DQ[k][i-1])*Rate/2
			if math.Abs(v-in.DQ[k][i]) > 2e-3 || math.Abs(a-in.DDQ[k][i]) > 2e-2 {
				t.Fatalf("coordinate %d at sample %d: rate %g, difference %g; acceleration %g, difference %g", k, i, in.DQ[k][i], v, in.DDQ[k][i], a)
			}
		}
	}
}

// A foot that is lifted rises as its lift says, above the place where it stood; the others stay. Its force vanishes without a step.
func TestFollowLifts(t *testing.T) {
	p := problem(t, 0)
	lift := Lift{Foot: 1, From: 3, To: 7, Height: 0.04}
	lean := []part{{to: 10, lean: [2]float64{-0.06, 0.04}}}
	w := p.Stance.Follow(draw(make([][]wave, 6)).path(lean), 1/Rate, 10*Rate+1, lift)
	forces, _, err := w.Forces(p.Model, p.Values)
	if err != nil {
		t.Fatal(err)
	}
	in, feet := w.Coordinates(), feetOf(t, p.Stance, w)
	var first [4][3]float64
	for i := range in.Q[0] {
		for f, at := range feet(i) {
			if i == 0 {
				first[f] = at
			}
			want := first[f]
			if f == lift.Foot {
				h, _, _ := lift.height(float64(i) / Rate)
				want[2] += h
			}
			for k := range 3 {
				if math.Abs(at[k]-want[k]) > 2e-6 {
					t.Fatalf("sample %d: foot %d is at %v, not %v", i, f, at, want)
				}
			}
			share := w.Share(f, float64(i)/Rate)
			for k := 3 * f; k < 3*f+3; k++ {
				if share == 0 && forces[k][i] != 0 || i > 0 && math.Abs(forces[k][i]-forces[k][i-1]) > 2 {
					t.Fatalf("sample %d: a force of %g N after %g N on foot %d, whose share is %g", i, forces[k][i], forces[k][i-1], f, share)
				}
			}
		}
	}
	if w.Share(1, 5) != 0 || w.Share(1, 2) != 1 || w.Share(0, 5) != 1 {
		t.Errorf("shares %g %g %g", w.Share(1, 5), w.Share(1, 2), w.Share(0, 5))
	}
}

// A design that lifts each foot keeps the reserve of the others, and needs its time and feet.
func TestDesignLift(t *testing.T) {
	long.Only(t, "TestFollowLifts and TestDesign")
	p := problem(t, 0.022)
	p.Lift, p.Duration, p.Draws = true, 63, 1
	d, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Lifts) != 8 {
		t.Fatalf("%d lifts", len(d.Lifts))
	}
	for _, f := range d.Feet {
		if f.Least < f.Limit || f.Slope > p.Friction {
			t.Errorf("%s bears %g N, %g at least, and needs a friction of %g", f.Foot, f.Least, f.Limit, f.Slope)
		}
	}
	p.Duration = 60
	if _, err := Design(context.Background(), p); err == nil || !strings.Contains(err.Error(), "give 63 s or more") {
		t.Errorf("60 s: %v", err)
	}
	p.Duration = 63
	if p.Stance, err = NewStance(p.Stance.robot, p.Stance.feet[:3], stand); err != nil {
		t.Fatal(err)
	}
	if _, err := Design(context.Background(), p); err == nil || !strings.Contains(err.Error(), "stands on 2 round feet") {
		t.Errorf("three feet: %v", err)
	}
}

// biped returns a robot of two heavy legs of six joints, and its soles.
func biped(t testing.TB) (*robot.Robot, []regressor.Foot) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<robot name="biped"><link name="world"/><joint name="base" type="floating"><parent link="world"/><child link="trunk"/></joint>`)
	body := func(name string, mass, z float64) {
		fmt.Fprintf(&b, `<link name="%s"><inertial><origin xyz="0 0 %g"/><mass value="%g"/><inertia ixx="%g" iyy="%g" izz="%g" ixy="0" ixz="0" iyz="0"/></inertial></link>`, name, z, mass, 0.01*mass, 0.01*mass, 0.01*mass)
	}
	body("trunk", 15, 0.2)
	for i, side := range []string{"left", "right"} {
		parent, at := "trunk", fmt.Sprintf("0 %g 0", 0.1-0.2*float64(i))
		for _, j := range []struct {
			name, axis, next string
			mass, z          float64
		}{{"yaw", "0 0 1", "0 0 0", 0.5, 0}, {"roll", "1 0 0", "0 0 0", 0.5, 0}, {"pitch", "0 1 0", "0 0 -0.3", 3, -0.15}, {"knee", "0 1 0", "0 0 -0.3", 2, -0.15}, {"ankle", "0 1 0", "0 0 0", 0.2, 0}, {"foot", "1 0 0", "", 0.6, -0.02}} {
			name := side + "_" + j.name
			body(name, j.mass, j.z)
			fmt.Fprintf(&b, `<joint name="%s" type="revolute"><parent link="%s"/><child link="%s"/><origin xyz="%s"/><axis xyz="%s"/><limit lower="-3" upper="3" effort="200" velocity="20"/></joint>`, name, parent, name, at, j.axis)
			parent, at = name, j.next
		}
	}
	b.WriteString("</robot>")
	r, err := format.Read([]byte(b.String()), "urdf", "biped.urdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var feet []regressor.Foot
	for j := range r.Links {
		if strings.HasSuffix(r.Links[j].Name, "_foot") {
			feet = append(feet, regressor.Foot{Name: r.Links[j].Name, Link: j, Centre: [3]float64{0.02, 0, -0.04}, Sole: true})
		}
	}
	return r, feet
}

// A robot on two soles leans over one until it bears all, though half of its mass is in its legs, before the other rises.
func TestBipedLeans(t *testing.T) {
	r, feet := biped(t)
	p := problemOf(t, r, feet, []float64{0, 0, -0.35, 0.7, -0.35, 0, 0, 0, -0.35, 0.7, -0.35, 0})
	p.Lift, p.Duration = true, 60
	d := &designer{p: p, rng: newSource(p.Seed), height: p.Stance.height()}
	if err := d.divide(); err != nil {
		t.Fatal(err)
	}
	if lean := d.parts[1].lean[1]; len(d.lifts) != 4 || math.Abs(lean) < 0.1 || d.parts[3].lean != d.parts[1].lean {
		t.Errorf("%d lifts, leans %v", len(d.lifts), d.parts)
	}
}

// A design keeps its limits, and lower ones make it smaller; a floor on which the robot cannot stand is refused.
func TestDesign(t *testing.T) {
	p := problem(t, 0.022)
	d, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	last := len(d.Sway.DQ[0]) - 1
	for k := range d.Sway.DQ {
		if math.Abs(d.Sway.DQ[k][0])+math.Abs(d.Sway.DQ[k][last]) > 1e-6 {
			t.Errorf("joint %d does not begin and end at rest", k)
		}
	}
	for _, f := range d.Feet {
		if f.Least < LeastLoad*p.Weight || f.Slope > p.Friction {
			t.Errorf("%s bears %g N at least and needs a friction of %g", f.Foot, f.Least, f.Slope)
		}
	}
	slow := p
	slow.Limits = append([]excite.Limits(nil), p.Limits...)
	for k := range slow.Limits {
		slow.Limits[k].Velocity = 0.1
	}
	small, err := Design(context.Background(), slow)
	if err != nil {
		t.Fatal(err)
	}
	if small.Size[0] >= d.Size[0] || small.Value <= d.Value {
		t.Errorf("at 0.1 rad/s the base moves by %g m (%g) with a criterion of %g (%g)", small.Size[0], d.Size[0], small.Value, d.Value)
	}
	ice := p
	ice.Friction = 1e-4
	if _, err := Design(context.Background(), ice); err == nil || !strings.Contains(err.Error(), "friction") {
		t.Errorf("on ice: %v", err)
	}
	again, err := Design(context.Background(), p)
	if err != nil || again.Value != d.Value {
		t.Errorf("the same seed gives %v and %v (%v)", d.Value, again.Value, err)
	}
}

func TestNotLevel(t *testing.T) {
	r, feet := quadruped(t, 0.022)
	start := append([]float64(nil), stand...)
	start[1] = 0.5
	if _, err := NewStance(r, feet, start); err == nil || !strings.Contains(err.Error(), "plane") {
		t.Errorf("a leg that is 5 cm longer: %v", err)
	}
	// A base that is tilted, as on rear legs that are bent, is no fault.
	if _, err := NewStance(r, feet, []float64{0, 0.9, -1.7, 0, 0.9, -1.7, 0, 1.1, -2.1, 0, 1.1, -2.1}); err != nil {
		t.Errorf("bent rear legs: %v", err)
	}
}

func BenchmarkFollow(b *testing.B) {
	p := problem(b, 0.022)
	d := &designer{p: p, rng: newSource(p.Seed), height: p.Stance.height()}
	waves := d.draw()
	for b.Loop() {
		p.Stance.Follow(waves.path([]part{{to: 12, scale: 1}}), 1/searchRate, 100)
	}
}

func BenchmarkJudge(b *testing.B) {
	p := problem(b, 0.022)
	d := &designer{p: p, rng: newSource(p.Seed), height: p.Stance.height()}
	p.Criterion = excite.DOptimal
	w := p.Stance.Follow(d.draw().path([]part{{to: 12, scale: 1}}), 1/searchRate, 240)
	for b.Loop() {
		if _, _, err := d.judge(w); err != nil {
			b.Fatal(err)
		}
	}
}

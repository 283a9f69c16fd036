package identify

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"ident/datasets"
	"ident/estimate/summary"
	"ident/estimate/summary/drift"
	"ident/excite"
	"ident/identify/project"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/yaml"
	"ident/simulate"
)

const yearWeeks, weekSeconds = 52, 7 * 86400

// yearsEach of every robot with drift and without; docs/summaries.md has the figures of eight.
var yearsEach = flag.Int("years", 1, "years of weekly logs of each robot, with drift and without")

// twoAxis is the robot of docs/summaries.md.
const twoAxis = `name: two-axis
gravity: [0, -9.81, 0]
links:
  - name: upper
    joint: {name: shoulder, drive: {ia: 0.8, fv: 2, fs: 1.5, fo: 0.3}}
    mdh: {}
    inertial: {mass: 6, com: [0.2, 0.01, 0], inertia: {ixx: 0.01, ixy: 0, ixz: 0, iyy: 0.05, iyz: 0, izz: 0.05}}
  - name: fore
    joint: {name: elbow, drive: {ia: 0.3, fv: 2, fs: 1.5, fo: 0.3}}
    mdh: {d: 0.4}
    inertial: {mass: 3, com: [0.15, 0.01, 0], inertia: {ixx: 0.01, ixy: 0, ixz: 0, iyy: 0.05, iyz: 0, izz: 0.05}}
`

// plantArm is a robot in a plant: its file, and the motion of its weekly run.
type plantArm struct {
	file   string
	robot  *robot.Robot
	motion simulate.Sampler
	rate   float64 // samples a second
}

// swings is a motion of three harmonics a joint and five seconds, which ends as it began.
type swings [][3]float64 // amplitudes by joint, rad or m

func (s swings) DOF() int { return len(s) }

func (s swings) Duration() float64 { return 5 }

func (s swings) Periodic() bool { return true }

func (s swings) Eval(t float64, q, dq, ddq []float64) {
	for j, amplitudes := range s {
		q[j], dq[j], ddq[j] = 0, 0, 0
		for h, a := range amplitudes {
			w := 2 * math.Pi / s.Duration() * float64(h+1)
			sin, cos := math.Sincos(w*t + float64(j))
			q[j], dq[j], ddq[j] = q[j]+a*sin, dq[j]+a*w*cos, ddq[j]-a*w*w*sin
		}
	}
}

// plantArms are a vertical arm of two joints, a random tree of three, and the embedded Puma 560.
func plantArms(t *testing.T, n int) (out []plantArm) {
	t.Helper()
	dir := t.TempDir()
	add := func(name, as string, text []byte, motion simulate.Sampler, rate float64) {
		a := plantArm{file: filepath.Join(dir, name+"."+as), motion: motion, rate: rate}
		if err := os.WriteFile(a.file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		var err error
		if a.robot, err = format.Open(a.file, robot.ReadOptions{}); err != nil {
			t.Fatal(err)
		}
		out = append(out, a)
	}
	add("two-axis", "yaml", []byte(twoAxis), swings{{0.6, -0.3, 0.2}, {0.4, 0.5, -0.3}}, 100)
	if n == 1 {
		return out
	}
	tree := testrobot.Random(rand.New(rand.NewPCG(3, 3)), 3, false)
	for j := range tree.Links {
		joint := &tree.Links[j].Joint
		joint.Fv, joint.Fs, joint.Fo = 1.5, 2, 0.2
	}
	var text bytes.Buffer
	if err := yaml.Write(&text, tree); err != nil {
		t.Fatal(err)
	}
	add("tree", "yaml", text.Bytes(), swings{{0.4, -0.3, 0.2}, {0.3, 0.3, -0.2}, {-0.2, 0.3, 0.3}}, 100)
	path, err := os.ReadFile("../datasets/example/puma560.json")
	if err != nil {
		t.Fatal(err)
	}
	motion, err := excite.ReadMotion(path)
	if err != nil {
		t.Fatal(err)
	}
	add("puma560", "urdf", datasets.ExampleRobot(), motion, 100)
	return out[:n]
}

// year simulates a log a week, with friction that scatters by 1 % from week to week and the Coulomb friction of one joint larger
// by a factor from a week on; it reduces each log alone, by the signal path of the first, and merges the summaries of all.
func (a *plantArm) year(t *testing.T, seed uint64, joint, from int, factor float64) *summary.Summary {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, yearWeeks))
	begin := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC).Unix()
	opt := ReduceOptions{}
	dir := t.TempDir()
	var parts []*summary.Summary
	for week := range yearWeeks {
		worn := a.robot.Clone()
		for j := range worn.Links {
			of := &worn.Links[j].Joint
			of.Fv *= 1 + 0.01*rng.NormFloat64()
			of.Fs *= 1 + 0.01*rng.NormFloat64()
			if j == joint && week >= from {
				of.Fs *= factor
			}
		}
		log := filepath.Join(dir, fmt.Sprintf("week%02d.parquet", week))
		if err := a.record(t.Context(), worn, log, rng.Uint64()); err != nil {
			t.Fatal(err)
		}
		opt.Start = float64(begin + int64(week)*weekSeconds)
		part, err := New(&project.Settings{Robot: a.file}, true, log).Reduce(t.Context(), opt)
		if err != nil {
			t.Fatal(err)
		}
		if opt.Like == nil {
			opt.Like = part
		}
		parts = append(parts, part)
	}
	all, err := summary.Merge(parts...)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// record writes the log of a run with the usual sensors: encoders of 20 bits, and torques with noise of 1 %.
func (a *plantArm) record(ctx context.Context, worn *robot.Robot, log string, seed uint64) error {
	run := simulate.Options{Rate: a.rate, Seed: seed}
	if err := project.UsualSensors(ctx, &run, worn, a.motion); err != nil {
		return err
	}
	e, err := simulate.Run(ctx, worn, a.motion, run)
	if err != nil {
		return err
	}
	return datasets.Copy(ctx, log, e.Log("week"), nil)
}

// A year of weekly logs, simulated, reduced and merged, in which the Coulomb friction of a joint grows by 20 %: the change is found,
// of that parameter, within two windows of its date. Other changes are false, and no more than the stated rate has.
func TestYearWithDrift(t *testing.T) {
	long.Only(t, "Example has the path from logs to summaries, and package drift's tests the changes")
	years, alarms, late := 0, 0, 0
	for i, a := range plantArms(t, long.Draws(3, 1, 1)) {
		for draw := range *yearsEach {
			joint, from := len(a.robot.Links)-1-draw%len(a.robot.Links), 10+(13*draw+11*i+9)%36
			name := fmt.Sprintf("Fs%d", joint+1)
			r, err := drift.Of(t.Context(), a.year(t, uint64(10*i+draw), joint, from, 1.2), weekSeconds)
			if err != nil {
				t.Fatal(err)
			}
			years++
			found := 0
			for _, c := range r.Changes {
				if c.Parameter == name && math.Abs(float64(c.Window-1-from)) <= 2 && math.Abs(c.Percent-20) < 5 && c.Time == r.Windows[c.Window-1].From {
					found++
					late = max(late, c.Window-1-from, from+1-c.Window)
				}
			}
			if found != 1 {
				t.Errorf("%s, %s from window %d: %+v", a.robot.Name, name, from+1, r.Changes)
			}
			if len(r.Changes) > found {
				alarms++
				t.Logf("%s, %s from window %d: %+v", a.robot.Name, name, from+1, r.Changes)
			}
		}
	}
	t.Logf("%d years with drift: dates %d windows off at most, other changes in %d", years, late, alarms)
	if alarms > falseAtMost(years) {
		t.Errorf("other changes in %d of %d years", alarms, years)
	}
}

// Years without drift have alarms at most at the stated rate.
func TestYearWithoutDrift(t *testing.T) {
	long.Only(t, "Example has the path, and TestFalseAlarms of package drift the rate")
	alarms, years := 0, 0
	for i, a := range plantArms(t, long.Draws(3, 1, 1)) {
		for draw := range *yearsEach {
			r, err := drift.Of(t.Context(), a.year(t, uint64(1000+10*i+draw), 0, yearWeeks, 1), weekSeconds)
			if err != nil {
				t.Fatal(err)
			}
			years++
			if len(r.Changes) > 0 {
				alarms++
				t.Logf("%s, draw %d: %+v", a.robot.Name, draw, r.Changes)
			}
		}
	}
	if t.Logf("alarms in %d of %d years without drift", alarms, years); alarms > falseAtMost(years) {
		t.Errorf("alarms in %d of %d years without drift", alarms, years)
	}
}

// falseAtMost is the 99 % quantile of the number of years with an alarm at the stated rate; none of two years or fewer, whose draws are
// fixed.
func falseAtMost(years int) int {
	most := 0
	for of := (distuv.Binomial{N: float64(years), P: drift.FalseAlarms}); years > 2 && of.CDF(float64(most)) < 0.99; {
		most++
	}
	return most
}

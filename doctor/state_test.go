package doctor_test

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/doctor"
	draws "ident/internal/long"
	"ident/internal/testrobot"
	"ident/observation"
	"ident/robot"
)

// loaded returns the robot with a body of a mass added to a link.
func loaded(rng *rand.Rand, r *robot.Robot, link int, mass float64) *robot.Robot {
	r = r.Clone()
	body := testrobot.Body(rng)
	for p, v := range body {
		r.Links[link].Inertial[p] += v * mass / body[robot.M]
	}
	return r
}

// pairOf examines a bare run and a run with a load on the last link, on motions of their own. The file knows no load; told says that
// the state of the second run does.
func pairOf(t failer, r *robot.Robot, rng *rand.Rand, mass float64, told bool) (found []doctor.Finding) {
	t.Helper()
	last := len(r.Links) - 1
	var exams []*doctor.Examination
	for i, moved := range []*robot.Robot{r, loaded(rng, r, last, mass)} {
		e := run(moved, rng, 50, 14).measure(rng, 0, 1e-4, 0.01)
		e.robot, e.opt.Rows = r, 2000
		if i == 1 && told {
			e.opt.State.Carries = &observation.Load{Link: last}
		}
		l, roles := e.log()
		x, err := doctor.Examine(t.Context(), e.robot, l, roles, e.opt)
		if err != nil {
			t.Fatal(err)
		}
		found, exams = append(found, x.Findings...), append(exams, x)
	}
	changed, _ := doctor.Between(t.Context(), exams)
	return append(found, changed...)
}

// A run without and a run with a load, on other motions, have no finding if the second one's state tells of the load. Untold, the load
// is named, and no torque that was zeroed in between.
func TestLoadBetween(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	r := arm("three", rng, []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, D: 0.4}})
	for _, told := range []bool{false, true} {
		load := false
		for _, f := range pairOf(t, r, rand.New(rand.NewPCG(12, 0)), 4, told) {
			load = load || f.ID == doctor.Payload
			if f.ID == doctor.Drift {
				t.Errorf("told %v: %s", told, show(f))
			}
			if told && f.Severity != doctor.Info {
				t.Errorf("told: %s", show(f))
			}
		}
		if !told && !load {
			t.Error("an untold load is not named")
		}
	}
}

// Whatever the robot and the load, a bare and a loaded run are sound.
func TestLoadOfRandomRobots(t *testing.T) {
	draws.Only(t, "pairs of runs of random robots")
	pairs, doubted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		r := randomArm(rng, rapid.IntRange(2, 6).Draw(t, "joints"))
		pairs++
		for _, f := range pairOf(t, r, rng, rapid.Float64Range(0.2, 8).Draw(t, "mass"), true) {
			if f.Severity != doctor.Info {
				doubted++
				t.Errorf("%s", show(f))
			}
		}
	})
	t.Logf("%d pairs, %d findings", pairs, doubted)
}

// A run in which the load changes is judged in the state of most of its rows, and the load is no finding.
func TestFlaggedLoad(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	r := planar(rng)
	heavy := loaded(rng, r, 1, 4)
	state := rand.NewPCG(22, 0)
	e := run(r, rand.New(state), 50, 18)
	state.Seed(22, 0)
	other := run(heavy, rand.New(state), 50, 18) // the same motion
	flag := make([]float64, len(e.t))
	for k := range e.t {
		if k > len(e.t)*2/3 {
			flag[k] = 1
			for j := range e.tau {
				e.tau[j][k] = other.tau[j][k]
			}
		}
	}
	e.measure(rng, 0, 1e-4, 0.01)
	untold := e.findings(t)
	e.extra = map[string][]float64{"grip": flag}
	e.opt.State = observation.State{Payload: observation.PayloadFlag{Channel: "grip"}, Loads: []observation.Load{{Link: 1}}}
	told := e.findings(t)
	count := func(found []doctor.Finding) (n int) {
		for _, f := range found {
			if f.Severity != doctor.Info {
				n++
			}
		}
		return n
	}
	if count(untold) == 0 {
		t.Error("a load that comes in the middle is not found: the test cannot fail")
	}
	for _, f := range told {
		if f.Severity != doctor.Info {
			t.Errorf("told: %s", show(f))
		}
	}
}

// randomArm is a chain with turned axes, masses that fall towards the tip, and friction.
func randomArm(rng *rand.Rand, joints int) *robot.Robot {
	var frames []robot.MDHFrame
	for j := range joints {
		f := robot.MDHFrame{Antecedent: j - 1, Alpha: []float64{0, half, -half}[rng.IntN(3)], D: 0.3 * rng.Float64(), R: 0.2 * rng.Float64()}
		if j == 0 {
			f.Alpha, f.D = 0, 0
		}
		frames = append(frames, f)
	}
	return arm("random", rng, frames)
}

package excite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"

	"ident/baseparams"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// base returns the base model of a robot with the given terms.
func base(t testing.TB, r *robot.Robot, terms ...regressor.Term) *regressor.Model {
	t.Helper()
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		t.Fatal(err)
	}
	return m.Select(baseparams.QR(m, baseparams.Options{}).Base)
}

// baseOf returns the base model of a robot and its parameters' values in the
// robot's own file.
func baseOf(t testing.TB, r *robot.Robot, terms ...regressor.Term) (*regressor.Model, []float64) {
	t.Helper()
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(m, baseparams.Options{})
	var chi []float64
	for _, c := range m.Columns() {
		v, _ := regressor.ValueOf(r, c)
		chi = append(chi, v)
	}
	return m.Select(set.Base), set.FromStandard(chi)
}

// elbow is an arm of three revolute joints with limits.
func elbow() *robot.Robot {
	r := &robot.Robot{Name: "elbow", Gravity: robot.StandardGravity}
	for j, p := range []robot.MDH{{}, {Alpha: math.Pi / 2}, {D: 0.4}} {
		in := testrobot.Body(rand.New(rand.NewPCG(7, uint64(j))))
		r.Links = append(r.Links, robot.Link{Name: fmt.Sprintf("link%d", j+1), Antecedent: j - 1, Placement: p.Transform(), UserFrame: robot.Identity(),
			Inertial: in, Own: in, HasInertial: true,
			Joint: robot.Joint{Name: fmt.Sprintf("joint%d", j+1), Lower: -2 + 0.3*float64(j), Upper: 2.5, Velocity: 2 + float64(j), Accel: 9}})
	}
	return r
}

// shared reads a robot of the shared data with the limits of its data sheet. Without those data it is the published
// geometry of the case of that name, if there is one.
func shared(t testing.TB, name, file string) (*robot.Robot, []Limits) {
	t.Helper()
	var r *robot.Robot
	if files := testrobot.SharedFiles(t, filepath.Join("data", file)); len(files) == 1 {
		var err error
		if r, err = format.Open(files[0], robot.ReadOptions{}); err != nil {
			t.Fatal(err)
		}
	} else if _, err := testrobot.Published(name + ".json"); err == nil {
		r = testrobot.CaseOf(t, name).Robot(t)
	} else {
		testrobot.DataDir(t) // which skips
	}
	text, err := testrobot.DataSheets()
	if err != nil {
		t.Fatal(err)
	}
	var sheets map[string]struct {
		Position     [][2]float64
		Velocity     []float64
		Acceleration []float64
		Jerk         []float64
		Torque       []float64
	}
	if err := yaml.Unmarshal(text, &sheets); err != nil {
		t.Fatal(err)
	}
	l := LimitsOf(r)
	for i := range l {
		s := sheets[name]
		l[i].Lower, l[i].Upper, l[i].Velocity, l[i].Accel = s.Position[i][0], s.Position[i][1], s.Velocity[i], math.NaN()
		if s.Acceleration != nil {
			l[i].Accel = s.Acceleration[i]
		}
		l[i].Jerk, l[i].Effort = math.NaN(), math.NaN()
		if s.Jerk != nil {
			l[i].Jerk = s.Jerk[i]
		}
		if s.Torque != nil {
			l[i].Effort = s.Torque[i]
		}
	}
	return r, l
}

// spaceOf prepares a problem and returns an evaluator on its search space.
func spaceOf(t testing.TB, p Problem) *evaluator {
	t.Helper()
	d, err := prepare(&p)
	if err != nil {
		t.Fatal(err)
	}
	return newEvaluator(d.p, d.s, d.weighting, d.coupled)
}

// bestOfDraws is the best scaled condition number of n random candidates, each as
// large as its tightest limit allows.
func bestOfDraws(e *evaluator, n int) float64 {
	rng := rand.New(rand.NewPCG(12345, 0))
	best := math.Inf(1)
	for range n {
		e.s.motion(e.s.draw(rng, e.limits), &e.motion)
		scaled, _ := e.condition()
		best = min(best, scaled)
	}
	return best
}

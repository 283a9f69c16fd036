package codegen

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
)

// closedRobots are machines whose loops have formulas: the two of the guide, a plane four-bar, and plane loops with one and two slides to be found.
func closedRobots(t testing.TB) []*robot.Robot {
	out := []*robot.Robot{testrobot.SR400(t), testrobot.AKR3000(t), testrobot.FourBar(1, 0.35, 0.9, 0.7, 0.4, 1.1), testrobot.SR400(t),
		testrobot.SliderCrank(0.4, 1.1), testrobot.QuickReturn(0.4, 1.1), testrobot.ScotchYoke(0.4, 1.1)}
	for _, r := range out[1:] {
		assemble(t, r)
	}
	out[3].Name = "sr400 crossed" // its parallelogram in the other assembly
	return out
}

// assemble gives a closed robot an assembly far from singular: G amplifies little there.
func assemble(t testing.TB, r *robot.Robot) {
	t.Helper()
	c, err := loops.NewClosure(r)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 77))
	for range 200 {
		m, err := c.Assemble(rng)
		if err != nil {
			t.Fatal(err)
		}
		if mat.Norm(m.G, math.Inf(1)) < 6 {
			r.Assembly = c.Named(m.Q)
			return
		}
	}
	t.Fatalf("%s: no assembly far from singular", r.Name)
}

// closedState is a random state of a closed robot within reach of its loops: near the assembly.
func closedState(t fataler, rng *rand.Rand, r *robot.Robot, m *regressor.Model) state {
	t.Helper()
	tr := m.Loops()
	start := tr.Start().Q
	n := len(tr.Driven())
	draw := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return v
	}
	s := state{draw(n), draw(n), draw(n), draw(n), draw(len(m.Columns())), r.Gravity}
	for i, k := range tr.Driven() {
		s.q[i] = start[k] + 0.05*math.Tanh(s.q[i])
	}
	return s
}

// Every model of the closed robots.
func TestClosedModels(t *testing.T) {
	long.Only(t, "TestCases has the models of the reference robots")
	rng := rand.New(rand.NewPCG(3, 1))
	for _, r := range closedRobots(t) {
		for _, terms := range [][]regressor.Term{nil, simple} {
			opt := Options{Terms: terms}
			b := newSubject(t, rng, r, opt)
			b.check(t, func(model Model) [][]float64 {
				p := build(t, model, r, opt)
				return p.Eval(b.inputs(t, p))
			})
		}
		s := newSubject(t, rng, r, Options{}).s
		f := LinkFrame(len(r.Links)-1, [3]float64{0.1, 0.2, -0.3}, 1)
		for _, opt := range []Options{{}, {Frame: f}} {
			checkKinematicsAt(t, r, s, opt)
		}
	}
}

// belted is a machine whose wrist a belt turns.
func belted(t testing.TB) *robot.Robot {
	r := testrobot.SR400(t)
	r.Links[5].Joint.Passive = true
	r.Couplings = append(r.Couplings, robot.Coupling{Joint: 5, Of: map[int]float64{4: 1}})
	return r
}

// Models that closed robots lack are refused with a remedy.
func TestClosedRefusals(t *testing.T) {
	for what, c := range map[string]struct {
		model Model
		r     *robot.Robot
		opt   Options
		want  error
	}{
		"belts":          {JointWrenches, belted(t), Options{}, ErrOpenOnly},
		"loops in space": {JointWrenches, testrobot.Bennett(), Options{}, loops.ErrNoFormulas},
	} {
		if _, err := Build(t.Context(), c.model, c.r, c.opt); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
	if _, err := Build(t.Context(), InverseDynamics, testrobot.SR400(t), Options{Geometry: true}); err == nil {
		t.Error("symbols of a closed robot's geometry are accepted")
	}
}

// checkClosedWrenches compares the components that the motion determines with those by singular values of the
// constraints, whose states are closed to 1e-11, and the forces about and along the joints' axes with the torques.
func (b *subject) checkClosedWrenches(t fataler, got [][]float64) {
	t.Helper()
	r := withBodies(b.r, b.numeric.Columns(), b.s.chi)
	for j := range r.Links {
		r.Links[j].Joint.Ia = 0
	}
	m, err := regressor.NewDynamic(r, links)
	if err != nil {
		t.Fatalf("%v", err)
	}
	c := m.Loops().Closure()
	q := slices.Clone(m.Loops().Start().Q)
	for i, k := range m.Loops().Driven() {
		q[k] = b.s.q[i]
	}
	if q, err = c.Close(q, m.Loops().Driven()); err != nil {
		t.Fatalf("%v", err)
	}
	motion, err := c.Motion(q)
	if err != nil {
		t.Fatalf("%v", err)
	}
	want := motion.JointWrenches(b.s.dq, b.s.ddq, nil)
	if len(got[0]) != 3*len(want) {
		t.Fatalf("%s: %d forces for %d joints", b.r.Name, len(got[0])/3, len(want))
	}
	size := 0.0
	for _, w := range want {
		for k := range 3 {
			size = max(size, math.Abs(w.Force[k]), math.Abs(w.Moment[k]))
		}
	}
	determined := 0
	for j, w := range want {
		for k := range 6 {
			x, y := got[k/3][3*j+k%3], w.Force[k%3]
			if k >= 3 {
				y = w.Moment[k-3]
			}
			if w.Undetermined[k] {
				continue
			}
			if determined++; !(math.Abs(x-y) <= 1e-9*size/motion.Margin) {
				t.Fatalf("%s: component %d of joint %d is %.12g, want %.12g", b.r.Name, k, j+1, x, y)
			}
		}
	}
	if determined < 3*len(want) {
		t.Fatalf("%s: %d components of %d joints are determined", b.r.Name, determined, len(want))
	}
}

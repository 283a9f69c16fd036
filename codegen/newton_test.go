package codegen

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/codegen/source"
	"ident/internal/foreign"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// threeRRR is a plane platform on three legs with driven shoulders.
func threeRRR(rng *rand.Rand) *robot.Robot {
	var frames []robot.MDHFrame
	const base, tip = 0.6, 0.15
	upper, fore := 0.45+0.1*rng.Float64(), 0.5
	for leg := range 3 {
		gamma := 2 * math.Pi * float64(leg) / 3
		n := len(frames)
		frames = append(frames, robot.MDHFrame{Antecedent: -1, Gamma: gamma, Alpha: 0, D: base}, robot.MDHFrame{Antecedent: n, D: upper})
		if leg == 0 {
			frames = append(frames, robot.MDHFrame{Antecedent: n + 1, D: fore}) // the platform, about its first corner
		}
	}
	r := robot.FromMDH("3-RRR", frames)
	for _, k := range []int{1, 2, 4, 6} {
		r.Links[k].Joint.Passive = true
	}
	side := tip * math.Sqrt(3)
	corner := func(angle float64) robot.MDH { return robot.MDH{Gamma: angle, D: side} }
	testrobot.CutAt(r, 4, robot.MDH{D: fore}, 2, corner(math.Pi/6))
	testrobot.CutAt(r, 6, robot.MDH{D: fore}, 2, corner(-math.Pi/6))
	return testrobot.Weigh(r, rng)
}

// The models of robots whose loops have no formulas take the closed state of Newton's steps: torques, inertia, accelerations and rows agree with the numeric
// recursions on closed states.
func TestModelsByNewton(t *testing.T) {
	for seed := range uint64(long.Of(20, 2)) {
		rng := rand.New(rand.NewPCG(seed, 12))
		for _, r := range []*robot.Robot{threeRRR(rng), testrobot.Weigh(testrobot.Bennett(), rng)} {
			for _, terms := range [][]regressor.Term{nil, {regressor.Links, regressor.Ia, regressor.Fv}} {
				opt := Options{Terms: terms}
				b := newSubject(t, rng, r, opt)
				_, full, _ := fullMotion(t, r, b.s)
				steps := build(t, LoopSolution, r, Options{})
				q := closedBySteps(t, steps, full, b.numeric.Loops().Driven(), rng)
				inputs := func(p *symbolic.Program) []float64 {
					in := b.inputsBy(t, p, q)
					return in
				}
				rows := regressorRows(b.numeric, b.s)
				tau := apply(rows, b.s.chi)
				// States are closed to 1e-12, whose effect on torques grows with the accelerations of the passive joints.
				size := func(v []float64) (most float64) {
					for _, x := range v {
						most = max(most, math.Abs(x))
					}
					return 1e3 * (1 + most)
				}
				p := build(t, InverseDynamics, r, opt)
				compareTo(t, r.Name+", inverse dynamics", p.Eval(inputs(p))[0], tau, size(tau))
				p = build(t, DynamicRegressor, r, opt)
				compareTo(t, r.Name+", regressor", p.Eval(inputs(p))[0], flat(rows), size(flat(rows)))
				p = build(t, ForwardDynamics, r, opt) // b.s.tau are the torques of ddq
				compareTo(t, r.Name+", forward dynamics", p.Eval(inputs(p))[0], b.s.ddq, 10*size(tau))
				for _, m := range []Model{Lagrange, MomentumRegressor, ObserverStep} {
					if _, err := Build(t.Context(), m, r, opt); !errors.Is(err, ErrOpenOnly) {
						t.Errorf("%s of %s: %v", m, r.Name, err)
					}
				}
				if _, err := Build(t.Context(), JointWrenches, r, opt); !errors.Is(err, loops.ErrNoFormulas) {
					t.Errorf("wrenches of %s: %v", r.Name, err)
				}
			}
		}
	}
}

// closedBySteps displaces the passive joints of a closed state and closes it by the generated steps, whose residual falls to rounding.
func closedBySteps(t *testing.T, steps *symbolic.Program, closed []float64, driven []int, rng *rand.Rand) []float64 {
	t.Helper()
	q := slices.Clone(closed)
	for c := range q {
		if !slices.Contains(driven, c) {
			q[c] += 0.03 * math.Tanh(rng.NormFloat64())
		}
	}
	var phi []float64
	for range 8 {
		out := steps.Eval(q)
		q, phi = slices.Clone(out[0]), out[1]
	}
	for i, v := range phi {
		if math.Abs(v) > 1e-12 {
			t.Errorf("row %d of the loops is %g after eight steps", i, v)
		}
	}
	for c := range q {
		if math.Abs(q[c]-closed[c]) > 1e-9 {
			t.Errorf("coordinate %d is %.12g, want %.12g", c, q[c], closed[c])
		}
	}
	return q
}

// inputsBy returns the values of a program's inputs with given positions of all joints.
func (b *subject) inputsBy(t *testing.T, p *symbolic.Program, q []float64) []float64 {
	t.Helper()
	own := b.s.q
	b.s.q = q
	defer func() { b.s.q = own }()
	return b.inputs(t, p)
}

// The Newton step and the inverse dynamics of a 3-RRR as C and as a C++ header.
func TestNewtonAsText(t *testing.T) {
	long.Only(t, "TestModelsByNewton evaluates the same programs")
	rng := rand.New(rand.NewPCG(9, 9))
	r := threeRRR(rng)
	b := newSubject(t, rng, r, Options{})
	_, full, _ := fullMotion(t, r, b.s)
	u := source.Unit{Name: "platform", Maker: "ident"}
	var states [][][]float64
	for _, m := range []Model{LoopSolution, InverseDynamics} {
		p := build(t, m, r, Options{})
		u.Programs, states = append(u.Programs, p), append(states, [][]float64{b.inputsBy(t, p, full)})
	}
	for _, language := range []string{"c", "cpp", "python"} {
		t.Run(language, func(t *testing.T) {
			foreign.Tool(t, language)
			for k, got := range foreign.Run(t, language, u, states) {
				p := u.Programs[k]
				for o, want := range p.Eval(states[k][0]) {
					compareTo(t, p.Name, split(p, got[0])[o], want, 1e3)
				}
			}
		})
	}
}

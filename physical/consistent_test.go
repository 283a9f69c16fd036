package physical

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"
	"pgregory.net/rapid"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/estimatortest"
	"ident/internal/testrobot"
	"ident/internal/triangle"
	"ident/physical/internal/conic"
	"ident/regressor"
	"ident/robot"
)

// disturbed is the estimate of a robot's log with white noise on the torques.
func disturbed(t testing.TB, r *robot.Robot, noise float64, seed uint64) (*estimatortest.Experiment, *estimate.Solution) {
	t.Helper()
	x := estimatortest.NewExperiment(t, r, 50, 12)
	tau := x.Torque()
	rng := rand.New(rand.NewPCG(seed, 4))
	for k := range tau {
		for i := range tau[k] {
			tau[k][i] += noise * rng.NormFloat64()
		}
	}
	var work triangle.Work
	s, err := x.Reduce(tau, 0, x.Rows.Rows, 20, &work).Solve(estimate.WLS, false)
	if err != nil {
		t.Fatal(err)
	}
	return x, s
}

// allPossible fails unless every body and drive of the standard parameters is possible.
func allPossible(t interface {
	Helper()
	Errorf(string, ...any)
}, set *baseparams.Set, chi []float64) {
	t.Helper()
	bodies := map[int]robot.Inertial{}
	for i, c := range set.Columns {
		switch c.Term {
		case regressor.Links:
			b := bodies[c.Link]
			b[c.Param] = chi[i]
			bodies[c.Link] = b
		case regressor.Fo:
		default:
			if !(chi[i] >= 0) {
				t.Errorf("%s is %v", c.Name, chi[i])
			}
		}
	}
	for j, b := range bodies {
		if least := LeastEigenvalue(b); !(least > 0) {
			t.Errorf("link %d has an eigenvalue of %g", j+1, least)
		}
	}
}

// A feasible estimate stays as it is to the bit, with or without noise, and the
// bodies that go with it are found.
func TestConsistentUnchanged(t *testing.T) {
	for _, noise := range []float64{0, 0.05} {
		r := estimatortest.Arm()
		x, s := disturbed(t, r, noise, 4)
		c, err := Consistent(s, r, x.Set, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !c.Possible || c.Distance != 0 || c.Gap != 0 {
			t.Fatalf("noise %g: %+v", noise, c)
		}
		for k, v := range x.Set.FromStandard(c.Standard) {
			if c.Base[k] != s.X[k] || !(math.Abs(v-s.X[k]) <= 1e-12*(1+math.Abs(v))) {
				t.Errorf("%s: %v from %v", x.Set.Name(k), c.Base[k], s.X[k])
			}
			if noise == 0 && !(math.Abs(v-x.Truth[k]) < 1e-9) {
				t.Errorf("%s: %v, true is %v", x.Set.Name(k), v, x.Truth[k])
			}
		}
		allPossible(t, x.Set, c.Standard)
	}
}

// Whatever the robot and the noise, up to that of the size of the parameters, the outcome is possible, the gap is closed,
// and nothing else that is possible has a smaller objective.
func TestConsistentIsLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 3))
		r := testrobot.Random(rng, rapid.IntRange(1, 5).Draw(t, "links"), true)
		full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		set := baseparams.QR(full, baseparams.Options{})
		s := invented(rng, r, set, math.Pow(10, rapid.Float64Range(-3, 0).Draw(t, "noise")))
		opt := DefaultOptions()
		out, err := Consistent(s, r, set, opt)
		if err != nil {
			t.Fatal(err)
		}
		allPossible(t, set, out.Standard)
		if out.Possible {
			return
		}
		if !(out.Gap <= opt.Gap*max(1, out.Objective)) || !(out.Distance > 0) {
			t.Fatalf("%+v", out)
		}
		c, opt, err := newProgram(s, r, set, opt)
		if err != nil {
			t.Fatal(err)
		}
		best := conic.NewSolver(&c.Program)
		if _, _, err := best.Minimise(opt.Gap); err != nil {
			t.Fatal(err)
		}
		for range 50 {
			z := append([]float64(nil), best.Z...)
			size := math.Pow(10, -6*rng.Float64())
			for i := range z {
				z[i] += size * rng.NormFloat64()
			}
			inside := true
			for k := range c.Blocks {
				inside = inside && insideCone(&c.Blocks[k], z, c.Margin)
			}
			if value, _ := c.Objective(z); inside && value < out.Objective-out.Gap {
				t.Fatalf("objective %g, smaller than %g by more than %g", value, out.Objective, out.Gap)
			}
		}
	})
}

// invented is an estimate of random accuracy around a robot's own parameters.
func invented(rng *rand.Rand, r *robot.Robot, set *baseparams.Set, noise float64) *estimate.Solution {
	n := len(set.Base)
	chi := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	s := &estimate.Solution{X: set.FromStandard(chi), Rank: n, Rows: []int{1000}, VarianceInflation: []float64{1}, RSS: 1000, Stack: triangle.New(n)}
	s.Stack.YY = 2000
	s.Covariance = make([][]float64, n)
	for i := range n {
		s.Covariance[i] = make([]float64, n)
		s.Covariance[i][i] = noise * noise
		s.X[i] += noise * rng.NormFloat64()
		s.Stack.R[i*n+i] = 1 / noise
		for j := i + 1; j < n; j++ {
			s.Stack.R[i*n+j] = 0.2 * rng.NormFloat64() / noise
		}
	}
	return s
}

// pendulum is one link with everything.
func pendulum() *robot.Robot {
	r := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Revolute, Alpha: math.Pi / 2}})
	l := &r.Links[0]
	in := robot.InertialFromCentral(2, [3]float64{0.1, 0.05, -0.03}, [3][3]float64{{0.02, 0.002, 0.001}, {0.002, 0.03, -0.003}, {0.001, -0.003, 0.025}})
	l.Inertial, l.Own, l.HasInertial = in, in, true
	l.Joint.Ia, l.Joint.Fv, l.Joint.Fs = 0.05, 0.5, 0.3
	return r
}

// TestConsistentBruteForce compares with a search without any structure: bodies
// as products of triangular matrices, drives as exponentials, gradients by
// differences.
func TestConsistentBruteForce(t *testing.T) {
	r := pendulum()
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(full, baseparams.Options{})
	opt := Options{Weight: 0.1}
	for seed := range uint64(6) {
		s := invented(rand.New(rand.NewPCG(seed, 1)), r, set, 1)
		s.X[0] = -0.2 - float64(seed)
		out, err := Consistent(s, r, set, opt)
		if err != nil {
			t.Fatal(err)
		}
		if out.Possible || !(out.Gap < 1e-8*max(1, out.Objective)) {
			t.Fatalf("seed %d: %+v", seed, out)
		}
		c, _, err := newProgram(s, r, set, opt)
		if err != nil {
			t.Fatal(err)
		}
		value := func(v []float64) float64 {
			z := make([]float64, c.Size)
			for _, b := range c.Blocks {
				switch b.Kind {
				case conic.Free:
					z[b.At] = v[b.At]
				case conic.Nonnegative:
					z[b.At] = math.Exp(v[b.At])
				case conic.Semidefinite:
					var root [4][4]float64
					k := b.At + 4
					for i := range 4 {
						root[i][i] = math.Exp(v[b.At+i])
						for j := range i {
							root[i][j] = v[k]
							k++
						}
					}
					id := conic.Sym4{1, 1, 1, 1}
					x := conic.Congruence(&root, &id)
					copy(z[b.At:], x[:])
				}
			}
			f, _ := c.Objective(z)
			return f
		}
		found, err := optimize.Minimize(optimize.Problem{Func: value, Grad: func(g, v []float64) {
			fd.Gradient(g, value, v, &fd.Settings{Formula: fd.Central})
		}}, make([]float64, c.Size), &optimize.Settings{GradientThreshold: 1e-7, MajorIterations: 3000}, &optimize.BFGS{})
		if found == nil {
			t.Fatal(err)
		}
		if !(math.Abs(found.F-out.Objective) < 1e-6*max(1, out.Objective)) {
			t.Errorf("seed %d: objective %.10g, %.10g by brute force (%v)", seed, out.Objective, found.F, found.Status)
		}
	}
}

// A parameter that the rows do not determine takes the prior's value: friction in a
// log without motion.
func TestConsistentRankDeficient(t *testing.T) {
	r := pendulum()
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(full, baseparams.Options{})
	s := invented(rand.New(rand.NewPCG(3, 1)), r, set, 0.01)
	at := -1
	for k := range set.Base {
		if set.Name(k) == "Fv1" {
			at = k
		}
	}
	n := len(s.X)
	for i := range n {
		s.Stack.R[i*n+at] = 0
		s.Stack.R[at*n+i] = 0
	}
	s.Rank, s.X[at], s.Covariance[at][at] = n-1, 0, 0
	s.X[0] = -0.3
	c, err := Consistent(s, r, set, Options{})
	if err != nil {
		t.Fatal(err)
	}
	allPossible(t, set, c.Standard)
	if c.Possible || math.Abs(c.Base[at]-0.5) > 0.01 || c.PriorShare[at] != 1 {
		t.Errorf("Fv1 is %g, the prior 0.5; share %g", c.Base[at], c.PriorShare[at])
	}
}

func TestConsistentRefuses(t *testing.T) {
	r := pendulum()
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(full, baseparams.Options{})
	s := invented(rand.New(rand.NewPCG(3, 1)), r, set, 1)
	for _, opt := range []Options{{Weight: -1}, {Margin: 1}, {Gap: math.NaN()}} {
		if _, err := Consistent(s, r, set, opt); err == nil {
			t.Errorf("%+v was accepted", opt)
		}
	}
	part := set.Without([]int{1})
	if _, err := Consistent(invented(rand.New(rand.NewPCG(3, 1)), r, part, 1), r, part, Options{}); !errors.Is(err, ErrPartialBody) {
		t.Errorf("a link without XY: %v", err)
	}
	s.X[0] = math.NaN()
	var failed *ConvergenceError
	if _, err := Consistent(s, r, set, Options{}); !errors.As(err, &failed) || failed.Standard == nil {
		t.Errorf("an estimate that is not a number: %v", err)
	}
}

// However early the iteration stops, the gap bounds the decrease that is left.
func TestGapIsABound(t *testing.T) {
	for _, d := range []Distance{Entropic, PullBack, Euclidean} {
		r := estimatortest.Arm()
		x, s := disturbed(t, r, 30, 4)
		prior := NewPrior(r, x.Set.Columns, "robot")
		opt := Options{Prior: prior, Weight: 0.01, Distance: d, Bounds: Bounds{TotalMass: Interval{High: 14},
			Bodies: []BodyBounds{{Link: 1, CentreIn: &Ellipsoid{Centre: [3]float64{0.15, 0, 0}, Axes: [3][3]float64{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}}}}}}
		c, _, err := newProgram(s, r, x.Set, opt)
		if err != nil {
			t.Fatal(err)
		}
		exact := conic.NewSolver(&c.Program)
		_, least, err := exact.Minimise(1e-9)
		if err != nil {
			t.Fatal(err)
		}
		last := math.Inf(1)
		for _, tolerance := range []float64{1, 1e-2, 1e-4, 1e-6} {
			h := conic.NewSolver(&c.Program)
			gap, value, err := h.Minimise(tolerance)
			if err != nil {
				t.Fatal(err)
			}
			if !(value-least <= gap) || !(gap <= tolerance*max(1, value)) || value < least*(1-2e-9) {
				t.Errorf("%s: objective %.10g, gap %.3g, the minimum is %.10g", d, value, gap, least)
			}
			if value > last {
				t.Errorf("%s: objective %g after %g", d, value, last)
			}
			last = value
		}
	}
}

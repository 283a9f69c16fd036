package physical

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"
	"pgregory.net/rapid"

	"ident/baseparams"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/physical/internal/conic"
	"ident/regressor"
	"ident/robot"
)

// thin is a robot whose bodies and drives are drawn at random, often near the
// border of the possible, as standard parameters of set.
func thin(rng *rand.Rand, set *baseparams.Set) []float64 {
	chi := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		switch {
		case c.Term == regressor.Links && c.Param == 0:
			var l LogCholesky
			for k := range l {
				l[k] = rng.NormFloat64()
			}
			l[lcD1+rng.IntN(3)] -= 5 * rng.Float64()
			in := l.Inertial()
			copy(chi[i:i+robot.NumInertial], in[:])
		case c.Term == regressor.Links:
		case c.Signed:
			chi[i] = rng.NormFloat64()
		default:
			chi[i] = math.Exp(rng.NormFloat64() - 3*rng.Float64())
		}
	}
	return chi
}

// An estimate that is not possible is refuted by a combination of base
// parameters that is below zero for the estimate, and for no possible robot.
func TestImpossibilityIsProved(t *testing.T) {
	proved := 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		r := testrobot.Random(rng, rapid.IntRange(1, 5).Draw(t, "links"), true)
		set := setOf(t, r)
		s := invented(rng, r, set, math.Pow(10, rapid.Float64Range(-1, 0.5).Draw(t, "noise")))
		can, err := Possible(s, r, set, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if can.Possible {
			if can.Impossibility != nil || can.Distance != 0 {
				t.Fatalf("possible, and %+v", can)
			}
			return
		}
		if can.Impossibility == nil {
			return // within rounding of the border
		}
		proved++
		proof := can.Impossibility
		value := func(base []float64) (sum, size float64) {
			for k, v := range proof.Combination {
				sum += v * base[k]
				size += math.Abs(v * base[k])
			}
			return sum, size
		}
		at, _ := value(s.X)
		// Fo's own prior is no part of the cone: its pull is in the proof's Size.
		if !(at < 0) || !(math.Abs(at-proof.Value) < 1e-2*math.Abs(proof.Value)+1e-3) {
			t.Errorf("the combination is %g at the estimate, %g was said", at, proof.Value)
		}
		for range 20 {
			v, size := value(set.FromStandard(thin(rng, set)))
			if v < -1e-3*size {
				t.Fatalf("a possible robot has %g (of %g)", v, size)
			}
		}
		if len(proof.Bodies)+len(proof.Drives) == 0 {
			t.Error("nothing is said to be impossible")
		}
	})
	if proved == 0 {
		t.Error("no estimate was impossible")
	}
}

// The distance is that of the nearest feasible estimate where the covariance is
// that of the rows, and the proof's value says the same.
func TestImpossibleDistance(t *testing.T) {
	r := pendulum()
	set := setOf(t, r)
	s := invented(rand.New(rand.NewPCG(3, 1)), r, set, 0.01)
	n := len(s.X)
	for i := range n {
		for j := i + 1; j < n; j++ {
			s.Stack.R[i*n+j] = 0
		}
	}
	fs := -1
	for k := range n {
		if set.Name(k) == "Fs1" {
			fs = k
		}
	}
	s.X[fs] = -0.05 // five deviations below zero
	can, err := Possible(s, r, set, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if can.Possible || can.Impossibility == nil {
		t.Fatalf("%+v", can)
	}
	// The program's variance is that of 1000 rows less the rank.
	if !(math.Abs(can.Distance-5) < 0.01) || !(math.Abs(can.Impossibility.Value+5) < 0.05) {
		t.Errorf("distance %g, value %g; the friction is five deviations below zero", can.Distance, can.Impossibility.Value)
	}
	if d := can.Impossibility.Drives; len(d) != 1 || set.Columns[d[0]].Name != "Fs1" || len(can.Impossibility.Bodies) > 0 {
		t.Errorf("impossible are %v and bodies %v", d, can.Impossibility.Bodies)
	}
}

// Every distance against a search without structure.
func TestDistancesBruteForce(t *testing.T) {
	long.Only(t, "TestConsistentBruteForce has the solver, TestImpossibleDistance the distance")
	r := pendulum()
	set := setOf(t, r)
	prior := NewPrior(r, set.Columns, "robot")
	j0 := prior.Mean[:robot.NumInertial]
	for _, d := range []Distance{Entropic, PullBack, Geodesic, Euclidean} {
		for seed := range uint64(3) {
			s := invented(rand.New(rand.NewPCG(seed, 1)), r, set, 0.3)
			const weight = 3
			out, err := Consistent(s, r, set, Options{Weight: weight, Distance: d, Prior: prior})
			if err != nil {
				t.Fatalf("%s: %v", d, err)
			}
			m, err := NewPhysicalMap(set)
			if err != nil {
				t.Fatal(err)
			}
			value := func(theta []float64) float64 {
				chi := m.Standard(theta)
				e := set.FromStandard(chi)
				for k := range e {
					e[k] -= s.X[k]
				}
				n, sum := len(e), 0.0
				for i := range n {
					v := 0.0
					for j := i; j < n; j++ {
						v += s.Stack.R[i*n+j] * e[j]
					}
					sum += v * v / 2 // RSS, rows and inflation make σ one, but for the rank
				}
				sum *= float64(1000-s.Rank) / 1000
				return sum + weight*plainDistance(d, robot.Inertial(chi[:robot.NumInertial]), robot.Inertial(j0), set, prior, chi)
			}
			start, ok := m.Free(prior.Mean)
			if !ok {
				t.Fatal("the prior is impossible")
			}
			found, err := optimize.Minimize(optimize.Problem{Func: value, Grad: func(g, v []float64) {
				fd.Gradient(g, value, v, &fd.Settings{Formula: fd.Central})
			}}, start, &optimize.Settings{GradientThreshold: 1e-7, MajorIterations: 3000}, &optimize.BFGS{})
			if found == nil {
				t.Fatal(err)
			}
			t.Logf("%s: %.10g, %.10g by brute force, gap %.2g, %d steps", d, out.Objective, found.F, out.Gap, out.Iterations)
			if !(math.Abs(found.F-out.Objective) < 1e-6*max(1, out.Objective)) {
				t.Errorf("%s, seed %d: objective %.10g, %.10g by brute force (%v)", d, seed, out.Objective, found.F, found.Status)
			}
		}
	}
}

// plainDistance is a distance by its definition, for the pendulum's one body,
// three drive parameters that are positive and an offset.
func plainDistance(d Distance, in, prior robot.Inertial, set *baseparams.Set, p *Prior, chi []float64) float64 {
	root := lower(prior)
	inv := inverseUpper(&root)
	j := in.PseudoInertia()
	v := conic.NewSym4(&j)
	x := conic.Congruence(&inv, &v)
	e := conic.NewEigen(&x)
	sum := 0.0
	for _, l := range e.Values {
		switch d {
		case Entropic:
			sum += l - 1 - math.Log(l)
		case PullBack:
			sum += (l - 1) * (l - 1) / 2
		case Geodesic:
			sum += math.Log(l) * math.Log(l) / 2
		}
	}
	if d == Euclidean {
		m := prior.Mass()
		// The trace of the second moments is half that of the inertia.
		gyration := math.Sqrt((prior[robot.XX] + prior[robot.YY] + prior[robot.ZZ]) / 2 / m)
		for k := range in {
			scale := m * gyration * gyration
			if k >= robot.MX {
				scale = m * gyration
			}
			if k == robot.M {
				scale = m
			}
			sum += (in[k] - prior[k]) * (in[k] - prior[k]) / scale / scale / 2
		}
	}
	for i, c := range set.Columns[robot.NumInertial:] {
		i += robot.NumInertial
		if c.Signed {
			z := (chi[i] - p.Mean[i]) / freeDeviation
			// The offset's prior is nominal: of the default weight at most.
			if !p.Known[i] {
				z *= math.Sqrt(NominalWeight / 3)
			}
			sum += z * z / 2
			continue
		}
		l := chi[i] / p.Mean[i]
		switch d {
		case Entropic:
			sum += l - 1 - math.Log(l)
		case Geodesic:
			sum += math.Log(l) * math.Log(l) / 2
		default:
			sum += (l - 1) * (l - 1) / 2
		}
	}
	return sum
}

package physical

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// planarInertia is a plane arm of two links whose inertia matrix is [a + 2b·cos, c + b·cos; c + b·cos, c] of the elbow's angle, which moves within limits.
func planarInertia(a, b, c, low, high float64) *robot.Robot {
	r := robot.FromMDH("plane", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 1}})
	r.Links[0].Inertial[robot.ZZ] = a - c
	r.Links[1].Inertial[robot.ZZ], r.Links[1].Inertial[robot.MX] = c, b
	r.Links[1].Joint.Lower, r.Links[1].Joint.Upper = low, high
	return r
}

// Of a plane arm det M = c·(a − c) − b²·cos² q₂: the search finds a pose with a negative eigenvalue exactly if the least of it within the limits is
// below zero, and its worst pose is one of the elbow's straightest.
func TestWorstPoseOfAPlaneArm(t *testing.T) {
	indefinite := 0
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64Range(0.1, 2).Draw(t, "c")
		a := c + rapid.Float64Range(0.1, 4).Draw(t, "a")
		low := rapid.Float64Range(-3, 3).Draw(t, "low")
		high := low + rapid.Float64Range(0.1, 3).Draw(t, "range")
		straightest := math.Max(math.Abs(math.Cos(low)), math.Abs(math.Cos(high)))
		if math.Floor(low/math.Pi) != math.Floor(high/math.Pi) {
			straightest = 1
		}
		b := math.Sqrt(c*(a-c)) * rapid.Float64Range(0.2, 3).Draw(t, "b")
		worst, err := SearchWorstPose(t.Context(), planarInertia(a, b, c, low, high), 1)
		if err != nil {
			t.Fatal(err)
		}
		det := c*(a-c) - b*b*straightest*straightest
		if math.Abs(det) < 1e-6*c*a {
			return
		}
		if det < 0 {
			indefinite++
		}
		if (worst.Least < 0) != (det < 0) {
			t.Fatalf("least %g at %v, the determinant's least is %g", worst.Least, worst.Q, det)
		}
		if q := worst.Q[1]; q < low || q > high {
			t.Fatalf("%g is outside %g … %g", q, low, high)
		}
	})
	if indefinite == 0 {
		t.Error("no arm was indefinite")
	}
}

// The gradient of the least eigenvalue is that of its differences.
func TestGradientOfTheLeastEigenvalue(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	r := testrobot.Random(rng, 5, true)
	r.Gravity = [3]float64{}
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	n := tree.DOF()
	q, size := make([]float64, n), make([]float64, n)
	for i := range q {
		q[i], size[i] = rng.NormFloat64(), 0.5+rng.Float64()
	}
	d := &descent{tree: tree, size: size}
	value := func() float64 {
		w := d.direction(q)
		m := mat.NewSymDense(n, nil)
		tree.InertiaMatrix(m.RawSymmetric().Data, q)
		v := mat.NewVecDense(n, w)
		return mat.Inner(v, m, v)
	}
	for i, g := range d.gradient(q) {
		const by = 1e-4
		at := q[i]
		q[i] = at + by
		more := value()
		q[i] = at - by
		less := value()
		q[i] = at
		if want := (more - less) / (2 * by); math.Abs(g-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("joint %d: %g, want %g", i, g, want)
		}
	}
}

// An estimate whose bodies are proved to exist, whatever its friction, has a positive definite matrix in every pose that a search finds; an estimate without a proof shows its worst pose.
// The distance that a pose with a negative eigenvalue proves is at most the distance to the nearest feasible parameters.
func TestDefiniteInertia(t *testing.T) {
	proved, indefinite, unproved, byFriction := 0, 0, 0, 0
	var share []float64 // of the distance to the nearest feasible parameters that the worst pose proves
	for seed := range uint64(long.Of(60, 2)) {
		rng := rand.New(rand.NewPCG(seed, 6))
		r := testrobot.Random(rng, 1+rng.IntN(4), true)
		set := setOf(t, r)
		s := invented(rng, r, set, math.Pow(10, 1.7*rng.Float64()-1))
		can, err := Possible(s, r, set, Options{})
		if err != nil {
			t.Fatal(err)
		}
		d, err := DefiniteInertia(t.Context(), s, r, set, can.Possible, 3)
		if err != nil {
			t.Fatal(err)
		}
		if d.Proved {
			proved++
			if !can.Possible {
				byFriction++
			}
			if d.Worst != nil {
				t.Fatalf("%+v", d.Worst)
			}
			chi := set.Lift(s.X, make([]float64, len(set.Columns)))
			with := r.Clone()
			for i, c := range set.Columns {
				switch {
				case c.Term == "links":
					with.Links[c.Link].Inertial[c.Param] = chi[i]
				case c.Term == "Ia":
					with.Links[c.Link].Joint.Ia = chi[i]
				}
			}
			worst, err := SearchWorstPose(t.Context(), with, 4)
			if err != nil {
				t.Fatal(err)
			}
			if worst != nil && worst.Least < -1e-9 {
				t.Fatalf("proved, and %g at %v", worst.Least, worst.Q)
			}
			continue
		}
		unproved++
		if d.Worst == nil || d.Worst.Least >= 0 {
			continue
		}
		indefinite++
		near, err := Possible(s, r, set, Options{AnyFriction: true})
		if err != nil {
			t.Fatal(err)
		}
		if w := d.Worst; !(w.Distance > 0 && w.Distance <= near.Distance*(1+1e-6)) || w.Limit != near.Limit {
			t.Fatalf("seed %d: the pose proves %g standard deviations (limit %g), the nearest feasible parameters are %g away (%g)", seed, w.Distance, w.Limit, near.Distance, near.Limit)
		}
		share = append(share, d.Worst.Distance/near.Distance)
	}
	t.Logf("%d proved (%d of them with impossible friction), %d not, of which %d are indefinite; the pose proves %.2f of the distance", proved, byFriction, unproved, indefinite, share)
	if long.Set() && (proved == 0 || indefinite == 0 || byFriction == 0) {
		t.Error("not all cases were drawn")
	}
}

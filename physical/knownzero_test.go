package physical

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/baseparams"
	"ident/internal/estimatortest"
	"ident/physical/internal/conic"
	"ident/regressor"
	"ident/robot"
)

// symmetric is an arm whose bodies are symmetric about the x axis of their frames, which its file says by zeros.
func symmetric() *robot.Robot {
	r := estimatortest.Arm()
	for j := range r.Links {
		l := &r.Links[j]
		in := robot.InertialFromCentral(6-1.5*float64(j), [3]float64{0.15, 0, 0}, [3][3]float64{{0.08, 0, 0}, {0, 0.07, 0}, {0, 0, 0.05}})
		l.Inertial, l.Own = in, in
		for _, p := range []int{robot.XY, robot.XZ, robot.YZ, robot.MY, robot.MZ} {
			l.Zero[p] = true
		}
	}
	return r
}

// An estimate of few parameters beside known zeros that bodies have is kept, and one that none has is replaced by
// bodies that have the zeros: no feasible step from them makes the sum of squares smaller.
func TestConsistentWithKnownZeros(t *testing.T) {
	for _, noise := range []float64{0, 40} {
		for _, d := range []Distance{Entropic, PullBack, Geodesic, Euclidean} {
			r := symmetric()
			x, s := disturbed(t, r, noise, 4)
			out, err := Consistent(s, r, x.Set, Options{Distance: d})
			if err != nil {
				t.Fatalf("%s: %v", d, err)
			}
			if out.Possible != (noise == 0) {
				t.Fatalf("%s: noise of %g: possible %v", d, noise, out.Possible)
			}
			allPossible(t, x.Set, out.Standard)
			if noise == 0 {
				if !slices.Equal(out.Base, s.X) {
					t.Errorf("%s: a feasible estimate was moved", d)
				}
				continue
			}
			if d != Entropic {
				continue
			}
			if !(out.Distance <= mahalanobis(s.NoiseOnly(), x.Truth, s.X)*(1+1e-6)) {
				t.Errorf("%g deviations from the estimate, the true bodies %g", out.Distance, mahalanobis(s.NoiseOnly(), x.Truth, s.X))
			}
			c, _, err := newProgram(s, r, x.Set, Options{})
			if err != nil {
				t.Fatal(err)
			}
			h := conic.NewSolver(&c.Program)
			if _, _, err := h.Minimise(1e-9); err != nil {
				t.Fatal(err)
			}
			least, _ := c.Objective(h.Z)
			rng := rand.New(rand.NewPCG(5, 6))
			for range 200 {
				chi := c.complete(h.Z)
				for i := range x.Set.Columns {
					chi[i] *= 1 + 0.03*rng.NormFloat64()
				}
				if !c.possible(chi) {
					continue
				}
				if v, _ := c.Objective(c.variables(chi)); !(v >= least-1e-6*(1+least)) {
					t.Errorf("objective %.10g beside the minimum %.10g", v, least)
				}
			}
		}
	}
}

// Moments that act on no torque may be written 0 with the bodies left free; those that act cannot, nor can parameters
// of which the file says nothing.
func TestMomentsKnownToBeZero(t *testing.T) {
	plane := func(zero ...int) *robot.Robot {
		r := robot.FromMDH("plane", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Revolute, Alpha: math.Pi / 2}, {Antecedent: 0, Kind: robot.Revolute, D: 0.5}})
		for j := range r.Links {
			l := &r.Links[j]
			in := robot.InertialFromCentral(2, [3]float64{0.1, 0.05, 0}, [3][3]float64{{0.02, 0, 0}, {0, 0.03, 0}, {0, 0, 0.025}})
			l.Inertial, l.Own, l.HasInertial = in, in, true
			for _, p := range zero {
				l.Zero[p] = true
			}
		}
		return r
	}
	fit := func(r *robot.Robot) (*Estimate, error) {
		m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
		if err != nil {
			t.Fatal(err)
		}
		set := baseparams.QR(m, baseparams.Options{})
		return Consistent(invented(rand.New(rand.NewPCG(3, 1)), r, set, 1e-3), r, set, Options{})
	}
	if out, err := fit(plane(robot.XX, robot.YY, robot.XY, robot.XZ, robot.YZ, robot.MZ)); err != nil || !out.Possible {
		t.Errorf("moments that act on no torque: %+v, %v", out, err)
	}
	_, err := fit(plane(robot.ZZ))
	if !errors.Is(err, ErrPartialBody) || !strings.Contains(err.Error(), "declares ZZ1 as zero") {
		t.Errorf("a moment that acts: %v", err)
	}
}

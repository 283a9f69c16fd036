package physical

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/baseparams"
	"ident/internal/estimatortest"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

func setOf(t interface {
	Helper()
	Fatal(...any)
}, r *robot.Robot) *baseparams.Set {
	t.Helper()
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	return baseparams.QR(full, baseparams.Options{})
}

// bodiesOf are the links' parameters among standard ones.
func bodiesOf(set *baseparams.Set, chi []float64) map[int]robot.Inertial {
	out := map[int]robot.Inertial{}
	for i, c := range set.Columns {
		if c.Term == regressor.Links {
			b := out[c.Link]
			b[c.Param] = chi[i]
			out[c.Link] = b
		}
	}
	return out
}

// somewhere is a frame at random.
func somewhere(rng *rand.Rand) robot.Transform {
	a, b := rng.Float64()*6, rng.Float64()*6
	ca, sa, cb, sb := math.Cos(a), math.Sin(a), math.Cos(b), math.Sin(b)
	return robot.Transform{R: [3][3]float64{{ca, -sa * cb, sa * sb}, {sa, ca * cb, -ca * sb}, {0, sb, cb}},
		P: [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}}
}

// drawnBounds are bounds about the bodies of chi that leave them room, or none
// at all in one direction for every second link.
func drawnBounds(rng *rand.Rand, set *baseparams.Set, chi []float64) Bounds {
	var out Bounds
	total := 0.0
	bodies := bodiesOf(set, chi)
	for j := range len(bodies) {
		in := bodies[j]
		m := in.Mass()
		total += m
		c, _ := in.CentreOfMass()
		b := BodyBounds{Link: j, Mass: Interval{Low: m * (0.5 + 0.4*rng.Float64()), High: m * (1.1 + rng.Float64())}}
		t := somewhere(rng)
		at := t.Inv().Apply(c)
		var low, high [3]float64
		for k := range 3 {
			low[k], high[k] = at[k]-0.02-0.1*rng.Float64(), at[k]+0.02+0.1*rng.Float64()
		}
		b.Centre = Box(low, high, t)
		e := &Ellipsoid{Centre: c, Axes: t.R}
		for k := range 3 {
			radius := 0.05 + 0.1*rng.Float64()
			for i := range 3 {
				e.Axes[k][i] *= radius
			}
		}
		if rng.IntN(2) == 0 {
			b.CentreIn = e
		}
		if rng.IntN(2) == 0 {
			whole := *e
			for k := range 3 {
				for i := range 3 {
					whole.Axes[k][i] *= 100
				}
			}
			b.BodyIn = &whole
		}
		out.Bodies = append(out.Bodies, b)
	}
	out.TotalMass = Interval{Low: 0.9 * total, High: 1.1 * total}
	return out
}

// keeps checks bounds by their meaning, without the program.
func keeps(t rapid.TB, b *Bounds, set *baseparams.Set, chi []float64) {
	const tolerance = 1e-9
	bodies := bodiesOf(set, chi)
	total := 0.0
	for _, in := range bodies {
		total += in.Mass()
	}
	within := func(what string, v Interval, m float64) {
		if m < v.Low-tolerance || v.High > 0 && m > v.High+tolerance {
			t.Errorf("%s %g, outside %v", what, m, v)
		}
	}
	within("total mass", b.TotalMass, total)
	for _, o := range b.Bodies {
		in := bodies[o.Link]
		within("mass", o.Mass, in.Mass())
		c, _ := in.CentreOfMass()
		for _, h := range o.Centre {
			if v := h.Normal[0]*c[0] + h.Normal[1]*c[1] + h.Normal[2]*c[2]; v > h.Offset+tolerance {
				t.Errorf("centre %v breaks %s", c, h.Label)
			}
		}
		if e := o.CentreIn; e != nil {
			// Orthogonal axes: the coordinate along each over its square length.
			sum := 0.0
			for k := range 3 {
				dot, square := 0.0, 0.0
				for i := range 3 {
					dot += e.Axes[k][i] * (c[i] - e.Centre[i])
					square += e.Axes[k][i] * e.Axes[k][i]
				}
				sum += dot * dot / square / square
			}
			if sum > 1+tolerance {
				t.Errorf("centre %v is outside its ellipsoid: %g", c, sum)
			}
		}
	}
}

// Whatever the bounds about a robot's own bodies, the outcome keeps them, its
// gap is closed, and nothing else that keeps them has a smaller objective.
func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		r := testrobot.Random(rng, rapid.IntRange(1, 4).Draw(t, "links"), true)
		set := setOf(t, r)
		s := invented(rng, r, set, math.Pow(10, rapid.Float64Range(-2, 0).Draw(t, "noise")))
		prior := NewPrior(r, set.Columns, "robot")
		opt := Options{Bounds: drawnBounds(rng, set, prior.Mean), Prior: prior, Weight: math.Pow(10, rapid.Float64Range(-3, 1).Draw(t, "weight")),
			Distance: rapid.SampledFrom([]Distance{Entropic, PullBack, Euclidean}).Draw(t, "distance")}
		out, err := Consistent(s, r, set, opt)
		if err != nil {
			t.Fatal(err)
		}
		allPossible(t, set, out.Standard)
		keeps(t, &opt.Bounds, set, out.Standard)
		if out.Gap > 1e-8*max(1, out.Objective) {
			t.Errorf("gap %g of %g", out.Gap, out.Objective)
		}
		if out.Objective == 0 {
			return
		}
		c, _, err := newProgram(s, r, set, opt)
		if err != nil {
			t.Fatal(err)
		}
		best, start := c.variables(out.Standard), c.variables(prior.Mean)
		for range 50 {
			// Between the optimum and something possible, and then anywhere near.
			z := append([]float64(nil), best...)
			size, toward := math.Pow(10, -5*rng.Float64()), rng.Float64()*rng.Float64()
			for i := range z {
				z[i] += toward*(start[i]-z[i]) + toward*size*rng.NormFloat64()
			}
			inside := len(c.broken(c.standard(z))) == 0
			for k := range c.Blocks {
				inside = inside && insideCone(&c.Blocks[k], z, c.Margin)
			}
			if value, _ := c.Objective(z); inside && value < out.Objective-out.Gap-1e-9*max(1, out.Objective) {
				t.Fatalf("objective %.12g, smaller than %.12g by more than %g", value, out.Objective, out.Gap)
			}
		}
	})
}

// Data with a condition number at which the scalings lose their digits once the barrier
// weight is far below the tolerance.
func TestBoundsOfIllConditionedData(t *testing.T) {
	rng := rand.New(rand.NewPCG(0, 3))
	r := testrobot.Random(rng, 3, true)
	set := setOf(t, r)
	s := invented(rng, r, set, math.Pow(10, -0.673828125))
	prior := NewPrior(r, set.Columns, "robot")
	opt := Options{Bounds: drawnBounds(rng, set, prior.Mean), Prior: prior, Weight: math.Pow(10, -1.703125), Distance: Euclidean}
	out, err := Consistent(s, r, set, opt)
	if err != nil {
		t.Fatal(err)
	}
	allPossible(t, set, out.Standard)
	keeps(t, &opt.Bounds, set, out.Standard)
	if out.Gap > 1e-8*max(1, out.Objective) {
		t.Errorf("gap %g of %g", out.Gap, out.Objective)
	}
}

// An active bound is met, and named.
func TestBoundsHold(t *testing.T) {
	r := pendulum()
	set := setOf(t, r)
	s := invented(rand.New(rand.NewPCG(3, 1)), r, set, 0.01)
	out, err := Consistent(s, r, set, Options{Bounds: Bounds{Bodies: []BodyBounds{{Link: 0, Mass: Interval{High: 3},
		Centre: Box([3]float64{-1, -1, -1}, [3]float64{0.05, 1, 1}, robot.Identity())}}}})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := bodiesOf(set, out.Standard)[0].CentreOfMass()
	if out.Possible || !slices.ContainsFunc(out.Held, func(s string) bool { return strings.Contains(s, "x of the centre of mass at most 0.05 m") }) {
		t.Errorf("possible %v, held by %v; centre of mass %v", out.Possible, out.Held, c)
	}
	if !(c[0] <= 0.05+1e-9) {
		t.Errorf("the centre of mass is at %v", c)
	}
}

// Bounds that cannot hold together are named, and no others; the multipliers
// prove it for bodies at random.
func TestInfeasibleBounds(t *testing.T) {
	r := estimatortest.Arm() // masses 6, 4.5, 3
	set := setOf(t, r)
	s := invented(rand.New(rand.NewPCG(3, 1)), r, set, 0.1)
	wide := Interval{Low: 0.1, High: 100}
	ball := func(x, radius float64) *Ellipsoid {
		return &Ellipsoid{Centre: [3]float64{x, 0, 0}, Axes: [3][3]float64{{radius, 0, 0}, {0, radius, 0}, {0, 0, radius}}, Label: "ball"}
	}
	for what, c := range map[string]struct {
		bounds Bounds
		names  []string
	}{
		"masses": {Bounds{TotalMass: Interval{High: 5}, Bodies: []BodyBounds{{Link: 0, Mass: Interval{Low: 3}}, {Link: 1, Mass: wide}, {Link: 2, Mass: Interval{Low: 2.5, High: 4}}}},
			[]string{"total mass of the links at most 5 kg", `mass at least 3 kg`, `mass at least 2.5 kg`}},
		"box and ball": {Bounds{Bodies: []BodyBounds{{Link: 1, Mass: wide, CentreIn: ball(0.5, 0.1), Centre: Box([3]float64{0, -1, -1}, [3]float64{0.3, 1, 1}, robot.Identity())}}},
			[]string{"x of the centre of mass at most 0.3 m", "centre of mass in ball"}},
		"body and centre": {Bounds{Bodies: []BodyBounds{{Link: 2, BodyIn: ball(0, 0.1), CentreIn: ball(0.3, 0.1)}}},
			[]string{"whole body in ball", "centre of mass in ball"}},
	} {
		_, err := Consistent(s, r, set, Options{Bounds: c.bounds})
		var no *InfeasibleError
		if !errors.As(err, &no) {
			t.Errorf("%s: %v", what, err)
			continue
		}
		t.Logf("%s: %v; multipliers %.3g", what, err, no.Multipliers)
		for _, name := range c.names {
			// Bounds of the same shape on one link share a label's end.
			if !slices.ContainsFunc(no.Bounds, func(s string) bool { return strings.HasSuffix(s, name) }) {
				t.Errorf("%s: %q is not named in %q", what, name, no.Bounds)
			}
		}
		sum := 0.0
		for k, v := range no.Multipliers {
			sum += v
			if v < 0 {
				t.Errorf("%s: multiplier %g of %s", what, v, no.Bounds[k])
			}
		}
		// A mass of the lower bound that is not needed has no multiplier to speak of.
		if math.Abs(sum-1) > 1e-4 || !(no.Contradiction > 0) {
			t.Errorf("%s: multipliers add up to %g, contradiction %g", what, sum, no.Contradiction)
		}
	}
	// The same bounds with room.
	if _, err := Consistent(s, r, set, Options{Bounds: Bounds{TotalMass: Interval{High: 14}, Bodies: []BodyBounds{{Link: 0, Mass: Interval{Low: 3}}}}}); err != nil {
		t.Error(err)
	}
}

// The multipliers of masses prove the contradiction by themselves: they cancel
// every mass and leave less than nothing.
func TestInfeasibleProof(t *testing.T) {
	r := estimatortest.Arm()
	set := setOf(t, r)
	s := invented(rand.New(rand.NewPCG(3, 1)), r, set, 0.1)
	b := Bounds{TotalMass: Interval{High: 5}, Bodies: []BodyBounds{{Link: 0, Mass: Interval{Low: 3}}, {Link: 2, Mass: Interval{Low: 2.5}}}}
	_, err := Consistent(s, r, set, Options{Bounds: b})
	var no *InfeasibleError
	if !errors.As(err, &no) || len(no.Multipliers) != 3 {
		t.Fatalf("%v", err)
	}
	// total ≤ 5, m₁ ≥ 3, m₃ ≥ 2.5 with multipliers of a third each: (5 − 3 − 2.5)/3.
	for k, v := range no.Multipliers {
		if !(math.Abs(v-1./3) < 1e-5) {
			t.Errorf("multiplier of %s is %g", no.Bounds[k], v)
		}
	}
	if !(math.Abs(no.Contradiction-0.5/3) < 1e-5) {
		t.Errorf("contradiction %g", no.Contradiction)
	}
}

// A prior that was asked for is refused where it breaks bounds; the robot's own
// file, as a guide, is not.
func TestPriorContradictsBounds(t *testing.T) {
	r := estimatortest.Arm()
	set := setOf(t, r)
	s := invented(rand.New(rand.NewPCG(3, 1)), r, set, 0.1)
	opt := Options{Bounds: Bounds{TotalMass: Interval{High: 12}, Bodies: []BodyBounds{{Link: 0, Mass: Interval{Low: 7}}}}}
	if _, err := Consistent(s, r, set, opt); err != nil {
		t.Error(err)
	}
	opt.Prior = NewPrior(r, set.Columns, "cad.urdf")
	_, err := Consistent(s, r, set, opt)
	if !errors.Is(err, ErrContradiction) || !strings.Contains(err.Error(), "cad.urdf") || !strings.Contains(err.Error(), "total mass of the links at most 12 kg") ||
		!strings.Contains(err.Error(), "mass at least 7 kg") {
		t.Errorf("%v", err)
	}
	opt.Bounds = Bounds{}
	opt.Prior.Blocks[1].Covariance.SetSym(0, 0, -1)
	if _, err := Consistent(s, r, set, opt); !errors.Is(err, ErrPrior) {
		t.Errorf("a negative variance: %v", err)
	}
}

func TestBoundsRefused(t *testing.T) {
	r := pendulum()
	set := setOf(t, r)
	s := invented(rand.New(rand.NewPCG(3, 1)), r, set, 0.1)
	for what, b := range map[string]Bounds{
		"crossed":  {TotalMass: Interval{Low: 3, High: 2}},
		"negative": {Bodies: []BodyBounds{{Mass: Interval{Low: -1}}}},
		"flat":     {Bodies: []BodyBounds{{CentreIn: &Ellipsoid{}}}},
		"flat too": {Bodies: []BodyBounds{{BodyIn: &Ellipsoid{Axes: [3][3]float64{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}}}},
	} {
		if _, err := Consistent(s, r, set, Options{Bounds: b}); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
}

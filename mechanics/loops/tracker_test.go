package loops

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/robot"
)

// startOf is a state of a mechanism away from singular ones.
func startOf(t testing.TB, c *Closure, rng *rand.Rand) *Motion {
	t.Helper()
	for {
		m, err := c.Assemble(rng)
		if err != nil {
			t.Fatal(err)
		}
		if mat.Norm(m.G, math.Inf(1)) < 6 {
			return m
		}
	}
}

func trackerOf(t testing.TB, c *Closure, at *Motion) *Tracker {
	t.Helper()
	tr, err := c.Track(at.Q)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// one follows a tracker by samples, each a path of one.
type one struct {
	k          *Continuation
	path       *Path
	q, dq, ddq []float64 // of the last sample, cut joints last in q
	jacobian   []float64
	to, v, a   []float64
	drive      Drive
}

func oneByOne(t *Tracker) *one {
	n, dof, nd := len(t.c.unit), t.c.dof, len(t.driven)
	vec := func(k int) []float64 { return make([]float64, k) }
	o := &one{k: t.Continue(), q: vec(n), dq: vec(dof), ddq: vec(dof), jacobian: vec(len(t.pairs)), to: vec(nd), v: vec(nd), a: vec(nd)}
	o.path = &Path{Q: Rows(o.q, 1), DQ: Rows(o.dq, 1), DDQ: Rows(o.ddq, 1), Jacobian: Rows(o.jacobian, 1)}
	o.drive = Drive{Q: Rows(o.to, 1), DQ: Rows(o.v, 1), DDQ: Rows(o.a, 1)}
	return o
}

// move goes to a sample; nil rates and accelerations are zero.
func (o *one) move(to, rates, accs []float64) error {
	clear(o.v)
	clear(o.a)
	copy(o.to, to)
	copy(o.v, rates)
	copy(o.a, accs)
	_, err := o.k.Track(o.path, o.drive, 0, 1, false)
	return err
}

// A tracker finds the states, G, rates and accelerations that Close and Motion
// find, which work from the singular values of all constraints at once.
func TestTrackerAgainstMotion(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, mech := range closedMechanisms(t) {
		c := closureOf(t, mech.Robot)
		at := startOf(t, c, rng)
		tr := trackerOf(t, c, at).Newton()
		o := oneByOne(tr)
		na := len(tr.Driven())
		if na != at.Mobility {
			t.Fatalf("%s: %d driven coordinates for %d motions", mech.Name, na, at.Mobility)
		}
		to, rates, accs := make([]float64, na), make([]float64, na), make([]float64, na)
		for step := range 40 {
			for i, k := range tr.Driven() {
				to[i] = at.Q[k] + 0.06*math.Sin(0.1*float64(step)*float64(i+1))*c.unit[k]
				rates[i], accs[i] = rng.NormFloat64(), rng.NormFloat64()
			}
			if step == 20 {
				o = oneByOne(tr) // begins anew from the start
				if err := o.move(to, nil, nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := o.move(to, rates, accs); err != nil {
				t.Fatal(err)
			}
			if res := c.Residual(o.q); !(res < 1e-13) {
				t.Errorf("%s: residual %g", mech.Name, res)
			}
			m, err := c.Motion(slices.Clone(o.q))
			if err != nil {
				t.Fatal(err)
			}
			q, dq, ddq := o.q[:c.dof], o.dq, o.ddq
			for i, k := range tr.Driven() {
				if q[k] != to[i] {
					t.Fatalf("%s: driven coordinate at %g, sent to %g", mech.Name, q[k], to[i])
				}
			}
			wantV, wantA := m.Rates(rates), m.Accelerations(rates, accs)
			for k := range q {
				if math.Abs(dq[k]-wantV[k]) > 1e-9*(1+math.Abs(wantV[k])) || math.Abs(ddq[k]-wantA[k]) > 1e-9*(1+math.Abs(wantA[k])) {
					t.Errorf("%s: coordinate %d moves at %.14g, %.14g; by singular values %.14g, %.14g", mech.Name, k+1, dq[k], ddq[k], wantV[k], wantA[k])
				}
			}
			for i, p := range tr.Pairs() {
				if want := m.G.At(p.Coord, p.Driven); math.Abs(o.jacobian[i]-want) > 1e-10*(1+math.Abs(want)) {
					t.Errorf("%s: G(%d, %d) = %.14g, by singular values %.14g", mech.Name, p.Coord+1, p.Driven+1, o.jacobian[i], want)
				}
			}
		}
	}
}

// From state to state of a walk: long ways between them stay on the assembly.
func TestTrackerFollowsAWalk(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	c := closureOf(t, sr400(t))
	at := startOf(t, c, rng)
	tr := trackerOf(t, c, at).Newton()
	o := oneByOne(tr)
	// The parallelogram has θ8 = θ2 − θ7 in one assembly and its mirror image in
	// the other, which meet where the bars are in line.
	signOf := func(q []float64) float64 { return math.Sin(q[1] - q[6]) }
	want := signOf(at.Q)
	to := make([]float64, 6)
	moved := 0
	for range 200 {
		for i, k := range tr.Driven() {
			to[i] = at.Q[k] + 2*rng.NormFloat64()
		}
		to[5] = to[1] - math.Copysign(0.3+2.5*rng.Float64(), want) // choose q7 so that sin(q2-q7) keeps its sign
		if math.Sin(to[1]-to[5])*want <= 0.2 {
			continue
		}
		if err := o.move(to, nil, nil); err != nil {
			t.Fatal(err)
		}
		moved++
		q := o.q
		if d3, d8 := wrap(q[2]-(math.Pi/2-q[1]+q[6])), wrap(q[7]-(q[1]-q[6])); math.Abs(d3-wrap(at.Q[2]-(math.Pi/2-at.Q[1]+at.Q[6]))) > 1e-9 && math.Abs(d8) > 1e-9 {
			t.Fatalf("the way of closing has changed: θ3 off by %g, θ8 by %g", d3, d8)
		}
	}
	if moved < 20 {
		t.Errorf("only %d moves", moved)
	}
}

func TestTrackerErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	c := closureOf(t, akr3000(t))
	at := startOf(t, c, rng)
	tr := trackerOf(t, c, at)
	o := oneByOne(tr)
	var to []float64
	for _, k := range tr.Driven() {
		to = append(to, at.Q[k])
	}
	to[1] = 9 // the first slide
	err := o.move(to, nil, nil)
	var te *TrackError
	if !errors.As(err, &te) || !strings.Contains(err.Error(), "frame 11 meets frame 13") || !strings.Contains(err.Error(), "J5 = 9") || !(te.Distance > 7) {
		t.Fatalf("a slide of 9 m: %v", err)
	}
	// It stays where it was, and goes on.
	to[1] = at.Q[tr.Driven()[1]] + 0.01
	if err := o.move(to, nil, nil); err != nil {
		t.Errorf("after a failure: %v", err)
	}
	to[0] = math.NaN()
	if err := o.move(to, nil, nil); !errors.As(err, &te) {
		t.Errorf("NaN: %v", err)
	}
	to[0] = 0.1
	if err := o.move(to, nil, nil); err != nil {
		t.Errorf("after NaN: %v", err)
	}
	// The rocker of a four-bar whose crank turns fully cannot be driven through
	// its dead point, though the loop closes on the other side.
	r := fourBar(1, 0.35, 0.9, 0.7, 0, 0)
	r.Links[0].Joint.Passive, r.Links[2].Joint.Passive = true, false
	f := closureOf(t, r)
	tr = trackerOf(t, f, startOf(t, f, rng))
	if err := oneByOne(tr).move([]float64{tr.start()[2] + 2*math.Pi}, nil, nil); !errors.As(err, &te) || !strings.Contains(err.Error(), "a singular state lies on the way") {
		t.Errorf("rocker driven through its dead points: %v", err)
	}
}

// Eight drives for the six motions of the machine: the first independent ones
// say the motion.
func TestTrackerRedundantDrives(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	r := sr400(t)
	r.Links[2].Joint.Passive = false
	c := closureOf(t, r)
	at := startOf(t, c, rng)
	tr := trackerOf(t, c, at)
	if got := tr.Driven(); len(got) != 6 || len(c.Active()) != 7 {
		t.Errorf("driven %v of %v", got, c.Active())
	}
	tail := fourBar(1, 0.35, 0.9, 0.7, 0, 0)
	tail.Links = append(tail.Links, robot.Link{Name: "tail", Antecedent: 0, Placement: robot.Identity(), UserFrame: robot.Identity(), Joint: robot.Joint{Name: "tail", Passive: true}})
	if _, err := closureOf(t, tail).Assemble(rng); err == nil {
		t.Error("a tail that nothing holds is accepted")
	}
}

func BenchmarkTracker(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, m := range []struct {
		name string
		r    *robot.Robot
	}{{"four-bar", fourBar(1, 0.35, 0.9, 0.7, 0, 0)}, {"SR400", sr400(b)}, {"AKR3000", akr3000(b)}} {
		b.Run(m.name, func(b *testing.B) {
			c := closureOf(b, m.r)
			at := startOf(b, c, rng)
			tr := trackerOf(b, c, at).Newton()
			o := oneByOne(tr)
			n := len(tr.Driven())
			to, rates, accs := make([]float64, n), make([]float64, n), make([]float64, n)
			s := 0.0
			b.ReportAllocs()
			for b.Loop() {
				s += 1e-3
				for i, k := range tr.Driven() {
					to[i] = at.Q[k] + 0.05*math.Sin(4*s*float64(i+1))*c.unit[k]
					rates[i] = 1
				}
				if err := o.move(to, rates, accs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package excite

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
)

// valuesOf returns the base parameters' values of a robot by least squares on random
// states, independent of the relations of the base set.
func valuesOf(t testing.TB, r *robot.Robot, m *regressor.Model) []float64 {
	t.Helper()
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(2, 3))
	n, k, samples := len(m.Columns()), m.Joints(), 200
	q := [3][][]float64{grid(k, samples), grid(k, samples), grid(k, samples)}
	e := newSpectrum(m, samples, weighting{})
	y := make([]float64, k*samples)
	for s := range samples {
		var x [3][]float64
		for o := range q {
			x[o] = make([]float64, k)
			for i := range k {
				x[o][i] = rng.NormFloat64()
				q[o][i][s] = x[o][i]
			}
		}
		tau := make([]float64, k)
		tree.InverseDynamics(tau, x[0], x[1], x[2])
		for i := range k {
			y[i*samples+s] = tau[i]
		}
	}
	e.motion = q
	e.evalRows()
	e.factor.Add(e.w, y, &e.work)
	chi, ok := e.factor.Solve()
	if !ok || len(chi) != n {
		t.Fatal("base values are not determined")
	}
	return chi
}

// A design for the elbow with every constraint on, checked at 10 kHz by independent
// mechanics.
func TestAllConstraintsHold(t *testing.T) {
	long.Only(t, "designs with every constraint")
	r := elbow()
	p := small(t)
	p.Model = base(t, r, regressor.Links)
	p.Robot, p.Values = r, valuesOf(t, r, p.Model)
	p.Uncertainty = make([]float64, len(p.Values))
	for c, v := range p.Values {
		p.Uncertainty[c] = 0.1 * math.Abs(v)
	}
	free, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	p.Capsules = []Capsule{{Name: "post", Link: -1, A: [3]float64{0.5, 0.1, -0.2}, B: [3]float64{0.5, 0.1, 0.6}, Radius: 0.05},
		{Name: "upper", Link: 1, B: [3]float64{0.4, 0, 0}, Radius: 0.05}, {Name: "lower", Link: 2, B: [3]float64{0.35, 0, 0}, Radius: 0.04}}
	p.SelfCollision = true
	p.KeepOuts = []KeepOut{{Name: "floor", Normal: [3]float64{0, 0, 2}, Offset: -0.9}}
	p.Tip = &Tip{"tool", 2, [3]float64{0.35, 0, 0}, 0.9}
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	// Limits of effort and power that the unconstrained design violates.
	peaks := func(m Motion) (effort, power []float64) {
		effort, power = make([]float64, 3), make([]float64, 3)
		_, q, dq, ddq := Sample(m, checkRate, m.Duration())
		for s := range q[0] {
			tau, x := make([]float64, 3), [3][]float64{}
			for i := range 3 {
				x[0], x[1], x[2] = append(x[0], q[i][s]), append(x[1], dq[i][s]), append(x[2], ddq[i][s])
			}
			tree.InverseDynamics(tau, x[0], x[1], x[2])
			for i := range 3 {
				effort[i] = max(effort[i], math.Abs(tau[i]))
				power[i] = max(power[i], math.Abs(tau[i]*dq[i][s]))
			}
		}
		return effort, power
	}
	effort, power := peaks(free.Trajectory)
	for i := range p.Limits {
		p.Limits[i].Effort, p.Limits[i].Power, p.Limits[i].Jerk = 1.02*effort[i], 0.8*power[i], 15
	}
	for _, shape := range []Shape{Fourier, Spline} {
		p.Shape = shape
		d, err := Design(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: condition number %.2f, free %.2f; %d evaluations, %.1f s", shape, d.ConditionScaled, free.ConditionScaled, d.Evaluations, d.Seconds)
		e2, p2 := peaks(d.Trajectory)
		for i, l := range p.Limits {
			if e2[i] > l.Effort || p2[i] > l.Power {
				t.Errorf("joint %d: torque %g of %g, power %g of %g", i+1, e2[i], l.Effort, p2[i], l.Power)
			}
			m := d.Margins[i]
			if m.Torque == nil || m.Power == nil || m.Jerk == nil || m.Worst() < 0 {
				t.Errorf("joint %d: margins %+v", i+1, m)
				continue
			}
			if free := min(*m.Torque, *m.Power); free < DefaultMargin-1e-12 {
				t.Errorf("%s, joint %d: a margin of %.4g of torque or power, %g was asked for", shape, i+1, free, DefaultMargin)
			}
			// The proven margin is for uncertain parameters, so it is below the nominal one.
			if *m.Torque > 1-e2[i]/l.Effort || *m.Power > 1-p2[i]/l.Power {
				t.Errorf("joint %d: margins %g and %g, nominal %g and %g", i+1, *m.Torque, *m.Power, 1-e2[i]/l.Effort, 1-p2[i]/l.Power)
			}
		}
		if d.Violations != 0 {
			t.Errorf("%d violations", d.Violations)
		}
		_, q, _, _ := Sample(d.Trajectory, checkRate, p.Period)
		last, fastest := spatial.Vec{}, 0.0
		for s := range q[0] {
			poses := tree.Poses([]float64{q[0][s], q[1][s], q[2][s]})
			at := func(j int, x float64) spatial.Vec { return poses[j].Apply([3]float64{x, 0, 0}) }
			for k := range 9 {
				f := float64(k) / 8
				for _, x := range []spatial.Vec{at(1, 0.4*f), at(2, 0.35*f)} {
					if x[2]-0.05 < -0.45 {
						t.Fatalf("%s: below the floor at sample %d: %v", shape, s, x)
					}
				}
				x := at(2, 0.35*f)
				if gap := math.Hypot(x[0]-0.5, x[1]-0.1) - 0.09; x[2] > -0.2 && x[2] < 0.6 && gap < 0 {
					t.Fatalf("%s: %g inside the post at sample %d", shape, -gap, s)
				}
			}
			tip := at(2, 0.35)
			if s > 0 {
				fastest = max(fastest, spatial.Norm(spatial.Sub(tip, last))*checkRate)
			}
			last = tip
		}
		if fastest > 0.9 {
			t.Errorf("%s: the tip moves at %g m/s", shape, fastest)
		}
	}
}

// A keep-out that no moving link can leave is an error that names it; links that cannot leave one that others
// can are listed.
func TestKeepOutAroundTheRobot(t *testing.T) {
	r := elbow()
	p := small(t)
	p.Model = base(t, r, regressor.Links)
	p.Robot = r
	p.Capsules = []Capsule{{Name: "upper", Link: 1, B: [3]float64{0.4, 0, 0}, Radius: 0.05}, {Name: "lower", Link: 2, B: [3]float64{0.35, 0, 0}, Radius: 0.04}}
	p.KeepOuts = []KeepOut{{Name: "room", Min: [3]float64{-9, -9, -9}, Max: [3]float64{9, 9, 9}}}
	var within *KeepOutError
	if _, err := Design(context.Background(), p); !errors.As(err, &within) || within.Name != "room" {
		t.Errorf("%v", err)
	}
	p.KeepOuts = []KeepOut{{Name: "socket", Min: [3]float64{-0.1, -0.1, -0.1}, Max: [3]float64{0.1, 0.1, 0.1}}}
	d, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(d.Defaults, func(note string) bool { return strings.Contains(note, "upper and keep-out socket: not kept apart") }) {
		t.Errorf("notes %q", d.Defaults)
	}
}

// The error names the constraint that cannot be met, with its excess.
func TestInfeasible(t *testing.T) {
	long.Only(t, "TestContradictingLimits has limits that nothing meets")
	r := elbow()
	p := small(t)
	p.Model = base(t, r, regressor.Links)
	p.Robot, p.Values = r, valuesOf(t, r, p.Model)
	p.Limits[1].Effort = 1e-3 // gravity alone is more wherever the arm is stretched
	p.Limits[1].Lower, p.Limits[1].Upper = -0.2, 0.2
	_, err := Design(context.Background(), p)
	var bad *InfeasibleError
	if !errors.As(err, &bad) || bad.Worst.Constraint != "torque" || bad.Worst.Of != "joint2" || !(bad.Worst.Value > bad.Worst.Limit) {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(err.Error(), "torque of joint2") {
		t.Errorf("%q does not name the constraint", err)
	}
}

// The bounds of the links' motion bound the second derivatives of the regressor's
// entries, by differences along random motions.
func TestEntryBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	for trial := range 10 {
		r := testrobot.Random(rng, 4, trial%2 == 0)
		r.Gravity = robot.StandardGravity
		if moving := r.Moving(); len(moving) > 2 {
			r.Mimics = []robot.Mimic{{Joint: moving[2], Of: moving[0], Multiplier: -1.5, Offset: 0.2}}
		}
		m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		n := m.Joints()
		tr := &Trajectory{Period: 2, Q0: make([]float64, n), A: grid(n, 3), B: grid(n, 3), Joints: make([]string, n)}
		reach := make([]float64, n)
		for i := range n {
			for l := range 3 {
				tr.A[i][l], tr.B[i][l] = rng.NormFloat64(), rng.NormFloat64()
			}
			reach[i] = tr.Bound(i, 1) // no harmonic is slower than 1 rad/s
		}
		all := boundLinks(treeOf(r), r.Gravity, tr, func(c int) float64 { return reach[c] })
		bound := boundEntries(r, treeOf(r), m, all, tr)
		const h, samples = 1e-4, 401
		times := steps(samples, h*samples, 0)
		q := [3][][]float64{grid(n, samples), grid(n, samples), grid(n, samples)}
		sampleAt(tr, times, q[0], q[1], q[2])
		b := m.NewBlock(samples)
		m.Eval(b, q[0], q[1], q[2], m.NewWorkspace())
		used := 0.0
		for k := range bound {
			for a, c := range m.Mask(k) {
				if m.Columns()[c].Term == regressor.Fs {
					continue
				}
				y := b.Joint[k][a]
				for s := 1; s+1 < samples; s++ {
					second := math.Abs(y[s+1]-2*y[s]+y[s-1]) / (h * h)
					// Rounding of the entries, over h².
					if second > bound[k][a]+1e-13*(1+math.Abs(y[s]))/(h*h) {
						t.Fatalf("trial %d: %s in row %d curves by %g, bound %g", trial, m.Columns()[c].Name, k+1, second, bound[k][a])
					}
					if bound[k][a] > 0 {
						used = max(used, second/bound[k][a])
					}
				}
			}
		}
		t.Logf("trial %d: the tightest bound is used to %.2g", trial, used)
	}
}

func TestDistances(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	draw := func() spatial.Vec {
		return spatial.Vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
	}
	along := func(a, b spatial.Vec, s float64) spatial.Vec { return spatial.AddScaled(a, s, spatial.Sub(b, a)) }
	for trial := range 300 {
		a0, a1, b0, b1 := draw(), draw(), draw(), draw()
		switch trial % 6 {
		case 1: // parallel
			b1 = spatial.Add(b0, spatial.Scale(0.7, spatial.Sub(a1, a0)))
		case 2:
			a1 = a0
		case 3:
			b1 = b0
		case 4:
			a1, b1 = a0, b0
		}
		s, u := nearestOfSegments(a0, a1, b0, b1)
		got := spatial.Norm(spatial.Sub(along(a0, a1, s), along(b0, b1, u)))
		for range 400 {
			d := spatial.Norm(spatial.Sub(along(a0, a1, rng.Float64()), along(b0, b1, rng.Float64())))
			if d < got-1e-12 {
				t.Fatalf("trial %d: nearest points are %g apart, others %g", trial, got, d)
			}
		}
		half := spatial.Vec{0.1 + rng.Float64(), 0.1 + rng.Float64(), 0.1 + rng.Float64()}
		s, d, _ := nearestOfSegmentAndBox(a0, a1, half)
		if at, _ := nearestInBox(along(a0, a1, s), half); at != d {
			t.Fatalf("trial %d: distance %g, at its own point %g", trial, d, at)
		}
		for range 400 {
			if at, _ := nearestInBox(along(a0, a1, rng.Float64()), half); at < d-1e-8 {
				t.Fatalf("trial %d: distance %g, elsewhere %g", trial, d, at)
			}
		}
	}
}

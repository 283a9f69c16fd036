package loops

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

func closedRobot(t testing.TB, file string, set map[string]float64) *robot.Robot {
	t.Helper()
	return testrobot.OpenClosed(t, file, set)
}

func sr400(t testing.TB) *robot.Robot   { return testrobot.SR400(t) }
func akr3000(t testing.TB) *robot.Robot { return testrobot.AKR3000(t) }

func closureOf(t testing.TB, r *robot.Robot) *Closure {
	t.Helper()
	c, err := NewClosure(r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func fourBar(ground, crank, coupler, rocker, gamma, alpha float64) *robot.Robot {
	return testrobot.FourBar(ground, crank, coupler, rocker, gamma, alpha)
}

func bennett() *robot.Robot { return testrobot.Bennett() }

// wrap brings an angle to -π … π.
func wrap(a float64) float64 { return math.Remainder(a, 2*math.Pi) }

func TestSR400Closes(t *testing.T) {
	c := closureOf(t, sr400(t))
	rng := rand.New(rand.NewPCG(1, 2))
	if !slices.Equal(c.Active(), []int{0, 1, 3, 4, 5, 6}) || !slices.Equal(c.Passive(), []int{2, 7}) {
		t.Fatalf("active %v, passive %v", c.Active(), c.Passive())
	}
	for range 50 {
		q := make([]float64, 8)
		for k := range q {
			q[k] = math.Pi * (2*rng.Float64() - 1)
		}
		if math.Abs(math.Sin(q[1]-q[6])) < 0.2 {
			continue
		}
		q2, q7 := q[1], q[6]
		q[2], q[7] = math.Pi/2-q2+q7+0.1*rng.NormFloat64(), q2-q7+0.1*rng.NormFloat64()
		got, err := c.Close(q, c.Active())
		if err != nil {
			t.Fatal(err)
		}
		if d3, d8 := wrap(got[2]-(math.Pi/2-q2+q7)), wrap(got[7]-(q2-q7)); math.Abs(d3) > 1e-10 || math.Abs(d8) > 1e-10 {
			t.Errorf("θ2 = %g, θ7 = %g: θ3 off by %g, θ8 by %g", q2, q7, d3, d8)
		}
		if got[1] != q2 || got[6] != q7 {
			t.Error("a joint that was held has moved")
		}
	}
}

// The states and rates of the reference files.
func TestLoopSamples(t *testing.T) {
	for name, r := range map[string]*robot.Robot{"sr400": sr400(t), "akr3000": akr3000(t)} {
		text, err := testrobot.Published(name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var ref struct {
			Active  []int `json:"active_joints"`
			Samples []struct {
				Q  []float64 `json:"q_tree"`
				DQ []float64 `json:"qd_tree"`
			} `json:"loop_samples"`
		}
		if err := json.Unmarshal(text, &ref); err != nil || len(ref.Samples) == 0 {
			t.Fatal(err, len(ref.Samples))
		}
		c := closureOf(t, r)
		rng := rand.New(rand.NewPCG(3, 4))
		for _, s := range ref.Samples {
			start := slices.Clone(s.Q)
			for _, k := range c.Passive() {
				start[k] += 0.02 * rng.NormFloat64()
			}
			q, err := c.Close(start, c.Active())
			if err != nil {
				t.Fatal(err)
			}
			m, err := c.Motion(q)
			if err != nil {
				t.Fatal(err)
			}
			var rates []float64
			for i, k := range c.Active() {
				if k != ref.Active[i]-1 {
					t.Fatalf("%s: active %v, want %v", name, c.Active(), ref.Active)
				}
				rates = append(rates, s.DQ[k])
			}
			dq := m.Rates(rates)
			for k := range s.Q {
				if d := wrap(q[k] - s.Q[k]); math.Abs(d) > 1e-10 {
					t.Errorf("%s: q%d = %.15g, want %.15g", name, k+1, q[k], s.Q[k])
				}
				if math.Abs(dq[k]-s.DQ[k]) > 1e-10*(1+math.Abs(s.DQ[k])) {
					t.Errorf("%s: dq%d = %.15g, want %.15g", name, k+1, dq[k], s.DQ[k])
				}
			}
		}
	}
}

// mechanism is a closed robot with the number of motions that it has.
type mechanism struct {
	*robot.Robot
	mobility int
}

func closedMechanisms(t *testing.T) []mechanism {
	t.Helper()
	four := fourBar(1, 0.35, 0.9, 0.7, 0.4, 1.1)
	testLoop := closedRobot(t, "fivebar.par", map[string]float64{"d": 0.5})
	return []mechanism{{four, 1}, {bennett(), 1}, {testLoop, 2}, {akr3000(t), 6}, {sr400(t), 6},
		{testrobot.SliderCrank(0.4, 1.1), 1}, {testrobot.QuickReturn(0.4, 1.1), 1}, {testrobot.ScotchYoke(0.4, 1.1), 1}}
}

// along returns the state at time s of the motion with constant accelerations
// of the active joints, from a closed state.
func along(t testing.TB, c *Closure, from, rates, accs []float64, s float64) (*Motion, []float64) {
	t.Helper()
	q := slices.Clone(from)
	v := make([]float64, len(rates))
	for i, k := range c.Active() {
		q[k] += rates[i]*s + accs[i]*s*s/2
		v[i] = rates[i] + accs[i]*s
	}
	q, err := c.Close(q, c.Active())
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.Motion(q)
	if err != nil {
		t.Fatal(err)
	}
	return m, v
}

// derivative is the fourth-order central difference at zero.
func derivative(h float64, f func(s float64) []float64) []float64 {
	a, b, c, d := f(2*h), f(h), f(-h), f(-2*h)
	out := make([]float64, len(a))
	for k := range out {
		out[k] = (-a[k] + 8*b[k] - 8*c[k] + d[k]) / (12 * h)
	}
	return out
}

// G, rates and accelerations against finite differences of closed states, and
// the torques of the drives against the derivative of the energy.
func TestLoopMotionAgainstDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const h = 1e-3
	for _, mech := range closedMechanisms(t) {
		r := mech.Robot
		for j := range r.Links {
			r.Links[j].Inertial = testrobot.Body(rng)
		}
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		c := closureOf(t, r)
		// Differences are poor where the drives hardly hold the loops.
		var first *Motion
		for first == nil || mat.Norm(first.G, math.Inf(1)) > 12 {
			if first, err = c.Assemble(rng); err != nil {
				t.Fatal(err)
			}
		}
		if first.Mobility != mech.mobility {
			t.Errorf("%s: %d motions, want %d", r.Name, first.Mobility, mech.mobility)
		}
		na := len(c.Active())
		for pick := range na + 2 {
			rates, accs := make([]float64, na), make([]float64, na)
			for i := range rates {
				accs[i] = 0.3 * rng.NormFloat64()
				if rates[i] = 0.3 * rng.NormFloat64(); pick < na {
					rates[i] = 0
				}
			}
			if pick < na {
				rates[pick] = 1
			}
			// No coordinate faster than 1 rad/s.
			fastest := 0.0
			for _, v := range first.Rates(rates) {
				fastest = max(fastest, math.Abs(v))
			}
			for i := range rates {
				rates[i] /= fastest
				accs[i] /= fastest
			}
			dq, ddq := first.Rates(rates), first.Accelerations(rates, accs)
			near := func(what string, got, want []float64, tol float64) {
				for k := range got {
					if !(math.Abs(got[k]-want[k]) <= tol*(1+math.Abs(want[k]))) {
						t.Errorf("%s, motion %d: %s of coordinate %d is %.12g, by differences %.12g", r.Name, pick, what, k+1, got[k], want[k])
					}
				}
			}
			near("rate", dq, derivative(h, func(s float64) []float64 {
				m, _ := along(t, c, first.Q, rates, accs, s)
				return m.Q[:c.DOF()]
			}), 1e-8)
			near("acceleration", ddq, derivative(h, func(s float64) []float64 {
				m, v := along(t, c, first.Q, rates, accs, s)
				return m.Rates(v)
			}), 1e-7)
			tau := make([]float64, c.DOF())
			tree.InverseDynamics(tau, first.Q[:c.DOF()], dq, ddq)
			power := 0.0
			for i := range rates {
				for k := range tau {
					power += rates[i] * first.G.At(k, i) * tau[k]
				}
			}
			energy := derivative(h, func(s float64) []float64 {
				m, v := along(t, c, first.Q, rates, accs, s)
				q := m.Q[:c.DOF()]
				return []float64{tree.KineticEnergy(q, m.Rates(v)) + tree.PotentialEnergy(q)}
			})
			near("power", []float64{power}, energy, 1e-8)
		}
	}
}

// The same torques by Lagrange multipliers: the tree's torques less the forces
// of the loops, Jᵀ·λ, vanish at every passive joint and every cut, and at the
// driven ones they are Gᵀ·τ_tree.
func TestLoopTorquesByMultipliers(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, mech := range closedMechanisms(t) {
		r := mech.Robot
		for j := range r.Links {
			r.Links[j].Inertial = testrobot.Body(rng)
		}
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		c := closureOf(t, r)
		var at *Motion
		for at == nil || mat.Norm(at.G, math.Inf(1)) > 12 {
			if at, err = c.Assemble(rng); err != nil {
				t.Fatal(err)
			}
		}
		rates, accs := make([]float64, len(c.Active())), make([]float64, len(c.Active()))
		for i := range rates {
			rates[i], accs[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		n := len(at.Q)
		tau := make([]float64, c.DOF())
		tree.InverseDynamics(tau, at.Q[:c.DOF()], at.Rates(rates), at.Accelerations(rates, accs))
		tau = append(tau, make([]float64, n-c.DOF())...)
		// Unknown: the multipliers and the torques of the drives.
		residual := make([]float64, 6*len(c.loops))
		poses := c.tree.Poses(at.Q)
		c.mismatch(residual, at.Q, poses)
		j := c.jacobian(poses, residual)
		a := mat.NewDense(n, len(residual)+len(rates), nil)
		for k := range n {
			for i := range residual {
				a.Set(k, i, j.At(i, k)/c.unit[k])
			}
		}
		for i, k := range c.Active() {
			a.Set(k, len(residual)+i, 1)
		}
		s, _ := decompose(a)
		x := s.solve(tau, 0)
		size := norm(tau)
		for i := range rates {
			want := 0.0
			for k := range c.DOF() {
				want += at.G.At(k, i) * tau[k]
			}
			if d := x[len(residual)+i] - want; math.Abs(d) > 1e-10*size {
				t.Errorf("%s: torque of drive %d is %.14g by multipliers, %.14g by G", r.Name, i+1, x[len(residual)+i], want)
			}
		}
		back := mat.NewVecDense(n, nil)
		back.MulVec(a, mat.NewVecDense(len(x), x))
		for k := range tau {
			if math.Abs(back.AtVec(k)-tau[k]) > 1e-10*size {
				t.Errorf("%s: no forces of the loops leave coordinate %d without torque", r.Name, k+1)
			}
		}
	}
}

func TestLoopsThatDoNotClose(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	short := closureOf(t, fourBar(3, 0.35, 0.9, 0.7, 0, 0))
	_, err := short.Assemble(rng)
	var ce *ClosureError
	if !errors.As(err, &ce) || !strings.Contains(err.Error(), "frame k meets frame k+B") || math.Abs(ce.Distance-1.05) > 1e-3 {
		t.Errorf("bars too short by 1.05 m: %v", err)
	}
	// The other frame upside down: every off-diagonal entry of the mismatch is
	// zero where the origins meet, and the axes are half a turn apart.
	flipped := fourBar(1, 0.35, 0.9, 0.7, 0, 0)
	flipped.Extra[1].Placement = robot.MDH{D: 0.7}.Transform().Mul(robot.MDH{Alpha: math.Pi}.Transform())
	if _, err = closureOf(t, flipped).Assemble(rng); !errors.As(err, &ce) {
		t.Errorf("frame upside down: %v", err)
	}
	reach := closureOf(t, akr3000(t))
	q := make([]float64, reach.DOF())
	q[4] = 9
	if _, err = reach.Close(q, reach.Active()); !errors.As(err, &ce) || !strings.Contains(err.Error(), "frame 11 meets frame 13") {
		t.Errorf("a slide of 9 m: %v", err)
	}
	passive := fourBar(1, 0.35, 0.9, 0.7, 0, 0)
	passive.Links[0].Joint.Passive = true
	if _, err = NewClosure(passive); err == nil || !strings.Contains(err.Error(), "every joint is passive") {
		t.Errorf("no drive: %v", err)
	}
	// A kite folded so that the crank's tip is on the rocker's pivot: the other
	// two bars turn about it, and the crank stands.
	kite := closureOf(t, fourBar(0.1, 0.1, 5, 5, 0, 0))
	folded, err := kite.Close([]float64{0, 0.7, 0.7 - 0.3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = kite.Motion(folded); err == nil || !strings.Contains(err.Error(), "leave 1 motions and the 1 active joints determine 0") {
		t.Errorf("folded kite: %v", err)
	}
	// Two motions of five bars, one drive.
	five := closedRobot(t, "fivebar.par", map[string]float64{"d": 0.5})
	five.Links[2].Joint.Passive = true
	if _, err = closureOf(t, five).Assemble(rng); err == nil || !strings.Contains(err.Error(), "leave 2 motions and the 1 active joints determine 1") {
		t.Errorf("one drive of five bars: %v", err)
	}
	if _, err = NewClosure(robot.FromMDH("open", []robot.MDHFrame{{Antecedent: -1}})); err == nil {
		t.Error("a robot without loops is accepted")
	}
}

// Random four-bars: closed where the sides allow it, one motion, the crank's
// circle and the rocker's meet at the coupler's length; walks stay closed and
// crossed or open as they began.
func TestRandomFourBars(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 9))
		side := func() float64 { return 0.2 + rng.Float64() }
		sides := []float64{side(), side(), side(), side()}
		r := fourBar(sides[0], sides[1], sides[2], sides[3], rng.NormFloat64(), rng.NormFloat64())
		c, err := NewClosure(r)
		if err != nil {
			t.Fatal(err)
		}
		longest, sum := slices.Max(sides), sides[0]+sides[1]+sides[2]+sides[3]
		m, err := c.Assemble(rng)
		if slack := sum - 2*longest; slack < -1e-6 {
			if err == nil {
				t.Fatalf("sides %v closed at %v", sides, m.Q)
			}
			return
		} else if slack < 0.05 {
			return
		}
		if err != nil {
			t.Fatalf("sides %v: %v", sides, err)
		}
		w := c.Walk(m, rng)
		for range 5 {
			if m.Mobility != 1 || m.Rank != 3 || c.Residual(m.Q) > 1e-11 {
				t.Fatalf("%d motions, %d constraints, residual %g", m.Mobility, m.Rank, c.Residual(m.Q))
			}
			poses := c.tree.Poses(m.Q)
			tip, pivot := poses[1].P, poses[2].Apply([3]float64{sides[3], 0, 0})
			d := 0.0
			for k := range 3 {
				d += (tip[k] - pivot[k]) * (tip[k] - pivot[k])
			}
			if math.Abs(math.Sqrt(d)-sides[2]) > 1e-10 {
				t.Fatalf("coupler of %g m is %g m long", sides[2], math.Sqrt(d))
			}
			m = w.Next()
		}
	})
}

func BenchmarkCloseAKR(b *testing.B) {
	c := closureOf(b, akr3000(b))
	m, err := c.Assemble(rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		b.Fatal(err)
	}
	start := slices.Clone(m.Q)
	for _, k := range c.Passive() {
		start[k] += 0.05
	}
	for b.Loop() {
		if _, err := c.Close(start, c.Active()); err != nil {
			b.Fatal(err)
		}
	}
}

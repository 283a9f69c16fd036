package plant

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/loops"
	"ident/robot"
	"ident/simulate/servo"
)

// frictionless leaves a robot without friction, and gives its driven joints rotors.
func frictionless(r *robot.Robot) *robot.Robot {
	for j := range r.Links {
		n := &r.Links[j].Joint
		n.Fv, n.Fs, n.Fo, n.Ia = 0, 0, 0, 0.05
	}
	return r
}

// A crank and rocker that turns right round, and the SR400 under its weight, keep their energy: 1e-9 of the largest kinetic energy over
// ten seconds. The loops are closed to 1e-13 in each state, and local errors are 1e-13.
func TestClosedRobotsKeepTheirEnergy(t *testing.T) {
	crank := frictionless(testrobot.Weigh(testrobot.FourBar(1, 0.35, 0.9, 0.7, 0, math.Pi/2), rand.New(rand.NewPCG(43, 44))))
	crank.Assembly = map[string]float64{"J1": 0.3, "J2": 1, "J3": 1.5}
	arm := frictionless(testrobot.Weigh(testrobot.SR400(t), rand.New(rand.NewPCG(3, 4))))
	for _, c := range []struct {
		name string
		r    *robot.Robot
		push float64 // initial rate of the first driven joint
		time float64 // s; the arm falls into a dead point of its parallelogram after more
	}{{"crank and rocker", crank, 6, 10}, {"SR400", arm, 1, 0.5}} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlant(t, c.r, Options{Tolerance: 1e-13})
			closure, err := loops.NewClosure(c.r)
			if err != nil {
				t.Fatal(err)
			}
			start, err := closure.Assembled(c.r.Assembly)
			if err != nil {
				t.Fatal(err)
			}
			n := len(p.joints)
			q, dq := make([]float64, n), make([]float64, n)
			for i, k := range closure.Active() {
				q[i] = start.Q[k]
			}
			dq[0] = c.push
			m := p.Start(0, q, dq)
			energy := func() (kinetic, sum float64) {
				a, b, err := m.equations.energy(m.Q(), m.DQ())
				if err != nil {
					t.Fatal(err)
				}
				return a, a + b
			}
			kinetic, before := energy()
			worst := 0.0
			for i := range 20 {
				if err := m.Advance(t.Context(), c.time*float64(i+1)/20, Constant(make([]float64, n))); err != nil {
					t.Fatal(err)
				}
				k, e := energy()
				kinetic, worst = max(kinetic, k), max(worst, math.Abs(e-before))
			}
			if worst > 1e-9*kinetic {
				t.Errorf("energy drifts by %.2g of the largest kinetic energy", worst/kinetic)
			}
			t.Logf("drift %.2g of %.3g J over %g s, the first joint goes from %.3g to %.3g rad; %+v", worst/kinetic, kinetic, c.time, q[0], m.Q()[0], m.Stats())
		})
	}
}

// The accelerations of a robot with loops are those of loops.Closure.ForwardDynamics, which has constraint forces in the
// place of the driven joints' coordinates.
func TestClosedAgainstConstraintForces(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, r := range []*robot.Robot{testrobot.FourBar(1, 0.35, 0.9, 0.7, 0, math.Pi/2), testrobot.SR400(t), testrobot.AKR3000(t)} {
		r = frictionless(testrobot.Weigh(r, rng))
		for j := range r.Links { // the oracle has rotors on all joints
			if n := &r.Links[j].Joint; n.Passive {
				n.Ia = 0
			}
		}
		p := newPlant(t, r, Options{})
		c, err := loops.NewClosure(r)
		if err != nil {
			t.Fatal(err)
		}
		start, err := c.Assembled(r.Assembly)
		if err != nil {
			t.Fatal(err)
		}
		n := len(p.joints)
		q, dq, tau := make([]float64, n), make([]float64, n), make([]float64, n)
		full := make([]float64, len(start.Q))
		for i, k := range c.Active() {
			q[i], dq[i], tau[i] = start.Q[k], rng.NormFloat64(), 10*rng.NormFloat64()
			full[k] = tau[i]
		}
		m := p.Start(0, q, dq)
		ddq, got, friction := make([]float64, n), make([]float64, n), make([]float64, n)
		if err := m.At(Constant(tau), ddq, got, friction); err != nil {
			t.Fatal(err)
		}
		// Rates of all coordinates, those of cut joints too, by the free motions that the driven joints' rates choose.
		free := mat.NewDense(n, n, nil)
		for i, k := range c.Active() {
			for l := range n {
				free.Set(i, l, start.FreeRate(k, l))
			}
		}
		var y mat.VecDense
		if err := y.SolveVec(free, mat.NewVecDense(n, dq)); err != nil {
			t.Fatal(err)
		}
		rates := make([]float64, len(start.Q))
		for k := range rates {
			for l := range n {
				rates[k] += start.FreeRate(k, l) * y.AtVec(l)
			}
		}
		f, err := c.ForwardDynamics(start.Q, rates, full, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range c.Active() {
			// The matrices have condition numbers below 1e4.
			if d := math.Abs(ddq[i] - f.Accelerations[k]); d > 1e-9*(1+math.Abs(ddq[i])) {
				t.Errorf("%s: joint %d accelerates at %.12g, by constraint forces at %.12g", r.Name, i+1, ddq[i], f.Accelerations[k])
			}
		}
	}
}

// A driven joint that friction holds keeps the whole mechanism where it is, for an hour under a torque that swings below the limit.
func TestClosedSticksWithoutCreep(t *testing.T) {
	r := testrobot.Weigh(testrobot.FourBar(1, 0.35, 0.9, 0.7, 0, math.Pi/2), rand.New(rand.NewPCG(43, 44)))
	r.Assembly = map[string]float64{"J1": 0.3, "J2": 1, "J3": 1.5}
	for j := range r.Links {
		r.Links[j].Joint.Fs, r.Links[j].Joint.Fo = 0, 0
	}
	r.Links[0].Joint.Fs = 200
	p := newPlant(t, r, Options{})
	m := p.Start(0, []float64{0.3}, []float64{0})
	seconds := long.Of(3600, 60)
	for k := range seconds {
		at := float64(k + 1)
		if err := m.Advance(t.Context(), at, Constant{20 * math.Sin(at/3)}); err != nil {
			t.Fatal(err)
		}
	}
	if m.Q()[0] != 0.3 || m.DQ()[0] != 0 {
		t.Errorf("after %g s at %v with %v", m.Time(), m.Q()[0], m.DQ()[0])
	}
}

// Under a controller the driven joints of the SR400 follow, rows obey the equations, and all joints are told.
func TestClosedUnderControl(t *testing.T) {
	r := testrobot.Weigh(testrobot.SR400(t), rand.New(rand.NewPCG(3, 4)))
	for j := range r.Links {
		n := &r.Links[j].Joint
		if n.Fv, n.Fs, n.Fo, n.Ia = 5, 3, 1, 1; n.Passive {
			n.Fs = 0
		}
	}
	p := newPlant(t, r, Options{Tolerance: 1e-8})
	model, err := NewModel(r)
	if err != nil {
		t.Fatal(err)
	}
	n := len(p.joints)
	kp, kv := slices.Repeat([]float64{400}, n), slices.Repeat([]float64{40}, n)
	law, err := servo.NewComputedTorque(model, kp, kv)
	if err != nil {
		t.Fatal(err)
	}
	closure, err := loops.NewClosure(r)
	if err != nil {
		t.Fatal(err)
	}
	assembled, err := closure.Assembled(r.Assembly) // no singular state, as zero is
	if err != nil {
		t.Fatal(err)
	}
	at := make(fixed, n)
	for i, k := range closure.Active() {
		at[i] = assembled.Q[k]
	}
	eq := p.body.equations()
	worst := 0.0
	start := slices.Clone(at)
	start[1] += 0.05
	err = p.Follow(context.Background(), at, Control{Law: law, Period: 1e-3}, Run{Every: 20, Samples: 30, Q: start, DQ: make([]float64, n)}, func(row Row) error {
		want := make([]float64, n)
		if err := eq.Torques(want, row.Q, row.DQ, row.DDQ); err != nil {
			return err
		}
		for i := range want {
			worst = max(worst, math.Abs(row.Tau[i]-row.Friction[i]-1-want[i])/(1+math.Abs(want[i])))
		}
		if len(row.All) != p.body.tree.DOF() || row.All[p.body.tracker.Driven()[1]] != row.Q[1] {
			t.Fatalf("positions of all joints %v, of the driven %v", row.All, row.Q)
		}
		start = append(start[:0], row.Q...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if worst > 1e-9 {
		t.Errorf("rows miss the equations by %.2g", worst)
	}
	// e₀·(1+20t)·exp(−20t) at 0.58 s is 6e-6; the model's friction is that of the reference, at rest, so that a joint sticks
	// where its torque falls below 3 N·m, the inertia being some 50 kg·m².
	if math.Abs(start[1]-at[1]) > 1e-3 {
		t.Errorf("the joint is %g off", start[1]-at[1])
	}
}

// A driven joint that is pushed past the positions in which the loop closes is an error with the time.
func TestLoopsOutOfReach(t *testing.T) {
	r := frictionless(testrobot.Weigh(testrobot.FourBar(1, 0.7, 0.5, 0.6, 0, 0), rand.New(rand.NewPCG(1, 2)))) // a rocker of less than a turn
	r.Assembly = map[string]float64{"J1": 0.5, "J2": 1, "J3": 1.5}
	p := newPlant(t, r, Options{})
	m := p.Start(0, []float64{0.5}, []float64{3})
	var lost *LoopError
	if err := m.Advance(t.Context(), 5, Constant{50}); !errors.As(err, &lost) || !(lost.Time > 0 && lost.Time < 5) {
		t.Fatalf("%v", err)
	}
}

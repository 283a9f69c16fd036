package plant

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/loops"
	"ident/robot"
)

// fiveBar is a plane mechanism of two driven cranks, on joints 1 and 3, and two bars with passive joints, without friction.
func fiveBar() *robot.Robot {
	r := robot.FromMDH("five-bar", []robot.MDHFrame{
		{Antecedent: -1, Alpha: math.Pi / 2},
		{Antecedent: 0, D: 0.4},
		{Antecedent: -1, Alpha: math.Pi / 2, D: 0.5},
		{Antecedent: 2, D: 0.4},
	})
	r.Links[1].Joint.Passive, r.Links[3].Joint.Passive = true, true
	testrobot.CutAt(r, 1, robot.MDH{D: 0.6}, 3, robot.MDH{D: 0.6})
	r.Assembly = map[string]float64{"J1": 2.2, "J2": -1.2, "J3": 0.9, "J4": 1.2}
	return frictionless(testrobot.Weigh(r, rand.New(rand.NewPCG(7, 8))))
}

// assembled starts a plant at its assembly with rates of the driven joints.
func assembled(t *testing.T, r *robot.Robot, p *Plant, dq ...float64) *Motion {
	t.Helper()
	c, err := loops.NewClosure(r)
	if err != nil {
		t.Fatal(err)
	}
	start, err := c.Assembled(r.Assembly)
	if err != nil {
		t.Fatal(err)
	}
	var q []float64
	for _, k := range c.Active() {
		q = append(q, start.Q[k])
	}
	return p.Start(0, q, dq)
}

// passiveState are the positions and the rates of the passive joints with Coulomb friction.
func passiveState(t *testing.T, m *Motion) (q, dq []float64) {
	t.Helper()
	n := m.n
	if err := m.At(Constant(make([]float64, n)), make([]float64, n), make([]float64, n), make([]float64, n)); err != nil {
		t.Fatal(err)
	}
	for _, k := range m.passive.coords {
		q = append(q, m.equations.all()[k])
	}
	return q, slices.Clone(m.passive.rate)
}

// Energy falls by the work of the passive joints' friction, Fs times the way, and by nothing else, while they slide and turn back, until
// everything rests; there it stays to the last bit.
func TestPassiveFrictionTakesItsWork(t *testing.T) {
	crank := frictionless(testrobot.Weigh(testrobot.FourBar(1, 0.35, 0.9, 0.7, 0, math.Pi/2), rand.New(rand.NewPCG(43, 44))))
	crank.Assembly = map[string]float64{"J1": 0.3, "J2": 1, "J3": 1.5}
	weightless := fiveBar()
	weightless.Gravity = [3]float64{}
	for _, c := range []struct {
		r    *robot.Robot
		push []float64
		fs   []float64 // of the passive joints
	}{{crank, []float64{9}, []float64{4, 7}}, {weightless, []float64{1.5, -1}, []float64{0.6, 0.9}}}[:long.Of(2, 1)] {
		t.Run(c.r.Name, func(t *testing.T) {
			at := 0
			for j := range c.r.Links {
				if n := &c.r.Links[j].Joint; n.Passive {
					n.Fs = c.fs[at]
					at++
				}
			}
			p := newPlant(t, c.r, Options{Tolerance: 1e-12})
			m := assembled(t, c.r, p, c.push...)
			none := Constant(make([]float64, m.n))
			q, dq := passiveState(t, m)
			before, largest := p.Energy(m.Q(), m.DQ()), 0.0
			turns, worst, clean := 0, 0.0, 0
			const dt, most = 1e-3, 30000
			for i := range most {
				if err := m.Advance(t.Context(), float64(i+1)*dt, none); err != nil {
					t.Fatal(err)
				}
				if m.still() {
					break
				}
				nextQ, nextDQ := passiveState(t, m)
				after := p.Energy(m.Q(), m.DQ())
				work, turned := 0.0, false
				for j := range nextQ {
					work += c.fs[j] * math.Abs(nextQ[j]-q[j])
					turned = turned || dq[j]*nextDQ[j] <= 0
				}
				if turned {
					turns++
				} else {
					worst, clean = max(worst, math.Abs(before-after-work)), clean+1
				}
				largest = max(largest, math.Abs(before-after))
				q, dq, before = nextQ, nextDQ, after
			}
			t.Logf("rest after %.3f s, %d intervals with a reversal, %d without: energy off by %.2g J of up to %.2g J of friction's work in each; %+v", m.Time(), turns, clean, worst, largest, m.Stats())
			// A step of the integrator is right to 1e-12 in positions and rates, which the masses and rates turn into some 1e-10 J.
			if worst > 1e-9 {
				t.Errorf("energy is off by %.2g J", worst)
			}
			if !m.still() || turns < 2 || clean < 100 {
				t.Fatalf("%d reversals, %d intervals, rest: %v", turns, clean, m.still())
			}
			rest := slices.Clone(m.Q())
			for k := range long.Of(3600, 60) {
				sway := Constant(make([]float64, m.n))
				sway[0] = 0.05 * math.Sin(float64(k)/3)
				if err := m.Advance(t.Context(), m.Time()+1, sway); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(rest, m.Q()) {
				t.Errorf("creep from %v to %v in %g s", rest, m.Q(), m.Time())
			}
		})
	}
}

// A passive joint whose friction holds stays while the driven joints move around it: the mechanism has one degree of freedom less. Where
// the torque is beyond the limit, it slides.
func TestPassiveJointSticks(t *testing.T) {
	for _, held := range []bool{true, false} {
		r := fiveBar()
		r.Gravity = [3]float64{}
		if r.Links[1].Joint.Fs = 0.01; held {
			r.Links[1].Joint.Fs = 200
		}
		r.Links[0].Joint.Fv, r.Links[2].Joint.Fv = 2, 2
		p := newPlant(t, r, Options{})
		m := assembled(t, r, p, 0, 0)
		first, _ := passiveState(t, m)
		low, high, far := first[0], first[0], 0.0
		start := slices.Clone(m.Q())
		for i := range long.Of(1000, 100) {
			at := float64(i) * 0.01
			if err := m.Advance(t.Context(), at+0.01, Constant{6 * math.Sin(6*at), 5 * math.Sin(5*at)}); err != nil {
				t.Fatal(err)
			}
			q, _ := passiveState(t, m)
			low, high, far = min(low, q[0]), max(high, q[0]), max(far, math.Abs(m.Q()[0]-start[0]))
		}
		t.Logf("Fs %g: the passive joint moves by %.2g rad, the first driven one by %.2g; %+v", r.Links[1].Joint.Fs, high-low, far, m.Stats())
		// Steps are right to 1e-10 of positions and rates, of which there are some hundred a second.
		if creep := high - low; held && (creep > 1e-8 || far < 0.1) || !held && creep < 0.1 {
			t.Errorf("Fs %g: the passive joint moves by %g rad, the first driven one by %g", r.Links[1].Joint.Fs, creep, far)
		}
	}
}

// The signs of joints at rest that loops tie together are those of the only pattern that obeys the laws, found by trying all.
func TestContactObeysItsLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 3))
	for range long.Of(2000, 100) {
		n, k := 1+rng.IntN(4), 1+rng.IntN(6)
		mass := make([]float64, n*n)
		root := make([]float64, n*n)
		for i := range root {
			root[i] = rng.NormFloat64()
		}
		for i := range n {
			for j := range n {
				for l := range n {
					mass[i*n+j] += root[i*n+l] * root[j*n+l]
				}
			}
			mass[i*n+i] += 0.1
		}
		b := make([]float64, n)
		for i := range b {
			b[i] = 5 * rng.NormFloat64()
		}
		c, f := newContact(n, k), newFactor(n)
		c.begin()
		row := make([]float64, n)
		for range k {
			for i := range row {
				row[i] = rng.NormFloat64()
			}
			c.add(row, rng.NormFloat64(), 3*rng.Float64())
		}
		starts, limits := slices.Clone(c.start[:k]), slices.Clone(c.limit[:k])
		if !c.solve(mass, slices.Clone(b), &f) {
			t.Fatal("no pattern is found")
		}
		// y and f from the result: f of the joints that stick by c.f.
		a := slices.Clone(b)
		for e := range k {
			for l := range n {
				a[l] -= c.rows[e*n+l] * c.f[e]
			}
		}
		if !f.solve(a, mass, c.all) {
			t.Fatal("mass")
		}
		for e := range k {
			y := starts[e]
			scale := math.Abs(starts[e])
			for l := range n {
				y += c.rows[e*n+l] * a[l]
				scale += math.Abs(c.rows[e*n+l] * a[l])
			}
			// The addition of 1e-8 to the diagonal leaves 1e-8·f of the largest entry, and decisions are to 1e-7 of the terms.
			slack := 2e-6 * (scale + c.matrix[e*k+e]*limits[e])
			switch {
			case c.f[e] > limits[e]*(1+2e-7) || c.f[e] < -limits[e]*(1+2e-7):
				t.Fatalf("joint %d: friction %g beyond %g", e, c.f[e], limits[e])
			case c.sign[e] == 0 && math.Abs(y) > slack:
				t.Fatalf("joint %d sticks with an acceleration of %g, slack %g", e, y, slack)
			case c.sign[e] != 0 && (y*c.sign[e] < -slack || c.f[e] != c.sign[e]*limits[e]):
				t.Fatalf("joint %d slides at %g with sign %g and friction %g of %g", e, y, c.sign[e], c.f[e], limits[e])
			}
		}
	}
}

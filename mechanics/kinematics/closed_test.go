package kinematics

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/mechanics/loops"
	"ident/robot"
)

// The identities of a tree hold in the driven joints of closed robots, plane and spatial:
// against differences of a point along a motion.
func TestClosedIdentities(t *testing.T) {
	for _, r := range []*robot.Robot{testrobot.FourBar(1, 0.4, 0.9, 0.7, 0.3, -0.8), testrobot.Bennett()} {
		rng := rand.New(rand.NewPCG(5, 6))
		closure := must(loops.NewClosure(r))
		start := must(closure.Assemble(rng)).Q
		c := must(NewClosed(r))
		if c.ActiveJoints() != 1 {
			t.Fatalf("%s has %d driven joints", r.Name, c.ActiveJoints())
		}
		at := Point{Link: 1, At: [3]float64{0.2, -0.1, 0.3}}
		drive := closure.Active()[0]
		q0, rate, acc := start[drive], 0.7, -0.4
		// Fourth-order central differences, as for trees; the loops close to 1e-12 of their size.
		const h = 2e-3
		var x, v [5]spatial.Vec
		var j [5]Twist
		for i := range 5 {
			s := float64(i-2) * h
			q, err := c.Place([]float64{q0 + s*rate + s*s/2*acc}, start)
			if err != nil {
				t.Fatal(err)
			}
			start = q
			c.Move([]float64{rate + s*acc}, []float64{acc})
			x[i], v[i] = c.Position(at), c.Twist(at).Linear
			column := make(Jacobian, 1)
			c.Jacobian(column, at)
			j[i] = column[0]
		}
		slope := func(f func(i int) float64) float64 { return (f(0) - 8*f(1) + 8*f(3) - f(4)) / (12 * h) }
		if _, err := c.Place([]float64{q0}, start); err != nil {
			t.Fatal(err)
		}
		c.Move([]float64{rate}, []float64{acc})
		a, dj := c.Acceleration(at), make(Jacobian, 1)
		c.JacobianRate(dj, at)
		for k := range 3 {
			near(t, r.Name+" velocity", v[2][k], slope(func(i int) float64 { return x[i][k] }), 1e-8)
			near(t, r.Name+" J·dq", j[2].Linear[k]*rate, v[2][k], 1e-12)
			near(t, r.Name+" acceleration", a.Linear[k], slope(func(i int) float64 { return v[i][k] }), 1e-8)
			near(t, r.Name+" J'", dj[0].Linear[k], slope(func(i int) float64 { return j[i].Linear[k] }), 1e-8)
			near(t, r.Name+" J'", dj[0].Angular[k], slope(func(i int) float64 { return j[i].Angular[k] }), 1e-8)
			near(t, r.Name+" J·ddq + J'·dq", j[2].Linear[k]*acc+dj[0].Linear[k]*rate, a.Linear[k], 1e-11)
		}
	}
}

// The parallelogram of the SR400 keeps joint 8 at θ2 - θ7, and joint 3 at π/2 - θ2 + θ7
// (Khalil and Dombre 2002).
func TestParallelogram(t *testing.T) {
	r := testrobot.SR400(t)
	closure := must(loops.NewClosure(r))
	c := must(NewClosed(r))
	names := closure.Joints()
	of := func(q []float64, name string) float64 {
		for k, n := range names {
			if n == name {
				return q[k]
			}
		}
		t.Fatalf("no joint %q among %q", name, names)
		return 0
	}
	m, err := closure.Assembled(r.Assembly)
	if err != nil {
		t.Fatal(err)
	}
	active := make([]float64, c.ActiveJoints())
	for i, k := range closure.Active() {
		active[i] = m.Q[k] + 0.05*float64(i+1)
	}
	q, err := c.Place(active, m.Q)
	if err != nil {
		t.Fatal(err)
	}
	turn := func(x float64) float64 { return math.Remainder(x, 2*math.Pi) }
	near(t, "θ8", turn(of(q, "J8")-(of(q, "J2")-of(q, "J7"))), 0, 1e-10)
	near(t, "θ3", turn(of(q, "J3")-(half-of(q, "J2")+of(q, "J7"))), 0, 1e-10)
}

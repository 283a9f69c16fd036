// Package swaytest makes exact logs of robots that sway on feet that stick, for tests.
package swaytest

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/regressor"
	"ident/robot"
)

// Sway is the motion of a robot whose feet all roll on level ground without slip, at a steady rate. Every slice of
// signals has an entry per sample.
type Sway struct {
	DT         float64
	Q, DQ, DDQ [][]float64 // of the joints behind the six of the base
	Base       regressor.BaseMotion
	Speed      [3][]float64 // of the base's origin, in its own axes, m/s
	Up         [3][]float64 // normal of the ground, in the axes of the base
	Torque     [][]float64  // of the joints
	Chi        []float64    // parameters of the columns of the model
}

// Options of New. The zero value of a field is its default.
type Options struct {
	DT, Seconds float64
	Size        float64   // of the motion, 1 is a trunk that moves by 4 cm and 10°
	Start       []float64 // of the joints
}

// New returns a sway of a robot with a floating base whose legs have three joints each. Torques hold a model's columns
// at chi, with contact forces of least norm that carry the robot.
func New(t testing.TB, r *robot.Robot, feet []regressor.Foot, m *regressor.Model, chi []float64, seed uint64, opt Options) *Sway {
	t.Helper()
	if opt.DT == 0 {
		opt.DT = 0.002
	}
	if opt.Size == 0 {
		opt.Size = 1
	}
	base, err := regressor.FloatingBaseOf(r)
	if err != nil {
		t.Fatal(err)
	}
	sticking, err := regressor.NewSticking(r, feet)
	if err != nil {
		t.Fatal(err)
	}
	n := m.Joints()
	d := &drawn{base: base, sticking: sticking, gravity: spatial.Norm(r.Gravity), one: batch(n, 1), contacts: sticking.NewContacts(1), ws: sticking.NewWorkspace(), n: n}
	rng := rand.New(rand.NewPCG(seed, 0x5a11))
	for k := range 6 {
		size := []float64{0.05, 0.05, 0.03, 0.2, 0.2, 0.2}[k] * opt.Size
		for range 5 {
			f := 0.15 + 0.85*rng.Float64()
			d.waves[k] = append(d.waves[k], wave{size * (0.5 + 0.5*rng.Float64()) / 3.2 / (0.5 + f), 2 * math.Pi * f, 2 * math.Pi * rng.Float64()})
		}
	}
	count := int(math.Round(opt.Seconds / opt.DT))
	s := &Sway{DT: opt.DT, Q: signals(n-6, count), DQ: signals(n-6, count), DDQ: signals(n-6, count), Torque: signals(n-6, count), Chi: chi}
	for _, v := range []*[3][]float64{&s.Base.Rate, &s.Base.Acceleration, &s.Base.SpecificForce, &s.Speed, &s.Up} {
		*v = [3][]float64(signals(3, count))
	}
	q := append([]float64(nil), opt.Start...)
	for i := range count {
		at := float64(i) * opt.DT
		x := d.at(at, q)
		for k := range n - 6 {
			s.Q[k][i], s.DQ[k][i], s.DDQ[k][i] = q[k], x.dq[k], x.ddq[k]
		}
		for k := range 3 {
			s.Base.Rate[k][i], s.Base.Acceleration[k][i], s.Base.SpecificForce[k][i] = x.w[k], x.dw[k], x.f[k]
			s.Speed[k][i], s.Up[k][i] = x.v[k], x.up[k]
		}
		// Runge and Kutta's fourth order.
		step := func(from []float64, h float64) []float64 {
			out := append([]float64(nil), q...)
			for k := range out {
				out[k] += h * from[k]
			}
			return out
		}
		k1 := x.dq
		k2 := d.at(at+opt.DT/2, step(k1, opt.DT/2)).dq
		k3 := d.at(at+opt.DT/2, step(k2, opt.DT/2)).dq
		k4 := d.at(at+opt.DT, step(k3, opt.DT)).dq
		for k := range q {
			q[k] += opt.DT / 6 * (k1[k] + 2*k2[k] + 2*k3[k] + k4[k])
		}
	}
	s.torques(t, d, m)
	return s
}

// Batch returns the motion as a batch of a robot's model.
func (s *Sway) Batch(base *regressor.FloatingBase) regressor.Batch {
	in := batch(len(s.Q)+6, len(s.Q[0]))
	copy(in.Q[6:], s.Q)
	copy(in.DQ[6:], s.DQ)
	copy(in.DDQ[6:], s.DDQ)
	base.Fill(&in, &s.Base)
	return in
}

// torques finds contact forces F of least norm from the rows of the base, Y·χ = Jᵀ·F, and from them the torques.
func (s *Sway) torques(t testing.TB, d *drawn, m *regressor.Model) {
	in, count := s.Batch(&d.base), len(s.Up[0])
	b := m.NewBlock(count)
	m.EvalBatch(b, in, m.NewWorkspace())
	c := d.sticking.NewContacts(count)
	d.sticking.Eval(c, in, s.Up, d.ws)
	needed := signals(d.n, count)
	for k := range d.n {
		for at, col := range m.Mask(k) {
			for i, v := range b.Joint[k][at] {
				needed[k][i] += v * s.Chi[col]
			}
		}
	}
	forces := len(c.Jacobian)
	j, y := mat.NewDense(6, forces, nil), mat.NewVecDense(6, nil)
	for i := range count {
		for k := range 6 {
			y.SetVec(k, needed[k][i])
			for f := range forces {
				j.Set(k, f, c.Jacobian[f][k][i])
			}
		}
		var f mat.VecDense
		if err := f.SolveVec(j, y); err != nil {
			t.Fatal(err)
		}
		for k := 6; k < d.n; k++ {
			s.Torque[k-6][i] = needed[k][i]
			for at := range forces {
				s.Torque[k-6][i] -= c.Jacobian[at][k][i] * f.AtVec(at)
			}
		}
	}
}

// wave is a·sin(w·t + p).
type wave struct{ a, w, p float64 }

// drawn is a motion of the base in the world, and what makes the legs follow it.
type drawn struct {
	waves    [6][]wave // x, y, z, roll, pitch, yaw
	base     regressor.FloatingBase
	sticking *regressor.Sticking
	gravity  float64
	one      regressor.Batch
	contacts *regressor.Contacts
	ws       *regressor.Workspace
	n        int
}

// moment is the motion at a time, in the axes of the base.
type moment struct {
	v, w, dw, f, up spatial.Vec
	dq, ddq         []float64
}

// at returns the motion at a time with the joints at q.
func (d *drawn) at(t float64, q []float64) moment {
	var p, dp, ddp [6]float64
	for k, all := range d.waves {
		for _, o := range all {
			sin, cos := math.Sincos(o.w*t + o.p)
			p[k] += o.a * sin
			dp[k] += o.a * o.w * cos
			ddp[k] -= o.a * o.w * o.w * sin
		}
	}
	sr, cr := math.Sincos(p[3])
	sp, cp := math.Sincos(p[4])
	turn := spatial.Mul(spatial.Mul(spatial.RotZ(p[5]), spatial.RotY(p[4])), spatial.RotX(p[3]))
	dr, dpi, dy, ar, ap, ay := dp[3], dp[4], dp[5], ddp[3], ddp[4], ddp[5]
	x := moment{
		v: spatial.MulTVec(turn, spatial.Vec{dp[0], dp[1], dp[2]}),
		w: spatial.Vec{dr - dy*sp, dpi*cr + dy*cp*sr, -dpi*sr + dy*cp*cr},
		dw: spatial.Vec{ar - ay*sp - dy*dpi*cp, ap*cr - dpi*dr*sr + ay*cp*sr - dy*dpi*sp*sr + dy*dr*cp*cr,
			-ap*sr - dpi*dr*cr + ay*cp*cr - dy*dpi*sp*cr - dy*dr*cp*sr},
		f:  spatial.MulTVec(turn, spatial.Vec{ddp[0], ddp[1], ddp[2] + d.gravity}),
		up: spatial.MulTVec(turn, spatial.Vec{0, 0, 1}),
	}
	var m regressor.BaseMotion
	var up [3][]float64
	for k := range 3 {
		m.Rate[k], m.Acceleration[k], m.SpecificForce[k], up[k] = []float64{x.w[k]}, []float64{x.dw[k]}, []float64{x.f[k]}, []float64{x.up[k]}
	}
	for k := range d.n - 6 {
		d.one.Q[6+k][0], d.one.DQ[6+k][0], d.one.DDQ[6+k][0] = q[k], 0, 0
	}
	d.base.Fill(&d.one, &m)
	d.sticking.Eval(d.contacts, d.one, up, d.ws)
	rows := d.base.Rows()
	twist := []float64{x.v[0], x.v[1], x.v[2], x.w[0], x.w[1], x.w[2]}
	x.dq = d.solve(func(at int) float64 {
		sum := 0.0
		for k, row := range rows {
			sum -= d.contacts.Jacobian[at][row][0] * twist[k]
		}
		return sum
	})
	for k := range x.dq {
		d.one.DQ[6+k][0] = x.dq[k]
	}
	d.sticking.Eval(d.contacts, d.one, up, d.ws)
	x.ddq = d.solve(func(at int) float64 { return d.gravity*x.up[at%3] - d.contacts.Motion[at][0] })
	return x
}

// solve returns the rates or accelerations of the joints that give the points of contact what is wanted.
func (d *drawn) solve(wanted func(at int) float64) []float64 {
	n := d.n - 6
	j, y := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	for at := range n {
		y.SetVec(at, wanted(at))
		for k := range n {
			j.Set(at, k, d.contacts.Jacobian[at][6+k][0])
		}
	}
	var x mat.VecDense
	if err := x.SolveVec(j, y); err != nil {
		panic(err)
	}
	return x.RawVector().Data
}

func batch(n, count int) regressor.Batch {
	return regressor.Batch{Q: signals(n, count), DQ: signals(n, count), DDQ: signals(n, count)}
}

func signals(n, count int) [][]float64 {
	out := make([][]float64, n)
	for k := range out {
		out[k] = make([]float64, count)
	}
	return out
}

package kinematics

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

const half = math.Pi / 2

// rx90 is the robot of table 1.2 of Khalil and Dombre's guide, with both lengths 0.45 m.
func rx90() *robot.Robot {
	return robot.FromMDH("rx90", []robot.MDHFrame{
		{Antecedent: -1}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, D: 0.45},
		{Antecedent: 2, Alpha: -half, R: 0.45}, {Antecedent: 3, Alpha: half}, {Antecedent: 4, Alpha: -half},
	})
}

// stanford is the robot of table 1.1, with the shoulder 0.15 m beside the column.
func stanford() *robot.Robot {
	return robot.FromMDH("stanford", []robot.MDHFrame{
		{Antecedent: -1}, {Antecedent: 0, Alpha: -half, R: 0.15}, {Antecedent: 1, Alpha: half, Kind: robot.Prismatic},
		{Antecedent: 2}, {Antecedent: 3, Alpha: -half}, {Antecedent: 4, Alpha: half},
	})
}

var published = []float64{0.3, -0.5, 0.8, 0.4, 0.9, -0.2}

func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.15g, want %.15g", name, got, want)
	}
}

// The frame of the RX90's flange and the determinant of its Jacobian in frame 3; the
// numbers were computed by another program, with twelve digits.
func TestRX90(t *testing.T) {
	tree := must(New(rx90()))
	p := tree.NewPose()
	p.Place(published)
	want := [3][4]float64{
		{0.349957583153, -0.569426499912, -0.743830055316, 0.250229433104},
		{0.165045594911, 0.819099053401, -0.549396662092, 0.0774050343782},
		{0.922111512559, 0.0694996540662, 0.380631260527, 0.214159927735},
	}
	f := p.Frame(5)
	for i := range 3 {
		for k := range 3 {
			near(t, "R", f.R[i][k], want[i][k], 1e-12)
		}
		near(t, "P", f.P[i], want[i][3], 1e-12)
	}
	j := make(Jacobian, 6)
	p.Jacobian(j, Point{Link: 5})
	j = j.Along(p.Frame(2).R)
	near(t, "det", mat.Det(j.Dense()), 0.02894676881191, 1e-14)
	// det 3J6 = -C3·D3·RL4·S5·(S23·RL4 - C2·D3), in the guide's letters.
	q := published
	const d3, rl4 = 0.45, 0.45
	near(t, "det by formula", mat.Det(j.Dense()), -math.Cos(q[2])*d3*rl4*math.Sin(q[4])*(math.Sin(q[1]+q[2])*rl4-math.Cos(q[1])*d3), 1e-15)
	for i := range 3 {
		for k := 3; k < 6; k++ {
			near(t, "wrist column", j[k].Linear[i], 0, 1e-15)
		}
	}
}

func TestStanford(t *testing.T) {
	p := must(New(stanford())).NewPose()
	p.Place(published)
	for i, want := range []float64{-0.410738199677, 0.0299565259712, 0.702066049512} {
		near(t, "P", p.Frame(5).P[i], want, 1e-12)
	}
	j := make(Jacobian, 6)
	p.Jacobian(j, Point{Link: 5})
	det := mat.Det(j.Along(p.Frame(2).R).Dense())
	near(t, "det", det, -0.2403500323528, 1e-13)
	near(t, "det by formula", det, 0.8*0.8*math.Sin(-0.5)*math.Sin(0.9), 1e-14)
}

// The identities of the package comment on random trees, with mimics and fixed joints:
// velocities and accelerations against differences of positions along a motion.
func TestIdentities(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		r := testrobot.Random(rng, 2+rng.IntN(7), true)
		if n := len(r.Links); r.Links[n-1].Joint.Kind == robot.Revolute && r.Links[0].Joint.Kind == robot.Revolute {
			r.Mimics = append(r.Mimics, robot.Mimic{Joint: n - 1, Of: 0, Multiplier: -1.5, Offset: 0.2})
		}
		tree := must(New(r))
		n := tree.DOF()
		q, dq, ddq := random(rng, n), random(rng, n), random(rng, n)
		at := Point{Link: rng.IntN(len(r.Links)), At: [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}}
		p := tree.NewPose()
		placed := func(s float64) {
			x, v := make([]float64, n), make([]float64, n)
			for k := range x {
				x[k], v[k] = q[k]+s*dq[k]+s*s/2*ddq[k], dq[k]+s*ddq[k]
			}
			p.Place(x)
			p.Move(v, ddq)
		}
		// Central differences of a function of size 10 with the fourth-order formula: h⁴·f⁗/30 is
		// 1e-16·10⁵ and rounding 1e-15·10/h is 1e-11, rates up to some ten a second.
		const h = 1e-3
		differ := func(f func() []float64) []float64 {
			var out []float64
			for i, c := range []float64{1, -8, 0, 8, -1} {
				if c == 0 {
					continue
				}
				placed(float64(i-2) * h)
				for k, v := range f() {
					if len(out) <= k {
						out = append(out, 0)
					}
					out[k] += c * v / (12 * h)
				}
			}
			return out
		}
		rot := func() []float64 {
			x, f := p.Position(at), p.Frame(at.Link)
			return append(x[:], flat(f.R)...)
		}
		twist := func() []float64 { v := p.Twist(at); return append(v.Linear[:], v.Angular[:]...) }
		jac := func() []float64 {
			j := make(Jacobian, n)
			p.Jacobian(j, at)
			var out []float64
			for _, c := range j {
				out = append(append(out, c.Linear[:]...), c.Angular[:]...)
			}
			return out
		}
		rates, accelerations, turning := differ(rot), differ(twist), differ(jac)
		placed(0)
		size := 0.0
		for _, list := range [][]float64{rates, accelerations, turning} {
			for _, v := range list {
				size = max(size, math.Abs(v))
			}
		}
		tol := 1e-8 * (1 + size)
		v, a := p.Twist(at), p.Acceleration(at)
		spin := flat(spatial.Mul(spatial.Skew(v.Angular), p.Frame(at.Link).R))
		for i := range 3 {
			near(t, "velocity", v.Linear[i], rates[i], tol)
			near(t, "acceleration", a.Linear[i], accelerations[i], tol)
			near(t, "angular acceleration", a.Angular[i], accelerations[3+i], tol)
		}
		for i, w := range spin {
			near(t, "angular velocity", w, rates[3+i], tol)
		}
		j, dj := make(Jacobian, n), make(Jacobian, n)
		p.Jacobian(j, at)
		p.JacobianRate(dj, at)
		alike(t, "J·dq", j.Mul(dq), v, 1e-12*(1+size))
		sum, bias := j.Mul(ddq), dj.Mul(dq)
		alike(t, "J·ddq + J'·dq", Twist{spatial.Add(sum.Linear, bias.Linear), spatial.Add(sum.Angular, bias.Angular)}, a, 1e-12*(1+size))
		for k, c := range dj {
			for i := range 3 {
				near(t, "J'", c.Linear[i], turning[6*k+i], tol)
				near(t, "J'", c.Angular[i], turning[6*k+3+i], tol)
			}
		}
		p.Move(dq, nil)
		alike(t, "acceleration of steady joints", p.Acceleration(at), bias, 1e-12*(1+size))
		// The power of a wrench is the power of the torques that hold it.
		force, moment := [3]float64(random(rng, 3)), [3]float64(random(rng, 3))
		tau := make([]float64, n)
		j.Torques(tau, force, moment)
		power := 0.0
		for k := range tau {
			power += tau[k] * dq[k]
		}
		near(t, "power", power, spatial.Dot(force, v.Linear)+spatial.Dot(moment, v.Angular), 1e-11*(1+size))
		// The same Jacobian of the link's origin, moved to the point.
		own := make(Jacobian, n)
		p.Jacobian(own, Point{Link: at.Link})
		for k, c := range own.Moved(spatial.MulVec(p.Frame(at.Link).R, at.At)) {
			alike(t, "moved", c, j[k], 1e-12*(1+size))
		}
	}
}

// Frames and accelerations of dynamics, which has its own recursion.
func TestAgainstDynamics(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		r := testrobot.Random(rng, 6, true)
		r.Gravity = [3]float64{}
		d, tree := must(dynamics.New(r)), must(New(r))
		n := tree.DOF()
		q, dq, ddq := random(rng, n), random(rng, n), random(rng, n)
		p := tree.NewPose()
		p.Place(q)
		p.Move(dq, ddq)
		for j, f := range d.Poses(q) {
			g := p.Frame(j)
			for i := range 3 {
				near(t, "origin", g.P[i], f.P[i], 1e-13)
				for k := range 3 {
					near(t, "orientation", g.R[i][k], f.R[i][k], 1e-13)
				}
			}
		}
		for j, a := range d.Accelerations(q, dq, ddq) {
			alike(t, "acceleration", p.Acceleration(Point{Link: j}), Twist{a.Linear, a.Angular}, 1e-11)
		}
	}
}

// Problem 11 of the two-link text: J = [-3 -2; -3 2; 0 1] and rates (5/3, -10) give V = (15, -25).
func TestPlanarRates(t *testing.T) {
	j := Jacobian{{Linear: [3]float64{-3, -3, 0}}, {Linear: [3]float64{-2, 2, 1}}}
	v := j.Mul([]float64{5.0 / 3, -10})
	near(t, "x", v.Linear[0], 15, 1e-14)
	near(t, "y", v.Linear[1], -25, 1e-14)
}

// The joints of the RX90 where axes 4 and 6 are in line and where the wrist stands above
// the column: rank 5, and the lost direction and idle motion that the guide names.
func TestSingular(t *testing.T) {
	tree := must(New(rx90()))
	p, j := tree.NewPose(), make(Jacobian, 6)
	p.Place(published)
	p.Jacobian(j, Point{Link: 5})
	d := j.Dexterity(Full, tree.Reach())
	if d.Rank != 6 || len(d.Lost) != 0 || len(d.Idle) != 0 {
		t.Errorf("a regular state has rank %d", d.Rank)
	}
	near(t, "manipulability", d.Manipulability, 0.02894676881191/math.Pow(tree.Reach(), 3), 1e-14)
	straight := []float64{0.3, -0.5, 0.8, 0.4, 0, -0.2}
	p.Place(straight)
	p.Jacobian(j, Point{Link: 5})
	d = j.Dexterity(Full, tree.Reach())
	if d.Rank != 5 || len(d.Lost) != 1 || len(d.Idle) != 1 || !math.IsInf(d.Condition, 1) || d.Manipulability != 0 {
		t.Fatalf("wrist in line: %+v", d)
	}
	idle := d.Idle[0]
	near(t, "joints 4 and 6 turn against each other", math.Abs(idle[3]), math.Sqrt(0.5), 1e-12)
	near(t, "joints 4 and 6 turn against each other", idle[3]+idle[5], 0, 1e-12)
	if v := j.Mul(idle); spatial.Norm(v.Linear)+spatial.Norm(v.Angular) > 1e-12 {
		t.Errorf("an idle motion moves the flange at %v", v)
	}
	for _, c := range j {
		w := d.Lost[0]
		near(t, "a lost direction", spatial.Dot(w.Linear, c.Linear)/tree.Reach()+spatial.Dot(w.Angular, c.Angular), 0, 1e-12)
	}
	// The position alone has one idle motion less than six joints have over three.
	if d = j.Dexterity(Position, tree.Reach()); d.Rank != 3 || len(d.Idle) != 3 {
		t.Errorf("position: rank %d, %d idle motions", d.Rank, len(d.Idle))
	}
}

func alike(t *testing.T, name string, a, b Twist, tolerance float64) {
	t.Helper()
	for i := range 3 {
		near(t, name, a.Linear[i], b.Linear[i], tolerance)
		near(t, name, a.Angular[i], b.Angular[i], tolerance)
	}
}

func random(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for k := range out {
		out[k] = rng.NormFloat64()
	}
	return out
}

func flat(m spatial.Mat) (out []float64) {
	for i := range 3 {
		out = append(out, m[i][:]...)
	}
	return out
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

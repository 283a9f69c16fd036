package regressor

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// floating returns states of a floating robot with any pose and motion of the base, and the same states as the base
// sees them.
func floating(t *testing.T, r *robot.Robot, rng *rand.Rand, samples int) (world, own Batch, turns []spatial.Mat) {
	t.Helper()
	base, err := FloatingBaseOf(r)
	if err != nil {
		t.Fatal(err)
	}
	n := len(r.Moving())
	world = Batch{Q: states(rng, n, samples), DQ: states(rng, n, samples), DDQ: states(rng, n, samples)}
	own = Batch{Q: states(rng, n, samples), DQ: states(rng, n, samples), DDQ: states(rng, n, samples)}
	var m BaseMotion
	for k := range 3 {
		m.Rate[k], m.Acceleration[k], m.SpecificForce[k] = make([]float64, samples), make([]float64, samples), make([]float64, samples)
	}
	for k := 6; k < n; k++ {
		own.Q[k], own.DQ[k], own.DDQ[k] = world.Q[k], world.DQ[k], world.DDQ[k]
	}
	for i := range samples {
		_, pitch, roll := world.Q[3][i], world.Q[4][i], world.Q[5][i]
		dy, dp, dr := world.DQ[3][i], world.DQ[4][i], world.DQ[5][i]
		ay, ap, ar := world.DDQ[3][i], world.DDQ[4][i], world.DDQ[5][i]
		sp, cp, sr, cr := math.Sin(pitch), math.Cos(pitch), math.Sin(roll), math.Cos(roll)
		w := spatial.Vec{dr - dy*sp, dp*cr + dy*cp*sr, -dp*sr + dy*cp*cr}
		dw := spatial.Vec{
			ar - ay*sp - dy*dp*cp,
			ap*cr - dp*dr*sr + ay*cp*sr - dy*dp*sp*sr + dy*dr*cp*cr,
			-ap*sr - dp*dr*cr + ay*cp*cr - dy*dp*sp*cr - dy*dr*cp*sr,
		}
		turn := spatial.Mul(spatial.Mul(spatial.RotZ(world.Q[3][i]), spatial.RotY(pitch)), spatial.RotX(roll))
		turns = append(turns, turn)
		f := spatial.MulTVec(turn, spatial.Vec{world.DDQ[0][i] - r.Gravity[0], world.DDQ[1][i] - r.Gravity[1], world.DDQ[2][i] - r.Gravity[2]})
		for k := range 3 {
			m.Rate[k][i], m.Acceleration[k][i], m.SpecificForce[k][i] = w[k], dw[k], f[k]
		}
	}
	base.Fill(&own, &m)
	return world, own, turns
}

// Torques, and the wrench on the base, from rate and specific force alone are those of the recursive Newton-Euler
// algorithm with the place, the attitude, the speed and gravity.
func TestBaseMotionReplacesPlaceAndGravity(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 1))
	r := testrobot.Quadruped(t, rng)
	r.Gravity = [3]float64{1, -2, -9}
	m := modelOf(t, r, Links)
	const samples = Lanes + 5
	world, own, turns := floating(t, r, rng, samples)
	chi := make([]float64, len(m.Columns()))
	for c, col := range m.Columns() {
		chi[c], _ = ValueOf(r, col)
	}
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range []*Model{m, m.Compiled()} {
		b := model.NewBlock(samples)
		model.EvalBatch(b, own, model.NewWorkspace())
		all := dense(model, b)
		n := model.Joints()
		tau, q := make([]float64, n), [3][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
		for i := range samples {
			for k := range n {
				q[0][k], q[1][k], q[2][k] = world.Q[k][i], world.DQ[k][i], world.DDQ[k][i]
			}
			tree.InverseDynamics(tau, q[0], q[1], q[2])
			got := make([]float64, n)
			for k := range n {
				for c := range chi {
					got[k] += all[k][c][i] * chi[c]
				}
			}
			force := spatial.MulVec(turns[i], spatial.Vec{got[0], got[1], got[2]})
			// Rows 3, 4, 5 of the base are the moments about z, y, x.
			moment := spatial.MulVec(turns[i], spatial.Vec{got[5], got[4], got[3]})
			yaw := spatial.RotZ(q[0][3])
			pitch := spatial.Mul(yaw, spatial.RotY(q[0][4]))
			want := []float64{force[0], force[1], force[2], moment[2], spatial.Dot(moment, spatial.MulVec(yaw, spatial.Vec{0, 1, 0})), spatial.Dot(moment, spatial.MulVec(pitch, spatial.Vec{1, 0, 0}))}
			want = append(want, got[6:]...)
			for k := range want {
				if math.Abs(want[k]-tau[k]) > 1e-10*(1+math.Abs(tau[k])) {
					t.Fatalf("row %d: %.12g, Newton-Euler %.12g", k, want[k], tau[k])
				}
			}
		}
	}
}

// A robot without a floating base, or with a turned one, is refused.
func TestFloatingBaseOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 2))
	if _, err := FloatingBaseOf(testrobot.Random(rng, 7, false)); err == nil {
		t.Error("a fixed base floats")
	}
	r := testrobot.Quadruped(t, nil)
	base, err := FloatingBaseOf(r)
	if err != nil || base.Body() != 5 || base.Rows() != [6]int{0, 1, 2, 5, 4, 3} {
		t.Errorf("%+v, %v", base, err)
	}
	r.Links[0].Placement = robot.Transform{R: spatial.RotX(0.1)}.Mul(r.Links[0].Placement)
	if _, err := FloatingBaseOf(r); err == nil {
		t.Error("a base that is turned in the world was accepted")
	}
}

// quadrupedFeet returns the feet of testrobot.Quadruped, the last of which may be a sole.
func quadrupedFeet(r *robot.Robot, radius float64, sole bool) []Foot {
	var feet []Foot
	for i, leg := range testrobot.QuadrupedLegs {
		for j := range r.Links {
			if r.Links[j].Name == leg+"_calf" {
				feet = append(feet, Foot{Name: leg, Link: j, Centre: testrobot.QuadrupedFoot, Radius: radius, Sole: sole && i == 3})
			}
		}
	}
	return feet
}

// The rows of a foot are the velocity of its point of contact, and its motion the acceleration there, by differences of
// its place in the world.
func TestStickingAgainstDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 3))
	r := testrobot.Quadruped(t, rng)
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	const samples = Lanes + 5
	world, own, turns := floating(t, r, rng, samples)
	var up [3][]float64
	for k := range 3 {
		up[k] = make([]float64, samples)
	}
	for i := range samples {
		n := spatial.MulTVec(turns[i], spatial.Vec{0, 0, 1})
		for k := range 3 {
			up[k][i] = n[k]
		}
	}
	contacts := map[float64]*Contacts{}
	feet := quadrupedFeet(r, 0, true)
	for _, radius := range []float64{0, 0.3} {
		s, err := NewSticking(r, quadrupedFeet(r, radius, true))
		if err != nil {
			t.Fatal(err)
		}
		c := s.NewContacts(samples)
		ws := s.NewWorkspace()
		if n := testing.AllocsPerRun(3, func() { s.Eval(c, own, up, ws) }); n > 0 {
			t.Errorf("%g allocations", n)
		}
		contacts[radius] = c
	}
	n := len(r.Moving())
	poses := func(i int, h float64) []robot.Transform {
		q := make([]float64, n)
		for k := range q {
			q[k] = world.Q[k][i] + h*world.DQ[k][i] + h*h/2*world.DDQ[k][i]
		}
		return tree.Poses(q)
	}
	const h = 1e-3
	for i := range samples {
		before, now, after := poses(i, -h), poses(i, 0), poses(i, h)
		twice, behind := poses(i, 2*h), poses(i, -2*h)
		for f, foot := range feet {
			place := func(p []robot.Transform) spatial.Vec {
				return p[foot.Link].Mul(r.Links[foot.Link].UserFrame).Apply(foot.Centre)
			}
			a, b, c, d, e := place(behind), place(before), place(now), place(after), place(twice)
			var v, acc spatial.Vec
			for k := range 3 {
				v[k] = (a[k] - 8*b[k] + 8*d[k] - e[k]) / (12 * h)
				acc[k] = (-a[k]+16*b[k]-30*c[k]+16*d[k]-e[k])/(12*h*h) - r.Gravity[k]
			}
			v, acc = spatial.MulTVec(turns[i], v), spatial.MulTVec(turns[i], acc)
			// The speed of the base at its origin is no part of the batch: rows of the base take it from the world.
			u := ratesAt(&own, i)
			speed := spatial.MulTVec(turns[i], spatial.Vec{world.DQ[0][i], world.DQ[1][i], world.DQ[2][i]})
			copy(u[:3], speed[:])
			point, rolling := contacts[0], contacts[0.3]
			sum := func(rows [][]float64) float64 {
				s := 0.0
				for k := range rows {
					s += rows[k][i] * u[k]
				}
				return s
			}
			first := point.First[f]
			var w, got, rolled spatial.Vec
			for k := range 3 {
				got[k], rolled[k] = sum(point.Jacobian[first+k]), sum(rolling.Jacobian[first+k])
				if math.Abs(got[k]-v[k]) > 1e-6*(1+math.Abs(v[k])) {
					t.Fatalf("foot %s: velocity %v, differences %v", foot.Name, got, v)
				}
				if x := point.Motion[first+k][i]; math.Abs(x-acc[k]) > 1e-4*(1+math.Abs(acc[k])) {
					t.Fatalf("foot %s: acceleration %g, differences %g", foot.Name, x, acc[k])
				}
			}
			// The angular velocity of the foot, from its attitudes.
			relative := spatial.Mul(spatial.Transpose(before[foot.Link].R), after[foot.Link].R)
			w = spatial.MulTVec(turns[i], spatial.MulVec(now[foot.Link].R, spatial.Scale(1/(2*h), spatial.RotationVector(relative))))
			if !foot.Sole {
				normal := spatial.MulTVec(turns[i], spatial.Vec{0, 0, 1})
				want := spatial.Add(v, spatial.Cross(w, spatial.Scale(-0.3, normal)))
				for k := range 3 {
					if math.Abs(rolled[k]-want[k]) > 1e-3*(1+math.Abs(want[k])) {
						t.Fatalf("foot %s rolling: velocity %v, differences %v", foot.Name, rolled, want)
					}
				}
				continue
			}
			for k := range 3 {
				if got := sum(point.Jacobian[first+3+k]); math.Abs(got-w[k]) > 1e-3*(1+math.Abs(w[k])) {
					t.Fatalf("sole %s: rate %g, differences %g", foot.Name, got, w[k])
				}
			}
		}
	}
}

// ratesAt returns the rates of a sample.
func ratesAt(b *Batch, i int) []float64 {
	out := make([]float64, len(b.DQ))
	for k := range out {
		out[k] = b.DQ[k][i]
	}
	return out
}

// The vectors of an elimination are orthonormal and orthogonal to the forces, of any rank.
func TestElimination(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 4))
	var e Elimination
	for range 200 {
		rows, count := 1+rng.IntN(20), rng.IntN(14)
		rank := min(rng.IntN(count+1), rows)
		columns := make([][]float64, count)
		for c := range columns {
			columns[c] = make([]float64, rows)
			if c < rank {
				for i := range columns[c] {
					columns[c][i] = rng.NormFloat64()
				}
				continue
			}
			for b := range rank {
				a := rng.NormFloat64()
				for i, v := range columns[b] {
					columns[c][i] += a * v
				}
			}
		}
		rng.Shuffle(count, func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
		kept := make([][]float64, count)
		for c := range kept {
			kept[c] = append([]float64(nil), columns[c]...)
		}
		e.Find(rows, columns)
		if e.Rank != rank || len(e.Basis) != rows-rank {
			t.Fatalf("rank %d and %d vectors of %d rows, want %d", e.Rank, len(e.Basis), rows, rank)
		}
		for i, x := range e.Basis {
			for j, y := range e.Basis {
				want := 0.0
				if i == j {
					want = 1
				}
				if got := inner(x, y); math.Abs(got-want) > 1e-12 {
					t.Fatalf("vectors %d and %d: product %g", i, j, got)
				}
			}
			for _, f := range kept {
				if got := inner(x, f); math.Abs(got) > 1e-12*(1+norm(f)) {
					t.Fatalf("a force of %g is left", got)
				}
			}
		}
	}
}

func inner(x, y []float64) float64 {
	s := 0.0
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}

func BenchmarkSticking(b *testing.B) {
	rng := rand.New(rand.NewPCG(64, 5))
	text := testrobot.Quadruped(b, rng)
	s, err := NewSticking(text, quadrupedFeet(text, testrobot.QuadrupedRadius, false))
	if err != nil {
		b.Fatal(err)
	}
	n := len(text.Moving())
	in := Batch{Q: states(rng, n, Lanes), DQ: states(rng, n, Lanes), DDQ: states(rng, n, Lanes)}
	var up [3][]float64
	for k := range up {
		up[k] = make([]float64, Lanes)
	}
	c, ws := s.NewContacts(Lanes), s.NewWorkspace()
	b.ReportAllocs()
	for b.Loop() {
		s.Eval(c, in, up, ws)
	}
}

// The equations from rate and specific force are Pinocchio's, at any place, attitude and speed (testdata/floatingbase.py).
func TestBaseMotionAgainstPinocchio(t *testing.T) {
	text, err := os.ReadFile("testdata/floatingbase.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Joints []string
		States []struct{ Rate, Acceleration, Force, Q, DQ, DDQ, Torque []float64 }
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	r := testrobot.Quadruped(t, rand.New(rand.NewPCG(64, 7)))
	base, err := FloatingBaseOf(r)
	if err != nil {
		t.Fatal(err)
	}
	m := modelOf(t, r, Links)
	n := m.Joints()
	place := map[string]int{} // row of a joint
	for k, link := range m.JointLinks() {
		place[r.Links[link].Joint.Name] = k
	}
	for i, s := range want.States {
		in := Batch{Q: states(rand.New(rand.NewPCG(1, 1)), n, 1), DQ: states(rand.New(rand.NewPCG(1, 1)), n, 1), DDQ: states(rand.New(rand.NewPCG(1, 1)), n, 1)}
		var motion BaseMotion
		for k := range 3 {
			motion.Rate[k], motion.Acceleration[k], motion.SpecificForce[k] = s.Rate[k:k+1], s.Acceleration[k:k+1], s.Force[k:k+1]
		}
		base.Fill(&in, &motion)
		rows := base.Rows()
		at := rows[:]
		for k, name := range want.Joints {
			row := place[name]
			in.Q[row][0], in.DQ[row][0], in.DDQ[row][0] = s.Q[k], s.DQ[k], s.DDQ[k]
			at = append(at, row)
		}
		b := m.NewBlock(1)
		m.EvalBatch(b, in, m.NewWorkspace())
		for k, row := range at {
			got := 0.0
			for c, col := range m.Mask(row) {
				x, _ := ValueOf(r, m.Columns()[col])
				got += b.Joint[row][c][0] * x
			}
			if math.Abs(got-s.Torque[k]) > 1e-10*(1+math.Abs(s.Torque[k])) {
				t.Errorf("state %d, row %d: %.13g, Pinocchio %.13g", i, row, got, s.Torque[k])
			}
		}
	}
}

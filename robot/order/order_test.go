package order_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/mujocotest"
	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/mjcf"
	"ident/robot/order"
)

// body has the quantities of Newton's and Euler's equations about the origin of a frame.
type body struct {
	mass    float64
	moments [3]float64    // first
	inertia [3][3]float64 // about the origin
}

// read takes an engine's vector apart, by its documentation and no code of ours.
func read(e order.Engine, v []float64) body {
	switch e {
	case order.Pinocchio:
		return body{v[0], [3]float64(v[1:4]), [3][3]float64{{v[4], v[5], v[7]}, {v[5], v[6], v[8]}, {v[7], v[8], v[9]}}}
	case order.Drake:
		m := v[0]
		return body{m, [3]float64{m * v[1], m * v[2], m * v[3]}, [3][3]float64{{m * v[4], m * v[7], m * v[8]}, {m * v[7], m * v[5], m * v[9]}, {m * v[8], m * v[9], m * v[6]}}}
	}
	m, c := v[0], [3]float64(v[1:4])
	w, x, y, z := v[4], v[5], v[6], v[7]
	turn := [3][3]float64{{1 - 2*(y*y+z*z), 2 * (x*y - w*z), 2 * (x*z + w*y)}, {2 * (x*y + w*z), 1 - 2*(x*x+z*z), 2 * (y*z - w*x)}, {2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2*(x*x+y*y)}}
	var out body
	out.mass = m
	for i := range 3 {
		out.moments[i] = m * c[i]
		for k := range 3 {
			for n := range 3 {
				out.inertia[i][k] += turn[i][n] * v[8+n] * turn[k][n]
			}
			out.inertia[i][k] -= m * c[i] * c[k]
		}
		out.inertia[i][i] += m * (c[0]*c[0] + c[1]*c[1] + c[2]*c[2])
	}
	return out
}

// motion is a frame in the world with its rates.
type motion struct {
	at           robot.Transform
	turn, turned [3]float64 // rate and its derivative
	accel        [3]float64 // of the origin, less gravity
}

// torques are those of all bodies on all joints, each body by itself and in the world's axes: no recursion of forces.
func torques(r *robot.Robot, bodies []body, names []string, q, dq, ddq []float64) []float64 {
	moves := make([]motion, len(r.Links))
	tau := make([]float64, len(q))
	coordinate := map[int]int{}
	for k, i := range r.Moving() {
		coordinate[i] = k
	}
	at := map[string]int{}
	for k, name := range names {
		at[name] = k
	}
	for i := range r.Links {
		l := &r.Links[i]
		up := motion{at: robot.Identity(), accel: spatial.Scale(-1, r.Gravity)}
		if l.Antecedent >= 0 {
			up = moves[l.Antecedent]
		}
		frame := up.at.Mul(l.Placement)
		m := motion{at: frame, turn: up.turn, turned: up.turned}
		z := [3]float64{frame.R[0][2], frame.R[1][2], frame.R[2][2]}
		if k, ok := coordinate[i]; ok {
			switch l.Joint.Kind {
			case robot.Revolute:
				m.at.R = spatial.Mul(frame.R, spatial.RotZ(q[k]))
				m.turn = spatial.AddScaled(up.turn, dq[k], z)
				m.turned = spatial.Add(spatial.AddScaled(up.turned, ddq[k], z), spatial.Scale(dq[k], spatial.Cross(up.turn, z)))
			case robot.Prismatic:
				m.at.P = spatial.AddScaled(frame.P, q[k], z)
			}
		}
		arm := spatial.Sub(m.at.P, up.at.P)
		m.accel = spatial.Add(up.accel, spatial.Add(spatial.Cross(up.turned, arm), spatial.Cross(up.turn, spatial.Cross(up.turn, arm))))
		if k, ok := coordinate[i]; ok && l.Joint.Kind == robot.Prismatic {
			m.accel = spatial.Add(m.accel, spatial.Add(spatial.Scale(ddq[k], z), spatial.Scale(2*dq[k], spatial.Cross(up.turn, z))))
		}
		moves[i] = m
	}
	apply := func(link int, inLink robot.Transform, b body) {
		m := moves[link]
		place := m.at.Mul(inLink)
		arm := spatial.Sub(place.P, m.at.P)
		accel := spatial.Add(m.accel, spatial.Add(spatial.Cross(m.turned, arm), spatial.Cross(m.turn, spatial.Cross(m.turn, arm))))
		mc := spatial.MulVec(place.R, b.moments)
		inertia := spatial.Mul(place.R, spatial.Mul(b.inertia, spatial.Transpose(place.R)))
		force := spatial.Add(spatial.Scale(b.mass, accel), spatial.Add(spatial.Cross(m.turned, mc), spatial.Cross(m.turn, spatial.Cross(m.turn, mc))))
		moment := spatial.Add(spatial.MulVec(inertia, m.turned), spatial.Add(spatial.Cross(m.turn, spatial.MulVec(inertia, m.turn)), spatial.Cross(mc, accel)))
		for j := link; j >= 0; j = r.Links[j].Antecedent {
			k, ok := coordinate[j]
			if !ok {
				continue
			}
			f := moves[j].at
			z := [3]float64{f.R[0][2], f.R[1][2], f.R[2][2]}
			if r.Links[j].Joint.Kind == robot.Prismatic {
				tau[k] += spatial.Dot(z, force)
			} else {
				tau[k] += spatial.Dot(z, spatial.Add(moment, spatial.Cross(spatial.Sub(place.P, f.P), force)))
			}
		}
	}
	for i := range r.Links {
		if k, ok := at[r.Links[i].Name]; ok {
			apply(i, r.Links[i].UserFrame, bodies[k])
		}
	}
	for _, l := range r.Lumped {
		if k, ok := at[l.Name]; ok && l.Into >= 0 {
			apply(l.Into, l.InLink, bodies[k])
		}
	}
	return tau
}

// The torques of every engine's vectors, by equations of our own for each body, are those of the robot.
func TestTorquesOfVectors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		r := testrobot.Random(rng, rapid.IntRange(1, 7).Draw(t, "joints"), true)
		r.Mimics, r.Drives = nil, nil
		for i := range r.Links {
			r.Links[i].Joint.Ia = 0 // is of the joint
		}
		n := r.DOF()
		var x [3][]float64
		for d := range x {
			for range n {
				x[d] = append(x[d], 2*rng.NormFloat64())
			}
		}
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		want, most := make([]float64, n), 0.0
		zero := make([]float64, n)
		for _, part := range [][3][]float64{{x[0], zero, zero}, {x[0], x[1], zero}, x} {
			tree.InverseDynamics(want, part[0], part[1], part[2])
			for _, v := range want {
				most = max(most, math.Abs(v))
			}
		}
		for _, e := range order.Engines() {
			all, err := order.Bodies(e, r)
			if err != nil {
				t.Fatal(err)
			}
			var bodies []body
			var names []string
			for _, b := range all {
				if len(b.Values) != len(order.Layout(e)) {
					t.Fatalf("%s: %d values", e, len(b.Values))
				}
				bodies, names = append(bodies, read(e, b.Values)), append(names, b.Name)
			}
			for k, v := range torques(r, bodies, names, x[0], x[1], x[2]) {
				// Forces of each body, of which those of opposite signs cancel, over arms of metres through seven links; central moments lose
				// digits where the mass centre is far off: hundreds of units in the last place.
				if !(math.Abs(v-want[k]) <= 1e-10*max(most, 1)) {
					t.Fatalf("%s, joint %d: %.14g, want %.14g", e, k+1, v, want[k])
				}
			}
		}
	})
}

// Of one body by hand: 2 kg at (0.1, 0, 0), central moments 0.02, 0.03, 0.04 about axes turned by 90° about z.
func TestVectorsByHand(t *testing.T) {
	p := robot.InertialFromCentral(2, [3]float64{0.1, 0, 0}, [3][3]float64{{0.02, 0, 0.001}, {0, 0.03, 0}, {0.001, 0, 0.04}})
	for e, want := range map[order.Engine]string{
		order.Pinocchio: "[2.0000 0.2000 0.0000 0.0000 0.0200 0.0000 0.0500 0.0010 0.0000 0.0600]",
		order.Drake:     "[2.0000 0.1000 0.0000 0.0000 0.0100 0.0250 0.0300 0.0000 0.0005 0.0000]",
	} {
		v, err := order.Vector(e, p)
		if got := fmt.Sprintf("%.4f", v); err != nil || got != want {
			t.Errorf("%s: %s, want %s, %v", e, got, want, err)
		}
	}
	// The principal axes of x and z turn by half of atan(2·0.001/(0.02 − 0.04)) about y.
	v, err := order.Vector(order.MuJoCo, p)
	turn := -0.5 * math.Atan2(-2*0.001, 0.04-0.02) / 2
	if err != nil || math.Abs(math.Abs(v[6])-math.Abs(math.Sin(turn))) > 1e-12 || math.Abs(v[8]+v[10]-0.06) > 1e-15 || math.Abs(v[9]-0.03) > 1e-15 {
		t.Errorf("%v, %v, turned by %g", v, err, turn)
	}
	for _, e := range order.Engines() {
		v, err := order.Vector(e, robot.Inertial{robot.XX: 1})
		if e == order.Pinocchio != (err == nil) || err != nil && !errors.Is(err, robot.ErrNotWritable) {
			t.Errorf("%s: %v, %v", e, v, err)
		}
		if v, err := order.Vector(e, robot.Inertial{}); err != nil || v[0] != 0 {
			t.Errorf("%s: %v, %v", e, v, err)
		}
	}
}

// MuJoCo itself, with the vectors put into mjModel over those of other bodies, gives the torques.
func TestMuJoCoVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 8))
	var questions []mujocotest.Question
	var want [][][]float64
	for i := range 8 {
		r := testrobot.Random(rng, 2+i%6, true)
		r.Mimics, r.Drives = nil, nil
		other := r.Clone()
		for k := range other.Links {
			l := &other.Links[k]
			more := robot.InertialFromCentral(1+rng.Float64(), [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}, [3][3]float64{{0.1, 0.01, 0.02}, {0.01, 0.12, 0.03}, {0.02, 0.03, 0.13}})
			l.Inertial, l.Own = l.Inertial.Add(more.Sub(l.Own)), more
		}
		var b bytes.Buffer
		if err := mjcf.Write(&b, other); err != nil {
			t.Log(err)
			continue
		}
		all, err := order.Bodies(order.MuJoCo, r)
		if err != nil {
			t.Fatal(err)
		}
		q := mujocotest.Question{Model: b.String(), Bodies: map[string][]float64{}}
		for _, body := range all {
			q.Bodies[body.Name] = body.Values
		}
		back, err := format.Read(b.Bytes(), "mjcf", "other", robot.ReadOptions{NoSnap: true})
		if err != nil {
			t.Fatal(err)
		}
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		at := map[string]int{}
		for k, name := range r.JointNames() {
			at[name] = k
		}
		var all100 [][]float64
		for range 100 {
			var own, s [3][]float64
			for d := range own {
				for range at {
					own[d] = append(own[d], 2*rng.NormFloat64())
				}
				for _, name := range back.JointNames() {
					s[d] = append(s[d], own[d][at[name]])
				}
			}
			tau := make([]float64, len(at))
			tree.InverseDynamics(tau, own[0], own[1], own[2])
			for k, link := range tree.Coordinates() {
				tau[k] += r.Links[link].Joint.Fv * own[1][k]
			}
			var ordered []float64
			for _, name := range back.JointNames() {
				ordered = append(ordered, tau[at[name]])
			}
			q.States = append(q.States, mujocotest.State{Q: s[0], DQ: s[1], DDQ: s[2]})
			all100 = append(all100, ordered)
		}
		questions, want = append(questions, q), append(want, all100)
	}
	worst := 0.0
	for i, a := range mujocotest.Inverse(t, questions) {
		if a.Error != "" {
			t.Fatal(a.Error)
		}
		for s, tau := range a.Torques {
			most, off := 0.0, 0.0
			for k, v := range tau {
				most, off = max(most, math.Abs(v)), max(off, math.Abs(v-want[i][s][k]))
			}
			if worst = max(worst, off/most); !(off <= 1e-10*most) {
				t.Fatalf("model %d, state %d: torques up to %g differ by %g", i+1, s+1, most, off)
			}
		}
	}
	t.Logf("%d robots: torques agree to %.1e of the largest", len(questions), worst)
}

func ExampleVector() {
	p := robot.InertialFromCentral(2, [3]float64{0.5, 0, 0}, [3][3]float64{{0.25, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}})
	for _, e := range order.Engines() {
		v, err := order.Vector(e, p)
		fmt.Println(e, v, err)
	}
	// Output:
	// pinocchio [2 1 0 0 0.25 0 1 0 0 1] <nil>
	// mujoco [2 0.5 0 0 1 0 0 0 0.25 0.5 0.5] <nil>
	// drake [2 0.5 0 0 0.125 0.5 0.5 0 0 0] <nil>
}

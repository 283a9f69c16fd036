package regressor

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/mechanics/loops"
	"ident/robot"
)

// swing is a closed robot with a motion of its driven joints around a regular
// state that it can follow.
type swing struct {
	r          *robot.Robot
	m          *Model
	q, dq, ddq [][]float64
}

func newSwing(t testing.TB, r *robot.Robot, seed uint64, amplitude, dt float64, samples int, terms ...Term) swing {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 77))
	c, err := loops.NewClosure(r)
	if err != nil {
		t.Fatal(err)
	}
	var at *loops.Motion
	for at == nil || mat.Norm(at.G, math.Inf(1)) > 6 {
		if at, err = c.Assemble(rng); err != nil {
			t.Fatal(err)
		}
	}
	r.Assembly = c.Named(at.Q)
	m, err := NewDynamic(r, terms)
	if err != nil {
		t.Fatal(err)
	}
	s := swing{r: r, m: m}
	for i, k := range c.Active() {
		q, dq, ddq := make([]float64, samples), make([]float64, samples), make([]float64, samples)
		for l := range q {
			w := 2 + 0.7*float64(i)
			sin, cos := math.Sincos(w * dt * float64(l))
			q[l], dq[l], ddq[l] = at.Q[k]+amplitude*sin, amplitude*w*cos, -amplitude*w*w*sin
		}
		s.q, s.dq, s.ddq = append(s.q, q), append(s.dq, dq), append(s.ddq, ddq)
	}
	return s
}

func closedRobots(t testing.TB) []*robot.Robot {
	return []*robot.Robot{testrobot.FourBar(1, 0.35, 0.9, 0.7, 0.4, 1.1), testrobot.Bennett(), testrobot.SR400(t), testrobot.AKR3000(t)}
}

// Y·χ against Gᵀ·τ of the recursive Newton-Euler algorithm at states that the
// singular values of the constraints give, with friction of passive joints.
func TestClosedAgainstNewtonEuler(t *testing.T) {
	for i, r := range closedRobots(t) {
		testrobot.Weigh(r, rand.New(rand.NewPCG(uint64(i), 5)))
		const samples = 150 // more than two batches of lanes, and a part
		s := newSwing(t, r, uint64(i), 0.05, 0.01, samples, DefaultTerms()...)
		chi := make([]float64, len(s.m.Columns()))
		for c, col := range s.m.Columns() {
			if col.Term == Fo && r.Links[col.Link].Joint.Passive || col.Term == Ia && r.Links[col.Link].Joint.Passive {
				t.Errorf("%s: column %s of a joint without a drive", r.Name, col.Name)
			}
			chi[c], _ = ValueOf(r, col)
		}
		b, ws := s.m.NewBlock(samples), s.m.NewWorkspace()
		s.m.Eval(b, s.q, s.dq, s.ddq, ws)
		if err := ws.Err(); err != nil {
			t.Fatal(err)
		}
		fast := s.m.Compiled()
		quick, wq := fast.NewBlock(samples), fast.NewWorkspace()
		fast.Eval(quick, s.q, s.dq, s.ddq, wq)
		for k := range b.Joint {
			for a := range b.Joint[k] {
				for l, v := range b.Joint[k][a] {
					if math.Abs(quick.Joint[k][a][l]-v) > 1e-10*(1+math.Abs(v)) {
						t.Fatalf("%s: %s in row %d is %g compiled and %g by the recursion", r.Name, s.m.Names()[s.m.Mask(k)[a]], k+1, quick.Joint[k][a][l], v)
					}
				}
			}
		}
		tau := make([][]float64, s.m.Joints())
		for k := range tau {
			tau[k] = make([]float64, samples)
		}
		s.m.Predict(tau, b, chi)

		c, err := loops.NewClosure(r)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		at, err := c.Assembled(r.Assembly)
		if err != nil {
			t.Fatal(err)
		}
		state := at.Q
		for l := range samples {
			na := s.m.Joints()
			rates, accs := make([]float64, na), make([]float64, na)
			for i, k := range c.Active() {
				state[k], rates[i], accs[i] = s.q[i][l], s.dq[i][l], s.ddq[i][l]
			}
			if state, err = c.Close(state, c.Active()); err != nil {
				t.Fatal(err)
			}
			m, err := c.Motion(state)
			if err != nil {
				t.Fatal(err)
			}
			full := make([]float64, c.DOF())
			dq := m.Rates(rates)
			tree.InverseDynamics(full, state[:c.DOF()], dq, m.Accelerations(rates, accs))
			size := 0.0
			for k := range full {
				j := r.Links[k].Joint
				full[k] += j.Fv*dq[k] + j.Fs*math.Copysign(1, dq[k]) + j.Fo
				size = math.Max(size, math.Abs(full[k]))
			}
			for i := range na {
				want := 0.0
				for k := range full {
					want += m.G.At(k, i) * full[k]
				}
				if math.Abs(tau[i][l]-want) > 1e-8*size {
					t.Fatalf("%s, sample %d: torque of drive %d is %.12g, by Newton-Euler %.12g", r.Name, l, i+1, tau[i][l], want)
				}
			}
		}
	}
}

// Selected columns, a batch begun elsewhere and a workspace used before give the
// same rows.
func TestClosedBatches(t *testing.T) {
	const samples = 200
	s := newSwing(t, testrobot.SR400(t), 3, 0.05, 0.01, samples, Links)
	whole, ws := s.m.NewBlock(samples), s.m.NewWorkspace()
	s.m.Eval(whole, s.q, s.dq, s.ddq, ws)
	cut := func(v [][]float64, from int) [][]float64 {
		out := make([][]float64, len(v))
		for k := range v {
			out[k] = v[k][from:]
		}
		return out
	}
	const from = 77
	fresh, used := s.m.NewBlock(samples-from), s.m.NewBlock(samples-from)
	s.m.Eval(fresh, cut(s.q, from), cut(s.dq, from), cut(s.ddq, from), s.m.NewWorkspace())
	s.m.Eval(used, cut(s.q, from), cut(s.dq, from), cut(s.ddq, from), ws)
	few := []int{3, 17, 40, 61}
	part := s.m.Select(few)
	chosen := part.NewBlock(samples)
	part.Eval(chosen, s.q, s.dq, s.ddq, part.NewWorkspace())
	for k := range whole.Joint {
		for c, col := range s.m.Mask(k) {
			for i := from; i < samples; i++ {
				w, f, u := whole.Joint[k][c][i], fresh.Joint[k][c][i-from], used.Joint[k][c][i-from]
				if f != u {
					t.Fatalf("row %d, column %d: a workspace that was used before gives %g, a fresh one %g", k, col, u, f)
				}
				if math.Abs(w-f) > 1e-10*(1+math.Abs(w)) {
					t.Fatalf("row %d, column %d, sample %d: %g in the whole batch, %g in a part", k, col, i, w, f)
				}
			}
		}
		for c, col := range part.Mask(k) {
			at := -1
			for p, m := range s.m.Mask(k) {
				if m == few[col] {
					at = p
				}
			}
			if at < 0 {
				t.Fatalf("row %d has column %d only when selected", k, few[col])
			}
			for i := range samples {
				if math.Abs(chosen.Joint[k][c][i]-whole.Joint[k][at][i]) > 1e-12*(1+math.Abs(whole.Joint[k][at][i])) {
					t.Fatalf("row %d, column %d: %g selected, %g in the whole model", k, few[col], chosen.Joint[k][c][i], whole.Joint[k][at][i])
				}
			}
		}
	}
}

// Where the loops cannot be closed the rows are NaN, and Err says which and why.
func TestClosedOutOfReach(t *testing.T) {
	const samples = 120
	s := newSwing(t, testrobot.AKR3000(t), 4, 0.03, 0.01, samples, Links)
	s.q[1][90] = 9 // the first slide
	b, ws := s.m.NewBlock(samples), s.m.NewWorkspace()
	s.m.Eval(b, s.q, s.dq, s.ddq, ws)
	var at *SampleError
	var lost *loops.TrackError
	if err := ws.Err(); !errors.As(err, &at) || at.Sample != 90 || !errors.As(err, &lost) || !strings.Contains(err.Error(), "sample 91") {
		t.Fatalf("a slide of 9 m: %v", ws.Err())
	}
	for k := range b.Joint {
		for c := range b.Joint[k] {
			if math.IsNaN(b.Joint[k][c][89]) || !math.IsNaN(b.Joint[k][c][90]) || !math.IsNaN(b.Joint[k][c][119]) {
				t.Fatal("rows before the fault are to be kept, those from it on to be NaN")
			}
		}
	}
	s.q[1][90] = s.q[1][89]
	if s.m.Eval(b, s.q, s.dq, s.ddq, ws); ws.Err() != nil {
		t.Errorf("the next batch: %v", ws.Err())
	}
}

// The cost of a closed robot's rows, and of those of its tree at the same motion.
func BenchmarkClosed(b *testing.B) {
	for _, c := range []struct {
		name string
		r    *robot.Robot
		seed uint64
	}{
		{"four-bar", testrobot.FourBar(1, 0.35, 0.9, 0.7, 0, 0), 5},
		{"SR400", testrobot.SR400(b), 1}, // a parallelogram
		{"SR400-crossed", testrobot.SR400(b), 5},
		{"AKR3000", testrobot.AKR3000(b), 5},
	} {
		const samples = 1024
		s := newSwing(b, c.r, c.seed, 0.04, 0.001, samples, DefaultTerms()...)
		report := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/samples, "ns/sample")
		}
		for name, m := range map[string]*Model{"closed": s.m, "compiled": s.m.Compiled()} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				block, ws := m.NewBlock(samples), m.NewWorkspace()
				b.ReportAllocs()
				for b.Loop() {
					m.Eval(block, s.q, s.dq, s.ddq, ws)
				}
				if ws.Err() != nil {
					b.Fatal(ws.Err())
				}
				report(b)
			})
		}
		for name, tree := range map[string]*Model{"tree": s.m.Tree(), "compiled-tree": s.m.Compiled().Tree()} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				n := tree.Joints()
				q, dq, ddq := make([][]float64, n), make([][]float64, n), make([][]float64, n)
				for k := range n {
					i := k % len(s.q)
					q[k], dq[k], ddq[k] = s.q[i], s.dq[i], s.ddq[i]
				}
				block, ws := tree.NewBlock(samples), tree.NewWorkspace()
				b.ReportAllocs()
				for b.Loop() {
					tree.Eval(block, q, dq, ddq, ws)
				}
				report(b)
			})
		}
	}
}

// d/dt(D1) + D2 = Y and q̇ᵀY = d/dt(h) + p, the derivatives by time by central
// differences, as for trees.
func TestClosedMomentumAndEnergy(t *testing.T) {
	const dt = 1e-3
	for i, r := range closedRobots(t) {
		testrobot.Weigh(r, rand.New(rand.NewPCG(uint64(i), 6)))
		const samples = 70
		tip := ContactAt(r.Links[len(r.Links)-1].Name, []float64{0.1, 0.2, -0.1, 1, 2, 3, 0, 1, 0})
		s := newSwing(t, r, uint64(i), 0.05, dt, samples, Links, Ia, Fv, Fs, Fo, Spring, tip)
		in, ws := Batch{Q: s.q, DQ: s.dq, DDQ: s.ddq}, s.m.NewWorkspace()
		copy(in.Contact[:], states(rand.New(rand.NewPCG(uint64(i), 7)), 2, samples))
		y, d1, d2, h := s.m.NewBlock(samples), s.m.NewBlock(samples), s.m.NewBlock(samples), s.m.NewEnergyBlock(samples)
		s.m.EvalBatch(y, in, ws)
		s.m.EvalMomentum(d1, d2, in, ws)
		if ws.Err() != nil {
			t.Fatal(ws.Err())
		}
		s.m.EvalEnergy(h, in, ws)
		if ws.Err() != nil {
			t.Fatal(ws.Err())
		}
		largest := make([]float64, len(s.m.Columns()))
		for k := range y.Joint {
			for c, col := range s.m.Mask(k) {
				for _, v := range y.Joint[k][c] {
					largest[col] = math.Max(largest[col], math.Abs(v))
				}
			}
		}
		slope := func(x []float64, l int) float64 { return (x[l-2] - 8*x[l-1] + 8*x[l+1] - x[l+2]) / (12 * dt) }
		power := make([][]float64, len(s.m.Columns()))
		for c := range power {
			power[c] = make([]float64, samples)
		}
		for k := range y.Joint {
			for c, col := range s.m.Mask(k) {
				for l := 2; l < samples-2; l++ {
					got, want := slope(d1.Joint[k][c], l)+d2.Joint[k][c][l], y.Joint[k][c][l]
					if math.Abs(got-want) > 1e-7*(1+largest[col]) {
						t.Fatalf("%s, %s in row %d: %.10g by momentum, %.10g by acceleration", r.Name, s.m.Names()[col], k+1, got, want)
					}
					power[col][l] += s.dq[k][l] * want
				}
			}
		}
		for c, stored := range s.m.Stored() {
			for l := 2; l < samples-2; l++ {
				got := h.Joint[0][c][l]
				if stored {
					got = slope(h.Joint[0][c], l)
				}
				if math.Abs(got-power[c][l]) > 1e-7*(1+largest[c]) {
					t.Fatalf("%s: power of %s is %.10g, by its torques %.10g", r.Name, s.m.Names()[c], got, power[c][l])
				}
			}
		}
	}
}

// A joint that the loops move, marked as driven.
func TestClosedRedundantDrives(t *testing.T) {
	r := testrobot.SR400(t)
	r.Links[2].Joint.Passive = false
	_, err := NewDynamic(r, []Term{Links})
	var red *RedundantError
	if !errors.As(err, &red) || red.Drives != 7 || red.Motions != 6 || len(red.Idle) != 1 || !strings.Contains(err.Error(), "J7") {
		t.Errorf("J3 marked as driven: %v", err)
	}
}

// The gradient through loops against differences of the fourth order.
func TestClosedPullback(t *testing.T) {
	const samples = 5
	for i, r := range closedRobots(t) {
		s := newSwing(t, r, uint64(i)+20, 0.04, 0.1, samples, DefaultTerms()...)
		rng := rand.New(rand.NewPCG(uint64(i), 8))
		gamma, ws := s.m.NewBlock(samples), s.m.NewWorkspace()
		for k := range gamma.Joint {
			for c := range gamma.Joint[k] {
				for l := range gamma.Joint[k][c] {
					gamma.Joint[k][c][l] = rng.NormFloat64()
				}
			}
		}
		n := s.m.Joints()
		var grad [3][][]float64
		for kind := range grad {
			for range n {
				grad[kind] = append(grad[kind], make([]float64, samples))
			}
		}
		s.m.Pullback(grad[0], grad[1], grad[2], gamma, s.q, s.dq, s.ddq, s.m.NewAdjoint())
		b := s.m.NewBlock(samples)
		sum := func() float64 {
			s.m.Eval(b, s.q, s.dq, s.ddq, ws)
			total := 0.0
			for k := range b.Joint {
				for c := range b.Joint[k] {
					for l, v := range b.Joint[k][c] {
						total += gamma.Joint[k][c][l] * v
					}
				}
			}
			return total
		}
		scale := 1 + math.Abs(sum())
		for kind, motion := range [3][][]float64{s.q, s.dq, s.ddq} {
			for k := range n {
				const l, h = 2, 1e-3
				at := motion[k][l]
				f := func(x float64) float64 { motion[k][l] = at + x; return sum() }
				want := (8*(f(h)-f(-h)) - (f(2*h) - f(-2*h))) / (12 * h)
				motion[k][l] = at
				if got := grad[kind][k][l]; math.Abs(got-want) > 1e-5*(scale+math.Abs(want)) {
					t.Errorf("%s: derivative %d by joint %d is %.9g, by differences %.9g", r.Name, kind, k+1, got, want)
				}
			}
		}
	}
}

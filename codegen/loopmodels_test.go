package codegen

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/testrobot"
	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
)

// fullMotion closes a robot's loops at driven positions near its assembly, and returns the coordinates with
// those of the cuts, and rates and accelerations of the tree.
func fullMotion(t testing.TB, r *robot.Robot, s state) (*loops.Tracker, []float64, *loops.Motion) {
	t.Helper()
	m, err := regressor.NewDynamic(r, links)
	if err != nil {
		t.Fatal(err)
	}
	tr := m.Loops()
	q := slices.Clone(tr.Start().Q)
	for i, k := range tr.Driven() {
		q[k] = s.q[i]
	}
	q, err = tr.Closure().Close(q, tr.Driven())
	if err != nil {
		t.Fatal(err)
	}
	motion, err := tr.Closure().Motion(q)
	if err != nil {
		t.Fatal(err)
	}
	return tr, q, motion
}

// The formulas of loops are the motion that singular values of the constraints give.
func TestLoopSolution(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, r := range closedRobots(t) {
		s := newSubject(t, rng, r, Options{}).s
		_, q, m := fullMotion(t, r, s)
		p := build(t, LoopSolution, r, Options{})
		got := p.Eval(s.inputs(t, r, p, nil))
		n := len(got[0])
		for k := range n {
			if d := math.Abs(math.Remainder(got[0][k]-q[k], 2*math.Pi)); !(d <= 1e-11) { // that of a closed loop, see package loops
				t.Errorf("%s: coordinate %d is %.15g, want %.15g", r.Name, k, got[0][k], q[k])
			}
		}
		near := func(what string, got, want []float64) {
			t.Helper()
			size := 0.0
			for _, v := range want {
				size = math.Max(size, math.Abs(v))
			}
			for i := range want {
				// The state is closed to 1e-11 of the lengths, and G amplifies that by its condition, some ten.
				if !(math.Abs(got[i]-want[i]) <= 1e-9*(1+size)) {
					t.Errorf("%s: %s %d is %.15g, want %.15g", r.Name, what, i, got[i], want[i])
				}
			}
		}
		near("rate", got[1], m.Rates(s.dq))
		near("acceleration", got[2], m.Accelerations(s.dq, s.ddq))
		near("entry of G", got[3], mat.DenseCopyOf(m.G).RawMatrix().Data)
		for i, v := range got[4] {
			if v <= 0 {
				t.Errorf("%s: guard %d is %g", r.Name, i, v)
			}
		}
	}
}

// The constraints vanish at closed states with the mismatch, its rate and its acceleration, and their
// derivative is that of the mismatch.
func TestLoopConstraints(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, r := range append(closedRobots(t), testrobot.Bennett()) {
		m, err := regressor.NewDynamic(r, links)
		if err != nil {
			t.Fatal(err)
		}
		s := closedState(t, rng, r, m)
		tr, q, motion := fullMotion(t, r, s)
		p := build(t, LoopConstraints, r, Options{})
		n, tree := len(q), tr.Closure().DOF()
		eval := func(q, dq []float64) [][]float64 { return p.Eval(slices.Concat(q, dq)) }
		still := make([]float64, n)
		out := eval(q, still)
		rows := len(out[0])
		for i, v := range out[0] {
			if math.Abs(v) > 1e-10 {
				t.Errorf("%s: mismatch %d is %g at a closed state", r.Name, i, v)
			}
		}
		w := mat.NewDense(rows, n, out[1])
		// Rates of cut joints are those that leave least.
		complete := func(of, more []float64) []float64 {
			full := make([]float64, n)
			copy(full, of)
			if n > tree {
				var right, x mat.VecDense
				right.MulVec(w, mat.NewVecDense(n, full))
				right.AddVec(&right, mat.NewVecDense(rows, more))
				right.ScaleVec(-1, &right)
				var qr mat.SVD
				if !qr.Factorize(w.Slice(0, rows, tree, n), mat.SVDThin) {
					t.Fatal("no decomposition")
				}
				qr.SolveVecTo(&x, &right, n-tree)
				for i := range n - tree {
					full[tree+i] = x.AtVec(i)
				}
			}
			return full
		}
		left := func(v, more []float64) float64 {
			var x mat.VecDense
			x.MulVec(w, mat.NewVecDense(n, v))
			x.AddVec(&x, mat.NewVecDense(rows, more))
			return mat.Norm(&x, math.Inf(1)) / (1 + mat.Norm(w, math.Inf(1))*mat.Norm(mat.NewVecDense(n, v), math.Inf(1)))
		}
		dq := complete(motion.Rates(s.dq), make([]float64, rows))
		if e := left(dq, make([]float64, rows)); e > 1e-9 {
			t.Errorf("%s: W·dq leaves %g", r.Name, e)
		}
		psi := eval(q, dq)[2]
		ddq := complete(motion.Accelerations(s.dq, s.ddq), psi)
		if e := left(ddq, psi); e > 1e-9 {
			t.Errorf("%s: W·ddq + psi leaves %g", r.Name, e)
		}
		for c := range n {
			const h = 1e-5
			moved := slices.Clone(q)
			moved[c] += h
			above := eval(moved, still)[0]
			moved[c] -= 2 * h
			below := eval(moved, still)[0]
			for i := range rows {
				// Third derivatives are of the size of the lengths: h² and rounding over h.
				if d := (above[i] - below[i]) / (2 * h); math.Abs(d-w.At(i, c)) > 1e-8*(1+math.Abs(d)) {
					t.Errorf("%s: W %d, %d is %.12g, the difference %.12g", r.Name, i, c, w.At(i, c), d)
				}
			}
		}
	}
	if _, err := Build(t.Context(), LoopConstraints, general(3), Options{}); !errors.Is(err, ErrLoopless) {
		t.Errorf("a tree: %v", err)
	}
}

// Newton's steps close a loop in space, which has no formulas.
func TestNewtonStep(t *testing.T) {
	r := testrobot.Bennett()
	m, err := regressor.NewDynamic(r, links)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 3))
	s := closedState(t, rng, r, m)
	tr, want, _ := fullMotion(t, r, s)
	p := build(t, LoopSolution, r, Options{})
	q := slices.Clone(want)
	for c := range q {
		if !slices.Contains(tr.Driven(), c) {
			q[c] += 0.05 * math.Tanh(rng.NormFloat64())
		}
	}
	for range 6 {
		q = p.Eval(q)[0]
	}
	for c := range q {
		if math.Abs(q[c]-want[c]) > 1e-9 {
			t.Errorf("coordinate %d is %.12g, want %.12g", c, q[c], want[c])
		}
	}
}

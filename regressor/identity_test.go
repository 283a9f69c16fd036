package regressor

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// parameters returns the robot's own values of a model's columns.
func parameters(r *robot.Robot, m *Model) []float64 {
	chi := make([]float64, len(m.Columns()))
	for i, c := range m.Columns() {
		chi[i], _ = ValueOf(r, c)
	}
	return chi
}

// The identity of the dynamic model: Y(q, dq, ddq)·χ equals the torques of the
// recursive Newton-Euler algorithm for every tree, with mimic joints, and for any
// number of samples (whole batches of lanes and a rest).
func TestDynamicModelIsNewtonEuler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		r := testrobot.Random(rng, rapid.IntRange(1, 9).Draw(t, "links"), true)
		moving := r.Moving()
		if len(moving) > 2 && rapid.Bool().Draw(t, "mimic") {
			r.Mimics = append(r.Mimics, robot.Mimic{Joint: moving[2], Of: moving[0], Multiplier: -1.5, Offset: 0.3})
		}
		samples := rapid.IntRange(1, 2*Lanes+3).Draw(t, "samples")
		m, err := NewDynamic(r, []Term{Links, Ia})
		if err != nil {
			t.Fatal(err)
		}
		q, dq, ddq := states(rng, m.Joints(), samples), states(rng, m.Joints(), samples), states(rng, m.Joints(), samples)
		b := m.NewBlock(samples)
		m.Eval(b, q, dq, ddq, m.NewWorkspace())
		tau := states(rng, m.Joints(), samples)
		m.Predict(tau, b, parameters(r, m))
		checkTorques(t, r, q, dq, ddq, tau)
	})
}

func checkTorques(t *rapid.T, r *robot.Robot, q, dq, ddq, tau [][]float64) {
	t.Helper()
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	n := len(q)
	at := func(v [][]float64, i int) []float64 {
		out := make([]float64, n)
		for k := range n {
			out[k] = v[k][i]
		}
		return out
	}
	want := make([]float64, n)
	for i := range q[0] {
		tree.InverseDynamics(want, at(q, i), at(dq, i), at(ddq, i))
		for k := range n {
			if d := math.Abs(want[k] - tau[k][i]); !(d <= 1e-10*(1+math.Abs(want[k]))) {
				t.Fatalf("sample %d joint %d: Y·χ = %.15g, Newton-Euler %.15g", i, k+1, tau[k][i], want[k])
			}
		}
	}
}

func states(rng *rand.Rand, joints, samples int) [][]float64 {
	v := make([][]float64, joints)
	for k := range v {
		v[k] = make([]float64, samples)
		for i := range v[k] {
			v[k][i] = rng.NormFloat64()
		}
	}
	return v
}

// A selected model has exactly the columns of the whole one.
func TestSelectKeepsColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		r := testrobot.Random(rng, rapid.IntRange(1, 7).Draw(t, "links"), true)
		if d := r.Moving(); len(d) > 1 {
			r.Drives = append(r.Drives, robot.Drive{Number: d[1], Weights: map[int]float64{d[0]: 1, d[1]: 2}})
		}
		whole, err := NewDynamic(r, DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		var keep []int
		for c := range whole.Columns() {
			if rng.IntN(2) == 0 {
				keep = append(keep, c)
			}
		}
		part := whole.Select(keep)
		q, dq, ddq := states(rng, whole.Joints(), 5), states(rng, whole.Joints(), 5), states(rng, whole.Joints(), 5)
		bw, bp := whole.NewBlock(5), part.NewBlock(5)
		whole.Eval(bw, q, dq, ddq, whole.NewWorkspace())
		part.Eval(bp, q, dq, ddq, part.NewWorkspace())
		for k := range whole.Joints() {
			dense := map[int][]float64{}
			for c, col := range whole.Mask(k) {
				dense[col] = bw.Joint[k][c]
			}
			seen := 0
			for c, col := range part.Mask(k) {
				if part.Columns()[col].Name != whole.Columns()[keep[col]].Name {
					t.Fatalf("column %d is %s, want %s", col, part.Columns()[col].Name, whole.Columns()[keep[col]].Name)
				}
				seen++
				for i, v := range bp.Joint[k][c] {
					if v != dense[keep[col]][i] {
						t.Fatalf("joint %d column %s sample %d: %g, whole model %g", k+1, part.Columns()[col].Name, i, v, dense[keep[col]][i])
					}
				}
			}
			want := 0
			for _, col := range keep {
				if _, ok := dense[col]; ok {
					want++
				}
			}
			if seen != want {
				t.Fatalf("joint %d: %d columns, want %d", k+1, seen, want)
			}
		}
	})
}

// Drive columns by virtual work: a drive of rate s = Σ w·dq with torque u does
// the power s·u, so the joint torques are w·u.
func TestDriveColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	r := testrobot.Random(rng, 3, false)
	r.Drives = append(r.Drives, robot.Drive{Number: 2, Weights: map[int]float64{1: 1, 2: 2}})
	m, err := NewDynamic(r, []Term{Ia, Fv, Fs, Fo})
	if err != nil {
		t.Fatal(err)
	}
	q, dq, ddq := states(rng, 3, 4), states(rng, 3, 4), states(rng, 3, 4)
	b := m.NewBlock(4)
	m.Eval(b, q, dq, ddq, m.NewWorkspace())
	get := func(joint int, name string, i int) float64 {
		for c, col := range m.Mask(joint) {
			if m.Columns()[col].Name == name {
				return b.Joint[joint][c][i]
			}
		}
		return 0
	}
	for i := range 4 {
		rate, acc := dq[1][i]+2*dq[2][i], ddq[1][i]+2*ddq[2][i]
		for joint, w := range []float64{0, 1, 2} {
			for name, want := range map[string]float64{"Iam3": w * acc, "Fvm3": w * rate, "Fsm3": w * math.Copysign(1, rate)} {
				if got := get(joint, name, i); got != want {
					t.Errorf("%s of joint %d: %g, want %g", name, joint+1, got, want)
				}
			}
			for name, v := range map[string][][]float64{"Ia": ddq, "Fv": dq} {
				for j := range 3 {
					want := 0.0
					if j == joint {
						want = v[j][i]
					}
					if got := get(joint, robot.ParameterName(name, j), i); got != want {
						t.Errorf("%s%d of joint %d: %g, want %g", name, j+1, joint+1, got, want)
					}
				}
			}
		}
	}
}

// A shared drive on a joint and on its mimic acts on their one coordinate with both
// weights: s = (1 + 2·3)·q of joint 2.
func TestDriveOnMimic(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	r := testrobot.Random(rng, 3, false)
	r.Mimics = []robot.Mimic{{Joint: 2, Of: 1, Multiplier: 3}}
	r.Drives = []robot.Drive{{Number: 2, Weights: map[int]float64{1: 1, 2: 2}}}
	m, err := NewDynamic(r, []Term{Ia, Fv})
	if err != nil {
		t.Fatal(err)
	}
	q, dq, ddq := states(rng, 2, 4), states(rng, 2, 4), states(rng, 2, 4)
	b := m.NewBlock(4)
	m.Eval(b, q, dq, ddq, m.NewWorkspace())
	found := 0
	for c, col := range m.Mask(1) {
		want, ok := map[string][]float64{"Iam3": ddq[1], "Fvm3": dq[1]}[m.Columns()[col].Name]
		if !ok {
			continue
		}
		found++
		for i, v := range b.Joint[1][c] {
			if w := 7 * 7 * want[i]; math.Abs(v-w) > 1e-14*math.Abs(w) {
				t.Errorf("%s: %g, want %g", m.Columns()[col].Name, v, w)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d columns of the drive, want 2", found)
	}
}

func benchmarkRegressor(b *testing.B, n int) {
	rng := rand.New(rand.NewPCG(uint64(n), 9))
	r := testrobot.Random(rng, n, false)
	for j := range r.Links {
		r.Links[j].Joint.Kind = robot.Revolute
		r.Links[j].Antecedent = j - 1
		if n == 30 { // six limbs of five joints on a common body
			if j%5 == 0 {
				r.Links[j].Antecedent = -1
			}
		}
	}
	m, err := NewDynamic(r, []Term{Links})
	if err != nil {
		b.Fatal(err)
	}
	const samples = 1024
	q, dq, ddq := states(rng, n, samples), states(rng, n, samples), states(rng, n, samples)
	block, ws := m.NewBlock(samples), m.NewWorkspace()
	b.ReportAllocs()
	for b.Loop() {
		m.Eval(block, q, dq, ddq, ws)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/samples, "ns/sample")
}

func BenchmarkRegressor6(b *testing.B)  { benchmarkRegressor(b, 6) }
func BenchmarkRegressor7(b *testing.B)  { benchmarkRegressor(b, 7) }
func BenchmarkRegressor30(b *testing.B) { benchmarkRegressor(b, 30) }

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

// everything is a random robot with something for every term to act on, and the
// terms.
func everything(t *rapid.T, rng *rand.Rand) (*robot.Robot, []Term) {
	r := testrobot.Random(rng, rapid.IntRange(1, 7).Draw(t, "links"), true)
	terms := append(DefaultTerms(), Ir, Asymmetric, LoadFs, "Fst:1.5", "Fstv:1.5", Spring, Gain)
	balance := true
	for j := range r.Links {
		l := &r.Links[j]
		l.Joint.GearRatio = 3 * rng.NormFloat64()
		l.UserFrame = testrobot.Random(rng, 1, false).Links[0].Placement
		balance = balance && l.Joint.Kind != robot.Prismatic
	}
	if balance {
		terms = append(terms, Balance)
	}
	moving := r.Moving()
	if len(moving) > 1 && rapid.Bool().Draw(t, "drive") {
		r.Drives = append(r.Drives, robot.Drive{Number: moving[1], Weights: map[int]float64{moving[0]: 1, moving[1]: -2}})
	}
	if len(moving) > 2 && rapid.Bool().Draw(t, "mimic") {
		r.Mimics = append(r.Mimics, robot.Mimic{Joint: moving[2], Of: moving[0], Multiplier: -1.5, Offset: 0.3})
	}
	last := r.Links[len(r.Links)-1].Name
	return r, append(terms, Payload+":"+Term(last), Wrench+":"+Term(last), ContactAt(last, []float64{0.1, 0.2, -0.1, 1, 2, 3, 0, 1, 0}))
}

// batchOf draws a batch with all that terms may need.
func batchOf(rng *rand.Rand, joints, samples int) Batch {
	b := Batch{Q: states(rng, joints, samples), DQ: states(rng, joints, samples), DDQ: states(rng, joints, samples),
		Load: states(rng, joints, samples), Current: states(rng, joints, samples)}
	b.Heat, b.Temperature, b.Presliding = states(rng, joints, samples), states(rng, joints, samples), states(rng, MaxWidths*joints, samples)
	w := states(rng, 7, samples)
	copy(b.Wrench[:], w)
	copy(b.Contact[:], states(rng, 2, samples))
	for i := range w[6] {
		w[6][i] = math.Round(rng.Float64())
	}
	b.PayloadAttached = w[6]
	b.Time = make([]float64, samples)
	for i := range b.Time {
		b.Time[i] = 10 * rng.Float64()
	}
	return b
}

// at returns the batch a time t later, with constant accelerations.
func (in Batch) at(t float64) Batch {
	out := in
	out.Q, out.DQ = make([][]float64, len(in.Q)), make([][]float64, len(in.Q))
	for k := range in.Q {
		out.Q[k], out.DQ[k] = make([]float64, len(in.Q[k])), make([]float64, len(in.Q[k]))
		for i := range in.Q[k] {
			out.Q[k][i] = in.Q[k][i] + t*(in.DQ[k][i]+t*in.DDQ[k][i]/2)
			out.DQ[k][i] = in.DQ[k][i] + t*in.DDQ[k][i]
		}
	}
	return out
}

// dense spreads a block over all columns: [joint][column][sample].
func dense(m *Model, b *Block) [][][]float64 {
	out := make([][][]float64, m.Joints())
	for k := range out {
		out[k] = make([][]float64, len(m.Columns()))
		for c := range out[k] {
			out[k][c] = make([]float64, b.Rows)
		}
		for c, col := range m.Mask(k) {
			copy(out[k][col], b.Joint[k][c])
		}
	}
	return out
}

// derivative is the derivative at zero of a family of numbers, by central
// differences of the fourth order. With steps of 1/2048 the error is 2e-15 of
// the fifth derivative and a rounding of 5e-13.
func derivative(of func(t float64) [][][]float64) [][][]float64 {
	const h = 1.0 / 2048
	a, b, c, d := of(-2*h), of(-h), of(h), of(2*h)
	for k := range a {
		for j := range a[k] {
			for i := range a[k][j] {
				a[k][j][i] = (8*(c[k][j][i]-b[k][j][i]) - (d[k][j][i] - a[k][j][i])) / (12 * h)
			}
		}
	}
	return a
}

// close compares relative to the size of the differentiated quantity.
func close(a, b float64) bool { return math.Abs(a-b) <= 1e-8*(1+math.Abs(a)+math.Abs(b)) }

// The torques are d/dt(D1) + D2, and their power d/dt(h) + p, for every term:
// three evaluations that share no formulas.
func TestMomentumAndEnergyAreTheDynamicModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 31))
		r, terms := everything(t, rng)
		m, err := NewDynamic(r, terms)
		if err != nil {
			t.Fatal(err)
		}
		const samples = 3
		in := batchOf(rng, m.Joints(), samples)
		ws := m.NewWorkspace()
		b, d1, d2, h := m.NewBlock(samples), m.NewBlock(samples), m.NewBlock(samples), m.NewEnergyBlock(samples)
		m.EvalBatch(b, in, ws)
		torque := dense(m, b)
		m.EvalMomentum(d1, d2, in, ws)
		rest := dense(m, d2)
		rateOf := derivative(func(s float64) [][][]float64 {
			m.EvalMomentum(d1, d2, in.at(s), ws)
			return dense(m, d1)
		})
		m.EvalEnergy(h, in, ws)
		lost := make([][]float64, len(m.Columns()))
		for c := range lost {
			lost[c] = append([]float64(nil), h.Joint[0][c]...)
		}
		stored := m.Stored()
		power := derivative(func(s float64) [][][]float64 {
			m.EvalEnergy(h, in.at(s), ws)
			out := make([][]float64, len(lost))
			for c := range out {
				out[c] = append([]float64(nil), h.Joint[0][c]...)
			}
			return [][][]float64{out}
		})[0]
		for c, col := range m.Columns() {
			for i := range samples {
				var work float64
				for k := range m.Joints() {
					if got := rateOf[k][c][i] + rest[k][c][i]; !close(got, torque[k][c][i]) {
						t.Fatalf("%s in row %d: d/dt D1 + D2 = %.12g, D = %.12g", col.Name, k+1, got, torque[k][c][i])
					}
					work += in.DQ[k][i] * torque[k][c][i]
				}
				got := lost[c][i]
				if stored[c] {
					got = power[c][i]
				}
				if !close(got, work) {
					t.Fatalf("%s: d/dt h or p = %.12g, q̇ᵀD = %.12g", col.Name, got, work)
				}
			}
		}
	})
}

// D1 and D2 are the derivatives of the energies by rates and positions.
func TestMomentumIsEnergyByRates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 32))
		r, terms := everything(t, rng)
		m, err := NewDynamic(r, terms)
		if err != nil {
			t.Fatal(err)
		}
		in, still := batchOf(rng, m.Joints(), 1), Batch{}
		still = in
		still.DQ = make([][]float64, m.Joints())
		for k := range still.DQ {
			still.DQ[k] = []float64{0}
		}
		ws, h := m.NewWorkspace(), m.NewEnergyBlock(1)
		d1, d2 := m.NewBlock(1), m.NewBlock(1)
		m.EvalMomentum(d1, d2, in, ws)
		p1, p2 := dense(m, d1), dense(m, d2)
		stored := m.Stored()
		// energies at a position and rate of joint k moved by t; mode 0 is both, 1
		// the potential alone.
		energy := func(of Batch, slot [][]float64, k int) func(s float64) [][][]float64 {
			return func(s float64) [][][]float64 {
				was := slot[k][0]
				slot[k][0] += s
				m.EvalEnergy(h, of, ws)
				slot[k][0] = was
				out := make([][]float64, len(stored))
				for c := range out {
					out[c] = append([]float64(nil), h.Joint[0][c]...)
				}
				return [][][]float64{out}
			}
		}
		for k := range m.Joints() {
			byRate := derivative(energy(in, in.DQ, k))[0]
			whole := derivative(energy(in, in.Q, k))[0]
			potential := derivative(energy(still, still.Q, k))[0]
			for c, col := range m.Columns() {
				if !stored[c] {
					continue
				}
				if got := p1[k][c][0]; !close(got, byRate[c][0]) {
					t.Fatalf("%s in row %d: D1 = %.12g, ∂e/∂q̇ = %.12g", col.Name, k+1, got, byRate[c][0])
				}
				if got, want := p2[k][c][0], 2*potential[c][0]-whole[c][0]; !close(got, want) {
					t.Fatalf("%s in row %d: D2 = %.12g, −∂e/∂q + ∂u/∂q = %.12g", col.Name, k+1, got, want)
				}
			}
		}
	})
}

// h·χ is the energy that package dynamics computes, and D1·χ its M·q̇.
func TestEnergyIsThatOfDynamics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 33))
		r := testrobot.Random(rng, rapid.IntRange(1, 9).Draw(t, "links"), true)
		m, err := NewDynamic(r, []Term{Links, Ia})
		if err != nil {
			t.Fatal(err)
		}
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		n := m.Joints()
		const samples = Lanes + 2
		in := Batch{Q: states(rng, n, samples), DQ: states(rng, n, samples)}
		chi, ws := parameters(r, m), m.NewWorkspace()
		h, d1, d2 := m.NewEnergyBlock(samples), m.NewBlock(samples), m.NewBlock(samples)
		m.EvalEnergy(h, in, ws)
		m.EvalMomentum(d1, d2, in, ws)
		momentum := states(rng, n, samples)
		m.Predict(momentum, d1, chi)
		q, dq, mass := make([]float64, n), make([]float64, n), make([]float64, n*n)
		for i := range samples {
			for k := range n {
				q[k], dq[k] = in.Q[k][i], in.DQ[k][i]
			}
			got := 0.0
			for c, v := range chi {
				got += v * h.Joint[0][c][i]
			}
			if want := tree.KineticEnergy(q, dq) + tree.PotentialEnergy(q); !close(got, want) {
				t.Fatalf("sample %d: h·χ = %.12g, energy %.12g", i, got, want)
			}
			tree.InertiaMatrix(mass, q)
			for k := range n {
				want := 0.0
				for l := range n {
					want += mass[k*n+l] * dq[l]
				}
				if !close(momentum[k][i], want) {
					t.Fatalf("sample %d joint %d: D1·χ = %.12g, M·q̇ = %.12g", i, k+1, momentum[k][i], want)
				}
			}
		}
	})
}

// The evaluations allocate nothing once a workspace is warm.
func TestNothingIsAllocated(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 34))
	r := testrobot.Random(rng, 5, false)
	for j := range r.Links {
		r.Links[j].Joint.GearRatio = 50
	}
	m, err := NewDynamic(r, append(DefaultTerms(), Ir, Asymmetric, LoadFs, Stribeck, Spring, Gain, "payload:link5", "wrench:link5", "contact:link5@1/0/0/0/0/1"))
	if err != nil {
		t.Fatal(err)
	}
	in, ws := batchOf(rng, 5, 100), m.NewWorkspace()
	b, d2, h := m.NewBlock(100), m.NewBlock(100), m.NewEnergyBlock(100)
	if n := testing.AllocsPerRun(5, func() {
		m.EvalBatch(b, in, ws)
		m.EvalMomentum(b, d2, in, ws)
		m.EvalEnergy(h, in, ws)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func benchmarkEnergyMomentum(b *testing.B, n int, energy bool) {
	rng := rand.New(rand.NewPCG(uint64(n), 9))
	r := testrobot.Random(rng, n, false)
	for j := range r.Links {
		r.Links[j].Joint.Kind = robot.Revolute
		r.Links[j].Antecedent = j - 1
		if n == 30 && j%5 == 0 {
			r.Links[j].Antecedent = -1
		}
	}
	m, err := NewDynamic(r, []Term{Links})
	if err != nil {
		b.Fatal(err)
	}
	const samples = 1024
	in := Batch{Q: states(rng, n, samples), DQ: states(rng, n, samples)}
	d1, d2, h, ws := m.NewBlock(samples), m.NewBlock(samples), m.NewEnergyBlock(samples), m.NewWorkspace()
	b.ReportAllocs()
	for b.Loop() {
		if energy {
			m.EvalEnergy(h, in, ws)
		} else {
			m.EvalMomentum(d1, d2, in, ws)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/samples, "ns/sample")
}

func BenchmarkEnergy7(b *testing.B)    { benchmarkEnergyMomentum(b, 7, true) }
func BenchmarkEnergy30(b *testing.B)   { benchmarkEnergyMomentum(b, 30, true) }
func BenchmarkMomentum7(b *testing.B)  { benchmarkEnergyMomentum(b, 7, false) }
func BenchmarkMomentum30(b *testing.B) { benchmarkEnergyMomentum(b, 30, false) }

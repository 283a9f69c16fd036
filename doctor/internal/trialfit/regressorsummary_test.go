package trialfit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/doctor/internal/trialfit"
	"ident/internal/testrobot"
	"ident/regressor"
)

// TestSummarise: norms of columns, of their changes, and of combinations of both are those of the rows of all samples at once,
// for the joints that count.
func TestSummarise(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	m, err := regressor.NewDynamic(testrobot.Random(rng, 3, true), regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	const samples = 600 // more than two batches
	drawn := func(near regressor.Batch, by float64) (b regressor.Batch) {
		for i, set := range []*[][]float64{&b.Q, &b.DQ, &b.DDQ} {
			for j := range m.Joints() {
				x := make([]float64, samples)
				for k := range x {
					x[k] = by * rng.NormFloat64()
					if near.Q != nil {
						x[k] += [][][]float64{near.Q, near.DQ, near.DDQ}[i][j][k]
					}
				}
				*set = append(*set, x)
			}
		}
		return b
	}
	clean := drawn(regressor.Batch{}, 1)
	noisy := drawn(clean, 0.1)
	counts := func(j int) bool { return j != 1 }
	got := trialfit.Summarise(m, clean, noisy, counts)
	a, b := m.NewBlock(samples), m.NewBlock(samples)
	m.EvalBatch(a, clean, m.NewWorkspace())
	m.EvalBatch(b, noisy, m.NewWorkspace())
	n := len(m.Columns())
	rows, change := mat.NewDense(m.Joints()*samples, n, nil), mat.NewDense(m.Joints()*samples, n, nil)
	for j := range m.Joints() {
		for i, c := range m.Mask(j) {
			for k := 0; k < samples && counts(j); k++ {
				rows.Set(j*samples+k, c, a.Joint[j][i][k])
				change.Set(j*samples+k, c, b.Joint[j][i][k]-a.Joint[j][i][k])
			}
		}
	}
	// Sums of 1800 products, and as many reflectors: 1e-12 of the whole.
	same := func(what string, got, want, size float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-12*size) {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	var keep []int
	scale := make([]float64, n)
	for c := range n {
		scale[c] = mat.Norm(rows.ColView(c), 2)
		same("norm", got.Norm(c), scale[c], scale[c])
		same("change", got.Change(c), mat.Norm(change.ColView(c), 2), scale[c]+got.Change(c))
		if scale[c] > 0 && c%3 > 0 {
			keep = append(keep, c)
		}
	}
	v := mat.NewDense(len(keep), len(keep), nil)
	want, wantChange := mat.NewDense(m.Joints()*samples, len(keep), nil), mat.NewDense(m.Joints()*samples, len(keep), nil)
	for i, c := range keep {
		for k := range keep {
			v.Set(i, k, rng.NormFloat64())
		}
		for row := range m.Joints() * samples {
			want.Set(row, i, rows.At(row, c)/scale[c])
			wantChange.Set(row, i, change.At(row, c)/scale[c])
		}
	}
	var along, gotAlong, wantAlong mat.Dense
	along.Mul(want, v)
	gotAlong.Mul(got.Scaled(keep, scale), v)
	wantAlong.Mul(wantChange, v)
	changes := got.ChangeAlong(keep, scale, v)
	size := float64(len(keep)) * mat.Norm(v, 2)
	for i := range keep {
		same("rows along a direction", mat.Norm(gotAlong.ColView(i), 2), mat.Norm(along.ColView(i), 2), size)
		same("change along a direction", changes[i], mat.Norm(wantAlong.ColView(i), 2), size)
	}
}

// TestExcites: the quick answer holds for the singular values and directions, and is yes of rows far from both bounds.
func TestExcites(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	m, err := regressor.NewDynamic(testrobot.Random(rng, 2, true), regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	const samples = 400
	yes := 0
	for _, noise := range []float64{1e-4, 1e-2, 0.1, 0.3, 1} {
		var clean, noisy regressor.Batch
		for i, set := range []*[][]float64{&clean.Q, &clean.DQ, &clean.DDQ} {
			other := []*[][]float64{&noisy.Q, &noisy.DQ, &noisy.DDQ}[i]
			for range m.Joints() {
				x, y := make([]float64, samples), make([]float64, samples)
				for k := range x {
					x[k] = 2 * rng.NormFloat64()
					y[k] = x[k] + noise*rng.NormFloat64()
				}
				*set, *other = append(*set, x), append(*other, y)
			}
		}
		s := trialfit.Summarise(m, clean, noisy, func(int) bool { return true })
		var keep []int
		scale := make([]float64, len(m.Columns()))
		for c := range scale {
			// Columns that depend on those before are left out.
			if scale[c] = s.Norm(c); scale[c] == 0 {
				continue
			}
			var svd mat.SVD
			if !svd.Factorize(s.Scaled(append(keep, c), scale), mat.SVDNone) {
				t.Fatal("no singular values")
			}
			if v := svd.Values(nil); len(v) > len(keep) && v[len(keep)] > 1e-3*v[0] {
				keep = append(keep, c)
			}
		}
		var svd mat.SVD
		if !svd.Factorize(s.Scaled(keep, scale), mat.SVDThinV) {
			t.Fatal("no singular values")
		}
		sigma := svd.Values(nil)
		var v mat.Dense
		svd.VTo(&v)
		changes := s.ChangeAlong(keep, scale, &v)
		worst := 0.0
		for i, x := range changes {
			worst = math.Max(worst, x/sigma[i])
		}
		condition := sigma[0] / sigma[len(keep)-1]
		for _, share := range []float64{1e-3, 1e-2, 0.1, 1, 10} {
			for _, most := range []float64{1, 10, 100, 1e3, 1e4} {
				got := s.Excites(keep, scale, share, most)
				if got {
					yes++
				}
				if got && (worst >= share || condition >= most) {
					t.Errorf("noise %g: a change of %.3g along directions and a condition of %.3g pass %g and %g", noise, worst, condition, share, most)
				}
				// Along any direction the change is at most the root of n times the condition number more than along these.
				n := float64(len(keep))
				if !got && worst*n*condition < share && math.Sqrt(n)*condition < most {
					t.Errorf("noise %g: a change of %.3g and a condition of %.3g do not pass %g and %g", noise, worst, condition, share, most)
				}
			}
		}
	}
	if yes == 0 {
		t.Error("nothing passes")
	}
}

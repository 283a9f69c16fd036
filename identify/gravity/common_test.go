package gravity

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Of errors that pairs at one place share in part, the part is found, and the deviation that is stated for an offset is its scatter;
// without it the scatter is far larger.
func TestErrorsOfOnePlace(t *testing.T) {
	const pairs, joints, draws, truth = 24, 3, 400, 0.5
	rng := rand.New(rand.NewPCG(21, 1))
	// Half of the pairs of each joint are at its limits, the others spread; an offset a joint, and two parameters of the position.
	at := make(places, joints)
	u := mat.NewDense(joints*pairs, joints+2, nil)
	for k := range at {
		for i := range pairs {
			q := float64(i % 4)
			if q > 1 {
				q = rng.Float64()
			}
			at[k] = append(at[k], [2]float64{q, q + 0.01})
			u.Set(k*pairs+i, k, 1)
			u.Set(k*pairs+i, joints, math.Cos(3*q+float64(k)))
			u.Set(k*pairs+i, joints+1, math.Sin(2*q)*rng.NormFloat64())
		}
	}
	var svd mat.SVD
	if !svd.Factorize(u, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	var left, v mat.Dense
	svd.UTo(&left)
	svd.VTo(&v)
	var root mat.Dense // of the estimate: V/s
	root.Apply(func(_, k int, x float64) float64 { return x / svd.Values(nil)[k] }, &v)
	shared, scatter, stated, alone := 0.0, 0.0, 0.0, 0.0
	for range draws {
		e := make([]float64, joints*pairs)
		for k := range at {
			of := map[float64]float64{}
			for i := range pairs {
				q := at[k][i][0]
				if _, ok := of[q]; !ok {
					of[q] = rng.NormFloat64()
				}
				e[k*pairs+i] = math.Sqrt(1-truth)*rng.NormFloat64() + math.Sqrt(truth)*of[q]
			}
		}
		var p, x, fitted mat.VecDense
		p.MulVec(left.T(), mat.NewVecDense(len(e), e))
		x.MulVec(&root, &p)
		fitted.MulVec(&left, &p)
		r := make([]float64, len(e))
		for i := range r {
			r[i] = e[i] - fitted.AtVec(i)
		}
		c := newCommon(at, &left, r)
		shared += c.shared / draws
		var half, cov mat.Dense
		half.Mul(&root, c.between())
		cov.Mul(&half, root.T())
		sum, free := 0.0, 0.0
		for k := range joints {
			s, f := c.squares(k)
			sum, free = sum+s, free+f
		}
		for k := range joints {
			scatter += x.AtVec(k) * x.AtVec(k) / (joints * draws)
			stated += sum / free * cov.At(k, k) / (joints * draws)
			half := root.RawRowView(k)
			alone += dot(half, half) / (joints * draws)
		}
	}
	t.Logf("part that is shared: %.3f of %.1f; variance of an offset %.3f, stated %.3f, of independent errors %.3f", shared, truth, scatter, stated, alone)
	// 400 draws of three offsets: their variance is known to √(2/1200) = 4 %; the part, bounded by 0 and 1, has a small bias.
	if math.Abs(shared-truth) > 0.1 || math.Abs(stated/scatter-1) > 0.2 || scatter < 1.5*alone {
		t.Error("the errors that pairs share are not counted")
	}
}

// Ways of means overlap in part, and places of a joint that stands are the same or not.
func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b [2]float64
		want float64
	}{
		{[2]float64{0, 2}, [2]float64{0, 2}, 1}, {[2]float64{0, 2}, [2]float64{1, 3}, 0.5}, {[2]float64{0, 1}, [2]float64{0, 4}, 0.5}, {[2]float64{0, 1}, [2]float64{1, 2}, 0},
		{[2]float64{1, 1}, [2]float64{1, 1}, 1}, {[2]float64{1, 1}, [2]float64{0, 2}, 0},
	} {
		if got := overlap(c.a, c.b); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v and %v share %g, want %g", c.a, c.b, got, c.want)
		}
	}
}

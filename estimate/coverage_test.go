package estimate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"ident/filter"
	"ident/internal/triangle"
)

func TestCoverageScratch(t *testing.T) {
	for _, c := range []struct {
		name          string
		rate, seconds float64
		cutoff        float64
		block         int
		w             Weighting
	}{
		{"white", 100, 20, 0, 20, WLS},
		{"white few", 100, 20, 0, 200, WLS},
		{"whiteOLS", 100, 20, 0, 20, OLS},
		{"low 8", 100, 20, 8, 50, WLS},
		{"low 8 OLS", 100, 20, 8, 50, OLS},
		{"low 25", 100, 20, 25, 20, WLS},
		{"low 45", 100, 20, 45, 20, WLS},
		{"low 8 short", 100, 7, 8, 50, WLS},
		{"low 4", 100, 20, 4, 100, WLS},
	} {
		x := newExperiment(t, arm(), c.rate, c.seconds)
		var f filter.SOS
		if c.cutoff > 0 {
			f = x.lowPass(t, c.cutoff)
		}
		cut := 50
		clean := x.torque()
		n := len(clean[0])
		var work triangle.Work
		var fw filter.Work
		seeds := 300
		in, all := 0, 0
		inz := 0
		start := time.Now()
		k1, k2 := make([]float64, 3), make([]float64, 3)
		s2 := make([]float64, 3)
		per := make([]float64, len(x.truth))
		bias := make([]float64, len(x.truth))
		ratio := make([]float64, len(x.truth))
		noise := []float64{0.5, 0.3, 0.1}
		for seed := range seeds {
			rng := rand.New(rand.NewPCG(uint64(seed), 99))
			tau := make([][]float64, 3)
			for k := range tau {
				e := make([]float64, n)
				for i := range e {
					e[i] = noise[k] * rng.NormFloat64()
				}
				if c.cutoff > 0 {
					f.ZeroPhase(e, e, &fw)
				}
				for i := range e {
					e[i] += clean[k][i]
				}
				tau[k] = e
			}
			s, err := x.reduce(tau, cut, n-cut, c.block, &work).Solve(c.w, false)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range s.X {
				q := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: s.Freedom[i]}.Quantile(0.975)
				sig := math.Sqrt(s.Covariance[i][i])
				z := (v - x.truth[i]) / sig
				if math.Abs(z) < q {
					in++
					per[i]++
				}
				if math.Abs(z) < 1.96 {
					inz++
				}
				bias[i] += (v - x.truth[i]) * (v - x.truth[i])
				ratio[i] += sig * sig
				all++
			}
			if seed == 0 {
				fmt.Printf("nu %.3g\n", s.Freedom)
			}
			for k := range k1 {
				k1[k] += s.Inflation[k] / float64(seeds)
				k2[k] += s.Inflation[k] * s.Inflation[k] / float64(seeds)
				s2[k] += s.Sigma[k] * s.Sigma[k] / float64(seeds)
			}
		}
		for k := range k2 {
			k2[k] = math.Sqrt(k2[k] - k1[k]*k1[k])
		}
		fmt.Printf("%s: params %d coverage %.4f (z %.4f) κ %.3f ± %.3f  sigma2 %.4g  time/seed %v\n", c.name, len(x.truth), float64(in)/float64(all), float64(inz)/float64(all), k1, k2, s2, time.Since(start)/time.Duration(seeds))
		for i := range per {
			per[i] /= float64(seeds)
			ratio[i] /= bias[i]
		}
		fmt.Printf("   per %.3f\n ratio %.2f\n", per, ratio)
	}
}

package estimate

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ResidualTest holds statistics of one joint's residuals. A low-pass makes neighbouring residuals alike with any model.
// So only every Every-th residual counts, half a period of the cut-off apart: for a good model these are nearly
// independent.
type ResidualTest struct {
	Samples int `json:"samples"` // number of samples that are not left out
	Every   int `json:"every"`
	// Largest is the autocorrelation of largest magnitude within whitenessLags of those samples. WhiteP is its
	// probability for white residuals, by the portmanteau test of Ljung and Box (1978).
	Largest float64 `json:"largest_autocorrelation"`
	WhiteP  float64 `json:"white_p"`
	// Skew and Kurtosis (excess over the normal distribution's). NormalP is their probability for normal residuals
	// (Jarque and Bera 1987).
	Skew     float64 `json:"skew"`
	Kurtosis float64 `json:"kurtosis"`
	NormalP  float64 `json:"normal_p"`
}

// whitenessLags is the largest lag, in samples, at which residuals are correlated.
const whitenessLags = 20

// ResidualTests accumulates the statistics of residuals that are added in order.
type ResidualTests struct {
	every int
	at    int // rows of the present segment so far
	cov   *autocovariance
	power [][5]float64 // joint: Σ e^k of the samples that count
}

// NewResidualTests returns tests of every every-th residual.
func NewResidualTests(joints, every int) *ResidualTests {
	return &ResidualTests{every: max(every, 1), cov: newAutocovariance(joints, whitenessLags), power: make([][5]float64, joints)}
}

// Add adds a batch; pass it as the visit function of Source.Residuals.
func (t *ResidualTests) Add(r *Residuals) error {
	if r.At == 0 {
		t.at = 0
	}
	first := (t.every - t.at%t.every) % t.every
	sub := Residuals{Run: r.Run, At: t.at}
	if r.LeftOut != nil {
		sub.LeftOut = make([][]bool, len(r.E))
	}
	for k, e := range r.E {
		var own []float64
		for i := first; i < len(e); i += t.every {
			own = append(own, e[i])
			counts := r.counts(k, i)
			if r.LeftOut != nil {
				sub.LeftOut[k] = append(sub.LeftOut[k], !counts)
			}
			if !counts {
				continue
			}
			v := 1.0
			for p := range t.power[k] {
				t.power[k][p] += v
				v *= e[i]
			}
		}
		sub.E = append(sub.E, own)
	}
	if len(r.E) > 0 {
		t.at += len(r.E[0])
	}
	return t.cov.add(&sub)
}

// Results returns the test of each joint.
func (t *ResidualTests) Results() []ResidualTest {
	out := make([]ResidualTest, len(t.power))
	for k, p := range t.power {
		n := p[0]
		r := ResidualTest{Samples: int(n), Every: t.every, WhiteP: 1, NormalP: 1}
		mean := p[1] / n
		m2 := p[2]/n - mean*mean
		// A residual that is constant or mere rounding has no shape.
		if n > 2*whitenessLags && m2 > 1e-12*p[2]/n {
			m3 := p[3]/n - 3*mean*p[2]/n + 2*mean*mean*mean
			m4 := p[4]/n - 4*mean*p[3]/n + 6*mean*mean*p[2]/n - 3*mean*mean*mean*mean
			r.Skew, r.Kurtosis = m3/math.Pow(m2, 1.5), m4/(m2*m2)-3
			r.NormalP = distuv.ChiSquared{K: 2}.Survival(n / 6 * (r.Skew*r.Skew + r.Kurtosis*r.Kurtosis/4))
			c, q := t.cov.covariances(k), 0.0
			for l := 1; l <= whitenessLags; l++ {
				rho := c[l] / c[0]
				r.Largest = max(r.Largest, math.Abs(rho))
				q += rho * rho / (n - float64(l))
			}
			r.WhiteP = distuv.ChiSquared{K: whitenessLags}.Survival(n * (n + 2) * q)
		}
		out[k] = r
	}
	return out
}

package identify

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/identify/regression"
	"ident/result"
)

// Estimates drawn about a known truth give its bias, scatter and coverage back: the mean of 4000 normal draws is
// within 4·σ/√4000, their coverage within 4·√(0.05·0.95/4000).
func TestTrialFigures(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := trialSum{out: TrialsEstimator{Name: "drawn"}}
	const n = 4000
	for range n {
		o := &regression.Outcome{}
		for k, p := range []struct{ truth, bias, scatter, stated float64 }{{2, 0, 0.1, 0.1}, {-1, 0.3, 0.2, 0.2}} {
			v := p.truth + p.bias + p.scatter*rng.NormFloat64()
			o.Result.BaseParameters = append(o.Result.BaseParameters, result.BaseParameter{Name: []string{"a", "b"}[k], Value: v, Sigma: p.stated, Prior: p.truth, Low95: v - 1.96*p.stated, High95: v + 1.96*p.stated})
		}
		s.add(o, nil)
	}
	s.add(nil, errors.New("no forward dynamics"))
	e := s.estimator()
	a, b := e.Parameters[0], e.Parameters[1]
	if e.Fits != n || e.Failed != 1 || e.Reason != "no forward dynamics" {
		t.Errorf("%d fits, %d failed: %s", e.Fits, e.Failed, e.Reason)
	}
	if math.Abs(a.Bias) > 4*0.1/math.Sqrt(n) || math.Abs(b.Bias-0.3) > 4*0.2/math.Sqrt(n) {
		t.Errorf("biases %g and %g, want 0 and 0.3", a.Bias, b.Bias)
	}
	// The deviation of a standard deviation is a part 1/√(2n) of it.
	if math.Abs(a.Scatter-0.1) > 4*0.1/math.Sqrt(2*n) || math.Abs(a.Stated-0.1) > 1e-12 || math.Abs(b.Scatter-0.2) > 4*0.2/math.Sqrt(2*n) {
		t.Errorf("scatter %g of stated %g, and %g", a.Scatter, a.Stated, b.Scatter)
	}
	if math.Abs(a.Coverage-95) > 100*4*math.Sqrt(0.05*0.95/n) {
		t.Errorf("coverage %g %%", a.Coverage)
	}
	// An interval of 1.96 deviations about a mean 1.5 deviations off holds the truth in Φ(0.46) − Φ(−3.46) = 67.7 %.
	if e.Worst != "b" || math.Abs(e.WorstCoverage-67.7) > 100*4*math.Sqrt(0.677*0.323/n)+0.05 || math.Abs(e.BiasInStated-1.5/math.Sqrt2) > 0.06 {
		t.Errorf("worst %s with %g %%, bias %g deviations", e.Worst, e.WorstCoverage, e.BiasInStated)
	}
	var text strings.Builder
	r := TrialsReport{Robot: "r", Trials: n, Estimators: []TrialsEstimator{e}}
	if err := r.Text(&text, true); err != nil || !strings.Contains(text.String(), "drawn failed 1 times, first: no forward dynamics") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

func TestTrialsOfNothing(t *testing.T) {
	if _, err := RunTrials(context.Background(), TrialsPlan{Trials: 1, Estimators: []string{"wls"}}); err == nil {
		t.Error("one trial is taken")
	}
}

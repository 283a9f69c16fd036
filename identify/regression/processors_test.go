package regression

import (
	"fmt"
	"runtime"
	"testing"

	"ident/observation"
	"ident/regressor"
)

// Decisions, estimates and errors have the same bits on any number of processors.
func TestSameBitsOnAnyProcessors(t *testing.T) {
	r := arm(3)
	runs := []Run{noisy(t, r, 100, 12, true), noisy(t, r, 100, 15, true)}
	runs[1].Name = "second"
	cfg := Config{Path: observation.Path{Cutoff: 10}, Choices: Choices{Terms: true, Consistent: true, Weighting: true}}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	first := ""
	for _, n := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(n)
		cfg.Workers = n
		out, err := Fit(t.Context(), r, regressor.DefaultTerms(), runs[:1], runs[1:], cfg)
		if err != nil {
			t.Fatal(err)
		}
		res := &out.Result
		text := fmt.Sprintf("%x %x %v %x %x", out.Solution.X, out.Solution.Covariance, res.Selection, res.Diagnosis.CrossValidation, res.Validation.RelativeError)
		if first == "" {
			first = text
		}
		if text != first {
			t.Errorf("%d processors: other bits", n)
		}
	}
}

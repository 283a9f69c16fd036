package regression

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"ident/baseparams"
	"ident/estimate"
	"ident/estimate/summary"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// summarised reduces each run apart, by the path of the first.
func summarised(t *testing.T, cfg Config, most int, runs []Run) []*summary.Summary {
	t.Helper()
	var out []*summary.Summary
	for i := range runs {
		s, err := Summarise(context.Background(), arm(2), regressor.DefaultTerms(), runs[i:i+1], cfg, most)
		if err != nil {
			t.Fatal(err)
		}
		s.Runs[0].Prints = []uint64{uint64(i)}
		out = append(out, s)
		if cfg.Fixed == nil {
			cfg.Fixed = PathOf(s)
		}
	}
	return out
}

// Summaries that are merged in any order give the fit of the logs together, to the last bit.
func TestSummariesFitAsLogs(t *testing.T) {
	var runs []Run
	for i := range 4 {
		run := noisy(t, arm(2), 200, float64(8+2*i), true)
		run.Name = string(rune('a' + i))
		runs = append(runs, run)
	}
	for _, most := range []int{0, 20}[long.Of(0, 1):] {
		cfg := Config{Path: observation.Path{Cutoff: 5}, Choices: Choices{Terms: true, Consistent: true}}
		parts := summarised(t, cfg, most, runs)
		cfg.Fixed = PathOf(parts[0])
		if n := len(parts[3].Runs[0].Blocks); most > 0 && n > 31 {
			t.Fatalf("%d blocks of at most %d", n, most)
		}
		direct, err := Fit(context.Background(), arm(2), regressor.DefaultTerms(), runs, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 3 {
			rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			some, err := summary.Merge(parts[:2]...)
			if err != nil {
				t.Fatal(err)
			}
			all, err := summary.Merge(parts[2], some, parts[3])
			if err != nil {
				t.Fatal(err)
			}
			fitted, err := FitSummary(context.Background(), arm(2), regressor.DefaultTerms(), all, cfg)
			if err != nil {
				t.Fatal(err)
			}
			sameFit(t, direct, fitted)
		}
	}
}

func sameFit(t *testing.T, a, b *Outcome) {
	t.Helper()
	if !reflect.DeepEqual(a.Solution.X, b.Solution.X) || !reflect.DeepEqual(a.Solution.Covariance, b.Solution.Covariance) {
		t.Errorf("estimates differ:\n%v\n%v", a.Solution.X, b.Solution.X)
	}
	x, y := a.Result, b.Result
	for _, part := range []struct {
		name string
		a, b any
	}{{"base parameters", x.BaseParameters, y.BaseParameters}, {"standard parameters", x.StandardParameters, y.StandardParameters}, {"selection", x.Selection, y.Selection},
		{"terms", x.Terms, y.Terms}, {"condition", x.Condition, y.Condition}, {"cross-validation", x.Diagnosis.CrossValidation, y.Diagnosis.CrossValidation}} {
		if !reflect.DeepEqual(part.a, part.b) {
			t.Errorf("%s differ:\n%+v\n%+v", part.name, part.a, part.b)
		}
	}
}

func TestSummariesRefuse(t *testing.T) {
	run := noisy(t, arm(2), 200, 8, true)
	s := summarised(t, Config{Path: observation.Path{Cutoff: 5}}, 0, []Run{run})[0]
	cfg := Config{Estimator: func(*robot.Robot, *baseparams.Set) (estimate.Estimator, error) { return estimate.IRLS{}, nil }}
	var rows *RowsError
	if _, err := FitSummary(context.Background(), arm(2), regressor.DefaultTerms(), s, cfg); !errors.As(err, &rows) {
		t.Errorf("irls: %v", err)
	}
	run.UnknownGains = true
	if _, err := Summarise(context.Background(), arm(2), regressor.DefaultTerms(), []Run{run}, Config{}, 0); !errors.As(err, &rows) {
		t.Errorf("unknown gains: %v", err)
	}
}

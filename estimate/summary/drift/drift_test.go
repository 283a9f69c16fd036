package drift

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/estimate"
	"ident/estimate/summary"
	"ident/internal/long"
)

// year is a summary of 52 weekly runs of a robot of two joints with four parameters each, three of them shared. The errors are
// correlated from row to row (0.9, so that 19 rows tell as little as one), every week scatters by a part of its own, and
// parameter 3 is larger by a factor from a week on.
func year(seed uint64, from int, factor float64) *summary.Summary {
	rng := rand.New(rand.NewPCG(seed, 52))
	s := &summary.Summary{Robot: summary.Robot{Name: "arm"}, Model: summary.Model{Columns: []string{"ZZ1R", "ZZ2", "MX2", "Fv1", "Fs2"}, Base: 5, Masks: [][]int{{0, 1, 2, 3}, {1, 2, 4}}}}
	shape := estimate.NewReduction(5, s.Model.Masks)
	var work estimate.Work
	for week := range 52 {
		x := []float64{3, 1, 0.5, 2, 1.5}
		if week >= from {
			x[3] *= factor
		}
		for i := range x {
			x[i] *= 1 + 0.01*rng.NormFloat64()
		}
		run := summary.Run{Name: fmt.Sprintf("week%02d", week), Start: 1.7e9 + 7*86400*float64(week), Absolute: true}
		errors := make([]float64, len(s.Model.Masks))
		for range 20 {
			b := shape.NewBlock(0)
			for k, mask := range s.Model.Masks {
				cols, y := make([][]float64, len(mask)), make([]float64, 60)
				for i := range cols {
					cols[i] = make([]float64, len(y))
				}
				for n := range y {
					errors[k] = 0.9*errors[k] + math.Sqrt(1-0.81)*rng.NormFloat64()
					y[n] = errors[k]
					for i, c := range mask {
						cols[i][n] = rng.NormFloat64()
						y[n] += cols[i][n] * x[c]
					}
				}
				b.Joints[k].Add(cols, y, &work)
			}
			run.Blocks = append(run.Blocks, summary.Block{Joints: b.Joints})
		}
		s.Runs = append(s.Runs, run)
	}
	return s
}

const week = 7 * 86400

// A year in which a friction grows by 20 % has one change of that parameter, with its date within two windows. Other changes are
// false, in no more than the 99 % quantile of the years at a rate of 5 %: 6 of 40, 2 of 6 and 1 of 3.
func TestFindsDrift(t *testing.T) {
	years, others := long.Of(40, 3), 0
	for seed := range uint64(years) {
		from := 10 + int(seed*7)%32
		r, err := Of(t.Context(), year(seed, from, 1.2), week)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, c := range r.Changes {
			if c.Parameter == "Fv1" && math.Abs(float64(c.Window-1-from)) <= 2 && math.Abs(c.Percent-20) < 5 && c.Time == r.Windows[c.Window-1].From {
				found++
			}
		}
		if found != 1 {
			t.Errorf("seed %d, since window %d: %+v", seed, from+1, r.Changes)
		}
		if len(r.Changes) > found {
			others++
		}
	}
	limit := map[int]int{40: 6, 6: 2, 3: 1}[years]
	if t.Logf("other changes in %d of %d years", others, years); others > limit {
		t.Errorf("other changes in %d of %d years", others, years)
	}
}

// Years without drift give alarms at most at the stated rate: of n years more than the 99.9 % quantile of a binomial number at 5 % is a
// fault. 1 of 3, 3 of 10 and 13 of 100 years are below it.
func TestFalseAlarms(t *testing.T) {
	years := long.Of(100, 3)
	limit := map[int]int{100: 13, 10: 4, 3: 2}[years]
	alarms := 0
	for seed := range uint64(years) {
		r, err := Of(t.Context(), year(1000+seed, 99, 1), week)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Changes) > 0 {
			alarms++
		}
	}
	if t.Logf("alarms in %d of %d years", alarms, years); alarms > limit {
		t.Errorf("alarms in %d of %d years without drift", alarms, years)
	}
}

func TestRefusals(t *testing.T) {
	s := year(1, 99, 1)
	s.Runs = s.Runs[:3]
	if _, err := Of(t.Context(), s, week); !errors.Is(err, ErrFew) {
		t.Errorf("three windows: %v", err)
	}
	s.Runs[1].Absolute = false
	if _, err := Of(t.Context(), s, week); !errors.Is(err, ErrClocks) {
		t.Errorf("two kinds of clocks: %v", err)
	}
	if _, err := Of(t.Context(), s, 0); err == nil {
		t.Error("windows without a length")
	}
}

func TestPrint(t *testing.T) {
	for factor, want := range map[float64]string{1: "no change: ", 1.2: "Fv1 "} {
		r, err := Of(t.Context(), year(2, 20, factor), week)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := r.Print(&text); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), "\n"+want) || strings.Contains(text.String(), "NaN") {
			t.Errorf("friction times %g: %q expected in %s", factor, want, text.String())
		}
	}
}

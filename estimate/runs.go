package estimate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// RunsTest says whether several runs are of one robot.
type RunsTest struct {
	Runs int `json:"runs"`
	// Excess says by how much the runs' own estimates differ more than their standard deviations allow, root mean
	// square over all directions: √F of the test below. It is one for runs of the same robot.
	Excess           float64 `json:"excess"`
	DegreesOfFreedom float64 `json:"freedom"` // number of compared directions
	P                float64 `json:"p"`       // probability of this much disagreement or more, if all runs are of one robot
	// Apart lists the parameters in which a run differs most from the estimate of all runs, the largest difference
	// first.
	Apart []RunDeviation `json:"apart,omitempty"`
}

// RunDeviation says how far one run's own estimate of a parameter is off.
type RunDeviation struct {
	Run        int     `json:"run"`
	Parameter  int     `json:"parameter"` // index of the model's column
	Deviations float64 `json:"deviations"`
}

// fewestShown is the number of parameters that RunsTest names.
const fewestShown = 5

// CompareRuns fits every run alone and all together, each joint of each run
// weighted by its own standard deviation and inflation, and compares the residuals:
//
//	F = ((ρ² − Σ ρ_r²)/d) / (Σ ρ_r²/(n − Σ c_r)),   d = Σ c_r − c
//
// (Chow 1960, for any number of runs and correlated samples: n counts independent
// ones). c are the ranks: a run need not determine everything. It returns nil where
// there is but one run that is long enough, or nothing to compare.
func (r *Reduction) CompareRuns() (*RunsTest, error) {
	parts := r.splitByRun()
	if len(parts) < 2 {
		return nil, nil
	}
	var work triangle.Work
	pooled := triangle.New(r.columns)
	var left, count, freedom float64
	directions := 0
	type own struct { // of the solution alone: of a thousand runs whole ones would be a hundred megabytes
		run, rank   int
		x, variance []float64
	}
	var alone []own
	for _, part := range parts {
		m, err := part.least(WLS, true)
		if errors.Is(err, ErrNoData) {
			continue // so short a run says nothing alone
		}
		if err != nil {
			return nil, fmt.Errorf("run %d alone: %w", part.blocks[0].Run+1, err)
		}
		s := m.Solution
		part.setCovariance(s, m.joints, m.solver)
		weights, n := s.independent()
		w, err := part.minimumOf(m.joints, fixedWeights(weights), nil, true)
		if err != nil {
			return nil, err
		}
		left += w.RSS
		count += n
		directions += w.Rank
		for _, f := range s.DegreesOfFreedom {
			freedom += f / float64(len(s.DegreesOfFreedom))
		}
		pooled.Merge(w.Stack, &work)
		o := own{run: part.blocks[0].Run, rank: s.Rank, x: s.X}
		for i := range s.X {
			o.variance = append(o.variance, s.Covariance[i][i])
		}
		alone = append(alone, o)
	}
	if len(alone) < 2 {
		return nil, nil
	}
	solver, err := singular.Decompose(pooled, singular.ColumnNorms(pooled))
	if err != nil {
		return nil, err
	}
	d := float64(directions - solver.Rank())
	// Each run's weights are known only to its own degrees of freedom, not to those of all runs.
	free := min(count-float64(directions), freedom/float64(len(alone)))
	if !(d > 0) || !(free > 0) || !(left > 0) {
		return nil, nil
	}
	f := max(pooled.RSS+solver.Unexplained(pooled.Z)-left, 0) / d / (left / (count - float64(directions)))
	out := &RunsTest{Runs: len(alone), Excess: math.Sqrt(f), DegreesOfFreedom: d, P: distuv.F{D1: d, D2: free}.Survival(f)}
	x := solver.Solve(pooled.Z)
	var all mat.SymDense
	all.SymOuterK(1, solver.Root())
	for _, o := range alone {
		for i, v := range o.x {
			// Cov(x_r − x) = C_r − C for independent runs.
			if c := o.variance[i] - all.At(i, i); o.rank == r.columns && c > 1e-3*o.variance[i] {
				out.Apart = append(out.Apart, RunDeviation{Run: o.run, Parameter: i, Deviations: (v - x[i]) / math.Sqrt(c)})
			}
		}
	}
	slices.SortStableFunc(out.Apart, func(a, b RunDeviation) int { return cmp.Compare(math.Abs(b.Deviations), math.Abs(a.Deviations)) })
	out.Apart = out.Apart[:min(len(out.Apart), fewestShown)]
	return out, nil
}

// splitByRun splits a reduction by run.
func (r *Reduction) splitByRun() []*Reduction {
	var out []*Reduction
	first := 0
	for i, b := range r.blocks {
		if i+1 == len(r.blocks) || r.blocks[i+1].Run != b.Run {
			out = append(out, r.cut(first, i+1))
			first = i + 1
		}
	}
	return out
}

// RepeatedError says that a run occurs twice in a reduction: its rows would count as measured twice.
type RepeatedError struct {
	First, Second int // indices of the two runs
	Blocks        int // number of time blocks that agree to the last bit
}

func (e *RepeatedError) Error() string {
	return fmt.Sprintf("runs %d and %d have %d time blocks in common, to the last bit: the same samples cannot count twice", e.First+1, e.Second+1, e.Blocks)
}

// Repeated returns a *RepeatedError if two runs have time blocks in common, otherwise nil. Blocks without torque are
// ignored.
func (r *Reduction) Repeated() error {
	type key struct{ yy, rss, z float64 }
	seen := map[key]int{}
	same := map[[2]int]int{}
	for _, b := range r.blocks {
		for _, f := range b.Joints {
			if f.Rows == 0 || f.YY == 0 || f.RSS == 0 || f.N == 0 {
				continue
			}
			k := key{f.YY, f.RSS, f.Z[0]}
			if run, ok := seen[k]; ok && run != b.Run {
				same[[2]int{run, b.Run}]++
			} else {
				seen[k] = b.Run
			}
			break // one joint tells
		}
	}
	var worst *RepeatedError
	for pair, n := range same {
		if worst == nil || n > worst.Blocks || n == worst.Blocks && pair[0] < worst.First {
			worst = &RepeatedError{pair[0], pair[1], n}
		}
	}
	if worst == nil {
		return nil
	}
	return worst
}

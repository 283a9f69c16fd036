package identify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/datasets"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/result"
)

// TrialsPlan is an experiment that is repeated.
type TrialsPlan struct {
	// Settings of the fits; each fit sets its own estimator.
	Settings   *project.Settings
	Estimators []string
	Trials     int
	// Record makes the log of repetition n, counted from 0: the same experiment with other random draws.
	Record func(ctx context.Context, trial int) (*datasets.Log, error)
	// Progress is told the records done; nil for none.
	Progress func(done, of int)
}

// TrialsParameter is one base parameter over the trials.
type TrialsParameter struct {
	Name     string  `json:"name"`
	Joint    string  `json:"joint"`
	Unit     string  `json:"unit"`
	Truth    float64 `json:"truth"`   // value in the simulated robot
	Bias     float64 `json:"bias"`    // mean estimate less truth
	Scatter  float64 `json:"scatter"` // standard deviation of the estimates
	Stated   float64 `json:"stated"`  // root mean square of the stated standard deviations
	Coverage float64 `json:"coverage_percent"`
}

// TrialsEstimator is the summary of one estimator over all trials.
type TrialsEstimator struct {
	Name          string            `json:"name"`
	Fits          int               `json:"fits"`
	Failed        int               `json:"failed"`
	Reason        string            `json:"reason,omitempty"` // why the first failed fit failed
	Coverage      float64           `json:"coverage_percent"`
	WorstCoverage float64           `json:"worst_coverage_percent"`
	Worst         string            `json:"worst"`           // parameter with WorstCoverage
	BiasInStated  float64           `json:"bias_deviations"` // root mean square, over the parameters, of the bias in stated standard deviations
	RelativeError float64           `json:"relative_error_percent"`
	Parameters    []TrialsParameter `json:"parameters"`
}

// TrialsReport is the outcome of all trials.
type TrialsReport struct {
	Schema     string            `json:"schema"`
	Robot      string            `json:"robot"`
	Motion     string            `json:"motion"`
	Experiment string            `json:"experiment"` // the experiment: controller, sensors and faults
	Trials     int               `json:"trials"`
	Seed       uint64            `json:"seed"` // seed of the first trial
	Estimators []TrialsEstimator `json:"estimators"`
}

// RunTrials runs a virtual experiment many times, fits each record by several estimators, and tells how the estimates lie about the
// parameters of the robot that was simulated: their bias, their scatter, and how often the stated intervals hold the truth. Failures
// of single fits are counted; an error is that of ctx, of Record, or of settings that no fit can have.
//
// # Figures
//
// Of N records, with the estimates x, their stated standard deviations σ and the truth x₀ of one base
// parameter,
//
//	bias      mean x − x₀, of a deviation scatter/√N
//	scatter   standard deviation of x
//	stated    root mean square of σ
//	coverage  part of the records whose 95 % interval holds x₀
//
// and over all parameters of an estimator: the coverage, that of the worst parameter, and the root mean square of
// bias/stated, 1/√N of an estimator without bias whose standard deviations are right. A record whose fit fails is
// counted with its reason and is in none of the figures.
func RunTrials(ctx context.Context, p TrialsPlan) ([]TrialsEstimator, error) {
	if p.Trials < 2 || len(p.Estimators) == 0 {
		return nil, fmt.Errorf("%d trials of %d estimators: give two trials and one estimator at least", p.Trials, len(p.Estimators))
	}
	sums := make([]trialSum, len(p.Estimators))
	for i, name := range p.Estimators {
		sums[i].out.Name = name
	}
	for k := range p.Trials {
		log, err := p.Record(ctx, k)
		if err != nil {
			return nil, err
		}
		for i, name := range p.Estimators {
			outcome, err := fitTrial(ctx, *p.Settings, name, log)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			sums[i].add(outcome, err)
		}
		if p.Progress != nil {
			p.Progress(k+1, p.Trials)
		}
	}
	var out []TrialsEstimator
	for i := range sums {
		out = append(out, sums[i].estimator())
	}
	return out, nil
}

// fitTrial fits one log by one estimator.
func fitTrial(ctx context.Context, s project.Settings, estimator string, log *datasets.Log) (*regression.Outcome, error) {
	s.Estimator = estimator
	job, err := project.OpenJob(ctx, &s, nil, project.JobOptions{RobotGiven: true, Unexamined: true, Logs: []*datasets.Log{log}})
	if err != nil {
		return nil, err
	}
	defer job.Close()
	return regression.Fit(ctx, job.Session.Robot, job.Terms, job.Train, nil, job.Config)
}

// trialSum gathers the fits of an estimator.
type trialSum struct {
	out    TrialsEstimator
	values [][]float64 // by parameter
	stated []float64   // squares
	held   []int
	rel    float64
}

func (s *trialSum) add(o *regression.Outcome, err error) {
	if err != nil {
		if s.out.Failed++; s.out.Reason == "" {
			s.out.Reason = project.Describe(err, func(key string) string { return key })
		}
		return
	}
	base := o.Result.BaseParameters
	if s.values == nil {
		s.values, s.stated, s.held = make([][]float64, len(base)), make([]float64, len(base)), make([]int, len(base))
		for _, b := range base {
			s.out.Parameters = append(s.out.Parameters, TrialsParameter{Name: b.Name, Joint: b.Joint, Unit: b.Unit, Truth: b.Prior})
		}
	}
	if !slices.EqualFunc(base, s.out.Parameters, func(b result.BaseParameter, p TrialsParameter) bool { return b.Name == p.Name }) {
		if s.out.Failed++; s.out.Reason == "" {
			s.out.Reason = "the fit chose other parameters than the first one"
		}
		return
	}
	s.out.Fits++
	s.rel += o.Result.Fit.RelativeError.Stacked
	for i, b := range base {
		s.values[i] = append(s.values[i], b.Value)
		s.stated[i] += b.Sigma * b.Sigma
		if b.Low95 <= b.Prior && b.Prior <= b.High95 {
			s.held[i]++
		}
	}
}

func (s *trialSum) estimator() TrialsEstimator {
	e := s.out
	n := float64(e.Fits)
	if e.Fits < 2 {
		return e
	}
	e.RelativeError = s.rel / n
	e.WorstCoverage = math.Inf(1)
	total, squares := 0.0, 0.0
	for i := range e.Parameters {
		p := &e.Parameters[i]
		mean, variance := 0.0, 0.0
		for _, v := range s.values[i] {
			mean += v / n
		}
		for _, v := range s.values[i] {
			variance += (v - mean) * (v - mean) / (n - 1)
		}
		p.Bias, p.Scatter, p.Stated = mean-p.Truth, math.Sqrt(variance), math.Sqrt(s.stated[i]/n)
		p.Coverage = 100 * float64(s.held[i]) / n
		total += p.Coverage
		if p.Stated > 0 {
			squares += p.Bias * p.Bias / (p.Stated * p.Stated)
		}
		if p.Coverage < e.WorstCoverage {
			e.WorstCoverage, e.Worst = p.Coverage, p.Name
		}
	}
	count := float64(len(e.Parameters))
	e.Coverage, e.BiasInStated = total/count, math.Sqrt(squares/count)
	return e
}

package regression

import (
	"context"
	"time"

	"ident/estimate"
	"ident/observation"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// Compared holds the fits of one data set by several models.
type Compared struct {
	Outcomes   []*Outcome // one outcome for each model, in order
	Agreements []Agreement
}

// FitModels fits the same runs by several models over the same time blocks. It reports which estimates differ beyond
// their standard deviations.
func FitModels(ctx context.Context, r *robot.Robot, terms []regressor.Term, train, validate []Run, cfg Config, kinds []Kind) (*Compared, error) {
	cfg.Model, cfg.Choices, cfg.KeepRows = Dynamic, Choices{}, KeepAll // models compare under one choice, row by row
	cfg.keepRest()
	e, set, err := begin(ctx, r, terms, train, validate, cfg)
	if err != nil {
		return nil, err
	}
	shared, err := commonBlock(e, kinds)
	if err != nil {
		return nil, err
	}
	out := new(Compared)
	for _, kind := range kinds {
		own := e.under(kind)
		own.shared = shared
		o, err := own.fit(ctx, r, set)
		if err != nil {
			return nil, &ModelError{kind, err}
		}
		out.Outcomes = append(out.Outcomes, o)
	}
	for i, a := range out.Outcomes {
		for _, b := range out.Outcomes[i+1:] {
			out.Agreements = append(out.Agreements, Agree(a, b))
		}
	}
	return out, nil
}

// ModelError is the error of one of several models.
type ModelError struct {
	Model Kind
	Err   error
}

func (e *ModelError) Error() string { return string(e.Model) + " model: " + e.Err.Error() }

func (e *ModelError) Unwrap() error { return e.Err }

// commonBlock returns the length of time blocks, in samples, that suits all models: the longest that any model asks for,
// rounded to whole rows of each.
func commonBlock(e *experiment, kinds []Kind) (int, error) {
	length, step := 0, 1
	for _, kind := range kinds {
		own := e.under(kind)
		for i, segments := range e.segments[:e.training] {
			least := own.leastBlock(i)
			for k := range segments {
				f, err := observation.NewRowFilter(own.cfg.settings(), segments[k].DT)
				if err != nil {
					return 0, &ModelError{kind, err}
				}
				length = max(length, f.BlockSamples(e.cfg.Cutoff, &segments[k], least))
				step = step / divisor(step, f.Every()) * f.Every()
			}
		}
	}
	return (length + step - 1) / step * step, nil
}

// divisor returns the greatest common divisor.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// stopwatch measures the time that a model's estimate takes.
type stopwatch struct{ start time.Time }

func (c stopwatch) seconds() float64 { return time.Since(c.start).Seconds() }

// ownError returns the residual of a solution on its own rows in per cent of their measured side, both weighted.
func ownError(s *estimate.Solution, r *estimate.Reduction, gains []int) float64 {
	var yy float64
	for k, v := range r.MeasuredSquares(gains, s.X) {
		yy += s.Weights[k] * s.Weights[k] * v
	}
	return result.PercentOf(s.RSS, yy)
}

package identify

import (
	"context"
	"time"

	"ident/estimate"
	"ident/regressor"
	"ident/robot"
)

// Compared is one data set fitted by several models.
type Compared struct {
	Outcomes   []*Outcome // in the order of the models that were asked for
	Agreements []Agreement
}

// FitModels fits the same runs by several models, over the same time blocks, and
// tells which of their estimates differ by more than can be.
func FitModels(ctx context.Context, r *robot.Robot, terms []regressor.Term, train, validate []Run, cfg Config, kinds []Kind) (*Compared, error) {
	cfg.Model = Dynamic
	e, set, dropped, err := begin(ctx, r, terms, train, validate, cfg)
	if err != nil {
		return nil, err
	}
	if e.atLeast, err = e.commonBlock(kinds); err != nil {
		return nil, err
	}
	out := new(Compared)
	for _, kind := range kinds {
		c := *e.cfg
		c.Model = kind
		own := *e
		own.cfg = &c
		o, err := own.fit(ctx, r, e.terms, set)
		if err != nil {
			return nil, &ModelError{kind, err}
		}
		o.Dropped = dropped
		out.Outcomes = append(out.Outcomes, o)
	}
	for i, a := range out.Outcomes {
		for _, b := range out.Outcomes[i+1:] {
			out.Agreements = append(out.Agreements, Agree(a, b))
		}
	}
	return out, nil
}

// ModelError says which of several models could not be fitted.
type ModelError struct {
	Model Kind
	Err   error
}

func (e *ModelError) Error() string { return string(e.Model) + " model: " + e.Err.Error() }

func (e *ModelError) Unwrap() error { return e.Err }

// commonBlock is the length of time blocks, in samples, that suits all models:
// the longest that any of them asks for, in whole steps of the rows of each.
func (e *experiment) commonBlock(kinds []Kind) (int, error) {
	length, step := 0, 1
	for _, kind := range kinds {
		cfg := *e.cfg
		cfg.Model = kind
		least := leastBlock(kind.shape(e.model), e.samples(0, e.training))
		for i := range e.training {
			for k := range e.segments[i] {
				seg := &e.segments[i][k]
				f, err := newFilters(&cfg, 1/seg.dt)
				if err != nil {
					return 0, &ModelError{kind, err}
				}
				length = max(length, blockSamples(&cfg, f, seg, least))
				step = step / divisor(step, f.every) * f.every
			}
		}
	}
	return (length + step - 1) / step * step, nil
}

// divisor is the greatest common one.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// blockID says where a time block of a reduction lies.
type blockID struct {
	seg *segment
	id  int // within the segment
}

// cost measures what a model's estimate took.
type cost struct{ start time.Time }

func (c cost) seconds() float64 { return time.Since(c.start).Seconds() }

// ownError is what a solution leaves of its own rows, as 100·‖residual‖/‖known
// side‖, both weighted.
func ownError(s *estimate.Solution, r *estimate.Reduction) float64 {
	var known float64
	for _, b := range r.Blocks() {
		for k, f := range b.Joints {
			known += s.Weights[k] * s.Weights[k] * f.YY
		}
	}
	return percent(s.RSS, known)
}

package project

import (
	"context"
	"math"

	"ident/identify/regression"
	"ident/internal/hint"
	"ident/regressor"
	"ident/result"
)

// Refit is one fit of the same logs with another filter or differentiator.
type Refit struct {
	Cutoff    float64 `json:"cutoff_hz"`
	Motion    float64 `json:"motion_cutoff_hz"`
	Velocity  string  `json:"velocity"` // "measured", or "position" with the name of the differentiator
	Error     float64 `json:"relative_error_percent"`
	RawError  float64 `json:"relative_error_raw_percent"`
	Condition float64 `json:"condition_number"`
	// The base parameter that differs most from the first row's, in standard deviations of both.
	Moved     string  `json:"moved,omitempty"`
	Deviation float64 `json:"moved_sigma"`
	From      float64 `json:"moved_from"`
	To        float64 `json:"moved_to"`
}

// FreeFit fits the logs of a session prepared for a check, without repairs. Where they do not determine a parameter, it takes the
// smallest solution. It returns nil if the logs have no torques that can be fitted.
func FreeFit(ctx context.Context, p *Settings, ses *Session) (*regression.Outcome, error) {
	if ses.withoutTorque() != "" || p.Stands() {
		return nil, nil
	}
	terms, cfg, err := freeFit(p, ses)
	if err != nil {
		return nil, err
	}
	return regression.Fit(ctx, ses.Robot, terms, ses.Runs, nil, cfg)
}

// freeFit returns the terms and the configuration of [FreeFit].
func freeFit(p *Settings, ses *Session) ([]regressor.Term, regression.Config, error) {
	terms, err := ParseTerms(p, regressor.DefaultTerms())
	cfg := ConfigOf(p, ses.Runs[0].Log, ses.Runs[0].Roles.T)
	cfg.MinimumNorm, cfg.DropBad = true, true
	return terms, cfg, err
}

// withoutTorque returns the name of the first run that has neither torques nor currents with gains, "" if there is none.
func (s *Session) withoutTorque() string {
	for _, run := range s.Runs {
		if run.Gains == nil && !allNamed(run.Roles.Tau) {
			return run.Name
		}
	}
	return ""
}

// Sensitivity repeats the fit at half, once and twice the cut-off, with positions and with measured velocities, and with
// several differentiators, and compares the estimates. The first row is the fit under the settings as they are.
func Sensitivity(ctx context.Context, p *Settings, ses *Session, report func(stage string, done, total int)) ([]Refit, error) {
	if run := ses.withoutTorque(); run != "" {
		return nil, wrong("gains", "", "{sensitivity}: %s has motor currents without gains, which cannot be fitted; give {gains}", run)
	}
	terms, base, err := freeFit(p, ses)
	if err != nil {
		return nil, err
	}
	velocities := regression.Differentiators()
	if allNamed(ses.Runs[0].Roles.DQ) {
		velocities = append(velocities, "measured")
	}
	var rows []Refit
	var first []result.BaseParameter
	try := func(cfg regression.Config) error {
		report("fitting", len(rows), 3*len(velocities)+1)
		o, err := regression.Fit(ctx, ses.Robot, terms, ses.Runs, nil, cfg)
		if err != nil {
			return hint.New("{sensitivity} at %.4g Hz: %w", max(cfg.Cutoff, 0), err)
		}
		res := &o.Result
		velocity := res.Processing.Velocity
		if d := res.Processing.Differentiator; d != "" {
			velocity = d
		}
		row := Refit{Cutoff: max(cfg.Cutoff, 0), Motion: res.Processing.MotionCutoff, Velocity: velocity,
			Error: res.Fit.RelativeError.Stacked, RawError: res.Fit.RelativeErrorRaw.Stacked, Condition: res.Condition.Scaled}
		if first == nil {
			first = res.BaseParameters
		}
		for i, b := range res.BaseParameters {
			if i >= len(first) {
				break
			}
			sd := math.Hypot(b.Sigma, first[i].Sigma)
			if d := math.Abs(b.Value-first[i].Value) / sd; sd > 0 && d > row.Deviation {
				row.Moved, row.Deviation, row.From, row.To = b.Name, d, first[i].Value, b.Value
			}
		}
		rows = append(rows, row)
		return nil
	}
	if err := try(base); err != nil {
		return nil, err
	}
	for _, v := range velocities {
		for _, factor := range []float64{0.5, 1, 2} {
			cfg := base
			if cfg.Velocity = v; base.Cutoff > 0 {
				cfg.Cutoff = factor * base.Cutoff
			}
			if v != "measured" {
				cfg.Velocity, cfg.Differentiator = "position", v
			}
			if factor != 1 {
				cfg.MotionCutoff = 0 // follows from the cut-off
			}
			if err := try(cfg); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

func allNamed(names []string) bool {
	for _, n := range names {
		if n == "" {
			return false
		}
	}
	return len(names) > 0
}

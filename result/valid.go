package result

import (
	"fmt"
	"slices"

	"ident/internal/document"
	"ident/internal/finite"
)

// Valid returns an error if the result contradicts itself: a number is not finite, a list has another length than what it
// describes, the covariance is not square and symmetric or has a negative variance, or an index lies outside of its list. The
// error names the field. A result that is written or read must be valid.
func (res *Result) Valid() error {
	if err := finite.Check(res); err != nil {
		return fmt.Errorf("the result is invalid: %w; the numbers are too large or too small; ident check shows whether a channel has the wrong scale", err)
	}
	if err := res.consistent(); err != nil {
		return fmt.Errorf("the result is invalid: %w", err)
	}
	return nil
}

// consistent returns the first contradiction within a result.
func (res *Result) consistent() error {
	if err := res.byJoint(); err != nil {
		return err
	}
	if err := res.byParameter(); err != nil {
		return err
	}
	for i, p := range res.Payloads {
		if p.Complete && (p.Mass == nil || len(p.Centre) != 3 || len(p.CentralInertia) != 6) {
			return fmt.Errorf("payloads[%d] is complete without its mass, centre of three numbers and inertia of six", i)
		}
	}
	for i, l := range res.Logs {
		if l.First < 0 || l.Last < l.First {
			return fmt.Errorf("logs[%d] has rows from offset %d to %d", i, l.First, l.Last)
		}
	}
	p := &res.Processing
	if err := p.Path.Valid(); err != nil {
		return fmt.Errorf("processing.%w", err)
	}
	if p.RateHz < 0 {
		return fmt.Errorf("processing.rate_hz is %g, which cannot be negative", p.RateHz)
	}
	if p.KeepEvery < 0 {
		return fmt.Errorf("processing.keep_every is %d, which cannot be negative", p.KeepEvery)
	}
	return res.Grade.valid()
}

// byJoint checks the lists with an entry for each joint. Models whose rows are not joints' torques, such as the energy, have one
// row in their place.
func (res *Result) byJoint() error {
	n := len(res.Joints)
	lists := []document.List{{Name: "joint_grades", Len: len(res.JointGrades)}, {Name: "rated_torque", Len: len(res.RatedTorque)},
		{Name: "processing.velocity_lag_s", Len: len(res.Processing.VelocityLag)}}
	if len(res.JointUnits) != n {
		return fmt.Errorf("joint_units has %d entries for %d joints", len(res.JointUnits), n)
	}
	if c := res.Commanded; c != nil {
		lists = append(lists, document.List{Name: "commanded.saturated_samples", Len: len(c.SaturatedSamples)}, document.List{Name: "commanded.position_error", Len: len(c.PositionError)},
			document.List{Name: "commanded.explained_percent", Len: len(c.ExplainedPercent)})
	}
	if m := res.MotionNoise; m != nil {
		lists = append(lists, document.List{Name: "motion_noise.position_sigma", Len: len(m.Position)}, document.List{Name: "motion_noise.velocity_sigma", Len: len(m.Velocity)})
	}
	if err := document.Lengths(n, "joints", lists...); err != nil {
		return err
	}
	rows := []document.List{{Name: "noise_sigma", Len: len(res.NoiseSigma)}, {Name: "correlation_inflation", Len: len(res.CorrelationInflation)},
		{Name: "recurrence_inflation", Len: len(res.RecurrenceInflation)}, {Name: "effective_samples", Len: len(res.EffectiveSamples)}}
	rows = append(rows, res.Fit.lists("fit")...)
	if v := res.Validation; v != nil {
		rows = append(rows, v.lists("validation")...)
		for i := range v.Runs {
			rows = append(rows, v.Runs[i].lists(fmt.Sprintf("validation.runs[%d]", i))...)
		}
	}
	if e := res.Expected; e != nil {
		rows = append(rows, document.List{Name: "expected_error_percent.joints", Len: len(e.Joints)})
	}
	if d := res.Diagnosis; d != nil {
		rows = append(rows, document.List{Name: "diagnosis.residuals", Len: len(d.Residuals)}, document.List{Name: "diagnosis.terms", Len: len(d.Terms)})
	}
	return document.Lengths(n, "joints", rows...)
}

// lists returns the lengths of the lists by joint of errors.
func (e *Errors) lists(at string) []document.List {
	return []document.List{{Name: at + ".rmse", Len: len(e.RMSE)}, {Name: at + ".rmse_raw", Len: len(e.RMSERaw)}, {Name: at + ".max_abs", Len: len(e.MaxAbs)},
		{Name: at + ".bias", Len: len(e.Bias)}, {Name: at + ".rest_rows", Len: len(e.RestRows)}, {Name: at + ".below_noise", Len: len(e.BelowNoise)},
		{Name: at + ".relative_error_percent.joints", Len: len(e.RelativeError.Joints)}, {Name: at + ".relative_error_raw_percent.joints", Len: len(e.RelativeErrorRaw.Joints)}}
}

// byParameter checks the lists with an entry for each base parameter, and indices into them.
func (res *Result) byParameter() error {
	n := len(res.BaseParameters)
	if len(res.Covariance) > 0 {
		if err := document.Covariance("covariance", res.Covariance, n); err != nil {
			return err
		}
	}
	for i, b := range res.BaseParameters {
		if b.Sigma < 0 || b.NoiseOnlySigma < 0 || b.DegreesOfFreedom < 0 {
			return fmt.Errorf("base_parameters[%d] (%s) has a negative standard deviation or degrees of freedom", i, b.Name)
		}
	}
	var lists []document.List
	if m := res.MotionNoise; m != nil {
		lists = append(lists, document.List{Name: "motion_noise.bias_in_sigma", Len: len(m.Bias)}, document.List{Name: "motion_noise.bias_error_in_sigma", Len: len(m.BiasError)},
			document.List{Name: "motion_noise.bias_left_in_sigma", Len: len(m.Left)}, document.List{Name: "motion_noise.bias_left_error_in_sigma", Len: len(m.LeftError)},
			document.List{Name: "motion_noise.noise_in_sigma", Len: len(m.Deviation)})
	}
	if m := res.ModelErrors; m != nil {
		lists = append(lists, document.List{Name: "model_errors.allowance", Len: len(m.Allowance)}, document.List{Name: "model_errors.shift_in_sigma", Len: len(m.Shift)})
	}
	if e := res.BiasTest; e != nil {
		lists = append(lists, document.List{Name: "bias_test.instrumental", Len: len(e.Instrumental)}, document.List{Name: "bias_test.sigma", Len: len(e.Sigma)})
	}
	if d := res.Diagnosis; d != nil {
		if d.Bootstrap != nil {
			lists = append(lists, document.List{Name: "diagnosis.bootstrap.sigma", Len: len(d.Bootstrap.Sigma)})
		}
		if d.Runs != nil {
			for i, a := range d.Runs.Apart {
				if a.Parameter < 0 || a.Parameter >= n || a.Run < 0 {
					return fmt.Errorf("diagnosis.runs.apart[%d] names parameter %d and run %d, which do not exist", i, a.Parameter, a.Run)
				}
			}
		}
	}
	return document.Lengths(n, "base parameters", lists...)
}

// valid returns an error for a level that does not exist.
func (g *Grade) valid() error {
	for _, l := range []Level{g.Value, g.Torques.Value, g.Parameters.Value} {
		if l != "" && !slices.Contains([]Level{Sound, Doubtful, Unusable}, l) {
			return fmt.Errorf("grade is %q; it is sound, doubtful or unusable", l)
		}
	}
	return nil
}

// Valid returns an error if the comparison contradicts itself: a number is not finite, or a list by side has another length than
// the sides.
func (c *Comparison) Valid() error {
	if err := finite.Check(c); err != nil {
		return fmt.Errorf("the comparison is invalid: %w", err)
	}
	n := len(c.Sides)
	for i, p := range c.Parameters {
		if len(p.Sides) != n {
			return fmt.Errorf("the comparison is invalid: parameters[%d] has %d estimates for %d sides", i, len(p.Sides), n)
		}
	}
	for i, l := range c.Logs {
		if len(l.Errors) != n {
			return fmt.Errorf("the comparison is invalid: logs[%d] has %d errors for %d sides", i, len(l.Errors), n)
		}
		for _, e := range l.Errors {
			if e == nil {
				continue
			}
			if err := document.Lengths(len(c.Joints), "joints", e.lists(fmt.Sprintf("logs[%d].errors", i))...); err != nil {
				return fmt.Errorf("the comparison is invalid: %w", err)
			}
		}
	}
	if n < 2 || len(c.Apart) != n-1 {
		return fmt.Errorf("the comparison is invalid: %d sides and %d distances between them", n, len(c.Apart))
	}
	return nil
}

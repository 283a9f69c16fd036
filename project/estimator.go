package project

import (
	"ident/baseparams"
	"ident/estimate"
	"ident/identify"
	"ident/robot"
)

// EstimatorWord is a word of the setting estimator and its use in a line, where settings stand as {key}.
type EstimatorWord struct{ Name, Use string }

// Estimators are the words of the setting estimator.
var Estimators = []EstimatorWord{
	{"ols", "every row alike"},
	{"wls", "each joint by its own residual deviation"},
	{"wls-cross", "with the covariance of the joints' errors among each other"},
	{"gls", "errors that follow each other, whitened; with {decimate}"},
	{"irls", "rows far from the others count less ({loss})"},
	{"tls", "errors in motion and torque alike"},
	{"gains", "errors in the motor currents (default with the term gain)"},
	{"ridge", "shrunken where the data say little"},
	{"map", "drawn to a prior ({prior}, else the robot file), with its deviations"},
	{"essential", "only parameters that can be told apart from zero"},
	{"sequential", "link by link, from the tip"},
	{"recursive", "a running estimate that forgets ({memory})"},
	{string(identify.IV), "instruments from the motion simulated under {controller}: noise in the motion does not bias it"},
	{string(identify.DIDIM), "least squares on that simulated motion, repeated"},
	{string(identify.CLIE), "simulated torques to fit the measured ones"},
	{string(identify.CLOE), "simulated positions to fit the measured ones"},
	{string(identify.ML), "both, each joint's by its own noise"},
	{string(identify.Auto), "default: wls or the nearest possible one by cross-validation; with a controller, iv where a test finds wls biased"},
}

// estimatorOf makes the estimator of the project; rate is that of the rows, and
// prior, which may be nil, that of the setting prior. Nil stands for a weighting.
func estimatorOf(p *Settings, rate float64, prior *identify.PriorSource) identify.Choice {
	fixed := func(e estimate.Estimator) identify.Choice {
		return func(*robot.Robot, *baseparams.Set) (estimate.Estimator, error) { return e, nil }
	}
	if prior != nil && prior.Stage != nil {
		return prior.Posterior()
	}
	if p.Estimator == string(identify.Auto) && p.Controller == "" {
		return nil // by cross-validation, see Choices
	}
	switch p.Estimator {
	case "wls-cross":
		return fixed(estimate.Cross{})
	case "gls":
		return fixed(estimate.GLS{})
	case "irls":
		return fixed(estimate.IRLS{Loss: estimate.Loss(p.Loss)})
	case "tls":
		return fixed(estimate.TLS{})
	case "gains":
		return identify.GainsOf
	case "ridge":
		return fixed(estimate.Ridge{})
	case "map":
		if prior == nil {
			prior = &identify.PriorSource{Name: OwnFile}
		}
		return prior.Posterior()
	case "essential":
		return fixed(estimate.Essential{})
	case "sequential":
		return fixed(estimate.Sequential{})
	case string(identify.IV), string(identify.DIDIM), string(identify.CLIE), string(identify.CLOE), string(identify.ML), string(identify.Auto):
		return identify.ByServo(identify.ServoMethod(p.Estimator))
	case "recursive":
		return fixed(estimate.Forgetting{Memory: p.Memory * rate})
	}
	return nil
}

// SetEstimator puts the project's estimator into the settings of a fit whose log
// has the given rate.
func SetEstimator(cfg *identify.Config, p *Settings, rate float64, prior *identify.PriorSource) {
	if p.Bootstrap > 0 {
		cfg.Bootstrap = &identify.Bootstrap{Draws: p.Bootstrap, Period: p.Period}
	}
	if cfg.Estimator = estimatorOf(p, rate/float64(max(p.Decimate, 1)), prior); cfg.Estimator == nil && p.Estimator != string(identify.Auto) {
		cfg.Weighting = estimate.Weighting(p.Estimator)
	}
}

// EstimatorNames lists the words of the setting estimator.
func EstimatorNames() []string {
	var names []string
	for _, e := range Estimators {
		names = append(names, e.Name)
	}
	return names
}

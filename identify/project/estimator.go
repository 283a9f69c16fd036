package project

import (
	"ident/baseparams"
	"ident/estimate"
	"ident/identify/regression"
	"ident/robot"
)

// EstimatorWord is a value of the setting estimator with one line about its use, in which settings stand as {key}.
type EstimatorWord struct{ Name, Use string }

// Estimators lists the values of the setting estimator.
var Estimators = []EstimatorWord{
	{"ols", "every row alike"},
	{"wls", "each joint by its own residual standard deviation"},
	{"wls-cross", "with the covariance of the joints' errors among each other"},
	{"gls", "errors that follow each other, whitened; with {decimate}"},
	{"irls", "rows far from the others count less ({loss})"},
	{"tls", "errors in motion and torque alike"},
	{"gains", "errors in the motor currents (default with the term gain)"},
	{"ridge", "shrunk towards zero where the data determine little"},
	{"map", "pulled towards a prior ({prior}, else the robot file), weighted by its standard deviations"},
	{"essential", "only parameters that can be told apart from zero"},
	{"sequential", "link by link, from the tip"},
	{"recursive", "a running estimate that forgets ({memory})"},
	{string(regression.IV), "instruments from the motion simulated under {controller}: noise in the motion does not bias it"},
	{string(regression.DIDIM), "least squares on that simulated motion, repeated"},
	{string(regression.CLIE), "simulated torques to fit the measured ones"},
	{string(regression.CLOE), "simulated positions to fit the measured ones"},
	{string(regression.ML), "both, each joint's by its own noise"},
	{string(regression.Auto), "default: wls or the nearest feasible one by cross-validation; with a controller, iv where a test finds wls biased"},
}

// estimatorOf returns the estimator of the project, nil for plain least squares with a weighting. rate is that of the
// rows; prior may be nil.
func estimatorOf(p *Settings, rate float64, prior *regression.PriorSource) regression.Choice {
	fixed := func(e estimate.Estimator) regression.Choice {
		return func(*robot.Robot, *baseparams.Set) (estimate.Estimator, error) { return e, nil }
	}
	if prior != nil && prior.Stage != nil {
		return prior.Posterior()
	}
	if p.Estimator == string(regression.Auto) && p.Controller == "" {
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
		return regression.GainsOf
	case "ridge":
		return fixed(estimate.Ridge{})
	case "map":
		if prior == nil {
			prior = &regression.PriorSource{Name: OwnFile}
		}
		return prior.Posterior()
	case "essential":
		return fixed(estimate.Essential{})
	case "sequential":
		return fixed(estimate.Sequential{})
	case string(regression.IV), string(regression.DIDIM), string(regression.CLIE), string(regression.CLOE), string(regression.ML), string(regression.Auto):
		return regression.ByServo(regression.ServoMethod(p.Estimator))
	case "recursive":
		return fixed(estimate.Forgetting{Memory: p.Memory * rate})
	}
	return nil
}

// SetEstimator writes the project's estimator into the configuration of a fit whose log has the given sampling rate.
func SetEstimator(cfg *regression.Config, p *Settings, rate float64, prior *regression.PriorSource) {
	if p.Bootstrap > 0 {
		cfg.Bootstrap = &regression.Bootstrap{Draws: p.Bootstrap, Period: p.Period}
	}
	if cfg.Estimator = estimatorOf(p, rate/float64(max(p.Decimate, 1)), prior); cfg.Estimator == nil && p.Estimator != string(regression.Auto) {
		cfg.Weighting = estimate.Weighting(p.Estimator)
	}
}

// EstimatorNames returns the values of the setting estimator.
func EstimatorNames() []string {
	var names []string
	for _, e := range Estimators {
		names = append(names, e.Name)
	}
	return names
}

package project

import (
	"slices"

	"ident/identify"
	"ident/result"
)

// completeSelection states the choices of an automatic fit that left no decision of their own: the estimator, and the
// coupling where the check proposed none.
func (j *Job) completeSelection(res *result.Result) {
	s := j.Settings
	if s.Plain {
		return
	}
	decided := func(about string) bool {
		return slices.ContainsFunc(res.Selection, func(d result.Decision) bool { return d.Decision == about })
	}
	if !decided("coupling") && (len(s.Couplings) == 0 || automatic(s.Couplings)) {
		res.Selection = slices.Insert(res.Selection, 0, result.Decision{Decision: "coupling", Chosen: NoPrior, Why: "the check of the logs proposes none"})
	}
	if s.Estimator != "" && s.Estimator != string(identify.Auto) || decided("estimator") {
		return
	}
	d := result.Decision{Decision: "estimator", Chosen: res.Estimator, Why: "least squares of all rows, each joint by its own residual deviation"}
	if s.Controller != "" {
		d.Why = "instruments from the simulated motion where a test finds least squares biased, else least squares"
	}
	if c := res.Diagnosis; c != nil && c.CrossValidation != nil {
		d.Candidates = []result.Candidate{{Choice: res.Estimator, Figure: result.CrossValidated, Percent: c.CrossValidation.Percent}}
	}
	res.Selection = append(res.Selection, d)
}

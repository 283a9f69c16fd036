package result

import "slices"

// Decision is a choice made on the training data alone.
type Decision struct {
	Decision   string      `json:"decision"` // "velocity", "coupling", "physically-consistent", "prior", "terms", …
	Candidates []Candidate `json:"candidates,omitempty"`
	Chosen     string      `json:"chosen"`
	Why        string      `json:"why"`
}

// CompleteSelection returns the result's decisions, plus automatic ones that had nothing to compare. coupling and
// estimator say that these settings were automatic, controlled that a controller was given.
func (res *Result) CompleteSelection(coupling, estimator, controlled bool) []Decision {
	out := slices.Clone(res.Selection)
	open := func(about string) bool {
		return !slices.ContainsFunc(out, func(d Decision) bool { return d.Decision == about })
	}
	if coupling && open("coupling") {
		out = slices.Insert(out, 0, Decision{Decision: "coupling", Chosen: "none", Why: "the check of the logs proposes none"})
	}
	if !estimator || !open(EstimatorDecision) {
		return out
	}
	d := Decision{Decision: EstimatorDecision, Chosen: res.Estimator, Why: "least squares of all rows, each joint by its own residual standard deviation"}
	if controlled {
		d.Why = "instruments from the simulated motion where a test finds least squares biased, else least squares"
	}
	if c := res.Diagnosis; c != nil && c.CrossValidation != nil {
		d.Candidates = []Candidate{{Choice: res.Estimator, Figure: CrossValidated, Percent: c.CrossValidation.Percent}}
	}
	return append(out, d)
}

// EstimatorDecision names the decision on the estimator.
const EstimatorDecision = "estimator"

// Candidate is one option of a decision with its figure; the simplest comes first.
type Candidate struct {
	Choice  string  `json:"choice"`
	Figure  string  `json:"figure"` // "cross-validation", or the name of a figure of the signals
	Percent float64 `json:"percent"`
}

// CrossValidated is the Candidate.Figure of an error measured on rows left out.
const CrossValidated = "cross-validation"

// CrossValidatedMotion is the Candidate.Figure of such an error that counts only rows of moving joints.
const CrossValidatedMotion = "cross-validation, moving"

// AccelerationError names the figure of velocity sources: noise and distortion of the resulting accelerations as a part
// of their power, for the worst joint.
const AccelerationError = "noise of accelerations"

// MotionError names the figure of motion cut-offs: the noise that the low-pass leaves plus the motion that it removes,
// as a part of the power of the rows' accelerations, for the worst joint.
const MotionError = "noise and distortion"

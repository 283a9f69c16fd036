package result

import (
	"fmt"
	"math"

	"ident/estimate"
)

// advise adds the verdicts of a diagnosis as advice on the use of a fit. None of them fails a result but runs that contradict one another to
// its harm.
func (res *Result) advise(l Limits) {
	d := res.Diagnosis
	if d == nil {
		return
	}
	add := func(id string, value, limit float64, why string) {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			value = math.MaxFloat64
		}
		res.Verdicts = append(res.Verdicts, Verdict{ID: id, Pass: value <= limit, Value: value, Limit: limit, Why: why, Advice: true})
	}
	if t := d.Runs; t != nil {
		why := fmt.Sprintf("the estimates of %d runs alone are %.3g times as far apart as their standard deviations say", t.Runs, t.Excess)
		if t.Excess > l.RunsExcess && len(t.Apart) > 0 {
			a := t.Apart[0]
			why += fmt.Sprintf(": %s of %s by %.3g standard deviations: check that robot, payload and temperature are the same",
				res.parameter(a.Parameter), res.trainingLog(a.Run), math.Abs(a.Deviations))
		}
		add("runs-agree", t.Excess, l.RunsExcess, why)
		if v := &res.Verdicts[len(res.Verdicts)-1]; !v.Pass && res.runsHarm(l) {
			v.Advice, v.Makes = false, Doubtful
			v.Fix = "look at the check of these logs: clocks, zeros of joints, payload and temperature; or fit the runs separately"
		}
	}
	res.adviseResiduals(d, l, add)
}

// runsHarm reports whether a run that the estimate has not seen is predicted so much worse than those that it has seen that the difference
// between runs harms the result. An error that is a good one however small the other is does none, and one that fails the result by itself is
// told by that.
func (res *Result) runsHarm(l Limits) bool {
	c := res.crossValidation()
	if c == nil || c.By != "run" || !res.Fit.Relates(-1) {
		return false
	}
	percent := unseenPercent(c)
	return percent >= fairPercent && percent <= l.CrossValidationPercent && percent > l.RunsRatio*c.Inside
}

// crossValidation returns the cross-validation of the diagnosis, or nil if there is none or both errors are rounding.
func (res *Result) crossValidation() *estimate.CrossValidation {
	if res.Diagnosis == nil || res.Diagnosis.CrossValidation == nil || res.Diagnosis.CrossValidation.Inside <= 1e-6 { // per cent
		return nil
	}
	return res.Diagnosis.CrossValidation
}

// unseenPercent returns the error of a cross-validation over all its parts. If some part alone determines a parameter,
// such as the only run with a payload, it returns the largest error of the other parts: without that part the parameter
// is not estimated at all, which the standard deviations judge. It returns zero if every part is such a part.
func unseenPercent(c *estimate.CrossValidation) float64 {
	worst, missing := 0.0, false
	for _, f := range c.Folds {
		if f.Missing > 0 {
			missing = true
		} else {
			worst = max(worst, f.Percent)
		}
	}
	if missing {
		return worst
	}
	return c.Percent
}

func (res *Result) crossValidationText(c *estimate.CrossValidation) string {
	unseen, in := res.Fit.OfTorque(c.Percent, res.unit(0))
	inside, _ := res.Fit.OfTorque(c.Inside, res.unit(0))
	why := fmt.Sprintf("a %s that the estimate has not seen is predicted to %.3g %s, where the fit leaves %.3g %s", c.By, unseen, in, inside, in)
	for _, f := range c.Folds {
		if f.Missing > 0 {
			return why + fmt.Sprintf("; without one of them %s %d of the parameters are not determined", c.By, f.Missing)
		}
	}
	return why
}

// adviseResiduals adds the advice on residuals, naming the worst joint for each.
func (res *Result) adviseResiduals(d *estimate.Diagnosis, l Limits, add func(id string, value, limit float64, why string)) {
	if len(d.Residuals) > 0 {
		white, normal := 0, 0
		for k, r := range d.Residuals {
			if r.Largest > d.Residuals[white].Largest {
				white = k
			}
			if r.Kurtosis > d.Residuals[normal].Kurtosis {
				normal = k
			}
		}
		w, n := d.Residuals[white], d.Residuals[normal]
		add("residual-whiteness", w.Largest, l.Autocorrelation,
			fmt.Sprintf("residuals of %s are correlated by up to %.2g over half a period of the cut-off and more (%s): they hold torques that the model lacks, not only noise", res.joint(white), w.Largest, chance(w.WhiteP)))
		add("residual-normality", n.Kurtosis, l.Kurtosis,
			fmt.Sprintf("residuals of %s have an excess kurtosis of %.3g, a skew of %.2g (%s): beyond %g a few large ones widen the intervals, and {estimator} irls gives them less weight", res.joint(normal), n.Kurtosis, n.Skew, chance(n.NormalP), l.Kurtosis))
	}
	if len(d.Terms) > 0 {
		friction, drift := 0, 0
		for k, t := range d.Terms {
			if power(t.Friction) > power(d.Terms[friction].Friction) {
				friction = k
			}
			if power(t.Drift) > power(d.Terms[drift].Drift) {
				drift = k
			}
		}
		f, t := d.Terms[friction].Friction, d.Terms[drift].Drift
		add("friction-lack-of-fit", power(f), l.LackOfFitPercent,
			fmt.Sprintf("other curves of friction over velocity would explain %.3g %% of the residual power of %s (%s)", f.Percent, res.joint(friction), chance(f.P)))
		add("drift", power(t), l.LackOfFitPercent,
			fmt.Sprintf("offset and friction that drift with time would explain %.3g %% of the residual power of %s (%s)", t.Percent, res.joint(drift), chance(t.P)))
		if drifts(res.Fit.RelativeError.Joints, drift, power(t)) {
			v := &res.Verdicts[len(res.Verdicts)-1]
			v.Makes, v.Fix = Doubtful, "warm the robot up and zero its sensors before logging, or fit the parts of the log as runs of their own ({rows})"
		}
	}
}

// drifts reports whether more than half of a joint's residual power, and more than a fiftieth of its torque, changes
// with time; parameters are then a mean over the log. left holds the joints' errors in per cent. On 15 measured logs
// without a fault the change is never significant.
func drifts(left []float64, joint int, percent float64) bool {
	return percent > 50 && joint < len(left) && left[joint]*math.Sqrt(percent/100) > 2
}

func (res *Result) joint(k int) string {
	if k < len(res.Joints) {
		return res.Joints[k]
	}
	return fmt.Sprintf("joint %d", k+1)
}

func (res *Result) parameter(i int) string {
	if i < len(res.BaseParameters) {
		return res.BaseParameters[i].Name
	}
	return fmt.Sprintf("parameter %d", i+1)
}

func (res *Result) trainingLog(run int) string {
	if run < len(res.Logs) {
		return res.Logs[run].Name
	}
	return fmt.Sprintf("run %d", run+1)
}

// power returns the share of residual power that a verdict compares, or zero if it may be chance.
func power(e estimate.Explained) float64 {
	if !e.Significant() {
		return 0
	}
	return e.Percent
}

// adviseBias adds the verdict of the bias test, if there was one.
func (res *Result) adviseBias() {
	if e := res.BiasTest; e != nil {
		res.Verdicts = append(res.Verdicts, Verdict{ID: "least-squares-bias", Pass: !e.Biased(), Advice: true, Value: e.F, Limit: e.Limit, Why: e.Advice()})
	}
}

// chance formats a probability; below a thousandth its digits mean nothing.
func chance(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return fmt.Sprintf("p %.2g", p)
}

package regression

import "ident/observation"

// Values of Config.KeepRows: which rows after the low-pass of both sides are fitted and compared. Errors before the
// filter always count all samples.
const (
	KeepAuto = "auto" // keep all rows of a short recording; of a long one, keep them at rowsPerCutoff times the cut-off
	KeepAll  = "all"
)

// rowsPerCutoff is the least rate of the rows that are kept, as a multiple of the cut-off. A kept row is the same as
// among all, so nothing is biased. The rows left out are so correlated with it that they add little: at half this rate
// a zero-phase Butterworth filter of order 2 has left 1/40 of an amplitude. For a million rows with white noise the
// estimates lie within 0.007 of their standard deviations of those of all rows, and the standard deviations within 0.4
// % (docs/speed.md); at half this rate it would be 0.4.
const rowsPerCutoff = 5

// longRecording is the number of training samples from which on only a part of the rows is kept. Below it all rows cost
// less than the rest of a fit.
const longRecording = 100_000

// rateOfRows returns the least rate in hertz at which rows of the training samples are kept, or 0 for all. Estimators
// other than least squares need neighbouring rows and so get all.
func (c *Config) rateOfRows(samples int) float64 {
	if c.KeepRows == KeepAll || samples < c.long || c.Estimator != nil || c.Decimate > 1 || c.Model != Dynamic {
		return 0
	}
	return rowsPerCutoff * c.Cutoff
}

// comparedRate returns the least rate in hertz at which the errors of run i are measured, or 0 for all rows. A training
// run has the rate of the fit. The rate of another run follows from its own length, so that its errors are the same
// beside a fit and alone.
func comparedRate(e *experiment, i int) float64 {
	if i < e.training {
		return e.cfg.keepRate
	}
	c := e.cfg
	c.Model, c.Estimator = Dynamic, nil
	return c.rateOfRows(e.samples(i, i+1))
}

// comparedEvery returns the number of samples between compared rows of run i.
func comparedEvery(e *experiment, i int) int {
	s := e.cfg.settings()
	s.Model, s.KeepRate = Dynamic, comparedRate(e, i)
	f, err := observation.NewRowFilter(s, e.segments[i][0].DT)
	if err != nil {
		return max(1, e.cfg.Decimate)
	}
	return f.Every()
}

// keptEvery returns the number of samples between the kept rows of the first run, or 0 if all rows are kept.
func (e *experiment) keptEvery() int {
	if n := comparedEvery(e, 0); n > 1 && e.cfg.Decimate <= 1 {
		return n
	}
	return 0
}

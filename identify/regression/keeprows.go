package regression

import "ident/observation"

// Values of Config.KeepRows: the rows behind the low-pass of both sides that are fitted, and
// whose errors are measured. Errors before the filter are always those of all samples.
const (
	KeepAuto = "auto" // all of a short recording; of a long one those at rowsPerCutoff times the cut-off
	KeepAll  = "all"
)

// rowsPerCutoff is the least rate of the rows that are kept, over the cut-off. A row
// that is kept is the same as among all, so nothing is biased; the others are so
// correlated with it that they hold little more: at half this rate a zero-phase
// Butterworth filter of order 2 has left 1/40 of an amplitude. A million rows with white
// noise give estimates that lie within 0.007 of their deviations of those of all rows, and
// deviations within 0.4 % (docs/speed.md); at half this rate it would be 0.4.
const rowsPerCutoff = 5

// longRecording is the number of training samples from which on a part of the rows is
// kept: below, they cost less than the rest of a fit.
const longRecording = 100_000

// rateOfRows is the least rate in hertz at which rows of training samples are kept, 0
// for all. Estimators other than least squares see how neighbouring rows follow each
// other, and so have all.
func (c *Config) rateOfRows(samples int) float64 {
	if c.KeepRows == KeepAll || samples < c.long || c.Estimator != nil || c.Decimate > 1 || c.Model != Dynamic {
		return 0
	}
	return rowsPerCutoff * c.Cutoff
}

// comparedRate is the least rate in hertz at which the errors of run i are measured, 0 for all
// rows: that of the fit in a training run. In another it follows from its own length, so that
// a run has the same errors beside a fit and alone.
func comparedRate(e *experiment, i int) float64 {
	if i < e.training {
		return e.cfg.keepRate
	}
	c := e.cfg
	c.Model, c.Estimator = Dynamic, nil
	return c.rateOfRows(e.samples(i, i+1))
}

// comparedEvery is the number of samples from row to row of run i in the comparison.
func comparedEvery(e *experiment, i int) int {
	s := e.cfg.settings()
	s.Model, s.KeepRate = Dynamic, comparedRate(e, i)
	f, err := observation.NewRowFilter(s, e.segments[i][0].DT)
	if err != nil {
		return max(1, e.cfg.Decimate)
	}
	return f.Every()
}

// keptEvery is the number of samples from row to row of the first run where a part of
// the rows is kept, 0 where all are.
func (e *experiment) keptEvery() int {
	if n := comparedEvery(e, 0); n > 1 && e.cfg.Decimate <= 1 {
		return n
	}
	return 0
}

package identify

import (
	"math"

	"ident/estimate"
)

// sums are what the errors of a stretch are made of, per joint.
type sums struct {
	n, nRaw             int
	err2, tau2          []float64
	err2Raw, tau2Raw    []float64
	worst, bias         []float64
	t                   []float64 // of the rows kept for plots
	measured, predicted [][]float64
}

// compare predicts a chunk's torques and compares them with the measured ones:
// through the filter of both sides, and as logged.
func (w *worker) compare(c *chunk, f *filters, ch layout, gains, x []float64) sums {
	w.rows(c, f, ch, gains)
	s := sums{}
	for _, p := range []*[]float64{&s.err2, &s.tau2, &s.err2Raw, &s.tau2Raw, &s.worst, &s.bias} {
		*p = make([]float64, w.joints)
	}
	own := w.own(c)
	if own.lo == own.hi {
		return s
	}
	w.model.Predict(w.pred, w.block, x)
	w.driven(x)
	for k := range w.joints {
		for i := own.lo; i < own.hi; i++ {
			d := w.pred[k][i] - w.raw[k][i]
			s.err2Raw[k] += d * d
			s.tau2Raw[k] += w.raw[k][i] * w.raw[k][i]
		}
	}
	s.nRaw = own.hi - own.lo
	first := f.firstRow(c, own)
	for k := range w.joints {
		copy(w.tau[k], w.raw[k])
		w.columns = append(w.columns[:0], w.tau[k], w.pred[k])
		cols, rows := w.through(w.columns, c, f, own)
		y, p := cols[0][rows.lo:rows.hi], cols[1][rows.lo:rows.hi]
		for i := range y {
			d := p[i] - y[i]
			s.err2[k] += d * d
			s.tau2[k] += y[i] * y[i]
			s.bias[k] += d
			s.worst[k] = max(s.worst[k], math.Abs(d))
		}
		s.n = len(y)
		s.measured = append(s.measured, append([]float64(nil), y...))
		s.predicted = append(s.predicted, append([]float64(nil), p...))
	}
	for i := range s.n {
		s.t = append(s.t, c.seg.t0+float64(c.lo+first+i*f.every)*c.seg.dt)
	}
	return s
}

// add adds what the errors need, not the series.
func (s *sums) add(o *sums) {
	if s.err2 == nil {
		*s = sums{err2: make([]float64, len(o.err2)), tau2: make([]float64, len(o.err2)), err2Raw: make([]float64, len(o.err2)),
			tau2Raw: make([]float64, len(o.err2)), worst: make([]float64, len(o.err2)), bias: make([]float64, len(o.err2))}
	}
	s.n += o.n
	s.nRaw += o.nRaw
	for k := range s.err2 {
		s.err2[k] += o.err2[k]
		s.tau2[k] += o.tau2[k]
		s.err2Raw[k] += o.err2Raw[k]
		s.tau2Raw[k] += o.tau2Raw[k]
		s.bias[k] += o.bias[k]
		s.worst[k] = max(s.worst[k], o.worst[k])
	}
}

// errors turns sums into figures. A joint without torque has the relative
// error zero where it was predicted exactly and 100 % otherwise.
func (s *sums) errors() estimate.Errors {
	n := len(s.err2)
	e := estimate.Errors{Samples: s.n, RMSE: make([]float64, n), RMSERaw: make([]float64, n), MaxAbs: append([]float64(nil), s.worst...), Bias: make([]float64, n)}
	e.RelativeError = relative(s.err2, s.tau2)
	e.RelativeErrorRaw = relative(s.err2Raw, s.tau2Raw)
	for k := range n {
		if s.n > 0 {
			e.RMSE[k] = math.Sqrt(s.err2[k] / float64(s.n))
			e.Bias[k] = s.bias[k] / float64(s.n)
		}
		if s.nRaw > 0 {
			e.RMSERaw[k] = math.Sqrt(s.err2Raw[k] / float64(s.nRaw))
		}
	}
	return e
}

func relative(err2, tau2 []float64) estimate.Relative {
	r := estimate.Relative{Joints: make([]float64, len(err2))}
	var e, t float64
	for k := range err2 {
		r.Joints[k] = percent(err2[k], tau2[k])
		e += err2[k]
		t += tau2[k]
	}
	r.Stacked = percent(e, t)
	return r
}

func percent(err2, tau2 float64) float64 {
	switch {
	case err2 == 0:
		return 0
	case tau2 == 0:
		return 100
	}
	return 100 * math.Sqrt(err2/tau2)
}

// series collects the rows that plots and the residual file keep of a run. When
// the limit is reached, every other kept row is dropped and the stride doubled,
// so that what is kept does not depend on the run's length being known.
type series struct {
	run   estimate.ResidualRun
	limit int
	seen  int
}

func (r *series) add(s *sums) {
	if r.run.Measured == nil {
		r.run.Stride = 1
		r.run.Measured, r.run.Predicted = make([][]float64, len(s.err2)), make([][]float64, len(s.err2))
	}
	for i := range s.t {
		if r.seen++; (r.seen-1)%r.run.Stride != 0 {
			continue
		}
		if len(r.run.T) >= r.limit {
			r.run.T = everyOther(r.run.T)
			for k := range r.run.Measured {
				r.run.Measured[k], r.run.Predicted[k] = everyOther(r.run.Measured[k]), everyOther(r.run.Predicted[k])
			}
			r.run.Stride *= 2
			if (r.seen-1)%r.run.Stride != 0 {
				continue
			}
		}
		r.run.T = append(r.run.T, s.t[i])
		for k := range r.run.Measured {
			r.run.Measured[k] = append(r.run.Measured[k], s.measured[k][i])
			r.run.Predicted[k] = append(r.run.Predicted[k], s.predicted[k][i])
		}
	}
}

func everyOther(x []float64) []float64 {
	n := 0
	for i := 0; i < len(x); i += 2 {
		x[n] = x[i]
		n++
	}
	return x[:n]
}

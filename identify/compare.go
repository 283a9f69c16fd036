package identify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/observation"
	"ident/regressor"
	"ident/result"
)

// sums are those from which the errors of a stretch follow, by joint: N·m or N,
// and squares.
type sums struct {
	n, nRaw             int
	err2, tau2          []float64
	err2Raw, tau2Raw    []float64
	worst, bias         []float64
	t                   []float64 // of the rows kept for plots
	measured, predicted [][]float64
	reach               reach
}

// comparison is the errors of an estimate on every run.
type comparison struct {
	fit        *result.Errors     // of the training runs, nil without any
	validation *result.Validation // nil without validation runs
	residuals  []result.ResidualRun
	reach      reach // of the training motion
}

// compare is the pass that measures the errors of an estimate on every run. tests, which
// may be nil, takes the residuals of the training runs.
func (e *experiment) compare(ctx context.Context, x []float64, tests *residualTests) (comparison, error) {
	var out comparison
	// Whatever model was fitted, its parameters predict torques.
	settings := e.cfg.settings()
	settings.Model, settings.KeepRate = Dynamic, 0
	sources, err := e.sources(settings, 0, len(e.runs), 0)
	if err != nil {
		return out, err
	}
	total, done := e.samples(0, len(e.runs)), 0
	predictors := stages(e.cfg.Workers, e.predictor)
	perRun, kept := make([]sums, len(e.runs)), make([]series, len(e.runs))
	type compared struct {
		sums
		run, samples int
	}
	err = observation.Pass(ctx, sources, e.cfg.Workers, func(i int, c *observation.Chunk) (compared, error) {
		s, err := predictors[i].compare(c, x)
		return compared{s, c.Source.Segment.Run, c.Own()}, err
	}, func(c compared) error {
		done += c.samples
		e.cfg.Progress("residuals", done, total)
		perRun[c.run].add(&c.sums)
		if tests != nil && c.run < e.training {
			if err := tests.add(c.run, &c.sums); err != nil {
				return err
			}
		}
		kept[c.run].limit = e.cfg.SeriesLimit
		kept[c.run].add(&c.sums)
		return nil
	})
	if err != nil {
		return out, err
	}
	var train, all sums
	var validated []result.ValidationRun
	for i := range e.runs {
		role := "train"
		if i < e.training {
			train.add(&perRun[i])
		} else {
			role = "validate"
			all.add(&perRun[i])
			validated = append(validated, result.ValidationRun{Log: e.runs[i].Name, Errors: perRun[i].errors()})
			if perRun[i].n == 0 {
				return out, fmt.Errorf("%s: no sample is left of it after cutting %g s from both ends; give a smaller --trim", e.runs[i].Name, e.cfg.Trim)
			}
		}
		kept[i].run.Log, kept[i].run.Role = e.runs[i].Name, role
		out.residuals = append(out.residuals, kept[i].run)
	}
	if e.training > 0 {
		errors := train.errors()
		out.fit, out.reach = &errors, train.reach
	}
	if len(validated) > 0 {
		out.validation = &result.Validation{Runs: validated, Errors: all.errors()}
	}
	return out, nil
}

// compare predicts a chunk's torques and compares them with the measured ones:
// through the filter of both sides, and as logged.
func (p *predictor) compare(c *observation.Chunk, x []float64) (sums, error) {
	v, err := p.predict(c, x)
	if err != nil {
		return sums{}, err
	}
	s := newSums(len(v.Torque))
	if v.Empty() {
		return s, nil
	}
	s.reach = reachOf(&v)
	for k, torque := range v.Torque {
		for i := v.Lo; i < v.Hi; i++ {
			d := p.predicted[k][i] - torque[i]
			s.err2Raw[k] += d * d
			s.tau2Raw[k] += torque[i] * torque[i]
		}
	}
	s.nRaw = v.Hi - v.Lo
	joints := len(v.Torque)
	p.columns = append(append(p.columns[:0], v.Torque...), p.predicted...)
	rows := v.Filter(p.columns, v.Extent)
	for k := range joints {
		y, predicted := rows.Columns[k][rows.Lo:rows.Hi], rows.Columns[joints+k][rows.Lo:rows.Hi]
		for i := range y {
			d := predicted[i] - y[i]
			s.err2[k] += d * d
			s.tau2[k] += y[i] * y[i]
			s.bias[k] += d
			s.worst[k] = max(s.worst[k], math.Abs(d))
		}
		s.n = len(y)
		s.measured = append(s.measured, slices.Clone(y))
		s.predicted = append(s.predicted, slices.Clone(predicted))
	}
	first, every := v.First(v.Extent), c.Source.Filters.Rows.Every()
	for i := range s.n {
		s.t = append(s.t, c.Time(first+i*every))
	}
	return s, nil
}

// predict evaluates the torques of all samples of a chunk, before any filter.
func (p *predictor) predict(c *observation.Chunk, x []float64) (observation.Observation, error) {
	if p.model.Needs()&regressor.NeedCurrent == 0 {
		v, err := p.observer.Predict(c, x)
		p.predicted = v.Predicted
		return v, err
	}
	v, err := p.observer.Observe(c)
	if err != nil {
		return v, err
	}
	p.predicted = resized(p.predicted, len(v.Torque), len(v.Torque[0]))
	p.model.Predict(p.predicted, v.Regressor, x)
	p.drivenByCurrents(&v, x)
	return v, nil
}

// drivenByCurrents turns both sides of a comparison into the torques of drives whose
// gains were estimated: gain times current, against the prediction of the other
// parameters.
func (p *predictor) drivenByCurrents(v *observation.Observation, x []float64) {
	for k, measured := range v.Torque {
		for c, col := range p.model.Mask(k) {
			if p.model.Columns()[col].Term != regressor.Gain {
				continue
			}
			for i, w := range v.Regressor.Joint[k][c][:len(measured)] {
				torque := -w * x[col]
				p.predicted[k][i] += torque - measured[i]
				measured[i] = torque
			}
		}
	}
}

func newSums(joints int) sums {
	var s sums
	for _, p := range []*[]float64{&s.err2, &s.tau2, &s.err2Raw, &s.tau2Raw, &s.worst, &s.bias} {
		*p = make([]float64, joints)
	}
	return s
}

// add adds the sums of the errors, without the series.
func (s *sums) add(o *sums) {
	if s.err2 == nil {
		*s = newSums(len(o.err2))
	}
	s.n += o.n
	s.nRaw += o.nRaw
	s.reach.add(&o.reach)
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
func (s *sums) errors() result.Errors {
	n := len(s.err2)
	e := result.Errors{Samples: s.n, RMSE: make([]float64, n), RMSERaw: make([]float64, n), MaxAbs: append([]float64(nil), s.worst...), Bias: make([]float64, n)}
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

func relative(err2, tau2 []float64) result.Relative {
	r := result.Relative{Joints: make([]float64, len(err2))}
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

// series collects the rows of a run for plots and the residual file. When
// the limit is reached, every other kept row is dropped and the stride doubled:
// the kept rows do not depend on the run's length being known.
type series struct {
	run   result.ResidualRun
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

package regression

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/filter"
	"ident/identify/regression/internal/series"
	"ident/internal/hint"
	"ident/internal/lanes"
	"ident/observation"
	"ident/regressor"
	"ident/result"
)

// sums accumulates, by joint, what the errors of a stretch are computed from: N·m or N, and their squares.
type sums struct {
	n, nRaw          int
	rest, restRaw    []int // rows and samples at rest, which are in none of the sums but in the series
	err2, tau2       []float64
	err2Raw, tau2Raw []float64
	worst, bias      []float64
	noise2           []float64 // squares of the noise of the measured torques behind the filter: see setNoise
	series.Rows                // for plots
	atRest           [][]bool  // by joint and row; nil for a joint without rest
	reach            trainingReach
}

// allAtRest reports whether every row of every joint is at rest.
func (s *sums) allAtRest() bool {
	for _, n := range s.rest {
		if n < s.n {
			return false
		}
	}
	return len(s.rest) > 0
}

// comparison holds the errors of an estimate on every run.
type comparison struct {
	fit        *result.Errors     // of the training runs, nil without any
	validation *result.Validation // nil without validation runs
	residuals  []result.ResidualRun
	reach      trainingReach // of the training motion
}

// compare measures the errors of an estimate x on every run, in one pass. file holds the parameters of the robot file
// for plots, or nil. tests receives the residuals of the training runs and may be nil.
func (e *experiment) compare(ctx context.Context, x, file []float64, tests *residualTests) (comparison, error) {
	var out comparison
	sources, err := comparedSources(e)
	if err != nil {
		return out, err
	}
	total, done := e.samples(0, len(e.runs)), 0
	predictors := stages(e.cfg.Workers, e.predictor)
	perRun, kept := make([]sums, len(e.runs)), newSeries(e)
	type compared struct {
		sums
		run, samples int
	}
	err = observation.Pass(ctx, sources, e.cfg.Workers, func(i int, c *observation.Chunk) (compared, error) {
		s, err := predictors[i].compare(c, x, file, c.Source.Segment.Run >= e.training)
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
		kept[c.run].Add(&c.Rows)
		return nil
	})
	if err != nil {
		return out, err
	}
	for i := range perRun {
		perRun[i].setNoise(e.rowsFilter(i))
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
				return out, hint.New("%s: no sample is left of it after cutting %g s from both ends; give a smaller {trim}", e.runs[i].Name, e.cfg.Trim)
			}
			if perRun[i].allAtRest() {
				return out, fmt.Errorf("%s: every joint is at rest in every row, and rows at rest do not show the errors of a model: record a motion, or check the unit of the positions", e.runs[i].Name)
			}
		}
		out.residuals = append(out.residuals, kept[i].Finish(e.runs[i].Name, role))
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

// comparedSources returns the sources of all runs, with the rows that are compared: torques, whatever model was fitted.
func comparedSources(e *experiment) ([]observation.Source, error) {
	settings := e.cfg.settings()
	settings.Model = Dynamic
	var out []observation.Source
	for i := range e.runs {
		settings.KeepRate = comparedRate(e, i)
		of, err := e.sources(settings, i, i+1, 0)
		if err != nil {
			return nil, err
		}
		out = append(out, of...)
	}
	return out, nil
}

// compare predicts a chunk's torques and compares them with the measured ones, both through the filter of both sides and
// as logged. For a run outside the training (unseen) it also predicts the load of the drives.
func (p *predictor) compare(c *observation.Chunk, x, file []float64, unseen bool) (sums, error) {
	v, err := p.bothSides(c, x, file, unseen)
	if err != nil {
		return sums{}, err
	}
	s := newSums(len(v.Torque))
	if v.Empty() {
		return s, nil
	}
	s.reach, s.Held = reachOf(&v), heldStretches(&v)
	first, every := v.First(v.Extent), c.Source.Filters.Rows.Every()
	for k, torque := range v.Torque { // as logged: the filter works in place
		v.InMotion(k, func(from, to int) {
			s.err2Raw[k] += lanes.SquaredDistance(p.predicted[k][from:to], torque[from:to])
			s.tau2Raw[k] += lanes.SumSquares(torque[from:to])
			s.restRaw[k] -= to - from
		})
		s.restRaw[k] += v.Hi - v.Lo
		s.Logged = append(s.Logged, everyOf(torque, first, every, (len(torque)-first+every-1)/every))
	}
	s.nRaw = v.Hi - v.Lo
	p.compareRows(&s, &v, file != nil)
	for _, q := range v.Motion.Q {
		s.Position = append(s.Position, everyOf(q, first, every, s.n))
	}
	for i := range s.n {
		s.T = append(s.T, c.Time(first+i*every))
	}
	return s, nil
}

// bothSides returns the measured torques of a chunk and stores those that the estimate x and the file's parameters predict.
func (p *predictor) bothSides(c *observation.Chunk, x, file []float64, unseen bool) (observation.Observation, error) {
	// Both sets of parameters are evaluated on the same motion. Without a file both are the estimate, so that a run has
	// the same rounding in a fit and alone. Load-dependent friction takes the predicted load for both.
	load := unseen && p.model.Needs()&regressor.NeedLoad != 0
	further := file
	switch {
	case load:
		further = nil
	case file == nil:
		further = x
	}
	v, err := p.predict(c, x, further)
	if err != nil {
		return v, err
	}
	if unseen {
		if err := v.PredictLoad(x); err != nil {
			return v, err
		}
	}
	if v.Empty() {
		return v, nil
	}
	if load && file != nil {
		p.loaded = resized(p.loaded, len(v.Torque), len(v.Torque[0]))
		p.file = p.loaded
		if err := v.PredictFor(file, p.file); err != nil {
			return v, err
		}
	}
	p.restoreKnown(&v, file != nil)
	return v, nil
}

// compareRows passes both sides through the filter and adds the rows to the sums, except those at rest to the errors.
func (p *predictor) compareRows(s *sums, v *observation.Observation, file bool) {
	joints := len(v.Torque)
	p.columns = append(append(p.columns[:0], v.Torque...), p.predicted...)
	if file {
		p.columns = append(p.columns, p.file...)
	}
	rows := v.Filter(p.columns, v.Extent)
	for k := range joints {
		y, predicted := rows.Columns[k][rows.Lo:rows.Hi], rows.Columns[joints+k][rows.Lo:rows.Hi]
		atRest := v.AtRest(nil, k, len(y), v.Extent)
		for i := range y {
			if atRest != nil && atRest[i] {
				s.rest[k]++
				continue
			}
			d := predicted[i] - y[i]
			s.err2[k] += d * d
			s.tau2[k] += y[i] * y[i]
			s.bias[k] += d
			s.worst[k] = max(s.worst[k], math.Abs(d))
		}
		s.n = len(y)
		s.Measured = append(s.Measured, slices.Clone(y))
		s.Predicted = append(s.Predicted, slices.Clone(predicted))
		s.Logged[k] = s.Logged[k][:s.n]
		s.atRest = append(s.atRest, atRest)
		if file {
			s.File = append(s.File, slices.Clone(rows.Columns[2*joints+k][rows.Lo:rows.Hi]))
		}
	}
}

// predict evaluates the unfiltered torques of all samples of a chunk, for x and for further parameters.
func (p *predictor) predict(c *observation.Chunk, x, further []float64) (observation.Observation, error) {
	if p.model.Needs()&regressor.NeedCurrent == 0 {
		v, err := p.observer.Predict(c, x, further)
		p.predicted = v.Predicted
		p.file = v.Beside
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

// restoreKnown adds the torque of known parameters to both sides, so that errors are of what was measured: a known torque
// that was moved would make the measured side as small or large as its value says.
func (p *predictor) restoreKnown(v *observation.Observation, file bool) {
	if v.Known == nil {
		return
	}
	sides := [][][]float64{v.Torque, p.predicted}
	if file {
		sides = append(sides, p.file)
	}
	for _, side := range sides {
		for k, known := range v.Known {
			if p.gainOf(k) {
				continue // drivenByCurrents has taken the torque of the currents
			}
			for i := range side[k] {
				side[k][i] += known[i]
			}
		}
	}
}

// gainOf reports whether the gain of joint k's drive is among the unknowns.
func (p *predictor) gainOf(k int) bool {
	return slices.ContainsFunc(p.model.Mask(k), func(c int) bool { return p.model.Columns()[c].Term == regressor.Gain })
}

// drivenByCurrents replaces both sides of a comparison for drives with estimated gains: measured becomes gain times
// current, predicted becomes the torque of the other parameters.
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
	for _, p := range []*[]float64{&s.err2, &s.tau2, &s.err2Raw, &s.tau2Raw, &s.worst, &s.bias, &s.noise2} {
		*p = make([]float64, joints)
	}
	s.rest, s.restRaw = make([]int, joints), make([]int, joints)
	return s
}

// add adds the sums of o, without its series.
func (s *sums) add(o *sums) {
	if s.err2 == nil {
		*s = newSums(len(o.err2))
	}
	s.n += o.n
	s.nRaw += o.nRaw
	s.reach.Add(&o.reach)
	for k := range s.err2 {
		s.rest[k] += o.rest[k]
		s.restRaw[k] += o.restRaw[k]
		s.err2[k] += o.err2[k]
		s.tau2[k] += o.tau2[k]
		s.err2Raw[k] += o.err2Raw[k]
		s.tau2Raw[k] += o.tau2Raw[k]
		s.bias[k] += o.bias[k]
		s.noise2[k] += o.noise2[k]
		s.worst[k] = max(s.worst[k], o.worst[k])
	}
}

// rowsFilter returns the part of white noise that passes the filter of run i's compared rows; 1 where it has none.
func (e *experiment) rowsFilter(i int) float64 {
	if e.cfg.Decimate > 1 || len(e.segments[i]) == 0 {
		return 1
	}
	return filter.LowPass{Cutoff: e.cfg.Cutoff, Order: e.cfg.Order}.WhiteShare(1 / e.segments[i][0].DT)
}

// setNoise fills in the squares of the noise of a run's torques behind a filter through which a share of white noise passes. What the
// filter has taken from the errors is the rest of that noise: predicted torques have next to nothing above the cut-off.
func (s *sums) setNoise(share float64) {
	if s.noise2 == nil || share >= 1 {
		return
	}
	for k := range s.noise2 {
		rows, samples := s.n-s.rest[k], s.nRaw-s.restRaw[k]
		if rows > 0 && samples > 0 {
			taken := s.err2Raw[k]/float64(samples) - s.err2[k]/float64(rows)
			s.noise2[k] = float64(rows) * max(taken, 0) * share / (1 - share)
		}
	}
}

// errors turns sums into errors. A joint without measured torque has the relative error 0 if it was predicted exactly,
// otherwise 100 %.
func (s *sums) errors() result.Errors {
	n := len(s.err2)
	e := result.Errors{Samples: s.n, RMSE: make([]float64, n), RMSERaw: make([]float64, n), MaxAbs: append([]float64(nil), s.worst...), Bias: make([]float64, n)}
	e.RelativeError = result.RelativeOf(s.err2, s.tau2)
	e.RelativeErrorRaw = result.RelativeOf(s.err2Raw, s.tau2Raw)
	if slices.Max(append(s.rest, 0)) > 0 {
		e.RestRows = slices.Clone(s.rest)
	}
	for k := range n {
		if s.tau2[k] < result.AboveNoise*result.AboveNoise*s.noise2[k] {
			if e.BelowNoise == nil {
				e.BelowNoise = make([]bool, n)
			}
			e.BelowNoise[k] = true
		}
		if rows := s.n - s.rest[k]; rows > 0 {
			e.RMSE[k] = math.Sqrt(s.err2[k] / float64(rows))
			e.Bias[k] = s.bias[k] / float64(rows)
		}
		if samples := s.nRaw - s.restRaw[k]; samples > 0 {
			e.RMSERaw[k] = math.Sqrt(s.err2Raw[k] / float64(samples))
		}
	}
	return e
}

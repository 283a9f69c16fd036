package regression

import (
	"context"
	"fmt"
	"math"

	"ident/estimate"
	"ident/estimate/summary"
	"ident/identify/regression/internal/frictionterms"
	"ident/observation"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// RowsError is the error of a request that needs rows, which summaries do not have.
type RowsError struct {
	What string // the estimator, signal or term that needs the rows
	Why  string
}

func (e *RowsError) Error() string {
	return fmt.Sprintf("%s needs the rows of the logs again (%s), which summaries do not hold: fit the logs themselves", e.What, e.Why)
}

// Summarise reduces runs to a summary with the columns of all terms that cfg.Choices may select. The caller must fill in
// its robot, settings, hashes, findings and fingerprints. If a request needs the rows again, the error is a *RowsError.
func Summarise(ctx context.Context, r *robot.Robot, terms []regressor.Term, runs []Run, cfg Config, maxBlocks int) (*summary.Summary, error) {
	for i := range runs {
		switch run := &runs[i]; {
		case run.UnknownGains:
			return nil, &RowsError{"the term gain", "errors of the currents are columns of the rows"}
		case run.GainSigma != nil:
			return nil, &RowsError{"the doubt of drive gains", "it is followed through rows of its own"}
		case len(cfg.KnownSigma) > 0:
			return nil, &RowsError{"the deviation of a known parameter", "it is followed through rows of its own"}
		case run.MayCarry():
			return nil, &RowsError{"a payload", "the rows with it are told apart by the log"}
		}
	}
	if cfg.Servo != nil {
		return nil, &RowsError{"a controller", "it simulates the motion, which summaries do not contain"}
	}
	cfg.KeepRows, cfg.Estimator = KeepAll, nil
	e, set, err := begin(ctx, r, terms, runs, nil, cfg)
	if err != nil {
		return nil, err
	}
	path := *pathOf(e)
	if e.cfg.Fixed == nil {
		path.MaxBlocks = maxBlocks
	}
	if e.cfg.Fixed == nil && e.cfg.Choices.Terms && offersFriction(e, r) == "" {
		path.Wide, path.Offered = true, e.cfg.Choices.Offered
	}
	whole := path
	whole.MaxBlocks = 0 // the blocks of the summary are made of its own rows
	e.cfg.Fixed = &whole
	e.cfg.follow()
	s := &summary.Summary{Processing: processingOf(&path, &runs[0])}
	for _, t := range e.terms {
		s.Model.Terms = append(s.Model.Terms, string(t))
	}
	for k := range set.Base {
		s.Model.Columns = append(s.Model.Columns, set.Name(k))
	}
	s.Model.Base = len(set.Base)
	var rows reduction
	var f frictionterms.Columns
	if path.Wide {
		for _, t := range path.Offered {
			s.Model.Offered = append(s.Model.Offered, string(t))
		}
		if rows, f, err = e.reduceFriction(ctx, r, path.Offered); err == nil {
			s.Model.Columns = append(s.Model.Columns, f.Names()...)
		}
	} else {
		rows, err = e.reduce(ctx)
	}
	if err != nil {
		return nil, err
	}
	s.Model.Masks = rows.sum.Masks()
	var work estimate.Work
	for i, blocks := range blocksByRun(rows, e.training) {
		run, segments := &runs[i], e.segments[i]
		of := summary.Run{Name: run.Name, First: run.First, Last: run.Last, Start: segments[0].T0, Rate: 1 / segments[0].DT, Segments: len(segments), Blocks: summary.CoarsenBlocks(blocks, path.MaxBlocks, &work)}
		of.Seconds = segments[len(segments)-1].End() - of.Start
		for k := range segments {
			of.Resampled = of.Resampled || !segments[k].Uniform
		}
		if f.Joints > 0 {
			of.ResolvedSpeeds = resolvedSpeeds(e, i, i+1)
		}
		s.Runs = append(s.Runs, of)
	}
	return summary.Merge(s)
}

// processingOf returns a path in the form of a summary.
func processingOf(p *FixedPath, run *Run) summary.Processing {
	s := &p.Settings
	out := summary.Processing{Model: string(s.Model), Path: s.Path, MotionOrder: s.MotionOrder, KeepRate: s.KeepRate, Window: s.Window,
		TorqueThroughMotion: s.TorqueThroughMotion, RemoveSteps: p.RemoveSteps, Rest: p.Rest, RestRange: s.Rest.Range, RestSeconds: s.Rest.Seconds, MaxBlocks: p.MaxBlocks, Torque: "torque"}
	out.Path.MotionOrder = 0
	if run.Gains != nil {
		out.Torque, out.Gains = run.Signal(), run.Gains
	}
	return out
}

// PathOf returns the signal path of a summary. Use it to reduce further logs that are to be merged with it.
func PathOf(s *summary.Summary) *FixedPath {
	p := &s.Processing
	var offered []regressor.Term
	for _, t := range s.Model.Offered {
		offered = append(offered, regressor.Term(t))
	}
	path := p.Path
	path.MotionOrder = p.MotionOrder
	return &FixedPath{Wide: s.Model.Base < len(s.Model.Columns), Offered: offered, Rest: p.Rest, RemoveSteps: p.RemoveSteps, MaxBlocks: p.MaxBlocks, Settings: observation.Settings{
		Model: Kind(p.Model), Path: path, KeepRate: p.KeepRate, Window: p.Window, TorqueThroughMotion: p.TorqueThroughMotion,
		Rest: observation.RestRule{Range: p.RestRange, Seconds: p.RestSeconds}}}
}

// errorsOf returns the errors of an estimate on the reduced rows, N·m or N. Errors on torques as logged, and the largest
// and mean errors, cannot be computed from them.
func errorsOf(rows reduction, x []float64) result.Errors {
	masks := rows.sum.Masks()
	n := len(masks)
	out := result.Errors{RMSE: make([]float64, n)}
	err2, tau2 := make([]float64, n), rows.sum.MeasuredSquares(nil, x)
	for k, count := range rows.sum.Rows() {
		for _, b := range rows.sum.Blocks() {
			f := b.Joints[k]
			err2[k] += f.RSS
			for i := range f.N {
				d := f.Z[i]
				for j := i; j < f.N; j++ {
					d -= f.R[i*f.N+j] * x[masks[k][j]]
				}
				err2[k] += d * d
			}
		}
		out.Samples = max(out.Samples, count)
		out.RMSE[k] = math.Sqrt(err2[k] / float64(max(count, 1)))
	}
	out.RelativeError = result.RelativeOf(err2, tau2)
	return out
}

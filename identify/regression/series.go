package regression

import (
	"ident/identify/regression/internal/series"
	"ident/observation"
	"ident/result"
)

// newSeries returns one series for each run.
func newSeries(e *experiment) []series.Series {
	out := make([]series.Series, len(e.runs))
	limit := min(e.cfg.SeriesLimit, series.MaxRows(len(e.model.JointLinks()), len(out)))
	for i, segments := range e.segments {
		every := comparedEvery(e, i)
		out[i] = series.New(series.Plan{Joints: e.model.Joints(), Rows: e.samples(i, i+1) / every, Limit: limit, Runs: len(out), Period: segments[0].DT * float64(every),
			Seconds: segments[len(segments)-1].End() - segments[0].T0, Doubtful: missing(segments)})
	}
	return out
}

// missing returns the intervals across which resampled segments were interpolated: gaps of nearly two periods or more,
// where rows are missing or were left out.
func missing(segments []observation.Segment) []result.Interval {
	var out []result.Interval
	for i := range segments {
		for _, h := range segments[i].Holes(1.7) {
			out = append(out, result.Interval{From: h[0], To: h[1], Why: "interpolated"})
		}
	}
	return out
}

// everyOf returns n values of column, from first on, every entries apart.
func everyOf(column []float64, first, every, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = column[first+i*every]
	}
	return out
}

// heldStretches returns the stretches of a chunk in which the log repeats the last torques it received.
func heldStretches(v *observation.Observation) (out []result.Interval) {
	for _, h := range v.Held() {
		out = append(out, result.Interval{From: h[0], To: h[1], Why: "held"})
	}
	return out
}

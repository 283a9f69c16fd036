package identify

import (
	"ident/observation"
	"ident/result"
)

// series collects the rows of a run for drawings and the residual file. When
// the limit is reached, every other kept row is dropped and the stride doubled:
// the kept rows do not depend on the run's length being known. Of a run that is
// longer, the least and largest values and the worst rows are kept beside them.
type series struct {
	run   result.ResidualRun
	limit int
	room  int // for the rows expected, at most limit
	seen  int
	long  *longRun // nil of a run that is kept whole
}

const (
	seriesBytes = 128 << 20 // of the rows of all runs together
	leastSeries = 256       // rows of a run
	// longRuns is the number of runs from which the extremes of thinned ones are left out: each takes 2 MB.
	longRuns = longBuckets / leastBuckets
)

// seriesRows are the rows that are kept of each of so many runs at most.
func seriesRows(joints, runs int) int {
	row := 8 * (1 + len(tables(new(result.ResidualRun)))*joints)
	return max(leastSeries, seriesBytes/row/runs)
}

// newSeries makes one for every run.
func newSeries(e *experiment) []series {
	out := make([]series, len(e.runs))
	limit := min(e.cfg.SeriesLimit, seriesRows(len(e.model.JointLinks()), len(out)))
	for i := range out {
		out[i].run.Doubtful = missing(e.segments[i])
		every := comparedEvery(e, i)
		n := e.samples(i, i+1) / every
		if n > limit && len(out) <= longRuns {
			out[i].long = newLongRun(n, len(out), every, e.segments[i])
		}
		out[i].limit, out[i].room = limit, min(limit, n+1)
	}
	return out
}

// missing lists the stretches that samples of resampled segments are interpolated across: intervals of nearly
// two periods and more, where rows are missing or were left out.
func missing(segments []observation.Segment) []result.Stretch {
	var out []result.Stretch
	for i := range segments {
		for _, h := range segments[i].Holes(1.7) {
			out = append(out, result.Stretch{From: h[0], To: h[1], Why: "interpolated"})
		}
	}
	return out
}

// tables are those of a run that have an entry a row, and those of the sums of a chunk, in the same order.
func tables(r *result.ResidualRun) [5]*[][]float64 {
	return [5]*[][]float64{&r.Measured, &r.Predicted, &r.Logged, &r.File, &r.Position}
}

func (s *sums) tables() [5][][]float64 {
	return [5][][]float64{s.measured, s.predicted, s.logged, s.file, s.position}
}

func (r *series) add(s *sums) {
	from, to := s.tables(), tables(&r.run)
	if r.run.Measured == nil {
		r.run.Stride = 1
		r.run.T = make([]float64, 0, r.room)
		r.run.Measured, r.run.Predicted = make([][]float64, len(s.err2)), make([][]float64, len(s.err2))
	}
	for i, table := range from { // an empty chunk has none
		if *to[i] == nil && table != nil {
			*to[i] = make([][]float64, len(table))
		}
		for k := range table {
			if (*to[i])[k] == nil {
				(*to[i])[k] = make([]float64, 0, r.room)
			}
		}
	}
	r.run.Doubtful = append(r.run.Doubtful, s.held...)
	if r.long != nil {
		r.long.add(s)
	}
	for i := range s.t {
		if r.seen++; (r.seen-1)%r.run.Stride != 0 {
			continue
		}
		if len(r.run.T) >= r.limit {
			r.run.T = everyOther(r.run.T)
			for _, table := range to {
				for k := range *table {
					(*table)[k] = everyOther((*table)[k])
				}
			}
			r.run.Stride *= 2
			if (r.seen-1)%r.run.Stride != 0 {
				continue
			}
		}
		r.run.T = append(r.run.T, s.t[i])
		for n, table := range from {
			for k := range table {
				(*to[n])[k] = append((*to[n])[k], table[k][i])
			}
		}
	}
}

// finish is the run with everything that was kept of it.
func (r *series) finish() result.ResidualRun {
	if r.long != nil && r.run.Stride > 1 {
		r.run.Long = r.long.finish(&r.run)
	}
	return r.run
}

func everyOther(x []float64) []float64 {
	n := 0
	for i := 0; i < len(x); i += 2 {
		x[n] = x[i]
		n++
	}
	return x[:n]
}

// everyOf are n values of a column, every so many from the first on.
func everyOf(column []float64, first, every, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = column[first+i*every]
	}
	return out
}

// heldStretches are those of a chunk in which the log repeats the last torques that it received.
func heldStretches(v *observation.Observation) (out []result.Stretch) {
	for _, h := range v.Held() {
		out = append(out, result.Stretch{From: h[0], To: h[1], Why: "held"})
	}
	return out
}

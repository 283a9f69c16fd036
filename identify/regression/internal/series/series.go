package series

import "ident/result"

// Rows are consecutive rows of a run, by joint in N·m or N, rad or m; of a table without values nil.
type Rows struct {
	T                   []float64 // s
	Measured, Predicted [][]float64
	Logged, File        [][]float64 // torque before the filter; prediction of the robot file
	Position            [][]float64
	Held                []result.Interval
}

// Series collects the rows of a run for drawings and the residual file. When
// the limit is reached, every other kept row is dropped and the stride doubled:
// the kept rows do not depend on the run's length being known. Of a run that is
// longer, the least and largest values and the worst rows are kept beside them.
type Series struct {
	joints int
	run    result.ResidualRun
	limit  int
	room   int // for the rows expected, at most limit
	seen   int
	long   *longRun // nil for a run that is kept whole
}

const (
	seriesBytes = 128 << 20 // of the rows of all runs together
	leastSeries = 256       // rows of a run
	// longRuns is the number of runs from which the extremes of thinned ones are left out: each takes 2 MB.
	longRuns = longBuckets / leastBuckets
)

// MaxRows returns the largest number of rows that are kept of each run, given the number of runs.
func MaxRows(joints, runs int) int {
	row := 8 * (1 + len(tables(new(result.ResidualRun)))*joints)
	return max(leastSeries, seriesBytes/row/runs)
}

// Plan is the extent of a run.
type Plan struct {
	Joints      int
	Rows, Limit int     // rows expected, and most that are kept
	Runs        int     // number of runs that are drawn together, this one included
	Period      float64 // from row to row, s
	Seconds     float64 // from the first to the last sample
	Doubtful    []result.Interval
}

// New begins a series.
func New(p Plan) Series {
	out := Series{joints: p.Joints, run: result.ResidualRun{Doubtful: p.Doubtful}, limit: p.Limit, room: min(p.Limit, p.Rows+1)}
	if p.Rows > p.Limit && p.Runs <= longRuns {
		out.long = newLongRun(p)
	}
	return out
}

// tables returns the tables of a run that have one entry per row, in the order of Rows.tables.
func tables(r *result.ResidualRun) [5]*[][]float64 {
	return [5]*[][]float64{&r.Measured, &r.Predicted, &r.Logged, &r.File, &r.Position}
}

func (s *Rows) tables() [5][][]float64 {
	return [5][][]float64{s.Measured, s.Predicted, s.Logged, s.File, s.Position}
}

// Add adds the rows that follow.
func (r *Series) Add(s *Rows) {
	from, to := s.tables(), tables(&r.run)
	if r.run.Measured == nil {
		r.run.Stride = 1
		r.run.T = make([]float64, 0, r.room)
		r.run.Measured, r.run.Predicted = make([][]float64, r.joints), make([][]float64, r.joints)
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
	r.run.Doubtful = append(r.run.Doubtful, s.Held...)
	if r.long != nil {
		r.long.add(s)
	}
	for i := next(r.seen, r.run.Stride); i < len(s.T); {
		room := r.limit - len(r.run.T)
		if room <= 0 {
			r.run.T = everyOther(r.run.T)
			for _, table := range to {
				for k := range *table {
					(*table)[k] = everyOther((*table)[k])
				}
			}
			r.run.Stride *= 2
			i += next(r.seen+i, r.run.Stride)
			continue
		}
		rows := min(room, (len(s.T)-1-i)/r.run.Stride+1)
		r.run.T = appendEvery(r.run.T, s.T[i:], r.run.Stride, rows)
		for n, table := range from {
			for k := range table {
				(*to[n])[k] = appendEvery((*to[n])[k], table[k][i:], r.run.Stride, rows)
			}
		}
		i += rows * r.run.Stride
	}
	r.seen += len(s.T)
}

// next returns the number of rows from one on to the first that a stride keeps.
func next(row, stride int) int { return (stride - row%stride) % stride }

// appendEvery appends x[0], x[stride], …, so many of them.
func appendEvery(dst, x []float64, stride, n int) []float64 {
	if stride == 1 {
		return append(dst, x[:n]...)
	}
	for i := range n {
		dst = append(dst, x[i*stride])
	}
	return dst
}

// Finish returns the run of a log, which trains or validates, with everything that was kept of it.
func (r *Series) Finish(log, role string) result.ResidualRun {
	r.run.Log, r.run.Role = log, role
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

package gravity

import (
	"ident/filter"
	"ident/observation"
)

// LogsOf reads a run into memory: a log for each stretch without long gaps, resampled where its clock is not
// uniform. A row that cannot be used is an [observation.RowError].
func LogsOf(run *observation.Run) ([]Log, error) {
	segments, _, err := observation.Segments(0, run, run.Channels(false, false), false)
	if err != nil {
		return nil, err
	}
	var out []Log
	for i := range segments {
		s := &segments[i]
		l := Log{DT: s.DT}
		if l.Q, err = columns(run, s, run.Roles.Q); err != nil {
			return nil, err
		}
		if l.Tau, err = columns(run, s, run.Torques()); err != nil {
			return nil, err
		}
		for k, gain := range run.Gains {
			for j := range l.Tau[k] {
				l.Tau[k][j] *= gain
			}
		}
		out = append(out, l)
	}
	return out, nil
}

// columns are channels of a segment on its clock.
func columns(run *observation.Run, s *observation.Segment, names []string) ([][]float64, error) {
	rows := run.Log.Slice(s.First, s.Last)
	cols, err := rows.Columns(names...)
	if err != nil || s.Uniform {
		return cols, err
	}
	t, err := rows.Column(run.Roles.T)
	if err != nil {
		return nil, err
	}
	for k := range cols {
		even := make([]float64, s.N)
		filter.Resample(even, t, cols[k], s.T0, s.DT)
		cols[k] = even
	}
	return cols, nil
}

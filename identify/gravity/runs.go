package gravity

import "ident/observation"

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
		if l.Q, err = s.Columns(run.Log, run.Roles.Q...); err != nil {
			return nil, err
		}
		if l.Tau, err = s.Columns(run.Log, run.Torques()...); err != nil {
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

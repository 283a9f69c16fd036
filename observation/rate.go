package observation

import "ident/datasets"

// Rate returns the sampling rate of the first rows of a log by its clock channel, in hertz; 0 if the log has no two
// increasing times.
func Rate(l *datasets.Log, clock string) float64 {
	t, err := l.Slice(0, min(l.Rows(), 4096)).Column(clock)
	if err != nil || len(t) < 2 || t[len(t)-1] <= t[0] {
		return 0
	}
	return float64(len(t)-1) / (t[len(t)-1] - t[0])
}

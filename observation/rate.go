package observation

import "ident/datasets"

// Rate is the rate of the first rows of a log by its clock channel, in hertz; 0 where the
// log has no two times that increase.
func Rate(l *datasets.Log, clock string) float64 {
	t, err := l.Slice(0, min(l.Rows(), 4096)).Column(clock)
	if err != nil || len(t) < 2 || t[len(t)-1] <= t[0] {
		return 0
	}
	return float64(len(t)-1) / (t[len(t)-1] - t[0])
}

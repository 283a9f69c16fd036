package observation

import (
	"sort"

	"ident/datasets"
	"ident/filter"
)

// Columns reads channels of the log of a segment's run whole, on the segment's clock: the rows where they are its samples, otherwise
// resampled between its usable rows. Fits read longer logs in chunks.
func (s *Segment) Columns(log *datasets.Log, channels ...string) ([][]float64, error) {
	cols, err := log.Slice(s.First, s.Last).Columns(channels...)
	if err != nil || s.Uniform {
		return cols, err
	}
	times := s.t.All()
	for c, x := range cols {
		usable := make([]float64, 0, len(times))
		for i, v := range x {
			if at := sort.SearchInts(s.bad, s.First+i); at == len(s.bad) || s.bad[at] != s.First+i {
				usable = append(usable, v)
			}
		}
		cols[c] = make([]float64, s.N)
		filter.Resample(cols[c], times, usable, s.T0, s.DT)
	}
	return cols, nil
}

package observation

import (
	"slices"

	"ident/datasets"
	"ident/filter"
)

// Stamps tells how the times of a log were read.
type Stamps struct {
	Noise float64 // root mean square of the stamps' deviations from a steady clock, in seconds; 0 if there is none
	Clock bool    // the rows are read on that clock, otherwise at their stamps
	Known bool    // the positions decide between the two; otherwise they are as smooth on either
}

// ReadStamps returns the times at which the rows of a log were sampled: those of the steady clock about which the stamps t jitter, if there
// is one and the named positions are smoother on it (filter.StampTest); otherwise t. bad are the rows of the log, ascending, that t
// lacks. Gaps longer than a clock can account for leave the stamps.
func ReadStamps(log *datasets.Log, positions []string, t *filter.Times, c filter.Clock, bad []int) (*filter.Times, Stamps, error) {
	positions = slices.DeleteFunc(slices.Clone(positions), func(name string) bool { return name == "" })
	if len(positions) == 0 || len(c.Repeated) > 0 {
		return t, Stamps{}, nil
	}
	steady, rms, ok := t.Jittered(c)
	if !ok {
		return t, Stamps{}, nil
	}
	test := filter.NewStampTest(len(positions), t.Len())
	row, next := 0, 0 // of t and of bad
	var clock, stamps []float64
	usable := make([][]float64, len(positions))
	err := log.Scan(positions, scanRows, func(first int, cols [][]float64) error {
		for c := range usable {
			usable[c] = usable[c][:0]
		}
		n := 0
		for i := range cols[0] {
			if next < len(bad) && bad[next] == first+i {
				next++
				continue
			}
			for c := range cols {
				usable[c] = append(usable[c], cols[c][i])
			}
			n++
		}
		n = min(n, t.Len()-row)
		clock, stamps = steady.Part(clock[:0], row, row+n), t.Part(stamps[:0], row, row+n)
		row += n
		test.Take(clock, stamps, usable)
		return nil
	})
	if err != nil {
		return nil, Stamps{}, err
	}
	noise, sampled := test.Verdict()
	if noise {
		t = steady
	}
	return t, Stamps{Noise: rms, Clock: noise, Known: noise || sampled}, nil
}

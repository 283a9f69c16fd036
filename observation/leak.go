package observation

import (
	"context"
	"math"
	"slices"

	"ident/internal/hint"
)

// LeakError says that two runs hold the same samples, which would count twice, or both train and validate.
type LeakError struct {
	First, Second string // names of the runs
	Rows          int    // number of common rows; in long logs, of those in the sample of fingerprints
	Copied        bool   // the rows are a copy: in another file, or elsewhere in the same one
	Validates     bool   // the first run trains the result that the second validates
}

func (e *LeakError) Error() string { return e.Naming(hint.Key).Error() }

// Naming returns the error as text with name(key) in place of each setting.
func (e *LeakError) Naming(name func(key string) string) error {
	how := "the same rows of one log"
	if e.Copied {
		how = "copies of the same samples"
	}
	what := "they would count twice"
	if e.Validates {
		what = "a result would be validated on what it was trained on"
	}
	return hint.Message{Format: "%s and %s hold %s (%d or more rows): %s; leave one out, or choose rows that do not overlap with {rows}", Args: []any{e.First, e.Second, how, e.Rows, what}}.Naming(name)
}

const (
	// runFingerprints is the approximate number of fingerprints kept of a run: a dozen of them detect an overlap of a
	// thousandth.
	runFingerprints = 16384
	// leakRows is the number of common fingerprints that exceeds chance.
	leakRows = 3
	// resultFingerprints is the number of fingerprints, the smallest, that a result keeps of a training run: with an
	// overlap of a hundredth, five are common.
	resultFingerprints = 512
)

// Leaks looks for samples that two runs have in common: rows of one log by their
// numbers, rows of different logs by their content, in any format and from any
// row on. The first training runs are fitted; two of the others may overlap.
//
// Of all fingerprints (Fingerprints) those below a bound are kept, so both runs keep
// the same ones of common samples.
//
// It returns the fingerprints that a result keeps of the training runs, of rows in succession and of single rows.
func Leaks(ctx context.Context, runs []Run, training int) (successive, single [][]uint64, err error) {
	if successive, err = successiveLeaks(ctx, runs, training); err == nil {
		single, err = rowLeaks(ctx, runs, training)
	}
	return successive, single, err
}

// successiveLeaks looks for rows by number and for rows in succession.
func successiveLeaks(ctx context.Context, runs []Run, training int) ([][]uint64, error) {
	for j := range runs {
		for i := range min(j, training) {
			a, b := &runs[i], &runs[j]
			if !sameLog(a, b) {
				continue
			}
			first, last := a.Log.Span()
			from, to := b.Log.Span()
			if n := min(last, to) - max(first, from); n > 0 {
				return nil, &LeakError{First: a.Name, Second: b.Name, Rows: n, Validates: j >= training}
			}
		}
	}
	bound := printsBound(runs)
	var kept [][]uint64
	seen := map[uint64]int{} // fingerprint: first run that has it
	for j := range runs {
		if j >= training && oneLog(runs) {
			return kept, nil
		}
		prints, err := runs[j].fingerprints(ctx, bound)
		if err != nil {
			return nil, err
		}
		if j < training {
			kept = append(kept, slices.Clone(prints[:min(len(prints), resultFingerprints)]))
		}
		common := make([]int, len(runs))
		for _, p := range prints {
			if i, ok := seen[p]; ok && i != j {
				common[i]++
			} else {
				seen[p] = j
			}
		}
		for i, n := range common {
			a, b := &runs[i], &runs[j]
			if n < leakRows || i >= training || sameLog(a, b) {
				continue
			}
			return nil, &LeakError{First: a.Name, Second: b.Name, Rows: n, Copied: true, Validates: j >= training}
		}
	}
	return kept, nil
}

// printsBound returns the largest fingerprint that Leaks keeps.
func printsBound(runs []Run) uint64 {
	longest := 0
	for i := range runs {
		longest = max(longest, runs[i].Log.Rows())
	}
	if longest <= runFingerprints {
		return math.MaxUint64
	}
	return math.MaxUint64 / uint64(longest) * runFingerprints
}

// sameLog reports whether two runs are parts of one log, so that row numbers identify samples. A file may hold several
// logs, each with its own rows.
func sameLog(a, b *Run) bool {
	return a.Log.Path() != "" && a.Log.Path() == b.Log.Path() && a.Name == b.Name
}

// oneLog reports whether all runs are parts of one log.
func oneLog(runs []Run) bool {
	for i := range runs {
		if !sameLog(&runs[i], &runs[0]) {
			return false
		}
	}
	return true
}

// SharedSamples returns the indices of the runs in kept, the fingerprints that Leaks returned, that share samples with
// run.
func SharedSamples(ctx context.Context, kept [][]uint64, run *Run) ([]int, error) {
	trained := map[uint64]int{}
	bound := uint64(0)
	for i, prints := range kept {
		for _, p := range prints {
			trained[p] = i
			bound = max(bound, p)
		}
	}
	if len(trained) == 0 {
		return nil, nil
	}
	prints, err := Fingerprints(ctx, run, bound)
	if err != nil {
		return nil, err
	}
	common := make([]int, len(kept))
	for _, p := range prints {
		if i, ok := trained[p]; ok {
			common[i]++
		}
	}
	var out []int
	for i, n := range common {
		if n >= leakRows {
			out = append(out, i)
		}
	}
	return out, nil
}

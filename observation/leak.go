package observation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/internal/hint"
)

// LeakError says that two runs hold the same samples, which would count twice, or both train and validate.
type LeakError struct {
	First, Second string // names of the runs
	Rows          int    // number of common rows; in long logs, of those in the sample of fingerprints; 0 for copies of a whole file
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
	rows := "all rows"
	if e.Rows > 0 {
		rows = fmt.Sprintf("%d or more rows", e.Rows)
	}
	return hint.Message{Format: "%s and %s hold %s (%s): %s; leave one out, or choose rows that do not overlap with {rows}", Args: []any{e.First, e.Second, how, rows, what}}.Naming(name)
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
// Of all fingerprints (Fingerprints, RowPrints) those below a bound are kept, so both runs keep
// the same ones of common samples. Each run is read once and compared with those before it, so that
// a copy is found before the runs behind it are read. The runs keep their fingerprints, and what has been
// compared: a second call with the same runs reads nothing.
//
// It returns the fingerprints that a result keeps of the training runs, of rows in succession and of single rows.
func Leaks(ctx context.Context, runs []Run, training int) (successive, single [][]uint64, err error) {
	if err := overlaps(runs, training); err != nil {
		return nil, nil, err
	}
	bound := printsBound(runs)
	if !wereCompared(runs, training, bound) {
		if err := comparePrints(ctx, runs, training, bound); err != nil {
			return nil, nil, err
		}
	}
	kept := func(prints []uint64) []uint64 { return slices.Clone(prints[:min(len(prints), resultFingerprints)]) }
	for i := range runs[:training] {
		successive, single = append(successive, kept(runs[i].prints.successive)), append(single, kept(runs[i].prints.single))
	}
	return successive, single, nil
}

// byContent returns the runs that are compared by content: of parts of one log those that train.
func byContent(runs []Run, training int) []Run {
	if oneLog(runs) {
		return runs[:training]
	}
	return runs
}

// overlaps looks for rows that two runs of one log have in common, by their numbers.
func overlaps(runs []Run, training int) error {
	for j := range runs {
		for i := range min(j, training) {
			a, b := &runs[i], &runs[j]
			if !sameLog(a, b) {
				continue
			}
			first, last := a.Log.Span()
			from, to := b.Log.Span()
			if n := min(last, to) - max(first, from); n > 0 {
				return &LeakError{First: a.Name, Second: b.Name, Rows: n, Validates: j >= training}
			}
		}
	}
	return nil
}

// comparePrints takes the fingerprints of each run and compares them with those of the training runs before it.
func comparePrints(ctx context.Context, runs []Run, training int, bound uint64) error {
	compared := byContent(runs, training)
	seen := map[uint64]int{} // fingerprint of rows in succession: first run that has it
	for j := range compared {
		b := &compared[j]
		if err := b.print(ctx, bound); err != nil {
			return err
		}
		common := make([]int, len(runs))
		for _, p := range b.prints.successive {
			if i, ok := seen[p]; ok && i != j {
				common[i]++
			} else {
				seen[p] = j
			}
		}
		for i := range min(j, training) {
			a := &runs[i]
			if sameLog(a, b) {
				continue
			}
			n := common[i]
			if n < leakRows && mayBeRowsOf(a.prints.single, b.prints.single) && CommonPart(a.prints.single, b.prints.single) >= commonPart {
				n = leakRows
			}
			if n >= leakRows {
				return &LeakError{First: a.Name, Second: b.Name, Rows: n, Copied: true, Validates: j >= training}
			}
		}
	}
	all := &printsCompared{training: training, runs: len(compared)}
	for j := range compared {
		compared[j].prints.compared = all
	}
	return nil
}

// printsBound returns the largest fingerprint that Leaks takes.
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

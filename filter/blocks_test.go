package filter

import (
	"fmt"
	"iter"
	"testing"

	"pgregory.net/rapid"
)

// span is one block of a long signal: samples [lo, hi) are filtered, and the
// results at [first, last) kept.
type span struct {
	lo, first, last, hi int
}

// blocks cuts n samples into blocks of at most block kept samples, each read with
// overlap samples more on both sides as far as the signal goes. Filtered with an
// overlap of Tail(tol), the kept parts together are the whole signal filtered at
// once; Half of a FIR filter and two samples a difference do the same exactly.
// It panics unless block is positive and overlap is not negative.
func blocks(n, block, overlap int) iter.Seq[span] {
	if block < 1 || overlap < 0 {
		panic(fmt.Sprintf("filter: blocks of %d samples with an overlap of %d", block, overlap))
	}
	return func(yield func(span) bool) {
		for first := 0; first < n; first += block {
			last := min(first+block, n)
			if !yield(span{lo: max(first-overlap, 0), first: first, last: last, hi: min(last+overlap, n)}) {
				return
			}
		}
	}
}

func TestBlocksCoverTheSignal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(t, "n")
		block := rapid.IntRange(1, 60).Draw(t, "block")
		overlap := rapid.IntRange(0, 60).Draw(t, "overlap")
		next := 0
		for s := range blocks(n, block, overlap) {
			if s.first != next || s.last <= s.first || s.last-s.first > block ||
				s.lo != max(0, s.first-overlap) || s.hi != min(n, s.last+overlap) {
				t.Fatalf("span %+v after %d of %d", s, next, n)
			}
			next = s.last
		}
		if next != n {
			t.Fatalf("spans end at %d of %d", next, n)
		}
	})
}

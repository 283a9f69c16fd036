package observation

import (
	"context"
	"math"
	"slices"
)

// rowSample takes the fingerprints of the single rows of a log that are not above a bound.
type rowSample struct {
	positions int       // first channels
	gains     []float64 // factors of the other channels, nil for none
	bound     uint64
	hashes    []uint64 // of the rows of a batch
	out       []uint64
}

// add adds the next rows, given as one slice for each channel.
func (s *rowSample) add(cols [][]float64) {
	s.hashes = s.hashes[:0]
	for range cols[0] {
		s.hashes = append(s.hashes, 0x84222325cbf29ce4)
	}
	for c, col := range cols {
		gain := 1.0
		if c >= s.positions && s.gains != nil {
			gain = s.gains[c-s.positions]
		}
		for i, v := range col {
			s.hashes[i] = mix(s.hashes[i] ^ coarse(v*gain))
		}
	}
	for _, h := range s.hashes {
		if h <= s.bound {
			s.out = append(s.out, h)
		}
	}
}

// kept returns the distinct fingerprints of the rows so far, in ascending order.
func (s *rowSample) kept() []uint64 {
	slices.Sort(s.out)
	s.out = slices.Compact(s.out)
	return s.out
}

// coarse returns the bits of a value to five digits: 16 of the mantissa, of 24 that single precision keeps.
func coarse(v float64) uint64 {
	if v == 0 {
		return 0 // of either sign
	}
	return (math.Float64bits(v) + 1<<35) >> 36
}

// commonPart is the part of a log's rows from which it is one of rows of another. Rows of channels with steps agree by chance, where a
// robot passes the same states; a log is new if most of its rows are.
const commonPart = 0.5

// CommonPart returns the part of the fingerprints of one log's rows that are among those of another, of the log with fewer: both are
// ascending and complete up to their bounds. It is 0 for fewer than a few.
func CommonPart(a, b []uint64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	bound := min(a[len(a)-1], b[len(b)-1])
	i, j, common, inA, inB := 0, 0, 0, 0, 0
	for i < len(a) && a[i] <= bound || j < len(b) && b[j] <= bound {
		switch {
		case j >= len(b) || i < len(a) && a[i] < b[j]:
			i, inA = i+1, inA+1
		case i >= len(a) || b[j] < a[i]:
			j, inB = j+1, inB+1
		default:
			i, j, common, inA, inB = i+1, j+1, common+1, inA+1, inB+1
		}
	}
	if common < leakRows {
		return 0
	}
	return float64(common) / float64(min(inA, inB))
}

// AreRowsOf reports whether a run and a log, of which kept are the smallest fingerprints, have most of their rows in common, of the one
// with fewer.
func AreRowsOf(ctx context.Context, kept []uint64, run *Run) (bool, error) {
	if len(kept) == 0 {
		return false, nil
	}
	rows, err := RowPrints(ctx, run, kept[len(kept)-1])
	return CommonPart(kept, rows) >= commonPart, err
}

// mayBeRowsOf reports whether [CommonPart] of two lists of fingerprints can reach commonPart, by the smallest ones: of sketchPrints that
// one of them has up to the bound of the other's, half the part is five standard deviations below it.
func mayBeRowsOf(a, b []uint64) bool {
	sketch := func(p []uint64) []uint64 { return p[:min(len(p), 2*sketchPrints)] }
	a, b = sketch(a), sketch(b)
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	bound := min(a[len(a)-1], b[len(b)-1])
	upTo := func(p []uint64) int { n, _ := slices.BinarySearch(p, bound+1); return n }
	return min(upTo(a), upTo(b)) < sketchPrints || CommonPart(a, b) >= commonPart/2
}

// sketchPrints: among so many fingerprints a part of a half scatters by a twentieth.
const sketchPrints = 100

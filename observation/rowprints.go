package observation

import (
	"context"
	"math"
	"slices"
)

// RowPrints returns the distinct fingerprints of a run's single rows up to bound, ascending: hashes of positions and torques to five
// digits. They find a log whose rows are rows of another, thinned, cut, in another order, or printed with fewer digits, where no rows
// in succession are common. Single rows of coarse channels also agree by chance, so that [CommonPart] of them counts.
func RowPrints(ctx context.Context, run *Run, bound uint64) ([]uint64, error) {
	p := newPrints(run, bound)
	var out, hashes []uint64
	err := run.Log.Scan(p.channels, scanRows, func(_ int, cols [][]float64) error {
		hashes = hashes[:0]
		for range cols[0] {
			hashes = append(hashes, 0x84222325cbf29ce4)
		}
		for c, col := range cols {
			gain := 1.0
			if s := p.sample; c >= s.positions && s.gains != nil {
				gain = s.gains[c-s.positions]
			}
			for i, v := range col {
				hashes[i] = mix(hashes[i] ^ coarse(v*gain))
			}
		}
		for _, h := range hashes {
			if h <= bound {
				out = append(out, h)
			}
		}
		return ctx.Err()
	})
	slices.Sort(out)
	return slices.Compact(out), err
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

// rowLeaks looks for runs whose rows are rows of another, of other logs. It returns the fingerprints that a result keeps of the training
// runs' rows.
func rowLeaks(ctx context.Context, runs []Run, training int) ([][]uint64, error) {
	bound := printsBound(runs)
	var all, kept [][]uint64
	for j := range runs {
		if j >= training && oneLog(runs) {
			return kept, nil
		}
		rows, err := RowPrints(ctx, &runs[j], bound)
		if err != nil {
			return nil, err
		}
		for i := range min(j, training) {
			if sameLog(&runs[i], &runs[j]) {
				continue
			}
			if CommonPart(all[i], rows) >= commonPart {
				return nil, &LeakError{First: runs[i].Name, Second: runs[j].Name, Rows: leakRows, Copied: true, Validates: j >= training}
			}
		}
		all = append(all, rows)
		if j < training {
			kept = append(kept, slices.Clone(rows[:min(len(rows), resultFingerprints)]))
		}
	}
	return kept, nil
}

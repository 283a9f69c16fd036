package trialfit

import "math"

// The regressor of a long chain has some hundred columns in every equation, and the cost of its fits grows with the
// third power of the number of joints. For more than ManyJoints joints a longer log gives at most this many equations,
// or this many rows for each column of the longest equation if that is more. They are taken from pieces of at least
// this many seconds, spread evenly over the log. They leave a hundred rows for each parameter of 30 joints, where the 7
// joints of a log of 25 s have 60.
const (
	ManyJoints   = 12
	maxEquations = 20_000
	spreadRows   = 4 // a column
	maxPieces    = 8
	leastPiece   = 2.0  // s
	nearlyAll    = 0.75 // part of the log from which all of it is taken
)

// spread returns the segments that are fitted, and the fraction of all samples in them.
func (in *Signals) spread(rowRate float64) (segments []Segment, part float64) {
	samples, columns := 0, 0
	for _, s := range in.Segments {
		samples += len(s.T)
	}
	for j := range in.Joints {
		columns = max(columns, len(in.Model.Mask(j)))
	}
	span := float64(samples) * in.Interval
	part = float64(max(maxEquations/len(in.Joints), spreadRows*columns)) / (span * rowRate)
	if len(in.Joints) <= ManyJoints || part >= nearlyAll {
		return in.Segments, 1
	}
	pieces := max(1, min(maxPieces, int(part*span/leastPiece)))
	length := int(math.Ceil(part * float64(samples) / float64(pieces)))
	for i := range pieces {
		from := 0
		if pieces > 1 {
			from = i * (samples - length) / (pieces - 1)
		}
		at := 0 // sample at which a segment begins
		for _, s := range in.Segments {
			n := len(s.T)
			if lo, hi := max(from-at, 0), min(from+length-at, n); lo < hi {
				segments = append(segments, s.cut(lo, hi))
			}
			at += n
		}
	}
	return segments, part
}

// few reports whether a joint has too few rows for a fit of its own.
func (tr *Rows) few() bool {
	for j, lost := range tr.Lost {
		rows := 0
		for _, l := range lost {
			if !l {
				rows++
			}
		}
		if tr.Y[j] != nil && rows < rowsOfColumn*len(tr.W[j]) {
			return true
		}
	}
	return false
}

// cut returns the samples [from, to).
func (s Segment) cut(from, to int) Segment {
	of := func(cols [][]float64) [][]float64 {
		out := make([][]float64, len(cols))
		for j, c := range cols {
			if c != nil {
				out[j] = c[from:to]
			}
		}
		return out
	}
	return Segment{T: s.T[from:to], Uniform: s.Uniform, Q: of(s.Q), Effort: of(s.Effort)}
}

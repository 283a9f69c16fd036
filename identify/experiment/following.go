package experiment

import (
	"math"

	"ident/simulate"
)

// following sums up how a controlled robot follows its reference.
type following struct {
	squares []float64
	limited []int // samples in which each drive was at its limit
	n       int
}

// add takes a block.
func (f *following) add(e *simulate.Record) {
	if f.squares == nil {
		f.squares, f.limited = make([]float64, len(e.Reference)), make([]int, len(e.Reference))
	}
	for i, ref := range e.Reference {
		for k, v := range ref {
			x := v - e.Exact.Q[i][k]
			f.squares[i] += x * x
			if e.Limited[i][k] {
				f.limited[i]++
			}
		}
	}
	f.n += len(e.T)
}

// rms returns the root mean square of the tracking error of each joint; nil without a controller.
func (f *following) rms() []float64 {
	var out []float64
	for _, s := range f.squares {
		out = append(out, math.Sqrt(s/float64(f.n)))
	}
	return out
}

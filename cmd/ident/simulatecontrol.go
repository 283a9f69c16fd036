package main

import (
	"math"

	"ident/robot"
	"ident/simulate"
)

// prepare makes the experiment of a motion that is followed exactly, or by a controller.
func (o *simulateOptions) prepare(r *robot.Robot, motion simulate.Sampler, run simulate.Options) (*simulate.Simulation, error) {
	if o.controller == "" {
		return simulate.New(r, motion, run)
	}
	c, err := controlled(o.controller, o.model, r, run.Rate)
	if err != nil {
		return nil, err
	}
	return simulate.NewControlled(r, motion, c, run)
}

// following sums up how a controlled robot follows its reference.
type following struct {
	squares []float64
	limited []int
	n       int
}

func (f *following) add(e *simulate.Experiment) {
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

// rms is the root mean square of the tracking error of each joint; nil without a controller.
func (f *following) rms() []float64 {
	var out []float64
	for _, s := range f.squares {
		out = append(out, math.Sqrt(s/float64(f.n)))
	}
	return out
}

package estimate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// LeftOut is the part of the rows whose absence moves an estimate most.
type LeftOut struct {
	Percent   float64   `json:"percent"`        // of the rows, the least part that was left out in each draw; whole time blocks
	Draws     int       `json:"draws"`          // contiguous parts that were left out, one at a time
	Shift     float64   `json:"shift_in_sigma"` // largest shift of a parameter, in its standard deviations
	Parameter int       `json:"parameter"`      // its index among the base parameters
	Run       int       `json:"run"`            // of the part that makes it, from 0
	Open      bool      `json:"open,omitempty"` // without some part the rows do not determine the parameters
	Shifts    []float64 `json:"-"`              // largest shift of each parameter
}

// Drawn in LeaveOut: twenty parts of half a per cent are a tenth of the rows, so that a flaw that spoils one row in ten
// is found, and rarer ones in that proportion.
const (
	leftOutPart  = 0.005
	leftOutDraws = 20
)

// LeaveOut draws contiguous parts of the rows and returns the part without which some parameter of s moves most, in
// deviations of the covariance. Each part has whole time blocks of one run, with at least half a per cent of all rows. s
// must be the least-squares estimate of these rows, with its weights. It returns nil for fewer than four blocks, or if the
// estimate has not full rank.
func (r *Reduction) LeaveOut(s *Solution, covariance [][]float64, seed uint64) *LeftOut {
	if len(r.blocks) < 4 || s.Rank < len(s.X) || len(s.Weights) != len(r.masks) {
		return nil
	}
	rows, total := make([]int, len(r.blocks)), 0
	for b := range r.blocks {
		for _, f := range r.blocks[b].Joints {
			rows[b] += f.Rows
		}
		total += rows[b]
	}
	if total == 0 {
		return nil
	}
	whole, gradients := r.Moments(s.Weights), r.BlockGradients(s.Weights, s.X)
	out := &LeftOut{Percent: 100 * leftOutPart, Draws: leftOutDraws, Shifts: make([]float64, len(s.X))}
	rng := rand.New(rand.NewPCG(seed, 0x6c6f6f))
	n := len(s.X)
	for range leftOutDraws {
		first, at := 0, rng.IntN(total)
		for at >= rows[first] {
			at -= rows[first]
			first++
		}
		system, left := mat.NewSymDense(n+1, nil), 0
		system.CopySym(whole)
		gradient := make([]float64, n)
		for b := first; b < len(r.blocks) && r.blocks[b].Run == r.blocks[first].Run && float64(left) < leftOutPart*float64(total); b++ {
			left += rows[b]
			r.subtractBlock(system, b, s.Weights)
			for i, v := range gradients[b] {
				gradient[i] += v
			}
		}
		for i, v := range gradient {
			system.SetSym(i, n, v)
		}
		shift, ok := SolveMoments(system)
		out.Open = out.Open || !ok
		for i, v := range shift {
			sigma := math.Sqrt(covariance[i][i])
			if sigma == 0 {
				continue
			}
			moved := math.Abs(v) / sigma
			out.Shifts[i] = max(out.Shifts[i], moved)
			if moved > out.Shift {
				out.Shift, out.Parameter, out.Run = moved, i, r.blocks[first].Run
			}
		}
	}
	return out
}

// subtractBlock subtracts the moments of the columns in a block from those of more rows.
func (r *Reduction) subtractBlock(moments *mat.SymDense, block int, weights []float64) {
	for k, mask := range r.masks {
		f, w := r.blocks[block].Joints[k], weights[k]*weights[k]
		for i := range f.N {
			for j := i; j < f.N; j++ {
				sum := 0.0
				for l := range i + 1 {
					sum += f.R[l*f.N+i] * f.R[l*f.N+j]
				}
				moments.SetSym(mask[i], mask[j], moments.At(mask[i], mask[j])-w*sum)
			}
		}
	}
}

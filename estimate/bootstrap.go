package estimate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/estimate/internal/singular"
)

// BootstrapOptions are the options of a block bootstrap. The zero value is valid.
type BootstrapOptions struct {
	Draws int // 0 is 500
	// Period is the number of time blocks drawn together: one period of the motion, or as many as errors are correlated
	// over; 0 means 2.
	Period int
	Seed   uint64
}

// Bootstrap holds the spread of an estimate over bootstrap draws of its periods, which estimates its spread over other
// logs of the same motion. Errors within a period may have any correlation and any variance.
type Bootstrap struct {
	Draws   int       `json:"draws"`
	Periods int       `json:"periods"` // number of periods that the draws choose from
	Sigma   []float64 `json:"sigma"`   // by parameter
	Low95   []float64 `json:"low95"`   // 2.5 % percentile of the draws, by parameter; High95 is that of 97.5 %
	High95  []float64 `json:"high95"`
}

// Bootstrap draws periods with replacement, within their runs, and estimates from
// the draw, with the joints' weights kept (Künsch 1989, with blocks that do
// not overlap). No rows are needed: in the coordinates in which RᵀR = I, a period is
// its matrix P_b = QᵀQ and its score u_b = Qᵀe, and a draw with multiplicities m
// moves the estimate by (Σ m·P_b)⁻¹·Σ m·u_b. The draws are deterministic by the seed.
//
// Scores lack the part of the errors that the estimate has followed; the spread is
// enlarged by the square root of that. s is a solution of r by Solve or
// SolveWeighted, of full rank.
func (r *Reduction) Bootstrap(s *Solution, opt BootstrapOptions) (*Bootstrap, error) {
	if opt.Draws == 0 {
		opt.Draws = 500
	}
	if opt.Period == 0 {
		opt.Period = 2
	}
	if opt.Draws < 2 || opt.Period < 1 {
		return nil, fmt.Errorf("bootstrap: %d draws of %d blocks: at least two draws of one block are needed", opt.Draws, opt.Period)
	}
	n := r.columns
	if s.Stack == nil || s.Rank < n {
		return nil, fmt.Errorf("bootstrap: %w", &RankError{Rank: s.Rank, Columns: n})
	}
	solver, err := singular.Decompose(s.Stack, singular.ColumnNorms(s.Stack))
	if err != nil {
		return nil, err
	}
	root := solver.Root()
	var runs [][]period
	total := 0
	for _, part := range r.splitByRun() {
		var own []period
		for at := 0; at < len(part.blocks); at += opt.Period {
			own = append(own, part.periodScores(part.blocks[at:min(at+opt.Period, len(part.blocks))], s, root))
		}
		runs = append(runs, own)
		total += len(own)
	}
	// So few periods do not show the spread of the parameters.
	if total < 2*fewestBlocks {
		return nil, fmt.Errorf("bootstrap: %d periods: at least %d are needed; take shorter ones or longer logs", total, 2*fewestBlocks)
	}
	draws := make([][]float64, n) // by parameter
	rng := rand.New(rand.NewPCG(opt.Seed, 0xb007))
	for range opt.Draws {
		gram, score := mat.NewSymDense(n, nil), make([]float64, n)
		for _, own := range runs {
			for range own {
				p := own[rng.IntN(len(own))]
				floats.Add(gram.RawSymmetric().Data, p.gram)
				floats.Add(score, p.score)
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(gram) {
			return nil, fmt.Errorf("bootstrap: %d periods do not determine %d parameters without some of them", total, n)
		}
		var step, move mat.VecDense
		if err := chol.SolveVecTo(&step, mat.NewVecDense(n, score)); err != nil {
			return nil, fmt.Errorf("bootstrap: a draw of periods determines too little: %w", err)
		}
		move.MulVec(root, &step)
		for i := range n {
			draws[i] = append(draws[i], move.AtVec(i))
		}
	}
	out := &Bootstrap{Draws: opt.Draws, Periods: total}
	// Scores lack the part in the span of the columns: Σ ‖u_b‖² is c − Σ tr P_b² of c.
	lost := 0.0
	for _, own := range runs {
		for _, p := range own {
			lost += p.square(n)
		}
	}
	grow := 1 / math.Sqrt(max(1-lost/float64(n), 0.1))
	for i, d := range draws {
		mean, sum := floats.Sum(d)/float64(len(d)), 0.0
		for k, v := range d {
			sum += (v - mean) * (v - mean)
			d[k] = s.X[i] + grow*v
		}
		slices.Sort(d)
		out.Sigma = append(out.Sigma, grow*math.Sqrt(sum/float64(len(d)-1)))
		out.Low95 = append(out.Low95, Percentile(d, 0.025))
		out.High95 = append(out.High95, Percentile(d, 0.975))
	}
	return out, nil
}

// period is a group of time blocks in the coordinates in which RᵀR = I.
type period struct{ gram, score []float64 }

// square returns tr P_b² from the stored upper half.
func (p period) square(n int) float64 {
	sum := 0.0
	for i := range n {
		for j := i; j < n; j++ {
			v := p.gram[i*n+j] * p.gram[i*n+j]
			if j > i {
				v *= 2
			}
			sum += v
		}
	}
	return sum
}

func (r *Reduction) periodScores(blocks []TimeBlock, s *Solution, root *mat.Dense) period {
	n := r.columns
	gram, score := mat.NewSymDense(n, nil), make([]float64, n)
	for _, b := range blocks {
		for k, f := range b.Joints {
			if f.Rows == 0 {
				continue
			}
			q := whitened(f, r.masks[k], root, s.Weights[k])
			gram.SymRankK(gram, 1, q.T())
			for row, d := range residuals(f, r.masks[k], s.X) {
				floats.AddScaled(score, s.Weights[k]*d, q.RawRowView(row))
			}
		}
	}
	return period{gram.RawSymmetric().Data, score}
}

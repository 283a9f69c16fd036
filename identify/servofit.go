package identify

import (
	"context"
	"math"
	"slices"

	"ident/estimate"
	"ident/internal/triangle"
)

// outputs are what a method compares: pairs of measured and simulated columns,
// one group a joint, torques before positions, and the simulated ones' derivatives.
func (m *servoMotion) outputs(method ServoMethod) (measured, simulated [][]float64, by [][][]float64) {
	if method == CLIE || method == ML {
		measured, simulated, by = append(measured, m.track.tau...), append(simulated, m.Tau...), append(by, m.TauBy...)
	}
	if method == CLOE || method == ML {
		measured, simulated, by = append(measured, m.track.q...), append(simulated, m.Q...), append(by, m.QBy...)
	}
	return measured, simulated, by
}

// rowsThrough sends columns of a track through the filter of both sides, in memory
// of their own, and returns which of their samples are rows of the fit.
func (l *servoLoop) rowsThrough(w *worker, t *track, cols [][]float64) ([][]float64, span) {
	return w.through(cols, t.chunk, t.filters, w.own(t.chunk))
}

// left are the residuals of each group, filtered, over all tracks.
func (l *servoLoop) left(method ServoMethod, motions []*servoMotion) (residuals, measured [][]float64) {
	w := l.e.worker(l.e.cfg)
	for _, m := range motions {
		y, s, _ := m.outputs(method)
		if residuals == nil {
			residuals, measured = make([][]float64, len(y)), make([][]float64, len(y))
		}
		for g := range y {
			d := make([]float64, len(y[g]))
			for i := range d {
				d[i] = y[g][i] - s[g][i]
			}
			cols, own := l.rowsThrough(w, m.track, [][]float64{d, slices.Clone(y[g])})
			residuals[g] = append(residuals[g], cols[0][own.lo:own.hi]...)
			measured[g] = append(measured[g], cols[1][own.lo:own.hi]...)
		}
	}
	return residuals, measured
}

// deviations are those of each group's residuals, and no less than what rounding
// leaves of a simulation: 1e-12 of the output itself.
func (l *servoLoop) deviations(method ServoMethod, motions []*servoMotion) []float64 {
	residuals, measured := l.left(method, motions)
	out := make([]float64, len(residuals))
	for g := range out {
		out[g] = max(rootMeanSquare(residuals[g]), 1e-12*rootMeanSquare(measured[g]))
		if out[g] == 0 {
			out[g] = 1
		}
	}
	return out
}

// cost is the weighted sum of squares.
func (l *servoLoop) cost(method ServoMethod, motions []*servoMotion, scales []float64) float64 {
	residuals, _ := l.left(method, motions)
	sum := 0.0
	for g, r := range residuals {
		s := rootMeanSquare(r) / scales[g]
		sum += s * s * float64(len(r))
	}
	return sum
}

func rootMeanSquare(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(max(len(x), 1)))
}

// step solves the linearised problem at x for the next estimate:
//
//	∂s/∂x·x' = y - s + ∂s/∂x·x
func (l *servoLoop) step(ctx context.Context, method ServoMethod, motions []*servoMotion, x, scales []float64) (*estimate.Solution, error) {
	all := make([]int, len(x))
	for i := range all {
		all[i] = i
	}
	masks := make([][]int, len(scales))
	for g := range masks {
		masks[g] = all
	}
	sum := estimate.NewReduction(len(x), masks)
	w := l.e.worker(l.e.cfg)
	least := leastBlock(masks, l.e.samples(0, l.e.training))
	var work triangle.Work
	for _, m := range motions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		y, s, by := m.outputs(method)
		u := newCutter(sum, m.track.seg.run, blockSamples(l.e.cfg, m.track.filters, m.track.seg, least)/m.track.filters.every)
		for g := range y {
			cols := make([][]float64, 0, len(x)+1)
			known := make([]float64, len(y[g]))
			for i := range known {
				known[i] = (y[g][i] - s[g][i]) / scales[g]
			}
			for c, slope := range by[g] {
				col := make([]float64, len(slope))
				for i, v := range slope {
					col[i] = v / scales[g]
					known[i] += col[i] * x[c]
				}
				cols = append(cols, col)
			}
			cols, own := l.rowsThrough(w, m.track, append(cols, known))
			u.add(g, cols, own, &work)
		}
		sum.Append(u.blocks...)
	}
	sol, err := sum.Solve(estimate.OLS, false)
	if err != nil {
		return nil, err
	}
	// What is told of joints is told of their torques, or of their positions where no
	// torque was fitted.
	n := l.e.model.Joints()
	sol.Weights, sol.Sigma = sol.Weights[:n], sol.Sigma[:n]
	sol.Inflation, sol.Rows, sol.Leverage = sol.Inflation[:n], sol.Rows[:n], sol.Leverage[:n]
	for k := range n {
		sol.Sigma[k] *= scales[k]
		sol.Weights[k] /= scales[k]
	}
	return sol, nil
}

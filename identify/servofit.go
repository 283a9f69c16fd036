package identify

import (
	"context"
	"math"
	"slices"

	"ident/estimate"
	"ident/observation"
)

// outputs are the signals that a method compares: pairs of measured and simulated columns,
// one group a joint, torques before positions, and the simulated ones' derivatives.
func (m *servoMotion) outputs(method ServoMethod) (measured, simulated [][]float64, by [][][]float64) {
	if method == CLIE || method == ML {
		measured, simulated, by = append(measured, m.track.torque...), append(simulated, m.Tau...), append(by, m.TauBy...)
	}
	if method == CLOE || method == ML {
		measured, simulated, by = append(measured, m.track.q...), append(simulated, m.Q...), append(by, m.QBy...)
	}
	return measured, simulated, by
}

// rows sends columns of a track through the filter of both sides.
func (t *track) rows(cols [][]float64, w *observation.RowWork) observation.Rows {
	whole := observation.Chunk{Source: &t.source, Last: t.source.Segment.N}
	return t.source.Filters.Rows.Apply(cols, t.source.Filters.Extent(&whole), w)
}

// residuals are those of each group, filtered, over all tracks.
func (l *servoLoop) residuals(method ServoMethod, motions []*servoMotion) (residuals, measured [][]float64) {
	var w observation.RowWork
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
			rows := m.track.rows([][]float64{d, slices.Clone(y[g])}, &w)
			residuals[g] = append(residuals[g], rows.Columns[0][rows.Lo:rows.Hi]...)
			measured[g] = append(measured[g], rows.Columns[1][rows.Lo:rows.Hi]...)
		}
	}
	return residuals, measured
}

// deviations are those of each group's residuals, and no less than the rounding of a
// simulation: 1e-12 of the output itself.
func (l *servoLoop) deviations(method ServoMethod, motions []*servoMotion) []float64 {
	residuals, measured := l.residuals(method, motions)
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
	residuals, _ := l.residuals(method, motions)
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
	least := leastBlock(masks, l.e.samples(0, l.e.training))
	var w observation.RowWork
	var work reduceWork
	for _, m := range motions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		y, s, by := m.outputs(method)
		blocks := l.blocks(sum, m.track, least)
		for g := range y {
			cols := make([][]float64, 0, len(x)+1)
			target := make([]float64, len(y[g]))
			for i := range target {
				target[i] = (y[g][i] - s[g][i]) / scales[g]
			}
			for c, slope := range by[g] {
				col := make([]float64, len(slope))
				for i, v := range slope {
					col[i] = v / scales[g]
					target[i] += col[i] * x[c]
				}
				cols = append(cols, col)
			}
			blocks.add(g, m.track.rows(append(cols, target), &w), nil, &work)
		}
		sum.Append(blocks.blocks...)
	}
	sol, err := sum.Solve(estimate.OLS, false)
	if err != nil {
		return nil, err
	}
	// Figures of joints are those of their torques, or of their positions where no
	// torque was fitted.
	n := l.e.model.Joints()
	sol.Weights, sol.Sigma = sol.Weights[:n], sol.Sigma[:n]
	sol.VarianceInflation, sol.Rows, sol.Leverage = sol.VarianceInflation[:n], sol.Rows[:n], sol.Leverage[:n]
	for k := range n {
		sol.Sigma[k] *= scales[k]
		sol.Weights[k] /= scales[k]
	}
	return sol, nil
}

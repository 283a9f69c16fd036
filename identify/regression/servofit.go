package regression

import (
	"context"
	"math"
	"slices"

	"ident/estimate"
	"ident/observation"
)

// outputs returns the signals that a method compares, one group a joint, torques before positions: measured and
// simulated columns, and the derivatives of the simulated ones by the parameters.
func (m *servoMotion) outputs(method ServoMethod) (measured, simulated [][]float64, by [][][]float64) {
	if method == CLIE || method == ML {
		measured, simulated, by = append(measured, m.track.torque...), append(simulated, m.Tau...), append(by, m.TauBy...)
	}
	if method == CLOE || method == ML {
		measured, simulated, by = append(measured, m.track.q...), append(simulated, m.Q...), append(by, m.QBy...)
	}
	return measured, simulated, by
}

// rows passes columns of a track through the filter of both sides.
func (t *track) rows(cols [][]float64, w *observation.RowWork) observation.Rows {
	whole := observation.Chunk{Source: &t.source, Last: t.source.Segment.N}
	return t.source.Filters.Rows.Apply(cols, t.source.Filters.Extent(&whole), w)
}

// residuals returns the filtered residuals of each group over all tracks.
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

// deviations returns the standard deviation of each group's residuals, at least 1e-12 of the output: the rounding of a
// simulation.
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

// cost returns the weighted sum of squared residuals.
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
	sum, err := l.linearised(ctx, method, motions, len(x), scales, func(track, g int) []float64 {
		y, s, by := motions[track].outputs(method)
		target := make([]float64, len(y[g]))
		for i := range target {
			target[i] = y[g][i] - s[g][i]
			for c, v := range x {
				target[i] += by[g][c][i] * v
			}
		}
		return target
	})
	if err != nil {
		return nil, err
	}
	sol, err := sum.Solve(estimate.OLS, false)
	if err != nil {
		return nil, err
	}
	// The figures by joint are those of the torques, or of the positions if no torque was fitted.
	n := l.e.model.Joints()
	sol.Weights, sol.Sigma = sol.Weights[:n], sol.Sigma[:n]
	sol.VarianceInflation, sol.Rows, sol.Leverage = sol.VarianceInflation[:n], sol.Rows[:n], sol.Leverage[:n]
	for k := range n {
		sol.Sigma[k] *= scales[k]
		sol.Weights[k] /= scales[k]
	}
	return sol, nil
}

// linearised returns the reduced rows ∂output/∂parameter of all tracks and groups, with target as
// measurement vector. Rows and target are divided by the group's scale.
func (l *servoLoop) linearised(ctx context.Context, method ServoMethod, motions []*servoMotion, parameters int, scales []float64, target func(track, group int) []float64) (*estimate.Reduction, error) {
	all := make([]int, parameters)
	for i := range all {
		all[i] = i
	}
	masks := make([][]int, len(scales))
	for g := range masks {
		masks[g] = all
	}
	sum := estimate.NewReduction(parameters, masks)
	least := leastBlock(masks, l.e.samples(0, l.e.training))
	var w observation.RowWork
	var work reduceWork
	for t, m := range motions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		_, _, by := m.outputs(method)
		blocks := l.blocks(sum, m.track, least)
		for g := range by {
			cols := append(slices.Clone(by[g]), target(t, g))
			for i, c := range cols {
				cols[i] = slices.Clone(c)
				for k := range cols[i] {
					cols[i][k] /= scales[g]
				}
			}
			blocks.add(g, m.track.rows(cols, &w), nil, &work)
		}
		sum.Append(blocks.blocks...)
	}
	return sum, nil
}

package identify

import (
	"context"
	"fmt"
	"math"

	"ident/estimate"
	"ident/regressor"
	"ident/robot"
)

// Steps of the estimate of drive gains, and the relative change of all gains at
// which they end: far below any deviation of a gain.
const (
	mostGainSteps = 30
	gainsSettled  = 1e-8
)

// pilot is an estimate with drive gains, about which the next is linear.
//
// Motor currents are measured with noise, and what rigid bodies do not explain is
// noise to them as well. As a column, −i, they would make gains too small by what
// noise adds to their squares, which is all of the noise where the known torque is
// but a part of the whole. The noise belongs on the other side: least squares in
// currents,
//
//	i = (Y·χ + τ_known)/G + e
//
// is linear in χ and not in G. About an estimate with gains G and currents î,
//
//	G·i − τ_known = Y·χ − î·δG + G·e
//
// so the known side holds the measured currents, the column the predicted ones, and
// Gauss and Newton's steps of G end where δG is zero.
type pilot struct {
	x      []float64 // of the model's columns, those of gains zero
	gain   []float64 // of each joint
	column []int     // of each joint's gain in the model, -1 for none
}

// newPilot takes an estimate apart.
func newPilot(m *regressor.Model, x []float64) *pilot {
	p := &pilot{x: append([]float64(nil), x...), gain: make([]float64, m.Joints()), column: make([]int, m.Joints())}
	at := map[int]int{}
	for k, link := range m.JointLinks() {
		at[link], p.column[k] = k, -1
	}
	for c, col := range m.Columns() {
		if col.Term == regressor.Gain {
			k := at[col.Link]
			p.gain[k], p.column[k], p.x[c] = x[c], c, 0
		}
	}
	return p
}

// aim puts gain times current on the known side, and the currents that the pilot
// predicts into the batch. known holds the torques of known parameters, nil for
// none.
func (w *worker) aim(in *regressor.Batch, known [][]float64) {
	p := w.pilot
	current := in.Current
	w.model.EvalBatch(w.block, *in, w.ws)
	w.model.Predict(w.pred, w.block, p.x)
	for k := range w.raw {
		w.load[k] = append(w.load[k][:0], w.pred[k]...)
		for i := range w.raw[k] {
			if known != nil {
				w.load[k][i] += known[k][i]
			}
			w.load[k][i] /= p.gain[k]
			w.raw[k][i] += p.gain[k] * current[k][i]
		}
	}
	in.Current = w.load
}

// estimateGains repeats the estimate about the last one until the gains stay.
func (e *experiment) estimateGains(ctx context.Context, r *robot.Robot, out *Outcome, sol *estimate.Solution) (*estimate.Solution, error) {
	if e.model.Needs()&regressor.NeedCurrent == 0 {
		return sol, nil
	}
	defer func() { e.pilot = nil }()
	moved := math.Inf(1)
	for range mostGainSteps {
		e.pilot = newPilot(e.model, sol.X)
		for k, g := range e.pilot.gain {
			if g == 0 || math.IsNaN(g) {
				return nil, fmt.Errorf("the drive gain of joint %q came out as %g: the known torque does not reach it; take its gain from elsewhere", r.Links[e.model.JointLinks()[k]].Joint.Name, g)
			}
		}
		var err error
		if out.Reduction, out.blocks, err = e.reduce(ctx, nil); err != nil {
			return nil, err
		}
		if sol, err = e.estimate(ctx, r, out); err != nil {
			return nil, err
		}
		moved = 0
		for k, c := range e.pilot.column {
			if c < 0 {
				continue
			}
			step, g := sol.X[c], e.pilot.gain[k]
			moved = math.Max(moved, math.Abs(step/g))
			// A gain does not change its sign, nor tenfold, in one step.
			sol.X[c] = g * min(max(1+step/g, 0.3), 3)
		}
		if moved < gainsSettled {
			return sol, nil
		}
	}
	return nil, fmt.Errorf("drive gains do not settle: after %d steps they still change by %.2g of themselves; the known torque is too small beside what the model leaves", mostGainSteps, moved)
}

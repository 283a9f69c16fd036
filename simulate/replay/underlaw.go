package replay

import (
	"context"
	"errors"
	"fmt"
	"math"

	"ident/robot"
	"ident/simulate/plant"
)

// UnderLaw replays records with a robot's model under the law of control that moved the robot, from their commands. The law begins at
// each start, with an integral of zero where it has one; until its first torque acts the drives give the record's torque.
// Errors are those of [Forward], and a *plant.UnstableError of a law that does not hold the model.
func UnderLaw(ctx context.Context, r *robot.Robot, records []*Record, c plant.Control, opt Options) ([]Error, error) {
	stable := false
	return over(r, records, &opt, func(p *plant.Plant, rec *Record, out []Error) error {
		if len(rec.QR) != len(rec.Q) {
			return fmt.Errorf("commands of %d joints for a robot of %d: a replay under a law needs one a joint", len(rec.QR), len(rec.Q))
		}
		return underLaw(ctx, p, rec, c, opt, &stable, out)
	})
}

// underLaw adds the squares of one record.
func underLaw(ctx context.Context, p *plant.Plant, rec *Record, c plant.Control, opt Options, stable *bool, out []Error) error {
	n, starts := len(rec.Q), opt.Starts
	longest := out[len(out)-1].Horizon
	room := rec.Samples() - 2 - int(math.Ceil(longest/rec.Interval))
	if room < 0 {
		return fmt.Errorf("%.3g s, and the longest horizon is %g s: give a longer record", float64(rec.Samples())*rec.Interval, longest)
	}
	ends := make([]int, len(out)) // of the horizons, in periods of the law
	for i := range out {
		ends[i] = max(1, int(math.Round(out[i].Horizon/c.Period)))
	}
	every := max(1, int(math.Round(stepSeconds/c.Period))) // periods between the states that are handed out
	ref, measured := &between{&Record{Interval: rec.Interval, Q: rec.QR, DQ: rec.DQR, DDQ: rec.DDQR}}, &between{rec}
	q, first, none := make([]float64, n), make([]float64, n), make([]float64, n)
	command := make([]float64, n)
	for s := range min(starts, room+1) {
		at := room * s / max(min(starts, room+1)-1, 1)
		run := plant.Run{Start: float64(at) * rec.Interval, Every: 1, Samples: ends[len(ends)-1] + 1, Stable: *stable}
		for k := range n {
			run.Q, run.DQ, run.Tau = append(run.Q, rec.Q[k][at]), append(run.DQ, rec.DQ[k][at]), append(run.Tau, rec.Tau[k][at])
		}
		copy(first, run.Q)
		next, periods := 0, 0
		err := p.Follow(ctx, ref, c, run, func(row plant.Row) error {
			if periods%every == 0 {
				opt.visit(rec, at, row.Time-run.Start, row.Q, row.DQ)
			}
			for ; next < len(out) && periods >= ends[next]; next++ {
				measured.Eval(row.Time, q, none, none)
				ref.Eval(row.Time, command, none, none)
				e := &out[next]
				for k, v := range row.Q {
					d, moved, law := v-q[k], q[k]-first[k], command[k]-q[k]
					e.Joints[k] += d * d
					e.Moved[k] += moved * moved
					e.OfLaw += law * law
				}
				e.Starts++
			}
			periods++
			return nil
		})
		var lost *plant.StepError
		if errors.As(err, &lost) {
			for ; next < len(out); next++ {
				out[next].Lost++
			}
			err = nil
		}
		if err != nil {
			return err
		}
		*stable = true
	}
	return nil
}

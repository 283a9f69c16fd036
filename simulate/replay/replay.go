package replay

import (
	"context"
	"errors"
	"fmt"
	"math"

	"ident/robot"
	"ident/simulate/plant"
)

// Record is a measured motion on an even clock, filtered, with the measured torques.
type Record struct {
	Name            string
	Interval        float64 // sampling interval, s
	Q, DQ, DDQ, Tau [][]float64
	QR, DQR, DDQR   [][]float64 // reference of the law; nil if none was logged
	Start           float64     // time of the first sample on the log's clock, s
}

// State writes the measured positions and velocities at a time since the first sample, s.
func (r *Record) State(now float64, q, dq []float64) {
	(&between{r}).Eval(now, q, dq, make([]float64, len(q)))
}

// Samples returns the number of samples.
func (r *Record) Samples() int { return len(r.Q[0]) }

// Options of a replay. The zero value is the default.
type Options struct {
	Horizons []float64 // horizons, s, ascending; nil for 0.05 to 1
	Starts   int       // number of starts in a record; 0 for 40
	// Visit, if not nil, is handed the simulated states from each start on, the start itself first, at least stepSeconds apart. start
	// and now are times since the record's first sample, s. q and dq are overwritten by the next call.
	Visit func(rec *Record, start, now float64, q, dq []float64)
}

// Error is the error of the simulated positions after a horizon.
type Error struct {
	Horizon float64   // length of the horizon, s
	Joints  []float64 // root mean square over the starts, rad or m
	Moved   []float64 // root mean square of the displacement since the start, rad or m
	// Percent is 100·‖simulated − measured‖/‖displacement‖ over all starts and joints.
	Percent float64
	// OfLaw is 100·‖simulated − measured‖/‖command − measured‖, of a replay under a law; zero for others.
	OfLaw  float64
	Starts int
	Lost   int // number of starts whose simulation diverged; the errors leave them out
}

// stepSeconds is the time over which the measured torque is averaged and held: a tenth of the period of the
// fastest motion that an arm is asked for.
const stepSeconds = 0.005

// maxSteps bounds the integration of stepSeconds: at 25 µs each, joints at hundreds of times the speed of a robot's are
// followed still. Torques or a result of another scale need more, and are lost.
const maxSteps = 200

// Forward replays records with a robot's model and returns the errors by horizon. Errors are
// those of plant.New, *plant.InertiaError and of ctx.
func Forward(ctx context.Context, r *robot.Robot, records []*Record, opt Options) ([]Error, error) {
	return over(r, records, &opt, func(p *plant.Plant, rec *Record, out []Error) error {
		return forward(ctx, p, rec, opt, out)
	})
}

// over gathers the errors that one adds of each record.
func over(r *robot.Robot, records []*Record, opt *Options, one func(*plant.Plant, *Record, []Error) error) ([]Error, error) {
	p, err := plant.New(r, plant.Options{Tolerance: 1e-8, MaxSteps: maxSteps})
	if err != nil {
		return nil, err
	}
	if opt.Horizons == nil {
		opt.Horizons = []float64{0.05, 0.1, 0.2, 0.5, 1}
	}
	if opt.Starts == 0 {
		opt.Starts = 40
	}
	n := len(records[0].Q)
	out := make([]Error, len(opt.Horizons))
	for i, h := range opt.Horizons {
		out[i] = Error{Horizon: h, Joints: make([]float64, n), Moved: make([]float64, n)}
	}
	for _, rec := range records {
		if err := one(p, rec, out); err != nil {
			return nil, fmt.Errorf("%s: %w", rec.Name, err)
		}
	}
	for i := range out {
		e := &out[i]
		wrong, moved := 0.0, 0.0
		for k := range e.Joints {
			wrong, moved = wrong+e.Joints[k], moved+e.Moved[k]
			e.Joints[k], e.Moved[k] = math.Sqrt(e.Joints[k]/float64(max(e.Starts, 1))), math.Sqrt(e.Moved[k]/float64(max(e.Starts, 1)))
		}
		if moved > 0 {
			e.Percent = 100 * math.Sqrt(wrong/moved)
		}
		if e.OfLaw > 0 { // the squares of the law's own errors until here
			e.OfLaw = 100 * math.Sqrt(wrong/e.OfLaw)
		}
	}
	return out, nil
}

// visit hands out a state that is a time after the start at a sample.
func (o *Options) visit(rec *Record, first int, after float64, q, dq []float64) {
	if o.Visit != nil {
		start := float64(first) * rec.Interval
		o.Visit(rec, start, start+after, q, dq)
	}
}

// forward adds the squares of one record.
func forward(ctx context.Context, p *plant.Plant, rec *Record, opt Options, out []Error) error {
	starts, n, step := opt.Starts, len(rec.Q), max(1, int(math.Round(stepSeconds/rec.Interval)))
	ends := make([]int, len(out)) // of the horizons, in steps
	for i := range out {
		ends[i] = max(1, int(math.Round(out[i].Horizon/rec.Interval/float64(step))))
	}
	longest := ends[len(ends)-1]
	room := rec.Samples() - longest*step - 1
	if room < 0 {
		return fmt.Errorf("the record lasts %.3g s, and the longest horizon is %g s: give a longer record", float64(rec.Samples())*rec.Interval, out[len(out)-1].Horizon)
	}
	q, dq, tau := make([]float64, n), make([]float64, n), make(plant.Constant, n)
	for s := range min(starts, room+1) {
		if err := ctx.Err(); err != nil {
			return err
		}
		first := room * s / max(min(starts, room+1)-1, 1)
		for k := range n {
			q[k], dq[k] = rec.Q[k][first], rec.DQ[k][first]
		}
		m := p.Start(0, q, dq)
		opt.visit(rec, first, 0, q, dq)
		next := 0
		for i := 0; i < longest; i++ {
			at := first + i*step
			for k := range n {
				sum := 0.0
				for _, v := range rec.Tau[k][at : at+step] {
					sum += v
				}
				tau[k] = sum / float64(step)
			}
			err := m.Advance(ctx, float64(i+1)*float64(step)*rec.Interval, tau)
			var lost *plant.StepError
			if errors.As(err, &lost) {
				for ; next < len(out); next++ {
					out[next].Lost++
				}
				break
			}
			if err != nil {
				return err
			}
			opt.visit(rec, first, float64((i+1)*step)*rec.Interval, m.Q(), m.DQ())
			for next < len(out) && i+1 >= ends[next] {
				e := &out[next]
				for k, v := range m.Q() {
					d, moved := v-rec.Q[k][at+step], rec.Q[k][at+step]-rec.Q[k][first]
					e.Joints[k] += d * d
					e.Moved[k] += moved * moved
				}
				e.Starts++
				next++
			}
		}
	}
	return nil
}

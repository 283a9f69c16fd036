package elastic

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Prediction is a fit compared with logs that it has not seen.
type Prediction struct {
	Sensors Sensors
	Rows    int // number of rows of each torque
	Torques []Predicted
	Error   float64 // relative error of the drives' torques, percent, all drives together
}

// Predicted is one measured torque: of a drive, by its coordinate, or of a joint torque sensor.
type Predicted struct {
	Joint   string
	Sensor  bool    // true: the measured torque of a spring on its link; false: the torque of a drive
	RMS     float64 // root mean square of the residual, N·m or N
	Percent float64 // the same as percent of the torque's root mean square
}

// initialSteps is the number of Gauss-Newton steps for the links' initial states. The second step already has the
// sensitivities within a thousandth, for amplitudes of some milliradians.
const initialSteps = 3

// Predict returns the error of the torques of logs, predicted with the parameters of a fit. With encoders at the links
// the torques are those that the measured motion of motors and links takes; without, the links are simulated behind the
// motors from the initial state that explains the torques best. Rows near rest are left out.
func (f *Fit) Predict(ctx context.Context, logs []*Log) (*Prediction, error) {
	m := f.Machine
	sensors, err := m.sensors(logs)
	if err != nil {
		return nil, err
	}
	held := *f // sensors and cut-off are those of these logs
	held.Sensors = sensors
	if held.Cutoff == 0 {
		held.Cutoff = m.cutoff(logs[0].Rate)
	}
	var all []*equations
	// squares returns the sum of squares of an equation's measured torque over the given rows of a log.
	squares := func(log, k int, rows float64) float64 { return rows * meanSquare(all[log].y[k]) }
	x := f.Values()
	if sensors == BothEncoders {
		for _, l := range logs {
			e, err := m.rows(f.Model, l, held.Cutoff, f.late(), false)
			if err != nil {
				return nil, err
			}
			all = append(all, e)
		}
	} else {
		b, err := newMotorSide(m, &held, logs)
		if err != nil {
			return nil, err
		}
		if all, x, err = b.settled(ctx, x); err != nil {
			return nil, err
		}
		squares = func(log, k int, rows float64) float64 {
			t := b.tracks[log]
			return rows * meanSquare(append(slices.Clone(t.tau), t.sensor...)[k][t.extent.Lo:t.extent.Hi])
		}
	}
	return held.residuals(all, x, squares), ctx.Err()
}

// residuals returns the residuals of the drives' and the sensors' equations.
func (f *Fit) residuals(all []*equations, x []float64, squares func(log, k int, rows float64) float64) *Prediction {
	m := f.Machine
	out := &Prediction{Sensors: f.Sensors}
	missed, given := 0.0, 0.0
	names := m.Names()
	// add adds the squared residuals of equation k and of its link's.
	add := func(k, link int, joint string, sensor bool) {
		residual, own, n := 0.0, 0.0, 0.0
		for log, e := range all {
			rest := e.residual(k, x)
			if link >= 0 {
				for i, v := range e.residual(link, x) {
					rest[i] += v
				}
			}
			rows := 0.0
			for i, v := range rest {
				if !e.left(k, i) {
					residual, rows = residual+v*v, rows+1
				}
			}
			own, n = own+squares(log, k, rows), n+rows
		}
		out.Rows = int(n)
		out.Torques = append(out.Torques, Predicted{joint, sensor, math.Sqrt(residual / math.Max(n, 1)), 100 * math.Sqrt(residual/own)})
		if !sensor {
			missed, given = missed+residual, given+own
		}
	}
	if f.Sensors != BothEncoders {
		for k := range all[0].y {
			add(k, -1, m.Springs[k%m.Links].Joint, k >= m.Links)
		}
	} else {
		// A motor's row contains the spring's torque by the measured deflection, so it would say nothing about the
		// link.
		linkOf := map[int]int{}
		for _, s := range m.Springs {
			if s.Motor >= 0 {
				linkOf[s.Motor] = s.Q
			}
		}
		for q := range m.Links {
			i := m.DriveOf(q)
			link, elastic := linkOf[i]
			switch {
			case i >= 0 && elastic:
				add(i, link, names[q], false)
			case i >= 0:
				add(i, -1, names[q], false)
			}
		}
		if at := m.Coordinates(); len(all[0].y) == at+len(m.Springs) {
			for k, s := range m.Springs {
				if s.Motor >= 0 {
					add(at+k, s.Q, s.Joint, true)
				}
			}
		}
	}
	out.Error = 100 * math.Sqrt(missed/given)
	return out
}

func meanSquare(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return sum / math.Max(float64(len(x)), 1)
}

// settled returns the equations of all logs for the parameters of a fit, with initial states by least squares.
func (b *motorSide) settled(ctx context.Context, p []float64) ([]*equations, []float64, error) {
	s, err := b.start()
	if err != nil {
		return nil, nil, err
	}
	copy(s.p, p)
	fixed := len(p)
	for step := 0; ; step++ {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		all, err := b.equations(ctx, s)
		if err != nil {
			return nil, nil, fmt.Errorf("elastic: the links behind the motors of the log: %w", err)
		}
		if step == initialSteps {
			return all, s.values(), nil
		}
		moments := reduce(b.unknowns(), all).Moments(b.weights(all, s.values()))
		n := 2 * b.m.Links * len(b.tracks)
		part := mat.NewSymDense(n+1, nil)
		for i := range n {
			for j := i; j < n; j++ {
				part.SetSym(i, j, moments.At(fixed+i, fixed+j))
			}
			right := moments.At(fixed+i, b.unknowns())
			for c, v := range p {
				right -= moments.At(fixed+i, c) * v
			}
			for c, v := range s.late {
				right -= moments.At(fixed+i, fixed+n+c) * v
			}
			part.SetSym(i, n, right)
		}
		initial := s.values()[fixed : fixed+n]
		x, ok := damped(part, initial, initialRidge)
		if !ok {
			return nil, nil, fmt.Errorf("elastic: no initial state of the links: %s", b.why())
		}
		move := make([]float64, b.unknowns())
		for i := range x {
			move[fixed+i] = x[i] - initial[i]
		}
		s.move(move)
	}
}

package elastic

import (
	"context"
	"fmt"
	"math"

	"ident/regressor"
	"ident/simulate/plant"
)

// Reference is the commanded motion, with one entry for each joint of the robot.
type Reference interface {
	Eval(t float64, q, dq, ddq []float64)
}

// Control is an analogue law at the motors, τ = Kp·(r−θ) + Kd·(ṙ−θ̇) + a multisine, so that torques are
// smooth in time. Slices have one entry per joint of the robot; those of passive joints are not used.
type Control struct {
	Kp, Kd []float64
	Dither []Multisine // added to the torque of each joint; nil for none
	// Tolerance of the integration, as plant.Options has it; 0 for its own.
	Tolerance float64
	// Hold is the time, s, for which the drives hold their torques, as a sampled law does; 0 for torques that change all the time.
	Hold float64
}

// Multisine is a sum of cosines of equal amplitude on a grid of frequencies, with the phases of
// Schroeder (1970), whose peak is low.
type Multisine struct {
	Amplitude float64 // N·m or N of each line
	First     float64 // Hz
	Step      float64 // Hz from line to line
	Lines     int
	Shift     float64 // shift in time, s, so that the joints' signals differ
}

// At returns the value at a time.
func (s Multisine) At(t float64) float64 {
	sum := 0.0
	for k := range s.Lines {
		phase := -math.Pi * float64(k*(k+1)) / float64(max(s.Lines, 1))
		sum += math.Cos(2*math.Pi*(s.First+float64(k)*s.Step)*(t+s.Shift) + phase)
	}
	return s.Amplitude * sum
}

// Gains returns the gains of a law with the given bandwidth (Hz) and a damping of 0.7, for the inertia of motors and
// links at the robot's zero position.
func (m *Machine) Gains(bandwidth float64) (Control, error) {
	if err := m.complete("a simulation"); err != nil {
		return Control{}, err
	}
	mass, err := m.InertiaMatrix(make([]float64, m.Links))
	if err != nil {
		return Control{}, err
	}
	w := 2 * math.Pi * bandwidth
	var c Control
	for q, j := range m.Robot.Moving() {
		own := mass[q*m.Links+q]
		if m.DriveOf(q) >= m.Links {
			own += m.Robot.Links[j].Joint.Ia
		}
		c.Kp, c.Kd = append(c.Kp, own*w*w), append(c.Kd, 1.4*own*w)
	}
	return c, nil
}

// Record is a simulated motion: one slice per coordinate of x and one entry per sample, exact.
type Record struct {
	T          []float64
	X, DX, DDX [][]float64
	Tau        [][]float64 // torques of the drives, zero for links behind a spring
	Spring     [][]float64 // torque of each spring on its link
}

// Simulate moves a machine by its drives, forward dynamics with −K(q−θ) between motors and links, and records
// it at a rate, Hz, for a time, s. It starts at rest at the start of the reference with its springs
// in balance with gravity.
func (m *Machine) Simulate(ctx context.Context, ref Reference, c Control, rate, duration float64) (*Record, error) {
	if err := m.complete("a simulation"); err != nil {
		return nil, err
	}
	p, err := plant.New(m.Extended, plant.Options{Tolerance: c.Tolerance})
	if err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	n := m.Coordinates()
	d := &drives{m: m, ref: ref, c: c, tau: make([]float64, n), spring: make([]float64, len(m.Springs))}
	d.q, d.dq, d.ddq = make([]float64, m.Links), make([]float64, m.Links), make([]float64, m.Links)
	start, err := m.balanced(d)
	if err != nil {
		return nil, err
	}
	motion := p.Start(0, start, make([]float64, n))
	samples := int(math.Floor(duration*rate*(1+1e-12))) + 1
	out := &Record{X: grid(n, samples), DX: grid(n, samples), DDX: grid(n, samples), Tau: grid(n, samples), Spring: grid(len(m.Springs), samples)}
	ddx, tau, friction := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range samples {
		if k%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t := float64(k) / rate
		if err := d.advance(ctx, motion, t); err != nil {
			return nil, fmt.Errorf("elastic: %w", err)
		}
		if err := motion.At(d, ddx, tau, friction); err != nil {
			return nil, fmt.Errorf("elastic: %w", err)
		}
		out.T = append(out.T, t)
		d.law(t, motion.Q(), motion.DQ())
		springTorques(d.spring, m.Springs, motion.Q(), motion.DQ())
		for i := range n {
			out.X[i][k], out.DX[i][k], out.DDX[i][k], out.Tau[i][k] = motion.Q()[i], motion.DQ()[i], ddx[i], d.tau[i]
		}
		for i, v := range d.spring {
			out.Spring[i][k] = v
		}
	}
	return out, nil
}

// drives implements plant.Drive: the torques on the coordinates x.
type drives struct {
	m           *Machine
	ref         Reference
	c           Control
	q, dq, ddq  []float64
	tau, spring []float64
	held        bool    // tau stays
	sampled     int     // samples of a law that holds its torques
	next        float64 // s, time of the next
}

// advance simulates up to a time. If the drives hold their torques, it samples the law at each multiple of the holding
// time.
func (d *drives) advance(ctx context.Context, motion *plant.Motion, t float64) error {
	if d.c.Hold == 0 {
		return motion.Advance(ctx, t, d)
	}
	for ; d.next <= t*(1+1e-12); d.sampled++ {
		if err := motion.Advance(ctx, min(d.next, t), d); err != nil {
			return err
		}
		d.held = false
		d.law(motion.Time(), motion.Q(), motion.DQ())
		d.held = true
		d.next = float64(d.sampled+1) * d.c.Hold
	}
	return motion.Advance(ctx, t, d)
}

// law stores the torques of the drives alone in tau.
func (d *drives) law(t float64, x, dx []float64) {
	if d.held {
		return
	}
	d.ref.Eval(t, d.q, d.dq, d.ddq)
	clear(d.tau)
	for q := range d.m.Links {
		i := d.m.DriveOf(q)
		if i < 0 {
			continue
		}
		d.tau[i] = d.c.Kp[q]*(d.q[q]-x[i]) + d.c.Kd[q]*(d.dq[q]-dx[i])
		if d.c.Dither != nil {
			d.tau[i] += d.c.Dither[q].At(t)
		}
	}
}

// Torque implements plant.Drive.
func (d *drives) Torque(t float64, x, dx, tau []float64) {
	d.law(t, x, dx)
	copy(tau, d.tau)
	springTorques(d.spring, d.m.Springs, x, dx)
	for i, s := range d.m.Springs {
		tau[s.Q] += d.spring[i]
		if s.Motor >= 0 {
			tau[s.Motor] -= d.spring[i]
		}
	}
}

// springTorques stores the torque of each spring on its link.
func springTorques(out []float64, of []Spring, x, dx []float64) {
	for i := range of {
		s := &of[i]
		d, dd := s.deflection(x), s.deflection(dx)
		out[i] = s.Stiffness*d + s.Damping*dd + s.Cubic*d*d*d
		if s.Hysteresis != 0 {
			out[i] += s.Hysteresis * math.Tanh(dd/regressor.SlipSpeed)
		}
	}
}

// deflection returns the position of the motor minus that of the link; for a passive joint, minus its position.
func (s *Spring) deflection(x []float64) float64 {
	if s.Motor < 0 {
		return -x[s.Q]
	}
	return x[s.Motor] - x[s.Q]
}

// balanced returns the state of rest at the start of the reference: motors at the reference, links where the springs
// hold their weight.
func (m *Machine) balanced(d *drives) ([]float64, error) {
	d.ref.Eval(0, d.q, d.dq, d.ddq)
	x := make([]float64, m.Coordinates())
	copy(x, d.q)
	for _, s := range m.Springs {
		if s.Motor >= 0 {
			x[s.Motor] = d.q[s.Q]
		} else {
			x[s.Q] = 0
		}
	}
	tree, err := m.tree()
	if err != nil {
		return nil, err
	}
	zero, weight := make([]float64, m.Links), make([]float64, m.Links)
	own := make([]float64, len(m.Springs))
	// Each round multiplies the imbalance by the ratio of gravity's stiffness to the springs', about one percent in a
	// robot that does not fall over.
	for range 100 {
		tree.InverseDynamics(weight, x[:m.Links], zero, zero)
		springTorques(own, m.Springs, x, make([]float64, len(x)))
		worst := 0.0
		for i, s := range m.Springs {
			step := (own[i] - weight[s.Q]) / s.Stiffness
			x[s.Q] += step
			worst = max(worst, math.Abs(step))
		}
		if worst < 1e-15 {
			break
		}
	}
	return x, nil
}

func grid(rows, n int) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, n)
	}
	return out
}

// standard returns the robot file's parameters for the columns of a model.
func (m *Machine) standard(columns []regressor.Column) []float64 {
	chi := make([]float64, len(columns))
	for i, c := range columns {
		chi[i], _ = m.ValueOf(c)
	}
	return chi
}

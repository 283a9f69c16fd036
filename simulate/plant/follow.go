package plant

import (
	"context"
	"fmt"
	"math"

	"ident/robot/drives"
	"ident/simulate/servo"
)

// Control is a law with its clock and its drives.
type Control struct {
	Law    servo.Law
	Period float64   // sampling period of the law, s
	Delay  float64   // time from a sample until its torque acts, s
	Limit  []float64 // torque limit of each drive, N·m or N; nil for no limits, 0 for none at a joint
	// Sense makes the measured motion of a sample out of the true one; nil for perfect sensors.
	Sense func(q, dq []float64)
}

// Run says how a plant follows.
type Run struct {
	Start   float64   // time at the start, s
	Every   int       // number of control periods from row to row
	Samples int       // number of rows
	Q, DQ   []float64 // positions and velocities at the start; nil takes them from the reference
	Tau     []float64 // torques of the drives at the start, until the law's first torque acts; nil for zero
	Stable  bool      // the law is known to be stable, from an earlier run of it
}

// Row is a sample of a controlled motion: the true state, and the torques of the drives that
// act from this moment on. Its slices are overwritten by the next.
type Row struct {
	Time          float64
	Q, DQ, DDQ    []float64
	Tau, Friction []float64
	QR, DQR, DDQR []float64
	SensedQ       []float64 // positions that the law measured last
	SensedDQ      []float64
	Limited       []bool           // by joint: the law asked for more torque than the drive gives
	Signals       []drives.Signals // signals inside the drives; nil without drives
	Temperatures  []float64        // temperature rises of the joints, K; nil without Warming
	All           []float64        // for a robot with loops, positions of all joints of its tree; otherwise nil
}

// Follow moves the plant under a law that follows a reference, and hands out the rows.
// Errors are those of Motion.Advance, of visit and of ctx.
func (p *Plant) Follow(ctx context.Context, ref servo.Reference, c Control, run Run, visit func(Row) error) error {
	n := len(p.friction)
	if err := c.check(n); err != nil {
		return err
	}
	if run.Every < 1 || run.Samples < 1 {
		panic(fmt.Sprintf("plant: %d rows, each after %d control periods", run.Samples, run.Every))
	}
	if !run.Stable {
		if err := p.stable(ref, c, run); err != nil {
			return err
		}
	}
	law := c.Law.Fresh()
	row := Row{Limited: make([]bool, n)}
	for _, v := range []*[]float64{&row.DDQ, &row.Friction, &row.QR, &row.DQR, &row.DDQR, &row.Tau} {
		*v = make([]float64, n)
	}
	ref.Eval(run.Start, row.QR, row.DQR, row.DDQR)
	q, dq := run.Q, run.DQ
	if q == nil {
		q = row.QR
	}
	if dq == nil {
		dq = row.DQR
	}
	m := p.Start(run.Start, q, dq)
	acting := Constant(make([]float64, n))
	copy(acting, run.Tau)
	at := servo.Sample{Period: c.Period, Q: make([]float64, n), DQ: make([]float64, n), QR: row.QR, DQR: row.DQR, DDQR: row.DDQR}
	// As many commands as fit into the delay are under way.
	waiting := make([]command, int(c.Delay/c.Period)+2)
	for i := range waiting {
		waiting[i] = command{tau: make([]float64, n), limited: make([]bool, n)}
	}
	first, under := 0, 0
	act := func() {
		copy(acting, waiting[first].tau)
		copy(row.Limited, waiting[first].limited)
		first, under = (first+1)%len(waiting), under-1
	}
	if p.drives.any() {
		row.Signals = make([]drives.Signals, n)
	}
	rows := 0
	for sample := 0; rows < run.Samples; sample++ {
		now := run.Start + float64(sample)*c.Period
		for under > 0 && waiting[first].at < now {
			if err := m.Advance(ctx, max(waiting[first].at, m.t), acting); err != nil {
				return err
			}
			act()
		}
		if err := m.Advance(ctx, now, acting); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		at.Time = now
		ref.Eval(now, row.QR, row.DQR, row.DDQR)
		copy(at.Q, m.Q())
		copy(at.DQ, m.DQ())
		if c.Sense != nil {
			c.Sense(at.Q, at.DQ)
		}
		w := &waiting[(first+under)%len(waiting)]
		w.at = now + c.Delay
		law.Torque(at, w.tau)
		if !finite(w.tau) {
			return m.broken()
		}
		c.clip(w)
		under++
		// A torque that is due now, without delay the one just asked for, acts before the row is taken,
		// so that the equations of motion hold in every row.
		for under > 0 && waiting[first].at <= now {
			act()
		}
		if sample%run.Every != 0 {
			continue
		}
		row.Time, row.Q, row.DQ, row.SensedQ, row.SensedDQ = now, m.Q(), m.DQ(), at.Q, at.DQ
		if err := m.At(acting, row.DDQ, row.Tau, row.Friction); err != nil {
			return err
		}
		m.signals(row.Signals, row.Limited)
		row.All, row.Temperatures = m.equations.all(), m.Temperatures()
		if err := visit(row); err != nil {
			return err
		}
		rows++
	}
	return nil
}

// command is a torque on its way to the drives.
type command struct {
	at      float64
	tau     []float64
	limited []bool
}

// clip keeps a torque within the drives' limits.
func (c *Control) clip(w *command) {
	clear(w.limited)
	for k, limit := range c.Limit {
		if limit > 0 && math.Abs(w.tau[k]) > limit {
			w.tau[k], w.limited[k] = math.Copysign(limit, w.tau[k]), true
		}
	}
}

// check refuses a clock and drives that make no sense.
func (c *Control) check(joints int) error {
	switch {
	case c.Law == nil:
		panic("plant: no control law")
	case c.Law.Joints() != joints || c.Limit != nil && len(c.Limit) != joints:
		return fmt.Errorf("plant: a law of %d joints and limits of %d for a robot of %d", c.Law.Joints(), len(c.Limit), joints)
	case !(c.Period > 0) || math.IsInf(c.Period, 0):
		return fmt.Errorf("plant: a control period of %g s: give a positive one", c.Period)
	case !(c.Delay >= 0) || c.Delay > 1000*c.Period:
		return fmt.Errorf("plant: a delay of %g s: give zero or more, up to a thousand periods of %g s", c.Delay, c.Period)
	}
	for k, v := range c.Limit {
		if !(v >= 0) {
			return fmt.Errorf("plant: joint %d has the torque limit %g: give zero for none, or a positive one", k+1, v)
		}
	}
	return nil
}

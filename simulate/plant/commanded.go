package plant

import (
	"context"
	"math"
	"sort"

	"ident/robot/drives"
)

// Commands are torques asked of the drives at ascending times, s: one slice a coordinate, one entry a time. Between two times they are
// straight lines; before the first and after the last time they hold its torques.
type Commands struct {
	T   []float64
	Tau [][]float64
}

// Torque stores the torques at a time.
func (c Commands) Torque(t float64, _, _, tau []float64) {
	k := sort.SearchFloat64s(c.T, t)
	for i, x := range c.Tau {
		switch {
		case k == 0:
			tau[i] = x[0]
		case k == len(c.T):
			tau[i] = x[k-1]
		default:
			u := (t - c.T[k-1]) / (c.T[k] - c.T[k-1])
			tau[i] = x[k-1] + u*(x[k]-x[k-1])
		}
	}
}

// Under moves the plant from a state at the first time of the commands, under them, and hands out samples rows an interval (s) apart.
// sense makes the measured motion of a row out of the true one; nil for perfect sensors. A row has no reference. Errors are those of
// Motion.Advance, of visit and of ctx.
func (p *Plant) Under(ctx context.Context, c Commands, q, dq []float64, interval float64, samples int, sense func(q, dq []float64), visit func(Row) error) error {
	n := len(p.friction)
	if len(c.Tau) != n || len(c.T) == 0 || !(interval > 0) {
		panic("plant: commands that are not those of the plant's coordinates")
	}
	start := c.T[0]
	m := p.Start(start, q, dq)
	row := Row{Limited: make([]bool, n), DDQ: make([]float64, n), Tau: make([]float64, n), Friction: make([]float64, n), SensedQ: make([]float64, n), SensedDQ: make([]float64, n)}
	if p.drives.any() {
		row.Signals = make([]drives.Signals, n)
	}
	next := 0 // command time ahead
	for k := range samples {
		now := start + float64(k)*interval
		for ; next < len(c.T) && c.T[next] <= now; next++ {
			// The torques bend at their times, and a step must not pass over a bend.
			if err := m.Advance(ctx, math.Max(c.T[next], m.t), c); err != nil {
				return err
			}
		}
		if err := m.Advance(ctx, math.Max(now, m.t), c); err != nil {
			return err
		}
		copy(row.SensedQ, m.Q())
		copy(row.SensedDQ, m.DQ())
		if sense != nil {
			sense(row.SensedQ, row.SensedDQ)
		}
		clear(row.Limited)
		row.Time, row.Q, row.DQ = now, m.Q(), m.DQ()
		if err := m.At(c, row.DDQ, row.Tau, row.Friction); err != nil {
			return err
		}
		m.signals(row.Signals, row.Limited)
		row.All, row.Temperatures = m.equations.all(), m.Temperatures()
		if err := visit(row); err != nil {
			return err
		}
	}
	return nil
}

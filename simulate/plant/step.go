package plant

import (
	"context"
	"errors"
	"math"
)

// The pair of Dormand and Prince (1980, J. Comput. Appl. Math. 6, table 2) of orders 5
// and 4; the last stage is the slope at the end of the step.
const stages = 7

var (
	nodes   = [stages]float64{0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1}
	weights = [stages][stages - 1]float64{
		{},
		{1. / 5},
		{3. / 40, 9. / 40},
		{44. / 45, -56. / 15, 32. / 9},
		{19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
		{9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
		{35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
	}
	// errors54 are the weights of order 5 less those of order 4.
	errors54 = [stages]float64{71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40}
)

// Choice of steps: the error of a step is of order five in it, so that the next is safety·error^order of it,
// between least and most of it (Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, II.4).
const (
	order  = -1. / 5
	safety = 0.9
	least  = 0.1
	most   = 5.0
	// shortest, s, is that of no robot: a joint at fastest, below, moves by a nanoradian in it.
	shortest = 1e-13
)

// try takes a step of h from the state to m.to and returns its error in units of the
// tolerance. The slope at the end is in the last stage.
func (m *Motion) try(d Drive, h float64) (float64, error) {
	m.apart = nil
	for s := 1; s < stages; s++ {
		x := m.at
		if s == stages-1 {
			x = m.to
		}
		for i, v := range m.x {
			sum := 0.0
			for j, w := range weights[s][:s] {
				sum += w * m.k[j][i]
			}
			x[i] = v + h*sum
		}
		if !finite(x) {
			return math.Inf(1), nil
		}
		if err := m.slope(d, m.t+nodes[s]*h, x, m.k[s]); err != nil {
			if errors.As(err, &m.apart) { // a stage of a shorter step may close
				return math.Inf(1), nil
			}
			return 0, err
		}
	}
	worst := 0.0
	for i, v := range m.x {
		e := 0.0
		for s, w := range errors54 {
			e += w * m.k[s][i]
		}
		scale := m.p.opt.Tolerance * max(1, math.Abs(v), math.Abs(m.to[i]))
		worst = max(worst, math.Abs(h*e)/scale)
	}
	return worst, nil
}

// Advance moves the plant to a time under a drive that is smooth until then, and ends after a step with the error of
// a context that is done. Errors of the plant are *InertiaError, *LoopError and *StepError.
func (m *Motion) Advance(ctx context.Context, until float64, d Drive) error {
	if !(until >= m.t) {
		panic("plant: a motion goes forward in time")
	}
	if err := m.settle(d); err != nil {
		return err
	}
	m.events = 0
	for begun := m.stats.Steps + m.stats.Rejected; m.t < until; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if m.diverges() || m.p.opt.MaxSteps > 0 && m.stats.Steps+m.stats.Rejected-begun > m.p.opt.MaxSteps {
			return m.broken()
		}
		if m.still() {
			// All joints stick under torques that a smooth drive changes with time alone.
			if _, constant := d.(Constant); constant && m.p.drives.states == 0 && m.p.opt.Warming == nil {
				m.t = until
				break
			}
		}
		left := until - m.t
		h := m.step
		if h == 0 {
			h = left
		}
		last := h >= left*(1-1e-9) // a step that ends just before the end would leave one of rounding
		if last {
			h = left
		}
		worst, err := m.try(d, h)
		if err != nil {
			return err
		}
		if worst > 1 {
			m.stats.Rejected++
			m.step = h * max(least, safety*math.Pow(worst, order)) // of +Inf the least
			if m.t+m.step == m.t || m.step < shortest {
				if m.apart != nil {
					return m.apart
				}
				return m.broken()
			}
			continue
		}
		grow := min(most, safety*math.Pow(worst, order)) // of 0 the most
		if h < m.step || m.step == 0 {
			m.step = max(m.step, h*grow)
		} else {
			m.step = h * grow
		}
		margin := m.margin()
		if margin >= 0 {
			m.accept(h)
			if last {
				m.t = until
			}
			continue
		}
		if h, err = m.event(d, h, margin); err != nil {
			return err
		}
		m.accept(h)
		if err := m.switchSigns(d); err != nil {
			return err
		}
	}
	return nil
}

// still reports whether every joint sticks.
func (m *Motion) still() bool {
	if m.passive != nil && m.passive.locked {
		return true
	}
	for _, s := range m.sign {
		if s != 0 {
			return false
		}
	}
	return true
}

// accept takes the end of the last step for the state.
func (m *Motion) accept(h float64) {
	m.t += h
	m.x, m.to = m.to, m.x
	m.k[0], m.k[stages-1] = m.k[stages-1], m.k[0]
	m.stats.Steps++
	if m.passive != nil && m.passive.sticks() {
		m.passive.project(m.x[m.n : 2*m.n])
	}
}

// fastest, rad/s or m/s, is beyond every robot: a faster motion diverges.
const fastest = 1e4

// diverges reports whether a joint is faster than any robot's.
func (m *Motion) diverges() bool {
	for _, v := range m.DQ() {
		if math.Abs(v) > fastest {
			return true
		}
	}
	return false
}

// broken returns the error of a motion that cannot be continued, with its fastest joint.
func (m *Motion) broken() error {
	e := &StepError{Time: m.t}
	for i, v := range m.DQ() {
		if e.Joint == "" || math.Abs(v) > math.Abs(e.Speed) {
			e.Joint, e.Speed = m.p.joints[i], v
		}
	}
	return e
}

package plant

import "math"

// margin returns how far the end of the last step is from the next change of signs: the least of the
// velocities in the direction of sliding and of the friction at rest that is left, as a part of its
// limit. It is negative past the change. The slope of the last stage must be that of m.to.
func (m *Motion) margin() float64 {
	least := math.Inf(1)
	if m.passive != nil {
		least = m.passiveMargin()
	}
	for i := range m.n {
		f := &m.friction[i]
		if !f.sticks() {
			continue // no change of signs is seen
		}
		var left float64
		if s := m.sign[i]; s != 0 {
			left = s * m.to[m.n+i]
		} else if m.passive != nil && m.passive.sticks() {
			continue // together with the passive joints
		} else {
			held, rounding := m.held(i, m.k[stages-1])
			// Past twice the rounding it breaks loose when the signs are decided, which allow it once.
			left = (m.hold[i] + 2*rounding - math.Abs(held)) / max(m.hold[i], math.Abs(held), leastHold)
		}
		least = min(least, left)
	}
	return least
}

// pastRest, rad/s or m/s, is a velocity past rest at which the search ends: the joint is stopped there, and the kinetic
// energy that is lost, 1e-26 J of a kilogram, is below the rounding of any other.
const pastRest = 1e-13

// leastHold, N·m or N, keeps the quotient of two vanishing torques finite.
const leastHold = 1e-300

// maxEvents bounds the changes of signs between two of Advance's times. A smooth drive reverses a joint a few times
// there; thousands of reversals are those of a torque that jumps with the state.
const maxEvents = 10000

// event finds the step, shorter than h, at whose end the first change of signs has just
// happened, and leaves it as the last step. The margin there is that of h.
func (m *Motion) event(d Drive, h, margin float64) (float64, error) {
	low, high := 0.0, h
	atLow, atHigh := 0.0, margin
	side := 0
	// Illinois: superlinear, and never slower than 60 halvings.
	for range 60 {
		if high-low <= 0x1p-50*h {
			break
		}
		mid := high - atHigh*(high-low)/(atHigh-atLow)
		if !(mid > low && mid < high) || atLow <= 0 {
			mid = (low + high) / 2
		}
		if _, err := m.try(d, mid); err != nil {
			return 0, err
		}
		at := m.margin()
		if at < 0 {
			high, atHigh = mid, at
			if side < 0 {
				atLow /= 2
			}
			side = -1
			if at > -pastRest {
				return mid, nil
			}
			continue
		}
		low, atLow = mid, at
		if side > 0 {
			atHigh /= 2
		}
		side = 1
	}
	if _, err := m.try(d, high); err != nil {
		return 0, err
	}
	return high, nil
}

// switchSigns stops the joints whose velocity has changed its sign, and decides which of
// those at rest stick.
func (m *Motion) switchSigns(d Drive) error {
	copy(m.before, m.sign)
	for i := range m.n {
		if s := m.sign[i]; s != 0 && s*m.x[m.n+i] <= 0 && m.friction[i].sticks() {
			m.x[m.n+i], m.evaluated = 0, nil
			m.stats.Stops++
		}
	}
	if m.passive != nil {
		m.stats.Stops += m.passive.stop()
	}
	m.events++
	if err := m.settle(d); err != nil {
		return err
	}
	for i, s := range m.sign {
		if m.before[i] == 0 && s != 0 {
			m.stats.Starts++
		}
	}
	if m.events > maxEvents {
		return m.broken()
	}
	return nil
}

package trialfit

import "math"

// Reversals counts those of a joint.
func (tr *Rows) Reversals(j int) int { return len(tr.reversals(j)) }

// reversals returns the times, s, at which a joint changes direction, half-way between two rows.
func (tr *Rows) reversals(j int) []float64 {
	var at []float64
	last, since := 0.0, 0.0
	for k, v := range tr.DQ[j] {
		if v*last < 0 {
			at = append(at, (since+tr.T[k])/2)
		}
		if v != 0 {
			last, since = v, tr.T[k]
		}
	}
	return at
}

// memoryDistances returns the distances, rad or m, over which friction may build up after a reversal (presliding).
func memoryDistances() []float64 { return []float64{0.001, 0.004, 0.016, 0.064, 0.25} }

// loadDistances returns such distances for friction that grows with the load. Gravity changes the load from pose to
// pose: over a cycle this friction looks like a delayed gravity torque, |sin q|·sign q̇ beside q̇·cos q.
func loadDistances() []float64 { return []float64{0.004, 0.064} }

// LagBesideMemory returns the lag of joint j's torque, estimated beside friction that builds up after reversals and
// friction that grows with the load. Both delay friction alone; a late sensor also delays gravity and inertia.
func (tr *Rows) LagBesideMemory(j int) Lag {
	f := newJoint(tr, j, tr.Lost[j])
	if f == nil {
		return Lag{}
	}
	var memory [][]float64
	for _, d := range memoryDistances() {
		memory = append(memory, tr.Memory(j, d))
	}
	for _, d := range loadDistances() {
		col := tr.Memory(j, d)
		for k, y := range tr.Y[j] {
			col[k] *= math.Abs(y)
		}
		memory = append(memory, col)
	}
	f.Extend(memory)
	return f.Lag(tr, tr.Interval())
}

// BetweenReversals fits a joint without the rows that its reversals reach through the low-pass; nil
// where the others are too few. A joint that sticks for some milliseconds as it turns, or whose friction has a
// memory, turns the torque's phase there and nowhere else; a torque that comes late does so everywhere.
func (tr *Rows) BetweenReversals(j int) *Joint {
	lost := append([]bool(nil), tr.Lost[j]...)
	const reach = carried / Band
	at := tr.reversals(j)
	for k, t := range tr.T {
		for len(at) > 1 && at[1] <= t {
			at = at[1:]
		}
		for _, r := range at[:min(2, len(at))] {
			lost[k] = lost[k] || math.Abs(t-r) < reach
		}
	}
	return newJoint(tr, j, lost)
}

// LagBetweenReversals compares a joint's lag with that of the rows between its reversals, where friction has one sign:
// it returns the latter if the two differ by more than three standard deviations, and whether a lag of the given
// seconds would be visible there. If there are too few such rows, it returns the lag as it is, and true.
func (tr *Rows) LagBetweenReversals(j int, l Lag, least float64) (lag Lag, seen bool) {
	between := tr.BetweenReversals(j)
	if between == nil {
		return l, true
	}
	there := between.Lag(tr, tr.Interval())
	if !there.Seen || there.Coarse || there.SD > math.Abs(l.Seconds)/4 {
		return l, true
	}
	if math.Abs(there.Seconds) < math.Max(least, 5*there.SD) {
		return l, false
	}
	if math.Abs(there.Seconds-l.Seconds) > 3*math.Hypot(there.SD, l.SD) {
		l = there
	}
	return l, true
}

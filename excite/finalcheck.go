package excite

import (
	"math"
	"slices"
	"sync"

	"ident/robot"
)

// Margin is a trajectory's distance from a joint's limits at its worst time, as a fraction of the limit (for the
// position, of half the range). Margins of a held joint are zero. Jerk, Torque and Power are nil without such a limit.
type Margin struct {
	Joint        string   `json:"joint"`
	Position     float64  `json:"position"`
	Velocity     float64  `json:"velocity"`
	Acceleration float64  `json:"acceleration"`
	Jerk         *float64 `json:"jerk,omitempty"`
	Torque       *float64 `json:"torque,omitempty"`
	Power        *float64 `json:"power,omitempty"`
}

// Worst returns the smallest of the margins.
func (m *Margin) Worst() float64 {
	w := min(m.Position, m.Velocity, m.Acceleration)
	for _, x := range []*float64{m.Jerk, m.Torque, m.Power} {
		if x != nil {
			w = min(w, *x)
		}
	}
	return w
}

// checkRate is the sampling rate of the final check, Hz.
const checkRate = 10000

// verdict is the outcome of the final check.
type verdict struct {
	margins    []Margin
	violations int
	excesses   []excesses // over the full limits, proven, one a coupled constraint
	reduced    []excesses // over the limits less the margin, where the constraint has one
}

// exceeded reports whether a limit minus its margin is exceeded.
func (v *verdict) exceeded() bool {
	for _, of := range v.reduced {
		for _, x := range of {
			if x.Relative > 0 {
				return true
			}
		}
	}
	return false
}

// reserveMargins derives the excesses over the limits less the margin: of torque and power, whose values
// between the samples of the search are known to the final check alone.
func (d *design) reserveMargins(v *verdict) {
	for i, of := range v.excesses {
		out := of
		if _, torque := d.coupled[i].(*torqueLimits); torque {
			out = slices.Clone(of)
			for k := range out {
				out[k].Relative += d.p.Margin
				out[k].Limit *= 1 - d.p.Margin
			}
		}
		v.reduced = append(v.reduced, out)
	}
}

// checkTimes returns the times of the final check: steps of 1/checkRate and the knots of the motion.
func checkTimes(m Motion) []float64 {
	n := min(max(2, int(math.Ceil(checkRate*m.Duration()))), 1<<21)
	t := append(steps(n, m.Duration(), 0), m.Duration())
	if knots := m.Knots(); len(knots) > 0 {
		t = merge(t, knots)
	}
	return t
}

// check measures a trajectory against its joints' full limits, on a dense grid with
// a proven bound between its points, from the coefficients alone: for a Fourier
// series the bound of Ehlich and Zeller, for other motions h²/8·max|f"|, the largest
// distance from the chord between two points a time h apart.
func check(m Motion, axes []axis) (margins []Margin, violations int) {
	joints := m.DOF()
	tr, series := m.(*Trajectory)
	var times []float64
	factor := 1.0
	if series {
		n := max(gridPerHarmonic*tr.Harmonics(), min(int(math.Ceil(checkRate*tr.Period)), 1<<21))
		times, factor = steps(n, tr.Period, 0), betweenSamples(tr.Harmonics(), n)
	} else {
		times = checkTimes(m)
	}
	jerks := series && slices.ContainsFunc(axes, func(a axis) bool { return given(a.full.Jerk) })
	peak, bend, jerk := make([][4]float64, joints), make([]float64, 4*joints), make([]float64, joints)
	for c := range bend {
		if o := c % 4; o < 3 || jerks {
			bend[c] = coarseSteps * coarseSteps * curve(times, m.Bound(c/4, o+2))
		}
	}
	visitPeaks(len(times), coarseSteps, bend, func(at []int) [][]float64 {
		now, x := pick(times, at), grid(4*joints, len(at))
		var motion [3][][]float64
		for o := range motion {
			for i := range joints {
				motion[o] = append(motion[o], x[4*i+o])
			}
		}
		sampleAt(m, now, motion[0], motion[1], motion[2])
		for t := 0; jerks && t < len(now); t++ {
			m.Jerk(now[t], jerk)
			for i, v := range jerk {
				x[4*i+3][t] = v
			}
		}
		for c, x := range x {
			for t, v := range x {
				if c%4 == 0 {
					v -= axes[c/4].centre
				}
				x[t] = math.Abs(v)
				peak[c/4][c%4] = max(peak[c/4][c%4], x[t])
			}
		}
		return x
	})
	for i := range axes {
		ax := &axes[i]
		out := Margin{Joint: ax.name}
		limits := [4]float64{(ax.full.Upper - ax.full.Lower) / 2, ax.full.Velocity, ax.full.Accel, ax.full.Jerk}
		for o, to := range [3]*float64{&out.Position, &out.Velocity, &out.Acceleration} {
			used := peak[i][o] * factor
			if !series {
				used += curve(times, m.Bound(i, o+2))
			}
			if ax.held {
				// Rounding of the position's own size is no motion.
				if used > 1e-12*max(1, math.Abs(ax.centre)) {
					violations++
				}
				continue
			}
			*to = 1 - used/limits[o]
			if !(used <= limits[o]) {
				violations++
			}
		}
		if given(limits[3]) && !ax.held {
			used := peak[i][3] * factor
			if !series {
				used = m.Bound(i, 3) // the jerk may jump at knots
			}
			free := 1 - used/limits[3]
			out.Jerk = &free
			if !(used <= limits[3]) {
				violations++
			}
		}
		margins = append(margins, out)
	}
	return margins, violations
}

// coarseSteps is the number of steps of the final check between the samples at which peaks are sought first, at some 300
// Hz.
const coarseSteps = 32

// pick returns the times of the given numbers.
func pick(times []float64, at []int) (some []float64) {
	for _, k := range at {
		some = append(some, times[k])
	}
	return some
}

// curve returns h²/8·bound: the largest distance from its chord, between two times, of a function whose second
// derivative has this bound.
func curve(times []float64, bound float64) float64 {
	return step(times) * step(times) / 8 * bound
}

// step returns the longest step, in seconds, of a uniform grid with knots merged in; a whole step is among the first 64.
func step(times []float64) float64 {
	if len(times) < 2 {
		return 0
	}
	h := times[1] - times[0]
	for k := 1; k < len(times) && k < 64; k++ {
		h = max(h, times[k]-times[k-1])
	}
	return h
}

// motionBounds are bounds of a motion between the samples of the final check.
type motionBounds struct {
	motion Motion
	step   float64 // longest step between samples, s
	robot  *robot.Robot
	links  []linkBounds            // nil without a robot and with closed loops
	reach  func(coord int) float64 // the largest absolute position of a coordinate
}

// verify returns the final check of all limits and constraints; each constraint is measured on its own core.
func (d *design) verify(m Motion) verdict {
	var v verdict
	if len(d.coupled) == 0 {
		v.margins, v.violations = check(m, d.s.axes)
		return v
	}
	times := checkTimes(m)
	b := &motionBounds{motion: m, step: step(times), robot: d.p.Robot}
	if d.p.Robot != nil && d.p.Model.Loops() == nil {
		b.reach = func(c int) float64 { return max(math.Abs(d.s.axes[c].full.Lower), math.Abs(d.s.axes[c].full.Upper)) }
		b.links = boundLinks(treeOf(d.p.Robot), d.p.Robot.Gravity, m, b.reach)
	}
	v.excesses = make([]excesses, len(d.coupled))
	var wg sync.WaitGroup
	for i, c := range d.coupled {
		wg.Go(func() { v.excesses[i] = sweep(c.clone(), b, times) })
	}
	v.margins, v.violations = check(m, d.s.axes)
	wg.Wait()
	for i, c := range d.coupled {
		worst := v.excesses[i]
		_, torque := c.(*torqueLimits)
		for _, x := range worst {
			if x.Relative > 0 {
				v.violations++
			}
			if !torque || math.IsInf(x.Relative, -1) {
				continue
			}
			free := -x.Relative
			if to := &v.margins[x.index/2]; x.index%2 == 0 {
				to.Torque = &free
			} else {
				to.Power = &free
			}
		}
	}
	return v
}

// chunk is the number of samples of the final check in memory at once.
const chunk = 2048

// sweep returns the proven worst excess of every constrained value over its full
// limit.
func sweep(c coupled, b *motionBounds, times []float64) excesses {
	worst := newExcesses(len(c.tightening()))
	if t, ok := c.(*torqueLimits); ok && t.sweepPeaks(b, times, worst) {
		return worst
	}
	if s, ok := c.(*separation); ok {
		b, times = s.grid(b, times)
		// One sample in a thousand of those at 10 kHz finds nearly the worst distances; most samples of
		// the whole pass are then skipped.
		var coarse []float64
		for k := 0; k < len(times); k += max(1, int(1000/(checkRate*b.step))) {
			coarse = append(coarse, times[k])
		}
		sweepOnce(c, b, coarse, worst)
	}
	sweepOnce(c, b, times, worst)
	return worst
}

// sweepOnce raises worst over the given times, each for half a step to either
// side.
func sweepOnce(c coupled, b *motionBounds, times []float64, worst excesses) {
	measure := c.proof(b, worst)
	var all, cut [3][][]float64
	for o := range all {
		all[o], cut[o] = grid(b.motion.DOF(), chunk), make([][]float64, b.motion.DOF())
	}
	for first := 0; first < len(times); first += chunk {
		now := times[first:min(first+chunk, len(times))]
		for o := range cut {
			for i := range cut[o] {
				cut[o][i] = all[o][i][:len(now)]
			}
		}
		sampleAt(b.motion, now, cut[0], cut[1], cut[2])
		measure(now, &cut)
	}
}

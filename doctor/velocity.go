package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/scratch"
	"ident/filter"
	"ident/internal/hint"
)

// Limits on measured velocities compared with the derivative of the positions. Both go through the same zero-phase
// low-pass first, so that coarse prints and noise do not count.
const (
	compareBand  = 10.0 // Hz, cut-off of the comparison; see band
	bandPeriods  = 12.0 // of the cut-off in a log: the filter's ends, of 3 periods each at 1e-3, reach half of it
	longestLag   = 0.25 // s, searched on either side
	lagSamples   = 0.9  // of a sample; a one-sided difference lags half of one by itself
	scaleOff     = 0.02 // of the scale between the two
	disagreement = 0.1  // relative RMS that lag and scale do not explain
)

// comparison is one joint's measured velocity and the derivative of its position in one window, both low-passed and
// resampled to a uniform clock of interval dt.
type comparison struct {
	t0, dt   float64
	v, dq    []float64
	core     [2]int // samples that the filter's ends do not reach
	atStart  bool   // the window holds the log's first rows
	atEnd    bool
	velocity float64 // RMS of v over the core
}

// band returns the cut-off of the comparison in Hz: that of logs of more than a second, a higher one where the filter's ends would leave
// less than half of the log, as of rows counted in ms, and at most an eighth of the rate.
func (rec *recording) band() float64 {
	return math.Min(math.Max(compareBand, bandPeriods/(rec.clock.End-rec.clock.Start)), 1/(8*rec.interval()))
}

// stepVelocity returns the RMS velocity below the comparison's band that steps of a position make by themselves. Rounding leaves an error of
// a twelfth of the squared step, white up to half the rate, and a derivative multiplies it by the frequency.
func (rec *recording) stepVelocity(c *channel) float64 {
	band := rec.band()
	return 2 * math.Pi * rec.quantum(c) * math.Sqrt(rec.interval()*band*band*band/18)
}

// agreement summarises the comparisons of one joint.
type agreement struct {
	lag, scale, rest float64
	offset           float64 // of dq, in its own unit, where that explains it
	velocity         float64 // RMS of the derivative of the positions
	ok               bool
}

// checkVelocity compares measured velocities with positions. Of a position among held the velocity runs ahead, which is no other fact.
func checkVelocity(rec *recording, held findings) (found findings) {
	all := make([]agreement, len(rec.joints))
	var scales []float64
	var memory scratch.Columns
	for i, j := range rec.joints {
		memory.Return(scratch.Mark{})
		if j.q == nil || j.dq == nil || rec.isStill(j) && j.q.declared() == 1 || rec.stats(j.dq).rows < fewest || rec.stats(j.dq).span() == 0 {
			continue
		}
		var parts []comparison
		for _, w := range rec.windows {
			for _, s := range rec.believable(w, j.q, j.dq) {
				if c, ok := compare(rec, w, s[0], s[1], j.q, j.dq, &memory); ok {
					parts = append(parts, c)
				}
			}
		}
		all[i] = agreeUpToOffset(parts, &memory)
		if all[i].ok {
			if f, ok := rec.declaration(j, all[i].scale); ok || rec.isStill(j) {
				found.keep(f, ok)
				all[i].ok = false
				continue
			}
			scales = append(scales, all[i].scale)
			found.add(edges(rec, j, parts, all[i], &memory)...)
			if f, ok := elasticGear(rec, j, parts, all[i], &memory); ok {
				found.add(f)
				all[i].ok = false // the delay that it seems to have is no other fact
			}
		}
	}
	if s, spread, ok := commonScale(scales); ok {
		if f, ok := wrongClock(rec, s, spread, len(scales)); ok {
			found.add(f)
			return found
		}
	}
	for i, j := range rec.joints {
		if all[i].ok {
			f, ok := velocityFinding(rec, j, all[i])
			found.keep(f, ok && (f.ID != LagVelocity || !held.has(Held, j.q)))
		}
	}
	return found
}

// compare resamples both signals of a segment to a uniform clock, low-passes and differentiates.
func compare(rec *recording, w *window, from, to int, q, dq *channel, memory *scratch.Columns) (comparison, bool) {
	t := w.t[from:to]
	c := comparison{t0: t[0], dt: rec.interval(), atStart: w.first+from == 0, atEnd: w.first+to == rec.t.Len()}
	n := to - from
	if !rec.clock.Uniform {
		n = filter.Grid(t[0], t[len(t)-1], c.dt)
	}
	x, y := memory.Take(n), memory.Take(n)
	if rec.clock.Uniform {
		copy(x, w.cols[q.index][from:to])
		copy(y, w.cols[dq.index][from:to])
	} else {
		knots := w.knotsOf(from, to)
		knots.Resample(x, w.cols[q.index][from:to], t[0], c.dt)
		knots.Resample(y, w.cols[dq.index][from:to], t[0], c.dt)
	}
	rate := 1 / c.dt
	low, err := filter.Butterworth(4, rec.band(), rate)
	if err != nil {
		return c, false
	}
	low.ZeroPhaseColumns([][]float64{x, y}, nil)
	c.v, c.dq = memory.Take(len(x)), y
	filter.Differentiate4(c.v, x, c.dt)
	// Samples far above the band add nothing.
	if step := int(rate / (25 * rec.band())); step > 1 {
		c.v, c.dq = projection.Thin(c.v, step), projection.Thin(c.dq, step)
		c.dt *= float64(step)
	}
	tail := int(math.Ceil(float64(low.Tail(1e-3)) / rate / c.dt))
	c.core = [2]int{tail, len(c.v) - tail}
	if c.core[1]-c.core[0] < fewest/2 {
		return c, false
	}
	c.velocity = projection.RMS(c.v[c.core[0]:c.core[1]])
	return c, true
}

// agreeUpToOffset estimates lag and scale, and takes an offset from the measured velocities first if that explains most of what they leave.
func agreeUpToOffset(parts []comparison, memory *scratch.Columns) agreement {
	a := agree(parts, memory)
	if !a.ok || a.rest < disagreement {
		return a
	}
	// Lines of least squares through v and dq share the offset at any lag of a motion that returns.
	var n, v, dq, vv, vd float64
	for _, c := range parts {
		for k := c.core[0]; k < c.core[1]; k++ {
			n, v, dq, vv, vd = n+1, v+c.v[k], dq+c.dq[k], vv+c.v[k]*c.v[k], vd+c.v[k]*c.dq[k]
		}
	}
	scale := (vd - v*dq/n) / (vv - v*v/n)
	offset := (dq - scale*v) / n
	moved := slices.Clone(parts)
	for i := range moved {
		moved[i].dq = memory.Copy(moved[i].dq)
		for k := range moved[i].dq {
			moved[i].dq[k] -= offset
		}
	}
	b := agree(moved, memory)
	if !b.ok || b.rest > a.rest/2 {
		return a
	}
	b.offset = offset
	return b
}

// agree estimates lag and scale of dq relative to v over the windows in which the joint moves.
func agree(parts []comparison, memory *scratch.Columns) agreement {
	most := 0.0
	for _, c := range parts {
		most = math.Max(most, c.velocity)
	}
	var a agreement
	if most < 1e-4 {
		return a
	}
	// Determine the sign of the scale first: the lag is then sought between signals of equal sign.
	unit := ofSquares(parts)
	dot := 0.0
	for _, c := range parts {
		for k := c.core[0]; k < c.core[1]; k++ {
			dot += c.v[k] * (unit * c.dq[k])
		}
	}
	sign := unit
	if dot < 0 {
		sign = -unit
	}
	var lags []float64
	for _, c := range parts {
		if c.velocity < most/10 {
			continue
		}
		v, dq := c.v[c.core[0]:c.core[1]], memory.Copy(c.dq[c.core[0]:c.core[1]])
		for k := range dq {
			dq[k] *= sign
		}
		lag, quality := filter.Lag(v, dq, c.dt, math.Min(longestLag, float64(len(v))*c.dt/8))
		if quality > 0.01 {
			lags = append(lags, lag)
		}
	}
	if len(lags) > 0 {
		slices.Sort(lags)
		a.lag = lags[len(lags)/2]
	}
	var vv, vd, dd float64
	for _, c := range parts {
		// Compare v, shifted by the lag, with dq.
		s := a.lag / c.dt
		i := int(math.Floor(s))
		f := s - float64(i)
		for k := c.core[0]; k < c.core[1]; k++ {
			if k-i-1 < c.core[0] || k-i >= c.core[1] {
				continue
			}
			v := (1-f)*c.v[k-i] + f*c.v[k-i-1]
			dq := unit * c.dq[k]
			vv += v * v
			vd += v * dq
			dd += dq * dq
		}
	}
	if vv == 0 || dd == 0 {
		return a
	}
	a.scale, a.velocity = vd/vv/unit, most
	a.rest = math.Sqrt(math.Max(0, 1-vd*vd/(vv*dd)))
	a.ok = true
	return a
}

// ofSquares returns a factor for velocities of any size that keeps their squares from underflowing: 1 for robots.
func ofSquares(parts []comparison) float64 {
	largest := 0.0
	for _, c := range parts {
		for _, v := range c.dq[c.core[0]:c.core[1]] {
			largest = math.Max(largest, math.Abs(v))
		}
	}
	if largest == 0 || largest > 1e-100 {
		return 1
	}
	return math.Min(1/largest, 1e300)
}

// commonScale returns the scale factor of velocities that all joints share, and the part of it by which they differ.
func commonScale(scales []float64) (s, spread float64, ok bool) {
	if len(scales) == 0 {
		return 0, 0, false
	}
	lo, hi := slices.Min(scales), slices.Max(scales)
	if lo <= 0 || hi > 1.05*lo {
		return 0, 0, false
	}
	s = (lo + hi) / 2
	return s, (hi - lo) / s, true
}

// Factors of velocities that a wrong clock explains: from clockOff on, and below it if the factors of all joints agree to oneClock of the
// deviation from one, as those of separate gears or filters would by chance alone.
const (
	clockOff = 0.1
	oneClock = 0.1
)

// wrongClock blames the clock for a factor that several joints share, or for a power of ten, unless a unit explains it.
func wrongClock(rec *recording, s, spread float64, joints int) (f Finding, ok bool) {
	if of, ok := unitsOf(s, rec.revolves()); ok && (!decimal(of) || rec.impossible()) {
		return f, false
	}
	decades, off := math.Log10(s), math.Abs(s-1)
	if off < scaleOff || off < clockOff && (joints < 3 || spread > oneClock*off) || (joints < 2 && math.Abs(decades-math.Round(decades)) > 0.02) {
		return f, false
	}
	f = Finding{ID: ClockRate, Severity: Error, Channel: rec.roles.T, Value: s, Limit: 1, Where: "the whole log"}
	if off < clockOff {
		f.Severity = Warning
	}
	f.Why = fmt.Sprintf("all measured velocities are %.4g times the derivative of the positions: by them the rate is about %.6g Hz, not %.6g",
		s, s/rec.clock.Median, 1/rec.clock.Median)
	f.Fix = "{mend} writes a log with the times right; if they are in ms or us, declare their unit with {units}"
	f.Repair.Edits = []Edit{{Channel: rec.roles.T, Scale: 1 / s}}
	return f, true
}

// decimal reports whether units differ from SI by powers of ten, as those of clocks do.
func decimal(of unitPair) bool {
	d := math.Log10(of.qInSI / of.dqInSI)
	return math.Abs(d-math.Round(d)) < 1e-9
}

// Speeds in rad/s and m/s that no joint without a limit has.
const fastestTurn, fastestSlide = 50.0, 10.0

// impossible reports whether another clock is no reason for a factor of all velocities: the velocities, or the positions, are none that the
// joints can have.
func (rec *recording) impossible() bool {
	return slices.ContainsFunc(rec.joints, func(j joint) bool {
		if j.q == nil || j.dq == nil {
			return false
		}
		most := pick(rec.isRevolute(j.q.joint), fastestTurn, fastestSlide)
		if limit := rec.limitOf(j.dq); limit > 0 {
			most = beyondEffort * limit
		}
		return projection.MagnitudeQuantile(&rec.stats(j.dq).size, usually)/2 > most || !rec.possible(j.q, rec.stats(j.q).span())
	})
}

// revolves reports whether most joints of the log are revolute.
func (rec *recording) revolves() bool {
	n := 0
	for _, j := range rec.joints {
		if j.q != nil {
			n += pick(rec.isRevolute(j.q.joint), 1, -1)
		}
	}
	return n >= 0
}

// unitPair are units of a joint's position and velocity, "" for those in radians.
type unitPair struct {
	q, dq         string
	qInSI, dqInSI float64
}

// unitsOf returns the units that a ratio between a velocity and the derivative of the position indicates: one of the two is in another unit
// than SI, or both are.
func unitsOf(s float64, revolute bool) (of unitPair, ok bool) {
	explains := func(q, dq string) bool {
		of = unitPair{q, dq, si(q), si(dq)}
		return math.Abs(math.Abs(s)*of.dqInSI/of.qInSI-1) < scaleOff && of.qInSI != of.dqInSI
	}
	positions, velocities := unitNames(position, revolute), unitNames(velocity, revolute)
	for _, dq := range velocities {
		if explains("", dq) {
			return of, true
		}
	}
	for _, q := range positions {
		for _, dq := range append([]string{""}, velocities...) {
			if explains(q, dq) {
				return of, true
			}
		}
	}
	return unitPair{}, false
}

// unitFinding returns the finding of units that the ratio s between a joint's velocity and the derivative of its position indicates.
func (rec *recording) unitFinding(j joint, s float64, of unitPair) Finding {
	f := rec.about(Units, Error, j.q)
	f.Where = "the whole log"
	if of.q == "" {
		f = rec.about(Units, Warning, j.dq)
		f.Where, f.Value, f.Limit = "the whole log", s, 1
		f.Why = fmt.Sprintf("%s is %.4g times the derivative of %s: it is in %s", j.dq.name, s, j.q.name, of.dq)
		f.Fix = fmt.Sprintf("{units} %s=%s, or {velocity} position", hint.Word(j.dq.name), of.dq)
		f.Repair = unit(j.dq.name, of.dq, 1/math.Abs(s))
		return f
	}
	words := map[string]string{"deg": "degrees", "rev": "turns", "mm": "millimetres", "cm": "centimetres", "um": "micrometres", "mrad": "milliradians"}
	f.Value, f.Limit = 1/s, 1
	f.Why = fmt.Sprintf("%s changes %.4g times as fast as %s says: it is in %s", j.q.name, 1/s, j.dq.name, words[of.q])
	f.Fix = fmt.Sprintf("{units} %s=%s", hint.Word(j.q.name), of.q)
	f.Repair = unit(j.q.name, of.q, of.qInSI)
	if of.dq != "" {
		f.Why += ", and that in " + of.dq
		f.Fix = fmt.Sprintf("{units} %s=%s and {units} %s=%s", hint.Word(j.q.name), of.q, hint.Word(j.dq.name), of.dq)
		more := unit(j.dq.name, of.dq, of.dqInSI)
		f.Repair.Settings, f.Repair.Edits = append(f.Repair.Settings, more.Settings...), append(f.Repair.Edits, more.Edits...)
	}
	return f
}

// sameFactor bounds the ratio of two estimates of one factor: torques know that of a motion to a tenth.
const sameFactor = 1.1

// besideVelocities returns findings of channels and of torques in which a factor of one position, that torques have found and by which its velocity
// differs too, is one finding: a gear, of the factor that the velocity tells, and not a unit that is near it, nor a scale of the velocity.
func (rec *recording) besideVelocities(found, torques findings) (findings, findings) {
	for i := range torques {
		f := &torques[i]
		j := slices.IndexFunc(rec.joints, func(j joint) bool { return j.q != nil && j.dq != nil && j.q.name == f.Channel })
		if j < 0 || f.ID != GearRatio && f.ID != Units || f.Severity == Info {
			continue
		}
		by := 1 / f.Value
		if len(f.Repair.Edits) > 0 {
			by = f.Repair.Edits[0].Scale
		}
		q, dq := rec.joints[j].q, rec.joints[j].dq
		at := slices.IndexFunc(found, func(v Finding) bool {
			return v.ID == GearRatio && v.Channel == dq.name && v.Value > 0 && math.Abs(math.Log(v.Value/by)) < math.Log(sameFactor)
		})
		if at < 0 {
			continue
		}
		by = found[at].Value
		f.ID, f.Value, f.Limit = GearRatio, 1/by, 1
		f.Why = fmt.Sprintf("joint %s moves %.4g times as far as logged, as the torques and %s tell: its gear ratio or encoder resolution is wrong", rec.joints[j].name, by, dq.name)
		f.Fix = fmt.Sprintf("{mend} writes a log with %s times %.4g; or correct the gear ratio with which it was converted", q.name, by)
		f.Repair = Repair{Edits: []Edit{{Channel: q.name, Scale: by}}}
		found = slices.Delete(slices.Clone(found), at, at+1)
	}
	return found, torques
}

// rescaled proposes a factor of a channel, as a setting and as a change of the log.
func (rec *recording) rescaled(f *Finding, c *channel, by float64) {
	f.Repair = setting("scale", c.name, fmt.Sprintf("%.4g", by))
	f.Repair.Edits = []Edit{{Channel: c.name, Scale: by}}
	f.Fix = fmt.Sprintf("{scale} %s=%.4g; or {mend} writes a log with the corrected velocities", hint.Word(c.name), by)
}

// velocityFinding judges how well a joint's measured velocity agrees with the derivative of its position.
func velocityFinding(rec *recording, j joint, a agreement) (f Finding, ok bool) {
	dt := rec.clock.Median
	f = rec.about(LagVelocity, Warning, j.dq)
	f.Where = "the whole log"
	f.Fix = "{velocity} position"
	f.Repair = setting("velocity", "", "position")
	steps := math.Hypot(disagreement, rec.stepVelocity(j.q)/a.velocity) // what the steps of the position explain
	switch of, ok := unitsOf(a.scale, rec.isRevolute(j.q.joint)); {
	case ok && a.rest <= max(0.5, steps):
		return rec.unitFinding(j, a.scale, of), true
	case a.rest > max(0.5, steps):
		f.Value, f.Limit = a.rest, disagreement
		f.Why = fmt.Sprintf("%s has little to do with the derivative of %s: %.0f %% of it remain unexplained below %.4g Hz; it may belong to another joint",
			j.dq.name, j.q.name, 100*a.rest, rec.band())
		f.Fix += fmt.Sprintf(", or {map} dq of joint %s to its own channel", j.name)
	case a.scale < 0:
		f.ID = Sign
		f.Value, f.Limit = a.scale, 1
		f.Why = fmt.Sprintf("%s is %.4g times the derivative of %s: the sign of one of the two is reversed", j.dq.name, a.scale, j.q.name)
		rec.rescaled(&f, j.dq, -1)
	case math.Abs(a.scale-1) > scaleOff && a.rest < disagreement:
		f.ID = GearRatio
		f.Value, f.Limit = a.scale, 1+scaleOff
		f.Why = fmt.Sprintf("%s is %.4g times the derivative of %s: a gear ratio or a scale is off in one of the two", j.dq.name, a.scale, j.q.name)
		rec.rescaled(&f, j.dq, 1/a.scale)
	case math.Abs(a.offset) > disagreement*a.velocity:
		f.ID = Offset
		f.Value, f.Limit = a.offset, disagreement*a.velocity
		f.Why = fmt.Sprintf("%s is %.4g %s the derivative of %s throughout: its zero is off", j.dq.name, math.Abs(a.offset), pick(a.offset > 0, "above", "below"), j.q.name)
		f.Repair.Edits = []Edit{{Channel: j.dq.name, Offset: -a.offset}}
		f.Fix += fmt.Sprintf("; or {mend} writes a log with %s %s by it", j.dq.name, pick(a.offset > 0, "lowered", "raised"))
	case math.Abs(a.lag) > lagSamples*dt:
		f.Value, f.Limit = a.lag, lagSamples*dt
		// A fit measures and removes the lag by itself; leaving the channel out would lose information.
		f.Fix = "change nothing: a fit removes this lag by itself, unless {plain} is given"
		f.Repair = Repair{Edits: []Edit{{Channel: j.dq.name, Advance: a.lag}}}
		late := "behind"
		if a.lag < 0 {
			late = "ahead of"
		}
		f.Why = fmt.Sprintf("%s runs %.4g s (%.1f samples) %s the derivative of %s: it was filtered or estimated before it was logged",
			j.dq.name, math.Abs(a.lag), math.Abs(a.lag)/dt, late, j.q.name)
	case a.rest > steps:
		f.Value, f.Limit = a.rest, disagreement
		f.Why = fmt.Sprintf("%s differs from the derivative of %s by %.0f %% below %.4g Hz, which no lag explains", j.dq.name, j.q.name, 100*a.rest, rec.band())
	default:
		return f, false
	}
	return f, true
}

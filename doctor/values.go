package doctor

import (
	"fmt"
	"math"
	"slices"
)

// Limits on single channels.
const (
	// Values beyond the bound in more than this part of the rows are a matter of units, not of damage.
	fewRows = 0.05
	// A single row that leaves its neighbours by this many of the channel's largest usual steps, and by
	// this many standard deviations, is not a measurement.
	spikeSteps     = 100
	spikeDeviation = 3
	// A position leaves its neighbours by much less: there and back in two rows takes an acceleration of
	// twice the excursion over the interval squared.
	spikeTurn = 20
	// The step of one quantum from row to row, as a velocity, against the joint's RMS velocity.
	coarse = 0.005
	// Part of the rows that falls to zero between others.
	holeShare = 1e-3
)

// checkValues looks at each channel by itself.
func (p *patient) checkValues() {
	for _, c := range p.channels {
		p.checkFinite(c)
		p.checkAbsurd(c)
		if c.stats.rows < fewest {
			continue
		}
		if c.stats.span() == 0 {
			p.checkDead(c)
			continue
		}
		if c.role <= acceleration && p.isStill(p.joints[c.joint]) {
			continue // what is left is noise, or a few steps of the print
		}
		p.checkLone(c)
		p.checkHoles(c)
		if !p.checkSaturated(c) {
			p.checkStuck(c)
		}
		p.checkQuantised(c)
	}
}

func (p *patient) checkFinite(c *channel) {
	n := c.stats.bad.count
	if n == 0 {
		return
	}
	f := p.about(Dropout, Error, c)
	f.Value = float64(n)
	f.Where = c.stats.bad.place(p.t)
	f.Why = fmt.Sprintf("%s of channel %s NaN or infinite: samples are missing", rowsAre(n), c.name)
	f.Fix = "--on-bad drop leaves these rows out"
	f.Repair = setting("on-bad", "", "drop")
	p.add(f)
}

func rowsAre(n int) string {
	if n == 1 {
		return "1 row is"
	}
	return fmt.Sprintf("%d rows are", n)
}

func (p *patient) checkAbsurd(c *channel) {
	s := &c.stats
	n := s.absurd.count
	foreign := float64(n) > fewRows*float64(len(p.t)) || p.beyondLimit(c) // a question of units
	if n == 0 || (foreign && s.largest < damaged) {
		return
	}
	f := p.about(Spike, Error, c)
	f.Value, f.Limit = s.largest, c.bound
	f.Where = s.absurd.place(p.t)
	f.Why = fmt.Sprintf("%s beyond anything that %s can be: up to %.3g %s, where %.4g is already far out; the rows are damaged or read from the wrong columns",
		plural(n, "value"), c.name, s.largest, p.unitOf(c), c.bound)
	f.Fix = "--on-bad drop leaves these rows out, or cut them off with --rows LOG:FIRST-LAST"
	f.Repair = setting("on-bad", "", "drop")
	p.add(f)
}

// unitOf is the SI unit of a channel.
func (p *patient) unitOf(c *channel) string {
	turns := p.turns(c.joint)
	switch c.role {
	case position:
		return pick(turns, "rad", "m")
	case velocity:
		return pick(turns, "rad/s", "m/s")
	case acceleration:
		return pick(turns, "rad/s²", "m/s²")
	case torque:
		return pick(turns, "N·m", "N")
	}
	return "A"
}

func pick(c bool, a, b string) string {
	if c {
		return a
	}
	return b
}

func (p *patient) checkDead(c *channel) {
	s, j := &c.stats, p.joints[c.joint]
	f := p.about(Dead, Warning, c)
	f.Value = s.min
	f.Where = "the whole log"
	value := fmt.Sprintf("%.6g", s.min)
	switch c.role {
	case position:
		moving := j.dq != nil && math.Sqrt(j.dq.stats.m2/float64(max(j.dq.stats.rows, 1))) > 1e-3
		if moving {
			f.Severity = Error
			f.Why = fmt.Sprintf("%s is %s on every row although %s says that the joint moves: the position was not recorded", c.name, value, j.dq.name)
			f.Fix = fmt.Sprintf("--map names the right channel of joint %s", j.name)
			break
		}
		if p.allPositionsDead() {
			f.Severity = Error
		}
		f.Why = fmt.Sprintf("%s is exactly %s on every row: the joint was locked, or its position was not recorded", c.name, value)
		f.Fix = fmt.Sprintf("--lock %s=%s if it stood there; otherwise --map names the right channel", j.name, value)
		f.Repair = setting("lock", j.name, value)
	case velocity, acceleration:
		if j.q != nil && p.isStill(j) {
			return // the joint stood still, which other findings say
		}
		f.Why = fmt.Sprintf("%s is exactly %s on every row: it was not recorded", c.name, value)
		f.Fix = pick(c.role == velocity, "--velocity position", "--acceleration position")
		f.Repair = setting(pick(c.role == velocity, "velocity", "acceleration"), "", "position")
	default:
		f.Severity = Error
		f.Why = fmt.Sprintf("%s is exactly %s on every row: the effort of joint %s was not recorded", c.name, value, j.name)
		f.Fix = fmt.Sprintf("--map names the right channel, or leave joint %s out of --joints", j.name)
	}
	p.add(f)
}

func (p *patient) allPositionsDead() bool {
	for _, j := range p.joints {
		if j.q != nil && j.q.stats.span() > 0 {
			return false
		}
	}
	return true
}

// checkLone finds single rows that stand out.
func (p *patient) checkLone(c *channel) {
	s := &c.stats
	limit := max(spikeSteps*quantile(&s.step, 0.99), spikeDeviation*s.deviation(), spikeSteps*s.smallestStep())
	if c.role == position { // which turns with an acceleration that drives can give
		limit = spikeTurn * max(quantile(&s.step, 0.99), s.smallestStep())
	}
	var found []excursion
	for _, e := range s.lone {
		if e.size > limit && limit > 0 {
			found = append(found, e)
		}
	}
	if len(found) == 0 {
		return
	}
	slices.SortFunc(found, func(a, b excursion) int { return a.row - b.row })
	f := p.about(Spike, Error, c)
	f.Limit = limit
	var where spots
	for _, e := range found {
		f.Value = math.Max(f.Value, e.size)
		where.note(e.row)
		p.spikes = append(p.spikes, e.row)
		f.Repair.Edits = append(f.Repair.Edits, Edit{Rows: [][2]int{{e.row, e.row + 1}}})
	}
	f.Where = where.place(p.t)
	f.Why = fmt.Sprintf("%s where %s leaves both neighbours by up to %.4g %s; its steps are usually below %.3g: a bit error, or two writers of one variable",
		plural(len(found), "row"), c.name, f.Value, p.unitOf(c), quantile(&s.step, 0.99))
	// A lone value within the bounds is no row that --on-bad drop would know.
	f.Fix = "ident check --fix FILE writes a log without these rows"
	p.add(f)
}

// checkHoles finds channels that fall to exactly zero again and again from far away.
func (p *patient) checkHoles(c *channel) {
	s := &c.stats
	sizes := s.size
	sizes[0] = 0
	far := max(quantile(&sizes, 0.5)/4, 20*quantile(&s.step, 0.5), 20*s.smallestStep())
	n := 0
	for e := exponent(far); e < len(s.holeSize); e++ {
		n += s.holeSize[e]
	}
	if far == 0 || n < 3 || float64(n) < holeShare*float64(s.rows) || s.holes.count > 2*n {
		return
	}
	f := p.about(Dropout, Error, c)
	if c.role == velocity || c.role == acceleration {
		f.Severity = Warning
	}
	f.Value, f.Limit = float64(s.zeros)/float64(s.rows), holeShare
	f.Where = s.holes.place(p.t)
	f.Why = fmt.Sprintf("%s falls to exactly zero %d times out of values of about %.3g, and is zero on %.3g %% of the rows: samples that were not received are written as zeros",
		c.name, n, quantile(&sizes, 0.5), 100*f.Value)
	f.Fix = "log this channel at its own rate and convert with the zeros left empty; --on-bad drop then leaves them out"
	if c.role == velocity {
		f.Fix = "--velocity position"
		f.Repair = setting("velocity", "", "position")
	}
	p.add(f)
}

// checkQuantised reports positions whose steps are so coarse that differences of neighbouring rows show
// them beside the velocity.
func (p *patient) checkQuantised(c *channel) {
	if c.role != position || p.isStill(p.joints[c.joint]) {
		return
	}
	speed := rms(p.fits.dq[c.joint])
	quantum := p.quantum(c)
	step := quantum / p.clock.Median
	if quantum == 0 || step < coarse*speed {
		return
	}
	f := p.about(Quantised, Info, c)
	f.Value, f.Limit = quantum, coarse*speed*p.clock.Median
	f.Where = "the whole log"
	f.Why = fmt.Sprintf("%s is recorded in steps of %.3g %s: a difference of neighbouring rows comes in steps of %.3g %s/s, %.2g %% of the joint's RMS velocity",
		c.name, quantum, p.unitOf(c), step, p.unitOf(c), 100*step/speed)
	f.Fix = "print positions with more digits; until then a --motion-cutoff well below the sampling rate, or --velocity measured"
	p.add(f)
}

// quantum is the step of a quantised channel, of which nearly all its steps are multiples. It is 0 for a
// channel that has none.
func (p *patient) quantum(c *channel) float64 {
	if !c.measured {
		c.quantum, c.measured = p.findQuantum(c), true
	}
	return c.quantum
}

func (p *patient) findQuantum(c *channel) float64 {
	var steps []float64
	for _, w := range p.windows {
		x := w.cols[c.index]
		for k := 1; k < len(x); k++ {
			if d := math.Abs(x[k] - x[k-1]); d > 0 && d < c.bound {
				steps = append(steps, d)
			}
		}
	}
	if len(steps) < fewest {
		return 0
	}
	// The smallest step seen may itself be a few quanta.
	smallest := slices.Min(steps)
	for parts := 1.0; parts <= 4; parts++ {
		quantum, fits := smallest/parts, 0
		for _, d := range steps {
			if r := d / quantum; math.Abs(r-math.Round(r)) < 0.02 {
				fits++
			}
		}
		if fits >= len(steps)*95/100 {
			return quantum
		}
	}
	return 0
}

package doctor

import (
	"fmt"
	"math"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/scratch"
)

// coarse is the velocity of one quantum a row, relative to the joint's RMS velocity, from which a position counts as
// coarse.
const coarse = 0.005

// coarseSteps reports positions whose quanta are visible in the differences of neighbouring rows, compared with the
// velocity, and efforts of a few quanta.
func coarseSteps(rec *recording, c *channel) (f Finding, ok bool) {
	if rec.isStill(rec.joints[c.joint]) {
		return f, false
	}
	if c.role == torque || c.role == current {
		return rec.coarseEffort(c)
	}
	if c.role != position {
		return f, false
	}
	quantum := rec.quantum(c)
	if quantum == 0 {
		return f, false
	}
	speed := projection.RMS(rec.motion().DQ[c.joint])
	step := quantum / rec.clock.Median
	if step < coarse*speed {
		return f, false
	}
	f = rec.about(Quantised, Info, c)
	f.Value, f.Limit = quantum, coarse*speed*rec.clock.Median
	f.Where = "the whole log"
	f.Why = fmt.Sprintf("%s is recorded in steps of %.3g %s: a difference of neighbouring rows comes in steps of %.3g %s/s, %.2g %% of the joint's RMS velocity",
		c.name, quantum, rec.unitOf(c), step, rec.unitOf(c), 100*step/speed)
	f.Fix = "print positions with more digits; until then use {motion-cutoff} well below the sampling rate, or {velocity} measured"
	return f, true
}

// coarseEfforts is the quantum of an effort, relative to its standard deviation, from which it is reported.
const coarseEfforts = 0.25

// coarseEffort reports an effort that is printed in a few steps.
func (rec *recording) coarseEffort(c *channel) (f Finding, ok bool) {
	quantum, limit := rec.quantum(c), coarseEfforts*rec.stats(c).deviation()
	if quantum == 0 || quantum < limit {
		return f, false
	}
	f = rec.about(Quantised, Warning, c)
	f.Value, f.Limit, f.Where = quantum, limit, "the whole log"
	f.Why = fmt.Sprintf("%s is recorded in steps of %.3g %s, %.0f %% of its standard deviation: what lies between them is lost", c.name, quantum, rec.unitOf(c), 100*quantum/rec.stats(c).deviation())
	f.Fix = "record the channel with more digits, or in a range nearer to its own"
	return f, true
}

// quantum returns the quantum of a channel: nearly all differences of neighbouring rows are multiples of it. It returns
// 0 if there is none.
func quantum(windows []*window, c *channel, memory *scratch.Columns) float64 {
	defer memory.Return(memory.Mark())
	rows := 0
	for _, w := range windows {
		rows += len(w.cols[c.index])
	}
	steps := memory.Take(rows)[:0]
	for _, w := range windows {
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
	return projection.Unit(steps)
}

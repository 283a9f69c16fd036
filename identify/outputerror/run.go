package outputerror

import (
	"fmt"
	"math"

	"ident/filter"
)

// Run is a log of commands and positions with a steady clock: one slice per joint, one entry per sample, rad or m.
type Run struct {
	Name     string
	Interval float64 // sampling interval, s
	Command  [][]float64
	Position [][]float64
}

// Samples returns the number of samples.
func (r *Run) Samples() int { return len(r.Position[0]) }

// check refuses a run that is too short or has gaps.
func (r *Run) check(joints int, trim float64) error {
	if len(r.Command) != joints || len(r.Position) != joints {
		return fmt.Errorf("%s: commands of %d joints and positions of %d for a robot of %d", r.Name, len(r.Command), len(r.Position), joints)
	}
	n := r.Samples()
	for _, group := range []struct {
		what string
		x    [][]float64
	}{{"command", r.Command}, {"position", r.Position}} {
		for k, x := range group.x {
			if len(x) != n {
				return fmt.Errorf("%s: %d values of the %s of joint %d, and %d samples", r.Name, len(x), group.what, k+1, n)
			}
			for i, v := range x {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return fmt.Errorf("%s: the %s of joint %d is %g in row %d: leave the row out", r.Name, group.what, k+1, v, i+1)
				}
			}
		}
	}
	if float64(n)*r.Interval < 2*trim+1 {
		return fmt.Errorf("%s: %.3g s of motion; a fit without torque needs a second and the %g s that are cut from both ends", r.Name, float64(n)*r.Interval, trim)
	}
	return nil
}

// clocked is a run on the clock of the simulation, whose steps divide the law's period. Of a law whose rate is a whole multiple of the
// log's, each step is a period and each row is at the end of a step; otherwise rows are interpolated between the ends.
type clocked struct {
	run     *Run
	samples int         // ends of steps, the start among them
	period  float64     // of a step, s
	hold    int         // steps for which the law holds its command
	r, dr   [][]float64 // command and its rate, joint by end of a step; only those at the law's samples are used
	rate    [][]float64 // rate of the command, joint by row of the log
	q, dq   []float64   // at the start, from the filtered positions
	first   int         // rows of the log cut from the start
	last    int
	every   int // steps from row to row, 0 if rows do not coincide with ends
}

// row returns the step in which row i of the log lies, by the sample at its begin, and the part of the step before the row.
func (c *clocked) row(i int) (k int, part float64) {
	if c.every > 0 {
		return i * c.every, 0
	}
	at := float64(i) * c.run.Interval / c.period
	k = min(int(at), c.samples-2)
	return k, at - float64(k)
}

// position returns the simulated position of joint j at row i of the log, the encoder's offset not added.
func (c *clocked) position(m *motion, j, i int) float64 {
	k, part := c.row(i)
	if part == 0 {
		return m.q[j][k]
	}
	x, _ := hermite(m.q[j][k], m.q[j][k+1], m.dq[j][k]*c.period, m.dq[j][k+1]*c.period, part)
	return x
}

// longestStep, in seconds, bounds the steps of the simulation of a law that is slower than its log: the error (hω)²/24 of a step is
// below 1e-3 for modes up to 12 Hz.
const longestStep = 1.0 / leastRate

// clock interpolates the commands of a run to the clock of the law: by cubic polynomials between the log's rows, with
// five-point differences as slopes.
func clock(run *Run, period, trim float64) *clocked {
	c := &clocked{run: run, hold: 1}
	n := run.Samples()
	ratio := run.Interval / period
	if every := int(math.Round(ratio)); every >= 1 && math.Abs(ratio-float64(every)) <= 1e-3*ratio {
		c.every, c.period, c.samples = every, run.Interval/float64(every), (n-1)*every+1
	} else {
		c.hold = int(math.Ceil(period/min(longestStep, run.Interval) - 1e-9))
		c.period = period / float64(c.hold)
		c.samples = int(math.Ceil(float64(n-1)*run.Interval/c.period-1e-9)) + 1
	}
	cut := int(math.Round(trim / run.Interval))
	c.first, c.last = cut, n-cut
	for _, x := range run.Command {
		slope := make([]float64, n)
		filter.Differentiate4(slope, x, run.Interval)
		r, dr := make([]float64, c.samples), make([]float64, c.samples)
		for k := range r {
			i, part := k, 0.0
			if c.every > 0 {
				i, part = k/c.every, float64(k%c.every)/float64(c.every)
			} else {
				at := float64(k) * c.period / run.Interval
				i = min(int(at), n-1)
				part = at - float64(i)
			}
			if part == 0 || i == n-1 {
				r[k], dr[k] = x[i], slope[i]
				continue
			}
			r[k], dr[k] = hermite(x[i], x[i+1], slope[i]*run.Interval, slope[i+1]*run.Interval, part)
			dr[k] /= run.Interval
		}
		c.r, c.dr, c.rate = append(c.r, r), append(c.dr, dr), append(c.rate, slope)
	}
	return c
}

// hermite returns the cubic polynomial from a to b with slopes da and db at a part of the way, and its slope.
func hermite(a, b, da, db, t float64) (value, slope float64) {
	d := b - a
	c2, c3 := 3*d-2*da-db, da+db-2*d
	return a + t*(da+t*(c2+t*c3)), da + t*(2*c2+3*t*c3)
}

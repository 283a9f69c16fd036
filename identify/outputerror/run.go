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

// clocked is a run on the clock of the law: every sample of the log, and those of the law in between.
type clocked struct {
	run     *Run
	every   int // periods of the law from sample to sample of the log
	samples int // of the law
	period  float64
	r, dr   [][]float64 // command and its rate, joint by sample of the law
	q, dq   []float64   // at the start, from the filtered positions
	first   int         // samples of the log cut from the start
	last    int
}

// clock interpolates the commands of a run to the clock of the law: by cubic polynomials between the log's samples, with
// five-point differences as slopes.
func clock(run *Run, period, trim float64) (*clocked, error) {
	ratio := run.Interval / period
	every := int(math.Round(ratio))
	if every < 1 || math.Abs(ratio-float64(every)) > 1e-3*ratio {
		return nil, fmt.Errorf("%s: the log has %g Hz and the law %g Hz: the law's rate must be a whole multiple of the log's", run.Name, 1/run.Interval, 1/period)
	}
	c := &clocked{run: run, every: every, period: run.Interval / float64(every)}
	n := run.Samples()
	c.samples = (n-1)*every + 1
	cut := int(math.Round(trim / run.Interval))
	c.first, c.last = cut, n-cut
	slope := make([]float64, n)
	for _, x := range run.Command {
		filter.Differentiate4(slope, x, run.Interval)
		r, dr := make([]float64, c.samples), make([]float64, c.samples)
		for k := range r {
			i, part := k/every, float64(k%every)/float64(every)
			if part == 0 {
				r[k], dr[k] = x[i], slope[i]
				continue
			}
			r[k], dr[k] = hermite(x[i], x[i+1], slope[i]*run.Interval, slope[i+1]*run.Interval, part)
			dr[k] /= run.Interval
		}
		c.r, c.dr = append(c.r, r), append(c.dr, dr)
	}
	return c, nil
}

// hermite returns the cubic polynomial from a to b with slopes da and db at a part of the way, and its slope.
func hermite(a, b, da, db, t float64) (value, slope float64) {
	d := b - a
	c2, c3 := 3*d-2*da-db, da+db-2*d
	return a + t*(da+t*(c2+t*c3)), da + t*(2*c2+3*t*c3)
}

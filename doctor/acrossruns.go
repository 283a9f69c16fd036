package doctor

import (
	"fmt"
	"math"

	"ident/doctor/trialfit"
	"ident/internal/projection"
)

// betweenEffect is the part of a torque's RMS that a change between runs must make to be a finding.
const betweenEffect = 0.02

// Between looks for changes from run to run of one robot: of the offset of a torque, and of friction. The
// examinations must be of one robot under the same options; those whose torques could not be fitted are
// passed over. Findings name the run by its number, in run, counted from 0; there are none of a single run.
//
// A joint's own fit is made of the rows of all runs together, and each run in turn is granted an offset and
// a Coulomb friction of its own, as columns beside the model's. Of two runs either may have changed:
// the later one is named.
func Between(runs []*Examination) (found []Finding, run []int) {
	var of []int
	for i, e := range runs {
		if e.rows != nil {
			of = append(of, i)
		}
	}
	if len(of) < 2 {
		return nil, nil
	}
	s := runs[of[0]].setup
	for j := range s.joints {
		var some []int
		for _, i := range of {
			if runs[i].fits[j] != nil {
				some = append(some, i)
			}
		}
		if len(some) < 2 {
			continue
		}
		b := newRunsFit(j, some, runs)
		for range some[1:] {
			f, r, ok := b.next(s)
			if !ok {
				break
			}
			found, run = append(found, f), append(run, r)
		}
	}
	return found, run
}

// runsFit is one joint's own fit over several runs.
type runsFit struct {
	joint int
	runs  []int // numbers of the runs, whose fits and rows follow
	fits  []*trialfit.Joint
	rows  []*trialfit.Rows
	count int // of rows that count
	basis projection.Basis
	y     []float64
	rest  []float64
	found map[int]bool // runs that differ, by index
}

// newRunsFit fits joint j over the runs of the given numbers, which all have a fit of it.
func newRunsFit(j int, numbers []int, runs []*Examination) *runsFit {
	b := &runsFit{joint: j, runs: numbers, found: map[int]bool{}}
	for _, i := range numbers {
		b.fits = append(b.fits, runs[i].fits[j])
		b.rows = append(b.rows, runs[i].rows)
		b.count += runs[i].fits[j].Rows
	}
	b.y = b.stack(func(k int) []float64 { return b.fits[k].Y })
	b.basis = projection.Basis{Rows: len(b.y)}
	for c := range b.fits[0].Cols {
		b.basis.Offer(b.stack(func(k int) []float64 { return b.rows[k].W[j][c] }))
	}
	b.rest = b.basis.Residual(b.y)
	return b
}

// stack puts a column of every run below each other; nil stands for zeros.
func (b *runsFit) stack(column func(k int) []float64) []float64 {
	var out []float64
	for k, o := range b.fits {
		c := column(k)
		if c == nil {
			c = make([]float64, len(o.Lost))
		} else {
			c = o.Masked(c)
		}
		out = append(out, c...)
	}
	return out
}

// next finds the run that differs most, if one does.
func (b *runsFit) next(s *setup) (Finding, int, bool) {
	j := s.joints[b.joint]
	size := projection.Norm(b.y) / math.Sqrt(float64(b.count))
	best, at, kind := trialfit.Gain{}, -1, 0
	var column []float64
	// The later run first: of two equally good explanations it is the one.
	for k := len(b.runs) - 1; k >= 0; k-- {
		if b.found[k] {
			continue
		}
		for change := range 2 { // an offset, a friction
			c := b.stack(func(i int) []float64 {
				if i != k {
					return nil
				}
				if change == 1 {
					return b.rows[i].FSign[b.joint]
				}
				ones := make([]float64, len(b.fits[i].Lost))
				for r := range ones {
					ones[r] = 1
				}
				return ones
			})
			g, ok := trialfit.Added(&b.basis, b.rest, b.count, projection.Inflation(b.rest), c)
			if !ok || g.Share < driftShare || g.Sure < togetherSure || g.Effect < betweenEffect*size || at >= 0 && g.Score <= best.Score*1.01 {
				continue
			}
			best, at, kind, column = g, k, change, c
		}
	}
	if at < 0 {
		return Finding{}, 0, false
	}
	b.found[at] = true
	b.basis.Offer(column)
	b.rest = b.basis.Residual(b.y)
	f := s.about(Drift, Warning, j.effort)
	f.Value, f.Limit, f.Where = best.Coef[0], 8*best.SD, "the whole log"
	unit := s.unitOf(j.effort)
	if j.effort.role == current && j.gain != 0 {
		unit = pick(s.isRevolute(b.joint), "N·m", "N")
	}
	if kind == 0 {
		f.Why = fmt.Sprintf("the offset of joint %s's torque is %.3g %s ± %.2g from that of the other runs: a sensor that was zeroed in between, or that drifts", j.name, best.Coef[0], unit, 2*best.SD)
		f.Fix = "zero the sensor alike before every run; or fit the runs apart"
	} else {
		f.Why = fmt.Sprintf("the friction of joint %s is %.3g %s ± %.2g from that of the other runs: the drive was warmer, colder or freshly greased", j.name, best.Coef[0], unit, 2*best.SD)
		f.Fix = "log all runs with the drives at one temperature; or fit the runs apart"
	}
	return f, b.runs[at], true
}

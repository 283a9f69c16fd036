package doctor

import (
	"fmt"
	"math"
)

// betweenEffect is the part of a torque's RMS that a change between runs must make to be a finding.
const betweenEffect = 0.02

// Between looks for what changed from run to run of one robot: the offset of a torque, and friction. The
// examinations must be of one robot under the same options; those whose torques could not be fitted are
// passed over. Findings name the run by its number, in run, counted from 0; there are none of a single run.
//
// A joint's own fit is made of the rows of all runs together, and each run in turn is granted an offset and
// a Coulomb friction of its own, as columns beside the model's. Which run of two has changed nobody can
// tell: it is said of the later.
func Between(runs []*Examination) (found []Finding, run []int) {
	var of []int
	for i, e := range runs {
		if e.patient.trial != nil && e.patient.owns != nil {
			of = append(of, i)
		}
	}
	if len(of) < 2 {
		return nil, nil
	}
	p := runs[of[0]].patient
	for j := range p.joints {
		b := between{joint: j}
		for _, i := range of {
			if o := runs[i].patient.owns[j]; o != nil {
				b.runs = append(b.runs, i)
				b.owns = append(b.owns, o)
				b.trials = append(b.trials, runs[i].patient.trial)
			}
		}
		if len(b.runs) < 2 {
			continue
		}
		b.fit()
		for range b.runs[1:] {
			f, r, ok := b.next(p)
			if !ok {
				break
			}
			found, run = append(found, f), append(run, r)
		}
	}
	return found, run
}

// between is one joint's own fit over several runs.
type between struct {
	joint  int
	runs   []int
	owns   []*own
	trials []*trial
	basis  basis
	y      []float64
	rest   []float64
	rows   int
	told   map[int]bool
}

// stack puts a column of every run below each other; nil stands for zeros.
func (b *between) stack(column func(k int) []float64) []float64 {
	var out []float64
	for k, o := range b.owns {
		c := column(k)
		if c == nil {
			c = make([]float64, len(o.lost))
		} else {
			c = o.masked(c)
		}
		out = append(out, c...)
	}
	return out
}

func (b *between) fit() {
	b.told = map[int]bool{}
	b.y = b.stack(func(k int) []float64 { return b.owns[k].y })
	b.basis = basis{rows: len(b.y)}
	for c := range b.owns[0].cols {
		b.basis.offer(b.stack(func(k int) []float64 { return b.trials[k].w[b.joint][c] }))
	}
	for _, o := range b.owns {
		b.rows += o.rows
	}
	b.rest = b.basis.residual(b.y)
}

// next finds the run that differs most, if one does.
func (b *between) next(p *patient) (Finding, int, bool) {
	j := p.joints[b.joint]
	size := norm(b.y) / math.Sqrt(float64(b.rows))
	best, at, kind := gain{}, -1, 0
	var column []float64
	// The later run first: of two equally good explanations it is the one.
	for k := len(b.runs) - 1; k >= 0; k-- {
		if b.told[k] {
			continue
		}
		for what := range 2 {
			c := b.stack(func(i int) []float64 {
				if i != k {
					return nil
				}
				if what == 1 {
					return b.trials[i].fsgn[b.joint]
				}
				ones := make([]float64, len(b.owns[i].lost))
				for r := range ones {
					ones[r] = 1
				}
				return ones
			})
			g, ok := added(&b.basis, b.rest, b.rows, inflation(b.rest), c)
			if !ok || g.share < driftShare || g.sure < togetherSure || g.effect < betweenEffect*size || at >= 0 && g.score <= best.score*1.01 {
				continue
			}
			best, at, kind, column = g, k, what, c
		}
	}
	if at < 0 {
		return Finding{}, 0, false
	}
	b.told[at] = true
	b.basis.offer(column)
	b.rest = b.basis.residual(b.y)
	f := p.about(Drift, Warning, j.effort)
	f.Value, f.Limit, f.Where = best.coef[0], 8*best.sd, "the whole log"
	unit := p.unitOf(j.effort)
	if j.effort.role == current && j.gain != 0 {
		unit = pick(p.turns(b.joint), "N·m", "N")
	}
	if kind == 0 {
		f.Why = fmt.Sprintf("the offset of joint %s's torque is %.3g %s ± %.2g from that of the other runs: a sensor that was zeroed in between, or that drifts", j.name, best.coef[0], unit, 2*best.sd)
		f.Fix = "zero the sensor alike before every run; or fit the runs apart"
	} else {
		f.Why = fmt.Sprintf("the friction of joint %s is %.3g %s ± %.2g from that of the other runs: the drive was warmer, colder or freshly greased", j.name, best.coef[0], unit, 2*best.sd)
		f.Fix = "log all runs with the drives at one temperature; or fit the runs apart"
	}
	return f, b.runs[at], true
}

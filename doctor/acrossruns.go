package doctor

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
	"ident/observation"
)

// betweenEffect is the part of a torque's RMS that a change between runs must make to be a finding.
const betweenEffect = 0.02

// runEquation is one joint's own equation in one run, at rows spread over the run. Rows in which the joint stands or
// creeps are set to zero.
type runEquation struct {
	cols  [][]float64 // of the model
	y     []float64   // torque, N·m or N
	sign  []float64   // of the velocity, filtered
	ones  []float64
	load  *observation.Load // that the run carries
	body  [][]float64       // torques of its parameters
	loads []linkLoad        // what a body on each link does, by coefficients of cols
	zeros [][]float64       // by joint: the derivative of the torque by a zero of its positions, nil where there is none
	count int               // rows that are not zero
}

// runEquations thins the rows of the joints' fits to at most most rows; 0 keeps all, a negative number none.
func (rec *recording) runEquations(t *trialfit.Stacked, fits []*trialfit.Joint, most int) []*runEquation {
	if t == nil || most < 0 {
		return nil
	}
	tr := t.Equations
	var zeros [][][]float64 // by joint whose zero it is
	var carried []linkBody
	if len(fits) <= trialfit.ManyJoints && !rec.unknownGains() { // currents of several joints have no unit in common
		zeros, carried = rec.zeroTorques(t), rec.linkBodies()
	}
	var bodies [loadParameters][][]float64
	if rec.carries != nil {
		bodies = rec.loadColumns(tr, rec.carries.Link)
	}
	out := make([]*runEquation, len(fits))
	for j, f := range fits {
		if f == nil {
			continue
		}
		n, every := len(f.Lost), 1
		if most > 0 {
			every = max(1, (n+most-1)/most)
		}
		take := func(x func(row int) float64) []float64 {
			kept := make([]float64, 0, (n+every-1)/every)
			for row := 0; row < n; row += every {
				v := 0.0
				if !f.Lost[row] {
					v = x(row)
				}
				kept = append(kept, v)
			}
			return kept
		}
		of := func(x []float64) []float64 { return take(func(row int) float64 { return x[row] }) }
		e := &runEquation{y: of(f.Y), sign: of(tr.FSign[j]), ones: take(func(int) float64 { return 1 })}
		for i := range carried {
			e.loads = append(e.loads, carried[i].on(tr.Model.Mask(j)))
		}
		for _, by := range zeros {
			if by == nil {
				e.zeros = append(e.zeros, nil)
			} else {
				e.zeros = append(e.zeros, of(by[j]))
			}
		}
		for _, c := range tr.W[j] {
			e.cols = append(e.cols, of(c))
		}
		if e.load = rec.carries; e.load != nil {
			for _, b := range bodies {
				if b != nil {
					e.body = append(e.body, of(b[j]))
				}
			}
		}
		for _, v := range e.ones {
			e.count += int(v)
		}
		out[j] = e
	}
	return out
}

// Between looks for changes between runs of one robot: of what its links carry, of the zero of a joint, of a torque's offset, and of friction.
// Runs that do not fit together for none of these reasons are told so. The examinations must be of one robot under the same options; those
// without fitted torques are skipped. run[i] is the run of found[i], counted from 0. A single run gives no findings.
//
// Each joint is fitted to the rows of all runs together, with the loads that runs carry as bodies of their own; then each run in turn gets
// additional columns of its own. Of two runs either may have changed: the later one is named. Once ctx is done the rest is skipped.
func Between(ctx context.Context, runs []*Examination) (found []Finding, run []int) {
	if len(runs) < 2 {
		return nil, nil
	}
	s := runs[0].setup
	var fits []*runsFit
	each := func() {
		for _, b := range fits {
			for range b.runs[1:] {
				f, r, ok := b.next(ctx, s)
				if !ok || ctx.Err() != nil {
					break
				}
				found, run = append(found, f), append(run, r)
			}
		}
		fits = nil
	}
	for j := range s.joints {
		var some []int
		for i, e := range runs {
			if e.torques != nil && e.torques[j] != nil {
				some = append(some, i)
			}
		}
		if len(some) < 2 {
			continue
		}
		fits = append(fits, newRunsFit(ctx, j, some, runs))
		if len(s.joints) > trialfit.ManyJoints { // the fits of all joints together would need too much memory
			each()
		}
	}
	for range runs[1:] {
		f, r, ok := newTogetherRuns(fits).change(ctx, s, len(runs))
		if !ok {
			break
		}
		if !slices.ContainsFunc(runs[r].Findings, func(own Finding) bool { return own.Severity != Info && own.ID == f.ID && own.Joint == f.Joint }) {
			found, run = append(found, f), append(run, r)
		}
	}
	together := fits // which each gives up
	each()
	if f, r, ok := apart(s, together); ok && ctx.Err() == nil {
		found, run = append(found, f), append(run, r)
	}
	return found, run
}

// runsFit is one joint's own fit over several runs.
type runsFit struct {
	joint int
	runs  []int          // numbers of the runs
	of    []*runEquation // theirs
	first []int          // their rows in the stack: first[k] to first[k+1]-1
	count int            // of rows that count
	basis projection.Basis
	y     []float64
	rest  []float64
	found map[int]bool // runs that differ, by index
}

// newRunsFit fits joint j over the runs of the given numbers, each of which must have an equation of the joint.
func newRunsFit(ctx context.Context, j int, numbers []int, runs []*Examination) *runsFit {
	b := &runsFit{joint: j, runs: numbers, first: []int{0}, found: map[int]bool{}}
	for _, i := range numbers {
		e := runs[i].torques[j]
		b.of = append(b.of, e)
		b.count += e.count
		b.y = append(b.y, e.y...)
		b.first = append(b.first, len(b.y))
	}
	b.basis = projection.Basis{Rows: len(b.y)}
	var columns [][]float64
	for c := range b.of[0].cols {
		column := make([]float64, 0, len(b.y))
		for _, e := range b.of {
			column = append(column, e.cols[c]...)
		}
		if columns = append(columns, column); len(columns) == projection.Panel || c == len(b.of[0].cols)-1 {
			b.basis.Offer(columns...)
			columns = columns[:0]
		}
		if ctx.Err() != nil {
			break
		}
	}
	b.offerLoads()
	b.rest = b.basis.Residual(b.y)
	return b
}

// offerLoads adds the bodies that some of the runs carry, each with parameters of its own, to the columns of the fit. Of runs
// that all carry the same load the columns are the link's, which the fit has.
func (b *runsFit) offerLoads() {
	var loads []observation.Load
	for _, e := range b.of {
		if e.load != nil && !slices.Contains(loads, *e.load) {
			loads = append(loads, *e.load)
		}
	}
	for _, load := range loads {
		var columns [][]float64
		for k, e := range b.of {
			if e.load == nil || *e.load != load {
				continue
			}
			for p, body := range e.body {
				if p == len(columns) {
					columns = append(columns, make([]float64, len(b.y)))
				}
				copy(columns[p][b.first[k]:], body)
			}
		}
		b.basis.Offer(columns...)
	}
}

// explains returns the part of the residual sum of squares that a column explains, by the rows of run k alone. The
// residual is orthogonal to the fit's basis.
func (b *runsFit) explains(k int, column []float64) float64 {
	from, to := b.first[k], b.first[k+1]
	size := projection.Dot(column, column)
	left := size - b.basis.Part(from, column)
	if left < 1e-7*size { // in the fit already
		return 0
	}
	d := projection.Dot(b.rest[from:to], column)
	return d * d / left / projection.Dot(b.rest, b.rest)
}

// runChange is a change between runs: of the offset or of the friction in one of them.
type runChange struct {
	gain     trialfit.Gain
	run      int // index of the run, -1 for no change
	friction bool
	column   []float64
}

// change returns the largest change of a run that was not found before.
func (b *runsFit) change(ctx context.Context) runChange {
	size := projection.Norm(b.y) / math.Sqrt(float64(b.count))
	inflation := projection.Inflation(b.rest)
	best := runChange{run: -1}
	// Start with the later run: of two equally good explanations it wins.
	for k := len(b.runs) - 1; k >= 0 && ctx.Err() == nil; k-- {
		if b.found[k] {
			continue
		}
		for kind, own := range [][]float64{b.of[k].ones, b.of[k].sign} { // an offset, a friction
			if b.explains(k, own) < 0.999*driftShare { // which costs little; Added decides
				continue
			}
			c := make([]float64, len(b.y))
			copy(c[b.first[k]:], own)
			g, ok := trialfit.Added(&b.basis, b.rest, b.count, inflation, c)
			if !ok || g.Share < driftShare || g.Sure < togetherSure || g.Effect < betweenEffect*size || best.run >= 0 && g.Score <= best.gain.Score*1.01 {
				continue
			}
			best = runChange{g, k, kind == 1, c}
		}
	}
	return best
}

// next returns the run that differs most from the others. The last result is false if none does.
func (b *runsFit) next(ctx context.Context, s *setup) (Finding, int, bool) {
	change := b.change(ctx)
	if change.run < 0 {
		return Finding{}, 0, false
	}
	j, best, at := s.joints[b.joint], change.gain, change.run
	b.found[at] = true
	b.basis.Offer(change.column)
	b.rest = b.basis.Residual(b.y)
	f := s.about(Drift, Warning, j.effort)
	f.Value, f.Limit, f.Where = best.Coef[0], 8*best.SD, "the whole log"
	unit := s.unitOf(j.effort)
	if j.effort.role == current && j.gain != 0 {
		unit = pick(s.isRevolute(b.joint), "N·m", "N")
	}
	if !change.friction {
		f.Why = fmt.Sprintf("the offset of joint %s's torque is %.3g %s ± %.2g from that of the other runs: a sensor that was zeroed in between, or that drifts", j.name, best.Coef[0], unit, 2*best.SD)
		f.Hint = "zero the sensor in the same way before every run; or fit the runs separately"
	} else {
		f.Why = fmt.Sprintf("the friction of joint %s is %.3g %s ± %.2g from that of the other runs: the drive was warmer, colder or freshly greased", j.name, best.Coef[0], unit, 2*best.SD)
		f.Hint = "log all runs with the drives at one temperature; or fit the runs separately"
	}
	return f, b.runs[at], true
}

// apartRatio is how much more a joint must leave of its torque in all runs together than in each by itself for the runs to be told apart: a fault
// counts as harmful from 1.5 times the error on. No measured KUKA or UR10e log beside others reaches it.
const apartRatio = 1.5

// apart tells that the runs are not of one robot as the model has it: what a joint leaves of its torque in all runs together is much more than in each
// by itself, and no change that was looked for explains it. It names the joint and the run where that shows most.
func apart(s *setup, fits []*runsFit) (f Finding, run int, ok bool) {
	most := apartRatio
	for _, b := range fits {
		size := projection.Norm(b.y) / math.Sqrt(float64(b.count))
		together, alone, ranks := projection.Dot(b.rest, b.rest), 0.0, 0
		at, worst := -1, 0.0
		var left []float64
		for k := len(b.of) - 1; k >= 0; k-- {
			own := projection.Basis{Rows: len(b.of[k].y)}
			own.Offer(b.of[k].cols...)
			rest := own.Residual(b.of[k].y)
			a, t := projection.Dot(rest, rest), projection.Dot(b.rest[b.first[k]:b.first[k+1]], b.rest[b.first[k]:b.first[k+1]])
			if t-a > 1.01*worst {
				at, worst = k, t-a
			}
			alone, ranks, left = alone+a, ranks+own.Rank(), append(left, rest...)
		}
		n := float64(b.count)
		extra, free := float64(ranks-b.basis.Rank()), n-float64(ranks)
		if at < 0 || extra < 1 || n < 3*float64(ranks) || alone <= 0 {
			continue
		}
		noise := alone / free
		ratio := math.Sqrt(together / (n - float64(b.basis.Rank())) / noise)
		sure := math.Sqrt((together - alone) / extra / (noise * math.Max(projection.Inflation(left), 1)))
		if ratio < most || sure < togetherSure || math.Sqrt((together-alone)/n) < betweenEffect*size {
			continue
		}
		most, run, ok = ratio, b.runs[at], true
		j := s.joints[b.joint]
		f = s.about(Unexplained, Warning, j.effort)
		f.Value, f.Limit, f.Where = ratio, apartRatio, "the whole log"
		f.Why = fmt.Sprintf("one fit of all runs leaves %.2g %% of the torque of joint %s unexplained, a fit of each run alone %.2g %%: the robot or its sensors changed in between", 100*math.Sqrt(together/n)/size, j.name, 100*math.Sqrt(alone/n)/size)
		f.Hint = "fit the runs separately and compare the results; find what was changed between them"
	}
	return f, run, ok
}

// toMend says whether a finding of a log is one of these, of its torques, still is a warning and has a repair.
func (f findings) toMend(x Finding) bool {
	return x.Severity != Info && !x.Repair.IsZero() && slices.ContainsFunc(f, func(own Finding) bool { return own.ID == x.ID && own.Channel == x.Channel })
}

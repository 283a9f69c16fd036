package doctor

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
	"ident/regressor"
	"ident/robot"
)

// linkLoad is what a body on one link does to a joint's equation: by its parameters, the mass first, the multiples of the joint's own columns
// that make its torque. An entry is nil where it has none.
type linkLoad struct {
	link   int
	weighs bool // whether its mass differs from its moments and inertia
	by     [loadParameters][]multiple
}

// multiple is a multiple of a column.
type multiple struct {
	column int
	by     float64
}

// linkBody is a body on one link: what each of its parameters, the mass first, is in base parameters.
type linkBody struct {
	link   int
	weighs bool
	base   [loadParameters][]float64
}

// linkBodies returns bodies on the links that joints move, from the last link inwards.
func (rec *recording) linkBodies() (out []linkBody) {
	columns, set := rec.models.Full().Columns(), rec.models.Set()
	params := []int{robot.M, robot.MX, robot.MY, robot.MZ, robot.XX, robot.XY, robot.XZ, robot.YY, robot.YZ, robot.ZZ}
	for _, joint := range slices.Backward(rec.joints) {
		of := linkBody{link: joint.link}
		others := projection.Basis{Rows: set.Count()}
		for c, col := range columns {
			p := slices.Index(params, col.Param)
			if col.Term != regressor.Links || col.Link != joint.link || p < 0 {
				continue
			}
			x := make([]float64, len(columns))
			x[c] = 1
			if of.base[p] = set.FromStandard(x); p > 0 {
				others.Offer(of.base[p])
			}
		}
		mass := of.base[0]
		of.weighs = mass != nil && projection.Norm(others.Residual(mass)) > projection.Dependent*projection.Norm(mass)
		out = append(out, of)
	}
	return out
}

// on returns what the body does to the equation of a joint whose columns have the given base parameters.
func (of *linkBody) on(mask []int) linkLoad {
	l := linkLoad{link: of.link, weighs: of.weighs}
	for p, base := range of.base {
		if base == nil {
			continue
		}
		for i, b := range mask {
			if base[b] != 0 {
				l.by[p] = append(l.by[p], multiple{i, base[b]})
			}
		}
	}
	return l
}

// togetherRuns is the fit of all joints over several runs, as one: each joint's rows in units of what its own fit leaves.
type togetherRuns struct {
	fits []*runsFit
	unit []float64
	rest []float64
}

func newTogetherRuns(fits []*runsFit) *togetherRuns {
	t := &togetherRuns{fits: fits}
	for _, b := range fits {
		u := projection.Norm(b.rest) / math.Sqrt(float64(b.count))
		if !(u > 0) {
			u = math.Inf(1)
		}
		t.unit = append(t.unit, u)
		for _, v := range b.rest {
			t.rest = append(t.rest, v/u)
		}
	}
	return t
}

// Rank returns the number of columns of all joints' fits.
func (t *togetherRuns) Rank() (n int) {
	for _, b := range t.fits {
		n += b.basis.Rank()
	}
	return n
}

// Residuals returns what the fits leave of columns of all joints.
func (t *togetherRuns) Residuals(y ...[]float64) (out [][]float64) {
	for range y {
		out = append(out, make([]float64, 0, len(t.rest)))
	}
	at := 0
	for _, b := range t.fits {
		var parts [][]float64
		for _, c := range y {
			parts = append(parts, c[at:at+len(b.y)])
		}
		for i, r := range b.basis.Residuals(parts...) {
			out[i] = append(out[i], r...)
		}
		at += len(b.y)
	}
	return out
}

// rows returns a column of all joints that is zero but in run k, where it is what own returns for a joint's equation of that run.
func (t *togetherRuns) rows(k int, own func(i int, e *runEquation) []float64) []float64 {
	out := make([]float64, len(t.rest))
	at := 0
	for i, b := range t.fits {
		if n := slices.Index(b.runs, k); n >= 0 {
			for r, v := range own(i, b.of[n]) {
				out[at+b.first[n]+r] = v / t.unit[i]
			}
		}
		at += len(b.y)
	}
	return out
}

// alikeNats: a link is preferred to one farther out if the body on it explains the torques better by that much, as a cause has to beside its rivals.
const alikeNats = 25

// runCandidate is a change of one run that all joints feel.
type runCandidate struct {
	gain    trialfit.Gain
	run     int
	link    int   // that carries a body, -1 for none
	weighs  bool  // whether the torques say how much the body has
	others  []int // up to two links on which a body explains as much
	joint   int   // whose zero is another, -1 for none
	scaled  bool  // the torques of the run have another scale: those of all joints, or of the fit of one
	fit     int   // of that joint, -1 for all
	factor  float64
	columns [][]float64
}

// scaleLeastOfRuns is the least factor between the torques of runs that is told, beside one: gains of drives are known no better.
const scaleLeastOfRuns = 0.03

// change looks for the run that carries a body which the others do not, in which a joint has another zero, or whose torques have another scale.
// That must explain the joints together better than an offset of each joint's own, or friction of its own, in any run. Of links on which a body
// explains the torques about as well the outermost is named. The columns of the change are then in the fits.
func (t *togetherRuns) change(ctx context.Context, s *setup, runs int) (f Finding, run int, ok bool) {
	count, most := 0, 0.0
	for _, b := range t.fits {
		count += b.count
	}
	inflation := projection.Inflation(t.rest)
	var found []runCandidate
	for k := runs - 1; k >= 0; k-- { // of two runs whose zeros differ the later one is named
		if ctx.Err() != nil {
			return f, 0, false
		}
		may := t.candidates(k)
		if len(may) == 0 {
			continue
		}
		for _, of := range []func(e *runEquation) []float64{func(e *runEquation) []float64 { return e.ones }, func(e *runEquation) []float64 { return e.sign }} {
			var each [][]float64
			for j := range t.fits {
				each = append(each, t.rows(k, func(i int, e *runEquation) []float64 {
					if i != j {
						return nil
					}
					return of(e)
				}))
			}
			if g, ok := trialfit.Added(t, t.rest, count, inflation, each...); ok {
				most = max(most, g.Score)
			}
		}
		for _, c := range may {
			g, ok := trialfit.Added(t, t.rest, count, inflation, c.columns...)
			if !ok || g.Share < driftShare || g.Sure < togetherSure {
				continue
			}
			if c.gain = g; c.weighs {
				if c.gain.Coef[0], c.gain.SD = t.first(g, c.columns); c.gain.Coef[0] < -5*c.gain.SD { // the other runs carry it
					continue
				}
				c.weighs = c.gain.Coef[0] > 5*c.gain.SD
			}
			if c.scaled && math.Abs(g.Coef[0]) < max(5*g.SD, scaleLeastOfRuns) {
				continue
			}
			if c.joint < 0 || math.Abs(g.Coef[0]) > max(5*g.SD, offsetLeast) {
				found = append(found, c)
			}
		}
	}
	if len(found) == 0 {
		return f, 0, false
	}
	best := found[0]
	for _, c := range found {
		if c.gain.Score > best.gain.Score && (c.link != best.link || c.joint != best.joint || c.scaled != best.scaled || c.fit != best.fit || c.gain.Score > 1.01*best.gain.Score) {
			best = c
		}
	}
	if best.gain.Score <= most {
		return f, 0, false
	}
	if best.link >= 0 && !best.weighs { // a turn of the last link is another body on it, but for the second order of the angle
		for _, c := range found {
			if c.joint >= 0 && c.run == best.run && c.gain.Share > 0.99*best.gain.Share {
				best = c
				break
			}
		}
	}
	alike := slices.DeleteFunc(found, func(c runCandidate) bool { // from the last link inwards
		return best.link < 0 || c.link < 0 || c.run != best.run || c.gain.Score < best.gain.Score-2*alikeNats
	})
	if len(alike) > 0 {
		best = alike[0]
		for _, c := range alike[1:min(len(alike), 3)] {
			best.others = append(best.others, c.link)
		}
	}
	first := 0
	other, both := 0.0, 0.0 // squares of the torques of the run that the others' parameters make, and their product with the column
	for i, b := range t.fits {
		var own [][]float64
		for _, c := range best.columns {
			x := slices.Clone(c[first : first+len(b.y)])
			for k := range x {
				x[k] *= t.unit[i]
			}
			own = append(own, x)
		}
		first += len(b.y)
		coef := 0.0
		if left := b.basis.Residual(own[0]); best.scaled && projection.Norm(left) > 0 {
			coef = projection.Dot(left, b.rest) / projection.Dot(left, left)
		}
		b.basis.Offer(own...)
		b.rest = b.basis.Residual(b.y)
		if n := slices.Index(b.runs, best.run); best.scaled && n >= 0 {
			for r := b.first[n]; r < b.first[n+1]; r++ {
				x := b.y[r] - b.rest[r] - coef*own[0][r]
				other, both = other+x*x/t.unit[i]/t.unit[i], both+coef*x*own[0][r]/t.unit[i]/t.unit[i]
			}
		}
	}
	if best.factor = 1; other > 0 {
		best.factor += both / other
	}
	return best.finding(s), best.run, true
}

// first returns the coefficient of the first of columns that the others do not explain, and its standard deviation beside them; g is the gain of
// all, whose deviation is that of the first column alone.
func (t *togetherRuns) first(g trialfit.Gain, columns [][]float64) (x, deviation float64) {
	left := t.Residuals(columns...)
	noise := g.SD * projection.Norm(left[0])
	var of projection.Few
	for _, c := range left[1:] {
		of.Offer(c)
	}
	of.Offer(left[0])
	if len(of.Kept) == 0 || of.Kept[len(of.Kept)-1] != len(columns)-1 {
		return 0, math.Inf(1)
	}
	coef, _ := of.Fit(t.rest)
	return coef[len(columns)-1], noise / of.R[len(of.R)-1]
}

// finding tells the change.
func (c *runCandidate) finding(s *setup) Finding {
	g := c.gain
	if c.scaled {
		f, whose := Finding{ID: GearRatio, Severity: Warning}, "all joints"
		if c.fit >= 0 {
			j := s.joints[c.fit]
			f, whose = s.about(GearRatio, Warning, j.effort), "joint "+j.name
		}
		f.Value, f.Limit, f.Where = c.factor, 1+scaleLeastOfRuns, "the whole log"
		f.Why = fmt.Sprintf("the torques of %s are about %.3g times those that the other runs need: another gain, unit or scale of the sensors", whose, c.factor)
		f.Hint = "find which runs have the right scale, and declare the others' with {scale}; or fit the runs separately"
		return f
	}
	if c.joint >= 0 {
		q := s.joints[c.joint].q
		f := s.about(Offset, Warning, q)
		f.Value, f.Limit, f.Where = -g.Coef[0], offsetLeast, "the whole log"
		f.Why = fmt.Sprintf("beside the other runs the torques fit positions of joint %s that are %.4g ± %.2g %s from those logged: its zero changed in between", s.joints[c.joint].name, g.Coef[0], 2*g.SD, s.unitOf(q))
		f.Hint = fmt.Sprintf("add %.4g to %s of this log, or take as much from it in the other runs; or fit the runs separately", g.Coef[0], q.name)
		return f
	}
	link, or := s.robot.Links[c.link].Name, ""
	for _, other := range c.others {
		or += ", or a body on " + s.robot.Links[other].Name
	}
	at := slices.IndexFunc(s.joints, func(j joint) bool { return j.link == c.link })
	f := Finding{ID: Payload, Severity: Warning, Joint: s.joints[at].name, Value: g.Coef[0], Limit: 5 * g.SD, Where: "the whole log"}
	if !c.weighs {
		f.Value, f.Limit = 0, 0
		f.Why = fmt.Sprintf("the torques of all joints fit another body of link %s than in the other runs, whose mass this motion does not show%s: a load that is not declared", link, or)
	} else {
		f.Why = fmt.Sprintf("the torques of all joints fit %.2g kg ± %.1g more on link %s than in the other runs%s: a load that is not declared", g.Coef[0], 2*g.SD, link, or)
	}
	f.Hint = fmt.Sprintf("declare it: payload:%s in {terms}, and {carries} with this log; or fit the runs separately", link)
	return f
}

// candidates returns the changes of run k that may explain driftShare of what the fits leave, none without a fit: bodies on links, from the last
// one inwards, scales of torques, and zeros.
func (t *togetherRuns) candidates(k int) (out []runCandidate) {
	if len(t.fits) == 0 {
		return nil
	}
	offer := func(c runCandidate, of ...func(e *runEquation) []float64) {
		if t.share(k, of) < 0.999*driftShare { // which costs little; Added decides
			return
		}
		for _, one := range of {
			if column := t.rows(k, func(_ int, e *runEquation) []float64 { return one(e) }); projection.Norm(column) > 0 {
				c.columns = append(c.columns, column)
			}
		}
		out = append(out, c)
	}
	for at, l := range t.fits[0].of[0].loads {
		var of []func(e *runEquation) []float64
		for p := range l.by {
			of = append(of, func(e *runEquation) []float64 { return e.unitLoad(at, p) })
		}
		offer(runCandidate{run: k, link: l.link, weighs: l.weighs, joint: -1}, of...)
	}
	scales := runCandidate{run: k, link: -1, joint: -1, scaled: true, fit: -1}
	fit := map[*runEquation]*runsFit{}
	for _, b := range t.fits {
		for _, e := range b.of {
			fit[e] = b
		}
	}
	offer(scales, func(e *runEquation) []float64 { return fit[e].predicted(e) })
	if len(t.fits) > 1 {
		for _, b := range t.fits {
			scales.fit = b.joint
			offer(scales, func(e *runEquation) []float64 {
				if fit[e] != b {
					return nil
				}
				return b.predicted(e)
			})
		}
	}
	for joint := range t.fits[0].of[0].zeros {
		offer(runCandidate{run: k, link: -1, joint: joint}, func(e *runEquation) []float64 { return e.zeros[joint] })
	}
	return out
}

// predicted returns what the fit explains of the torque in one of its runs.
func (b *runsFit) predicted(e *runEquation) []float64 {
	at := b.first[slices.Index(b.of, e)]
	out := slices.Clone(e.y)
	floats.Sub(out, b.rest[at:at+len(out)])
	return out
}

// share returns the part of the squares that columns of run k alone explain of all joints, by the rows of that run. Each of of returns a column by
// a joint's equation of the run, nil for zeros.
func (t *togetherRuns) share(k int, of []func(e *runEquation) []float64) float64 {
	normal := make([][]float64, len(of)) // of what the fits leave of the columns, and what they have to do with the residual
	for p := range normal {
		normal[p] = make([]float64, len(of)+1)
	}
	for i, b := range t.fits {
		n := slices.Index(b.runs, k)
		if n < 0 {
			continue
		}
		from, to, unit := b.first[n], b.first[n+1], t.unit[i]*t.unit[i]
		columns, in := make([][]float64, len(of)), make([][]float64, len(of))
		for p, one := range of {
			if columns[p] = one(b.of[n]); columns[p] == nil {
				continue
			}
			in[p] = b.basis.Coordinates(from, columns[p])
			normal[p][len(of)] += projection.Dot(b.rest[from:to], columns[p]) / unit
			for q := range p + 1 {
				if columns[q] != nil {
					normal[p][q] += (projection.Dot(columns[p], columns[q]) - projection.Dot(in[p], in[q])) / unit
				}
			}
		}
	}
	explained := 0.0
	for p, row := range normal { // Cholesky's factor in place; a column that depends on those before it explains nothing
		left, d := row[p], row[len(of)]
		for q, before := range normal[:p] {
			for r := range q {
				row[q] -= row[r] * before[r]
			}
			if before[q] > 0 {
				row[q] /= before[q]
			} else {
				row[q] = 0
			}
			left -= row[q] * row[q]
			d -= row[q] * before[len(of)]
		}
		if left > 1e-6*row[p] {
			row[p] = math.Sqrt(left)
			row[len(of)] = d / row[p]
			explained += row[len(of)] * row[len(of)]
		} else {
			row[p], row[len(of)] = 0, 0
		}
	}
	return explained / projection.Dot(t.rest, t.rest)
}

// zeroTorques returns, by joint, the derivatives of the torques of all joints by a zero of its positions, at the estimate of all joints together.
func (rec *recording) zeroTorques(t *trialfit.Stacked) [][][]float64 {
	out := make([][][]float64, len(rec.joints))
	for j, joint := range rec.joints {
		if joint.q != nil && !rec.isStill(joint) {
			out[j] = t.Slopes(1e-4, func(h float64) (q, dq, ddq [][]float64) {
				q = slices.Clone(t.Equations.Q)
				q[j] = make([]float64, len(t.Equations.Q[j]))
				for k, v := range t.Equations.Q[j] {
					q[j][k] = v + h
				}
				return q, t.Equations.FDQ, t.Equations.FDDQ
			})
		}
	}
	return out
}

// unitLoad returns the torques of a body on the link of loads[at] with parameter p of one, nil for none.
func (e *runEquation) unitLoad(at, p int) []float64 {
	if e.loads[at].by[p] == nil {
		return nil
	}
	out := make([]float64, len(e.y))
	for _, m := range e.loads[at].by[p] {
		floats.AddScaled(out, m.by, e.cols[m.column])
	}
	return out
}

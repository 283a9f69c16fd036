package outputerror

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/filter"
	"ident/internal/triangle"
	"ident/regressor"
)

// startCutoff, in Hz, is the cut-off of the filtered motion for the start: above the band of an arm's motion, and below
// the frequencies at which noise of differentiated positions dominates.
const startCutoff = 8

// filtered is a run through the filter of the start, at the samples of the log.
type filtered struct {
	c          *clocked
	q, dq, ddq [][]float64
	e, de      [][]float64   // r − y and f·dr − dq
	taken      []int         // samples whose rows are used
	w          [][][]float64 // joint, base parameter, row of taken
	given      [][]float64   // joint, row of taken: torque of the known parameters
	lowPass    filter.SOS
}

// prepare filters the runs.
func (f *fit) prepare() error {
	for _, c := range f.runs {
		rate := 1 / c.run.Interval
		low, err := filter.Butterworth(2, math.Min(startCutoff, rate/5), rate)
		if err != nil {
			return fmt.Errorf("%s: %w", c.run.Name, err)
		}
		n, size := f.joints, c.run.Samples()
		p := &filtered{c: c, lowPass: low, q: table(n, size), dq: table(n, size), ddq: table(n, size), e: table(n, size), de: table(n, size)}
		var work filter.Work
		for k := range n {
			low.ZeroPhase(p.q[k], c.run.Position[k], &work)
			filter.Differentiate4(p.dq[k], p.q[k], c.run.Interval)
			filter.Differentiate4(p.ddq[k], p.dq[k], c.run.Interval)
			for i := range size {
				p.e[k][i] = c.run.Command[k][i] - c.run.Position[k][i]
			}
			low.ZeroPhase(p.e[k], p.e[k], &work)
			for i := range size {
				p.de[k][i] = f.law.Forward*c.rate[k][i] - p.dq[k][i]
			}
			c.q, c.dq = append(c.q, p.q[k][0]), append(c.dq, p.dq[k][0])
		}
		every := max(1, int(rate/(4*startCutoff)))
		for i := c.first; i < c.last; i += every {
			p.taken = append(p.taken, i)
		}
		p.regress(f)
		f.filtered = append(f.filtered, p)
	}
	return nil
}

// regress evaluates the columns of the base parameters at the selected rows. They are filtered once more, because the
// law's torque is filtered twice by then, like the motion.
func (p *filtered) regress(f *fit) {
	size := p.c.run.Samples()
	block, ws := f.subject.Model.NewBlock(size), f.subject.Model.NewWorkspace()
	f.subject.Model.Eval(block, p.q, p.dq, p.ddq, ws)
	var work filter.Work
	for k := range f.joints {
		cols := table(len(f.subject.Model.Columns()), len(p.taken))
		for at, column := range f.subject.Model.Mask(k) {
			p.lowPass.ZeroPhase(block.Joint[k][at], block.Joint[k][at], &work)
			for i, t := range p.taken {
				cols[column][i] = block.Joint[k][at][t]
			}
		}
		p.w = append(p.w, cols)
	}
	p.given = table(f.joints, len(p.taken))
	known := f.subject.Known
	if known == nil {
		return
	}
	block, ws = known.NewBlock(size), known.NewWorkspace()
	known.Eval(block, p.q, p.dq, p.ddq, ws)
	for k := range f.joints {
		torque := make([]float64, size)
		for at, column := range known.Mask(k) {
			axpy(torque, f.subject.Given[column], block.Joint[k][at])
		}
		p.lowPass.ZeroPhase(torque, torque, &work)
		for i, t := range p.taken {
			p.given[k][i] = torque[t]
		}
	}
}

// lagged returns the law's errors of joint k at the selected rows, delay seconds and half a period late: a held command
// acts half a period later on average.
func (p *filtered) lagged(f *fit, k int, delay float64) (e, de []float64) {
	shift := (delay + f.law.Period/2) / p.c.run.Interval
	size := p.c.run.Samples()
	for _, t := range p.taken {
		at := max(float64(t)-shift, 0)
		i := min(int(at), size-2)
		part := at - float64(i)
		e = append(e, p.e[k][i]+part*(p.e[k][i+1]-p.e[k][i]))
		de = append(de, p.de[k][i]+part*(p.de[k][i+1]-p.de[k][i]))
	}
	return e, de
}

// jointRows are the rows of one joint of one run.
type jointRows struct {
	joint    int
	w        [][]float64 // of the base parameters
	signals  [][]float64 // of the gains: P·e + D·de, nil for other joints' gains
	known    []float64   // torque of the known gains, less that of the known parameters
	given    []float64   // torque of the known parameters
	residual []float64
	limited  []bool // rows at or near the drive's limit, of which the law says nothing; nil without one
}

// nearLimit is the part of a drive's limit from which the filtered law's torque may be that of a drive at its limit, and beside
// the number of rows on either side that the filter mixes with those.
const nearLimit, beside = 0.9, 2

// limit marks the rows at the drive's limit, for values of the unknown gains.
func (r *jointRows) limit(most float64, v []float64) {
	if !(most > 0) {
		return
	}
	r.limited = make([]bool, len(r.known))
	for i, u := range r.known {
		u += r.given[i]
		for at, s := range r.signals {
			if s != nil {
				u += v[at] * s[i]
			}
		}
		if math.Abs(u) > nearLimit*most {
			for k := max(0, i-beside); k <= min(i+beside, len(r.limited)-1); k++ {
				r.limited[k] = true
			}
		}
	}
}

// within reports whether row i is of a drive within its limit.
func (r *jointRows) within(i int) bool { return r.limited == nil || !r.limited[i] }

// startIterations bounds the iteration of the start, each a least-squares problem.
const startIterations = 30

// linear solves the relation between motion and errors of the law for a delay. A joint whose gain v is unknown has
// its errors, not its torques, as right-hand side:
//
//	(Y·x − others)/v = s
//
// linearised in v: a homogeneous row would be fitted best by x = 0, v = 0 wherever it has noise. It also returns the
// logarithm of the likelihood's inverse, up to a constant.
func (f *fit) linear(delay float64, gains []float64) (parameters, float64, error) {
	base, g := len(f.subject.Model.Columns()), len(f.law.Gains)
	size := base + g
	var rows []*jointRows
	for _, p := range f.filtered {
		for k := range f.joints {
			e, de := p.lagged(f, k, delay)
			r := &jointRows{joint: k, w: p.w[k], given: p.given[k], signals: make([][]float64, g), known: make([]float64, len(e)), residual: make([]float64, len(e))}
			for i := range e {
				r.known[i] = f.law.P[k]*e[i] + f.law.D[k]*de[i] - p.given[k][i]
			}
			for at, gain := range f.law.Gains {
				if gain.Joint != k {
					continue
				}
				r.signals[at] = make([]float64, len(e))
				for i := range e {
					r.signals[at][i] = gain.P*e[i] + gain.D*de[i]
				}
			}
			rows = append(rows, r)
		}
	}
	scaling := f.law.scaling()
	v := append([]float64(nil), gains...)
	sigma := make([]float64, f.joints)
	for k := range sigma {
		sigma[k] = 1
	}
	var x []float64
	last := math.Inf(1)
	var work triangle.Work
	for it := range startIterations {
		solution, sums, rank := make([]float64, size), make([]*triangle.Factor, len(f.parts)), 0
		for i, l := range f.parts {
			sums[i] = triangle.New(l.before(size))
			for _, r := range rows {
				if !slices.Contains(l.joints, r.joint) {
					continue
				}
				if f.law.Limit != nil && it < startIterations/3 { // then the rows stay, and the iteration comes to rest
					r.limit(f.law.Limit[r.joint], v)
				}
				f.addStart(sums[i], l, r, scaling[r.joint], x, v, sigma[r.joint], &work)
			}
			of, n, err := scaledSolution(sums[i])
			if err != nil {
				return parameters{}, 0, err
			}
			rank += n
			for c, value := range of {
				solution[l.columns[c]] = value
			}
		}
		if rank == 0 {
			return parameters{}, 0, fmt.Errorf("the linear start cannot be computed, because the control law determines the torque of no row; check its gains and limits")
		}
		x = solution[:base]
		for i, gain := range f.law.Gains {
			switch {
			case scaling[gain.Joint] != i:
				v[i] = solution[base+i]
			case it > 0:
				// The solution holds the gain's change, kept within a factor of two.
				v[i] *= min(max(1+solution[base+i], 0.5), 2)
			}
		}
		if p := (parameters{x: x, gains: v, delay: delay}); f.cone.outside(x, f.least(p)) != nil {
			x = f.enter(p, sums)
		}
		measure := f.startResiduals(rows, scaling, x, v, sigma)
		if math.Abs(measure-last) < 1e-6*math.Abs(measure) && it > 3 {
			last = measure
			break
		}
		last = measure
	}
	return parameters{x: x, gains: v, bias: make([]float64, f.joints), delay: delay}, last, nil
}

// enter returns the linear estimate of factors by limb nearest to p.x that is inside the cone, for the same gains; p.x itself if the robot
// file's values are not inside.
func (f *fit) enter(p parameters, sums []*triangle.Factor) []float64 {
	base := len(p.x)
	scale, info := slices.Repeat([]float64{1}, base), mat.NewSymDense(base, nil)
	for i := range base {
		info.SetSym(i, i, 1)
	}
	for part, l := range f.parts {
		sum, count := sums[part], l.before(base)
		for j, c := range l.columns[:count] {
			norm := 0.0
			for i := range j + 1 {
				norm = math.Hypot(norm, sum.R[i*sum.N+j])
			}
			if norm > 0 {
				scale[c] = 1 / norm
			}
		}
		for i, a := range l.columns[:count] {
			for j, b := range l.columns[i:count] {
				v := 0.0
				for k := range i + 1 {
					v += sum.R[k*sum.N+i] * sum.R[k*sum.N+i+j]
				}
				info.SetSym(a, b, v*scale[a]*scale[b])
			}
		}
	}
	from := p.clone()
	from.x = f.subject.file()
	target := make([]float64, base)
	for i := range target {
		target[i] = (p.x[i] - from.x[i]) / scale[i]
	}
	d, ok := f.cone.inside(f, from, target, scale, info)
	if !ok {
		return p.x
	}
	for i := range d {
		from.x[i] += scale[i] * d[i]
	}
	return from.x
}

// addStart adds the rows of a joint to the factor of its limb; x is nil before the first solution.
func (f *fit) addStart(sum *triangle.Factor, l *limb, r *jointRows, scale int, x, v []float64, sigma float64, work *triangle.Work) {
	base, rows := len(r.w), len(r.known)
	cols := table(sum.N+1, rows)
	weight := 1 / sigma
	if scale >= 0 {
		weight /= v[scale]
	}
	for c, at := range l.columns[:l.before(base)] {
		for i, s := range r.w[at] {
			cols[c][i] = weight * s
		}
	}
	y := cols[sum.N]
	for i, s := range r.known {
		y[i] = weight * s
	}
	for at, s := range r.signals {
		switch {
		case s == nil:
		case at != scale:
			for i := range s {
				cols[l.at[base+at]][i] = -weight * s[i]
			}
		default:
			for i := range s {
				y[i] += weight * v[at] * s[i]
				if x != nil {
					// The relative change of the gain: the torque that it divides.
					cols[l.at[base+at]][i] = -weight * (v[at]*s[i] + r.residual[i])
				}
			}
		}
	}
	for i := range rows {
		if !r.within(i) {
			for c := range cols {
				cols[c][i] = 0
			}
		}
	}
	sum.Add(cols[:sum.N], y, work)
}

// startResiduals computes the residuals in torque, and the joints' standard deviations in units of the right-hand
// sides.
func (f *fit) startResiduals(rows []*jointRows, scaling []int, x, v, sigma []float64) float64 {
	squares, counts := make([]float64, f.joints), make([]int, f.joints)
	for _, r := range rows {
		scale := 1.0
		if at := scaling[r.joint]; at >= 0 {
			scale = v[at]
		}
		for i := range r.residual {
			t := -r.known[i]
			for c, w := range r.w {
				t += x[c] * w[i]
			}
			for at, s := range r.signals {
				if s != nil {
					t -= v[at] * s[i]
				}
			}
			r.residual[i] = t
			if r.within(i) {
				squares[r.joint] += t * t / (scale * scale)
				counts[r.joint]++
			}
		}
	}
	measure := 0.0
	for k := range sigma {
		sigma[k] = math.Max(math.Sqrt(squares[k]/float64(max(counts[k], 1))), 1e-12)
		measure += math.Log(sigma[k])
	}
	return measure
}

// viscous returns the viscous friction of each joint by the linear estimate under the law, and under the same law without the velocity
// of the commands; NaN for a joint without the term. Under either law a robot moves alike if its friction differs by the derivative
// gain, so that only their size tells the two laws apart. It returns nil for a law that knows no derivative gain, or that has no such velocity.
func (f *fit) viscous() (under, without []float64) {
	if f.law.Forward == 0 || !slices.ContainsFunc(f.law.D, func(d float64) bool { return d > 0 }) {
		return nil, nil
	}
	of := func(f *fit) []float64 {
		starts, err := f.starts()
		if err != nil {
			return nil
		}
		out := make([]float64, f.joints)
		for k := range out {
			out[k] = math.NaN()
			for _, i := range f.subject.Model.Mask(k) {
				if f.subject.Model.Columns()[i].Term == regressor.Fv {
					out[k] = starts[0].x[i]
				}
			}
		}
		return out
	}
	law := *f.law
	law.Forward = 0
	g := &fit{subject: f.subject, law: &law, joints: f.joints, cone: f.cone, parts: f.parts}
	for _, p := range f.filtered {
		q := *p
		q.de = table(f.joints, p.c.run.Samples())
		for k := range q.de {
			for i, v := range p.dq[k] {
				q.de[k][i] = -v
			}
		}
		g.filtered = append(g.filtered, &q)
	}
	if under, without = of(f), of(g); without == nil {
		return nil, nil
	}
	return under, without
}

// guess returns the gains to begin with: those with which the robot file's torques follow from the law's errors, and
// those of a joint whose gain is known where that gives no positive ones.
func (f *fit) guess() []float64 {
	own := f.subject.file()
	out := make([]float64, len(f.law.Gains))
	known := 0.0
	for _, p := range f.law.P {
		known = math.Max(known, p)
	}
	for i, at := range f.law.scaling() {
		if at < 0 {
			continue
		}
		rounds := 1
		if f.law.Limit != nil && f.law.Limit[i] > 0 {
			rounds = 5 // rows at the limit draw the gain down; they are told by the gain of the round before
		}
		for round := range rounds {
			top, bottom := 0.0, 0.0
			for _, p := range f.filtered {
				e, de := p.lagged(f, i, f.law.Delay)
				for t := range e {
					torque := p.given[i][t] - f.law.P[i]*e[t] - f.law.D[i]*de[t]
					for c, w := range p.w[i] {
						torque += own[c] * w[t]
					}
					s := f.law.Gains[at].P*e[t] + f.law.Gains[at].D*de[t]
					if round > 0 && math.Abs(out[at]*s) > nearLimit*f.law.Limit[i] {
						continue
					}
					top, bottom = top+torque*s, bottom+s*s
				}
			}
			if v := top / bottom; v > 0 {
				out[at] = v
			} else if round == 0 {
				out[at] = math.Max(known, 1)
			}
		}
	}
	return out
}

// scaledSolution returns the least-squares solution of columns scaled to unit norm, the smallest one where singular
// values are below 1e-7 of the largest, with the number of those that are not.
func scaledSolution(sum *triangle.Factor) ([]float64, int, error) {
	n := sum.N
	if n == 0 {
		return nil, 0, nil
	}
	r := mat.NewDense(n, n, nil)
	scale := make([]float64, n)
	for j := range n {
		for i := range j + 1 {
			scale[j] = math.Hypot(scale[j], sum.R[i*n+j])
		}
		if scale[j] == 0 {
			scale[j] = 1
		}
		for i := range j + 1 {
			r.Set(i, j, sum.R[i*n+j]/scale[j])
		}
	}
	z := mat.NewVecDense(n, append([]float64(nil), sum.Z...))
	var svd mat.SVD
	if !svd.Factorize(r, mat.SVDFull) {
		return nil, 0, fmt.Errorf("the linear start cannot be computed (its rows have no singular values): a channel may be constant or not finite")
	}
	values := svd.Values(nil)
	rank := 0
	for rank < n && values[rank] > 1e-7*values[0] {
		rank++
	}
	out := make([]float64, n)
	if rank == 0 {
		return out, 0, nil
	}
	var x mat.VecDense
	svd.SolveVecTo(&x, z, rank)
	for j := range out {
		out[j] = x.AtVec(j) / scale[j]
	}
	return out, rank, nil
}

// startDelays returns the delays, in seconds, among which the start chooses.
func startDelays(period float64) []float64 {
	out := []float64{0}
	for d := period / 2; d < 0.05; d *= 1.5 {
		out = append(out, d)
	}
	return out
}

// homogeneous reports whether nothing known fixes the scale of the torques.
func (f *fit) homogeneous() bool { return f.law.homogeneous() && f.subject.Known == nil }

// starts returns the linear estimates for the delays that are possible, the likeliest first.
func (f *fit) starts() ([]parameters, error) {
	if f.homogeneous() {
		return nil, &NullSpaceError{Scale: true, Gains: f.law.scalingNames()}
	}
	delays := []float64{f.law.Delay}
	if f.law.Late && f.law.Delay == 0 {
		delays = startDelays(f.law.Period)
	}
	first := f.guess()
	type start struct {
		parameters
		measure float64
	}
	var found []start
	for _, d := range delays {
		q, measure, err := f.linear(d, first)
		if err != nil {
			return nil, err
		}
		found = append(found, start{q, measure})
	}
	slices.SortStableFunc(found, func(a, b start) int { return cmp.Compare(a.measure, b.measure) })
	out := make([]parameters, len(found))
	for i := range found {
		out[i] = found[i].parameters
	}
	return out, nil
}

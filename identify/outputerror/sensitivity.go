package outputerror

import (
	"context"
	"math"
	"slices"

	"ident/regressor"
)

// output is the averaged output of a run: residuals y − ŷ and their sensitivities ∂ŷ/∂θ, by windows.
type output struct {
	residual [][]float64   // joint, window
	by       [][][]float64 // joint, column of its limb, window
}

// chunkSteps is the number of steps whose coefficients are evaluated together.
const chunkSteps = 128

// coefficients holds the coefficients of the linear equations along the motion, evaluated for some steps together.
type coefficients struct {
	model          *regressor.Model
	joints         int
	local          []int // of each joint, its place in its limb
	wide           int   // joints of the largest limb
	ws             *regressor.Workspace
	adjoint        *regressor.Adjoint
	rows           *regressor.Block // Y, a row per step
	gamma          *regressor.Block // a row per step and place in a limb: limbs do not touch each other
	at             [3][][]float64   // midpoint q, dq, ddq
	spread         [3][][]float64   // the same for each row of gamma
	gq, gdq, gddq  [][]float64
	known          *regressor.Model // nil if nothing is known
	given          *regressor.Block // gamma of the known parameters
	byKnown        *regressor.Adjoint
	values         []float64
	smooth         []float64 // parameters without Coulomb friction
	coulomb        []float64 // Fs of each joint, N·m or N
	first, samples int
}

func newCoefficients(s *Subject, limbs []*limb) *coefficients {
	m := s.Model
	n, wide := m.Joints(), 0
	local := make([]int, n)
	for _, l := range limbs {
		wide = max(wide, len(l.joints))
		for i, j := range l.joints {
			local[j] = i
		}
	}
	c := &coefficients{model: m, joints: n, local: local, wide: wide, ws: m.NewWorkspace(), adjoint: m.NewAdjoint(),
		rows: m.NewBlock(chunkSteps), gamma: m.NewBlock(wide * chunkSteps),
		gq: table(n, wide*chunkSteps), gdq: table(n, wide*chunkSteps), gddq: table(n, wide*chunkSteps),
		coulomb: make([]float64, n)}
	for i := range c.at {
		c.at[i], c.spread[i] = table(n, chunkSteps), table(n, wide*chunkSteps)
	}
	if s.Known != nil {
		c.known, c.values = s.Known, s.Given
		c.given, c.byKnown = c.known.NewBlock(wide*chunkSteps), c.known.NewAdjoint()
	}
	return c
}

// begin takes the parameters.
func (c *coefficients) begin(x []float64) {
	clear(c.coulomb)
	c.smooth = c.without(c.model, x)
	if c.known != nil {
		c.values = c.without(c.known, c.values)
	}
}

// without returns the values of parameters with none for Coulomb friction, which it adds to that of the joints.
func (c *coefficients) without(m *regressor.Model, values []float64) []float64 {
	out := slices.Clone(values)
	for k := range c.joints {
		for _, i := range m.Mask(k) {
			if m.Columns()[i].Term == regressor.Fs {
				c.coulomb[k], out[i] = max(values[i], 0), 0
			}
		}
	}
	return out
}

// midpoints sets the states of the steps from first on, up to chunkSteps of them.
func (c *coefficients) midpoints(m *motion, period float64, first int) {
	c.first = first
	c.samples = min(chunkSteps, len(m.q[0])-1-first)
	for k := range c.joints {
		q, dq := m.q[k], m.dq[k]
		for t := range c.samples {
			i := first + t
			c.at[0][k][t] = (q[i] + q[i+1]) / 2
			c.at[1][k][t] = (dq[i] + dq[i+1]) / 2
			c.at[2][k][t] = (dq[i+1] - dq[i]) / period
		}
	}
}

// cut returns the first rows of columns.
func cut(x [][]float64, rows int) [][]float64 {
	out := make([][]float64, len(x))
	for i := range x {
		out[i] = x[i][:rows]
	}
	return out
}

// evaluate computes the coefficients of the steps from first on.
func (c *coefficients) evaluate(m *motion, period float64, first int) {
	n := c.wide
	c.rowsAt(m, period, first)
	for k := range c.joints {
		for t := range c.samples {
			for j := range n {
				row := t*n + j
				c.spread[0][k][row], c.spread[1][k][row], c.spread[2][k][row] = c.at[0][k][t], c.at[1][k][t], c.at[2][k][t]
			}
		}
		clear(c.gq[k])
		clear(c.gdq[k])
		clear(c.gddq[k])
	}
	c.pull(c.model, c.gamma, c.adjoint, c.smooth)
	if c.known != nil {
		c.pull(c.known, c.given, c.byKnown, c.values)
	}
}

// pull adds the derivatives of the torques of parameters with the given values, Coulomb friction's being none.
func (c *coefficients) pull(model *regressor.Model, gamma *regressor.Block, adjoint *regressor.Adjoint, values []float64) {
	n, rows := c.wide, c.wide*c.samples
	gamma.Resize(rows)
	for k := range c.joints {
		for at, column := range model.Mask(k) {
			g := gamma.Joint[k][at]
			clear(g)
			for t := range c.samples {
				g[t*n+c.local[k]] = values[column]
			}
		}
	}
	model.Pullback(cut(c.gq, rows), cut(c.gdq, rows), cut(c.gddq, rows), gamma,
		cut(c.spread[0], rows), cut(c.spread[1], rows), cut(c.spread[2], rows), adjoint)
}

// matrices returns, for step t of the chunk, M of a limb (row-major) and the derivatives of its torques by q and dq.
func (c *coefficients) matrices(l *limb, t int, mass, byQ, byDQ []float64) {
	n := len(l.joints)
	for i := range n {
		for j, joint := range l.joints {
			mass[i*n+j] = c.gddq[joint][t*c.wide+i]
			byQ[i*n+j] = c.gq[joint][t*c.wide+i]
			byDQ[i*n+j] = c.gdq[joint][t*c.wide+i]
		}
	}
}

// recursion is the state of a limb's sensitivities: joints×columns, row by row.
type recursion struct {
	limb              *limb
	n, p              int
	s, v, a           []float64
	tau               [][]float64 // of the commands of the last samples, a ring
	held              []float64   // that acts in the step, on the average
	mass, byQ, byDQ   []float64
	system            []float64
	impulse, response []float64
}

func newRecursion(l *limb, late int) *recursion {
	n, p := len(l.joints), len(l.columns)
	r := &recursion{limb: l, n: n, p: p, s: make([]float64, n*p), v: make([]float64, n*p), a: make([]float64, n*p), held: make([]float64, n*p),
		mass: make([]float64, n*n), byQ: make([]float64, n*n), byDQ: make([]float64, n*n), system: make([]float64, n*n), impulse: make([]float64, n), response: make([]float64, n)}
	r.tau = table(late+2, n*p)
	return r
}

// sensitivities computes the averaged residuals and sensitivities of a simulated run.
func (f *fit) sensitivities(ctx context.Context, c *clocked, m *motion, p parameters) (*output, error) {
	h := c.period
	co := newCoefficients(f.subject, f.parts)
	co.begin(p.x)
	w := f.window(c)
	out := &output{residual: table(f.joints, w.count), by: make([][][]float64, f.joints)}
	var limbs []*moving
	for _, l := range f.parts {
		for _, j := range l.joints {
			out.by[j] = table(len(l.columns), w.count)
		}
		limbs = append(limbs, f.newMoving(l, c, m, p, out))
	}
	for k := range c.samples {
		if k%chunkSteps == 0 && k < c.samples-1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			co.evaluate(m, h, k)
		}
		for _, l := range limbs {
			l.advance(co, k)
		}
	}
	return out, nil
}

// moving is a limb on its way through a run.
type moving struct {
	*recursion
	f         *fit
	c         *clocked
	m         *motion
	bias      []float64
	gp, gd    []float64
	late      int
	part      float64
	window    windowing
	out       *output
	sum, mean []float64
	between   *between
	row       int // the next of the log
}

func (f *fit) newMoving(l *limb, c *clocked, m *motion, p parameters, out *output) *moving {
	gp, gd := f.law.with(p.gains)
	late, part := lateness(p.delay, c.period)
	r := newRecursion(l, late)
	for i, k := range f.offsets {
		if j := slices.Index(l.joints, k); j >= 0 {
			r.s[j*r.p+l.at[f.offsetAt()+i]] = -1 // the measured start less the offset
		}
	}
	return &moving{recursion: r, f: f, c: c, m: m, bias: p.bias, gp: gp, gd: gd, late: late, part: part, window: f.window(c), out: out,
		sum: make([]float64, r.n*r.p), mean: make([]float64, r.n), between: newBetween(r)}
}

// take adds row i of the log, at which the sensitivities of the positions are those of s.
func (l *moving) take(i int, s []float64) {
	w, at := l.window, i-l.c.first
	if at < 0 || at >= w.count*w.length {
		return
	}
	for j, joint := range l.limb.joints {
		l.mean[j] += l.c.run.Position[joint][i] - l.c.position(l.m, joint, i) - l.bias[joint]
	}
	for i, v := range s {
		l.sum[i] += v
	}
	if (at+1)%w.length != 0 {
		return
	}
	win, scale := at/w.length, 1/float64(w.length)
	for j, joint := range l.limb.joints {
		l.out.residual[joint][win] = l.mean[j] * scale
		for q := range l.p {
			l.out.by[joint][q][win] = l.sum[j*l.p+q] * scale
		}
	}
	for i, k := range l.f.offsets {
		if slices.Contains(l.limb.joints, k) {
			l.out.by[k][l.limb.at[l.f.offsetAt()+i]][win]++
		}
	}
	clear(l.sum)
	clear(l.mean)
}

// torque returns the law's torque of a joint at a sample.
func (l *moving) torque(j, k int) float64 {
	if k < 0 {
		return 0
	}
	tau := l.gp[j]*l.m.e[j][k] + l.gd[j]*l.m.de[j][k]
	if l.m.limited[j][k] {
		tau = math.Copysign(l.f.law.Limit[j], tau)
	}
	return tau
}

// advance takes the rows of the log up to the end of step k, and moves the sensitivities there.
func (l *moving) advance(co *coefficients, k int) {
	f, c, r, h := l.f, l.c, l.recursion, l.c.period
	for ; l.row < c.run.Samples(); l.row++ {
		at, part := c.row(l.row)
		if at != k || part > 0 {
			break
		}
		l.take(l.row, r.s)
	}
	if k == c.samples-1 {
		return
	}
	// The command of this sample.
	tau := r.tau[k%len(r.tau)]
	for j, joint := range l.limb.joints {
		row := tau[j*r.p : (j+1)*r.p]
		if k%c.hold != 0 {
			copy(row, r.tau[(k-1)%len(r.tau)][j*r.p:])
			continue
		}
		if l.m.limited[joint][k] {
			clear(row)
			continue
		}
		s, v := r.s[j*r.p:(j+1)*r.p], r.v[j*r.p:(j+1)*r.p]
		for i := range row {
			row[i] = -l.gp[joint]*s[i] - l.gd[joint]*v[i]
		}
		for i, g := range f.law.Gains {
			if g.Joint == joint {
				row[l.limb.at[f.gainAt()+i]] += g.P*l.m.e[joint][k] + g.D*l.m.de[joint][k]
			}
		}
		for i, o := range f.offsets {
			if o == joint {
				row[l.limb.at[f.offsetAt()+i]] -= l.gp[joint]
			}
		}
	}
	// The torque of the step: part of it that of the command before.
	late := l.late
	clear(r.held)
	if k-late >= 0 {
		axpy(r.held, 1-l.part, r.tau[(k-late)%len(r.tau)])
	}
	if k-late-1 >= 0 && l.part > 0 {
		axpy(r.held, l.part, r.tau[(k-late-1)%len(r.tau)])
	}
	if f.law.Late {
		for j, joint := range l.limb.joints {
			r.held[j*r.p+l.limb.at[f.delayAt()]] += (l.torque(joint, k-late-1) - l.torque(joint, k-late)) / h
		}
	}
	l.between.begin(r)
	r.step(co, l.m, k, h)
	for ; l.row < c.run.Samples(); l.row++ {
		at, part := c.row(l.row)
		if at != k {
			break
		}
		l.take(l.row, l.between.at(r, part*h))
	}
}

// between are the sensitivities inside a step, in which their accelerations are constant. The jump of a joint that turns back is
// left to the end of the step.
type between struct{ s, v, out []float64 }

func newBetween(r *recursion) *between {
	return &between{s: make([]float64, len(r.s)), v: make([]float64, len(r.s)), out: make([]float64, len(r.s))}
}

// begin keeps the state at the begin of a step.
func (b *between) begin(r *recursion) {
	copy(b.s, r.s)
	copy(b.v, r.v)
}

// at returns the sensitivities t seconds after the begin of the step that r has made.
func (b *between) at(r *recursion, t float64) []float64 {
	for i := range b.out {
		b.out[i] = b.s[i] + t*(b.v[i]+t/2*r.a[i])
	}
	return b.out
}

// step advances the sensitivities from sample k to the next by the implicit midpoint rule.
func (r *recursion) step(co *coefficients, m *motion, k int, h float64) {
	n, p, t := r.n, r.p, k-co.first
	co.matrices(r.limb, t, r.mass, r.byQ, r.byDQ)
	for i, joint := range r.limb.joints {
		a := r.a[i*p : (i+1)*p]
		if m.sticks(joint, k) {
			clear(a)
			for j := range n {
				r.system[i*n+j] = 0
			}
			r.system[i*n+i] = 1
			continue
		}
		copy(a, r.held[i*p:(i+1)*p])
		for at, c := range co.model.Mask(joint) {
			a[r.limb.at[c]] -= co.rows.Joint[joint][at][t]
		}
		for j := range n {
			r.system[i*n+j] = r.mass[i*n+j] + h/2*r.byDQ[i*n+j] + h*h/4*r.byQ[i*n+j]
			bq, bv := r.byQ[i*n+j], r.byDQ[i*n+j]+h/2*r.byQ[i*n+j]
			s, v := r.s[j*p:(j+1)*p], r.v[j*p:(j+1)*p]
			for c := range a {
				a[c] -= bq*s[c] + bv*v[c]
			}
		}
	}
	eliminate(r.system, r.a, n, p)
	for i, a := range r.a {
		r.s[i] += h * (r.v[i] + h/2*a)
		r.v[i] += h * a
	}
	for i := range n {
		r.reverse(co, m, i, k, h)
	}
}

// sticks reports whether a joint rests from sample k to the next.
func (m *motion) sticks(i, k int) bool { return m.dq[i][k] == 0 && m.dq[i][k+1] == 0 }

// reverse accounts for the jump of friction where joint i of the limb came to rest or turned back between sample k and the next.
func (r *recursion) reverse(co *coefficients, m *motion, i, k int, h float64) {
	joint := r.limb.joints[i]
	before, after := m.dq[joint][k], m.dq[joint][k+1]
	if before == 0 || before*after > 0 || co.coulomb[joint] == 0 {
		return
	}
	n, p := r.n, r.p
	// M⁻¹ of the joints that move, times a unit torque of joint i.
	for j, other := range r.limb.joints {
		stuck := m.sticks(other, k) && j != i
		for l := range n {
			r.system[j*n+l] = r.mass[j*n+l]
			if stuck {
				r.system[j*n+l] = 0
			}
		}
		if stuck {
			r.system[j*n+j] = 1
		}
		r.response[j] = 0
	}
	r.response[i] = 1
	eliminate(r.system, r.response, n, 1)
	v := r.v[i*p : (i+1)*p]
	// At rest: the impulse that takes the joint's velocity.
	factor := -1 / r.response[i]
	if after != 0 {
		// Turned back: friction jumps by 2·Fs at the time −δv/a.
		jump := math.Copysign(2*co.coulomb[joint], before)
		mean := co.at[2][joint][k-co.first]
		// The mean acceleration of the step lies between those before and after the jump.
		share := before / (before - after)
		ahead := mean - (1-share)*r.response[i]*jump
		if ahead*before < 0 && (ahead+r.response[i]*jump)*before < 0 {
			factor = jump / ahead
		}
	}
	for j := range n {
		if j == i {
			continue
		}
		f := factor * r.response[j]
		if f == 0 {
			continue
		}
		other := r.v[j*p : (j+1)*p]
		for c := range other {
			other[c] += f * v[c]
		}
	}
	own := 1 + factor*r.response[i]
	for c := range v {
		v[c] *= own
	}
}

// eliminate solves the n×n system in place for p right-hand sides, stored row by row, by Gauss's method with
// partial pivoting. A pivot of zero leaves infinities.
func eliminate(a, b []float64, n, p int) {
	for i := range n {
		best := i
		for j := i + 1; j < n; j++ {
			if math.Abs(a[j*n+i]) > math.Abs(a[best*n+i]) {
				best = j
			}
		}
		if best != i {
			for l := range n {
				a[i*n+l], a[best*n+l] = a[best*n+l], a[i*n+l]
			}
			for c := range p {
				b[i*p+c], b[best*p+c] = b[best*p+c], b[i*p+c]
			}
		}
		for j := i + 1; j < n; j++ {
			f := a[j*n+i] / a[i*n+i]
			if f == 0 {
				continue
			}
			for l := i; l < n; l++ {
				a[j*n+l] -= f * a[i*n+l]
			}
			axpy(b[j*p:(j+1)*p], -f, b[i*p:(i+1)*p])
		}
	}
	for i := n - 1; i >= 0; i-- {
		row := b[i*p : (i+1)*p]
		for l := i + 1; l < n; l++ {
			axpy(row, -a[i*n+l], b[l*p:(l+1)*p])
		}
		inverse := 1 / a[i*n+i]
		for c := range row {
			row[c] *= inverse
		}
	}
}

func axpy(y []float64, a float64, x []float64) {
	if a == 0 {
		return
	}
	x = x[:len(y)]
	for i := range y {
		y[i] += a * x[i]
	}
}

package causes

import (
	"cmp"
	"math"
	"slices"

	"ident/internal/lanes"
	"ident/observation"
	"ident/robot"
)

// refitted returns a hypothesis that needs its own fit.
func (t *trial) refitted(c Cause, d *design, y [][]float64, channel []int, cost float64) *hypothesis {
	h := t.refittedOnce(c, d, y, channel, cost)
	if h.nats >= hopeless {
		t.reweigh(h, d, y, channel, cost)
	}
	return h
}

// reweigh fits a hypothesis again, with weights from its own residuals.
func (t *trial) reweigh(h *hypothesis, d *design, y [][]float64, channel []int, cost float64) {
	left := h.after
	if channel != nil { // of the equations
		left = slices.Clone(left)
		for e, k := range channel {
			left[e] = h.after[k]
		}
	}
	t.spare = d.factor(weightsOf(left, y), t.spare)
	h.taken(t, t.spare.residuals(y), y, channel, cost)
}

// hopeless: a refit with less evidence than this is not repeated with new weights.
const hopeless = -40.0

// refittedOnce does the same as refitted, with the weights of the present fit only.
func (t *trial) refittedOnce(c Cause, d *design, y [][]float64, channel []int, cost float64) *hypothesis {
	h := &hypothesis{Cause: c, need: needDiscrete}
	h.left = 1
	s := t.factors
	if d != t.design {
		t.spare = d.factor(t.factors.weights, t.spare)
		s = t.spare
	}
	h.taken(t, s.residuals(y), y, channel, cost)
	return h
}

// taken computes the evidence from residuals. channel[e] is the torque that equation e has; nil means its own.
func (h *hypothesis) taken(t *trial, left, y [][]float64, channel []int, cost float64) {
	share := shares(left, y)
	if channel != nil { // compare each torque with itself
		s, l := make([]float64, len(share)), make([][]float64, len(left))
		for e, k := range channel {
			s[k], l[k] = share[e], left[e]
		}
		share, left = s, l
	}
	h.take(t, share, left, cost)
	h.after = left
}

// moved returns the design of a motion, with friction moved from joint to joint, in lent memory.
func (t *trial) moved(m motion, from []int, g [3]float64) *design {
	model := t.opt.models.under(nil, g)
	l := t.desk.lend()
	return t.designIn(evaluateIn(model, t.desk.space(model), l.block(model, len(m.q[0])), m.q, m.v, m.a), from, l)
}

// discrete returns the hypotheses that need their own fit; few holds all linear ones, judged at some of the rows.
func (t *trial) discrete(few []*hypothesis) []*hypothesis {
	out := t.made(few)
	size := norm3(t.opt.Gravity)
	if size == 0 {
		size = 9.81
	}
	var asked []competing
	for i := range 7 {
		var g [3]float64
		if i > 0 {
			g[(i-1)/2] = size * float64(1-2*((i-1)%2))
		}
		if distance(g, t.opt.Gravity) < 0.1*size {
			continue
		}
		c := Cause{Kind: GravityVector, Value: float64(i)}
		if i == 0 {
			c.Kind = Weightless
		}
		asked = append(asked, competing{design: underGravity(g), fits: []refit{{Cause: c, cost: math.Log(6)}}})
	}
	asked = append(asked, t.positions()...)
	asked = append(asked, t.clocks()...)
	units := t.unitsOfPositions()
	asked = append(asked, units...)
	out = append(out, t.best(asked)...)
	ambiguous(out)
	out = append(out, t.zeros(few)...)
	out = append(out, t.delays(few)...)
	out = append(out, t.tilts(few)...)
	out = append(out, t.backlashes()...)
	out = append(out, t.compliances()...)
	out = append(out, t.smoothed()...)
	out = append(out, t.gravityByChannel()...)
	return out
}

// positions returns hypotheses of positions with another sign, order, or zero by quarter turns, unless the fit is exact.
func (t *trial) positions() (asked []competing) {
	if slices.Max(t.share) < exactShare {
		return nil
	}
	joints := t.bodies.joints
	for j := range joints {
		if !t.moves[j] {
			continue
		}
		for _, half := range []float64{0, math.Pi} {
			cost := math.Log(float64(4 * joints))
			if half > 0 {
				cost += 2
			}
			c := competing{change: func(m motion) {
				for k := range m.q[j] {
					m.q[j][k], m.v[j][k], m.a[j][k] = half-m.q[j][k], -m.v[j][k], -m.a[j][k]
				}
			}}
			c.fits = append(c.fits, refit{Cause: Cause{Kind: PositionSign, Joints: []int{j}, Value: half}, cost: cost})
			if e := slices.Index(t.joints, j); e >= 0 {
				c.fits = append(c.fits, refit{Cause: Cause{Kind: PositionSign, Joints: []int{j}, Value: half, Length: 1}, cost: cost,
					torques: func(y [][]float64) [][]float64 {
						y = slices.Clone(y)
						y[e] = scaled(-1, y[e])
						return y
					}})
			}
			asked = append(asked, c)
		}
		if t.bodies.robot.Links[t.bodies.links[j]].Joint.Kind == robot.Revolute {
			for _, by := range []float64{math.Pi / 2, -math.Pi / 2, math.Pi} {
				asked = append(asked, competing{
					fits: []refit{{Cause: Cause{Kind: Zero, Joints: []int{j}, Value: by}, cost: math.Log(float64(4 * joints))}},
					change: func(m motion) {
						for k := range m.q[j] {
							m.q[j][k] += by
						}
					}})
			}
		}
		// Of a long chain only neighbours are exchanged: the number of pairs grows with the square of the number of joints.
		for b := j + 1; b < joints && (joints <= manyPairs || b == j+1); b++ {
			if t.moves[b] {
				asked = append(asked, t.ordered(identity(joints), j, b))
			}
		}
	}
	return asked
}

// ordered returns the refits with two joints of an order exchanged, their positions or all of them.
func (t *trial) ordered(from []int, j, b int) competing {
	joints := len(from)
	from[j], from[b] = b, j
	c := competing{from: from, change: func(m motion) {
		m.q[j], m.q[b] = m.q[b], m.q[j]
		m.v[j], m.v[b] = m.v[b], m.v[j]
		m.a[j], m.a[b] = m.a[b], m.a[j]
	}}
	cost := math.Log(float64(joints * joints))
	c.fits = append(c.fits, refit{Cause: Cause{Kind: PositionOrder, Joints: []int{j, b}}, cost: cost})
	x, y := slices.Index(t.joints, j), slices.Index(t.joints, b)
	if x >= 0 && y >= 0 {
		c.fits = append(c.fits, exchanged(Cause{Kind: JointOrder, Joints: []int{j, b}}, x, y, len(t.joints), cost))
	}
	return c
}

// exchanged returns the refit for a cause that exchanges the torques of two of n equations.
func exchanged(c Cause, x, y, n int, cost float64) refit {
	r := refit{Cause: c, cost: cost, channel: identity(n)}
	r.channel[x], r.channel[y] = y, x
	r.torques = func(t [][]float64) [][]float64 {
		t = slices.Clone(t)
		t[x], t[y] = t[y], t[x]
		return t
	}
	return r
}

// hint: if a cause's linear column has more evidence than this, the cause is also fitted at its full size.
const hint = 4.0

// bend is a curve of a sensor: of returns the true torque of a logged one, both as parts of the logged peak. size is the bend of a tanh, or less the
// width of a dead zone.
type bend struct {
	kind string
	size float64
	of   func(x float64) float64
}

// bends returns the curves that are tried: saturation, whose slope at the peak is 71 % to 10 % of that at zero (1 - tanh² of its size); its reverse;
// and dead zones of 10 % to 80 % of the peak. A dead zone begins smoothly, within 5 % of the peak, because the sign of a logged torque near zero
// is that of its noise.
func bends() (out []bend) {
	for _, by := range []float64{0.6, 0.9, 1.2, 1.5, 1.8} {
		out = append(out,
			bend{Saturated, by, func(x float64) float64 { return math.Atanh(math.Tanh(by)*x) / math.Tanh(by) }},
			bend{Curve, by, func(x float64) float64 { return math.Tanh(by*x) / math.Tanh(by) }})
	}
	for _, zone := range []float64{0.1, 0.2, 0.4, 0.8} {
		out = append(out, bend{Curve, -zone, func(x float64) float64 { return x + zone*math.Tanh(x/0.05) }})
	}
	return out
}

// made returns the hypotheses that alter torques: scaled, scaled in one direction, bent, reversed or exchanged.
// They only change the right-hand sides of the same equations, in which residuals are linear. The linear columns decide
// which of the first three are tried.
func (t *trial) made(linear []*hypothesis) []*hypothesis {
	hinted := map[string]map[int]bool{Scale: {}, Asymmetry: {}, Saturated: {}, Curve: {}}
	for _, h := range linear {
		if of := hinted[h.Kind]; of != nil && len(h.Joints) == 1 && h.nats > hint && !h.nuisance {
			of[h.Joints[0]] = true
		}
	}
	n, rows := len(t.joints), len(t.rows)
	bends := bends()
	none := make([]float64, rows)
	// Columns of a joint: its torque, the positive part of it, and bent ones.
	up, bent := 1, 2
	each := bent + len(bends)
	var asked []int // equations
	for e, j := range t.joints {
		if hinted[Scale][j] || hinted[Asymmetry][j] || hinted[Saturated][j] || hinted[Curve][j] {
			asked = append(asked, e)
		}
	}
	y := make(sides, n)
	for e := range y {
		y[e] = slices.Repeat([][]float64{none}, each*len(asked))
	}
	for i, e := range asked {
		own := y[e][i*each:]
		own[0] = t.y[e]
		own[up] = make([]float64, rows)
		for k, v := range t.y[e] {
			own[up][k] = max(v, 0)
		}
		peak := lanes.MaxAbs(t.y[e])
		for b, by := range bends {
			own[bent+b] = make([]float64, rows)
			for k, v := range t.y[e] {
				own[bent+b][k] = peak * by.of(v/peak)
			}
		}
	}
	var r sides
	if len(asked) > 0 {
		r = t.factors.leftOut(y, t.factors.solutions(t.factors.project(y)))
	}
	// sum returns the residual of the log with weighted columns added.
	sum := func(at []int, by []float64) [][]float64 {
		out := make([][]float64, n)
		for e := range out {
			out[e] = slices.Clone(t.left[e])
			for i, c := range at {
				lanes.Axpy(out[e], by[i], r[e][c])
			}
		}
		return out
	}
	with := func(e int, x []float64) [][]float64 {
		out := slices.Clone(t.y)
		out[e] = x
		return out
	}
	var out []*hypothesis
	ratios := []float64{0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5}
	for i, e := range asked {
		j, own := t.joints[e], i*each
		best := map[string]*hypothesis{}
		keep := func(kind string, value float64, left, y [][]float64) {
			h := &hypothesis{Cause: Cause{Kind: kind, Joints: []int{j}, Value: value}, need: needLinear}
			h.left = 1
			h.taken(t, left, y, nil, 0.5+math.Log(float64(n)))
			if b := best[kind]; b == nil || h.nats > b.nats {
				best[kind] = h
			}
		}
		for _, s := range ratios {
			if !hinted[Scale][j] && !hinted[Asymmetry][j] {
				break
			}
			keep(Scale, 1/s, sum([]int{own}, []float64{s - 1}), with(e, scaled(s, t.y[e])))
			x := slices.Clone(t.y[e])
			for k, v := range x {
				if v > 0 {
					x[k] = s * v
				}
			}
			keep(Asymmetry, 1/s, sum([]int{own + up}, []float64{s - 1}), with(e, x))
		}
		for b, by := range bends {
			if !hinted[by.kind][j] && !hinted[Scale][j] {
				continue
			}
			keep(by.kind, by.size, sum([]int{own, own + bent + b}, []float64{-1, 1}), with(e, y[e][own+bent+b]))
		}
		for _, kind := range []string{Scale, Asymmetry, Saturated, Curve} {
			b := best[kind]
			if b == nil {
				continue
			}
			if kind == Scale && b.enough() {
				b = t.scaledLinks(e, b.Value)
			}
			out = append(out, b)
		}
	}
	out = append(out, t.best([]competing{t.turned()})...)
	for _, h := range []*hypothesis{t.rearranged(), t.exchangedLater()} {
		if h != nil {
			out = append(out, h)
		}
	}
	return out
}

// turned returns the refits with torques reversed and with torques exchanged.
func (t *trial) turned() competing {
	n := len(t.joints)
	c := competing{design: func(t *trial) *design { return t.design }}
	friction := t.frictionEvidence()
	least := 0.0 // against any one sign, by friction: signs cost what is against them beyond it
	for _, f := range friction {
		least = min(least, f)
	}
	for e, j := range t.joints {
		// If one of two torques is reversed, a free fit shows only that their signs differ: friction shows which of
		// them is wrong.
		cost := math.Log(float64(n)) + friction[e] - least
		c.fits = append(c.fits, refit{Cause: Cause{Kind: TorqueSign, Joints: []int{j}, Value: -1}, cost: cost, once: true, torques: func(y [][]float64) [][]float64 {
			y = slices.Clone(y)
			y[e] = scaled(-1, y[e])
			return y
		}})
		for of := e + 1; of < n && (n <= manyPairs || of == e+1); of++ {
			c.fits = append(c.fits, exchanged(Cause{Kind: TorqueOrder, Joints: []int{j, t.joints[of]}}, e, of, n, math.Log(float64(n*n)/2)))
		}
	}
	return c
}

// scaledLinks returns the hypothesis that a torque is factor times as large. The factor is applied to the links' part
// of the prediction, so that the equation keeps its weight.
func (t *trial) scaledLinks(e int, factor float64) *hypothesis {
	at := t.stack(t.ownGravity(), nil, nil)
	j := t.joints[e]
	for c := range t.base {
		if at[j][c] != nil {
			at[j][c] = scaled(factor, at[j][c])
		}
	}
	h := t.refitted(Cause{Kind: Scale, Joints: []int{j}, Value: factor}, newDesign(&t.order, t.desk, at, t.joints, nil), t.y, nil, 0.5+math.Log(float64(len(t.joints))))
	h.need = needLinear
	return h
}

// exactShare: if a fit leaves less than this fraction of the squared torques on rows left out, no position is wrong.
const exactShare = 2e-3

// manyPairs is the number of joints above which only neighbours are exchanged.
const manyPairs = 12

// manyJoints is the number of joints above which several exchanges and signs are not tried together.
const manyJoints = 8

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func norm3(g [3]float64) float64 { return math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2]) }

func distance(a, b [3]float64) float64 {
	return norm3([3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]})
}

// Requirements for the column of a zero or a gear ratio before it is fitted at its full size.
const (
	zeroNats = 10.0
	zeroGain = 0.1
	mostZero = 1.2 // rad or m
	mostGear = 0.8 // of the motion
)

// zeros fits zeros and gear ratios of single positions at their full size, starting from their columns' estimates.
func (t *trial) zeros(linear []*hypothesis) []*hypothesis {
	var out []*hypothesis
	for _, h := range linear {
		if h.Kind != Mixed && (h.Kind != Zero && h.Kind != Gear || len(h.Joints) != 1) || h.nats < zeroNats || h.big() < zeroGain || len(h.coef) != 1 {
			continue
		}
		j, of := h.Joints[0], h.Joints[len(h.Joints)-1]
		moved := func(t *trial, by float64) motion {
			m := t.motion.clone()
			for k := range m.q[j] {
				switch h.Kind {
				case Zero:
					m.q[j][k] += by
				case Mixed:
					m.q[j][k] += by * m.q[of][k]
					m.v[j][k] += by * m.v[of][k]
					m.a[j][k] += by * m.a[of][k]
				default:
					m.q[j][k], m.v[j][k], m.a[j][k] = (1+by)*m.q[j][k], (1+by)*m.v[j][k], (1+by)*m.a[j][k]
				}
			}
			return m
		}
		at := func(by float64) *hypothesis {
			var d *design
			if h.Kind == Mixed { // its friction turns at other times
				d = t.mixed(j, of, by)
			} else {
				d = t.moved(moved(t, by), nil, t.opt.Gravity)
			}
			z := t.refittedOnce(Cause{Kind: h.Kind, Joints: h.Joints, Value: by}, d, t.y, nil, 0.5+math.Log(float64(len(h.Joints)*t.bodies.joints)))
			d.done()
			z.need = needLinear
			return z
		}
		most := mostZero
		if h.Kind != Zero {
			most = mostGear
		}
		start := math.Copysign(min(math.Abs(h.coef[0]), most), h.coef[0])
		best := at(start)
		step, from := 0.5*start, 0.0 // from is the step that was taken last: its reverse leads back to a value that is no better
		for range 4 {
			nearer := 0.0
			for _, by := range []float64{-step, step} {
				if s := best.Value + by; math.Abs(s) <= most && by != -from {
					if z := at(s); z.nats > best.nats {
						best, nearer = z, by
						break
					}
				}
			}
			if from = nearer; nearer == 0 {
				step /= 2.5
			}
		}
		best.rows = func(t *trial) changedRows {
			m := moved(t, best.Value)
			return changedRows{motion: &m, y: t.y, gravity: 1}
		}
		t.witnessed(best)
		out = append(out, best)
	}
	return out
}

// mixed returns the design of the motion in which a joint has by times the position of another one beside its own.
func (t *trial) mixed(j, of int, by float64) *design {
	paths := make([]*jointPath, t.bodies.joints)
	paths[j] = t.jointPath(true, func(i int, q []float64) {
		copy(q, t.tracks[i].raw[j])
		lanes.Axpy(q, by, t.tracks[i].raw[of])
	})
	return t.along(paths)
}

// delays fits delays of single torques at their full size, where a column asks for one.
func (t *trial) delays(linear []*hypothesis) []*hypothesis {
	var out []*hypothesis
	for _, h := range linear {
		if h.Kind != Delay || len(h.Joints) != 1 || h.nats < hint {
			continue
		}
		e := slices.Index(t.joints, h.Joints[0])
		later := func(by float64) [][]float64 {
			y := slices.Clone(t.y)
			y[e] = t.pickAt(t.delay+by, func(tr *track) []float64 { return tr.y[h.Joints[0]] })
			return y
		}
		const count = int(nearShift / nearStep)
		score := t.scan(2*count+1, func(i int) [][]float64 { return later(nearStep * float64(i-count)) })
		at := nearStep * float64(slices.Index(score, slices.Max(score))-count)
		if at == 0 {
			continue
		}
		d := t.refittedOnce(Cause{Kind: Delay, Joints: h.Joints, Value: at}, t.design, later(at), nil, 0.5+math.Log(float64(len(t.joints)*count)/10))
		d.need = needLinear
		out = append(out, d)
	}
	return out
}

// surelyUnit is the lead in nats of a unit over the next one from which positions can be converted.
const surelyUnit = 10.0

// Ambiguous is the Length of a cause Units whose lead over another unit is too small for a repair.
const Ambiguous = -1.0

// unitsOfPositions returns hypotheses of degrees, turns and hundredths of the range, for each joint and for all.
func (t *trial) unitsOfPositions() []competing {
	var out []competing
	factors := []float64{math.Pi / 180, 2 * math.Pi, math.Pi / 100}
	if t.opt.Whole && t.windsUp() { // counts of a turn
		for bits := 10; bits <= 24; bits++ {
			factors = append(factors, 2*math.Pi/math.Exp2(float64(bits)))
		}
	}
	for j := -1; j < t.bodies.joints; j++ {
		var joints []int
		largest := 0.0
		for i, q := range t.motion.q {
			if j >= 0 && i != j || !t.moves[i] || t.bodies.robot.Links[t.bodies.links[i]].Joint.Kind != robot.Revolute {
				continue
			}
			joints = append(joints, i)
			largest = max(largest, lanes.MaxAbs(q))
		}
		for _, by := range factors {
			// A position beyond two turns is not in radians, one within a turn not in degrees, and one within half a
			// unit not in turns.
			if len(joints) == 0 || largest*by > 20 || largest*by < 0.02 || by < 1 && largest < 4 || by > 1 && largest > 1.2 {
				continue
			}
			c := refit{Cause: Cause{Kind: Units, Joints: joints, Value: by}, cost: math.Log(float64(3 * t.bodies.joints))}
			if j < 0 && len(joints) > 1 && by > 1 { // turns of all joints: a free fit absorbs much of so small a motion
				c.need = needLinear
			}
			out = append(out, competing{fits: []refit{c}, change: func(m motion) {
				for _, i := range joints {
					for k := range m.q[i] {
						m.q[i][k] *= by
						m.v[i][k] *= by
						m.a[i][k] *= by
					}
				}
			}})
		}
	}
	if c, ok := t.normalised(); ok {
		out = append(out, c)
	}
	return out
}

// ambiguous marks units whose lead over another unit of the same joints is too small.
func ambiguous(hyps []*hypothesis) {
	for i, h := range hyps {
		for k, other := range hyps {
			if k != i && h.Kind == Units && other.Kind == Units && slices.Equal(h.Joints, other.Joints) && h.Length == 0 && math.Abs(h.Value/other.Value-1) > 0.1 && h.nats < other.nats+surelyUnit && h.nats >= other.nats {
				h.Length = Ambiguous
			}
		}
	}
}

// normalised returns the hypothesis that all positions are -100 to 100 of the joints' ranges in the robot file; ok is
// false if they cannot be.
func (t *trial) normalised() (out competing, ok bool) {
	c := Cause{Kind: Units, Value: math.Pi / 100, Length: 1}
	by, at := make([]float64, t.bodies.joints), make([]float64, t.bodies.joints)
	for j, q := range t.motion.q {
		joint := &t.bodies.robot.Links[t.bodies.links[j]].Joint
		span := joint.Upper - joint.Lower
		if !t.moves[j] {
			continue
		}
		if joint.Kind != robot.Revolute || joint.Continuous || !(span > 0 && span < 50) || slices.Max(q) > 101 || slices.Min(q) < -101 {
			return out, false
		}
		by[j], at[j] = span/200, (joint.Lower+joint.Upper)/2
		c.Joints = append(c.Joints, j)
	}
	if len(c.Joints) < 2 || !t.windsUp() {
		return out, false
	}
	out.fits = []refit{{Cause: c, cost: math.Log(float64(3 * t.bodies.joints))}}
	out.change = func(m motion) {
		for _, j := range c.Joints {
			for k := range m.q[j] {
				m.q[j][k] = at[j] + by[j]*m.q[j][k]
				m.v[j][k] *= by[j]
				m.a[j][k] *= by[j]
			}
		}
	}
	return out, true
}

// steps are the parts of the log after which the clock's rate may change. A log whose rate doubles or halves in its
// middle row has its step after two thirds or a third of its time.
var steps = []float64{0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75}

// clocks returns hypotheses about the clock: its rate, and a rate that doubles or halves within the log.
func (t *trial) clocks() []competing {
	var out []competing
	// A clock s times as fast looks like gravity divided by s²; a free fit absorbs the rest.
	if norm3(t.opt.Gravity) > 0 && t.feelsGravity() {
		of := func(by float64) competing {
			g := t.opt.Gravity
			for i := range g {
				g[i] /= by * by
			}
			return competing{design: underGravity(g), fits: []refit{{Cause: Cause{Kind: Clock, Value: by - 1}, need: needLinear, cost: 0.5 + math.Log(4)}}}
		}
		// If the rate nearest to one is worse than one, those farther off are no better.
		c := t.coarsely()
		for _, rates := range [][]float64{{0.87, 0.76, 0.66, 0.57, 0.5}, {1.15, 1.32, 1.52, 1.75, 2}} {
			first := of(rates[0])
			if c.tried(&first.fits[0], first.design(c)).nats < 0 {
				continue
			}
			for _, by := range rates {
				out = append(out, of(by))
			}
		}
	}
	first, last := t.rows[t.order.time[0]].t, t.rows[t.order.time[len(t.rows)-1]].t
	for _, part := range steps {
		at := t.rows[t.order.time[int(part*float64(len(t.rows)))]].t
		for _, rates := range [][2]float64{{0.5, 1}, {2, 1}, {1, 0.5}, {1, 2}} { // before and after it
			c := Cause{Kind: ClockStep, Value: rates[1] / rates[0], Length: (at - first) / (last - first)}
			out = append(out, competing{fits: []refit{{Cause: c, cost: math.Log(float64(4 * len(steps)))}}, design: func(t *trial) *design {
				// Torques without gravity scale with the square of the rate, those of viscous friction with the rate.
				rate, square := make([]float64, len(t.rows)), make([]float64, len(t.rows))
				for k, r := range t.rows {
					if rate[k] = rates[0]; r.t >= at {
						rate[k] = rates[1]
					}
					square[k] = rate[k] * rate[k]
				}
				rest := make(columns, len(t.rest))
				for j := range rest {
					rest[j] = times(t.rest[j], square)
				}
				u := *t
				u.motion = motion{t.motion.q, times(t.motion.v, rate), times(t.motion.a, square)}
				return u.designOf(withGravity(rest, t.pull, t.opt.Gravity, nil), nil)
			}})
		}
	}
	return out
}

// lowPasses are the cut-offs in Hz of the low-passes tried on the torques.
var lowPasses = []float64{0.3, 0.5, 0.8, 1.2, 2}

// smooth: above the cut-off, a low-passed torque has at most this fraction of the RMS that the fit has there. Without a
// low-pass, noise gives the torque a larger RMS than the fit's.
const smooth = 0.8

// smoothed returns the hypotheses that torques went through a low-pass and the motion did not. It filters along the
// rows.
func (t *trial) smoothed() []*hypothesis {
	if !t.looksSmooth() {
		return nil
	}
	at := t.stack(t.ownGravity(), nil, nil)
	var out []*hypothesis
	for _, hz := range lowPasses {
		if low, ok := t.lowPass(at, hz); ok {
			out = append(out, t.refitted(Cause{Kind: Smoothed, Value: hz}, newDesign(&t.order, t.desk, low, t.joints, nil), t.y, nil, math.Log(float64(len(lowPasses)))))
		}
	}
	return out
}

// looksSmooth reports whether, at the median joint, the torques have clearly less content than the fit above the
// highest low-pass that the rows allow.
func (t *trial) looksSmooth() bool {
	for i := len(lowPasses) - 1; i >= 0; i-- {
		var both [][]float64
		for e, j := range t.joints {
			both = append(both, t.y[e], t.hat[j])
		}
		low, ok := t.lowPass(columns{both}, lowPasses[i])
		if !ok {
			continue
		}
		var parts []float64
		for e := range t.joints {
			size := func(k int) float64 { return math.Sqrt(lanes.SquaredDistance(both[k], low[0][k])) }
			parts = append(parts, size(2*e)/max(size(2*e+1), math.SmallestNonzeroFloat64))
		}
		slices.Sort(parts)
		return parts[len(parts)/2] < smooth
	}
	return false
}

// lowPass filters columns along the rows of each track. It returns false if there are too few rows.
func (t *trial) lowPass(at columns, hz float64) (columns, bool) {
	out := make(columns, len(at))
	var all [][]float64 // in the order of the log, then filtered
	for j := range at {
		for _, x := range at[j] {
			if x != nil {
				all = append(all, t.order.inTime(x))
			}
		}
	}
	var work observation.RowWork
	var part [][]float64
	for from := 0; from < len(t.rows); {
		to := from + 1
		for to < len(t.rows) && !t.order.starts[to] {
			to++
		}
		if to-from >= 12 {
			dt := t.rows[t.order.time[from+1]].t - t.rows[t.order.time[from]].t
			if hz > 1/dt/4 {
				return nil, false
			}
			low, err := lowPass(hz, dt)
			if err != nil {
				return nil, false
			}
			low.Apply(cut(&part, all, from, to), observation.Extent{}, &work)
		}
		from = to
	}
	for j := range at {
		out[j] = make([][]float64, len(at[j]))
		for k, x := range at[j] {
			if x == nil {
				continue
			}
			low := make([]float64, len(x))
			for i, r := range t.order.time {
				low[r] = all[0][i]
			}
			out[j][k], all = low, all[1:]
		}
	}
	return out, true
}

// channelStep is the evidence in nats that each further torque without gravity must add.
const channelStep = 3

// gravityByChannel finds, one after another, the torques that lack gravity or contain it twice.
func (t *trial) gravityByChannel() []*hypothesis {
	if norm3(t.opt.Gravity) == 0 {
		return nil
	}
	var out []*hypothesis
	// Designs without gravity, with gravity and with twice the gravity; a hypothesis picks one of them for each joint.
	// A coarse fit selects the joints.
	of := func(t *trial) (d [3]*design) {
		for by := range d {
			g := t.opt.Gravity
			for i := range g {
				g[i] *= float64(by)
			}
			if d[by] = t.design; by != 1 {
				d[by] = t.designOf(t.under(g), nil)
			}
		}
		return d
	}
	coarse := t.coarsely()
	few := of(coarse)
	var all [3]*design // once they are asked for
	pick := func(from *[3]*design, factor []int) *design {
		d := *from[1]
		d.equations = slices.Clone(d.equations)
		for e, by := range factor {
			d.equations[e] = from[by].equations[e]
		}
		return &d
	}
	factor := slices.Repeat([]int{1}, len(t.joints))
	best, fewBest := 0.0, 0.0 // evidence so far, of all rows and of some
	var last *hypothesis
	for range t.bodies.joints {
		type step struct {
			factor []int
			nats   float64
		}
		var steps []step
		for e := range t.joints {
			for by := range 3 {
				if by == factor[e] {
					continue
				}
				f := slices.Clone(factor)
				f[e] = by
				steps = append(steps, step{f, coarse.tried(&refit{}, pick(&few, f)).nats})
			}
		}
		slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(b.nats, a.nats) })
		var next *hypothesis
		var nextFactor []int
		nextFew := 0.0
		for _, s := range steps[:min(len(steps), kept)] {
			if s.nats < fewBest+desperate {
				break
			}
			if all[1] == nil {
				all = of(t)
			}
			h := t.refitted(Cause{Kind: GravityMissing}, pick(&all, s.factor), t.y, nil, 0)
			h.nats -= math.Log(float64(2 * len(t.joints)))
			if next == nil || h.nats > next.nats {
				next, nextFactor, nextFew = h, s.factor, s.nats
			}
		}
		if next == nil || next.nats < best+channelStep {
			break
		}
		factor, best, fewBest, last = nextFactor, next.nats, nextFew, next
	}
	if last != nil {
		missing, twice := 0, 0
		for e, j := range t.joints {
			switch factor[e] {
			case 0:
				missing++
				last.Joints = append(last.Joints, j)
			case 2:
				twice++
				last.Joints = append(last.Joints, j)
			}
		}
		if twice > missing {
			last.Kind = GravityTwice
		}
		last.nats -= float64(len(last.Joints))
		out = append(out, last)
	}
	return out
}

// Ranges and steps of the search for shifts between torques and motion.
const (
	nearShift, nearStep = 0.15, 0.005 // s
	farShift, farStep   = 3.0, 0.04   // s
)

// shifts returns hypotheses of torques recorded at another time. Rows that some shift would move out of their track are
// left out.
func (t *trial) shifts() []*hypothesis {
	var out []*hypothesis
	shortest := math.Inf(1)
	for _, tr := range t.tracks {
		shortest = min(shortest, float64(tr.n)*tr.dt)
	}
	for _, far := range []bool{false, true} {
		reach, step := nearShift, nearStep
		if far {
			reach, step = min(farShift, shortest/4), farStep
			if reach <= nearShift {
				continue
			}
		}
		if h := t.shifted(reach, step); h != nil {
			out = append(out, h)
		}
	}
	// Two clocks that agreed at the start have a shift of all rows, too.
	about := []float64{t.delay}
	for _, h := range out {
		about = append(about, h.Value)
	}
	var best *hypothesis
	for _, delay := range about {
		if h := t.skewed(delay); h != nil && (best == nil || h.nats > best.nats) {
			best = h
		}
	}
	if best != nil {
		out = append(out, best)
	}
	return out
}

// skewed returns the hypothesis with the best rate of a separate torque clock, parametrised by the shift at the ends of
// the log, about a delay of all torques.
func (t *trial) skewed(delay float64) *hypothesis {
	first, last := t.rows[t.order.time[0]].t, t.rows[t.order.time[len(t.rows)-1]].t
	if t.tracks[0].log != t.tracks[len(t.tracks)-1].log || !(last > first) {
		return nil
	}
	mid, reach := (first+last)/2, (last-first)/2
	later := func(shift float64) func(r row) float64 {
		return func(r row) float64 { return shift * (r.t - mid) / reach }
	}
	torques := func(t *trial, shift float64) [][]float64 {
		y := make([][]float64, len(t.joints))
		of := later(shift)
		for e, j := range t.joints {
			y[e] = t.pickBy(func(r row) float64 { return delay + of(r) }, func(tr *track) []float64 { return tr.y[j] })
		}
		return y
	}
	const step, count = 0.05, 16
	c := t.coarsely()
	score := c.scan(2*count+1, func(i int) [][]float64 { return torques(c, step*float64(i-count)) })
	score[count] = math.Inf(-1) // no shift
	for i := range score {
		// Torques from beyond a track are its last one, and those of a clock that hardly runs all the same: an offset explains them. Such rows
		// alone must not make the gain, and a shift stays within a quarter of the rows' time, as that of a recorder does.
		beyond, of := 0, later(step*float64(i-count))
		for _, r := range t.rows {
			tr := &t.tracks[r.track]
			if at := float64(r.at)*tr.dt + delay + of(r); at < 0 || at > float64(tr.n-1)*tr.dt {
				beyond++
			}
		}
		if math.IsNaN(score[i]) || float64(beyond) >= needLinear*float64(len(t.rows)) || step*math.Abs(float64(i-count)) > reach/2 {
			score[i] = math.Inf(-1)
		}
	}
	most := slices.Index(score, slices.Max(score))
	if math.IsInf(score[most], 0) {
		return nil
	}
	cost := 0.5 + math.Log(count)
	if delay != t.delay {
		cost += 0.5
	}
	at := func(shift float64) *hypothesis {
		return t.refittedOnce(Cause{Kind: Skew, Value: shift / reach}, t.design, torques(t, shift), nil, cost)
	}
	var best *hypothesis
	for i := max(most-1, 0); i <= min(most+1, 2*count); i++ {
		if math.IsInf(score[i], 0) {
			continue
		}
		if h := at(step * float64(i-count)); best == nil || h.nats > best.nats {
			best = h
		}
	}
	for fine := step / 2; best.nats > promising && fine > nearStep; fine /= 2 {
		middle := best.Value * reach
		for _, by := range []float64{-fine, fine} {
			if h := at(middle + by); h.nats > best.nats {
				best = h
			}
		}
	}
	best.need = needLinear
	return best
}

// of returns the trial with some of its rows and their indices, without a fit; i counts the rows in the order of the
// log.
func (t *trial) of(some func(i int, r row) bool) (sub *trial, at []int) {
	c := *t
	sub = &c
	sub.rows, sub.heavy, sub.one, sub.normal, sub.oneOwn, sub.oneOwnOf = nil, nil, nil, nil, nil, nil
	var rows []row
	kept := make([]bool, len(t.rows))
	for i, k := range t.order.time {
		if kept[k] = some(i, t.rows[k]); kept[k] {
			rows = append(rows, t.rows[k])
		}
	}
	for k, is := range kept {
		if is {
			at = append(at, k)
		}
	}
	sub.rows, sub.order = newOrder(rows)
	return sub, at
}

// take returns some entries of a column; nil for a nil column.
func take(x []float64, at []int) []float64 {
	if x == nil {
		return nil
	}
	out := make([]float64, len(at))
	for i, k := range at {
		out[i] = x[k]
	}
	return out
}

// rivals is the largest number of shifts that are compared at all rows.
const rivals = 4

// shifted returns the best shift within reach, fitted to the rows that all shifts have, or nil if none is promising. In
// a motion that repeats itself, or whose second half mirrors the first, several shifts fit. Shifts after which friction
// drives the robot are left out. Of shifts that this log cannot tell apart, the smallest is returned, with the next one
// as its Length.
func (t *trial) shifted(reach, step float64) *hypothesis {
	count := 2*int(reach/step) + 1
	few, part := t.coarsely().away(reach)
	if part < 0.3 {
		return nil
	}
	score := few.scan(count, func(i int) [][]float64 {
		return few.torquesLater(t.delay + (float64(i)-float64(count/2))*step)
	})
	far := reach > nearShift
	peaks := peaksOf(score, score[count/2]+promising, int(nearShift/step))
	if len(peaks) == 0 {
		return nil
	}
	sub, part := t.away(reach)
	if part < 0.3 {
		return nil
	}
	sub.factors, sub.left = sub.design.reweighted(sub.y, t.factors.weights)
	sub.share = shares(sub.left, sub.y)
	sub.neff = scaled(part, t.neff)
	fine := 9
	if far {
		fine = 2*int(1.5*farStep/nearStep) + 1
	}
	var tried []*hypothesis
	for _, i := range peaks[:min(len(peaks), rivals)] {
		at := (float64(i) - float64(count/2)) * step
		near := sub.scan(fine, func(i int) [][]float64 {
			return sub.torquesLater(t.delay + at + (float64(i)-float64(fine/2))*nearStep)
		})
		k := slices.Index(near, slices.Max(near))
		if at += (float64(k) - float64(fine/2)) * nearStep; math.Abs(at) < 1e-9 {
			continue
		}
		y := sub.torquesLater(t.delay + at)
		h := sub.refitted(Cause{Kind: Recorder, Value: t.delay + at}, sub.design, y, nil, 0.5+math.Log(float64(count)/10))
		h.after = nil
		h.need = needLinear
		sub.chi = sub.factors.solve(sub.factors.project(one(y))).data
		if h.drives = sub.frictionDrives(); len(tried) > 0 && tried[0].drives != h.drives {
			if h.drives {
				continue
			}
			tried = nil
		}
		tried = append(tried, h)
	}
	if len(tried) == 0 {
		return nil
	}
	slices.SortStableFunc(tried, func(a, b *hypothesis) int { return cmp.Compare(b.nats, a.nats) })
	least := tried[0].nats - enoughNats
	tried = slices.DeleteFunc(tried, func(h *hypothesis) bool { return h.nats < least })
	slices.SortStableFunc(tried, func(a, b *hypothesis) int { return cmp.Compare(math.Abs(a.Value), math.Abs(b.Value)) })
	best := tried[0]
	if far && math.Abs(best.Value-t.delay) < nearShift-farStep {
		return nil // of a near one the nearer scan has more rows
	}
	if len(tried) > 1 {
		best.Length = tried[1].Value
	}
	return best
}

// peaksOf returns the indices of the local maxima above a value, the highest first. A maximum within apart of a higher
// one is left out.
func peaksOf(x []float64, above float64, apart int) []int {
	var at []int
	for i, v := range x {
		if v >= above && (i == 0 || v >= x[i-1]) && (i == len(x)-1 || v > x[i+1]) {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(x[b], x[a]) })
	var out []int
	for _, i := range at {
		if !slices.ContainsFunc(out, func(k int) bool { return max(i-k, k-i) <= apart }) {
			out = append(out, i)
		}
	}
	return out
}

// away returns the trial with the rows farther than reach from the ends of their tracks, and their part of all rows. It
// has the design and the torques, and also the fit if no row is left out.
func (t *trial) away(reach float64) (sub *trial, part float64) {
	sub, keep := t.of(func(_ int, r row) bool {
		tr := &t.tracks[r.track]
		return float64(r.at)*tr.dt > reach && float64(tr.n-r.at)*tr.dt > reach
	})
	if part = float64(len(keep)) / float64(len(t.rows)); part < 0.3 {
		return nil, part
	}
	at := t.stack(t.ownGravity(), nil, nil)
	for j := range at {
		for c, x := range at[j] {
			at[j][c] = take(x, keep)
		}
	}
	if t.whole {
		sub.order.together()
	}
	sub.design = newDesign(&sub.order, t.desk, at, t.joints, nil)
	sub.y = sub.torquesLater(t.delay)
	if t.whole {
		sub.fitWhole(t.factors.weights)
	}
	return sub, part
}

package causes

import (
	"math"
	"slices"

	"ident/internal/lanes"
	"ident/internal/spatial"
	"ident/regressor"
	"ident/robot"
)

// lateStep is the step in seconds for derivatives with respect to time.
const lateStep = 4e-3

// predict returns the torques of the fitted links for another motion, geometry or gravity.
func (t *trial) predict(r *robot.Robot, m motion, g [3]float64) [][]float64 {
	model := t.opt.models.under(r, g)
	out := make([][]float64, t.bodies.joints)
	for j := range out {
		out[j] = make([]float64, len(m.q[0]))
	}
	// Evaluating the model of a tree cannot fail.
	_ = regressor.NewTorques(model).Eval(out, regressor.Batch{Q: m.q, DQ: m.v, DDQ: m.a}, t.links)
	return out
}

// central returns (a - b)/step by joint.
func central(a, b [][]float64, step float64) [][]float64 {
	out := make([][]float64, len(a))
	for j := range a {
		if a[j] == nil {
			continue
		}
		out[j] = make([]float64, len(a[j]))
		for k := range a[j] {
			out[j][k] = (a[j][k] - b[j][k]) / step
		}
	}
	return out
}

// hatLater returns τ̂ at the given number of samples later.
func (t *trial) hatLater(later int) [][]float64 {
	m := t.motionAt(later)
	out := t.predict(nil, m, t.opt.Gravity)
	for i, mo := range t.motors {
		by := t.chi[len(t.base)+perMotor*i:]
		acc, vel := mo.rates(m.a, len(t.rows)), mo.rates(m.v, len(t.rows))
		sign := t.pick(later, func(tr *track) []float64 { return tr.friction[i*frictionKinds+signOf] })
		for j, w := range mo.weights {
			if w == 0 {
				continue
			}
			for k := range out[j] {
				out[j][k] += w * (by[rotor]*acc[k] + by[viscous]*vel[k] + by[coulomb]*sign[k])
			}
		}
	}
	return out
}

// only returns a column that is nonzero for joint j alone.
func (t *trial) only(j int, x []float64) [][]float64 {
	out := make([][]float64, t.bodies.joints)
	out[j] = x
	return out
}

// times multiplies all parts of a column by a signal.
func times(x [][]float64, by []float64) [][]float64 {
	out := make([][]float64, len(x))
	for j := range x {
		if x[j] == nil {
			continue
		}
		out[j] = make([]float64, len(by))
		for k := range by {
			out[j][k] = x[j][k] * by[k]
		}
	}
	return out
}

// list collects hypotheses in the fixed order of linear, which gives each its place. If wanted is not nil, it keeps only
// those at the wanted places.
type list struct {
	out    []*hypothesis
	next   int
	wanted map[int]bool
}

// asks reports whether any of the next n hypotheses is wanted; if not, it skips them.
func (l *list) asks(n int) bool {
	place, asked := l.reserve(n)
	if asked {
		l.next = place
	}
	return asked
}

// reserve skips the next n places, for put; asked reports whether any of them is wanted.
func (l *list) reserve(n int) (place int, asked bool) {
	place = l.next
	l.next += n
	for i := range n {
		asked = asked || l.wanted == nil || l.wanted[place+i]
	}
	return place, asked
}

func (l *list) add(h *hypothesis) *hypothesis {
	l.next++
	return l.put(l.next-1, h)
}

func (l *list) put(place int, h *hypothesis) *hypothesis {
	if h.place = place; l.wanted == nil || l.wanted[place] {
		l.out = append(l.out, h)
	}
	return h
}

// linear returns the hypotheses that are columns derived from the fit's own prediction, at the wanted places (nil for
// all).
func (t *trial) linear(wanted map[int]bool) []*hypothesis {
	out := &list{wanted: wanted}
	n := len(t.rows)
	add := func(kind string, joints []int, cols ...[][]float64) *hypothesis {
		return out.add(&hypothesis{Cause: Cause{Kind: kind, Joints: joints}, cols: cols, need: needLinear})
	}
	// at is the time of the logs scaled to 0 … 1; hot decays as the drives warm up.
	var hot, at []float64
	{
		first, last := math.Inf(1), math.Inf(-1)
		for _, r := range t.rows {
			first, last = min(first, r.t), max(last, r.t)
		}
		for _, r := range t.rows {
			u := (r.t - first) / max(last-first, 1e-9)
			at, hot = append(at, u), append(hot, math.Exp(-5*u))
		}
	}
	centred := make([]float64, n)
	for k, u := range at {
		centred[k] = u - 0.5
	}
	// Time.
	dt := t.tracks[0].dt
	step := max(1, int(math.Round(lateStep/dt)))
	after, before := t.hatLater(step), t.hatLater(-step)
	rate := central(after, before, 2*float64(step)*dt)
	add(Delay, nil, rate)
	for _, j := range t.joints {
		add(Delay, []int{j}, t.only(j, rate[j]))
	}
	add(Skew, nil, times(rate, centred))
	bend := make([][]float64, len(t.hat))
	for _, j := range t.joints {
		bend[j] = make([]float64, n)
		for k := range bend[j] {
			bend[j][k] = (after[j][k] - 2*t.hat[j][k] + before[j][k]) / (float64(step*step) * dt * dt)
		}
	}
	add(Bandwidth, nil, bend).nuisance = true
	if out.asks(4) { // torques of rotors and friction scale with the rates, those of the links without gravity with their squares
		clock := make([][]float64, len(t.hat))
		for j, x := range t.rest.torques(t.links) {
			clock[j] = make([]float64, n)
			lanes.Axpy(clock[j][:len(x)], 2, x)
		}
		for m, mo := range t.motors {
			by := t.chi[len(t.base)+perMotor*m:]
			acc, vel := mo.rates(t.motion.a, n), mo.rates(t.motion.v, n)
			for j, w := range mo.weights {
				if w != 0 {
					lanes.Axpy(clock[j], 2*w*by[rotor], acc)
					lanes.Axpy(clock[j], w*by[viscous], vel)
				}
			}
		}
		add(Clock, nil, clock)
		for _, from := range []float64{0.25, 0.5, 0.75} {
			add(ClockStep, nil, times(clock, since(at, from))).Length = from
		}
	}
	// Hypotheses about scales, gravity and friction of the torques.
	var scales, loads [][][]float64
	cubes := make([][]float64, len(t.hat))
	for _, j := range t.joints {
		x := t.hat[j]
		most := 0.0
		for _, v := range x {
			most = max(most, math.Abs(v))
		}
		up, cube, rub := make([]float64, n), make([]float64, n), make([]float64, n)
		sign := t.drive[j*frictionKinds+signOf]
		for k, v := range x {
			up[k] = max(v, 0)
			cube[k] = v * v * v / max(most*most, 1e-12)
			rub[k] = math.Abs(v) * sign[k]
		}
		cubes[j] = cube
		scale := t.only(j, x)
		scales = append(scales, scale)
		loads = append(loads, t.only(j, rub))
		add(Scale, []int{j}, scale)
		one := t.only(j, up)
		add(Asymmetry, []int{j}, one)
		add(Asymmetry, []int{j}, one, scale)
		add(Saturated, []int{j}, t.only(j, cube))
		if out.asks(1) {
			add(Curve, []int{j}, t.broken(j, x)...)
		}
		if fastest := lanes.MaxAbs(t.motion.v[j]); t.moves[j] && fastest > 0 {
			fast := make([]float64, n)
			for k, v := range t.motion.v[j] {
				fast[k] = x[k] * math.Abs(v) / fastest
			}
			add(SpeedScale, []int{j}, t.only(j, fast))
		}
		h := add(LoadFriction, []int{j}, t.only(j, rub))
		h.nuisance = true
		for _, of := range []int{j - 1, j + 1} {
			if of >= 0 && of < t.bodies.joints && t.hat[of] != nil {
				add(Talks, []int{j, of}, t.only(j, t.hat[of]))
			}
		}
	}
	add(Scale, nil, scales...).need = needAllScales
	add(Saturated, nil, cubes)
	// Hypotheses about warming and drift.
	rub, cooling := make([][]float64, len(t.hat)), [][][]float64{}
	all := [][][]float64{}
	drifting := [][][]float64{}
	for _, j := range t.joints {
		f := t.frictionOf(j)
		rub[j] = make([]float64, n)
		for k := range n {
			rub[j][k] = centred[k] * f[k]
		}
		cold := t.only(j, make([]float64, n))
		stick := t.only(j, make([]float64, n))
		ramp := t.only(j, centred)
		sign := t.drive[j*frictionKinds+signOf]
		for k := range n {
			cold[j][k] = hot[k] * f[k]
			stick[j][k] = hot[k] * sign[k]
		}
		cooling, all, drifting = append(cooling, cold), append(all, stick), append(drifting, ramp)
		add(Warming, []int{j}, cold)
		add(Drift, []int{j}, ramp)
	}
	add(Warming, nil, rub)
	add(Warming, nil, sum(cooling))
	add(Warming, nil, all...)
	add(Drift, nil, drifting...).need = needAllScales
	add(ScaleDrift, nil, times(t.hat, centred))
	// Gravity.
	axes := t.axes(t.links)
	gravity := make([][]float64, len(t.hat))
	for _, j := range t.joints {
		gravity[j] = make([]float64, n)
		for i := range axes {
			lanes.Axpy(gravity[j], t.opt.Gravity[i], axes[i][j])
		}
	}
	if g := t.opt.Gravity; norm3(g) > 0 {
		// A change of gravity's size looks like a clock, so only its direction is tested.
		a, b := across(g)
		add(GravityVector, nil, combined(axes, a), combined(axes, b))
		for _, links := range [][]float64{t.links, t.file()} {
			if len(links) == 0 || !out.asks(slipTimes) {
				continue
			}
			tip := tipped(t.axes(links), g)
			for i := range slipTimes {
				from := float64(i+1) / (slipTimes + 1)
				var cols [][][]float64
				for _, x := range tip {
					cols = append(cols, times(x, since(at, from)))
				}
				h := add(TiltStep, nil, cols...)
				h.Value, h.OfFile = from, len(t.links) == 0 || &links[0] != &t.links[0]
			}
		}
	} else {
		add(GravityVector, nil, axes...)
	}
	for _, j := range t.joints {
		add(GravityOf, []int{j}, t.only(j, gravity[j]))
	}
	add(ScaleDrift, nil, times(gravity, centred))
	if file := t.file(); file != nil {
		pull := make(columns, len(t.rest))
		for j := range pull {
			pull[j] = make([][]float64, len(t.rest[j]))
		}
		of := withGravity(pull, t.pull, t.opt.Gravity, nil).torques(file)
		for j := range of {
			if of[j] == nil {
				of[j] = make([]float64, n)
			}
		}
		add(GravityOf, nil, of)
		for _, j := range t.joints {
			add(GravityOf, []int{j}, t.only(j, of[j]))
		}
	}
	t.places(out, at)
	t.loads(out, at)
	t.attached(out)
	// Effects of drives and gears that are not faults.
	for m := range t.motors {
		j := t.motors[m].own
		if t.motors[m].weights[j] == 0 || t.hat[j] == nil || !t.moves[j] {
			continue
		}
		var cols [][][]float64
		for _, kind := range []int{sizeOf, squareOf, stribeckOf} {
			cols = append(cols, t.only(j, t.drive[m*frictionKinds+kind]))
		}
		h := add(Friction, []int{j}, cols...)
		h.nuisance = true
		for _, order := range []float64{6, 8, 12} {
			s, c := make([]float64, n), make([]float64, n)
			for k, q := range t.motion.q[j] {
				s[k], c[k] = math.Sin(order*q), math.Cos(order*q)
			}
			h := add(Ripple, []int{j}, t.only(j, s), t.only(j, c))
			h.nuisance = true
		}
	}
	add(LoadFriction, nil, loads...).nuisance = true
	return out.out
}

// attached adds the hypotheses about what a joint is attached to besides its links: a spring, cord or hose, whose torque is any broken line
// of the position, or the drive of another joint.
func (t *trial) attached(out *list) {
	for _, j := range t.joints {
		if !out.asks(1) {
			continue
		}
		out.add(&hypothesis{Cause: Cause{Kind: Spring, Joints: []int{j}}, cols: t.broken(j, t.motion.q[j]), need: needLinear})
	}
	for i, a := range t.joints {
		for _, b := range t.joints[i+1:] {
			if b > a+2 { // the motors of a wrist sit in the forearm
				break
			}
			for _, sign := range []float64{1, -1} {
				if out.asks(1) {
					out.add(t.coupled(a, b, sign, false))
				}
			}
		}
	}
}

// pieces is the number of straight pieces of a broken line, each over the same number of rows.
const pieces = 5

// broken returns the columns of a broken line of x, which acts on joint j.
func (t *trial) broken(j int, x []float64) (out [][][]float64) {
	sorted := slices.Sorted(slices.Values(x))
	for i := range pieces {
		from, bend := sorted[i*len(x)/pieces], make([]float64, len(x))
		for k, v := range x {
			bend[k] = max(v-from, 0)
		}
		out = append(out, t.only(j, bend))
	}
	return out
}

// coupled returns the hypothesis that the drive of joint b turns with the sum of joints a and b, the latter times sign. Its torque acts on
// both, or has a size of its own on each if the torques are those of the motors: apart.
func (t *trial) coupled(a, b int, sign float64, apart bool) *hypothesis {
	m := motor{weights: make([]float64, t.bodies.joints), own: b}
	m.weights[a], m.weights[b] = 1, sign
	n := len(t.rows)
	rate := m.rates(t.motion.v, n)
	on := make([][]float64, len(t.tracks)) // the sign of the rate at all samples, behind the low-pass
	for i := range t.tracks {
		tr := &t.tracks[i]
		on[i] = m.rates(tr.v, tr.n)
		slow := max(slowShare*rms(on[i]), math.SmallestNonzeroFloat64)
		for k, x := range on[i] {
			on[i][k] = x / max(math.Abs(x), slow)
		}
	}
	h := &hypothesis{Cause: Cause{Kind: Coupling, Joints: []int{a, b}, Value: sign}, need: needLinear}
	for _, x := range [][]float64{m.rates(t.motion.a, n), rate, t.filtered(on)} {
		on, after := t.only(a, x), t.only(b, scaled(sign, x))
		if apart {
			h.cols = append(h.cols, on, after)
			continue
		}
		on[b] = after[b]
		h.cols = append(h.cols, on)
	}
	return h
}

// axes returns the torques of links under unit gravity along each axis of the base, by joint. If all axes of a robot are vertical, a fit does not
// determine what bodies weigh under other gravity: links should then be those of the file.
func (t *trial) axes(links []float64) (out [][][]float64) {
	for i := range t.pull {
		pull := t.pull[i].torques(links)
		for j := range pull {
			if pull[j] == nil {
				pull[j] = make([]float64, len(t.rows))
			}
		}
		out = append(out, pull)
	}
	return out
}

// tipped returns the torques under gravity of the size of g along two axes across it, and along g, from those along the axes of the base: gravity that
// is turned by an angle is a sum of the three.
func tipped(axes [][][]float64, g [3]float64) [][][]float64 {
	a, b := across(g)
	return [][][]float64{combined(axes, spatial.Scale(norm3(g), a)), combined(axes, spatial.Scale(norm3(g), b)), combined(axes, g)}
}

// slipTimes is the number of times at which a slip, and a base that tips, are tried.
const slipTimes = 9

// eccentric returns the errors of a joint's position that follow its own angle, by one and two turns of an encoder that is not centred.
func (m motion) eccentric(j int) (out []*path) {
	for order := 1.0; order <= 2; order++ {
		s, c := new(path), new(path)
		for k, q := range m.q[j] {
			sin, cos := math.Sincos(order * q)
			v, a := order*m.v[j][k], order*m.a[j][k]
			s.q, s.v, s.a = append(s.q, sin), append(s.v, cos*v), append(s.a, cos*a-sin*v*v)
			c.q, c.v, c.a = append(c.q, cos), append(c.v, -sin*v), append(c.a, -sin*a-cos*v*v)
		}
		out = append(out, s, c)
	}
	return out
}

// places adds the hypotheses about positions and geometry. One pass over the rows computes all derivatives. at is the time in parts of the
// log.
func (t *trial) places(out *list, at []float64) {
	var changes []change
	var made []func(of [][][]float64) // hypotheses, of their derivatives among all
	demand := func(then func(of [][][]float64), those ...change) {
		from := len(changes)
		changes = append(changes, those...)
		made = append(made, func(of [][][]float64) { then(of[from : from+len(those)]) })
	}
	ask := func(kind changeKind, link, axes int, then func(of [][][]float64)) {
		var those []change
		for axis := range axes {
			those = append(those, change{kind: kind, link: link, axis: axis})
		}
		demand(then, those...)
	}
	// bent asks for the torques of another path of a joint, with those of its drive.
	bent := func(j int, then func(of [][][]float64), paths ...*path) {
		var those []change
		for _, p := range paths {
			those = append(those, change{kind: pathChange, link: t.bodies.links[j], path: p})
		}
		demand(func(of [][][]float64) {
			by := t.chi[len(t.base)+perMotor*j:]
			for i, p := range paths {
				lanes.Axpy(of[i][j], by[rotor], p.a)
				lanes.Axpy(of[i][j], by[viscous], p.v)
			}
			then(of)
		}, those...)
	}
	put := func(place int, kind string, joints []int, cols ...[][]float64) *hypothesis {
		return out.put(place, &hypothesis{Cause: Cause{Kind: kind, Joints: joints}, cols: cols, need: needLinear})
	}
	var moving []int
	for j, is := range t.moves {
		if is {
			moving = append(moving, j)
		}
	}
	all, together := out.reserve(1)
	var zeros [][][]float64
	for _, j := range moving {
		slips, slipped := out.reserve(slipTimes)
		if place, asked := out.reserve(1); asked || together || slipped {
			ask(zeroChange, t.bodies.links[j], 1, func(of [][][]float64) {
				zeros = append(zeros, of[0])
				put(place, Zero, []int{j}, of[0])
				for i := range slipTimes {
					from := float64(i+1) / (slipTimes + 1)
					put(slips+i, Slip, []int{j}, times(of[0], since(at, from))).Value = from
				}
			})
		}
		if place, asked := out.reserve(1); asked {
			bent(j, func(of [][][]float64) { put(place, Gear, []int{j}, of[0]) }, &path{t.motion.q[j], t.motion.v[j], t.motion.a[j]})
		}
		for _, of := range []int{j - 1, j + 1} {
			if of < 0 || of >= t.bodies.joints || !t.moves[of] {
				continue
			}
			if place, asked := out.reserve(1); asked {
				bent(j, func(d [][][]float64) { put(place, Mixed, []int{j, of}, d[0]) }, &path{t.motion.q[of], t.motion.v[of], t.motion.a[of]})
			}
		}
		if place, asked := out.reserve(1); asked && t.bodies.robot.Links[t.bodies.links[j]].Joint.Kind == robot.Revolute {
			bent(j, func(of [][][]float64) { put(place, Eccentric, []int{j}, of...) }, t.motion.eccentric(j)...)
		}
	}
	for j, link := range t.bodies.links {
		if j == 0 {
			continue // the base's own placement is gravity's
		}
		if place, asked := out.reserve(1); asked {
			ask(shiftChange, link, 3, func(of [][][]float64) { put(place, Geometry, []int{j}, of...) })
		}
		if place, asked := out.reserve(1); asked {
			ask(turnChange, link, 2, func(of [][][]float64) { put(place, Geometry, []int{j}, of...) })
		}
	}
	if len(changes) == 0 {
		return
	}
	of := t.derivatives(changes)
	for _, hypotheses := range made {
		hypotheses(of)
	}
	if together {
		put(all, Zero, moving, zeros...)
	}
}

// across returns two unit vectors orthogonal to g and to each other.
func across(g [3]float64) (a, b [3]float64) {
	least := 0
	for i := range g {
		if math.Abs(g[i]) < math.Abs(g[least]) {
			least = i
		}
	}
	var e [3]float64
	e[least] = 1
	a = spatial.Cross(g, e)
	a = spatial.Scale(1/spatial.Norm(a), a)
	b = spatial.Cross(g, a)
	return a, spatial.Scale(1/spatial.Norm(b), b)
}

// combined returns a weighted sum of columns.
func combined(cols [][][]float64, by [3]float64) [][]float64 {
	out := make([][]float64, len(cols[0]))
	for j := range out {
		out[j] = make([]float64, len(cols[0][j]))
		for i, w := range by {
			for k, v := range cols[i][j] {
				out[j][k] += w * v
			}
		}
	}
	return out
}

// since returns a column that is 1 from the given fraction of the log on and 0 before.
func since(at []float64, from float64) []float64 {
	out := make([]float64, len(at))
	for k, u := range at {
		if u >= from {
			out[k] = 1
		}
	}
	return out
}

// sum adds columns.
func sum(cols [][][]float64) [][]float64 {
	if len(cols) == 0 {
		return nil
	}
	out := make([][]float64, len(cols[0]))
	for _, c := range cols {
		for j, x := range c {
			if x == nil {
				continue
			}
			if out[j] == nil {
				out[j] = make([]float64, len(x))
			}
			for k, v := range x {
				out[j][k] += v
			}
		}
	}
	return out
}

// ofLink returns the torques of a parameter of the link that joint j moves, by joint; nil if the link does not have it.
func (t *trial) ofLink(all columns, j, param int) [][]float64 {
	link := t.bodies.links[j]
	for c, col := range t.bodies.rest.Columns() {
		if col.Link == link && col.Param == param {
			return t.filled(all, c)
		}
	}
	return nil
}

// filled returns a column by joint, with zeros where a joint does not have it.
func (t *trial) filled(of columns, c int) [][]float64 {
	x := make([][]float64, len(of))
	for j := range of {
		if x[j] = of[j][c]; x[j] == nil {
			x[j] = make([]float64, len(t.rows))
		}
	}
	return x
}

// carried returns the torques of a mass and of its first moments in the link that joint j moves.
func (t *trial) carried(all columns, j int) [][][]float64 {
	return t.parameters(all, j, robot.M, robot.MX, robot.MY, robot.MZ)
}

// body does the same as carried, with the moments of inertia.
func (t *trial) body(all columns, j int) [][][]float64 {
	return t.parameters(all, j, robot.M, robot.MX, robot.MY, robot.MZ, robot.XX, robot.YY, robot.ZZ)
}

// parameters returns the torques of those parameters of the link that joint j moves that it has.
func (t *trial) parameters(all columns, j int, params ...int) (out [][][]float64) {
	for _, param := range params {
		if x := t.ofLink(all, j, param); x != nil {
			out = append(out, x)
		}
	}
	return out
}

// forces returns the torques of unit forces at the last frame along the axes of the base; nil if the last link has no mass.
func (t *trial) forces() (out [][][]float64) {
	last := t.bodies.links[len(t.bodies.links)-1]
	for c, col := range t.bodies.rest.Columns() {
		if col.Link == last && col.Param == robot.M {
			for axis := range 3 {
				out = append(out, t.filled(t.pull[axis], c))
			}
		}
	}
	return out
}

// loads adds the hypotheses about what the last link carries and touches, and beside an earlier result about what the others carry.
func (t *trial) loads(out *list, at []float64) {
	n := len(t.rows)
	all := t.ownGravity()
	last := len(t.bodies.links) - 1
	carried := t.carried(all, last)
	add := func(kind string, value float64, by []float64, of [][][]float64) *hypothesis {
		h := &hypothesis{Cause: Cause{Kind: kind, Value: value}, need: needLinear}
		for _, c := range of {
			h.cols = append(h.cols, times(c, by))
		}
		return out.add(h)
	}
	for i := 1; i <= 9; i++ {
		if !out.asks(1) {
			continue
		}
		from := float64(i) / 10
		add(Payload, from, since(at, from), carried)
	}
	add(Payload, 0, at, carried)
	logs := map[int]bool{}
	for _, r := range t.rows {
		logs[t.tracks[r.track].log] = true
	}
	whole := t.body(all, last) // a load that is there from the beginning turns with all motions
	first := 1                 // a free fit takes the load of the first log for a part of the robot
	if t.desk.trained != nil {
		first = 0
	}
	for l := first; l < len(logs); l++ {
		by := make([]float64, n)
		for k, r := range t.rows {
			if t.tracks[r.track].log == l {
				by[k] = 1
			}
		}
		add(PayloadOfLog, float64(l), by, whole)
		for j := range last {
			if t.desk.trained != nil && out.asks(1) {
				add(PayloadOfLog, float64(l), by, append(t.body(all, j), t.parameters(all, j, robot.XY, robot.XZ, robot.YZ)...)).Joints = []int{j}
			}
		}
	}
	force := t.forces()
	if force == nil {
		return
	}
	for _, length := range []float64{0.1, 0.15, 0.2} {
		for from := 0.0; from+length <= 1+1e-9; from += length / 2 {
			if !out.asks(1) {
				continue
			}
			by := make([]float64, n)
			for k, u := range at {
				if u >= from && u < from+length {
					by[k] = 1
				}
			}
			add(Contact, from, by, force).Length = length
		}
	}
	if !out.asks(2) {
		return
	}
	// Drag: a force opposite to the point's velocity, in space and in the plane normal to gravity. Columns of force are
	// -Jᵀ.
	v := make([][]float64, 3)
	for axis := range 3 {
		v[axis] = make([]float64, n)
		for j := range t.bodies.joints {
			for k, x := range force[axis][j] {
				v[axis][k] += x * t.motion.v[j][k]
			}
		}
	}
	g := t.opt.Gravity
	size := math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2])
	for _, plane := range []bool{false, true} {
		if plane && size == 0 {
			continue
		}
		drag := make([][]float64, t.bodies.joints)
		for j := range drag {
			drag[j] = make([]float64, n)
		}
		typical := 0.0
		for k := range n {
			typical += math.Sqrt(v[0][k]*v[0][k]+v[1][k]*v[1][k]+v[2][k]*v[2][k]) / float64(n)
		}
		for k := range n {
			u := [3]float64{v[0][k], v[1][k], v[2][k]}
			if plane {
				along := spatial.Dot(u, g) / (size * size)
				u = spatial.AddScaled(u, -along, g)
			}
			speed := max(spatial.Norm(u), slowShare*typical, 1e-12)
			for j := range drag {
				for axis := range 3 {
					drag[j][k] += force[axis][j][k] * u[axis] / speed
				}
			}
		}
		out.add(&hypothesis{Cause: Cause{Kind: Drag}, cols: [][][]float64{drag}, need: needLinear})
	}
}

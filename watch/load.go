package watch

import (
	"math"
	"slices"

	"ident/internal/triangle"
	"ident/regressor"
	"ident/robot"
)

// massAt and momentsAt are the places of the mass and of the first moments among the parameters of a body.
const massAt, momentsAt = 9, 6

// bodyPrior is the diagonal of the information that a body is known by before it is weighed: inertias of 0.5 kg·m²,
// first moments of 2 kg·m, 100 kg.
var bodyPrior = []float64{4, 4, 4, 4, 4, 4, 0.25, 0.25, 0.25, 1e-4}

// forcePrior is the same for a force at the tip, 10 kN, and for a change of friction, 10 kN·m.
var forcePrior = []float64{1e-8, 1e-8, 1e-8}

// load weighs a body at the tip: by weighted least squares on the observer's values, with the body's regressor through
// the same filter.
type load struct {
	rows   *regressor.Model
	ws     *regressor.Workspace
	d1, d2 *regressor.Block
	in     regressor.Batch
	pose1  *regressor.Block // of the momenta that noise of velocities is taken for: see poses
	pose2  *regressor.Block
	link   int
	cov    [][]float64
	// friction is, by joint, the deviation of its friction since it was identified.
	friction [][slipUnknowns]float64

	running      bool
	a            [][]float64 // by parameter and joint: filtered regressor
	last1, last2 [][]float64

	rivals  *rivals
	mean    means       // of the rows that the sums have not taken yet
	sum     *sums       // since the present load began
	past    *sums       // the earlier part of sum; the later part must agree with it
	before  Body        // the body of past, with gains taken for exact; its Sigma is 0 if past is empty
	carried []float64   // taken off
	base    []float64   // carried when the sums began
	said    Body        // of the newest event, as far as it is known since
	since   float64     // it was picked up
	spread  [][]float64 // covariance of the carried body beside exact gains; nil for none
	gains   []float64   // by joint: what a relative error of its gain makes of the carried mass, kg
	unsure  []float64   // by joint: relative deviation of its gain; nil for none
	doubt   []float64   // by joint: variance of its torque
	density []float64   // by joint: spectral density of e at low frequencies, s
}

// sums are normal equations of the load and of what may be taken for it.
type sums struct {
	seconds float64
	values  float64  // how many
	each    []normal // by joint: of the body's parameters, then of a change of the joint's friction
	square  float64
	cross   [][][]float64 // by joint: these unknowns × columns of the model
	own     []float64     // square, by joint
	moved   [2][]float64
	links   []linkSums
	all     [][]float64 // the numbers of all of these
}

// newSums returns empty sums.
func newSums(joints, columns, links int) *sums {
	s := &sums{}
	list := func(n int) []float64 {
		s.all = append(s.all, make([]float64, n))
		return s.all[len(s.all)-1]
	}
	equations := func(n int) (x normal) {
		x.b = list(n)
		for range n {
			x.a = append(x.a, list(n))
		}
		return x
	}
	s.own, s.moved = list(joints), [2][]float64{list(joints), list(joints)}
	for range joints {
		s.each = append(s.each, equations(jointUnknowns))
		var cross [][]float64
		for range jointUnknowns {
			cross = append(cross, list(columns))
		}
		s.cross = append(s.cross, cross)
	}
	for range links {
		s.links = append(s.links, linkSums{equations(12), equations(12), equations(12)})
	}
	return s
}

// add adds a multiple of other sums.
func (s *sums) add(sign float64, of *sums) {
	s.seconds, s.values, s.square = s.seconds+sign*of.seconds, s.values+sign*of.values, s.square+sign*of.square
	for i, x := range of.all {
		for k, v := range x {
			s.all[i][k] += sign * v
		}
	}
}

func (s *sums) clear() {
	s.seconds, s.values, s.square = 0, 0, 0
	for _, x := range s.all {
		clear(x)
	}
}

// A change of a joint's friction has three unknowns, behind those of a body: Coulomb, viscous, offset.
const slipUnknowns, jointUnknowns = 3, robot.NumInertial + slipUnknowns

// body returns the normal equations of a body alone.
func (s *sums) body() normal {
	x, _ := s.beside(nil)
	return x
}

// friction returns the normal equations of a change of a joint's friction alone.
func (s *sums) friction(joint int) normal {
	x := normal{b: s.each[joint].b[robot.NumInertial:]}
	for _, row := range s.each[joint].a[robot.NumInertial:] {
		x.a = append(x.a, row[robot.NumInertial:])
	}
	return x
}

// beside returns the normal equations of a body beside changes of the friction of some joints, and the place of each of a joint's unknowns in them, -1
// for none.
func (s *sums) beside(slips []int) (x normal, at [][jointUnknowns]int) {
	x = newNormal(robot.NumInertial + slipUnknowns*len(slips))
	for j := range s.each {
		var to [jointUnknowns]int
		for i := range to {
			to[i] = i
			if k := slices.Index(slips, j); i >= robot.NumInertial && k < 0 {
				to[i] = -1
			} else if i >= robot.NumInertial {
				to[i] = i + slipUnknowns*k
			}
		}
		at = append(at, to)
		for i, r := range to {
			if r < 0 {
				continue
			}
			x.b[r] += s.each[j].b[i]
			for k, c := range to[:i+1] {
				if c >= 0 {
					x.a[r][c] += s.each[j].a[i][k]
				}
			}
		}
	}
	return x, at
}

// means are sums of the newest rows, which [load.gather] divides, by joint.
type means struct {
	rows              int
	y, v, side, bound []float64
	a, w              [][]float64 // by body parameter and joint; by joint and column of its mask
}

func (g *means) clear() {
	g.rows = 0
	for _, x := range [][]float64{g.y, g.v, g.side, g.bound} {
		clear(x)
	}
	for _, rows := range [][][]float64{g.a, g.w} {
		for _, x := range rows {
			clear(x)
		}
	}
}

// normal are the normal equations of a few parameters.
type normal struct {
	a [][]float64
	b []float64
}

func newNormal(n int) normal {
	x := normal{b: make([]float64, n)}
	for range n {
		x.a = append(x.a, make([]float64, n))
	}
	return x
}

// add takes in a row with a weight.
func (x *normal) add(row []float64, y, weight float64) {
	for i := range x.b {
		for k := range i + 1 {
			x.a[i][k] += weight * row[i] * row[k]
		}
		x.b[i] += weight * row[i] * y
	}
}

// solve returns the solution, the inverse, and the square that the solution explains. prior is added to the diagonal.
func (x *normal) solve(prior []float64) (theta []float64, inverse [][]float64, explained float64) {
	n := len(x.b)
	l := make([][]float64, n)
	for i := range n {
		l[i] = slices.Clone(x.a[i][:i+1])
		l[i][i] += prior[i]
	}
	triangle.Lower(l, func(_ int, square float64) float64 { return math.Sqrt(max(square, 1e-300)) })
	theta = slices.Clone(x.b)
	triangle.SolveLower(l, theta)
	for i := range n {
		unit := make([]float64, n)
		unit[i] = 1
		triangle.SolveLower(l, unit)
		inverse = append(inverse, unit)
		explained += theta[i] * x.b[i]
	}
	return theta, inverse, explained
}

// explains returns the square that given values explain.
func (x *normal) explains(theta []float64) float64 {
	e := 0.0
	for i, t := range theta {
		e += 2 * t * x.b[i]
		for k, u := range theta {
			e -= t * u * x.a[max(i, k)][min(i, k)]
		}
	}
	return e
}

// newLoad prepares the weighing of a body at the tip; nil where the model of the links does not hold one.
func newLoad(m Model, w *Watcher) (*load, error) {
	full, err := regressor.NewDynamic(m.Robot, []regressor.Term{regressor.Links})
	if err != nil {
		return nil, err
	}
	d := &load{link: tipLink(m.Robot, w.tip.Link), cov: m.Covariance}
	var columns []int
	for c, col := range full.Columns() {
		if col.Link == d.link {
			columns = append(columns, c)
		}
	}
	if len(columns) != robot.NumInertial || full.Joints() != len(w.names) || w.tree.DOF() != len(w.names) {
		return nil, nil
	}
	d.rows = full.Select(columns).Compiled()
	d.ws, d.d1, d.d2 = d.rows.NewWorkspace(), d.rows.NewBlock(1), d.rows.NewBlock(1)
	n := len(w.names)
	d.pose1, d.pose2 = d.rows.NewBlock(n), d.rows.NewBlock(n)
	for range n {
		d.in.Q, d.in.DQ, d.in.DDQ = append(d.in.Q, make([]float64, 1)), append(d.in.DQ, make([]float64, 1)), append(d.in.DDQ, make([]float64, 1))
	}
	for range columns {
		d.a, d.last1, d.last2 = append(d.a, make([]float64, n)), append(d.last1, make([]float64, n)), append(d.last2, make([]float64, n))
	}
	d.carried, d.base, d.density, d.doubt = make([]float64, len(columns)), make([]float64, len(columns)), w.noise.Density, make([]float64, n)
	d.mean = means{y: make([]float64, n), v: make([]float64, n), side: make([]float64, n), bound: make([]float64, n)}
	for range columns {
		d.mean.a = append(d.mean.a, make([]float64, n))
	}
	for _, x := range w.o.w {
		d.mean.w = append(d.mean.w, make([]float64, len(x)))
	}
	d.unsure, d.friction = m.GainSigma, frictionOf(w.o)
	links := m.Torques.JointLinks()
	d.rivals = newRivals(w, links, m.Robot.Gravity)
	d.sum, d.past = newSums(n, len(m.Values), len(links)), newSums(n, len(m.Values), len(links))
	return d, nil
}

// sigma returns the standard deviation of the carried mass, with what the gains add.
func (d *load) sigma() float64 { return math.Hypot(math.Sqrt(d.spread[massAt][massAt]), d.byGains()) }

// byGains returns the largest deviation that the gains may add to the carried mass: those that one load has calibrated are all wrong alike.
func (d *load) byGains() (sum float64) {
	for j, g := range d.gains {
		sum += d.unsure[j] * math.Abs(g)
	}
	return sum
}

// take makes the body that was weighed beside the one before the carried one.
func (d *load) take(of *weighing) {
	d.spread, d.gains = of.cov, of.gains
	for i, v := range of.theta {
		d.carried[i] = d.base[i] + v
	}
}

// centre returns the carried body's centre of mass in the frame of the link that carries it, m.
func (d *load) centre() *[3]float64 {
	return &[3]float64{d.carried[momentsAt] / d.carried[massAt], d.carried[momentsAt+1] / d.carried[massAt], d.carried[momentsAt+2] / d.carried[massAt]}
}

// moves reports whether a weighing beside the carried body, whose mass is known, moves its centre.
func (d *load) moves(of *weighing) bool {
	for i := momentsAt; i < massAt; i++ {
		if d.spread != nil && math.Abs(of.theta[i]) > 6*math.Sqrt(of.cov[i][i]) {
			return true
		}
	}
	return false
}

// begin forgets the sums: a further body is weighed beside the one that is carried.
func (d *load) begin() {
	copy(d.base, d.carried)
	d.mean.clear()
	d.rivals.clearMean()
	d.sum.clear()
	d.past.clear()
	d.before = Body{}
	if d.spread != nil {
		d.before = Body{Mass: d.carried[massAt], Sigma: math.Sqrt(d.spread[massAt][massAt])}
	}
}

// mass returns the mass of a body that was weighed beside the one before, beside exact gains.
func (d *load) mass(of *weighing) Body {
	return Body{Mass: d.base[massAt] + of.theta[massAt], Sigma: math.Sqrt(of.cov[massAt][massAt])}
}

// agrees reports whether the newest part of the sums has the mass of what came before, within three deviations: a hand that helped has left otherwise.
func (d *load) agrees() bool {
	if d.before.Sigma == 0 || d.sum.seconds-d.past.seconds < weighSeconds {
		return true
	}
	d.sum.add(-1, d.past)
	now := d.mass(d.estimate())
	d.sum.add(1, d.past)
	return math.Abs(now.Mass-d.before.Mass) <= 3*math.Hypot(now.Sigma, d.before.Sigma)
}

// renew forgets what came before the newest part of the sums.
func (d *load) renew() {
	d.sum.add(-1, d.past)
	d.past.clear()
	d.before = Body{}
}

// part begins another newest part of the sums, if this one is as long as what came before, and reports whether both are there.
func (d *load) part() bool {
	if d.sum.seconds < max(2*d.past.seconds, partSeconds) {
		return false
	}
	both := d.past.seconds > 0
	d.past.clear()
	d.past.add(1, d.sum)
	d.before = d.mass(d.estimate())
	return both
}

// partSeconds is the length of the first part of the sums.
const partSeconds = 0.5

// follow weighs the carried body on. What a hand that left while it was weighed has explained goes as soon as what follows contradicts it. It reports
// whether a part that follows has confirmed the mass.
func (d *load) follow() bool {
	if !d.agrees() {
		d.renew()
		d.take(d.estimate())
	} else if of := d.estimate(); d.spread == nil || of.cov[massAt][massAt] <= 4*d.spread[massAt][massAt] {
		d.take(of)
		return d.part()
	}
	return false
}

// idle reports whether no body is carried and none is suspected.
func (d *load) idle(w *Watcher) bool {
	return !d.carries() && !w.episode.on
}

// carries reports whether a body is carried.
func (d *load) carries() bool {
	return slices.ContainsFunc(d.carried, func(v float64) bool { return v != 0 })
}

// step filters the body's regressor at a row, while a body is carried or suspected.
func (d *load) step(w *Watcher, c Columns, k int) {
	if !w.episode.on {
		d.rivals.running = false
	}
	if d.idle(w) {
		d.running = false
		return
	}
	h := w.o.k / w.noise.RateHz / 2
	pole, gain, slope := (1-h)/(1+h), h/(1+h), w.o.k/(1+h)
	if w.o.jolt.quick {
		// The body's part of the motion that the rows do not resolve.
		d.rows.EvalMomentum(d.pose1, d.pose2, w.o.jolt.in, d.ws)
		for j := range d.in.Q {
			for row := range d.in.Q {
				sum := 0.0
				for i, p := range d.rows.Mask(j) {
					sum += d.pose1.Joint[j][i][row] * d.carried[p]
				}
				w.o.bound[j] += slope * math.Abs(sum)
			}
		}
	}
	for j := range d.in.Q {
		d.in.Q[j][0], d.in.DQ[j][0] = c.Q[j][k], c.DQ[j][k]
	}
	d.rows.EvalMomentum(d.d1, d.d2, d.in, d.ws)
	for j := range d.in.Q {
		for i, p := range d.rows.Mask(j) {
			d1, d2 := d.d1.Joint[j][i][0], d.d2.Joint[j][i][0]
			if !d.running {
				d.a[p][j] = d2
			} else {
				d.a[p][j] = pole*d.a[p][j] + gain*(d2+d.last2[p][j]) + slope*(d1-d.last1[p][j])
			}
			d.last1[p][j], d.last2[p][j] = d1, d2
		}
	}
	d.running = true
	if w.episode.on {
		w.at = w.at[:0]
		for j := range c.Q {
			w.at = append(w.at, c.Q[j][k])
		}
		d.rivals.step(w.at, pole, gain)
	}
	if d.spread == nil || w.rows%covarianceRows != 0 {
		return
	}
	for j := range d.doubt {
		d.doubt[j] = 0
		for p := range d.a {
			for q := range d.a {
				d.doubt[j] += d.a[p][j] * d.spread[p][q] * d.a[q][j]
			}
		}
	}
}

// drop puts the carried body down.
func (d *load) drop() {
	clear(d.carried)
	clear(d.doubt)
	d.spread = nil
}

// torque returns what the carried body takes of joint j. The external torque that it exerts is its torque's negative.
func (d *load) torque(j int) float64 {
	if !d.running {
		return 0
	}
	s := 0.0
	for p, v := range d.carried {
		s -= v * d.a[p][j]
	}
	return s
}

// gather takes in a row of dt seconds. The sums take means over [gatherSeconds]. A row alone of every few would fold
// the noise of fast changes, differentiated velocities above all, onto the slow ones, by whose density rows are
// weighted; and that noise is in the body's regressor as well as in the external torque, so its square would be a bias.
func (d *load) gather(w *Watcher, c Columns, k int, dt float64) {
	g := &d.mean
	for j := range d.in.Q {
		y := w.row.Unexplained[j] // beside the body before
		for p := range d.a {
			y -= (d.carried[p] - d.base[p]) * d.a[p][j]
			g.a[p][j] += d.a[p][j]
		}
		g.y[j] += y
		g.v[j] += c.DQ[j][k]
		g.side[j] += max(-1, min(1, c.DQ[j][k]/w.noise.RestRate[j]))
		g.bound[j] += w.o.bound[j]
		for i, x := range w.o.w[j] {
			g.w[j][i] += x
		}
	}
	g.rows++
	d.rivals.gather()
	n := float64(g.rows)
	if dt *= n; dt < gatherSeconds {
		return
	}
	s := d.sum
	s.seconds += dt
	for j := range d.in.Q {
		y, v, side, b := g.y[j]/n, g.v[j]/n, g.side[j]/n, g.bound[j]/n
		f := w.noise.floorAt(j, v) * w.o.pose.factor[j]
		weight := dt / (f * f * d.density[j])
		if b > 0 {
			// Friction of a joint at rest is known to ±b only, and stays what it is.
			weight = min(weight, dt/(b*b))
		}
		var row [jointUnknowns]float64
		for p := range d.a {
			row[p] = -g.a[p][j] / n
		}
		row[robot.NumInertial], row[robot.NumInertial+1], row[robot.NumInertial+2] = side, v, 1
		s.each[j].add(row[:], y, weight)
		for p, x := range row {
			cross := s.cross[j][p]
			for i, col := range w.o.rows.Mask(j) {
				cross[col] += weight * x * g.w[j][i] / n
			}
		}
		d.rivals.add(s.links, j, y, weight, n, s.seconds)
		s.values++
		s.square += weight * y * y
		s.own[j] += weight * y * y
		if side == 1 {
			s.moved[0][j] += dt
		} else if side == -1 {
			s.moved[1][j] += dt
		}
	}
	g.clear()
	d.rivals.clearMean()
}

// weighing is a body that explains the sums best.
type weighing struct {
	theta     []float64
	cov       [][]float64 // beside exact gains
	explained float64     // square
	gains     []float64   // by joint: what a relative error of its gain makes of the mass of the carried body, kg; nil of exact gains
}

// weigh returns the body that explains the sums best, beside exact friction.
func (d *load) weigh() *weighing {
	x, at := d.sum.beside(nil)
	return d.weighing(&x, at, bodyPrior)
}

// frictionShare is the standard deviation of a joint's friction, as a part of it, between the logs of its identification and a load: it changes with
// warmth and from day to day. Seven logs of a UR10e in two months have 12 % (Coulomb) and 10 % (viscous) beyond their own deviations at the first
// joint, and 0 to 6 % at the others: a root mean square of about 5 % over its six joints. offsetShare is that of its offset: 0.13 N·m beside 17 N·m there.
const frictionShare, offsetShare = 0.05, 0.01

// estimate returns the body that explains the sums best beside friction that may have changed: that of the joints that slipped is free, that of others
// is known as well as friction stays. If some slipped, others have by as much as chance makes of the same: a change below what shows would be in the body.
func (d *load) estimate() *weighing {
	var usual [slipUnknowns]float64 // mean squares of the changes that are found
	slips := d.slipped()
	if n := len(slips); n > 0 {
		x, _ := d.sum.beside(slips)
		prior := bodyPrior
		for range slips {
			prior = append(prior[:len(prior):len(prior)], forcePrior...)
		}
		theta, _, _ := x.solve(prior)
		for i, v := range theta[robot.NumInertial:] {
			usual[i%slipUnknowns] += v * v / float64(n)
		}
	}
	prior := bodyPrior
	all := make([]int, len(d.sum.each))
	for j := range all {
		all[j] = j
		for i, known := range forcePrior {
			if !slices.Contains(slips, j) {
				known = 1 / max(usual[i], d.friction[j][i]*d.friction[j][i])
			}
			prior = append(prior[:len(prior):len(prior)], known)
		}
	}
	x, at := d.sum.beside(all)
	return d.weighing(&x, at, prior)
}

// frictionOf returns, by joint, by how much friction may have changed: Coulomb, viscous, offset. Friction is the odd part of the torque at rest.
func frictionOf(o *observer) (list [][slipUnknowns]float64) {
	slow, fast := reversalRate, 1.0
	var in regressor.Batch
	block1, block2 := o.rows.NewBlock(4), o.rows.NewBlock(4)
	for range o.joints {
		in.Q, in.DQ, in.DDQ = append(in.Q, make([]float64, 4)), append(in.DQ, make([]float64, 4)), append(in.DDQ, make([]float64, 4))
	}
	for j := range o.joints {
		in.DQ[j] = []float64{slow, -slow, fast, -fast}
		o.rows.EvalMomentum(block1, block2, in, o.ws)
		clear(in.DQ[j])
		var odd [2]float64
		for c, v := range o.values[j] {
			x := block2.Joint[j][c]
			odd[0], odd[1] = odd[0]+(x[0]-x[1])/2*v, odd[1]+(x[2]-x[3])/2*v
		}
		coulomb, viscous := math.Abs(odd[0])+leastFriction, math.Abs(odd[1]-odd[0])+leastFriction
		list = append(list, [slipUnknowns]float64{frictionShare * coulomb, frictionShare * viscous, offsetShare * coulomb})
	}
	return list
}

// leastFriction is friction that counts as none, N·m.
const leastFriction = 1e-6

// weighing solves the normal equations of a body, beside friction of some joints.
func (d *load) weighing(x *normal, at [][jointUnknowns]int, prior []float64) *weighing {
	theta, inverse, explained := x.solve(prior)
	n := robot.NumInertial
	of := &weighing{theta: theta[:n], explained: explained}
	for i := range n {
		of.cov = append(of.cov, slices.Clone(inverse[i][:n]))
	}
	if d.unsure != nil {
		of.gains = d.ofGains(inverse[massAt], at, of.theta)
	}
	if d.cov == nil {
		return of
	}
	half := make([][]float64, n) // A⁻¹·B
	for i := range n {
		half[i] = make([]float64, len(d.cov))
		for j, to := range at {
			for k, place := range to {
				if place < 0 {
					continue
				}
				for c, v := range d.sum.cross[j][k] {
					half[i][c] += inverse[i][place] * v
				}
			}
		}
	}
	for i := range n {
		turned := make([]float64, len(d.cov))
		for c, row := range d.cov {
			for e, v := range row {
				turned[c] += v * half[i][e]
			}
		}
		for k := range n {
			for c := range turned {
				of.cov[k][i] += half[k][c] * turned[c]
			}
		}
	}
	return of
}

// ofGains returns, by joint, what a relative error of its gain makes of the mass: all that the joint shows of the carried body is larger by it.
func (d *load) ofGains(inverse []float64, at [][jointUnknowns]int, theta []float64) []float64 {
	out := make([]float64, len(at))
	for j, to := range at {
		a := d.sum.each[j].a
		for i, place := range to {
			for k := 0; k < robot.NumInertial && place >= 0; k++ {
				out[j] += inverse[place] * a[max(i, k)][min(i, k)] * (d.base[k] + theta[k])
			}
		}
	}
	return out
}

// slipped returns the joints whose friction has changed as well, by what that explains beside a body, at its price: friction grows under a load, and from
// day to day.
func (d *load) slipped() (list []int) {
	alone := d.weigh().explained
	for j := range d.sum.each {
		x, _ := d.sum.beside([]int{j})
		_, _, explained := x.solve(append(bodyPrior[:len(bodyPrior):len(bodyPrior)], forcePrior...))
		if (explained-alone)/2 > price(slipUnknowns, d.sum.values)+math.Log(float64(len(d.sum.each)))+betterBy {
			list = append(list, j)
		}
	}
	return list
}

// compact returns the square that a body explains whose inertia is that of its mass at its centre: four unknowns. The centre c that is given is improved
// twice; the inertias are linear in the moments m·c beside it.
func (d *load) compact(theta []float64) (explained float64) {
	x := d.sum.body()
	c := [3]float64{}
	for i := range c {
		c[i] = theta[momentsAt+i] / theta[massAt]
	}
	prior := append(bodyPrior[momentsAt:massAt:massAt], bodyPrior[massAt])
	body := make([]float64, len(theta))
	for range 3 {
		// Columns of the moments and the mass: XX, XY, XZ, YY, YZ, ZZ, then the moments, then the mass.
		t := [4][robot.NumInertial]float64{
			{0, -c[1] / 2, -c[2] / 2, c[0], 0, c[0], 1, 0, 0, 0},
			{c[1], -c[0] / 2, 0, 0, -c[2] / 2, c[1], 0, 1, 0, 0},
			{c[2], 0, -c[0] / 2, c[2], -c[1] / 2, 0, 0, 0, 1, 0},
			{massAt: 1},
		}
		part := newNormal(len(t))
		for i := range t {
			for r, a := range t[i] {
				part.b[i] += a * x.b[r]
				for k := range i + 1 {
					for s, b := range t[k] {
						part.a[i][k] += a * x.a[max(r, s)][min(r, s)] * b
					}
				}
			}
		}
		found, _, _ := part.solve(prior)
		m := found[3]
		if !(m > 0) {
			return 0
		}
		c = [3]float64{found[0] / m, found[1] / m, found[2] / m}
		copy(body, []float64{m * (c[1]*c[1] + c[2]*c[2]), -m * c[0] * c[1], -m * c[0] * c[2], m * (c[0]*c[0] + c[2]*c[2]), -m * c[1] * c[2], m * (c[0]*c[0] + c[1]*c[1]), found[0], found[1], found[2], m})
	}
	return x.explains(body)
}

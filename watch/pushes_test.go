package watch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/baseparams"
	"ident/internal/long"
	"ident/mechanics/kinematics"
	"ident/regressor"
	"ident/robot"
)

// drawnArm is an arm with the noise of its sensors.
type drawnArm struct {
	name  string
	model Model
	noise *Noise
	sigma float64 // of its torques, N·m
	loads *regressor.Torques
	tree  *kinematics.Tree
}

// armRate is the rate of the rows of drawn arms, Hz.
const armRate = 500

// drawnArms are three arms: of seven joints with torque sensors, of six and of three with currents, whose noise is larger.
func drawnArms(t *testing.T) []*drawnArm {
	t.Helper()
	var list []*drawnArm
	for _, c := range []struct {
		name   string
		joints int
		sigma  float64
	}{{"seven joints", 7, 0.1}, {"six joints", 6, 0.4}, {"three joints", 3, 0.4}} {
		full, _ := sevenBase(t)
		r := full.Robot.Clone()
		if c.joints == 3 { // shoulder and elbow
			r = robot.FromMDH("three", []robot.MDHFrame{{Antecedent: -1, R: 0.3}, {Antecedent: 0, Alpha: -math.Pi / 2}, {Antecedent: 1, D: 0.4}})
			for j := range r.Links {
				l, from := &r.Links[j], &full.Robot.Links[j]
				l.Inertial, l.Own, l.HasInertial = from.Inertial, from.Own, true
				l.Joint.Ia, l.Joint.Fv, l.Joint.Fs = from.Joint.Ia, from.Joint.Fv, from.Joint.Fs
			}
		}
		r.Links = r.Links[:c.joints]
		all, err := regressor.NewDynamic(r, regressor.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		set := baseparams.QR(all, baseparams.Options{Seed: 1})
		chi := make([]float64, len(all.Columns()))
		for i, col := range all.Columns() {
			chi[i], _ = regressor.ValueOf(r, col)
		}
		a := &drawnArm{name: c.name, sigma: c.sigma, model: Model{Robot: r, Torques: all.Select(set.Base), Values: set.FromStandard(chi)}}
		for i := range a.model.Values {
			a.model.Covariance = append(a.model.Covariance, make([]float64, len(a.model.Values)))
			a.model.Covariance[i][i] = 1e-6
		}
		links, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
		if err != nil {
			t.Fatal(err)
		}
		var columns []int
		for i, col := range links.Columns() {
			if col.Link == c.joints-1 {
				columns = append(columns, i)
			}
		}
		a.loads = regressor.NewTorques(links.Select(columns).Compiled())
		if a.tree, err = kinematics.New(r); err != nil {
			t.Fatal(err)
		}
		quiet := NewCalibrator(a.model, 0)
		for seed := range uint64(3) {
			c, _ := a.motion(t, 1000+seed, 1, 40)
			quiet.Add(c)
		}
		if a.noise, err = quiet.Noise(); err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
	return list
}

// motion draws a motion with noise, and its exact accelerations, of an arm whose parameters are off the model's as its covariance says.
func (a *drawnArm) motion(t *testing.T, seed uint64, speed, seconds float64) (Columns, [][]float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 61))
	rows := int(seconds * armRate)
	c := Columns{T: make([]float64, rows)}
	var ddq [][]float64
	for range a.tree.DOF() {
		q, v, acc := make([]float64, rows), make([]float64, rows), make([]float64, rows)
		start := 0.5 * rng.NormFloat64()
		for h := 1; h <= 4; h++ {
			f, p, s := 2*math.Pi*(0.08+0.05*rng.Float64())*float64(h)*speed, 2*math.Pi*rng.Float64(), 0.6/float64(h)
			for k := range rows {
				x := f*float64(k)/armRate + p
				q[k] += s * math.Sin(x)
				v[k] += s * f * math.Cos(x)
				acc[k] -= s * f * f * math.Sin(x)
			}
		}
		for k := range q {
			c.T[k] = float64(k) / armRate
			q[k] += start
		}
		c.Q, c.DQ, ddq = append(c.Q, q), append(c.DQ, v), append(ddq, acc)
		c.Tau = append(c.Tau, make([]float64, rows))
	}
	truth := slices.Clone(a.model.Values)
	for i := range truth {
		truth[i] += math.Sqrt(a.model.Covariance[i][i]) * rng.NormFloat64()
	}
	if err := regressor.NewTorques(a.model.Torques.Compiled()).Eval(c.Tau, regressor.Batch{Q: c.Q, DQ: c.DQ, DDQ: ddq}, truth); err != nil {
		t.Fatal(err)
	}
	for j := range c.Tau {
		v := slices.Clone(c.DQ[j])
		for k := range c.Tau[j] {
			c.Tau[j][k] += a.sigma * rng.NormFloat64()
			v[k] += 0.0005 * rng.NormFloat64()
		}
		c.DQ[j] = v
	}
	return c, ddq
}

// push is a force on a point of a link.
type push struct {
	link       int
	point, dir [3]float64
	size       float64
	from, to   float64
	shape      int // constant, swelling, swaying, fading
}

func drawnPush(rng *rand.Rand, links int) push {
	p := push{link: rng.IntN(links), size: 5 + 55*rng.Float64(), from: 3 + rng.Float64(), shape: rng.IntN(3), dir: direction(rng)}
	p.to = p.from + 0.1*math.Pow(100, rng.Float64())
	p.point = direction(rng)
	for i := range p.point {
		p.point[i] *= 0.3 * rng.Float64()
	}
	return p
}

func direction(rng *rand.Rand) (d [3]float64) {
	s := 0.0
	for i := range d {
		d[i] = rng.NormFloat64()
		s += d[i] * d[i]
	}
	for i := range d {
		d[i] /= math.Sqrt(s)
	}
	return d
}

// at returns the force at a time, N.
func (p *push) at(t float64) float64 {
	if t < p.from || t > p.to {
		return 0
	}
	switch x := (t - p.from) / (p.to - p.from); p.shape {
	case 1:
		return p.size * math.Sin(math.Pi*x)
	case 2:
		return p.size * (1 + 0.4*math.Sin(2*math.Pi*1.3*(t-p.from)))
	case 3:
		return p.size * (1 - x)
	}
	return p.size
}

// on adds pushes to rows, and returns the external torques.
func (a *drawnArm) on(list []push, c Columns) [][]float64 {
	n := a.tree.DOF()
	pose, jac := a.tree.NewPose(), make(kinematics.Jacobian, n)
	q, tau := make([]float64, n), make([]float64, n)
	out := make([][]float64, n)
	for j := range out {
		out[j] = make([]float64, len(c.T))
	}
	for k, t := range c.T {
		for i := range list {
			p := &list[i]
			f := p.at(t)
			if f == 0 {
				continue
			}
			for j := range q {
				q[j] = c.Q[j][k]
			}
			pose.Place(q)
			pose.Jacobian(jac, kinematics.Point{Link: p.link, At: p.point})
			jac.Torques(tau, [3]float64{f * p.dir[0], f * p.dir[1], f * p.dir[2]}, [3]float64{})
			for j := range tau {
				out[j][k] += tau[j]
				c.Tau[j][k] -= tau[j]
			}
		}
	}
	return out
}

// endWithin is how long after the end of a force it may be told, s.
const endWithin = 0.2

// leastLimit returns three deviations less than the least torque of a joint that one of its tests of contacts finds at a velocity, if it lasts: with
// more, noise alone holds a test at its limit.
func leastLimit(w *Watcher, joint int, v float64) float64 {
	least := math.Inf(1)
	for i := range contactWindows() * len(w.names) {
		if test := &w.noise.Tests[i]; test.Joint == joint && test.Unfit == "" {
			least = min(least, (w.limit[i]-3)*test.Gain*w.noise.floorAt(joint, v)*w.o.pose.factor[joint]+w.o.bound[joint])
		}
	}
	return least
}

// A push is no payload, whatever its link, point, size and course. The observer follows it to its end, which is told soon.
func TestPushes(t *testing.T) {
	long.Only(t, "TestPushIsNoPayload has some")
	pushes(t, long.Draws(200, 60, 0), oneHand)
}

func TestPushIsNoPayload(t *testing.T) {
	pushes(t, 2, oneHand)
	pushes(t, 2, onTwoLinks)
}

// Two forces at once, on two links or on one, are no payload either. No event is of a joint beyond both, and a point is one of theirs.
func TestTwoHands(t *testing.T) {
	long.Only(t, "TestPushIsNoPayload has some")
	pushes(t, long.Draws(400, 60, 0), onTwoLinks)
	pushes(t, long.Draws(400, 60, 0), onOneLink)
}

// hands says how many forces act on a robot at the same time, and where.
type hands int

const (
	oneHand hands = iota
	onTwoLinks
	onOneLink
)

// standing is the speed of a robot that stands.
const standing = 1e-6

// drawn draws what presses on a robot, and the speed of its motion. A second force begins with the first, or while it lasts; the robot may stand.
func (h hands) drawn(rng *rand.Rand, links int) (list []push, speed float64) {
	list = []push{drawnPush(rng, links)}
	if h == oneHand {
		return list, []float64{0.3, 1, 1.4}[rng.IntN(3)]
	}
	first, second := list[0], drawnPush(rng, links)
	for h == onTwoLinks && second.link == first.link {
		second.link = rng.IntN(links)
	}
	if h == onOneLink {
		second.link = first.link
	}
	lasts := second.to - second.from
	second.from = first.from + (first.to-first.from)*0.7*rng.Float64()*float64(rng.IntN(2))
	second.to = second.from + lasts
	return append(list, second), []float64{standing, 0.3, 1, 1.4}[rng.IntN(4)]
}

func pushes(t *testing.T, draws int, h hands) {
	arms := drawnArms(t)
	payloads, either, down, found, seen := 0, 0, 0, 0, 0
	alarms, beyond, placed, elsewhere, late := 0, 0, 0, 0, 0
	var ends, off, apart []float64
	for k := range draws {
		a := arms[k%len(arms)]
		rng := rand.New(rand.NewPCG(uint64(k), 6161+uint64(h)))
		list, speed := h.drawn(rng, a.tree.DOF())
		from, to, outermost := list[0].from, 0.0, 0
		for i := range list {
			from, to, outermost = min(from, list[i].from), max(to, list[i].to), max(outermost, list[i].link)
		}
		c, _ := a.motion(t, uint64(k), speed, to+3)
		truth := a.on(list, c)
		w, err := New(a.model, a.noise, Options{})
		if err != nil {
			t.Fatal(err)
		}
		vertical := h == oneHand && list[0].dir[2] < -math.Cos(15*math.Pi/180)
		if vertical {
			down++
		}
		row, at := 0, math.Inf(1)
		told, end := false, math.Inf(1)
		fell := from // last time at which the torque was above the least limit of a joint's tests
		filtered := make([]float64, len(truth))
		pole := (1 - a.noise.Bandwidth/armRate/2) / (1 + a.noise.Bandwidth/armRate/2)
		inside, rows, strong := 0, 0, 0.0
		say := func(e Event) { t.Logf("draw %d on %s, %+v: %s at %.3f s", k, a.name, list, e.Text, e.T) }
		if err := w.Add(c, func(r *Row) error {
			for j := range filtered {
				last := 0.0
				if row > 0 {
					last = truth[j][row-1]
				}
				filtered[j] = pole*filtered[j] + (1-pole)/2*(truth[j][row]+last)
				limit, hidden := leastLimit(w, j, c.DQ[j][row]), 0.0
				if speed == standing { // friction may be on either side all the time: it adds to the force, or takes it up
					limit, hidden = limit-w.o.bound[j], 2*w.o.bound[j]
				}
				strong = max(strong, (math.Abs(truth[j][row])-hidden)/a.noise.Floor[j][1])
				if math.Abs(truth[j][row]) > limit {
					fell = max(fell, r.T)
				}
				if r.T > from && r.T < to {
					rows++
					if math.Abs(r.Observer[j]-filtered[j]) <= 3*r.Sigma[j] || math.Abs(c.DQ[j][row]) < 3*a.noise.RestRate[j] {
						inside++
					}
				}
			}
			row++
			for _, e := range r.Events {
				switch e.Type {
				case Payload:
					payloads++
					t.Errorf("draw %d on %s, %+v: %s at %.2f s", k, a.name, list, e.Text, e.T)
				case LoadOrContact:
					either++
					if !vertical {
						say(e)
					}
				case Contact, Collision:
					told, at, end = true, min(at, e.T-from), math.Inf(1)
					alarms++
					if slices.Index(w.names, e.Joint) > outermost {
						beyond++
						say(e)
					}
				case End:
					end = e.T
					if e.Link == "" {
						continue
					}
					placed++
					on := slices.IndexFunc(list, func(p push) bool { return e.Link == a.model.Robot.Links[p.link].Name })
					if on < 0 {
						elsewhere++
						say(e)
					} else if e.Point != nil {
						nearest := math.Inf(1)
						for _, p := range list {
							if p.link == list[on].link {
								nearest = min(nearest, math.Hypot(math.Hypot(e.Point[0]-p.point[0], e.Point[1]-p.point[1]), e.Point[2]-p.point[2]))
							}
						}
						apart = append(apart, nearest)
					}
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if strong > 15 {
			seen++
			if told {
				found++
			}
		}
		if told {
			ends = append(ends, end-fell)
			if end-fell > endWithin {
				late++
				t.Logf("draw %d on %s, %+v: the end is told %.3f s after the force fell below the limit", k, a.name, list, end-fell)
			}
		}
		off = append(off, 1-float64(inside)/float64(max(rows, 1)))
	}
	slices.Sort(ends)
	slices.Sort(off)
	slices.Sort(apart)
	t.Logf("%d of %d events of a joint beyond the push; link told at %d ends, %d of them another; points told %d, off by (m) %.3f", beyond, alarms, placed, elsewhere, len(apart), apart)
	t.Logf("%d draws (%d straight down): %d payloads, %d loads or contacts, %d of %d strong ones found; end told after %.2f s (median), %.2f (90 %%), %.3f (largest), %d late; observer beyond 3 σ in %.2g %% of the rows (median), %.2g %% at most",
		draws, down, payloads, either, found, seen, ends[len(ends)/2], ends[len(ends)*9/10], ends[len(ends)-1], late, 100*off[len(off)/2], 100*off[len(off)-1])
	// Noise alone holds the end of one in a hundred forces beyond the time; the draws of single ones have none.
	mostLate := 0
	if h != oneHand {
		mostLate = max(1, len(ends)/100)
	}
	if found < seen || late > mostLate || beyond > max(1, alarms/20) || elsewhere > placed/10 || len(apart) > 0 && apart[len(apart)-1] > 0.15 {
		t.Errorf("%d of %d events are of a joint that no force reaches; %d ends are late; the link is wrong in %d of %d ends; points are off by (m) %.3f", beyond, alarms, late, elsewhere, placed, apart)
	}
}

// Loads are found with their masses, also while a hand helps first, and are put down.
func TestLoads(t *testing.T) {
	long.Only(t, "TestLoadsAreWeighed has some")
	weighLoads(t, long.Draws(500, 60, 0), loadsAlone)
}

// Loads of an arm whose friction has changed by as much as the deviation of a mass holds have intervals that hold. Two in a hundred, most of them light ones
// on three joints, are not told from forces.
func TestLoadsBesideFriction(t *testing.T) {
	long.OnlyAll(t, "TestLoads has exact friction")
	weighLoads(t, 500, besideFriction)
}

// Loads are weighed behind a hand that bore a part of them for up to five seconds and left, at once or by and by.
func TestLoadsBesideHands(t *testing.T) {
	long.OnlyAll(t, "TestLoads has some")
	weighLoads(t, 400, besideHands)
}

func TestLoadsAreWeighed(t *testing.T) {
	weighLoads(t, 2, loadsAlone)
	weighLoads(t, 1, besideHands)
}

// loads says what else there is when loads are weighed.
type loads int

const (
	loadsAlone loads = iota // but for a hand at a third of them, and a touch at another
	besideFriction
	besideHands
)

// hand draws a hand that bears a part of a load of the last link from a time on.
func (a *drawnArm) hand(rng *rand.Rand, mass float64, centre [3]float64, from float64) push {
	p := push{link: a.tree.DOF() - 1, point: centre, dir: [3]float64{0.15 * rng.NormFloat64(), 0.15 * rng.NormFloat64(), 1}, from: from}
	for i := range p.point {
		p.point[i] += 0.05 * rng.NormFloat64()
	}
	p.size, p.to, p.shape = (0.1+0.8*rng.Float64())*9.81*mass, from+0.3*math.Pow(15, rng.Float64()), []int{0, 2, 3}[rng.IntN(3)]
	return p
}

// changeFriction draws how the friction of each joint has changed since it was identified.
func (a *drawnArm) changeFriction(rng *rand.Rand, c Columns) {
	for j := range c.Tau {
		x := &a.model.Robot.Links[j].Joint
		fs, fv, fo := frictionShare*x.Fs*rng.NormFloat64(), frictionShare*x.Fv*rng.NormFloat64(), offsetShare*x.Fs*rng.NormFloat64()
		for k, v := range c.DQ[j] {
			c.Tau[j][k] += math.Copysign(1, v)*fs + fv*v + fo
		}
	}
}

func weighLoads(t *testing.T, draws int, with loads) {
	arms := drawnArms(t)
	found, good, held, put, gone, touches, touched := 0, 0, 0, 0, 0, 0, 0
	var sigmas, late []float64
	square := 0.0
	for k := range draws {
		a := arms[k%len(arms)]
		rng := rand.New(rand.NewPCG(uint64(k), 11262))
		mass := 0.3 + 2.7*rng.Float64()
		c, ddq := a.motion(t, 950_000+uint64(k), []float64{0.7, 1, 1.4}[rng.IntN(3)], 22)
		centre := direction(rng)
		for i := range centre {
			centre[i] *= 0.15 * rng.Float64()
		}
		body := robot.InertialFromCentral(mass, centre, [3][3]float64{{0.002 * mass, 0, 0}, {0, 0.002 * mass, 0}, {0, 0, 0.002 * mass}})
		tau := make([][]float64, len(c.Q))
		for j := range tau {
			tau[j] = make([]float64, len(c.T))
		}
		exact := slices.Clone(c.DQ)
		if err := a.loads.Eval(tau, regressor.Batch{Q: c.Q, DQ: exact, DDQ: ddq}, body[:]); err != nil {
			t.Fatal(err)
		}
		from, to := 3+rng.Float64(), 14+rng.Float64()
		if with == besideFriction {
			a.changeFriction(rng, c)
		}
		if with == besideHands {
			a.on([]push{a.hand(rng, mass, centre, from)}, c)
		} else if k%3 == 0 { // a hand bears a part of it at first
			a.on([]push{{link: a.tree.DOF() - 1, point: centre, dir: [3]float64{0, 0, 1}, size: 5 * mass, from: from, to: from + 1.5, shape: 2}}, c)
		}
		for j := range tau {
			for i, at := range c.T {
				if at >= from && at < to {
					c.Tau[j][i] += tau[j][i]
				}
			}
		}
		var touch push
		if k%3 == 1 { // somebody touches the robot while it carries the load
			touch = push{link: a.tree.DOF() - 1, dir: direction(rng), size: 30, from: from + 7, to: from + 7.5}
			a.on([]push{touch}, c)
			touches++
		}
		felt := false
		w, err := New(a.model, a.noise, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var last *Body
		first, down, carries := math.Inf(1), false, false
		if err := w.Add(c, func(r *Row) error {
			carries = r.Payload != nil
			if carries && r.T < to {
				b := *r.Payload
				last, first = &b, min(first, r.T-from)
			}
			for _, e := range r.Events {
				down = down || e.Type == Payload && *e.Mass == 0 && e.T > to
				felt = felt || (e.Type == Contact || e.Type == Collision) && e.T >= touch.from && e.T <= touch.to
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if felt && touch.size > 0 {
			touched++
		}
		if last == nil {
			t.Logf("load %d on %s, %.2f kg: not found", k, a.name, mass)
			continue
		}
		found++
		late = append(late, first)
		if z := math.Abs(last.Mass - mass); z <= 0.05*mass || z <= 3*last.Sigma {
			good++
		} else {
			t.Logf("load %d on %s, %.2f kg: %.3f ± %.3f", k, a.name, mass, last.Mass, last.Sigma)
		}
		if z := math.Abs(last.Mass-mass) / last.Sigma; z > 3.5 {
			t.Logf("Z %.1f load %d on %s, %.2f kg: %.3f ± %.3f", z, k, a.name, mass, last.Mass, last.Sigma)
		}
		square += (last.Mass - mass) * (last.Mass - mass) / (last.Sigma * last.Sigma)
		if math.Abs(last.Mass-mass) <= 1.96*last.Sigma {
			held++
		}
		if a.sigma == 0.1 {
			sigmas = append(sigmas, last.Sigma)
		}
		if down {
			put++
		} else {
			t.Logf("load %d on %s, %.2f kg: put down is not told", k, a.name, mass)
		}
		if !carries {
			gone++
		}
	}
	slices.Sort(late)
	slices.Sort(sigmas)
	t.Logf("errors are %.2f of their deviations", math.Sqrt(square/float64(found)))
	// Of n intervals 95 % hold, up to three deviations of a binomial number, or two per cent.
	part, spare := float64(held)/float64(max(found, 1)), max(0.02, 3*math.Sqrt(0.05*0.95/float64(draws)))
	least, spared := draws*99/100, 0
	if with == besideFriction {
		least, spared = draws*98/100, draws/100
	}
	if found < least || good < found || put < found-spared || gone < found-spared || touched < touches*98/100 || math.Abs(part-0.95) > spare || sigmas[len(sigmas)-1] > 0.06 {
		t.Errorf("%d loads: %d found, %d of them right, %.1f %% in their intervals, %d told as put down, %d gone at the end", draws, found, good, 100*part, put, gone)
	}
	t.Logf("%d loads: %d found, after %.2f s (median), %.2f s (90 %%); mass right of %d, in its interval of %d; σ at most %.3f kg with torque sensors; put down told of %d; %d of %d touches of 30 N found while it was carried",
		draws, found, late[len(late)/2], late[len(late)*9/10], good, held, sigmas[len(sigmas)-1], put, touched, touches)
}

package sway

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"ident/excite"
	"ident/internal/spatial"
	"ident/regressor"
)

// A Problem is what a sway is designed for.
type Problem struct {
	Stance *Stance
	Model  *regressor.Model // of the base parameters (baseparams.QRStanding)
	Values []float64        // of its columns, as the robot file has them
	Known  []Known          // what is known of the columns beforehand
	Weight float64          // N
	Limits []excite.Limits  // of the joints behind the base; a number that is not positive is no limit

	Lift      bool             // each foot in turn, after a sway on all of them
	Duration  float64          // s
	Friction  float64          // coefficient of friction that the feet have at least
	Margin    float64          // part of every limit that stays free
	Criterion excite.Criterion // "" is excite.DOptimal
	Draws     int              // of waves, and as many changes of the best; 0 is DefaultDraws
	Seed      uint64
	Progress  func(done, total int, best float64)
}

// Known says that a column of the model is known beforehand, with a standard deviation.
type Known struct {
	Column int
	Sigma  float64
}

// DefaultDraws is the number of draws of a design.
const DefaultDraws = 24

// Rate is the rate of the samples of a design, Hz. Points that stick then stay within 1 µm (TestFollowKeepsFeet).
const Rate = 200.0

// LeastLoad is the part of the weight that each foot bears at least. A fit takes a foot for standing from a twentieth on
// (package identify/standing); this is a fifth more.
const LeastLoad = 0.06

// LeastShare is the part of an even share of the weight that each foot bears at least while another is in the air. With a third of the
// weight as an even share, the centre of mass of a robot whose feet are the corners of 40 by 30 cm may then be 4 cm off; masses
// that are 30 % off, each by itself, move it by 1 cm.
const LeastShare = 0.5

// Deviations of the rows of a model before any is known: of a force on the base, N, and of a moment on the base and a torque, N·m. A
// fit (package identify/standing) begins with them.
const FirstForce, FirstTorque = 1.0, 0.1

// DefaultFriction is a coefficient of friction that rubber feet have on any dry floor; on rubber mats it is above 0.8.
const DefaultFriction = 0.4

// A Designed is the outcome of Design.
type Designed struct {
	Sway        *Sway // at Rate
	Lifts       []Lift
	Feet        []Load
	Torque      []float64  // largest part of the effort limit of each joint; 0 without one
	Peak        []float64  // largest absolute torque of each joint, N·m or N
	Value       float64    // of the criterion
	Condition   float64    // condition number of the weighed rows, columns of one length
	Size        [6]float64 // largest motion of the base from the start: x, y, z, m, and roll, pitch, yaw, rad
	Evaluations int
	Stopped     bool // the context ended the search early
}

// Load is the worst that a foot bears.
type Load struct {
	Foot    string
	Least   float64 // force along the normal of the ground, N, where it is nearest to its limit; a foot that gives its load to others is left out
	Limit   float64 // N
	At      float64 // s
	Slope   float64 // largest tangential force over the normal one
	SlopeAt float64 // s
}

// An InfeasibleError says that the robot cannot stand so, even at rest.
type InfeasibleError struct{ Why string }

// Error returns the reason.
func (e *InfeasibleError) Error() string { return e.Why }

const (
	// searchRate is the rate of motions during the search, Hz: ten samples a period of the fastest wave. The final check has Rate.
	searchRate = 10.0
	// ramp is the time, s, in which a sway begins and ends, and in which the base leans off a foot.
	ramp = 2.0
	// leastAir is the least time, s, of a foot in the air: two periods of the fastest waves.
	leastAir = 2.0
	// liftRounds is how often each foot is lifted: a fit that leaves out a stretch of the log must have each foot in the air elsewhere.
	liftRounds = 2
	// liftPart is how high a foot is lifted, as a part of the height of the base: some times what controllers of legs miss.
	liftPart = 0.12
	// wavesEach is the number of waves of each coordinate, between slowest and fastest, Hz.
	wavesEach        = 5
	slowest, fastest = 0.15, 1.0
	// Largest waves: the base moves by a part of the height at which it stands, and turns by an angle, rad; joints that carry
	// no foot turn by an angle, or by a part of their range.
	largestPart, largestTurn, largestFree = 0.25, 0.35, 0.8
)

// wave is a·sin(w·t + p).
type wave struct{ a, w, p float64 }

// draw is the waves of each coordinate.
type draw [][]wave

// part is a stretch of a sway, from rest to rest, with a foot in the air or none.
type part struct {
	from, to float64
	lean     [2]float64 // of the base off a foot, x and y, m
	scale    float64    // of the waves
}

// path returns the path of waves through parts, the waves of each part scaled.
func (d draw) path(parts []part) Path {
	n := len(d)
	x, dx, ddx := make([]float64, n), make([]float64, n), make([]float64, n)
	return func(t float64) (_, _, _ []float64) {
		at := &parts[len(parts)-1]
		for i := range parts {
			if t < parts[i].to {
				at = &parts[i]
				break
			}
		}
		scale := at.scale
		r, dr, ddr := ramped(t-at.from, at.to-at.from, ramp)
		for k, all := range d {
			var y, dy, ddy float64
			for _, o := range all {
				sin, cos := math.Sincos(o.w*t + o.p)
				y += o.a * sin
				dy += o.a * o.w * cos
				ddy -= o.a * o.w * o.w * sin
			}
			x[k], dx[k], ddx[k] = scale*r*y, scale*(dr*y+r*dy), scale*(ddr*y+2*dr*dy+r*ddy)
		}
		for k, lean := range at.lean {
			x[k], dx[k], ddx[k] = x[k]+lean*r, dx[k]+lean*dr, ddx[k]+lean*ddr
		}
		return x, dx, ddx
	}
}

// ramped returns the factor that takes a motion from rest to rest, with its derivatives: 10u³ − 15u⁴ + 6u⁵ over a time at both ends.
func ramped(t, duration, ramp float64) (r, dr, ddr float64) {
	u, sign := t/ramp, 1.0
	if t > duration/2 {
		u, sign = (duration-t)/ramp, -1
	}
	if u >= 1 {
		return 1, 0, 0
	}
	u = max(u, 0)
	return u * u * u * (10 + u*(-15+6*u)), sign * 30 * u * u * (1 + u*(-2+u)) / ramp, 60 * u * (1 + u*(-3+2*u)) / (ramp * ramp)
}

// Design searches for the sway with the smallest criterion within all limits. If ctx ends it returns the best so far. If the
// robot does not keep the limits at rest, the error is an *InfeasibleError.
func Design(ctx context.Context, p Problem) (*Designed, error) {
	if p.Draws == 0 {
		p.Draws = DefaultDraws
	}
	if p.Criterion == "" {
		p.Criterion = excite.DOptimal
	}
	if !(p.Duration > 4*ramp) {
		return nil, fmt.Errorf("a sway of %g s is too short; it begins and ends in %g s each, so give %g s or more", p.Duration, ramp, 5*ramp)
	}
	d := &designer{p: p, rng: newSource(p.Seed), height: p.Stance.height()}
	if err := d.divide(); err != nil {
		return nil, err
	}
	var best candidate
	for i := range 2 * p.Draws {
		if ctx.Err() != nil {
			break
		}
		var waves draw
		if i < p.Draws || best.waves == nil {
			waves = d.draw()
		} else {
			waves = d.changed(best.waves)
		}
		c := d.largest(waves)
		if c.waves != nil && (best.waves == nil || c.value < best.value) {
			best = c
		}
		if p.Progress != nil {
			p.Progress(i+1, 2*p.Draws, best.value)
		}
	}
	if best.waves == nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &InfeasibleError{fmt.Sprintf("no sway of %d tried keeps all limits: %s", d.evaluations, d.last)}
	}
	return d.final(ctx, best)
}

func newSource(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x57a9d)) }

// height returns the mean height of the base above the ground at the start, at least leastHeight.
func (s *Stance) height() float64 {
	x := s.at(func(float64) (_, _, _ []float64) {
		zero := make([]float64, 6+len(s.free))
		return zero, zero, zero
	}, nil, 0, s.start, false)
	sum := 0.0
	for i, c := range s.places {
		sum += s.feet[i].Radius - spatial.Dot(c, x.up)
	}
	return max(sum/float64(len(s.places)), leastHeight)
}

// leastHeight, m, keeps the waves of a robot that lies on the ground from vanishing.
const leastHeight = 0.05

// divide divides the sway into parts, and tries them without waves.
func (d *designer) divide() error {
	p, still, feet := &d.p, make(draw, 6+len(d.p.Stance.free)), d.p.Stance.feet
	for i := range feet {
		if round, sole := standingWithout(feet, i); p.Lift && round < 3 && !sole {
			return &InfeasibleError{fmt.Sprintf("without %s it stands on %d round feet; to lift each in turn takes four of them, or two soles", feet[i].Name, round)}
		}
	}
	d.parts = []part{{to: p.Duration}}
	rest := d.evaluate(still, d.parts, 1/searchRate, 0, 2)
	if rest.err != nil {
		return rest.err
	}
	if worst := rest.worst(p); worst.used > 1 {
		return &InfeasibleError{"standing at rest, " + worst.what}
	}
	if !p.Lift {
		return nil
	}
	parts := 1 + liftRounds*len(feet)
	each := p.Duration / float64(parts)
	if least := 2*(ramp+relief) + leastAir; each < least {
		return fmt.Errorf("%g s are too short for a sway and %d times %d feet in the air; give %g s or more", p.Duration, liftRounds, len(feet), least*float64(parts))
	}
	d.parts[0].to = each
	before := 0.0
	if len(feet) == 2 {
		before = ramp + relief // one that stands on the other alone loses its load while the base leans
	}
	for i := range liftRounds * len(feet) {
		foot, from := i%len(feet), each*float64(1+i)
		d.parts = append(d.parts, part{from: from, to: from + each, lean: rest.sway.off(foot, 0, rest.forces)})
		d.lifts = append(d.lifts, Lift{Foot: foot, From: from + ramp + relief, To: from + each - ramp - relief, Height: liftPart * d.height, Relief: before})
	}
	for i := range feet {
		of := &d.parts[1+i]
		var e *evaluation
		for round := range leanRounds {
			if e = d.evaluate(still, d.parts, 1/searchRate, of.from, of.to); e.err != nil {
				return e.err
			}
			if round == leanRounds-1 {
				break
			}
			more := e.sway.off(i, len(e.sway.Up[0])/2, e.forces)
			for k := range of.lean {
				of.lean[k] += more[k]
			}
			for again := 1 + i + len(feet); again < len(d.parts); again += len(feet) {
				d.parts[again].lean = of.lean
			}
		}
		if worst := e.worst(p); worst.used > 1 {
			return &InfeasibleError{fmt.Sprintf("with %s in the air and the base at rest, %s", feet[i].Name, worst.what)}
		}
	}
	return nil
}

// standingWithout returns the number of round feet, and whether there are soles, but for one foot.
func standingWithout(feet []regressor.Foot, but int) (round int, sole bool) {
	for i := range feet {
		switch {
		case i == but:
		case feet[i].Sole:
			sole = true
		default:
			round++
		}
	}
	return round, sole
}

// leanRounds is the number of rests by which a lean is found: a base that leans takes its legs with it only in part, and the foot in the
// air moves the centre of mass, too. Each round leaves about a quarter of what is missing if legs are half of the mass.
const leanRounds = 4

// off returns how far, along x and y, the base must move on from its place at a sample until the centre of mass is over the middle of all feet
// but one. At that sample the robot must be at rest, with the forces given, and the base not turned.
func (w *Sway) off(foot, at int, forces [][]float64) [2]float64 {
	s, in := w.stance, w.Batch()
	c := s.sticking.NewContacts(len(w.Up[0]))
	s.sticking.Eval(c, in, w.Up, s.sticking.NewWorkspace())
	// The weight F acts at a point p with the moment p × F = M, so that up × M / |F| is p along the ground.
	var force, moment, up spatial.Vec
	for k, row := range s.base.Rows() {
		sum := 0.0
		for f := range forces {
			sum += c.Jacobian[f][row][at] * forces[f][at]
		}
		if k < 3 {
			force[k], up[k] = sum, w.Up[k][at]
		} else {
			moment[k-3] = sum
		}
	}
	away := spatial.Scale(-1/spatial.Norm(force), spatial.Cross(up, moment))
	for i, p := range s.places {
		if i != foot {
			away = spatial.Add(away, spatial.Scale(1/float64(len(s.places)-1), p))
		}
	}
	turn := spatial.Mul(spatial.RotY(s.attitude[1]), spatial.RotX(s.attitude[0]))
	world := spatial.MulVec(turn, away)
	return [2]float64{world[0] - w.Pose[0][at], world[1] - w.Pose[1][at]}
}

// designer is a design on its way.
type designer struct {
	p           Problem
	parts       []part
	lifts       []Lift
	rng         *rand.Rand
	height      float64
	scale       []float64 // of the columns of the criterion, those of the first sway
	evaluations int
	last        string // limit that the last sway exceeded
}

// candidate is a sway that keeps the limits.
type candidate struct {
	waves draw
	parts []part // with their scales
	value float64
}

// draw draws waves.
func (d *designer) draw() draw {
	out := make(draw, 6+len(d.p.Stance.free))
	for k := range out {
		size := d.largestOf(k) * (0.6 + 0.4*d.rng.Float64())
		for range wavesEach {
			f := slowest * math.Pow(fastest/slowest, d.rng.Float64())
			out[k] = append(out[k], wave{size * (0.5 + 0.5*d.rng.Float64()) / (0.5 + f), 2 * math.Pi * f, 2 * math.Pi * d.rng.Float64()})
		}
		scaleTo(out[k], size)
	}
	return out
}

// scaleTo scales waves to a sum of amplitudes.
func scaleTo(all []wave, size float64) {
	sum := 0.0
	for _, o := range all {
		sum += o.a
	}
	for i := range all {
		all[i].a *= size / max(sum, math.SmallestNonzeroFloat64)
	}
}

// largestOf returns the largest sum of the amplitudes of a coordinate.
func (d *designer) largestOf(k int) float64 {
	switch {
	case k < 3:
		return largestPart * d.height
	case k < 6:
		return largestTurn
	}
	l := &d.p.Limits[d.p.Stance.free[k-6]]
	room := min(d.p.Stance.start[d.p.Stance.free[k-6]]-l.Lower, l.Upper-d.p.Stance.start[d.p.Stance.free[k-6]])
	if !(room >= 0) {
		room = largestFree
	}
	return min(room, largestFree) * (1 - d.p.Margin)
}

// changed returns waves of which some coordinates are drawn anew or scaled.
func (d *designer) changed(of draw) draw {
	fresh, out := d.draw(), make(draw, len(of))
	for k := range of {
		out[k] = slices.Clone(of[k])
		switch u := d.rng.Float64(); {
		case u < 0.2:
			out[k] = fresh[k]
		case u < 0.6:
			sum := 0.0
			for _, o := range out[k] {
				sum += o.a
			}
			scaleTo(out[k], min(sum*math.Exp(0.4*d.rng.NormFloat64()), d.largestOf(k)))
		}
	}
	return out
}

// largest returns the candidate of waves that are scaled down in each part until they keep all limits.
func (d *designer) largest(waves draw) candidate {
	parts := slices.Clone(d.parts)
	for i := range parts {
		of, low, high, kept := &parts[i], 0.0, 1.0, false
		for round := range 6 {
			of.scale = high
			if round > 0 {
				of.scale = (low + high) / 2
			}
			e := d.evaluate(waves, parts, 1/searchRate, of.from, of.to)
			d.last = fmt.Sprint(e.err)
			if e.err == nil {
				worst := e.worst(&d.p)
				if worst.used <= 1 {
					low, kept = of.scale, true
					if round == 0 {
						break
					}
					continue
				}
				d.last = worst.what
			}
			high = of.scale
		}
		if !kept {
			return candidate{}
		}
		of.scale = low
	}
	w := d.p.Stance.Follow(waves.path(parts), 1/searchRate, samples(d.p.Duration, 1/searchRate), d.lifts...)
	value, _, err := d.judge(w)
	if err != nil {
		return candidate{}
	}
	return candidate{waves, parts, value}
}

// samples returns the number of samples, dt apart, of a time.
func samples(duration, dt float64) int { return int(math.Round(duration/dt)) + 1 }

// evaluation is a sway with its forces.
type evaluation struct {
	sway            *Sway
	forces, torques [][]float64
	err             error
}

// evaluate follows scaled waves from one time to another. Motions between parts start at rest, so that each can be followed alone.
func (d *designer) evaluate(waves draw, parts []part, dt, from, to float64) *evaluation {
	d.evaluations++
	path, lifts := waves.path(parts), slices.Clone(d.lifts)
	for i := range lifts {
		lifts[i].From, lifts[i].To = lifts[i].From-from, lifts[i].To-from
	}
	e := &evaluation{sway: d.p.Stance.Follow(func(t float64) (_, _, _ []float64) { return path(t + from) }, dt, samples(to-from, dt), lifts...)}
	for _, q := range e.sway.DDQ {
		if slices.ContainsFunc(q, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 1e6 }) {
			e.err = &InfeasibleError{"a leg is stretched"}
			return e
		}
	}
	e.forces, e.torques, e.err = e.sway.Forces(d.p.Model, d.p.Values)
	return e
}

// usage is the limit that a sway uses most: at 1 nothing but the margin is free.
type usage struct {
	used float64
	what string
}

// worst returns the limit that is used most.
func (e *evaluation) worst(p *Problem) usage {
	out, kept := usage{0, "no limit"}, 1-p.Margin
	see := func(used float64, what func() string) {
		if used > out.used {
			out = usage{used, what()}
		}
	}
	for k := range p.Limits {
		l := &p.Limits[k]
		centre, half := (l.Lower+l.Upper)/2, (l.Upper-l.Lower)/2
		for i := range e.sway.Q[k] {
			if half > 0 {
				see(math.Abs(e.sway.Q[k][i]-centre)/half/kept, func() string {
					return fmt.Sprintf("%s is at %.4g, near or beyond its limits %.4g and %.4g", l.Joint, e.sway.Q[k][i], l.Lower, l.Upper)
				})
			}
			for _, of := range []struct {
				limit, value float64
				name         string
			}{{l.Velocity, e.sway.DQ[k][i], "velocity"}, {l.Accel, e.sway.DDQ[k][i], "acceleration"}, {l.Effort, e.torques[k][i], "torque"}} {
				if of.limit > 0 && !math.IsInf(of.limit, 0) {
					see(math.Abs(of.value)/of.limit/kept, func() string {
						return fmt.Sprintf("%s needs a %s of %.4g, and its limit is %.4g", l.Joint, of.name, of.value, of.limit)
					})
				}
			}
		}
	}
	for i, load := range p.loads(e) {
		foot := &p.Stance.feet[i]
		used := load.Limit / load.Least
		if load.Least <= 0 {
			used = 2 + math.Abs(load.Least)/p.Weight
		}
		see(used, func() string {
			return fmt.Sprintf("%s bears %.3g N, less than %.2g %% of the weight of %.4g N", foot.Name, load.Least, 100*load.Limit/p.Weight, p.Weight)
		})
		see(load.Slope/p.Friction/kept, func() string {
			return fmt.Sprintf("%s needs a friction of %.3g, and %.3g is given", foot.Name, load.Slope, p.Friction)
		})
	}
	return out
}

// soleReach, m, is how far from its point the centre of pressure of a sole may be.
const soleReach = 0.03

// loads returns the worst loads of the feet, those of a foot in the air left out. A moment on a sole is a part of its normal force that is missing at its edge, soleReach away.
func (p *Problem) loads(e *evaluation) []Load {
	var out []Load
	limit := make([]float64, len(e.sway.Up[0])) // by sample
	for at := range limit {
		standing := 0.0
		for i := range p.Stance.feet {
			standing += e.sway.Share(i, float64(at)*e.sway.DT)
		}
		if limit[at] = LeastLoad * p.Weight; standing < float64(len(p.Stance.feet)) {
			limit[at] = LeastShare * p.Weight / standing
		}
	}
	first := 0
	for i := range p.Stance.feet {
		foot := &p.Stance.feet[i]
		l := Load{Foot: foot.Name, Least: p.Weight, Limit: LeastLoad * p.Weight}
		for at := range e.sway.Up[0] {
			var normal, square, moment float64
			for k := range 3 {
				normal += e.forces[first+k][at] * e.sway.Up[k][at]
				square += e.forces[first+k][at] * e.forces[first+k][at]
			}
			if foot.Sole {
				for k := 3; k < 6; k++ {
					moment += e.forces[first+k][at] * e.forces[first+k][at]
				}
				moment = math.Sqrt(moment) / soleReach
			}
			t := float64(at) * e.sway.DT
			if share := e.sway.Share(i, t); share == 0 {
				continue
			} else if share == 1 && normal-moment-limit[at] < l.Least-l.Limit {
				l.Least, l.Limit, l.At = normal-moment, limit[at], t
			}
			if slope := math.Sqrt(max(square-normal*normal, 0)) / max(normal, math.SmallestNonzeroFloat64); slope > l.Slope {
				l.Slope, l.SlopeAt = slope, t
			}
		}
		first += foot.Forces()
		out = append(out, l)
	}
	return out
}

// judge returns the criterion of a sway, and its condition number with columns of one length.
func (d *designer) judge(w *Sway) (value, condition float64, err error) {
	s, m := d.p.Stance, d.p.Model
	every := max(1, int(math.Round(1/(10*w.DT))))
	count, columns, n := len(w.Up[0]), len(m.Columns()), m.Joints()
	b := m.NewBlock(count)
	in := w.Batch()
	m.EvalBatch(b, in, m.NewWorkspace())
	c := s.sticking.NewContacts(count)
	s.sticking.Eval(c, in, w.Up, s.sticking.NewWorkspace())
	variance := make([]float64, n)
	for k := range variance {
		variance[k] = FirstTorque * FirstTorque
	}
	for k := range 3 {
		variance[k] = FirstForce * FirstForce
	}
	gram := mat.NewSymDense(columns, nil)
	var e regressor.Elimination
	row := mat.NewVecDense(columns, nil)
	var jacobian [][]float64
	for i := 0; i < count; i += every {
		jacobian = jacobian[:0]
		between := false // while feet are relieved, a fit has no rows
		for foot, first := range c.First {
			share := w.Share(foot, float64(i)*w.DT)
			between = between || share > 0 && share < 1
			for d := range s.feet[foot].Forces() {
				if share < 1 {
					break
				}
				row := make([]float64, n)
				for k := range n { // rows in units of their deviation, so that N is orthonormal there
					row[k] = c.Jacobian[first+d][k][i] / math.Sqrt(variance[k])
				}
				jacobian = append(jacobian, row)
			}
		}
		if between {
			continue
		}
		e.Find(n, jacobian)
		for _, v := range e.Basis {
			row.Zero()
			for k := range v {
				for at, col := range m.Mask(k) {
					row.SetVec(col, row.AtVec(col)+v[k]*b.Joint[k][at][i]/math.Sqrt(variance[k]))
				}
			}
			gram.SymRankOne(gram, 1, row)
		}
	}
	for _, k := range d.p.Known {
		gram.SetSym(k.Column, k.Column, gram.At(k.Column, k.Column)+1/(k.Sigma*k.Sigma))
	}
	own := make([]float64, columns)
	for k := range own {
		if own[k] = math.Sqrt(gram.At(k, k)); !(own[k] > 0) {
			return 0, 0, errors.New("a column that no motion shows")
		}
	}
	if d.scale == nil {
		d.scale = own
	}
	sigma := func(scale []float64) ([]float64, error) {
		scaled := mat.NewSymDense(columns, nil)
		for a := range columns {
			for b := a; b < columns; b++ {
				scaled.SetSym(a, b, gram.At(a, b)/(scale[a]*scale[b]))
			}
		}
		var eig mat.EigenSym
		if !eig.Factorize(scaled, false) {
			return nil, errors.New("eigenvalues do not converge")
		}
		values := eig.Values(nil)
		for k, v := range values {
			values[k] = math.Sqrt(max(v, 0))
		}
		sort.Sort(sort.Reverse(sort.Float64Slice(values)))
		return values, nil
	}
	x, err := sigma(d.scale)
	if err != nil {
		return 0, 0, err
	}
	unit, err := sigma(own)
	if err != nil {
		return 0, 0, err
	}
	condition = excite.ConditionNumber.Of(unit)
	if d.p.Criterion == excite.ConditionNumber {
		return condition, condition, nil
	}
	return d.p.Criterion.Of(x), condition, nil
}

// final follows the best waves at Rate. Between the samples of the search a limit may be exceeded; then the waves shrink.
func (d *designer) final(ctx context.Context, best candidate) (*Designed, error) {
	const shrinks = 20
	for i := range shrinks {
		parts := slices.Clone(best.parts)
		for k := range parts {
			parts[k].scale *= math.Pow(0.98, float64(i))
		}
		e := d.evaluate(best.waves, parts, 1/Rate, 0, d.p.Duration)
		if e.err != nil {
			return nil, e.err
		}
		if e.worst(&d.p).used > 1 {
			continue
		}
		value, condition, err := d.judge(e.sway)
		if err != nil {
			return nil, err
		}
		out := &Designed{Sway: e.sway, Lifts: d.lifts, Feet: d.p.loads(e), Value: value, Condition: condition, Evaluations: d.evaluations, Stopped: ctx.Err() != nil}
		for k, x := range e.torques {
			peak := 0.0
			for _, v := range x {
				peak = max(peak, math.Abs(v))
			}
			used := 0.0
			if l := d.p.Limits[k].Effort; l > 0 && !math.IsInf(l, 0) {
				used = peak / l
			}
			out.Torque, out.Peak = append(out.Torque, used), append(out.Peak, peak)
		}
		for k, x := range e.sway.Pose {
			for _, v := range x {
				out.Size[k] = max(out.Size[k], math.Abs(v-x[0]))
			}
		}
		return out, nil
	}
	return nil, &InfeasibleError{"the best sway exceeds limits between its samples"}
}

package tasks

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// limits of the joints; +Inf for none.
type limits struct {
	velocity, acceleration, torque []float64
	friction                       [][3]float64 // viscous, Coulomb and offset of each coordinate
}

// any reports whether there is a limit at all.
func (l *limits) any() bool {
	for _, list := range [][]float64{l.velocity, l.acceleration, l.torque} {
		if slices.ContainsFunc(list, func(x float64) bool { return !math.IsInf(x, 1) }) {
			return true
		}
	}
	return false
}

// limitsOf returns the limits of the robot file and of the task. Torques of a robot without bodies have none.
func (a *arm) limitsOf(t *Task) (limits, error) {
	var l limits
	given := func(x float64) float64 {
		if !(x > 0) || t.Unlimited {
			return math.Inf(1)
		}
		return x
	}
	for _, j := range a.links {
		n := &a.robot.Links[j].Joint
		l.velocity, l.acceleration, l.torque = append(l.velocity, given(n.Velocity)), append(l.acceleration, given(n.Accel)), append(l.torque, given(n.Effort))
		l.friction = append(l.friction, [3]float64{n.Fv, n.Fs, n.Fo})
	}
	for _, g := range []struct {
		name  string
		named map[string]float64
		to    []float64
	}{{"velocity", t.Velocity, l.velocity}, {"acceleration", t.Acceleration, l.acceleration}, {"torque", t.Torque, l.torque}} {
		for _, joint := range sorted(g.named) {
			if all := g.named[joint]; joint == "" && all > 0 {
				for k := range g.to {
					g.to[k] = all
				}
				continue
			}
			k, err := a.joint(joint)
			if err != nil {
				return l, fmt.Errorf("tasks: limits of %s: %w", g.name, err)
			}
			if g.to[k] = g.named[joint]; !(g.to[k] > 0) {
				return l, fmt.Errorf("tasks: the limit %g of the %s of joint %q: give a positive one", g.to[k], g.name, joint)
			}
		}
	}
	if a.mass == nil {
		for k := range l.torque {
			l.torque[k] = math.Inf(1)
		}
	}
	return l, nil
}

// pace sets the law of a run and, where the segment says it, its time.
func (r *run) pace(s *Segment) error {
	r.law = law{kind: s.Profile, ramp: 1. / 3}
	r.shape = s.Profile == Trapezoidal && s.Speed == 0
	switch {
	case s.Time > 0 && s.Speed > 0: // of a trapezoid: v = L/(T·(1 − r))
		mean := r.far / s.Time
		if ramp := 1 - mean/s.Speed; ramp > 0.5 || !(ramp > 0) {
			return fmt.Errorf("%.6g m in %g s at %g m/s: a trapezoidal profile needs a speed above %.6g and of at most %.6g m/s", r.far, s.Time, s.Speed, mean, 2*mean)
		}
		r.law.ramp, r.time = 1-mean/s.Speed, s.Time
	case s.Time > 0:
		r.time = s.Time
	case s.Speed > 0 && r.far == 0:
		return fmt.Errorf("the path has no length, so a speed says nothing: give its time")
	case s.Speed > 0 && s.Profile == Trapezoidal:
		ramp := s.Speed / s.Acceleration
		if r.time = r.far/s.Speed + ramp; r.far < s.Speed*ramp { // the speed is not reached
			ramp = math.Sqrt(r.far / s.Acceleration)
			r.time = 2 * ramp
		}
		r.law.ramp = math.Min(0.5, ramp/r.time)
	case s.Speed > 0:
		r.time = r.law.peak() * r.far / s.Speed
	}
	return nil
}

// rounding is the share, and the angle or length, by which a run may pass a limit that it is asked to reach exactly: positions
// are solved to 1e-11 of the reach, which near singular values of DefaultLeastSingular is some 1e-9 of a joint.
const rounding = 1e-9

// timed chooses the time of a run and refuses one beyond the limits.
func (p *planner) timed(ctx context.Context, r *run, begin float64) error {
	var err error
	if r.least, r.binding, err = p.leastTime(r); err != nil {
		return err
	}
	if r.shape && r.least > 0 && !math.IsInf(r.least, 1) && r.time < r.least*(1-rounding) {
		if err := p.shaped(ctx, r); err != nil {
			return err
		}
	}
	switch {
	case math.IsInf(r.least, 1):
		return r.binding
	case r.time > 0 && r.time < r.least*(1-rounding):
		if err := p.exceeded(r, begin); err != nil {
			return err
		}
		return r.binding
	case r.time == 0:
		if !p.limits.any() {
			return fmt.Errorf("give a time or a speed: the shortest time needs joint limits, and neither the robot file nor the task has them")
		}
		if r.time = r.least; r.time == 0 {
			r.time = 1e-3 // nothing moves
		}
	}
	// Times of no robot: rates and numbers of samples would overflow.
	if !(r.time >= 1e-6 && r.time <= 1e7) {
		return fmt.Errorf("a time of %.3g s: give one between 1e-6 and 1e7 s", r.time)
	}
	return p.within(ctx, r, begin)
}

// within refuses a run beyond the limits of the joints' positions.
func (p *planner) within(ctx context.Context, r *run, begin float64) error {
	m := &Motion{arm: p.arm, runs: []*run{r}}
	m.prepare()
	v := m.newMover()
	q := make([]float64, p.arm.dof())
	for i := range grid + 1 {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		u := float64(i) / grid
		s, _, _ := r.law.at(u)
		m.geometry(v, 0, s, q)
		for k, x := range q {
			if lower, upper := p.arm.limits(k); x < lower-rounding || x > upper+rounding {
				return &LimitError{Joint: p.arm.names[k], Time: begin + u*r.time, At: x, Lower: lower, Upper: upper}
			}
		}
	}
	return nil
}

// grid is the number of steps in which a run is searched for its largest demands, before they are refined.
const grid = 400

// leastTime returns the least time of a run's profile under the limits, and the limit that binds. With σ = 1/time,
// velocities grow as σ, accelerations as σ², and torques are c0 + c1·σ + c2·σ²: gravity, offset and Coulomb friction;
// viscous friction; the rest.
func (p *planner) leastTime(r *run) (float64, *TimeError, error) {
	if !p.limits.any() || r.kind == Wait {
		return 0, nil, nil
	}
	e, err := p.newEffort(r)
	if err != nil {
		return 0, nil, err
	}
	worst, at := 0.0, 0.0
	var binding *TimeError
	look := func(u float64) float64 {
		t, b := e.least(u)
		if t > worst {
			worst, at, binding = t, u, b
		}
		return t
	}
	breaks := r.law.breaks()
	for i := range breaks[:len(breaks)-1] {
		// Both ends belong to the smooth piece: accelerations jump there.
		low, high := breaks[i]+1e-12, breaks[i+1]-1e-12
		n := int(math.Ceil(grid * (high - low)))
		best, bestU := -1.0, low
		for k := range n + 1 {
			u := low + (high-low)*float64(k)/float64(n)
			if t := look(u); t > best {
				best, bestU = t, u
			}
		}
		if math.IsInf(best, 1) {
			break
		}
		// Golden section about the largest: the demand is smooth there, but for changes of the joint that binds.
		a, b, g := math.Max(low, bestU-(high-low)/float64(n)), math.Min(high, bestU+(high-low)/float64(n)), (math.Sqrt(5)-1)/2
		x, y := b-g*(b-a), a+g*(b-a)
		fx, fy := look(x), look(y)
		for range 40 {
			if fx > fy {
				b, y, fy = y, x, fx
				x = b - g*(b-a)
				fx = look(x)
			} else {
				a, x, fx = x, y, fy
				y = a + g*(b-a)
				fy = look(y)
			}
		}
	}
	if binding != nil {
		binding.Least, binding.Time, binding.At = worst, r.time, at
	}
	return worst, binding, e.failed
}

// shaped gives a trapezoid the ramp of the shortest time under the limits: on a straight path of the joints the one at which its
// steady velocity and its acceleration both use up a limit, or no steady part at all. The time is searched over the ramps, on a
// grid and then by golden section.
func (p *planner) shaped(ctx context.Context, r *run) error {
	best := r.law.ramp
	try := func(ramp float64) float64 {
		was := r.law.ramp
		r.law.ramp = ramp
		t, binding, err := p.leastTime(r)
		if err != nil || ctx.Err() != nil || !(t < r.least) {
			r.law.ramp = was
			if err != nil || ctx.Err() != nil {
				return math.Inf(1)
			}
			return t
		}
		r.least, r.binding, best = t, binding, ramp
		return t
	}
	const ramps = 10 // of the grid, up to ½
	for i := range ramps {
		try(0.5 * float64(i+1) / ramps)
	}
	a, b, g := math.Max(best-0.5/ramps, shortestRamp), math.Min(best+0.5/ramps, 0.5), (math.Sqrt(5)-1)/2
	x, y := b-g*(b-a), a+g*(b-a)
	fx, fy := try(x), try(y)
	for range 32 { // 2e-8 of the ramp
		if fx < fy {
			b, y, fy = y, x, fx
			x = b - g*(b-a)
			fx = try(x)
		} else {
			a, x, fx = x, y, fy
			y = a + g*(b-a)
			fy = try(y)
		}
	}
	r.law.ramp = best
	return ctx.Err()
}

// shortestRamp is the smallest part of the time for the ramp of a trapezoid.
const shortestRamp = 1e-6

// exceeded completes the error of a time that is too short.
func (p *planner) exceeded(r *run, begin float64) error {
	e, err := p.newEffort(r)
	if err != nil {
		return err
	}
	b := r.binding
	b.Value = math.Abs(e.value(b.At, r.time, b))
	b.At = begin + b.At*r.time
	return e.failed
}

// effort evaluates the demands of a run's moments.
type effort struct {
	*planner
	motion    *Motion
	mover     *mover
	q, d1, d2 []float64
	drives    *drivesTorque // nil where torques have no limits
	failed    error         // of loops that do not close, the first
}

func (p *planner) newEffort(r *run) (*effort, error) {
	m := &Motion{arm: p.arm, runs: []*run{r}}
	m.prepare()
	e := &effort{planner: p, motion: m, mover: m.newMover()}
	n := p.arm.dof()
	for _, v := range []*[]float64{&e.q, &e.d1, &e.d2} {
		*v = make([]float64, n)
	}
	if !slices.ContainsFunc(p.limits.torque, func(x float64) bool { return !math.IsInf(x, 1) }) {
		return e, nil
	}
	var err error
	e.drives, err = p.newDrivesTorque(r)
	return e, err
}

// move evaluates a moment with a time of one second.
func (e *effort) move(u float64) {
	r := e.motion.runs[0]
	s, ds, dds := r.law.at(u)
	a, b := e.motion.geometry(e.mover, 0, s, e.q)
	for k := range a {
		e.d1[k], e.d2[k] = a[k]*ds, b[k]*ds*ds+a[k]*dds
	}
	if e.drives == nil {
		return
	}
	if err := e.drives.at(e.q, e.d1, e.d2); err != nil && e.failed == nil {
		e.failed = err
	}
	if r.force != e.none() {
		e.motion.push(e.mover.pose, r, s, e.q, e.drives.still)
	}
}

func (e *effort) none() (zero [3]float64) { return zero }

// least returns the shortest time that a moment allows.
func (e *effort) least(u float64) (time float64, by *TimeError) {
	e.move(u)
	take := func(t float64, k int, quantity string, value, limit float64) {
		if t > time {
			time, by = t, &TimeError{Joint: e.arm.names[k], Quantity: quantity, Value: value, Limit: limit}
		}
	}
	for k := range e.q {
		take(math.Abs(e.d1[k])/e.limits.velocity[k], k, "velocity", 0, e.limits.velocity[k])
		take(math.Sqrt(math.Abs(e.d2[k])/e.limits.acceleration[k]), k, "acceleration", 0, e.limits.acceleration[k])
		limit := e.limits.torque[k]
		if math.IsInf(limit, 1) {
			continue
		}
		still := e.drives.still[k]
		if math.Abs(still) > limit {
			take(math.Inf(1), k, "torque", math.Abs(still), limit)
			continue
		}
		// The smallest positive σ at which |c0 + c1·σ + c2·σ²| reaches the limit.
		least := math.Inf(1)
		for _, bound := range []float64{limit, -limit} {
			least = math.Min(least, firstRoot(still-bound, e.drives.viscous[k], e.drives.full[k]))
		}
		take(1/least, k, "torque", 0, limit)
	}
	return time, by
}

// value returns the value of the quantity that b names, at u of a run that takes time.
func (e *effort) value(u, time float64, b *TimeError) float64 {
	e.move(u)
	k := slices.Index(e.arm.names, b.Joint)
	switch b.Quantity {
	case "velocity":
		return e.d1[k] / time
	case "acceleration":
		return e.d2[k] / (time * time)
	}
	return e.drives.still[k] + e.drives.viscous[k]/time + e.drives.full[k]/(time*time)
}

// firstRoot returns the smallest positive root of c0 + c1·x + c2·x², +Inf without one.
func firstRoot(c0, c1, c2 float64) float64 {
	least := math.Inf(1)
	take := func(x float64) {
		if x > 0 && x < least {
			least = x
		}
	}
	if c2 == 0 {
		take(-c0 / c1)
		return least
	}
	root := c1*c1 - 4*c0*c2
	if root < 0 {
		return least
	}
	// The stable pair of formulas: no difference of numbers that are alike.
	h := -(c1 + math.Copysign(math.Sqrt(root), c1)) / 2
	take(h / c2)
	take(c0 / h)
	return least
}

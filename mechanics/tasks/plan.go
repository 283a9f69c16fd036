package tasks

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/internal/spatial"
	"ident/internal/spelling"
	"ident/robot"
)

// Plan finds the motion of a robot's joints. The error is a *SegmentError around the reason; it wraps a *SingularError,
// *UnreachableError, *FreeJointsError, *CornerError, *LimitError or *TimeError.
func Plan(ctx context.Context, r *robot.Robot, task Task) (*Motion, error) {
	a, err := newArm(r, task.Tip)
	if err != nil {
		return nil, err
	}
	if len(task.Segments) == 0 {
		return nil, fmt.Errorf("tasks: no segments; give one or more of line, arc, point, joints and wait")
	}
	p := &planner{arm: a, task: &task, least: task.LeastSingular}
	if p.least == 0 {
		p.least = DefaultLeastSingular
	}
	if p.limits, err = a.limitsOf(&task); err != nil {
		return nil, err
	}
	if err := p.start(ctx); err != nil {
		return nil, &SegmentError{Segment: -1, Err: err}
	}
	m := &Motion{arm: a, limits: p.limits}
	for i := 0; i < len(task.Segments); {
		n := 1
		for i+n < len(task.Segments) && (task.Segments[i+n-1].Through || task.Segments[i+n-1].Blend > 0) {
			n++
		}
		begin := m.Duration()
		run, err := p.run(ctx, task.Segments[i:i+n])
		if err == nil {
			err = p.timed(ctx, run, begin)
		}
		if err != nil {
			return nil, located(err, run, i, &task.Segments[i], begin)
		}
		run.first, run.begin = i, begin
		m.runs = append(m.runs, run)
		i += n
	}
	m.prepare()
	return m, nil
}

// located adds segment and times to an error.
func located(err error, r *run, segment int, s *Segment, begin float64) error {
	at := func(part float64) (time, distance float64) {
		if r == nil {
			return math.NaN(), 0
		}
		distance = part * r.far
		if r.time == 0 {
			return math.NaN(), distance
		}
		return begin + r.time*r.law.inverse(part), distance
	}
	var singular *SingularError
	var unreachable *UnreachableError
	if errors.As(err, &singular) {
		singular.Time, singular.Distance = at(singular.Part)
	}
	if errors.As(err, &unreachable) {
		unreachable.Time, unreachable.Distance = at(unreachable.Part)
	}
	return &SegmentError{Segment: segment, Line: s.Row, From: begin, Err: err}
}

// planner goes through the segments of a task.
type planner struct {
	arm    *arm
	task   *Task
	limits limits
	least  float64
	now    state
	tip    robot.Transform
}

// joint returns the index of an independent joint.
func (a *arm) joint(name string) (int, error) {
	if k := slices.Index(a.names, name); k >= 0 {
		return k, nil
	}
	near := slices.MinFunc(a.names, func(x, y string) int { return spelling.Distance(name, x) - spelling.Distance(name, y) })
	return 0, fmt.Errorf("no joint %q; did you mean %q? The joints are %s", name, near, strings.Join(a.names, ", "))
}

// positions returns a copy of over with the positions of the named joints replaced.
func (a *arm) positions(named map[string]float64, over []float64) ([]float64, error) {
	q := slices.Clone(over)
	for _, name := range sorted(named) {
		k, err := a.joint(name)
		if err != nil {
			return nil, err
		}
		q[k] = named[name]
	}
	return q, nil
}

// start finds the state at the beginning.
func (p *planner) start(ctx context.Context) error {
	near := make([]float64, p.arm.dof())
	var closed []float64
	if p.arm.closed {
		m, err := p.arm.closure.Assembled(p.arm.robot.Assembly)
		if err != nil {
			return err
		}
		closed = m.Q
		for i, k := range p.arm.closure.Active() {
			near[i] = m.Q[k]
		}
	}
	var err error
	if p.now.q, err = p.arm.positions(p.task.Start.Joints, near); err != nil {
		return err
	}
	p.now.closed = closed
	if err := p.place(); err != nil {
		return err
	}
	if p.task.Start.Point == nil {
		if p.task.Start.Orientation.By != Free {
			return fmt.Errorf("an orientation without a point: give point, or joints alone")
		}
		return nil
	}
	at := Segment{To: *p.task.Start.Point, Orientation: p.task.Start.Orientation}
	if first := p.task.Segments[0]; at.Orientation.By == Free {
		at.Components = first.Components
	}
	p.now, err = p.reach(ctx, &at)
	if err != nil {
		return err
	}
	return p.place()
}

// place finds the tip in the present state.
func (p *planner) place() error {
	x, err := p.arm.newPose()
	if err != nil {
		return err
	}
	x.state = p.now.closed
	if err := x.place(p.now.q); err != nil {
		return err
	}
	p.now.closed, p.tip = x.state, x.tip()
	return nil
}

// orient makes the attitude of a segment that begins at the present tip.
func (p *planner) orient(o Orientation, to *stretch) error {
	axis := spatial.Vec(o.Axis)
	if axis == (spatial.Vec{}) {
		axis = spatial.Vec{0, 0, 1}
	}
	axis = spatial.Scale(1/spatial.Norm(axis), axis)
	switch o.By {
	case Free:
	case Fixed:
		to.attitude = turning{from: p.tip.R, axis: axis}
	case SameDirection:
		to.attitude, to.pointing, to.axis = turning{from: p.tip.R, axis: axis}, true, axis
	case Turn:
		to.attitude = turning{from: p.tip.R, axis: axis, angle: o.Angle}
	case Direction:
		size := spatial.Norm(o.Direction)
		if size == 0 {
			return fmt.Errorf("the direction is zero: give a vector in the base's frame")
		}
		about, angle := arcBetween(spatial.MulVec(p.tip.R, axis), spatial.Scale(1/size, o.Direction))
		to.attitude, to.pointing, to.axis = turning{from: p.tip.R, axis: about, angle: angle}, true, axis
	case Angles, PartialAngles:
		s := sequenced{of: o.Sequence}
		if s.of == (Sequence{}) {
			return fmt.Errorf("angles need axes: give axes, xyx for instance")
		}
		s.from = s.of.Angles(p.tip.R)
		if to.pointing = o.By == PartialAngles; to.pointing {
			to.axis = s.of.axis(2)
		}
		for i := range 3 {
			if to.pointing && i == 2 {
				break
			}
			s.way[i] = o.Angles[i] - s.from[i]
		}
		to.attitude = s
	}
	return nil
}

// run makes the run of segments that follow each other without rest.
func (p *planner) run(ctx context.Context, segments []Segment) (*run, error) {
	last := &segments[len(segments)-1]
	for i := range segments {
		if err := segments[i].check(); err != nil {
			return nil, err
		}
	}
	if last.Through || last.Blend > 0 {
		return nil, fmt.Errorf("the last segment has through: remove it, or add a segment")
	}
	r := &run{kind: last.Kind, force: last.Force}
	if r.kind == Line || r.kind == Arc {
		return p.path(ctx, segments, r)
	}
	r.from, r.way = slices.Clone(p.now.q), make([]float64, p.arm.dof())
	r.start, r.arm = p.now, p.arm
	to := p.now
	err := r.pace(last)
	if err != nil {
		return r, err
	}
	switch r.kind {
	case Point:
		if to, err = p.reach(ctx, last); err != nil {
			return r, err
		}
	case Joints:
		if to.q, err = p.arm.positions(last.Joints, p.now.q); err != nil {
			return r, err
		}
	}
	for k := range r.way {
		r.way[k] = to.q[k] - p.now.q[k]
	}
	p.now = to
	return r, p.place()
}

// path makes a run of lines and arcs.
func (p *planner) path(ctx context.Context, segments []Segment, r *run) (*run, error) {
	last := &segments[len(segments)-1]
	on := stretch{components: last.Components}
	if on.components == [3]bool{} {
		on.components = [3]bool{true, true, true}
	}
	var parts chain
	from := p.tip.P
	for i := range segments {
		s := &segments[i]
		if i < len(segments)-1 && (s.Orientation != Orientation{} && s.Orientation != last.Orientation || len(s.Joints) > 0) {
			return r, fmt.Errorf("an orientation or joints in the middle of a path without rest: they change along the whole path; give them with its last segment")
		}
		c, err := s.curve(from)
		if err != nil {
			return r, err
		}
		from, _, _ = c.at(c.length())
		if i > 0 {
			if parts, err = joined(parts, c, &segments[i-1]); err != nil {
				return r, err
			}
		} else {
			parts = chain{c}
		}
	}
	on.path = parts
	if len(parts) == 1 {
		on.path = parts[0]
	}
	if err := p.orient(last.Orientation, &on); err != nil {
		return r, err
	}
	for _, name := range sorted(last.Joints) {
		k, err := p.arm.joint(name)
		if err != nil {
			return r, err
		}
		on.held = append(on.held, heldJoint{k, p.now.q[k], last.Joints[name]})
	}
	r.far, r.arm = on.path.length(), p.arm
	err := r.pace(last)
	if err != nil {
		return r, err
	}
	if r.track, p.now, err = p.arm.newTrack(ctx, on, p.now, p.least); err != nil {
		return r, err
	}
	return r, p.place()
}

// joined puts a curve behind others that the one before it does not rest from.
func joined(parts chain, next curve, before *Segment) (chain, error) {
	end := parts[len(parts)-1]
	_, d, _ := end.at(end.length())
	_, e, _ := next.at(0)
	d, e = spatial.Scale(1/spatial.Norm(d), d), spatial.Scale(1/spatial.Norm(e), e)
	corner := math.Atan2(spatial.Norm(spatial.Cross(d, e)), spatial.Dot(d, e))
	if before.Blend == 0 {
		// A task file gives six digits; the tip's velocity jumps by less than a hundred-thousandth of it.
		if !(corner < 1e-5) {
			return nil, &CornerError{Angle: corner, Speed: math.NaN()}
		}
		return append(parts, next), nil
	}
	a, first := end.(line)
	b, second := next.(line)
	switch {
	case !first || !second:
		return nil, fmt.Errorf("a blend is between two straight lines")
	case !(before.Blend < a.far) || !(before.Blend < b.far):
		return nil, fmt.Errorf("a blend that begins %g m before the corner of lines of %.4g and %.4g m: give less", before.Blend, a.far, b.far)
	case corner < 1e-5:
		return append(parts, next), nil
	case corner > math.Pi-1e-3:
		return nil, &CornerError{Angle: corner, Speed: math.NaN()}
	}
	x, y, z := blended(a, b, before.Blend)
	parts[len(parts)-1] = x
	return append(parts, y, z), nil
}

// curve makes the path of a segment.
func (s *Segment) curve(from spatial.Vec) (curve, error) {
	to, center := spatial.Vec(s.To), spatial.Vec(s.Center)
	if s.Relative {
		to, center = spatial.Add(from, to), spatial.Add(from, center)
	}
	if s.Kind == Line {
		if s.Coordinates != Cartesian {
			return newCurvilinear(s.Coordinates, from, s.To), nil
		}
		return newLine(from, to), nil
	}
	if s.Via == nil {
		a, ok := arcAbout(from, center, s.Axis, s.Angle)
		if !ok {
			return nil, fmt.Errorf("no circle about %v along %v by %g rad from %.4g: the point is on the axis, or axis or angle are zero", s.Center, s.Axis, s.Angle, from)
		}
		return a, nil
	}
	via := spatial.Vec(*s.Via)
	if s.Relative {
		via = spatial.Add(from, via)
	}
	a, ok := arcThrough(from, via, to)
	if !ok {
		return nil, fmt.Errorf("no circle through %.4g, %.4g and %.4g: they are on a line; give a point beside it, or a line", from, via, to)
	}
	return a, nil
}

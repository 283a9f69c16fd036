package tasks

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"sync"

	"ident/internal/spatial"
	"ident/mechanics/kinematics"
)

// Motion is a task as a motion of the robot's independent joints. Position, velocity and acceleration are exact at any
// time: the position by Newton's method on the demands, the others from their derivatives. It is immutable and safe for
// concurrent use, and a motion for packages simulate and excite.
type Motion struct {
	arm    *arm
	limits limits
	runs   []*run
	begins []float64
	pool   *sync.Pool // of *mover
}

// run is a part of a motion from rest to rest.
type run struct {
	arm         *arm
	kind        Kind
	first       int     // segment
	begin, time float64 // s
	law         law
	shape       bool    // a trapezoid whose ramp may be chosen
	far         float64 // m, of a path
	track       *track  // of a path, else from and way of the joints
	start       state
	from, way   []float64
	force       spatial.Vec
	least       float64 // time under the limits, 0 without any
	binding     *TimeError
}

// mover evaluates a motion.
type mover struct {
	solvers []*solver // of runs with a track
	pose    *pose
	d2      []float64 // of runs of the joints, zero
}

func (m *Motion) prepare() {
	for _, r := range m.runs {
		m.begins = append(m.begins, r.begin)
	}
	m.pool = &sync.Pool{New: func() any { return m.newMover() }}
}

func (m *Motion) newMover() *mover {
	p, err := m.arm.newPose()
	if err != nil {
		panic(err) // it has been made before
	}
	v := &mover{solvers: make([]*solver, len(m.runs)), pose: p}
	for i, r := range m.runs {
		if r.track != nil {
			v.solvers[i] = newSolver(p, &r.track.on)
		}
	}
	return v
}

// DOF returns the number of independent joints.
func (m *Motion) DOF() int { return m.arm.dof() }

// Names returns the joints' names.
func (m *Motion) Names() []string { return append([]string(nil), m.arm.names...) }

// Duration returns the seconds from beginning to end.
func (m *Motion) Duration() float64 {
	if len(m.runs) == 0 {
		return 0
	}
	last := m.runs[len(m.runs)-1]
	return last.begin + last.time
}

// Periodic returns false: a task does not repeat.
func (m *Motion) Periodic() bool { return false }

// Eval stores positions, velocities and accelerations at time t. Before the beginning and after the end the robot is at rest in the
// first and the last position. If accelerations jump at t, they are those just after.
func (m *Motion) Eval(t float64, q, dq, ddq []float64) {
	if len(q) != m.DOF() || len(dq) != m.DOF() || len(ddq) != m.DOF() {
		panic(fmt.Sprintf("tasks: a motion of %d joints into %d, %d and %d entries", m.DOF(), len(q), len(dq), len(ddq)))
	}
	v := m.pool.Get().(*mover)
	defer m.pool.Put(v)
	i, u := m.find(t)
	r := m.runs[i]
	s, ds, dds := r.law.at(u)
	if t < 0 || t > m.Duration() {
		ds, dds = 0, 0
	}
	q1, q2 := m.geometry(v, i, s, q)
	for k := range q {
		dq[k] = q1[k] * ds / r.time
		ddq[k] = (q2[k]*ds*ds + q1[k]*dds) / (r.time * r.time)
	}
}

// find returns the run at a time, and the part of its own time.
func (m *Motion) find(t float64) (i int, u float64) {
	i = max(0, sort.Search(len(m.begins), func(i int) bool { return m.begins[i] > t })-1)
	return i, math.Max(0, math.Min(1, (t-m.begins[i])/m.runs[i].time))
}

// geometry stores the joints at a part of a run's path, and returns their first two derivatives by it.
func (m *Motion) geometry(v *mover, i int, s float64, q []float64) (d1, d2 []float64) {
	r := m.runs[i]
	if r.track == nil {
		if v.d2 == nil {
			v.d2 = make([]float64, m.DOF())
		}
		for k := range q {
			q[k] = r.from[k] + s*r.way[k]
		}
		return r.way, v.d2
	}
	x := v.solvers[i]
	if ok, err := r.track.solve(x, s); err != nil || !ok {
		panic(fmt.Sprintf("tasks: the motion is lost between two of its places: %v", err)) // Plan has been there
	}
	copy(q, x.q)
	return x.d1, x.d2
}

// Tip returns the frame of the tip at joint positions of the motion, in the base.
func (m *Motion) Tip(t float64) (at [3]float64, orientation [3][3]float64) {
	v := m.pool.Get().(*mover)
	defer m.pool.Put(v)
	q := make([]float64, m.DOF())
	i, u := m.find(t)
	s, _, _ := m.runs[i].law.at(u)
	m.geometry(v, i, s, q)
	if r := m.runs[i]; r.track == nil {
		v.pose.state = append(v.pose.state[:0], r.start.closed...)
		if err := v.pose.place(q); err != nil {
			panic(err) // Plan has been there
		}
	}
	tip := v.pose.tip()
	return tip.P, tip.R
}

// Pushed reports whether an external force acts on the tip at any time of the motion.
func (m *Motion) Pushed() bool {
	for _, r := range m.runs {
		if r.force != (spatial.Vec{}) {
			return true
		}
	}
	return false
}

// Push returns the force of the surroundings on the tip at a time, N along the axes of the base, and adds to torques those that
// drives hold against it, −Jᵀ·F, at joint positions near those of the motion.
func (m *Motion) Push(t float64, q, tau []float64) (force [3]float64) {
	i, u := m.find(t)
	r := m.runs[i]
	if r.force == (spatial.Vec{}) || t < 0 || t > m.Duration() {
		return force
	}
	v := m.pool.Get().(*mover)
	defer m.pool.Put(v)
	s, _, _ := r.law.at(u)
	m.push(v.pose, r, s, q, tau)
	return r.force
}

// push adds the torques of a run's force near a part of its path; none where the loops of the robot do not close.
func (m *Motion) push(p *pose, r *run, part float64, q, tau []float64) {
	f := r.force
	if p.loop != nil {
		closed, _ := r.place(part)
		p.state = append(p.state[:0], closed...)
	}
	if p.place(q) != nil {
		return
	}
	j := make(kinematics.Jacobian, m.DOF())
	p.jacobian(j)
	for k, c := range j {
		tau[k] -= spatial.Dot(c.Linear, f)
	}
}

// Leg describes a part of the motion from rest to rest.
type Leg struct {
	Segment     int // index of its first segment, from 0
	Kind        Kind
	Begin, Time float64 // start and length in time, s
	Length      float64 // length of lines and arcs, m
	Speed       float64 // largest speed of the tip for lines and arcs in Cartesian coordinates, m/s
	Accelerate  float64 // largest acceleration along the path, m/s²
	// Least is the least time of its profile under the joint limits in s, zero without limits. Joint and Quantity name
	// the limit that determines it.
	Least           float64
	Joint, Quantity string
	// Smallest is the least singular value along the path, lengths in units of the robot's reach, at SingularAt, s; +Inf
	// where the joints move by themselves.
	Smallest, SingularAt float64
}

// Legs returns the parts of the motion.
func (m *Motion) Legs() []Leg {
	var out []Leg
	for _, r := range m.runs {
		l := Leg{Segment: r.first, Kind: r.kind, Begin: r.begin, Time: r.time, Length: r.far, Least: r.least, Smallest: math.Inf(1)}
		l.Speed, l.Accelerate = r.law.peak()*r.far/r.time, r.law.steepest()*r.far/(r.time*r.time)
		if r.binding != nil {
			l.Joint, l.Quantity = r.binding.Joint, r.binding.Quantity
		}
		if r.track != nil {
			l.Smallest, l.SingularAt = r.track.low.value, r.begin+r.time*r.law.inverse(r.track.low.part)
		}
		out = append(out, l)
	}
	return out
}

// Notes tells in a few lines of the motion's length, times and singular values.
func (m *Motion) Notes() []string {
	far, low := 0.0, Leg{Smallest: math.Inf(1)}
	var fast []string
	for _, l := range m.Legs() {
		far += l.Length
		if l.Smallest < low.Smallest {
			low = l
		}
		if l.Least > 0 {
			fast = append(fast, fmt.Sprintf("segment %d in %.4g s of %.4g s (%s of %s)", l.Segment+1, l.Least, l.Time, l.Quantity, l.Joint))
		}
	}
	text := fmt.Sprintf("the task takes %.6g s over %.6g m", m.Duration(), far)
	if !math.IsInf(low.Smallest, 1) {
		text += fmt.Sprintf("; the least singular value is %.3g at %.4g s, of segment %d", low.Smallest, low.SingularAt, low.Segment+1)
	}
	out := []string{text}
	const shown = 6
	if len(fast) > shown {
		fast = append(fast[:shown], "…")
	}
	if len(fast) > 0 {
		out = append(out, "limits of the joints allow "+strings.Join(fast, ", "))
	}
	if m.Pushed() {
		out = append(out, "only ident simulate takes the forces on the tip into its torques")
	}
	return out
}

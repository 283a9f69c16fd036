package sway

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/mechanics/kinematics"
	"ident/regressor"
	"ident/robot"
)

// A Stance is a robot with a floating base whose feet stick to level ground.
type Stance struct {
	robot    *robot.Robot
	base     regressor.FloatingBase
	sticking *regressor.Sticking
	feet     []regressor.Foot
	gravity  float64
	start    []float64     // of the joints behind the base
	attitude [2]float64    // roll and pitch of the base at the start, rad
	free     []int         // indices into start of the joints that carry no foot
	places   []spatial.Vec // centres of the feet at the start, in the axes of the base

	// Scratch of one sample.
	one      regressor.Batch
	contacts *regressor.Contacts
	ws       *regressor.Workspace
	square   *mat.SymDense
	chol     mat.Cholesky
	right, x *mat.VecDense
	// Rates and accelerations of the points of contact.
	raised, pushed []float64
}

// levelWithin is how far, m, feet may be from one level plane at the start of a sway.
const levelWithin = 0.002

// ErrNotLevel is wrapped in the error for a pose in which the feet do not stand on level ground.
var ErrNotLevel = errors.New("the feet are not on one plane")

// NewStance returns the stance of a robot that regressor.FloatingBaseOf accepts, with its joints at start, a position for each
// joint behind the base, rad or m. The base takes the attitude in which the ground is level; with fewer than three feet, or
// soles, that of the robot file.
func NewStance(r *robot.Robot, feet []regressor.Foot, start []float64) (*Stance, error) {
	s := &Stance{robot: r, feet: feet, gravity: spatial.Norm(r.Gravity), start: start}
	var err error
	if s.base, err = regressor.FloatingBaseOf(r); err != nil {
		return nil, err
	}
	if s.sticking, err = regressor.NewSticking(r, feet); err != nil {
		return nil, err
	}
	moving := r.Independent()
	if n := len(moving) - 6; len(start) != n {
		return nil, fmt.Errorf("%d positions at the start for %d joints", len(start), n)
	}
	s.one, s.contacts, s.ws = batch(len(moving), 1), s.sticking.NewContacts(1), s.sticking.NewWorkspace()
	forces := len(s.contacts.Jacobian)
	s.square, s.right, s.x = mat.NewSymDense(forces, nil), mat.NewVecDense(forces, nil), mat.NewVecDense(forces, nil)
	s.raised, s.pushed = make([]float64, forces), make([]float64, forces)
	carries := make([]bool, len(r.Links))
	for _, f := range feet {
		for j := f.Link; j >= 0; j = r.Links[j].Antecedent {
			carries[j] = true
		}
	}
	for k, j := range moving[6:] {
		if !carries[j] {
			s.free = append(s.free, k)
		}
	}
	if err := s.place(); err != nil {
		return nil, err
	}
	return s, s.level()
}

// level finds the attitude in which the feet are on level ground.
func (s *Stance) level() error {
	places := s.places
	if len(places) < 3 || slices.ContainsFunc(s.feet, func(f regressor.Foot) bool { return f.Sole }) {
		return nil
	}
	// The normal ν and the height h with cᵢ·ν − ρᵢ = h for all feet, by least squares about the mean: two steps, because the
	// length of ν is one.
	normal := spatial.Vec{0, 0, 1}
	for range 4 {
		a, y := mat.NewDense(len(places), 3, nil), mat.NewVecDense(len(places), nil)
		for i, c := range places {
			a.SetRow(i, []float64{c[0], c[1], -1})
			y.SetVec(i, s.feet[i].Radius-c[2]*normal[2])
		}
		var x mat.VecDense
		if err := x.SolveVec(a, y); err != nil {
			return fmt.Errorf("%w: they are on one line", ErrNotLevel)
		}
		normal[0], normal[1] = x.AtVec(0), x.AtVec(1)
		normal[2] = math.Sqrt(max(1-normal[0]*normal[0]-normal[1]*normal[1], 0))
	}
	heights, mean := make([]float64, len(places)), 0.0
	for i, c := range places {
		heights[i] = spatial.Dot(c, normal) - s.feet[i].Radius
		mean += heights[i] / float64(len(places))
	}
	off := 0.0
	for _, h := range heights {
		off = max(off, math.Abs(h-mean))
	}
	if !(off <= levelWithin) {
		return fmt.Errorf("%w: they miss the nearest one by up to %.1f mm", ErrNotLevel, 1000*off)
	}
	// The ground's normal in the axes of the base is (−sin θ, cos θ·sin φ, cos θ·cos φ) for a roll φ and a pitch θ.
	s.attitude = [2]float64{math.Atan2(normal[1], normal[2]), -math.Asin(normal[0])}
	return nil
}

// place finds the centres of the feet at the start.
func (s *Stance) place() error {
	tree, err := kinematics.New(s.robot)
	if err != nil {
		return err
	}
	pose := tree.NewPose()
	pose.Place(append(make([]float64, 6), s.start...))
	base := pose.Frame(s.base.Body()).P
	for _, f := range s.feet {
		s.places = append(s.places, spatial.Sub(pose.Frame(f.Link).Apply(s.robot.Links[f.Link].UserFrame.Apply(f.Centre)), base))
	}
	return nil
}

// A Path returns the pose of the base at a time, its rate and its acceleration: x, y, z (m) in the world, and roll, pitch and
// yaw (rad) about the attitude of the start; then those of the joints that carry no foot, about their start.
type Path func(t float64) (x, dx, ddx []float64)

// A Lift takes a foot off the ground for some time and puts it down where it was.
type Lift struct {
	Foot     int
	From, To float64 // s: in the air
	Height   float64 // m, of its point of contact
	Relief   float64 // s in which the foot gives its load to the others before it rises, and takes it again; 0 is half a second
}

const (
	// rising is the time, s, in which a foot rises, and sinks again; a third of the time in the air if that is less.
	rising = 1.0
	// relief is the usual Lift.Relief, s.
	relief = 0.5
)

// height returns how high the foot is at a time, with its rate and acceleration.
func (l *Lift) height(t float64) (h, dh, ddh float64) {
	air := l.To - l.From
	h, dh, ddh = ramped(t-l.From, air, min(rising, air/3))
	return l.Height * h, l.Height * dh, l.Height * ddh
}

// share returns the part of its usual load that the foot takes at a time.
func (l *Lift) share(t float64) float64 {
	of := l.Relief
	if of == 0 {
		of = relief
	}
	off, _, _ := ramped(t-(l.From-of), l.To-l.From+2*of, of)
	return 1 - off
}

// moment is the motion at a time, in the axes of the base.
type moment struct {
	v, w, dw, f, up spatial.Vec
	pose            [3][6]float64 // x, y, z, roll, pitch, yaw in the world, their rates and accelerations
	dq, ddq         []float64
}

// at returns the motion at a time with the joints at q, without accelerations of the joints unless they are asked for. Points of contact
// of feet that are lifted move along the normal of the ground alone.
func (s *Stance) at(path Path, lifts []Lift, t float64, q []float64, accelerations bool) moment {
	p, dp, ddp := path(t)
	roll, pitch, yaw := p[3]+s.attitude[0], p[4]+s.attitude[1], p[5]
	sr, cr := math.Sincos(roll)
	sp, cp := math.Sincos(pitch)
	turn := spatial.Mul(spatial.Mul(spatial.RotZ(yaw), spatial.RotY(pitch)), spatial.RotX(roll))
	dr, dpi, dy, ar, ap, ay := dp[3], dp[4], dp[5], ddp[3], ddp[4], ddp[5]
	x := moment{
		v: spatial.MulTVec(turn, spatial.Vec{dp[0], dp[1], dp[2]}),
		w: spatial.Vec{dr - dy*sp, dpi*cr + dy*cp*sr, -dpi*sr + dy*cp*cr},
		dw: spatial.Vec{ar - ay*sp - dy*dpi*cp, ap*cr - dpi*dr*sr + ay*cp*sr - dy*dpi*sp*sr + dy*dr*cp*cr,
			-ap*sr - dpi*dr*cr + ay*cp*cr - dy*dpi*sp*cr - dy*dr*cp*sr},
		f:    spatial.MulTVec(turn, spatial.Vec{ddp[0], ddp[1], ddp[2] + s.gravity}),
		up:   spatial.MulTVec(turn, spatial.Vec{0, 0, 1}),
		pose: [3][6]float64{{p[0], p[1], p[2], roll, pitch, yaw}, [6]float64(dp[:6]), [6]float64(ddp[:6])},
	}
	var m regressor.BaseMotion
	var up [3][]float64
	for k := range 3 {
		m.Rate[k], m.Acceleration[k], m.SpecificForce[k], up[k] = []float64{x.w[k]}, []float64{x.dw[k]}, []float64{x.f[k]}, []float64{x.up[k]}
	}
	for k := range q {
		s.one.Q[6+k][0], s.one.DQ[6+k][0], s.one.DDQ[6+k][0] = q[k], 0, 0
	}
	for i, k := range s.free {
		s.one.DQ[6+k][0], s.one.DDQ[6+k][0] = dp[6+i], ddp[6+i]
	}
	s.base.Fill(&s.one, &m)
	s.sticking.Eval(s.contacts, s.one, up, s.ws)
	rows, twist := s.base.Rows(), []float64{x.v[0], x.v[1], x.v[2], x.w[0], x.w[1], x.w[2]}
	raised, pushed := s.raised, s.pushed
	clear(raised)
	clear(pushed)
	for i := range lifts {
		_, dh, ddh := lifts[i].height(t)
		for d := range 3 {
			at := s.contacts.First[lifts[i].Foot] + d
			raised[at] += dh * x.up[d]
			pushed[at] += ddh * x.up[d]
		}
	}
	x.dq = s.solve(func(at int) float64 {
		sum := raised[at]
		for k, row := range rows {
			sum -= s.contacts.Jacobian[at][row][0] * twist[k]
		}
		return sum
	})
	for i, k := range s.free {
		x.dq[k] = dp[6+i]
	}
	if !accelerations {
		return x
	}
	for k := range x.dq {
		s.one.DQ[6+k][0] = x.dq[k]
	}
	s.sticking.Eval(s.contacts, s.one, up, s.ws)
	first := 0
	wanted := make([]float64, len(s.contacts.Motion))
	for i := range s.feet {
		for d := range s.feet[i].Forces() {
			wanted[first+d] = pushed[first+d] - s.contacts.Motion[first+d][0]
			if d < 3 {
				wanted[first+d] += s.gravity * x.up[d]
			}
		}
		first += s.feet[i].Forces()
	}
	x.ddq = s.solve(func(at int) float64 { return wanted[at] })
	for i, k := range s.free {
		x.ddq[k] = ddp[6+i]
	}
	return x
}

// stretched is the part of the mean square of the Jacobian that keeps rates finite where a leg is stretched.
const stretched = 1e-12

// solve returns the rates or accelerations of the joints, the smallest ones if there are several, that give the points of
// contact what is wanted.
func (s *Stance) solve(wanted func(at int) float64) []float64 {
	jacobian, n := s.contacts.Jacobian, len(s.start)
	forces, trace := len(jacobian), 0.0
	for a := range forces {
		s.right.SetVec(a, wanted(a))
		for b := a; b < forces; b++ {
			sum := 0.0
			for k := 6; k < 6+n; k++ {
				sum += jacobian[a][k][0] * jacobian[b][k][0]
			}
			if s.square.SetSym(a, b, sum); a == b {
				trace += sum
			}
		}
	}
	for a := range forces {
		s.square.SetSym(a, a, s.square.At(a, a)+stretched*trace/float64(forces))
	}
	out := make([]float64, n)
	if !s.chol.Factorize(s.square) || s.chol.SolveVecTo(s.x, s.right) != nil {
		for k := range out {
			out[k] = math.Inf(1)
		}
		return out
	}
	for k := range out {
		for a := range forces {
			out[k] += jacobian[a][6+k][0] * s.x.AtVec(a)
		}
	}
	return out
}

// A Sway is a motion of a robot whose feet roll on level ground without slip, at a steady rate. Every slice of signals has an
// entry per sample.
type Sway struct {
	DT         float64
	Q, DQ, DDQ [][]float64 // of the joints behind the six of the base
	Base       regressor.BaseMotion
	Speed      [3][]float64 // of the base's origin, in its own axes, m/s
	Up         [3][]float64 // normal of the ground, in the axes of the base
	// Pose of the base in the world: x, y, z, roll, pitch, yaw, with their rates and accelerations.
	Pose, PoseRate, PoseAcceleration [6][]float64

	stance *Stance
	lifts  []Lift
}

// Follow returns the motion of the joints that keeps the feet where they are while the base goes along a path, by the
// classical method of Runge and Kutta with steps of dt seconds. Feet leave the ground as lifts say.
func (s *Stance) Follow(path Path, dt float64, count int, lifts ...Lift) *Sway {
	n := len(s.start)
	w := &Sway{DT: dt, Q: signals(n, count), DQ: signals(n, count), DDQ: signals(n, count), stance: s, lifts: lifts}
	for _, v := range []*[3][]float64{&w.Base.Rate, &w.Base.Acceleration, &w.Base.SpecificForce, &w.Speed, &w.Up} {
		*v = [3][]float64(signals(3, count))
	}
	poses := [3]*[6][]float64{&w.Pose, &w.PoseRate, &w.PoseAcceleration}
	for _, v := range poses {
		*v = [6][]float64(signals(6, count))
	}
	q := append([]float64(nil), s.start...)
	next := make([]float64, n)
	step := func(from []float64, h float64) []float64 {
		for k := range next {
			next[k] = q[k] + h*from[k]
		}
		return next
	}
	for i := range count {
		at := float64(i) * dt
		x := s.at(path, lifts, at, q, true)
		for k := range q {
			w.Q[k][i], w.DQ[k][i], w.DDQ[k][i] = q[k], x.dq[k], x.ddq[k]
		}
		for k := range 3 {
			w.Base.Rate[k][i], w.Base.Acceleration[k][i], w.Base.SpecificForce[k][i] = x.w[k], x.dw[k], x.f[k]
			w.Speed[k][i], w.Up[k][i] = x.v[k], x.up[k]
		}
		for o, of := range poses {
			for k, v := range x.pose[o] {
				of[k][i] = v
			}
		}
		k1 := x.dq
		k2 := s.at(path, lifts, at+dt/2, step(k1, dt/2), false).dq
		k3 := s.at(path, lifts, at+dt/2, step(k2, dt/2), false).dq
		k4 := s.at(path, lifts, at+dt, step(k3, dt), false).dq
		for k := range q {
			q[k] += dt / 6 * (k1[k] + 2*k2[k] + 2*k3[k] + k4[k])
		}
	}
	return w
}

// Batch returns the motion as a batch of a model of the robot.
func (w *Sway) Batch() regressor.Batch {
	in := batch(len(w.Q)+6, len(w.Up[0]))
	copy(in.Q[6:], w.Q)
	copy(in.DQ[6:], w.DQ)
	copy(in.DDQ[6:], w.DDQ)
	w.stance.base.Fill(&in, &w.Base)
	return in
}

// Coordinates returns the motion in the coordinates of the robot's joints, the six of its base first: places in the world and
// angles of roll, pitch and yaw with their rates, which Batch has not.
func (w *Sway) Coordinates() regressor.Batch {
	n, count := len(w.Q), len(w.Up[0])
	in := batch(n+6, count)
	copy(in.Q[6:], w.Q)
	copy(in.DQ[6:], w.DQ)
	copy(in.DDQ[6:], w.DDQ)
	for k, row := range w.stance.base.Rows() {
		copy(in.Q[row], w.Pose[k])
		copy(in.DQ[row], w.PoseRate[k])
		copy(in.DDQ[row], w.PoseAcceleration[k])
	}
	return in
}

// Share returns the part of its usual load that a foot takes at a time: one, and zero in the air.
func (w *Sway) Share(foot int, t float64) float64 {
	out := 1.0
	for i := range w.lifts {
		if w.lifts[i].Foot == foot {
			out *= w.lifts[i].share(t)
		}
	}
	return out
}

// momentLength, m, makes moments of soles comparable with forces.
const momentLength = 0.1

// Forces returns the contact forces of least norm that carry the robot, an entry for each force and moment of each foot in
// the axes of the base as regressor.Contacts has them, and the torques of the joints. Feet take the part of a load that Share
// says. chi holds the parameters of the columns of a model.
func (w *Sway) Forces(m *regressor.Model, chi []float64) (forces, torques [][]float64, err error) {
	s, in, count := w.stance, w.Batch(), len(w.Up[0])
	n := m.Joints()
	b := m.NewBlock(count)
	m.EvalBatch(b, in, m.NewWorkspace())
	c := s.sticking.NewContacts(count)
	s.sticking.Eval(c, in, w.Up, s.sticking.NewWorkspace())
	needed := signals(n, count)
	for k := range n {
		for at, col := range m.Mask(k) {
			for i, v := range b.Joint[k][at] {
				needed[k][i] += v * chi[col]
			}
		}
	}
	unit := make([]float64, len(c.Jacobian))
	for i := range s.feet {
		for d := range s.feet[i].Forces() {
			unit[c.First[i]+d] = 1
			if d >= 3 {
				unit[c.First[i]+d] = momentLength
			}
		}
	}
	forces, torques = signals(len(unit), count), signals(n-6, count)
	square, y, x := mat.NewSymDense(6, nil), mat.NewVecDense(6, nil), mat.NewVecDense(6, nil)
	var chol mat.Cholesky
	full := slices.Clone(unit)
	for i := range count {
		for foot, first := range c.First {
			share := w.Share(foot, float64(i)*w.DT)
			for d := range s.feet[foot].Forces() {
				unit[first+d] = share * full[first+d]
			}
		}
		for k := range 6 {
			y.SetVec(k, needed[k][i])
			for l := k; l < 6; l++ {
				sum := 0.0
				for f, u := range unit {
					sum += u * u * c.Jacobian[f][k][i] * c.Jacobian[f][l][i]
				}
				square.SetSym(k, l, sum)
			}
		}
		if !chol.Factorize(square) || chol.SolveVecTo(x, y) != nil {
			return nil, nil, fmt.Errorf("the feet cannot carry the robot: they need three points that are not on a line, or a sole")
		}
		for f, u := range unit {
			for k := range 6 {
				forces[f][i] += u * u * c.Jacobian[f][k][i] * x.AtVec(k)
			}
		}
		for k := 6; k < n; k++ {
			torques[k-6][i] = needed[k][i]
			for f := range unit {
				torques[k-6][i] -= c.Jacobian[f][k][i] * forces[f][i]
			}
		}
	}
	return forces, torques, nil
}

func batch(n, count int) regressor.Batch {
	return regressor.Batch{Q: signals(n, count), DQ: signals(n, count), DDQ: signals(n, count)}
}

func signals(n, count int) [][]float64 {
	out := make([][]float64, n)
	for k := range out {
		out[k] = make([]float64, count)
	}
	return out
}

package codegen

import (
	"fmt"
	"math"

	"ident/mechanics/recursion"
	"ident/robot"
	"ident/symbolic"
)

// Frame says for the kinematic models which frame's motion they describe, and along which axes.
type Frame struct {
	Link      int             // the link that the frame is fixed to, -1 for the base
	Placement robot.Transform // pose of the frame on the link; the zero value is the link's own frame
	// Results have components along the axes of a frame that is fixed to link Axes, -1 for the base.
	Axes          int
	AxesPlacement robot.Transform
}

// LinkFrame returns a point of a link, m, with results along the axes of another.
func LinkFrame(link int, at [3]float64, axes int) *Frame {
	f := &Frame{Link: link, Placement: robot.Identity(), Axes: axes, AxesPlacement: robot.Identity()}
	f.Placement.P = at
	return f
}

// kinematicMaker makes the kinematic models: those without parameters of bodies.
type kinematicMaker struct {
	*maker
	t     recursion.Kinematics
	frame Frame
	at    recursion.Vec // of the frame's origin in its link's frame
}

// newKinematics takes the frame of the options: by default the last link of the longest chain of
// moving joints, along the axes of the base.
func newKinematics(m *maker, opt Options) *kinematicMaker {
	f := *LinkFrame(lastLink(m.r), [3]float64{}, -1)
	if opt.Frame != nil {
		f = *opt.Frame
	}
	for _, j := range []int{f.Link, f.Axes} {
		if j < -1 || j >= len(m.t.Links) {
			panic(fmt.Sprintf("codegen: link %d of a robot with %d links", j, len(m.t.Links)))
		}
	}
	for _, p := range []*robot.Transform{&f.Placement, &f.AxesPlacement} {
		if p.R == (robot.Transform{}).R {
			p.R = robot.Identity().R
		}
	}
	k := &kinematicMaker{maker: m, t: recursion.Kinematics{Tree: m.t}, frame: f}
	k.at = k.numbers(f.Placement.P)
	if m.closed == nil {
		k.t.NameAngles()
	}
	return k
}

// numbers returns a vector of constants.
func (k *kinematicMaker) numbers(v [3]float64) (out recursion.Vec) {
	for i, x := range v {
		// A right angle's cosine as the processor has it.
		if math.Abs(x) < 1e-16 {
			x = 0
		}
		out[i] = k.g.Float(x)
	}
	return out
}

// dots returns Rᵀ·v for a constant rotation: components along the axes of a frame on a link.
func (k *kinematicMaker) dots(r [3][3]float64, v recursion.Vec) (out recursion.Vec) {
	for i := range 3 {
		axis := k.numbers([3]float64{r[0][i], r[1][i], r[2][i]})
		for c := range 3 {
			out[i] = k.g.Add(out[i], k.g.Mul(axis[c], v[c]))
		}
	}
	return out
}

// linkName returns a link's name in the robot's file.
func (k *kinematicMaker) linkName(j int) string {
	if j < 0 {
		return "base"
	}
	return k.r.Links[j].Name
}

// point describes the point and the axes for the head of the text.
func (k *kinematicMaker) point() string {
	f := &k.frame
	where := "the origin of link " + k.linkName(f.Link)
	if p := f.Placement.P; p != [3]float64{} {
		where = fmt.Sprintf("the point (%g, %g, %g) m of link %s", p[0], p[1], p[2], k.linkName(f.Link))
	}
	along := ", along the axes of link "
	if f.AxesPlacement.R != robot.Identity().R {
		along = ", along the axes of a frame on link "
	}
	return where + along + k.linkName(f.Axes)
}

// alongAxes takes a free vector from the axes of a link to those of the frame.
func (k *kinematicMaker) alongAxes(from int, v recursion.Vec) recursion.Vec {
	return k.dots(k.frame.AxesPlacement.R, k.t.Turned(from, k.frame.Axes, v))
}

func (k *kinematicMaker) transform() *symbolic.Program {
	f := &k.frame
	origin := k.t.Moved(f.Link, f.Axes, k.at)
	from := k.numbers(f.AxesPlacement.P)
	for i := range origin {
		origin[i] = k.g.Sub(origin[i], from[i])
	}
	origin = k.dots(f.AxesPlacement.R, origin)
	axes := k.orientation()
	var e []symbolic.Node
	for i := range 3 {
		e = append(e, axes[0][i], axes[1][i], axes[2][i], origin[i])
	}
	e = append(e, 0, 0, 0, symbolic.One)
	return k.program("transform", [][]symbolic.Node{k.q},
		symbolic.Result{Name: "T", Rows: 4, Cols: 4, Entries: e, Doc: "placement of the frame at " + k.point()})
}

// twistRows are the rows of a Jacobian and the entries of a twist.
var twistRows = []string{"vx", "vy", "vz", "wx", "wy", "wz"}

// jacobianIn returns the Jacobian of the frame's link, 6 rows, linear ones first, at a point of link on
// along the axes of link f, both between the base and the frame's link, by the program's coordinates.
func (k *kinematicMaker) jacobianIn(f, on int, at recursion.Vec) [][]symbolic.Node {
	rows := make([][]symbolic.Node, 6)
	for _, s := range k.t.Jacobian(f, k.frame.Link, on, at) {
		for i := range 3 {
			rows[i] = append(rows[i], s.V[i])
			rows[3+i] = append(rows[3+i], s.A[i])
		}
	}
	for i := range rows {
		rows[i] = k.closed.onDriven(k.g, rows[i])
	}
	return rows
}

// turned returns the rows of a Jacobian along the axes of a link with components along the frame's.
func (k *kinematicMaker) turned(from int, rows [][]symbolic.Node) [][]symbolic.Node {
	out := make([][]symbolic.Node, 6)
	for i := range out {
		out[i] = make([]symbolic.Node, len(rows[i]))
	}
	for c := range rows[0] {
		for i := 0; i < 6; i += 3 {
			v := k.alongAxes(from, recursion.Vec{rows[i][c], rows[i+1][c], rows[i+2][c]})
			out[i][c], out[i+1][c], out[i+2][c] = v[0], v[1], v[2]
		}
	}
	return out
}

// jacobian tries every frame between the base and the link as the one in which the screws meet,
// and takes the program of fewest operations.
func (k *kinematicMaker) jacobian() *symbolic.Program {
	var best *symbolic.Program
	for _, f := range k.t.On(k.frame.Link) {
		rows := k.turned(f, k.jacobianIn(f, k.frame.Link, k.at))
		r := k.matrix("J", "twist of "+k.point()+", for a unit rate of each joint", rows, k.joints)
		r.RowNames = twistRows
		best = fewer(best, k.program("jacobian", [][]symbolic.Node{k.q}, r))
	}
	return best
}

// fewer returns the program of fewer operations, the first of two alike.
func fewer(a, b *symbolic.Program) *symbolic.Program {
	if a == nil || operations(b) < operations(a) {
		return b
	}
	return a
}

func operations(p *symbolic.Program) int {
	c := p.Counts()
	return c.Mul + c.Add + c.Div + c.Sqrt + 10*c.Trig
}

// twist returns the motion of the point: two results, of the linear and the angular part.
func (k *kinematicMaker) twist(names [2]string, docs [2]string, linear, angular recursion.Vec) []symbolic.Result {
	var out []symbolic.Result
	for i, v := range []recursion.Vec{linear, angular} {
		v = k.alongAxes(k.frame.Link, v)
		out = append(out, symbolic.Result{Name: names[i], Rows: 3, Cols: 1, Entries: v[:], Doc: docs[i] + " of " + k.point(), RowNames: []string{"x", "y", "z"}})
	}
	return out
}

// motion returns the motion of the frame's link, gravity left out.
func (k *kinematicMaker) motion(r recursion.Rates) *recursion.Motion {
	if k.frame.Link < 0 {
		return &recursion.Motion{}
	}
	return &k.t.Motions(r, recursion.Vec{})[k.frame.Link]
}

func (k *kinematicMaker) velocities() *symbolic.Program {
	m := k.motion(k.closed.atSteadyRates(k.maker.t))
	return k.program("velocities", [][]symbolic.Node{k.q, k.dq},
		k.twist([2]string{"v", "w"}, [2]string{"velocity (m/s)", "angular velocity (rad/s)"}, k.t.PointVelocity(m, k.at), m.W)...)
}

func (k *kinematicMaker) accelerations() *symbolic.Program {
	m := k.motion(k.moving())
	return k.program("accelerations", [][]symbolic.Node{k.q, k.dq, k.ddq},
		k.twist([2]string{"a", "dw"}, [2]string{"acceleration (m/s²), gravity left out,", "angular acceleration (rad/s²)"}, k.t.PointAcceleration(m, k.at), m.DW)...)
}

func (k *kinematicMaker) jdotQdot() *symbolic.Program {
	m := k.motion(k.closed.atSteadyRates(k.maker.t))
	return k.program("jdot_qdot", [][]symbolic.Node{k.q, k.dq},
		k.twist([2]string{"a", "dw"}, [2]string{"acceleration (m/s²) at steady rates, J'·dq,", "angular acceleration (rad/s²) at steady rates"}, k.t.PointAcceleration(m, k.at), m.DW)...)
}

// kinematic makes the program of a kinematic model.
func (m *maker) kinematic(model Model, opt Options) (*symbolic.Program, error) {
	m.t.GravityInputs = nil
	k := newKinematics(m, opt)
	switch model {
	case Transform:
		return k.transform(), nil
	case Jacobian:
		return k.jacobian(), nil
	case JacobianDeterminant:
		return k.jacobianDeterminant(opt.Rows)
	case JacobianInverse:
		return k.jacobianInverse(opt.Rows)
	case Velocities:
		return k.velocities(), nil
	case Accelerations:
		return k.accelerations(), nil
	case OperationalJacobian:
		return k.operationalJacobian(opt.Angles)
	case RedundantRates:
		return k.redundantRates(opt.Rows)
	case InverseGeometry:
		return m.inverseGeometry(opt)
	}
	return k.jdotQdot(), nil
}

package codegen

import (
	"fmt"

	"ident/internal/recursion"
	"ident/symbolic"
)

// Frame says for the kinematic models whose motion they describe, and along which axes.
type Frame struct {
	Link int        // the link that the point belongs to, -1 for the base
	At   [3]float64 // the point in the link's frame, m
	Axes int        // results have components along the axes of this link's frame; -1 is the base
}

// kinematicMaker makes the kinematic models: those without parameters of bodies.
type kinematicMaker struct {
	*maker
	frame Frame
	at    recursion.Vec
}

// newKinematics takes the frame of the options: by default the origin of the last link of the
// longest chain of moving joints, along the axes of the base.
func (m *maker) newKinematics(opt Options) *kinematicMaker {
	f := Frame{Link: m.tip(), Axes: -1}
	if opt.Frame != nil {
		f = *opt.Frame
	}
	for _, j := range []int{f.Link, f.Axes} {
		if j < -1 || j >= len(m.t.Links) {
			panic(fmt.Sprintf("codegen: link %d of a robot with %d links", j, len(m.t.Links)))
		}
	}
	m.t.NameAngles()
	k := &kinematicMaker{maker: m, frame: f}
	for i, v := range f.At {
		k.at[i] = m.g.Float(v)
	}
	return k
}

// tip returns the last link of the longest chain of moving joints, the first of several.
func (m *maker) tip() int {
	tip, longest := -1, -1
	for j := range m.t.Links {
		n := 0
		for k := j; k >= 0; k = m.t.Links[k].Antecedent {
			if m.t.Links[k].Coord >= 0 {
				n++
			}
		}
		if n > longest {
			tip, longest = j, n
		}
	}
	return tip
}

// linkName is a link's name in the robot's file.
func (m *maker) linkName(j int) string {
	if j < 0 {
		return "base"
	}
	return m.r.Links[j].Name
}

// point describes the point and the axes for the head of the text.
func (k *kinematicMaker) point() string {
	where := "the origin of link " + k.linkName(k.frame.Link)
	if k.frame.At != [3]float64{} {
		where = fmt.Sprintf("the point (%g, %g, %g) m of link %s", k.frame.At[0], k.frame.At[1], k.frame.At[2], k.linkName(k.frame.Link))
	}
	return where + ", along the axes of link " + k.linkName(k.frame.Axes)
}

func (k *kinematicMaker) transform() *symbolic.Program {
	f := k.t.Place(k.frame.Axes, k.frame.Link, k.at)
	var e []symbolic.Node
	for i := range 3 {
		e = append(e, f.Axes[0][i], f.Axes[1][i], f.Axes[2][i], f.Origin[i])
	}
	e = append(e, 0, 0, 0, symbolic.One)
	return k.program("transform", [][]symbolic.Node{k.q},
		symbolic.Result{Name: "T", Rows: 4, Cols: 4, Entries: e, Doc: "placement of the axes of link " + k.linkName(k.frame.Link) + " at " + k.point()})
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
		rows[i] = k.onDriven(rows[i])
	}
	return rows
}

// turned returns the rows of a Jacobian with components along other axes.
func (k *kinematicMaker) turned(from, to int, rows [][]symbolic.Node) [][]symbolic.Node {
	out := make([][]symbolic.Node, 6)
	for i := range out {
		out[i] = make([]symbolic.Node, len(rows[i]))
	}
	for c := range rows[0] {
		for i := 0; i < 6; i += 3 {
			v := k.t.Turned(from, to, recursion.Vec{rows[i][c], rows[i+1][c], rows[i+2][c]})
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
		rows := k.turned(f, k.frame.Axes, k.jacobianIn(f, k.frame.Link, k.at))
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

// twist is the motion of the point: two results, of the linear and the angular part.
func (k *kinematicMaker) twist(names [2]string, docs [2]string, linear, angular recursion.Vec) []symbolic.Result {
	var out []symbolic.Result
	for i, v := range []recursion.Vec{linear, angular} {
		v = k.t.Turned(k.frame.Link, k.frame.Axes, v)
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
	m := k.motion(k.steady())
	return k.program("velocities", [][]symbolic.Node{k.q, k.dq},
		k.twist([2]string{"v", "w"}, [2]string{"velocity (m/s)", "angular velocity (rad/s)"}, k.t.PointVelocity(m, k.at), m.W)...)
}

func (k *kinematicMaker) accelerations() *symbolic.Program {
	m := k.motion(k.moving())
	return k.program("accelerations", [][]symbolic.Node{k.q, k.dq, k.ddq},
		k.twist([2]string{"a", "dw"}, [2]string{"acceleration (m/s²), gravity left out,", "angular acceleration (rad/s²)"}, k.t.PointAcceleration(m, k.at), m.DW)...)
}

func (k *kinematicMaker) jdotQdot() *symbolic.Program {
	m := k.motion(k.steady())
	return k.program("jdot_qdot", [][]symbolic.Node{k.q, k.dq},
		k.twist([2]string{"a", "dw"}, [2]string{"acceleration (m/s²) at steady rates, J'·dq,", "angular acceleration (rad/s²) at steady rates"}, k.t.PointAcceleration(m, k.at), m.DW)...)
}

// kinematic makes the program of a kinematic model.
func (m *maker) kinematic(model Model, opt Options) (*symbolic.Program, error) {
	m.t.GravityInputs = nil
	k := m.newKinematics(opt)
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
	}
	return k.jdotQdot(), nil
}

package kinematics

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/robot"
)

// Jacobian has one column per coordinate: the twist of a point, and its link, for a unit
// rate of that coordinate.
type Jacobian []Twist

// Jacobian stores in dst the Jacobian of a point at the pose's coordinates. dst has one
// column per coordinate of the tree.
func (p *Pose) Jacobian(dst Jacobian, at Point) {
	p.columns(dst, at, func(j int, arm spatial.Vec) Twist {
		z := p.axis(j)
		if p.tree.links[j].Kind == robot.Revolute {
			return Twist{spatial.Cross(z, arm), z}
		}
		return Twist{Linear: z}
	})
}

// JacobianRate stores in dst the time derivative of a point's Jacobian at the pose's
// coordinates and rates (those of the last Move).
func (p *Pose) JacobianRate(dst Jacobian, at Point) {
	v := p.Twist(at).Linear
	p.columns(dst, at, func(j int, arm spatial.Vec) Twist {
		z := p.axis(j)
		turn := spatial.Cross(p.v[j].Angular, z) // rate of the axis; the joint's own rate is along it
		if p.tree.links[j].Kind == robot.Revolute {
			return Twist{spatial.Add(spatial.Cross(turn, arm), spatial.Cross(z, spatial.Sub(v, p.v[j].Linear))), turn}
		}
		return Twist{Linear: turn}
	})
}

// columns adds up a column for each joint between the base and a point; arm is the point
// from the joint's origin. Joints that mimic one another share a column.
func (p *Pose) columns(dst Jacobian, at Point, column func(j int, arm spatial.Vec) Twist) {
	p.tree.checkPoint(at)
	if len(dst) != p.tree.dof {
		panic(fmt.Sprintf("kinematics: a Jacobian of %d columns for %d coordinates", len(dst), p.tree.dof))
	}
	clear(dst)
	if at.Link < 0 {
		return
	}
	x := p.Position(at)
	for _, j := range p.tree.paths[at.Link] {
		l := &p.tree.links[j]
		c := column(j, spatial.Sub(x, p.at[j]))
		dst[l.Coord] = Twist{spatial.AddScaled(dst[l.Coord].Linear, l.Ratio, c.Linear),
			spatial.AddScaled(dst[l.Coord].Angular, l.Ratio, c.Angular)}
	}
}

// Mul returns J·dq.
func (j Jacobian) Mul(dq []float64) (v Twist) {
	if len(dq) != len(j) {
		panic(fmt.Sprintf("kinematics: %d rates for a Jacobian of %d columns", len(dq), len(j)))
	}
	for k, c := range j {
		v.Linear = spatial.AddScaled(v.Linear, dq[k], c.Linear)
		v.Angular = spatial.AddScaled(v.Angular, dq[k], c.Angular)
	}
	return v
}

// Torques stores in tau Jᵀ·w: the joint torques that hold a force, N, at the Jacobian's point and a
// moment, N·m, both along its axes.
func (j Jacobian) Torques(tau []float64, force, moment [3]float64) {
	if len(tau) != len(j) {
		panic(fmt.Sprintf("kinematics: %d torques for a Jacobian of %d columns", len(tau), len(j)))
	}
	for k, c := range j {
		tau[k] = spatial.Dot(c.Linear, force) + spatial.Dot(c.Angular, moment)
	}
}

// Moved returns the Jacobian of another point of the same body, arm away along the
// Jacobian's axes, m: (I, -arm×; 0, I)·J.
func (j Jacobian) Moved(arm [3]float64) Jacobian {
	out := make(Jacobian, len(j))
	for k, c := range j {
		out[k] = Twist{spatial.Add(c.Linear, spatial.Cross(c.Angular, arm)), c.Angular}
	}
	return out
}

// Along returns the Jacobian with components along the axes of a frame whose orientation
// in the present axes is r.
func (j Jacobian) Along(r [3][3]float64) Jacobian {
	out := make(Jacobian, len(j))
	for k, c := range j {
		out[k] = Twist{spatial.MulTVec(r, c.Linear), spatial.MulTVec(r, c.Angular)}
	}
	return out
}

// Dense returns the 6×n matrix, linear rows first.
func (j Jacobian) Dense() *mat.Dense {
	m := mat.NewDense(6, len(j), nil)
	for k, c := range j {
		for i := range 3 {
			m.Set(i, k, c.Linear[i])
			m.Set(3+i, k, c.Angular[i])
		}
	}
	return m
}

package regressor

import (
	"fmt"

	"ident/robot"
)

// FloatingBase drives the six virtual joints of a floating base (three prismatic ones along x, y and z, then revolute
// ones about z, y and x) from what an inertial measurement unit on the base measures. The rows of these joints are then
// the force along x, y, z, and the moment about z, y, x, on the base at its origin, all in the axes of the base.
//
// The equations of motion do not depend on the place, the orientation and the speed of the base, and a uniform gravity
// cannot be told from an acceleration (Galilei, Einstein). So all six positions are zero, and neither yaw nor a gimbal
// angle enters.
type FloatingBase struct {
	coords  [6]int // of the prismatic joints along x, y, z and the revolute ones about x, y, z
	gravity [3]float64
	body    int // link that carries the inertia of the base
}

// BaseMotion is the motion of a base at each sample of a batch, about its origin and along its own axes.
type BaseMotion struct {
	Rate          [3][]float64 // angular velocity ω, rad/s
	Acceleration  [3][]float64 // its derivative ω̇, rad/s²
	SpecificForce [3][]float64 // acceleration of the origin less gravity, m/s²: what an accelerometer measures there
}

// FloatingBaseOf returns the floating base of a robot. The robot must begin with a joint of kind floating whose frame is
// parallel to the frame of the world; otherwise FloatingBaseOf returns an error.
func FloatingBaseOf(r *robot.Robot) (FloatingBase, error) {
	f := FloatingBase{gravity: r.Gravity, body: 5}
	refuse := func(why string) (FloatingBase, error) {
		return f, fmt.Errorf("robot %q: %s: give its base a joint of kind floating", r.Name, why)
	}
	if len(r.Links) < 6 {
		return refuse("its base does not float")
	}
	at := robot.Identity()
	for j := range 6 {
		l := &r.Links[j]
		kind, axis := robot.Prismatic, j
		if j >= 3 {
			kind, axis = robot.Revolute, 5-j // yaw, pitch, roll
		}
		if !l.Joint.Virtual || l.Joint.Kind != kind || l.Antecedent != j-1 {
			return refuse("its base does not float")
		}
		at = at.Mul(l.Placement)
		var off float64
		for k := range 3 {
			want := 0.0
			if k == axis {
				want = 1
			}
			off = max(off, abs(at.R[k][2]-want))
		}
		if off > 1e-12 {
			return refuse(fmt.Sprintf("joint %s is not along an axis of the world", l.Joint.Name))
		}
		f.coords[axis+3*(j/3)] = j
	}
	return f, nil
}

func abs(x float64) float64 { return max(x, -x) }

// Body returns the link that holds the parameters of the base.
func (f *FloatingBase) Body() int { return f.body }

// Rows returns the rows of the force along x, y, z and of the moment about x, y, z on the base.
func (f *FloatingBase) Rows() [6]int { return f.coords }

// Fill writes the motion of the base into the first six coordinates of a batch, which must hold slices as long as those
// of the motion.
//
// With zero angles the virtual joints turn about z, y, x in this order, so that ω = (φ̇, θ̇, ψ̇) and
//
//	ω̇ = (φ̈ − ψ̇θ̇, θ̈ + ψ̇φ̇, ψ̈ − θ̇φ̇)
func (f *FloatingBase) Fill(in *Batch, m *BaseMotion) {
	for k := range 3 {
		slide, turn := f.coords[k], f.coords[3+k]
		clear(in.Q[slide])
		clear(in.Q[turn])
		clear(in.DQ[slide])
		copy(in.DQ[turn], m.Rate[k])
		for i, a := range m.SpecificForce[k] {
			in.DDQ[slide][i] = a + f.gravity[k]
		}
		x, y := m.Rate[(k+1)%3], m.Rate[(k+2)%3]
		sign := 1.0 // of ω_y·ω_z in φ̈
		if k == 1 {
			sign = -1
		}
		for i, a := range m.Acceleration[k] {
			in.DDQ[turn][i] = a + sign*x[i]*y[i]
		}
	}
}

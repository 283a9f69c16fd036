package flexible

import (
	"errors"
	"fmt"
	"math"
)

// Link is a link with the rotary joint at its base. Its frame has the joint's at the origin, and x along the neutral axis.
type Link struct {
	Name  string
	Place Matrix     // pose of the link's frame, at q = 0, on the tip of the link before it, or on the base
	Axis  [3]float64 // axis of the joint, in the link's frame
	Integrals
}

// Arm is a chain of links, from the base to the tip. It does not change, and serves any number of goroutines.
type Arm struct {
	links   []Link
	gravity [4]float64 // in Book's order
	axes    []Matrix   // of rotations about the joint's axis: dRot/dq = Rot·axis
	at      []int      // of the joint's coordinate
	size    int
}

// ErrJoint: the joint is not one that the method knows.
var ErrJoint = errors.New("joint of a flexible arm")

// New joins links; gravity is the acceleration of free fall in the base frame, m/s².
func New(links []Link, gravity [3]float64) (*Arm, error) {
	a := &Arm{gravity: [4]float64{0, gravity[0], gravity[1], gravity[2]}}
	if len(links) == 0 {
		return nil, errors.New("a flexible arm without links")
	}
	for j, l := range links {
		n := math.Sqrt(l.Axis[0]*l.Axis[0] + l.Axis[1]*l.Axis[1] + l.Axis[2]*l.Axis[2])
		if !(n > 0) || math.IsInf(n, 0) {
			return nil, fmt.Errorf("%w: the axis of link %s is %v", ErrJoint, name(links, j), l.Axis)
		}
		if l.Place[0] != [4]float64{1} {
			return nil, fmt.Errorf("the placement of link %s has the top row %v: it is in the order [1 x y z], with the top row [1 0 0 0]", name(links, j), l.Place[0])
		}
		if err := l.Check(); err != nil {
			return nil, fmt.Errorf("link %s: %w", name(links, j), err)
		}
		x, y, z := l.Axis[0]/n, l.Axis[1]/n, l.Axis[2]/n
		a.axes = append(a.axes, Matrix{{}, {0, 0, -z, y}, {0, z, 0, -x}, {0, -y, x, 0}})
		a.links = append(a.links, l)
		a.at = append(a.at, a.size)
		a.size += 1 + len(l.First)
	}
	return a, nil
}

func name(links []Link, j int) string {
	if links[j].Name != "" {
		return links[j].Name
	}
	return fmt.Sprint(j + 1)
}

// Joints returns the number of joints.
func (a *Arm) Joints() int { return len(a.links) }

// Size returns the number of coordinates: for each link that of its joint, then the amplitudes of its modes.
func (a *Arm) Size() int { return a.size }

// Joint returns the index of joint j's coordinate; the amplitudes of its link's Modes(j) modes follow it.
func (a *Arm) Joint(j int) int { return a.at[j] }

// Modes returns the number of modes of link j.
func (a *Arm) Modes(j int) int { return len(a.links[j].First) }

// Coordinates names the coordinates.
func (a *Arm) Coordinates() []string {
	var out []string
	for j := range a.links {
		out = append(out, fmt.Sprintf("q%d", j+1))
		for k := range a.links[j].First {
			out = append(out, fmt.Sprintf("d%d_%d", j+1, k+1))
		}
	}
	return out
}

// smallAngle is the rotation of a tip, rad, up to which the model is one of small deflections: sine and tangent differ from
// it by 1 and 2 %.
const smallAngle = 0.2

// Beyond names the link whose tip turns beyond small angles at z, and the angle in rad; "" where none does.
func (a *Arm) Beyond(z []float64) (link string, angle float64) {
	for j := range a.links {
		var turn [3]float64
		for k, t := range a.links[j].Tip {
			for i := range turn {
				turn[i] += z[a.at[j]+1+k] * t[3+i]
			}
		}
		if n := math.Sqrt(turn[0]*turn[0] + turn[1]*turn[1] + turn[2]*turn[2]); n > max(smallAngle, angle) {
			link, angle = name(a.links, j), n
		}
	}
	return link, angle
}

// rotation about the joint's axis by q: I + sin q·S + (1 − cos q)·S², S the axis.
func rotation(axis *Matrix, q float64) Matrix {
	sin, cos := math.Sincos(q)
	m := identity()
	for i := 1; i < 4; i++ {
		for k := 1; k < 4; k++ {
			square := 0.0
			for l := 1; l < 4; l++ {
				square += axis[i][l] * axis[l][k]
			}
			m[i][k] += sin*axis[i][k] + (1-cos)*square
		}
	}
	return m
}

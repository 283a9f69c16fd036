package kinematics

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Mask tells which components of a pose or twist are meant: position or velocity along x, y, z,
// and turning about x, y, z, of the axes in use.
type Mask [6]bool

// The masks of a whole pose, of a position, and of an orientation.
var (
	Full        = Mask{true, true, true, true, true, true}
	Position    = Mask{true, true, true}
	Orientation = Mask{3: true, 4: true, 5: true}
)

// Rows returns the number of components.
func (m Mask) Rows() (n int) {
	for _, on := range m {
		if on {
			n++
		}
	}
	return n
}

// Dexterity describes how well joints move a body at one state. Velocities are in units
// of length a second and rad/s.
type Dexterity struct {
	Values    []float64 // singular values, descending: as many as components or joints, whichever are fewer
	Rank      int
	Condition float64 // largest over smallest value; +Inf where singular
	// Manipulability is the product of the values, √det(J·Jᵀ) where joints are no fewer
	// than components (Yoshikawa 1985): the volume of the velocities that unit rates reach, up to a constant.
	Manipulability float64
	Lost           []Twist     // unit twists that no joint velocities produce
	Idle           [][]float64 // unit vectors of joint velocities that do not move the body: one for each redundant joint, and more at singular states
}

// rankTolerance: values below this part of the largest are zero. A Jacobian is a sum of
// some ten products of rotations, in error by some ten roundings (2e-15), and a state that is
// typed in with twelve digits is singular to 1e-12.
const rankTolerance = 1e-10

// Dexterity returns the singular values and vectors of the components of J in mask, lengths in
// units of length, m.
func (j Jacobian) Dexterity(mask Mask, length float64) Dexterity {
	if !(length > 0) || mask.Rows() == 0 || len(j) == 0 {
		panic("kinematics: dexterity of no components, of no joints, or without a unit of length")
	}
	full := j.Dense()
	rows := make([]int, 0, 6)
	for i, on := range mask {
		if on {
			rows = append(rows, i)
		}
	}
	unit := func(i int) float64 {
		if i < 3 {
			return length
		}
		return 1
	}
	a := mat.NewDense(len(rows), len(j), nil)
	for r, i := range rows {
		for k := range j {
			a.Set(r, k, full.At(i, k)/unit(i))
		}
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDFull) {
		panic("kinematics: no singular values of a Jacobian that is not finite")
	}
	d := Dexterity{Values: svd.Values(nil), Manipulability: 1, Condition: math.Inf(1)}
	for _, v := range d.Values {
		d.Manipulability *= v
		if v > rankTolerance*d.Values[0] {
			d.Rank++
		}
	}
	if d.Rank == len(d.Values) {
		d.Condition = d.Values[0] / d.Values[d.Rank-1]
	} else {
		d.Manipulability = 0
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	for c := d.Rank; c < len(rows); c++ {
		var w [6]float64
		for r, i := range rows {
			w[i] = u.At(r, c)
		}
		d.Lost = append(d.Lost, Twist{[3]float64(w[:3]), [3]float64(w[3:])})
	}
	for c := d.Rank; c < len(j); c++ {
		d.Idle = append(d.Idle, mat.Col(nil, c, &v))
	}
	return d
}

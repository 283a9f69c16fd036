package physical

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/eigen"
	"ident/robot"
)

// Prior values for parameters that the robot file does not give.
const (
	// nominalDrive is a rotor inertia or a friction coefficient, in SI units.
	nominalDrive = 0.1
	// freeDeviation is the standard deviation of an offset's prior, N·m or N: so large that it constrains no drive.
	freeDeviation = 100
	// nominalGyration2 is the second central moment over the mass, in m², along each axis, for a body without a feasible
	// inertia in the file: that of NominalBody.
	nominalGyration2 = 0.005
	// A prior body is at least a millimetre and a thirtieth of its length thick: otherwise the prior's standard
	// deviation in the thin direction would vanish.
	leastGyration2 = 1e-6
	leastThickness = 1e-3
)

// priorBody returns the prior of a link: the file's body if it is feasible; the file's mass and centre of mass with a
// ball's moments if its inertia is not; NominalBody without a mass.
func priorBody(file robot.Inertial) (prior robot.Inertial, given bool) {
	m := file.Mass()
	com, _ := file.CentreOfMass()
	if !(m > 0) || math.IsInf(m, 0) {
		return NominalBody, false
	}
	central, _ := file.Central()
	second := mat.NewSymDense(3, nil) // ∫ppᵀ about the centre of mass
	half := (central[0][0] + central[1][1] + central[2][2]) / 2
	for a := range 3 {
		for b := a; b < 3; b++ {
			v := -(central[a][b] + central[b][a]) / 2
			if a == b {
				v += half
			}
			second.SetSym(a, b, v)
		}
	}
	v, axes, ok := eigen.Scaled(second, true)
	if !ok {
		return NominalBody, false
	}
	if given = v[0] >= 0 && v[2] > 0; !given {
		v[0], v[1], v[2] = m*nominalGyration2, m*nominalGyration2, m*nominalGyration2
	}
	for i := range v {
		v[i] = max(v[i], m*leastGyration2, leastThickness*v[2])
	}
	trace := v[0] + v[1] + v[2]
	for a := range 3 {
		for b := range 3 {
			central[a][b] = 0
			for k := range 3 {
				central[a][b] -= axes.At(a, k) * v[k] * axes.At(b, k)
			}
		}
		central[a][a] += trace
	}
	return robot.InertialFromCentral(m, com, central), given
}

// lower returns L with L·Lᵀ = J, the pseudo-inertia of a feasible body. It is the Cholesky factor of J with rows and
// columns reversed: mass first, so that a distant centre of mass costs few digits of the moments about it.
func lower(p robot.Inertial) (l [4][4]float64) {
	j := p.PseudoInertia()
	for b := 3; b >= 0; b-- {
		d := j[b][b]
		for k := b + 1; k < 4; k++ {
			d -= l[b][k] * l[b][k]
		}
		l[b][b] = math.Sqrt(d)
		for a := range b {
			v := j[a][b]
			for k := b + 1; k < 4; k++ {
				v -= l[a][k] * l[b][k]
			}
			l[a][b] = v / l[b][b]
		}
	}
	return l
}

// inertialOf returns the inverse of PseudoInertia.
func inertialOf(j *[4][4]float64) robot.Inertial {
	trace := j[0][0] + j[1][1] + j[2][2]
	return robot.Inertial{robot.XX: trace - j[0][0], robot.XY: -j[0][1], robot.XZ: -j[0][2], robot.YY: trace - j[1][1],
		robot.YZ: -j[1][2], robot.ZZ: trace - j[2][2], robot.MX: j[0][3], robot.MY: j[1][3], robot.MZ: j[2][3], robot.M: j[3][3]}
}

// NominalBody is the prior of a link without a mass in the robot file: a ball of 1 kg and
// 0.01 kg·m² at the origin of frame j. Lifting gives the same torques from any prior; this
// one leaves room for a feasible body.
var NominalBody = robot.Inertial{robot.XX: 0.01, robot.YY: 0.01, robot.ZZ: 0.01, robot.M: 1}

// Package spatial holds the small fixed-size linear algebra that several
// rooms share: 3-vectors, 3×3 matrices and rotations, all values on the stack.
//
// The types are aliases of plain arrays, so that exported structs of other
// packages may hold them without making this package part of their API.
// Matrices are row-major: m[i][j] is row i, column j.
package spatial

import "math"

// Vec is a 3-vector.
type Vec = [3]float64

// Mat is a 3×3 matrix, row-major.
type Mat = [3][3]float64

// Eye returns the identity matrix.
func Eye() Mat { return Mat{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} }

// Add returns a + b.
func Add(a, b Vec) Vec { return Vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// Sub returns a - b.
func Sub(a, b Vec) Vec { return Vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Scale returns s·a.
func Scale(s float64, a Vec) Vec { return Vec{s * a[0], s * a[1], s * a[2]} }

// AddScaled returns a + s·b.
func AddScaled(a Vec, s float64, b Vec) Vec {
	return Vec{a[0] + s*b[0], a[1] + s*b[1], a[2] + s*b[2]}
}

// Dot returns a·b.
func Dot(a, b Vec) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// Cross returns a × b.
func Cross(a, b Vec) Vec {
	return Vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Norm returns the Euclidean length of a.
func Norm(a Vec) float64 { return math.Sqrt(Dot(a, a)) }

// MulVec returns m·v.
func MulVec(m Mat, v Vec) Vec {
	return Vec{
		m[0][0]*v[0] + m[0][1]*v[1] + m[0][2]*v[2],
		m[1][0]*v[0] + m[1][1]*v[1] + m[1][2]*v[2],
		m[2][0]*v[0] + m[2][1]*v[1] + m[2][2]*v[2],
	}
}

// MulTVec returns mᵀ·v.
func MulTVec(m Mat, v Vec) Vec {
	return Vec{
		m[0][0]*v[0] + m[1][0]*v[1] + m[2][0]*v[2],
		m[0][1]*v[0] + m[1][1]*v[1] + m[2][1]*v[2],
		m[0][2]*v[0] + m[1][2]*v[1] + m[2][2]*v[2],
	}
}

// Mul returns a·b.
func Mul(a, b Mat) Mat {
	var c Mat
	for i := range 3 {
		for j := range 3 {
			c[i][j] = a[i][0]*b[0][j] + a[i][1]*b[1][j] + a[i][2]*b[2][j]
		}
	}
	return c
}

// Transpose returns mᵀ.
func Transpose(m Mat) Mat {
	return Mat{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}
}

// AddMat returns a + b.
func AddMat(a, b Mat) Mat {
	for i := range 3 {
		a[i] = Add(a[i], b[i])
	}
	return a
}

// ScaleMat returns s·m.
func ScaleMat(s float64, m Mat) Mat {
	for i := range 3 {
		m[i] = Scale(s, m[i])
	}
	return m
}

// Skew returns the matrix with Skew(a)·b = a × b.
func Skew(a Vec) Mat { return Mat{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}} }

// Outer returns a·bᵀ.
func Outer(a, b Vec) Mat {
	return Mat{Scale(a[0], b), Scale(a[1], b), Scale(a[2], b)}
}

// RotX returns the rotation by angle about x.
func RotX(angle float64) Mat {
	s, c := math.Sincos(angle)
	return Mat{{1, 0, 0}, {0, c, -s}, {0, s, c}}
}

// RotY returns the rotation by angle about y.
func RotY(angle float64) Mat {
	s, c := math.Sincos(angle)
	return Mat{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}
}

// RotZ returns the rotation by angle about z.
func RotZ(angle float64) Mat {
	s, c := math.Sincos(angle)
	return Mat{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}
}

// PointInertia returns |p|²·I - p·pᵀ, the inertia about the origin of a unit
// mass at p.
func PointInertia(p Vec) Mat {
	d := Dot(p, p)
	m := ScaleMat(-1, Outer(p, p))
	for i := range 3 {
		m[i][i] += d
	}
	return m
}

// MulT2 returns a·bᵀ.
func MulT2(a, b *Mat) Mat {
	var c Mat
	for i := range 3 {
		for j := range 3 {
			c[i][j] = a[i][0]*b[j][0] + a[i][1]*b[j][1] + a[i][2]*b[j][2]
		}
	}
	return c
}

package angles

import "math"

// Rotation returns the rotation matrix of a quaternion w, x, y, z of any length; ok is false if the length is zero.
func Rotation(q [4]float64) (m [3][3]float64, ok bool) {
	n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	if !(n > 1e-10) {
		return m, false
	}
	w, x, y, z := q[0]/n, q[1]/n, q[2]/n, q[3]/n
	return [3][3]float64{
		{w*w + x*x - y*y - z*z, 2 * (x*y - w*z), 2 * (x*z + w*y)},
		{2 * (x*y + w*z), w*w - x*x + y*y - z*z, 2 * (y*z - w*x)},
		{2 * (x*z - w*y), 2 * (y*z + w*x), w*w - x*x - y*y + z*z},
	}, true
}

// Quaternion is w, x, y, z of a rotation, with w not below zero: from the largest of the four, so that no digit is lost (Shepperd
// 1978).
func Quaternion(m [3][3]float64) [4]float64 {
	squares := [4]float64{1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]}
	most := 0
	for i, v := range squares {
		if v > squares[most] {
			most = i
		}
	}
	// Products of two of the four, times four; [i][i] are the squares.
	x, y, z := m[2][1]-m[1][2], m[0][2]-m[2][0], m[1][0]-m[0][1]
	xy, xz, yz := m[0][1]+m[1][0], m[0][2]+m[2][0], m[1][2]+m[2][1]
	q := [4][4]float64{{squares[0], x, y, z}, {x, squares[1], xy, xz}, {y, xy, squares[2], yz}, {z, xz, yz, squares[3]}}[most]
	scale := 0.5 / math.Sqrt(squares[most])
	if q[0] < 0 {
		scale = -scale
	}
	for i := range q {
		q[i] = q[i]*scale + 0
	}
	return q
}

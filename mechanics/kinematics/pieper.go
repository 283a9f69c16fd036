package kinematics

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
)

// decoupled returns candidates for a chain whose last three axes meet in a point: the position of the
// point by joints 1 to 3, turning or sliding, then the orientation by joints 4 to 6 (Pieper 1968). It tells
// whether these are all.
func (c *sixChain) decoupled() (candidates [][6]float64, all bool) {
	z4, ok := c.wrist()
	if !ok {
		return nil, false
	}
	// The point on the link of joint 3, and in the base: joints 5 and 6 turn about it.
	inLink3 := c.place[3].Apply(spatial.Vec{0, 0, z4})
	_, z6, _ := meet(c.place[5])
	wanted := c.place[0].Inv().Apply(c.target.Apply(spatial.Vec{0, 0, z6}))
	first, regular := c.position(inLink3, wanted)
	if !regular {
		return nil, false
	}
	for _, q := range first {
		at := c.place[0]
		for i := range 3 {
			at = at.Mul(c.motion(i, q[i])).Mul(c.place[i+1])
		}
		for _, w := range c.orientation(spatial.Mul(spatial.Transpose(at.R), c.target.R)) {
			candidates = append(candidates, [6]float64{q[0], q[1], q[2], w[0], w[1], w[2]})
		}
	}
	return candidates, true
}

// position returns joints 1 to 3 that bring a point of link 3 to a place in the frame of joint
// 1. Height and distance from the origin do not change as joint 1 turns, x and y as it slides: two equations in
// joints 2 and 3, quadratic in x2 and x3, whose resultant by x2 is of degree 4 for turning joints.
func (c *sixChain) position(p, wanted spatial.Vec) (out [][3]float64, regular bool) {
	quantities := func(v spatial.Vec) [2]float64 {
		if c.slides[0] {
			return [2]float64{v[0], v[1]}
		}
		return [2]float64{v[2], spatial.Dot(v, v)}
	}
	goal := quantities(wanted)
	before := func(q2, q3 float64) spatial.Vec {
		return c.place[1].Mul(c.motion(1, q2)).Mul(c.place[2]).Mul(c.motion(2, q3)).Apply(p)
	}
	var eq [2][3][3]float64 // coefficients of x2^a·x3^b
	for a, q2 := range nodes(c.slides[1]) {
		for b, q3 := range nodes(c.slides[2]) {
			for e, v := range quantities(before(q2, q3)) {
				eq[e][a][b] = v - goal[e]
			}
		}
	}
	for e := range eq {
		for b := range 3 {
			eq[e][0][b], eq[e][1][b], eq[e][2][b] = three(quadratic(c.slides[1], interpolate(c.slides[1], [3]float64{eq[e][0][b], eq[e][1][b], eq[e][2][b]})))
		}
		for a := range 3 {
			eq[e][a] = quadratic(c.slides[2], interpolate(c.slides[2], eq[e][a]))
		}
	}
	// Sylvester's matrix in x2. Two slides enter x and y linearly: then it has two rows.
	degree := 2
	if c.slides[0] && c.slides[1] {
		degree = 1
	}
	var m [3]*mat.Dense
	for b := range m {
		m[b] = mat.NewDense(2*degree, 2*degree, nil)
		for e := range eq {
			for a := range degree + 1 {
				for shift := range degree {
					m[b].Set(2*shift+e, a+shift, eq[e][a][b])
				}
			}
		}
	}
	found, regular := roots(m)
	if !regular {
		return nil, false
	}
	for _, r := range found {
		size := math.Hypot(r.x, r.w)
		x, w := r.x/size, r.w/size
		if c.slides[2] && math.Abs(w) < 1e-9 {
			continue // a slide at infinity
		}
		q3 := joint(c.slides[2], x, w)
		for e := range eq {
			var in2 [3]float64
			for a := range 3 {
				in2[a] = eq[e][a][0]*w*w + eq[e][a][1]*x*w + eq[e][a][2]*x*x
			}
			for _, s := range binary(in2) {
				if c.slides[1] && math.Abs(s[1]) < 1e-9*math.Abs(s[0]) || s == [2]float64{} {
					continue
				}
				q2 := joint(c.slides[1], s[0], s[1])
				v := before(q2, q3)
				q1 := wanted[2] - v[2]
				if !c.slides[0] {
					q1 = math.Atan2(wanted[1], wanted[0]) - math.Atan2(v[1], v[0])
				}
				out = append(out, [3]float64{q1, q2, q3})
			}
		}
	}
	return out, true
}

// orientation returns joints 4 to 6 with J_4·place[4]·J_5·place[5]·J_6 = r, as orientations. The last
// axis stands at a height over the first that joint 5 alone sets: a + b·cos + c·sin.
func (c *sixChain) orientation(r spatial.Mat) (out [][3]float64) {
	axis := spatial.Vec{c.place[5].R[0][2], c.place[5].R[1][2], c.place[5].R[2][2]}
	lifted := func(t float64) spatial.Vec {
		return spatial.MulVec(c.place[4].R, spatial.MulVec(spatial.RotZ(t), axis))
	}
	var heights [3]float64
	for i, t := range angleNodes {
		heights[i] = lifted(t)[2]
	}
	k := interpolate(false, heights)
	to := spatial.Vec{r[0][2], r[1][2], r[2][2]}
	k[0] -= to[2]
	for _, s := range binary(quadratic(false, k)) {
		if s == [2]float64{} {
			continue
		}
		t5 := joint(false, s[0], s[1])
		v := lifted(t5)
		t4 := 0.0 // axes 4 and 6 in line: joint 6 makes the rest
		if math.Hypot(v[0], v[1]) > together {
			t4 = math.Atan2(to[1], to[0]) - math.Atan2(v[1], v[0])
		}
		before := spatial.Mul(spatial.RotZ(t4), spatial.Mul(c.place[4].R, spatial.Mul(spatial.RotZ(t5), c.place[5].R)))
		rest := spatial.Mul(spatial.Transpose(before), r)
		out = append(out, [3]float64{t4, t5, math.Atan2(rest[1][0], rest[0][0])})
	}
	return out
}

// special returns candidates of a chain with three axes that meet, at its end or at its base.
func (c *sixChain) special() (candidates [][6]float64, all bool) {
	if candidates, all = c.decoupled(); all {
		return candidates, true
	}
	r := c.reversed()
	candidates, all = r.decoupled()
	for i, q := range candidates {
		for k := range q {
			candidates[i][5-k] = -q[k]
		}
	}
	return candidates, all
}

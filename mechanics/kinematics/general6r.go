package kinematics

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
)

// general returns candidates for the joints of a chain of six revolute joints, all of them where
// the second result says so. The chain may be entered at any joint, and from either end: a special geometry, such as
// three parallel axes, leaves some of the twelve ways singular.
func (c *sixChain) general() (candidates [][6]float64, all bool) {
	for _, slides := range c.slides {
		if slides {
			return nil, false
		}
	}
	for way := range 12 {
		from, first := *c, way%6
		if way >= 6 {
			from = c.reversed()
		}
		from = from.shifted(first)
		found, separate, regular := from.elimination()
		if !regular {
			continue
		}
		for _, x := range found {
			var q [6]float64
			for i, v := range x {
				k := (first + i) % 6
				if way >= 6 {
					q[5-k] = -v
				} else {
					q[k] = v
				}
			}
			candidates = append(candidates, q)
		}
		if separate {
			return candidates, true
		}
	}
	return candidates, false
}

// separation is the least distance of two roots, rad, at which each has a null vector of its own: the vectors of
// roots closer than the square root of the rounding that made them, some 1e-12, mix.
const separation = 1e-5

// elimination solves a chain by the line of joint 6, which does not move with it:
//
//	J_3·place[3]·J_4·place[4]·J_5·(line 6) = (place[0]·J_1·place[1]·J_2·place[2])⁻¹·(line of the target)
//
// is 14 equations in the functions of joints 3, 4, 5 on the left and of 1, 2 on the right. The eight functions
// of joints 1 and 2 are eliminated, which leaves six equations; with the half tangents x4, x5 these, and these
// times x4, are twelve equations in the twelve monomials x4^a·x5^b, a ≤ 3, b ≤ 2 (Raghavan and Roth 1993),
// quadratic in x3 (Manocha and Canny 1994). Without special geometry there are sixteen roots, separate ones,
// some of them complex.
func (c *sixChain) elimination() (candidates [][6]float64, separate, regular bool) {
	left, right := c.leftSide(), c.rightSide()
	// right·y + constant = left: the null space of rightᵀ eliminates y.
	var svd mat.SVD
	if !svd.Factorize(right.functions, mat.SVDFull) {
		return nil, false, false
	}
	var u mat.Dense
	svd.UTo(&u)
	values := svd.Values(nil)
	if values[7] < rankTolerance*values[0] {
		return nil, false, false // special geometry: fewer functions of joints 1 and 2 than joints have
	}
	var m [3]*mat.Dense
	for power := range m {
		m[power] = mat.NewDense(12, 12, nil)
	}
	for e := range 6 {
		// The equation as coefficients of x3^i·x4^a·x5^b.
		var eq [3][3][3]float64
		for i := range 3 {
			for a := range 3 {
				for b := range 3 {
					for k := range numInvariants {
						eq[i][a][b] += u.At(k, 8+e) * left[k][i][a][b]
					}
				}
			}
		}
		for k := range numInvariants {
			eq[0][0][0] -= u.At(k, 8+e) * right.constant[k]
		}
		eq = tangents(eq)
		for i := range 3 {
			for a := range 3 {
				for b := range 3 {
					m[i].Set(e, 3*a+b, eq[i][a][b])
					m[i].Set(6+e, 3*(a+1)+b, eq[i][a][b])
				}
			}
		}
	}
	found, regular := roots(m)
	if !regular {
		return nil, false, false
	}
	separate = true
	for i, r := range found {
		t3 := joint(false, r.x, r.w)
		for _, o := range found[:i] {
			if math.Abs(math.Remainder(t3-joint(false, o.x, o.w), 2*math.Pi)) < separation {
				separate = false
			}
		}
		t4, t5 := monomialAngles(r.v)
		candidates = append(candidates, c.complete(left, right, &svd, t3, t4, t5))
	}
	return candidates, separate, true
}

// tangents turns the coefficients of 1, cos, sin of three angles into those of powers of their half tangents.
func tangents(eq [3][3][3]float64) [3][3][3]float64 {
	for a := range 3 {
		for b := range 3 {
			eq[0][a][b], eq[1][a][b], eq[2][a][b] = three(quadratic(false, [3]float64{eq[0][a][b], eq[1][a][b], eq[2][a][b]}))
		}
	}
	for i := range 3 {
		for b := range 3 {
			eq[i][0][b], eq[i][1][b], eq[i][2][b] = three(quadratic(false, [3]float64{eq[i][0][b], eq[i][1][b], eq[i][2][b]}))
		}
		for a := range 3 {
			eq[i][a] = quadratic(false, eq[i][a])
		}
	}
	return eq
}

func three(v [3]float64) (a, b, c float64) { return v[0], v[1], v[2] }

// leftSide returns the coefficients of the functions of joints 3, 4, 5, of each invariant.
func (c *sixChain) leftSide() (out [numInvariants][3][3][3]float64) {
	p, l := c.place[5].P, spatial.Vec{c.place[5].R[0][2], c.place[5].R[1][2], c.place[5].R[2][2]}
	for i, t3 := range angleNodes {
		for a, t4 := range angleNodes {
			for b, t5 := range angleNodes {
				f := c.motion(2, t3).Mul(c.place[3]).Mul(c.motion(3, t4)).Mul(c.place[4]).Mul(c.motion(4, t5))
				for k, v := range invariantsOf(apply(f, p, l)) {
					out[k][i][a][b] = v
				}
			}
		}
	}
	for k := range out {
		t := &out[k]
		for a := range 3 {
			for b := range 3 {
				t[0][a][b], t[1][a][b], t[2][a][b] = three(interpolate(false, [3]float64{t[0][a][b], t[1][a][b], t[2][a][b]}))
			}
		}
		for i := range 3 {
			for b := range 3 {
				t[i][0][b], t[i][1][b], t[i][2][b] = three(interpolate(false, [3]float64{t[i][0][b], t[i][1][b], t[i][2][b]}))
			}
			for a := range 3 {
				t[i][a] = interpolate(false, t[i][a])
			}
		}
	}
	return out
}

// rightSide is the right side's constant part and the coefficients of c2, s2, c1, c1·c2, c1·s2, s1, s1·c2, s1·s2.
type rightSide struct {
	constant  [numInvariants]float64
	functions *mat.Dense
}

func (c *sixChain) rightSide() rightSide {
	out := rightSide{functions: mat.NewDense(numInvariants, 8, nil)}
	p, l := c.target.P, spatial.Vec{c.target.R[0][2], c.target.R[1][2], c.target.R[2][2]}
	var table [numInvariants][3][3]float64
	for a, t1 := range angleNodes {
		for b, t2 := range angleNodes {
			f := c.place[0].Mul(c.motion(0, t1)).Mul(c.place[1]).Mul(c.motion(1, t2)).Mul(c.place[2]).Inv()
			for k, v := range invariantsOf(apply(f, p, l)) {
				table[k][a][b] = v
			}
		}
	}
	for k := range table {
		t := &table[k]
		for b := range 3 {
			t[0][b], t[1][b], t[2][b] = three(interpolate(false, [3]float64{t[0][b], t[1][b], t[2][b]}))
		}
		for a := range 3 {
			t[a] = interpolate(false, t[a])
		}
		out.constant[k] = t[0][0]
		for i := range 8 {
			out.functions.Set(k, i, t[(i+1)/3][(i+1)%3])
		}
	}
	return out
}

// monomialAngles returns the angles of joints 4 and 5 from the twelve monomials x4^a·x5^b, by the ratios of
// the largest neighbours.
func monomialAngles(v []float64) (t4, t5 float64) {
	ratio := func(step int, pairs []int) float64 {
		best, size := 0, -1.0
		for _, i := range pairs {
			if s := math.Abs(v[i]) + math.Abs(v[i+step]); s > size {
				best, size = i, s
			}
		}
		return 2 * math.Atan2(v[best+step]*math.Copysign(1, v[best]), math.Abs(v[best]))
	}
	return ratio(3, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}), ratio(1, []int{0, 1, 3, 4, 6, 7, 9, 10})
}

// complete finds joints 1, 2 and 6 when 3, 4 and 5 are known.
func (c *sixChain) complete(left [numInvariants][3][3][3]float64, right rightSide, svd *mat.SVD, t3, t4, t5 float64) [6]float64 {
	f := func(t float64) [3]float64 { s, c := math.Sincos(t); return [3]float64{1, c, s} }
	f3, f4, f5 := f(t3), f(t4), f(t5)
	b := mat.NewVecDense(numInvariants, nil)
	for k := range numInvariants {
		v := -right.constant[k]
		for i := range 3 {
			for a := range 3 {
				for e := range 3 {
					v += left[k][i][a][e] * f3[i] * f4[a] * f5[e]
				}
			}
		}
		b.SetVec(k, v)
	}
	var y mat.Dense
	svd.SolveTo(&y, b, 8)
	t1, t2 := math.Atan2(y.At(5, 0), y.At(2, 0)), math.Atan2(y.At(1, 0), y.At(0, 0))
	out := [6]float64{t1, t2, t3, t4, t5}
	at := c.place[0]
	for i := range 5 {
		at = at.Mul(c.motion(i, out[i])).Mul(c.place[i+1])
	}
	rest := spatial.Mul(spatial.Transpose(at.R), c.target.R)
	out[5] = math.Atan2(rest[1][0], rest[0][0])
	return out
}

package conic

import "math"

// scaledPSD is a matrix S ≻ 0 of a program's variables with its dual Z ≻ 0, and the
// scaling of Nesterov and Todd (1997), in which both are the same diagonal matrix:
// G⁻¹·S·G⁻ᵀ = Gᵀ·Z·G = diag(d).
type scaledPSD struct {
	z       Sym4
	g, gInv [4][4]float64 // G, G⁻¹
	d       [4]float64
	// The last step in scaled coordinates, and the right-hand side of its linearised
	// complementarity: dx + dz = r.
	dx, dz, r Sym4
}

// updateScaling computes G at S; false if S or Z is not positive definite.
func (p *scaledPSD) updateScaling(s *Sym4) bool {
	m := s.Matrix()
	var l [4][4]float64 // S = L·Lᵀ, lower
	for i := range 4 {
		for j := range i + 1 {
			v := m[i][j]
			for k := range j {
				v -= l[i][k] * l[j][k]
			}
			if i > j {
				l[i][j] = v / l[j][j]
				continue
			}
			if !(v > 0) {
				return false
			}
			l[i][i] = math.Sqrt(v)
		}
	}
	lt := Transpose(&l)
	t := Congruence(&lt, &p.z)
	e := NewEigen(&t)
	if !(e.Min() > 0) {
		return false
	}
	for i := range 4 {
		p.d[i] = math.Sqrt(e.Values[i])
		f := 1 / math.Sqrt(p.d[i])
		// A row of G⁻¹ is L⁻ᵀ·v, by back substitution, a column of G is L·v.
		var back [4]float64
		for a := 3; a >= 0; a-- {
			v := e.Rows[i][a]
			for k := a + 1; k < 4; k++ {
				v -= l[k][a] * back[k]
			}
			back[a] = v / l[a][a]
		}
		for a := range 4 {
			sum := 0.0
			for k := range a + 1 {
				sum += l[a][k] * e.Rows[i][k]
			}
			p.g[a][i] = sum * f
			p.gInv[i][a] = back[a] / f
		}
	}
	return true
}

// setRHS sets the right-hand side of a step towards S·Z = target·I, minus `correct`
// times Mehrotra's second-order term of the last step. It returns Z plus the right-hand
// side, in scaled coordinates.
func (p *scaledPSD) setRHS(target float64, correct float64) (total Sym4) {
	var secondOrder [4][4]float64
	if correct > 0 {
		x, z := p.dx.Matrix(), p.dz.Matrix()
		for a := range 4 {
			for b := a; b < 4; b++ {
				for k := range 4 {
					secondOrder[a][b] += correct * (x[a][k]*z[k][b] + z[a][k]*x[k][b]) / 2
				}
			}
		}
	}
	k := 4
	for a := range 4 {
		p.r[a] = (target-secondOrder[a][a])/p.d[a] - p.d[a]
		for b := a + 1; b < 4; b++ {
			p.r[k] = -2 * secondOrder[a][b] / (p.d[a] + p.d[b]) * root2
			k++
		}
	}
	total = p.r
	for a := range 4 {
		total[a] += p.d[a]
	}
	return total
}

// stepLength records the step of S in scaled coordinates and returns the largest
// multiple of it that keeps S and Z positive semidefinite, or most, if that is less.
func (p *scaledPSD) stepLength(dx *Sym4, most float64) float64 {
	p.dx = *dx
	for k := range p.dz {
		p.dz[k] = p.r[k] - dx[k]
	}
	var f [4]float64
	for a := range 4 {
		f[a] = 1 / math.Sqrt(p.d[a])
	}
	return toBoundary(&p.dz, &f, toBoundary(&p.dx, &f, most))
}

// toBoundary returns the a at which diag(d) + a·V becomes singular, with f = d^(−½), or most, if that is less.
func toBoundary(v *Sym4, f *[4]float64, most float64) float64 {
	m := *v
	k := 4
	for a := range 4 {
		m[a] *= f[a] * f[a]
		for b := a + 1; b < 4; b++ {
			m[k] *= f[a] * f[b]
			k++
		}
	}
	if remainsInside(&m, most) {
		return most
	}
	e := NewEigen(&m)
	if least := e.Min(); least < 0 {
		return min(most, -1/least)
	}
	return most
}

// remainsInside tells that I + a·S is positive definite, by its triangular factors, which take a fiftieth of the time of eigenvalues; false
// says nothing. It asks for eigenvalues of 10⁻⁹ and entries below 10³, so that rounding does not decide.
func remainsInside(s *Sym4, a float64) bool {
	const least, largest = 1e-9, 1e3
	o := a / root2
	d0, d1, d2, d3 := 1-least+a*s[0], 1-least+a*s[1], 1-least+a*s[2], 1-least+a*s[3]
	if !(max(d0, d1, d2, d3) < largest && d0 > 0) {
		return false
	}
	b1, b2, b3 := o*s[4], o*s[5], o*s[6]
	over := 1 / d0
	l1, l2, l3 := b1*over, b2*over, b3*over
	if d1 -= l1 * b1; !(d1 > 0) {
		return false
	}
	c2, c3 := o*s[7]-l1*b2, o*s[8]-l1*b3
	over = 1 / d1
	m2, m3 := c2*over, c3*over
	if d2 -= l2*b2 + m2*c2; !(d2 > 0) {
		return false
	}
	e3 := o*s[9] - l2*b3 - m2*c3
	return d3-l3*b3-m3*c3-e3*e3/d2 > 0
}

// complementarity returns ⟨S, Z⟩ after a step of length a.
func (p *scaledPSD) complementarity(a float64) float64 {
	sum := 0.0
	for k := range p.dx {
		s, z := a*p.dx[k], a*p.dz[k]
		if k < 4 {
			s, z = s+p.d[k], z+p.d[k]
		}
		sum += s * z
	}
	return sum
}

// update moves Z by a times the step.
func (p *scaledPSD) update(a float64) {
	t := Transpose(&p.gInv)
	dz := Congruence(&t, &p.dz)
	for k := range p.z {
		p.z[k] += a * dz[k]
	}
}

// nonnegative is a number s > 0 and its dual z > 0, the scalar case of scaledPSD.
type nonnegative struct {
	s, z, ds, dz, total float64
}

// setRHS returns z plus the right-hand side of a step towards s·z = target.
func (p *nonnegative) setRHS(target float64, correct float64) float64 {
	secondOrder := 0.0
	if correct > 0 {
		secondOrder = correct * p.ds * p.dz
	}
	p.total = (target - secondOrder) / p.s
	return p.total
}

func (p *nonnegative) stepLength(ds float64) float64 {
	p.ds = ds
	p.dz = p.total - p.z - p.z/p.s*ds
	a := math.Inf(1)
	if p.ds < 0 {
		a = -p.s / p.ds
	}
	if p.dz < 0 {
		a = min(a, -p.z/p.dz)
	}
	return a
}

func (p *nonnegative) complementarity(a float64) float64 { return (p.s + a*p.ds) * (p.z + a*p.dz) }

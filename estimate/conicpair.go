package estimate

import "math"

// pair is a matrix S ≻ 0 of a program's variables and its dual Z ≻ 0, with the
// scaling of Nesterov and Todd (1997) in which both are the same diagonal
// matrix: G⁻¹·S·G⁻ᵀ = Gᵀ·Z·G = diag(d).
type pair struct {
	z     sym4
	g, gi [4][4]float64 // G, G⁻¹
	d     [4]float64
	// The last step in scaled coordinates, and the right-hand side that it
	// kept: dx + dz = r.
	dx, dz, r sym4
}

// scale finds G at S, false where S or Z is not positive definite.
func (p *pair) scale(s *sym4) bool {
	m := s.matrix()
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
	lt := transposed(&l)
	t := congruent(&lt, &p.z)
	e := newSpectrum(&t)
	if !(e.least() > 0) {
		return false
	}
	for i := range 4 {
		p.d[i] = math.Sqrt(e.values[i])
		f := 1 / math.Sqrt(p.d[i])
		// L⁻ᵀ·v by back substitution gives the row of G⁻¹; L·v the column of G.
		var back [4]float64
		for a := 3; a >= 0; a-- {
			v := e.rows[i][a]
			for k := a + 1; k < 4; k++ {
				v -= l[k][a] * back[k]
			}
			back[a] = v / l[a][a]
		}
		for a := range 4 {
			sum := 0.0
			for k := range a + 1 {
				sum += l[a][k] * e.rows[i][k]
			}
			p.g[a][i] = sum * f
			p.gi[i][a] = back[a] / f
		}
	}
	return true
}

// aim sets the right-hand side of a step towards S·Z = target·I: of the first
// order alone, or with part of what the products of the step before leave over
// (Mehrotra's correction). It returns Z and the right-hand side together, in
// scaled coordinates.
func (p *pair) aim(target float64, correct float64) (total sym4) {
	var over [4][4]float64
	if correct > 0 {
		x, z := p.dx.matrix(), p.dz.matrix()
		for a := range 4 {
			for b := a; b < 4; b++ {
				for k := range 4 {
					over[a][b] += correct * (x[a][k]*z[k][b] + z[a][k]*x[k][b]) / 2
				}
			}
		}
	}
	k := 4
	for a := range 4 {
		p.r[a] = (target-over[a][a])/p.d[a] - p.d[a]
		for b := a + 1; b < 4; b++ {
			p.r[k] = -2 * over[a][b] / (p.d[a] + p.d[b]) * root2
			k++
		}
	}
	total = p.r
	for a := range 4 {
		total[a] += p.d[a]
	}
	return total
}

// take notes the step of S in scaled coordinates and returns how far S and Z
// can go along theirs before one of them is singular.
func (p *pair) take(dx *sym4) float64 {
	p.dx = *dx
	for k := range p.dz {
		p.dz[k] = p.r[k] - dx[k]
	}
	return min(p.reach(&p.dx), p.reach(&p.dz))
}

func (p *pair) reach(v *sym4) float64 {
	var f [4]float64
	for a := range 4 {
		f[a] = 1 / math.Sqrt(p.d[a])
	}
	m := *v
	k := 4
	for a := range 4 {
		m[a] *= f[a] * f[a]
		for b := a + 1; b < 4; b++ {
			m[k] *= f[a] * f[b]
			k++
		}
	}
	e := newSpectrum(&m)
	if least := e.least(); least < 0 {
		return -1 / least
	}
	return math.Inf(1)
}

// product is ⟨S, Z⟩ after a step of length a in scaled coordinates.
func (p *pair) product(a float64) float64 {
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

// advance moves Z.
func (p *pair) advance(a float64) {
	t := transposed(&p.gi)
	dz := congruent(&t, &p.dz)
	for k := range p.z {
		p.z[k] += a * dz[k]
	}
}

// scalar is a pair of positive numbers, with the same meaning.
type scalar struct {
	s, z, ds, dz, total float64
}

// aim is as for a pair of matrices; total is z and its right-hand side.
func (p *scalar) aim(target float64, correct float64) float64 {
	over := 0.0
	if correct > 0 {
		over = correct * p.ds * p.dz
	}
	p.total = (target - over) / p.s
	return p.total
}

func (p *scalar) take(ds float64) float64 {
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

func (p *scalar) product(a float64) float64 { return (p.s + a*p.ds) * (p.z + a*p.dz) }

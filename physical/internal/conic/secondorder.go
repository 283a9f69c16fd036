package conic

import "math"

// secondOrderCone is a point s of the cone s₀ ≥ ‖(s₁, s₂, s₃)‖ and its dual z, with the
// symmetric scaling W for which λ = W⁻¹·s = W·z (Nesterov and Todd 1997; in the notation
// of Andersen and others 2012).
type secondOrderCone struct {
	s, z, lambda, r, ds, dz vec4
	w, wInv                 [4][4]float64
}

type vec4 [4]float64

func (v *vec4) dot(u *vec4) float64 { return v[0]*u[0] + v[1]*u[1] + v[2]*u[2] + v[3]*u[3] }

// determinant returns u₀² − ‖u₁‖² as a product, which keeps the digits near the boundary.
func (v *vec4) determinant() float64 {
	n := math.Sqrt(v[1]*v[1] + v[2]*v[2] + v[3]*v[3])
	return (v[0] - n) * (v[0] + n)
}

func (v *vec4) inside() bool { return v[0] > 0 && v.determinant() > 0 }

func mulVec(m *[4][4]float64, v *vec4) (out vec4) {
	for a := range 4 {
		out[a] = m[a][0]*v[0] + m[a][1]*v[1] + m[a][2]*v[2] + m[a][3]*v[3]
	}
	return out
}

// updateScaling computes W; false if s or z is not in the interior.
func (p *secondOrderCone) updateScaling() bool {
	if !p.s.inside() || !p.z.inside() {
		return false
	}
	fs, fz := math.Sqrt(p.s.determinant()), math.Sqrt(p.z.determinant())
	dot := p.s.dot(&p.z) / fs / fz
	gamma := math.Sqrt((1 + dot) / 2)
	var v vec4 // first w̄, then its half angle
	for k := range v {
		sign := -1.0
		if k == 0 {
			sign = 1
		}
		v[k] = (p.s[k]/fs + sign*p.z[k]/fz) / (2 * gamma)
	}
	f := 1 / math.Sqrt(2*(v[0]+1))
	v[0]++
	for k := range v {
		v[k] *= f
	}
	beta := math.Sqrt(fs / fz)
	for a := range 4 {
		for b := range 4 {
			w := 2 * v[a] * v[b]
			wi := w
			if (a == 0) != (b == 0) {
				wi = -w
			}
			if a == b {
				j := -1.0
				if a == 0 {
					j = 1
				}
				w, wi = w-j, wi-j
			}
			p.w[a][b], p.wInv[a][b] = beta*w, wi/beta
		}
	}
	p.lambda = mulVec(&p.wInv, &p.s)
	return true
}

// jordanProduct returns u∘v = (uᵀv, u₀·v₁ + v₀·u₁), the product of the cone.
func jordanProduct(u, v *vec4) vec4 {
	return vec4{u.dot(v), u[0]*v[1] + v[0]*u[1], u[0]*v[2] + v[0]*u[2], u[0]*v[3] + v[0]*u[3]}
}

// setRHS is scaledPSD.setRHS with the products of the second-order cone: it returns z plus the
// right-hand side in the program's coordinates.
func (p *secondOrderCone) setRHS(target float64, correct float64) vec4 {
	rhs := jordanProduct(&p.lambda, &p.lambda)
	for k := range rhs {
		rhs[k] = -rhs[k]
	}
	rhs[0] += target
	if correct > 0 {
		secondOrder := jordanProduct(&p.ds, &p.dz)
		for k := range rhs {
			rhs[k] -= correct * secondOrder[k]
		}
	}
	// λ∘r = rhs.
	l := &p.lambda
	d := l.determinant()
	p.r[0] = (l[0]*rhs[0] - l[1]*rhs[1] - l[2]*rhs[2] - l[3]*rhs[3]) / d
	for k := 1; k < 4; k++ {
		p.r[k] = (rhs[k] - p.r[0]*l[k]) / l[0]
	}
	total := *l
	for k := range total {
		total[k] += p.r[k]
	}
	return mulVec(&p.wInv, &total)
}

// stepLength records the step of s and returns the largest multiple of it that keeps s
// and z in the cone.
func (p *secondOrderCone) stepLength(ds *vec4) float64 {
	p.ds = mulVec(&p.wInv, ds)
	for k := range p.dz {
		p.dz[k] = p.r[k] - p.ds[k]
	}
	return min(p.toBoundary(&p.ds), p.toBoundary(&p.dz))
}

// toBoundary returns the largest a for which λ + a·v stays in the cone, +Inf without
// one. The boost that takes λ to the cone's axis takes v to ρ, and the border is where
// a·(‖ρ₁‖ − ρ₀) = 1 (Andersen and others 2012): no difference of squares, which
// would lose half of the digits of a step towards the apex.
func (p *secondOrderCone) toBoundary(v *vec4) float64 {
	size := math.Sqrt(p.lambda.determinant())
	var l, rho vec4
	for k := range l {
		l[k] = p.lambda[k] / size
	}
	along := l[0]*v[0] - l[1]*v[1] - l[2]*v[2] - l[3]*v[3]
	rho[0] = along / size
	f := (along + v[0]) / (l[0] + 1)
	for k := 1; k < 4; k++ {
		rho[k] = (v[k] - f*l[k]) / size
	}
	if slope := math.Sqrt(rho[1]*rho[1]+rho[2]*rho[2]+rho[3]*rho[3]) - rho[0]; slope > 0 {
		return 1 / slope
	}
	return math.Inf(1)
}

func (p *secondOrderCone) complementarity(a float64) float64 {
	sum := 0.0
	for k := range p.lambda {
		sum += (p.lambda[k] + a*p.ds[k]) * (p.lambda[k] + a*p.dz[k])
	}
	return sum
}

// update moves s and z by a times the step.
func (p *secondOrderCone) update(a float64) {
	ds, dz := mulVec(&p.w, &p.ds), mulVec(&p.wInv, &p.dz)
	for k := range ds {
		p.s[k] += a * ds[k]
		p.z[k] += a * dz[k]
	}
}

package robot

import "ident/internal/spatial"

// Indices of the ten standard inertial parameters of a link in an Inertial,
// in the order that every table of this library uses.
const (
	XX = iota
	XY
	XZ
	YY
	YZ
	ZZ
	MX
	MY
	MZ
	M
	NumInertial
)

// InertialNames are the usual names of the ten parameters, in order.
var InertialNames = [NumInertial]string{"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M"}

// InertialUnits are their units, in order.
var InertialUnits = [NumInertial]string{"kg·m²", "kg·m²", "kg·m²", "kg·m²", "kg·m²", "kg·m²", "kg·m", "kg·m", "kg·m", "kg"}

// Inertial holds the ten standard inertial parameters of a body in a frame:
// the inertia matrix about the frame's origin [XX XY XZ; XY YY YZ; XZ YZ ZZ]
// in kg·m² (XY = -∫xy dm), the first moments MX, MY, MZ in kg·m, and the mass
// M in kg.
type Inertial [NumInertial]float64

// Mass returns M.
func (p Inertial) Mass() float64 { return p[M] }

// FirstMoments returns (MX, MY, MZ).
func (p Inertial) FirstMoments() [3]float64 { return [3]float64{p[MX], p[MY], p[MZ]} }

// Origin returns the inertia matrix about the frame's origin.
func (p Inertial) Origin() [3][3]float64 {
	return [3][3]float64{{p[XX], p[XY], p[XZ]}, {p[XY], p[YY], p[YZ]}, {p[XZ], p[YZ], p[ZZ]}}
}

// CentreOfMass returns the position of the centre of mass, in metres, and false if the mass is zero.
func (p Inertial) CentreOfMass() ([3]float64, bool) {
	if p[M] == 0 {
		return [3]float64{}, false
	}
	return spatial.Scale(1/p[M], p.FirstMoments()), true
}

// Central returns the inertia matrix about the centre of mass, in the axes of the frame, and false if the mass is zero.
func (p Inertial) Central() ([3][3]float64, bool) {
	c, ok := p.CentreOfMass()
	if !ok {
		return p.Origin(), false
	}
	return spatial.AddMat(p.Origin(), spatial.ScaleMat(-p[M], spatial.PointInertia(c))), true
}

// InertialFromCentral returns the parameters for a mass, a centre of mass, and an inertia matrix about the centre of
// mass, all in the axes of the frame.
func InertialFromCentral(mass float64, com [3]float64, central [3][3]float64) Inertial {
	o := spatial.AddMat(central, spatial.ScaleMat(mass, spatial.PointInertia(com)))
	return Inertial{o[0][0], o[0][1], o[0][2], o[1][1], o[1][2], o[2][2],
		mass * com[0], mass * com[1], mass * com[2], mass}
}

// InFrame returns the parameters of the same body in another frame; t must place the present frame in it.
func (p Inertial) InFrame(t Transform) Inertial {
	// About the new origin: transform the second moments ∫ppᵀ dm to R·S·Rᵀ + R·l·Pᵀ + P·lᵀ·Rᵀ + M·P·Pᵀ and compute the
	// inertia from them.
	l := spatial.MulVec(t.R, p.FirstMoments())
	j := spatial.Mul(spatial.Mul(t.R, p.Origin()), spatial.Transpose(t.R))
	lp, pl := spatial.Outer(l, t.P), spatial.Outer(t.P, l)
	cross := spatial.ScaleMat(-1, spatial.AddMat(lp, pl))
	d := 2 * spatial.Dot(l, t.P)
	for i := range 3 {
		cross[i][i] += d
	}
	j = spatial.AddMat(j, spatial.AddMat(cross, spatial.ScaleMat(p[M], spatial.PointInertia(t.P))))
	l = spatial.AddScaled(l, p[M], t.P)
	return Inertial{j[0][0], j[0][1], j[0][2], j[1][1], j[1][2], j[2][2], l[0], l[1], l[2], p[M]}
}

// Add returns the parameters of two bodies together; both must be in the same frame.
func (p Inertial) Add(q Inertial) Inertial {
	for i := range p {
		p[i] += q[i]
	}
	return p
}

// Sub returns p - q, the body p without its part q.
func (p Inertial) Sub(q Inertial) Inertial {
	for i := range p {
		p[i] -= q[i]
	}
	return p
}

// PseudoInertia returns the 4×4 matrix J = ∫ [p;1][p;1]ᵀ dm (Wensing, Kim and Slotine 2018). The body is feasible if and
// only if J is positive semidefinite.
func (p Inertial) PseudoInertia() [4][4]float64 {
	o := p.Origin()
	h := (o[0][0] + o[1][1] + o[2][2]) / 2
	var j [4][4]float64
	for a := range 3 {
		for b := range 3 {
			j[a][b] = -o[a][b]
		}
		j[a][a] += h
		j[a][3], j[3][a] = p[MX+a], p[MX+a]
	}
	j[3][3] = p[M]
	return j
}

// UserInertial transforms parameters of a link from frame j to the user's own link frame, about that frame's origin.
func (r *Robot) UserInertial(link int, p Inertial) Inertial {
	return p.InFrame(r.Links[link].UserFrame.Inv())
}

package regressor

import (
	"ident/internal/lanes"
	"ident/robot"
)

// energy stores the energy of a unit of a link's parameter, kinetic and potential:
// with the ten parameters J, l, m
//
//	½·ω·J·ω + l·(V×ω − g) + m·(½·V² − g·P)
func (en *energyState) energy(dst []float64, st *linkState, param int) {
	w, v := &st.w, &en.v
	square := func(x []float64) {
		for i := range dst {
			dst[i] = x[i] * x[i] / 2
		}
	}
	product := func(x, y []float64) {
		for i := range dst {
			dst[i] = x[i] * y[i]
		}
	}
	switch param {
	case robot.XX:
		square(w[0])
	case robot.XY:
		product(w[0], w[1])
	case robot.XZ:
		product(w[0], w[2])
	case robot.YY:
		square(w[1])
	case robot.YZ:
		product(w[1], w[2])
	case robot.ZZ:
		square(w[2])
	case robot.M:
		for i := range dst {
			dst[i] = (v[0][i]*v[0][i]+v[1][i]*v[1][i]+v[2][i]*v[2][i])/2 + en.height[i]
		}
	default:
		k := param - robot.MX
		p, q := (k+1)%3, (k+2)%3
		for i := range dst {
			dst[i] = w[q][i]*v[p][i] - w[p][i]*v[q][i] - en.g[k][i]
		}
	}
}

// pairs are slices whose products sum to a column.
type pairs struct {
	x, y [6][]float64
	n    int
}

func (p *pairs) add(x, y []float64) {
	p.x[p.n], p.y[p.n] = x, y
	p.n++
}

// sum sets dst = factor·Σ x·y.
func (p *pairs) sum(dst []float64, factor float64) {
	n := len(dst)
	clear(dst)
	for k := range p.n {
		x, y := p.x[k][:n], p.y[k][:n]
		for i := range dst {
			dst[i] += x[i] * y[i]
		}
	}
	if factor != 1 {
		for i := range dst {
			dst[i] *= factor
		}
	}
}

// momentum pairs the screw (a, v) with the momentum of a unit of a link's
// parameter about the origin of its frame: with the ten parameters J, l, m
//
//	angular  J·ω + l×V      linear  ω×l + m·V
func (en *energyState) momentum(out *pairs, st *linkState, param int, a, v *lanes.Vec) {
	w := &st.w
	out.n = 0
	switch param {
	case robot.XX:
		out.add(a[0], w[0])
	case robot.XY:
		out.add(a[0], w[1])
		out.add(a[1], w[0])
	case robot.XZ:
		out.add(a[0], w[2])
		out.add(a[2], w[0])
	case robot.YY:
		out.add(a[1], w[1])
	case robot.YZ:
		out.add(a[1], w[2])
		out.add(a[2], w[1])
	case robot.ZZ:
		out.add(a[2], w[2])
	case robot.MX:
		out.add(a[1], en.nv[2])
		out.add(a[2], en.v[1])
		out.add(v[1], w[2])
		out.add(v[2], en.nw[1])
	case robot.MY:
		out.add(a[0], en.v[2])
		out.add(a[2], en.nv[0])
		out.add(v[0], en.nw[2])
		out.add(v[2], w[0])
	case robot.MZ:
		out.add(a[0], en.nv[1])
		out.add(a[1], en.v[0])
		out.add(v[0], w[1])
		out.add(v[1], en.nw[0])
	default:
		for k := range 3 {
			out.add(v[k], en.v[k])
		}
	}
}

// weigh subtracts from dst the power of gravity on a unit of a link's parameter along the screw (a, v): g·v for the
// mass, g·(a×k) for a first moment along k.
func (en *energyState) weigh(dst []float64, param int, a, v *lanes.Vec) {
	n := len(dst)
	switch {
	case param == robot.M:
		for i := range dst {
			dst[i] -= en.g[0][i]*v[0][i] + en.g[1][i]*v[1][i] + en.g[2][i]*v[2][i]
		}
	case param >= robot.MX:
		k := param - robot.MX
		p, q := (k+1)%3, (k+2)%3
		gp, gq, ap, aq := en.g[p][:n], en.g[q][:n], a[p][:n], a[q][:n]
		for i := range dst {
			dst[i] -= gp[i]*aq[i] - gq[i]*ap[i]
		}
	}
}

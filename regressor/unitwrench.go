package regressor

import (
	"ident/internal/lanes"
	"ident/robot"
)

// Indices into linkState.u, the matrix U = [ω̇]ₓ + [ω]ₓ[ω]ₓ.
const (
	u11 = iota
	u12
	u13
	u21
	u22
	u23
	u31
	u32
	u33
)

// Indices into linkState.extra.
const (
	nXY  = iota // -ωxωy
	nXZ         // -ωxωz
	nYZ         // -ωyωz
	nU31        // ω̇y - ωxωz
	nU23        // ω̇x - ωyωz
	nU12        // ω̇z - ωxωy
	xxYY        // ωx² - ωy²
	zzXX        // ωz² - ωx²
	yyZZ        // ωy² - ωz²
)

// Indices into linkState.prod.
const (
	pXY = iota // ωxωy
	pXZ
	pYZ
)

// products computes the products of rates in the link's columns.
func (st *linkState) products(n int) {
	wx, wy, wz := st.w[0][:n], st.w[1][:n], st.w[2][:n]
	ex, ey, ez := st.dw[0][:n], st.dw[1][:n], st.dw[2][:n]
	vx, vy, vz := st.dv[0][:n], st.dv[1][:n], st.dv[2][:n]
	nx, ny, nz := st.neg[0][:n], st.neg[1][:n], st.neg[2][:n]
	u, e, p := &st.u, &st.extra, &st.prod
	a11, a12, a13 := u[u11][:n], u[u12][:n], u[u13][:n]
	a21, a22, a23 := u[u21][:n], u[u22][:n], u[u23][:n]
	a31, a32, a33 := u[u31][:n], u[u32][:n], u[u33][:n]
	m12, m13, m23 := e[nXY][:n], e[nXZ][:n], e[nYZ][:n]
	b31, b23, b12 := e[nU31][:n], e[nU23][:n], e[nU12][:n]
	d12, d31, d23 := e[xxYY][:n], e[zzXX][:n], e[yyZZ][:n]
	p12, p13, p23 := p[pXY][:n], p[pXZ][:n], p[pYZ][:n]
	for i := range wx {
		xy, xz, yz := wx[i]*wy[i], wx[i]*wz[i], wy[i]*wz[i]
		xx, yy, zz := wx[i]*wx[i], wy[i]*wy[i], wz[i]*wz[i]
		p12[i], p13[i], p23[i] = xy, xz, yz
		m12[i], m13[i], m23[i] = -xy, -xz, -yz
		d12[i], d31[i], d23[i] = xx-yy, zz-xx, yy-zz
		a11[i], a22[i], a33[i] = -(yy + zz), -(xx + zz), -(xx + yy)
		a12[i], a21[i], b12[i] = xy-ez[i], xy+ez[i], ez[i]-xy
		a13[i], a31[i], b31[i] = xz+ey[i], xz-ey[i], ey[i]-xz
		a23[i], a32[i], b23[i] = yz-ex[i], yz+ex[i], ex[i]-yz
		nx[i], ny[i], nz[i] = -vx[i], -vy[i], -vz[i]
	}
}

// inertiaWrench returns the moment of a unit of an inertia parameter: its column of K(ω̇) + [ω]ₓK(ω) with K(w)·(XX … ZZ)
// = J·w. It has no force.
func (st *linkState) inertiaWrench(param int) lanes.Vec {
	e, u, p := &st.extra, &st.u, &st.prod
	switch param {
	case robot.XX:
		return lanes.Vec{st.dw[0], p[pXZ], e[nXY]}
	case robot.XY:
		return lanes.Vec{e[nU31], u[u32], e[xxYY]}
	case robot.XZ:
		return lanes.Vec{u[u21], e[zzXX], e[nU23]}
	case robot.YY:
		return lanes.Vec{e[nYZ], st.dw[1], p[pXY]}
	case robot.YZ:
		return lanes.Vec{e[yyZZ], e[nU12], u[u13]}
	}
	return lanes.Vec{p[pYZ], e[nXZ], st.dw[2]}
}

// momentWrench returns pairs of the screw (a, v) with the wrench of a unit first moment along axis k: force U·k, moment
// k × V̇ (without a component along k).
func (st *linkState) momentWrench(param int, a, v *lanes.Vec) (x, y [5][]float64) {
	u := &st.u
	switch param {
	case robot.MX:
		return [5][]float64{v[0], v[1], v[2], a[1], a[2]}, [5][]float64{u[u11], u[u21], u[u31], st.neg[2], st.dv[1]}
	case robot.MY:
		return [5][]float64{v[0], v[1], v[2], a[0], a[2]}, [5][]float64{u[u12], u[u22], u[u32], st.dv[2], st.neg[0]}
	}
	return [5][]float64{v[0], v[1], v[2], a[0], a[1]}, [5][]float64{u[u13], u[u23], u[u33], st.neg[1], st.dv[0]}
}

// writeOwn writes a column into the row of the link's own revolute joint. Its screw at the link's origin is the unit z,
// so the entry is the z component of the moment.
func (st *linkState) writeOwn(dst []float64, param int) {
	switch param {
	case robot.MX:
		copy(dst, st.dv[1])
	case robot.MY:
		copy(dst, st.neg[0])
	case robot.MZ, robot.M:
		clear(dst)
	default:
		w := st.inertiaWrench(param)
		copy(dst, w[2])
	}
}

// shiftOriginConst sets sum = dv + U·p: the acceleration of a point of the link.
func shiftOriginConst(sum, dv *lanes.Vec, u *[9][]float64, p *[3]float64, n int) {
	for k := range 3 {
		a, b, c := u[3*k][:n], u[3*k+1][:n], u[3*k+2][:n]
		d, s := dv[k][:n], sum[k][:n]
		for i := range s {
			s[i] = d[i] + a[i]*p[0] + b[i]*p[1] + c[i]*p[2]
		}
	}
}

// shiftOrigin is shiftOriginConst for a point that varies with the samples.
func shiftOrigin(sum, dv *lanes.Vec, u *[9][]float64, p *lanes.Vec, n int) {
	px, py, pz := p[0][:n], p[1][:n], p[2][:n]
	for k := range 3 {
		a, b, c := u[3*k][:n], u[3*k+1][:n], u[3*k+2][:n]
		d, s := dv[k][:n], sum[k][:n]
		for i := range s {
			s[i] = d[i] + a[i]*px[i] + b[i]*py[i] + c[i]*pz[i]
		}
	}
}

package symbolic

import "math"

// Sine and cosine of a block, the same bits in Go and in assembly: the angle
// less the nearest multiple of π/2, which is subtracted in three parts by fused
// multiply-adds, and the polynomials of fdlibm (Sun Microsystems 1993) on ±π/4.
// The error is below one unit in the last place for angles of a few turns, and
// absolutely below 2e-16 up to farAngle; beyond, and for values that are no
// angle, math.Sincos takes over.
const farAngle = 1 << 20

// sincosTable holds the constants in the order in which the assembly reads
// them.
var sincosTable = [...]float64{
	2 / math.Pi,
	6755399441055744,        // 1.5·2⁵²: adding it leaves the nearest integer in the low bits
	1.5707963267948966,      // π/2 to 53 bits
	6.123233995736766e-17,   // π/2 less that, to 53 bits
	-1.4973849048591698e-33, // and the rest
	1.58969099521155010221e-10, -2.50507602534068634195e-08, 2.75573137070700676789e-06,
	-1.98412698298579493134e-04, 8.33333333332248946124e-03, -1.66666666666666324348e-01,
	-1.13596475577881948265e-11, 2.08757232129817482790e-09, -2.75573143513906633035e-07,
	2.48015872894767294178e-05, -1.38888888888741095749e-03, 4.16666666666666019037e-02,
	-0.5, 1,
	farAngle * farAngle,
}

// sincosGo fills a block with sines and cosines, wrong ones of angles beyond farAngle, and reports whether there are such.
func sincosGo(sin, cos, x *[Lanes]float64) (far bool) {
	c := &sincosTable
	for i, v := range x {
		shifted := math.FMA(v, c[0], c[1])
		k := shifted - c[1]
		r := math.FMA(-k, c[2], v)
		r = math.FMA(-k, c[3], r)
		r = math.FMA(-k, c[4], r)
		z := r * r
		p := math.FMA(c[5], z, c[6])
		p = math.FMA(p, z, c[7])
		p = math.FMA(p, z, c[8])
		p = math.FMA(p, z, c[9])
		p = math.FMA(p, z, c[10])
		s := math.FMA(float64(z*r), p, r)
		p = math.FMA(c[11], z, c[12])
		p = math.FMA(p, z, c[13])
		p = math.FMA(p, z, c[14])
		p = math.FMA(p, z, c[15])
		p = math.FMA(p, z, c[16])
		e := math.FMA(float64(z*z), p, math.FMA(z, c[17], c[18]))
		n := math.Float64bits(shifted)
		if n&1 != 0 {
			s, e = e, s
		}
		sin[i] = math.Float64frombits(math.Float64bits(s) ^ n<<62&(1<<63))
		cos[i] = math.Float64frombits(math.Float64bits(e) ^ (n+1)<<62&(1<<63))
		far = far || !(math.Abs(v) <= farAngle)
	}
	return far
}

// sincos fills a block with sines and cosines.
func (m *Machine) sincos(sin, cos, x []float64) {
	s, c, v := (*[Lanes]float64)(sin), (*[Lanes]float64)(cos), (*[Lanes]float64)(x)
	if !m.sincosNear(s, c, v) {
		return
	}
	for i, a := range v {
		if !(math.Abs(a) <= farAngle) {
			s[i], c[i] = math.Sincos(a)
		}
	}
}

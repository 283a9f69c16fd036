package datasets

import (
	"encoding/binary"
	"math"
)

// numberType is the representation of a number in a NumPy or MATLAB file.
type numberType struct {
	kind byte // 'f' floating point, 'i' signed, 'u' unsigned, 'b' truth value
	size int  // bytes
	big  bool // the most significant byte first
}

func (n numberType) valid() bool {
	switch n.kind {
	case 'f':
		return n.size == 2 || n.size == 4 || n.size == 8
	case 'i', 'u':
		return n.size == 1 || n.size == 2 || n.size == 4 || n.size == 8
	}
	return n.kind == 'b' && n.size == 1
}

// decode fills dst with the numbers at src[0:], src[stride:], …
func (n numberType) decode(dst []float64, src []byte, stride int) {
	if n.kind == 'f' && n.size == 8 && !n.big {
		// The usual case: float64, most often contiguous.
		if stride == 8 {
			src = src[:8*len(dst)]
			for i := range dst {
				dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:]))
			}
			return
		}
		for i := range dst {
			dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(src[i*stride:]))
		}
		return
	}
	for i := range dst {
		dst[i] = n.value(n.bits(src[i*stride:]))
	}
}

// bits returns the bytes of one number as an unsigned integer.
func (n numberType) bits(b []byte) uint64 {
	var order binary.ByteOrder = binary.LittleEndian
	if n.big {
		order = binary.BigEndian
	}
	switch n.size {
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	case 8:
		return order.Uint64(b)
	}
	return uint64(b[0])
}

func (n numberType) value(u uint64) float64 {
	switch {
	case n.kind == 'b':
		if u != 0 {
			return 1
		}
		return 0
	case n.kind == 'u':
		return float64(u)
	case n.kind == 'i':
		shift := 64 - 8*n.size
		return float64(int64(u<<shift) >> shift)
	case n.size == 4:
		return float64(math.Float32frombits(uint32(u)))
	case n.size == 8:
		return math.Float64frombits(u)
	}
	return half(uint16(u))
}

// half returns the number of IEEE 754's binary16: a bit of sign, 5 of the exponent with bias 15, 10 of the fraction. (That of
// Apache Arrow's library is wrong for numbers below 2⁻¹⁴.)
func half(b uint16) float64 {
	sign := 1.0
	if b>>15 != 0 {
		sign = -1
	}
	exponent, fraction := int(b>>10&31), float64(b&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction == 0 {
			return math.Inf(int(sign))
		}
		return math.NaN()
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

package arrow

import (
	"encoding/binary"
	"math"
	"slices"
)

// Values are the values of a column in a record batch.
type Values struct {
	Origin int64 // subtracted from integers before they become float64; of time stamps, those of this century need it

	column *Column
	batch  *Batch
	rows   int
	valid  buffer // a bit a row, 0 of a null, where there are nulls
	values buffer
	nulls  bool
}

// Read decodes rows from at on, NaN where a value is null. It panics where the batch has fewer.
func (v *Values) Read(dst []float64, at int) error {
	if at < 0 || at+len(dst) > v.rows {
		panic("arrow: rows beyond the batch")
	}
	if len(dst) == 0 {
		return nil
	}
	if err := v.decode(dst, at); err != nil {
		return err
	}
	if !v.nulls {
		return nil
	}
	bits, err := v.bits(v.valid, at, len(dst))
	if err != nil {
		return err
	}
	for i := range dst {
		if !bit(bits, at%8+i) {
			dst[i] = math.NaN()
		}
	}
	return nil
}

// First returns the first value that is not null of an integer column, and whether there is one.
func (v *Values) First() (first int64, found bool, err error) {
	at := 0
	for ; v.nulls && at < v.rows; at++ {
		if bits, err := v.bits(v.valid, at, 1); err != nil {
			return 0, false, err
		} else if bit(bits, at%8) {
			break
		}
	}
	if at >= v.rows {
		return 0, false, nil
	}
	b, err := v.bytes(at, 1)
	if err != nil {
		return 0, false, err
	}
	var word [8]byte
	copy(word[:], b)
	return int64(binary.LittleEndian.Uint64(word[:])), true, nil
}

// bits are the bytes with the bits of n rows from at on; that of the first is bit at%8.
func (v *Values) bits(b buffer, at, n int) ([]byte, error) {
	return v.batch.read(b, at/8, (at+n+7)/8-at/8)
}

func bit(b []byte, i int) bool { return b[i/8]>>(i%8)&1 == 1 }

// bytes are those of n values from row at on, the least significant first.
func (v *Values) bytes(at, n int) ([]byte, error) {
	size := v.column.Bits / 8
	b, err := v.batch.read(v.values, at*size, n*size)
	if err == nil && v.batch.file.big && size > 1 {
		b = slices.Clone(b) // the buffer may be in memory, and read again
		for i := 0; i < len(b); i += size {
			slices.Reverse(b[i : i+size])
		}
	}
	return b, err
}

// decode stores rows from at on, nulls as any number.
func (v *Values) decode(dst []float64, at int) error {
	c := v.column
	if c.Kind == Boolean {
		b, err := v.bits(v.values, at, len(dst))
		if err != nil {
			return err
		}
		for i := range dst {
			dst[i] = float64(b[(at%8+i)/8] >> ((at%8 + i) % 8) & 1)
		}
		return nil
	}
	b, err := v.bytes(at, len(dst))
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	switch signed := c.Kind != Unsigned; {
	case c.Kind == Float && c.Bits == 64:
		for i := range dst {
			dst[i] = math.Float64frombits(le.Uint64(b[8*i:]))
		}
	case c.Kind == Float && c.Bits == 32:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(le.Uint32(b[4*i:])))
		}
	case c.Kind == Float:
		for i := range dst {
			dst[i] = Half(le.Uint16(b[2*i:]))
		}
	case c.Bits == 64 && signed:
		for i := range dst {
			dst[i] = float64(int64(le.Uint64(b[8*i:])) - v.Origin)
		}
	case c.Bits == 64:
		for i := range dst {
			dst[i] = float64(le.Uint64(b[8*i:]))
		}
	case c.Bits == 32 && signed:
		for i := range dst {
			dst[i] = float64(int32(le.Uint32(b[4*i:])))
		}
	case c.Bits == 32:
		for i := range dst {
			dst[i] = float64(le.Uint32(b[4*i:]))
		}
	case c.Bits == 16 && signed:
		for i := range dst {
			dst[i] = float64(int16(le.Uint16(b[2*i:])))
		}
	case c.Bits == 16:
		for i := range dst {
			dst[i] = float64(le.Uint16(b[2*i:]))
		}
	case signed:
		for i := range dst {
			dst[i] = float64(int8(b[i]))
		}
	default:
		for i := range dst {
			dst[i] = float64(b[i])
		}
	}
	return nil
}

// Half is the number of IEEE 754's binary16: a bit of sign, 5 of the exponent with bias 15, 10 of the fraction.
func Half(b uint16) float64 {
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

package parquet

import "encoding/binary"

// hybrid decodes the run-length and bit-packing hybrid of levels, dictionary indices and truth values.
type hybrid struct {
	b     []byte // not read yet
	width uint   // bits of a value, 0 to 32
	left  int    // values of the open run
	value uint32 // of a repeated run
	// A packed run: its bytes and the next bit in them.
	packed []byte
	bit    int
}

// levelsOf decodes levels of 0 and 1.
func levelsOf(b []byte) hybrid { return hybrid{b: b, width: 1} }

// next opens the next run.
func (h *hybrid) next() error {
	for h.left == 0 {
		head, n := binary.Uvarint(h.b)
		if n <= 0 {
			return Damage("runs end before the page does")
		}
		h.b = h.b[n:]
		if head&1 == 0 { // repeated
			size := int(h.width+7) / 8
			if head>>1 > 1<<40 || size > len(h.b) {
				return Damage("a run does not decode")
			}
			h.value, h.packed = 0, nil
			for i := range size {
				h.value |= uint32(h.b[i]) << (8 * i)
			}
			if h.width < 32 && h.value>>h.width != 0 {
				return Damage("a repeated value is wider than it may be")
			}
			h.b, h.left = h.b[size:], int(head>>1)
			continue
		}
		groups := head >> 1
		if groups > 1<<32 {
			return Damage("a run does not decode")
		}
		if h.width == 0 {
			h.value, h.packed, h.left = 0, nil, int(8*groups)
			continue
		}
		// The last run may lack the bytes of values beyond the page.
		size := min(int(groups)*int(h.width), len(h.b))
		h.packed, h.bit, h.b = h.b[:size], 0, h.b[size:]
		h.left = min(int(8*groups), size*8/int(h.width))
	}
	return nil
}

// repeated returns the value of the open run and how many of the next n values it is; 0 for a packed run.
func (h *hybrid) repeated(n int) (value uint32, count int, err error) {
	if err := h.next(); err != nil || h.packed != nil {
		return 0, 0, err
	}
	return h.value, min(n, h.left), nil
}

// pass goes on by n values of a repeated run.
func (h *hybrid) pass(n int) { h.left -= n }

// decode fills dst.
func (h *hybrid) decode(dst []uint64) error {
	for len(dst) > 0 {
		if err := h.next(); err != nil {
			return err
		}
		n := min(len(dst), h.left)
		if h.packed == nil {
			for i := range n {
				dst[i] = uint64(h.value)
			}
		} else {
			h.bit = unpack(dst[:n], h.packed, h.bit, h.width)
		}
		h.left -= n
		dst = dst[n:]
	}
	return nil
}

// unpack fills dst with values of width bits, at most 57, the least significant bit first, from bit on, and
// returns the bit behind them. b holds all of them.
func unpack(dst []uint64, b []byte, bit int, width uint) int {
	mask := uint64(1)<<width - 1
	i := 0
	for ; i < len(dst) && bit/8+8 <= len(b); i++ {
		dst[i] = binary.LittleEndian.Uint64(b[bit/8:]) >> (bit % 8) & mask
		bit += int(width)
	}
	for ; i < len(dst); i++ {
		dst[i] = bitsAt(b, bit, width)
		bit += int(width)
	}
	return bit
}

// bitsAt is the value of width bits, at most 64, at a bit of b; bits beyond b are 0.
func bitsAt(b []byte, bit int, width uint) uint64 {
	v := uint64(0)
	for got := uint(0); got < width && bit/8 < len(b); {
		v |= uint64(b[bit/8]>>(bit%8)) << got
		step := 8 - bit%8
		got += uint(step)
		bit += step
	}
	if width < 64 {
		v &= uint64(1)<<width - 1
	}
	return v
}

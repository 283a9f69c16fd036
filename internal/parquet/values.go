package parquet

import (
	"encoding/binary"
	"math/bits"
)

// values decodes the values of a page, other than nulls, in order. A value is a word: the bits of a number
// of the column's type, extended by its sign where it is an integer.
type values interface {
	decode(dst []uint64) error
}

// errFew says that a page holds fewer values than it announces.
const errFew = Damage("a page holds fewer values than it announces")

// plain is values one after another, of 4 or 8 bytes.
type plain struct {
	b    []byte
	size int
}

func (p *plain) decode(dst []uint64) error {
	if len(dst) > len(p.b)/p.size {
		return errFew
	}
	if p.size == 8 {
		for i := range dst {
			dst[i] = binary.LittleEndian.Uint64(p.b[8*i:])
		}
	} else {
		for i := range dst {
			dst[i] = uint64(binary.LittleEndian.Uint32(p.b[4*i:]))
		}
	}
	p.b = p.b[p.size*len(dst):]
	return nil
}

// truths is truth values of a bit.
type truths struct {
	b   []byte
	bit int
}

func (p *truths) decode(dst []uint64) error {
	if len(dst) > 8*len(p.b)-p.bit {
		return errFew
	}
	p.bit = unpack(dst, p.b, p.bit, 1)
	return nil
}

// indexed is indices into a dictionary.
type indexed struct {
	dictionary []uint64
	indices    hybrid
}

func (p *indexed) decode(dst []uint64) error {
	if err := p.indices.decode(dst); err != nil {
		return err
	}
	for i, k := range dst {
		if k >= uint64(len(p.dictionary)) {
			return damage("index %d into a dictionary of %d values", k, len(p.dictionary))
		}
		dst[i] = p.dictionary[k]
	}
	return nil
}

// split is values whose first bytes lie together, then the second bytes, and so on.
type split struct {
	b    []byte
	size int // bytes of a value
	at   int
}

func (p *split) decode(dst []uint64) error {
	n := len(p.b) / p.size
	if len(dst) > n-p.at {
		return errFew
	}
	clear(dst)
	for j := range p.size {
		for i, v := range p.b[j*n+p.at:][:len(dst)] {
			dst[i] |= uint64(v) << (8 * j)
		}
	}
	p.at += len(dst)
	return nil
}

// delta is integers as packed differences: blocks of miniblocks, each of one width.
type delta struct {
	b     []byte // not read yet
	mini  int    // values of a miniblock
	minis int    // miniblocks of a block
	left  int    // values not returned yet, of those announced
	value uint64 // the next value
	first bool   // value is the first one, before any block

	least  uint64 // smallest difference of the open block
	widths []byte // of its miniblocks that are not open yet
	width  uint   // of the open miniblock
	packed []byte
	bit    int
	open   int // differences of the open miniblock
}

func newDelta(b []byte) (*delta, error) {
	c := &compact{b: b}
	block, minis, count := c.varint(), c.varint(), c.varint()
	first := c.signed()
	if c.bad || block == 0 || block > 1<<24 || minis == 0 || minis > block || block%minis != 0 || count > 1<<40 {
		return nil, Damage("the header of packed differences does not decode")
	}
	return &delta{b: c.b, mini: int(block / minis), minis: int(minis), left: int(count), value: uint64(first), first: true}, nil
}

func (p *delta) decode(dst []uint64) error {
	if len(dst) > p.left {
		return errFew
	}
	for i := range dst {
		if p.first {
			dst[i], p.first = p.value, false
			p.left--
			continue
		}
		if p.open == 0 {
			if err := p.next(); err != nil {
				return err
			}
		}
		p.value += p.least + bitsAt(p.packed, p.bit, p.width)
		p.bit += int(p.width)
		p.open--
		p.left--
		dst[i] = p.value
	}
	return nil
}

// next opens the next miniblock.
func (p *delta) next() error {
	if len(p.widths) == 0 {
		c := &compact{b: p.b}
		p.least = uint64(c.signed())
		p.widths = c.bytes(uint64(p.minis))
		if c.bad {
			return Damage("packed differences end before the page does")
		}
		p.b = c.b
	}
	p.width, p.widths = uint(p.widths[0]), p.widths[1:]
	if p.width > 64 {
		return damage("differences of %d bits", p.width)
	}
	hi, size := bits.Mul64(uint64(p.width), uint64(p.mini))
	size /= 8
	// The last miniblock may lack the bytes of values beyond the page.
	if hi != 0 || size > uint64(len(p.b)) {
		size = uint64(len(p.b))
		if need := uint64(min(p.mini, p.left)) * uint64(p.width); need > 8*size {
			return Damage("packed differences end before the page does")
		}
	}
	p.packed, p.bit, p.open, p.b = p.b[:size], 0, p.mini, p.b[size:]
	return nil
}

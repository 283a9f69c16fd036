package datasets

import "encoding/binary"

// Types of values in Thrift's compact protocol.
const (
	wireTrue   = 1
	wireFalse  = 2
	wireByte   = 3
	wireInt16  = 4
	wireInt32  = 5
	wireInt64  = 6
	wireDouble = 7
	wireBinary = 8
	wireList   = 9
	wireSet    = 10
	wireMap    = 11
	wireStruct = 12
)

// maxNested is the largest depth of structures within structures; Parquet needs six.
const maxNested = 32

// compact reads values in Thrift's compact protocol (thrift-compact-protocol.md), in which Parquet writes its footer and the
// headers of its pages. It allocates nothing. The first contradiction ends it: later values are zero.
type compact struct {
	b     []byte // not read yet
	depth int
	bad   bool
	short bool // the bytes end before the value does
}

func (c *compact) fail() { c.bad, c.b = true, nil }

// end fails because the bytes end within a value.
func (c *compact) end() {
	c.short = c.short || !c.bad
	c.fail()
}

func (c *compact) byte() byte {
	if len(c.b) == 0 {
		c.end()
		return 0
	}
	v := c.b[0]
	c.b = c.b[1:]
	return v
}

func (c *compact) varint() uint64 {
	v, n := binary.Uvarint(c.b)
	switch {
	case n == 0:
		c.end()
		return 0
	case n < 0:
		c.fail()
		return 0
	}
	c.b = c.b[n:]
	return v
}

// int returns an integer of a field or element of type kind.
func (c *compact) int(kind byte) int64 {
	switch kind {
	case wireByte:
		return int64(int8(c.byte()))
	case wireInt16, wireInt32, wireInt64:
		u := c.varint()
		return int64(u>>1) ^ -int64(u&1)
	}
	c.fail()
	return 0
}

func (c *compact) pass(n uint64) {
	if n > uint64(len(c.b)) {
		c.end()
		return
	}
	c.b = c.b[n:]
}

// structure calls field for each field of a structure of type kind; field reports whether it has read the value.
func (c *compact) structure(kind byte, field func(id int, kind byte) bool) {
	if kind != wireStruct || c.depth == maxNested {
		c.fail()
	}
	c.depth++
	id := 0
	for !c.bad {
		head := c.byte()
		if head == 0 {
			break
		}
		if head>>4 == 0 {
			id = int(int16(c.int(wireInt16)))
		} else {
			id += int(head >> 4)
		}
		if !field(id, head&15) {
			c.skip(head & 15)
		}
	}
	c.depth--
}

// list calls element for each element of a list of type kind, with its type.
func (c *compact) list(kind byte, element func(kind byte)) {
	if kind != wireList && kind != wireSet {
		c.fail()
	}
	head := c.byte()
	n := uint64(head >> 4)
	if n == 15 {
		n = c.varint()
	}
	if n > uint64(len(c.b)) { // each takes a byte at least
		c.end()
	}
	for ; n > 0 && !c.bad; n-- {
		element(head & 15)
	}
}

// skip passes over a value of type kind.
func (c *compact) skip(kind byte) {
	switch kind {
	case wireTrue, wireFalse: // in the header of the field
	case wireByte:
		c.byte()
	case wireInt16, wireInt32, wireInt64:
		c.varint()
	case wireDouble:
		c.pass(8)
	case wireBinary:
		c.pass(c.varint())
	case wireList, wireSet:
		c.list(kind, c.skipElement)
	case wireMap:
		n := c.varint()
		if n == 0 {
			return
		}
		kinds := c.byte()
		for ; n > 0 && !c.bad; n-- {
			c.skipElement(kinds >> 4)
			c.skipElement(kinds & 15)
		}
	case wireStruct:
		c.structure(kind, func(int, byte) bool { return false })
	default:
		c.fail()
	}
}

// skipElement passes over an element of a list or map, where truth values take a byte.
func (c *compact) skipElement(kind byte) {
	switch {
	case kind == wireTrue || kind == wireFalse:
		c.byte()
	case c.depth == maxNested:
		c.fail()
	default:
		c.depth++
		c.skip(kind)
		c.depth--
	}
}

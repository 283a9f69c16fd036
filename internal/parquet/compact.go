package parquet

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

// mostNested is the largest depth of structures within structures; the format needs six.
const mostNested = 32

// compact reads values in Thrift's compact protocol. The first contradiction ends it: later values are zero.
type compact struct {
	b     []byte // not read yet
	depth int
	bad   bool
	short bool // the bytes end before the value does
}

func (c *compact) fail() {
	c.bad, c.b = true, nil
}

func (c *compact) byte() byte {
	if len(c.b) == 0 {
		c.short = c.short || !c.bad
		c.fail()
		return 0
	}
	v := c.b[0]
	c.b = c.b[1:]
	return v
}

func (c *compact) varint() uint64 {
	v, n := binary.Uvarint(c.b)
	if n <= 0 {
		c.short = c.short || n == 0 && !c.bad
		c.fail()
		return 0
	}
	c.b = c.b[n:]
	return v
}

func (c *compact) signed() int64 {
	u := c.varint()
	return int64(u>>1) ^ -int64(u&1)
}

// int is an integer of a field or element of type kind.
func (c *compact) int(kind byte) int64 {
	switch kind {
	case wireByte:
		return int64(int8(c.byte()))
	case wireInt16, wireInt32, wireInt64:
		return c.signed()
	}
	c.fail()
	return 0
}

// bool is a truth value of a field of type kind, which holds it.
func (c *compact) bool(kind byte) bool {
	if kind != wireTrue && kind != wireFalse {
		c.fail()
	}
	return kind == wireTrue
}

// text is a copy of the bytes of a field or element of type kind.
func (c *compact) text(kind byte) string {
	if kind != wireBinary {
		c.fail()
	}
	return string(c.bytes(c.varint()))
}

func (c *compact) bytes(n uint64) []byte {
	if n > uint64(len(c.b)) {
		c.short = c.short || !c.bad
		c.fail()
		return nil
	}
	v := c.b[:n]
	c.b = c.b[n:]
	return v
}

// structure calls field for each field of a structure of type kind; field reports whether it has read the
// value.
func (c *compact) structure(kind byte, field func(id int, kind byte) bool) {
	if kind != wireStruct || c.depth == mostNested {
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
			id = int(int16(c.signed()))
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
		c.short = c.short || !c.bad
		c.fail()
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
		c.bytes(8)
	case wireBinary:
		c.bytes(c.varint())
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
	case c.depth == mostNested:
		c.fail()
	default:
		c.depth++
		c.skip(kind)
		c.depth--
	}
}

// compactWriter appends structures in Thrift's compact protocol. Fields are written in ascending order.
type compactWriter struct {
	b    []byte
	last []int // the last field of each open structure
}

func (w *compactWriter) begin() { w.last = append(w.last, 0) }
func (w *compactWriter) end()   { w.b, w.last = append(w.b, 0), w.last[:len(w.last)-1] }

func (w *compactWriter) head(id int, kind byte) {
	last := &w.last[len(w.last)-1]
	w.b = append(w.b, byte(id-*last)<<4|kind) // all steps of this format are below 16
	*last = id
}

func (w *compactWriter) zigzag(v int64) {
	w.b = binary.AppendUvarint(w.b, uint64(v)<<1^uint64(v>>63))
}

func (w *compactWriter) int32(id int, v int) {
	w.head(id, wireInt32)
	w.zigzag(int64(v))
}

func (w *compactWriter) int64(id int, v int64) {
	w.head(id, wireInt64)
	w.zigzag(v)
}

func (w *compactWriter) bare(s string) {
	w.b = append(binary.AppendUvarint(w.b, uint64(len(s))), s...)
}

func (w *compactWriter) text(id int, s string) {
	w.head(id, wireBinary)
	w.bare(s)
}

// structure begins a field that is a structure; end ends it.
func (w *compactWriter) structure(id int) {
	w.head(id, wireStruct)
	w.begin()
}

// list begins a field that is a list; its n elements follow.
func (w *compactWriter) list(id int, kind byte, n int) {
	w.head(id, wireList)
	if n < 15 {
		w.b = append(w.b, byte(n)<<4|kind)
		return
	}
	w.b = binary.AppendUvarint(append(w.b, 15<<4|kind), uint64(n))
}

package arrow

import "encoding/binary"

// flatTable is a flatbuffer table at a place in its buffer. Reading it panics where offsets are wrong: callers
// defer contradiction.
type flatTable struct {
	buf []byte
	at  int
}

// rootTable is the table to which a flatbuffer's first word points.
func rootTable(buf []byte) flatTable {
	return flatTable{buf, int(binary.LittleEndian.Uint32(buf))}
}

// field is the byte of field i of the table, 0 where it is absent.
func (t flatTable) field(i int) int {
	layout := t.at - int(int32(binary.LittleEndian.Uint32(t.buf[t.at:])))
	if 4+2*i >= int(binary.LittleEndian.Uint16(t.buf[layout:])) {
		return 0
	}
	if o := int(binary.LittleEndian.Uint16(t.buf[layout+4+2*i:])); o != 0 {
		return t.at + o
	}
	return 0
}

// scalars of field i, or a default where it is absent
func (t flatTable) byte(i int) byte {
	if at := t.field(i); at != 0 {
		return t.buf[at]
	}
	return 0
}

func (t flatTable) int16(i, absent int) int {
	if at := t.field(i); at != 0 {
		return int(int16(binary.LittleEndian.Uint16(t.buf[at:])))
	}
	return absent
}

func (t flatTable) int32(i, absent int) int {
	if at := t.field(i); at != 0 {
		return int(int32(binary.LittleEndian.Uint32(t.buf[at:])))
	}
	return absent
}

func (t flatTable) int64(i int) int64 {
	if at := t.field(i); at != 0 {
		return int64(binary.LittleEndian.Uint64(t.buf[at:]))
	}
	return 0
}

// table is the table in field i.
func (t flatTable) table(i int) (flatTable, bool) {
	at := t.field(i)
	if at == 0 {
		return flatTable{}, false
	}
	return flatTable{t.buf, at + int(binary.LittleEndian.Uint32(t.buf[at:]))}, true
}

// vector returns the byte and the number of the elements of the vector in field i, checked to lie within
// the buffer with size bytes each.
func (t flatTable) vector(i, size int) (at, n int, err error) {
	at = t.field(i)
	if at == 0 {
		return 0, 0, nil
	}
	at += int(binary.LittleEndian.Uint32(t.buf[at:]))
	n = int(binary.LittleEndian.Uint32(t.buf[at:]))
	at += 4
	if n > (len(t.buf)-at)/size {
		return 0, 0, damage("a list of %d entries in %d bytes", n, len(t.buf)-at)
	}
	return at, n, nil
}

// tableAt is the table to which entry k of a vector at byte at points.
func (t flatTable) tableAt(at, k int) flatTable {
	at += 4 * k
	return flatTable{t.buf, at + int(binary.LittleEndian.Uint32(t.buf[at:]))}
}

// text is the string in field i.
func (t flatTable) text(i int) (string, error) {
	at, n, err := t.vector(i, 1)
	return string(t.buf[at : at+n]), err
}

package datasets

import "encoding/binary"

// flatTable is a FlatBuffers table at a place in its buffer (google/flatbuffers: docs, "FlatBuffer Internals"). Reading it
// panics where offsets are wrong: callers use guard.
type flatTable struct {
	buf []byte
	at  int
}

// rootTable returns the table to which a flatbuffer's first word points.
func rootTable(buf []byte) flatTable {
	return flatTable{buf, int(binary.LittleEndian.Uint32(buf))}
}

// field returns the byte of field i of the table, 0 where it is absent.
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

func (t flatTable) byte(i int) byte {
	if at := t.field(i); at != 0 {
		return t.buf[at]
	}
	return 0
}

func (t flatTable) int16(i int) int {
	if at := t.field(i); at != 0 {
		return int(int16(binary.LittleEndian.Uint16(t.buf[at:])))
	}
	return 0
}

func (t flatTable) int64(i int) int64 {
	if at := t.field(i); at != 0 {
		return int64(binary.LittleEndian.Uint64(t.buf[at:]))
	}
	return 0
}

// table returns the table in field i.
func (t flatTable) table(i int) (flatTable, bool) {
	at := t.field(i)
	if at == 0 {
		return flatTable{}, false
	}
	return flatTable{t.buf, at + int(binary.LittleEndian.Uint32(t.buf[at:]))}, true
}

// vector returns the byte and the number of the elements of the vector in field i, checked to lie within the buffer with size
// bytes each.
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

// words calls visit with element k of a vector of structures of two 64-bit words.
func (t flatTable) words(i int, visit func(k int, first, second int64) error) error {
	at, n, err := t.vector(i, 16)
	for k := 0; k < n && err == nil; k++ {
		b := t.buf[at+16*k:]
		err = visit(k, int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:])))
	}
	return err
}

// schemaCheck counts the parts of a schema before the library reads it: it allocates by the lengths of vectors and texts, and
// several fields may refer to the same children.
type schemaCheck struct {
	fields int // left
	texts  int // bytes left
}

// check checks Schema {endianness, fields, custom_metadata}.
func (s *schemaCheck) check(schema flatTable) error {
	if err := s.pairs(schema, 2); err != nil {
		return err
	}
	return s.children(schema, 1, 0)
}

// children checks the vector in field i of a table, of Field {name, nullable, type_type, type, dictionary, children,
// custom_metadata}.
func (s *schemaCheck) children(t flatTable, i, depth int) error {
	at, n, err := t.vector(i, 4)
	if err != nil {
		return err
	}
	if s.fields -= n; s.fields < 0 || depth > maxNested {
		return damage("a schema of too many fields")
	}
	for k := range n {
		f := t.entry(at, k)
		if err := s.text(f, 0); err != nil {
			return err
		}
		if err := s.pairs(f, 6); err != nil {
			return err
		}
		const union = 14 // Union {mode, typeIds}
		if u, ok := f.table(3); ok && f.byte(2) == union {
			if _, _, err := u.vector(1, 4); err != nil {
				return err
			}
		}
		if err := s.children(f, 5, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// entry returns the table to which entry k of a vector at byte at points.
func (t flatTable) entry(at, k int) flatTable {
	at += 4 * k
	return flatTable{t.buf, at + int(binary.LittleEndian.Uint32(t.buf[at:]))}
}

// pairs checks a vector of KeyValue {key, value}.
func (s *schemaCheck) pairs(t flatTable, i int) error {
	at, n, err := t.vector(i, 4)
	for k := 0; k < n && err == nil; k++ {
		if err = s.text(t.entry(at, k), 0); err == nil {
			err = s.text(t.entry(at, k), 1)
		}
	}
	return err
}

func (s *schemaCheck) text(t flatTable, i int) error {
	_, n, err := t.vector(i, 1)
	if s.texts -= n + 16; err == nil && s.texts < 0 {
		err = damage("texts longer than their description")
	}
	return err
}

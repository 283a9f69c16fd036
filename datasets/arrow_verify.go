package datasets

import (
	"encoding/binary"
	"fmt"
)

// The Arrow library allocates by the lengths in the flatbuffers of a message, and a failed allocation ends
// the process. So every length is compared with the bytes present before the library reads it. Offsets in
// flatbuffers point forwards only; a budget bounds the number of visits to shared parts. Panics (offsets
// out of range) are left to guard.

// flatTable is a flatbuffer table at a place in its buffer. Reading it panics where offsets are wrong.
type flatTable struct {
	buf []byte
	at  int
}

// field is the byte of field i of the table, 0 where it is absent.
func (t flatTable) field(i int) int {
	vtable := t.at - int(int32(binary.LittleEndian.Uint32(t.buf[t.at:])))
	if 4+2*i >= int(binary.LittleEndian.Uint16(t.buf[vtable:])) {
		return 0
	}
	if o := int(binary.LittleEndian.Uint16(t.buf[vtable+4+2*i:])); o != 0 {
		return t.at + o
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
		return 0, 0, fmt.Errorf("%w: a list of %d entries in %d bytes", ErrDamaged, n, len(t.buf)-at)
	}
	return at, n, nil
}

// verifyMessage checks Message {version, header_type, header, bodyLength, custom_metadata}.
func verifyMessage(msg flatTable, kind byte) error {
	if _, _, err := msg.vector(4, 4); err != nil {
		return err
	}
	header, ok := msg.table(2)
	if !ok {
		return fmt.Errorf("%w: a message without a description", ErrDamaged)
	}
	switch kind {
	case messageSchema:
		// Schema {endianness, fields, custom_metadata}
		if _, _, err := header.vector(2, 4); err != nil {
			return err
		}
		budget := 1 << 18
		return verifyFields(header, 1, 0, &budget)
	case messageDictionary:
		// DictionaryBatch {id, data, isDelta}
		data, ok := header.table(1)
		if !ok {
			return fmt.Errorf("%w: a dictionary without data", ErrDamaged)
		}
		return verifyBatch(data)
	}
	return verifyBatch(header)
}

// verifyFields checks the vector of Field {name, nullable, type_type, type, dictionary, children,
// custom_metadata} in a table's field i.
func verifyFields(t flatTable, i, depth int, budget *int) error {
	at, n, err := t.vector(i, 4)
	if err != nil {
		return err
	}
	if *budget -= n; *budget < 0 || depth > 32 {
		return fmt.Errorf("%w: a schema of too many fields", ErrDamaged)
	}
	for k := range n {
		at := at + 4*k
		f := flatTable{t.buf, at + int(binary.LittleEndian.Uint32(t.buf[at:]))}
		if _, _, err := f.vector(6, 4); err != nil {
			return err
		}
		const union = 14 // Union {mode, typeIds}
		if kind := f.field(2); kind != 0 && f.buf[kind] == union {
			if u, ok := f.table(3); ok {
				if _, _, err := u.vector(1, 4); err != nil {
					return err
				}
			}
		}
		if err := verifyFields(f, 5, depth+1, budget); err != nil {
			return err
		}
	}
	return nil
}

// verifyBatch checks RecordBatch {length, nodes, buffers, compression, variadicBufferCounts}.
func verifyBatch(t flatTable) error {
	if _, _, err := t.vector(1, 16); err != nil {
		return err
	}
	_, buffers, err := t.vector(2, 16)
	if err != nil {
		return err
	}
	at, n, err := t.vector(4, 8)
	if err != nil {
		return err
	}
	for k := range n {
		if c := binary.LittleEndian.Uint64(t.buf[at+8*k:]); c > uint64(buffers) {
			return fmt.Errorf("%w: %d buffers of one column where all have %d", ErrDamaged, c, buffers)
		}
	}
	return nil
}

package arrow

import "encoding/binary"

// flatWriter writes a flatbuffer from front to back: a table, then the objects to which its fields refer, as
// references point forwards only. Everything is aligned to its size from the first byte on.
type flatWriter struct{ b []byte }

// flatField is a field of a table: a scalar of some bytes, or a reference to an object, of which write returns
// the place. The zero field is absent.
type flatField struct {
	size  int
	value uint64
	write func(*flatWriter) int
}

func scalar(size int, value int64) flatField { return flatField{size: size, value: uint64(value)} }

func object(write func(*flatWriter) int) flatField { return flatField{size: 4, write: write} }

// flatbuffer is the bytes of a root object, a multiple of 8 of them.
func flatbuffer(root func(*flatWriter) int) []byte {
	w := &flatWriter{b: make([]byte, 4, 256)}
	w.refer(0, root(w))
	w.align(8, 0)
	return w.b
}

// align pads until the byte after the next ahead ones has a place that is a multiple of n.
func (w *flatWriter) align(n, ahead int) {
	for (len(w.b)+ahead)%n != 0 {
		w.b = append(w.b, 0)
	}
}

// refer makes the reference at byte at point to an object.
func (w *flatWriter) refer(at, object int) {
	binary.LittleEndian.PutUint32(w.b[at:], uint32(object-at))
}

func (w *flatWriter) scalar(size int, value uint64) {
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], value)
	w.b = append(w.b, word[:size]...)
}

// table writes a table: its layout, which is its length in bytes, that of the table and the places of the fields;
// the distance back to the layout; the fields; and the objects behind.
func (w *flatWriter) table(fields ...flatField) int {
	w.align(2, 0)
	layout := len(w.b)
	w.b = append(w.b, make([]byte, 4+2*len(fields))...)
	w.align(8, 0)
	table := len(w.b)
	w.scalar(4, uint64(table-layout))
	places := make([]int, len(fields))
	for i, f := range fields {
		if f.size == 0 {
			continue
		}
		w.align(f.size, 0)
		places[i] = len(w.b)
		w.scalar(f.size, f.value)
		binary.LittleEndian.PutUint16(w.b[layout+4+2*i:], uint16(places[i]-table))
	}
	binary.LittleEndian.PutUint16(w.b[layout:], uint16(4+2*len(fields)))
	binary.LittleEndian.PutUint16(w.b[layout+2:], uint16(len(w.b)-table))
	for i, f := range fields {
		if f.write != nil {
			w.refer(places[i], f.write(w))
		}
	}
	return table
}

// text writes a string.
func text(s string) func(*flatWriter) int {
	return func(w *flatWriter) int {
		w.align(4, 0)
		at := len(w.b)
		w.scalar(4, uint64(len(s)))
		w.b = append(append(w.b, s...), 0)
		return at
	}
}

// tables writes a vector of n tables.
func tables(n int, write func(w *flatWriter, i int) int) func(*flatWriter) int {
	return func(w *flatWriter) int {
		w.align(4, 0)
		at := len(w.b)
		w.scalar(4, uint64(n))
		w.b = append(w.b, make([]byte, 4*n)...)
		for i := range n {
			w.refer(at+4+4*i, write(w, i))
		}
		return at
	}
}

// structs writes a vector of structures, each of the same number of 64-bit words.
func structs(words int, values []int64) func(*flatWriter) int {
	return func(w *flatWriter) int {
		w.align(8, 4)
		at := len(w.b)
		w.scalar(4, uint64(len(values)/words))
		for _, v := range values {
			w.scalar(8, uint64(v))
		}
		return at
	}
}

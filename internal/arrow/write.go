package arrow

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Writer writes a file or a stream of float64 columns, one record batch after the other.
type Writer struct {
	to     io.Writer
	names  []string
	schema func(*flatWriter) int
	stream bool
	at     int64
	blocks []int64 // of the footer: for each batch its place, the length of its description, that of its body
	piece  []byte
}

// KeyValue is a piece of metadata.
type KeyValue struct{ Key, Value string }

// NewWriter begins a file, or a stream, of the named columns with the metadata of each and of the whole.
func NewWriter(w io.Writer, stream bool, names []string, columnMeta [][]KeyValue, meta []KeyValue) (*Writer, error) {
	t := &Writer{to: w, names: names, stream: stream}
	t.schema = func(w *flatWriter) int {
		return w.table(scalar(2, 0), // in the order of bytes of this package
			object(tables(len(names), func(w *flatWriter, i int) int {
				double := func(w *flatWriter) int { return w.table(scalar(2, precisionDouble)) }
				none := tables(0, nil)
				return w.table(object(text(names[i])), scalar(1, 0), scalar(1, typeFloat), object(double), flatField{}, object(none), metaField(columnMeta[i]))
			})),
			metaField(meta))
	}
	if !stream {
		if err := t.write(append([]byte(magic), 0, 0)); err != nil {
			return nil, err
		}
	}
	_, err := t.message(messageSchema, t.schema, 0)
	return t, err
}

// metaField is the vector of key-values, absent where there are none.
func metaField(meta []KeyValue) flatField {
	if len(meta) == 0 {
		return flatField{}
	}
	return object(tables(len(meta), func(w *flatWriter, i int) int {
		return w.table(object(text(meta[i].Key)), object(text(meta[i].Value)))
	}))
}

func (w *Writer) write(b []byte) error {
	n, err := w.to.Write(b)
	w.at += int64(n)
	return err
}

// message writes a message up to its body and returns the length of that.
func (w *Writer) message(kind byte, header func(*flatWriter) int, body int64) (int64, error) {
	b := flatbuffer(func(f *flatWriter) int {
		return f.table(scalar(2, metadataVersion5), scalar(1, int64(kind)), object(header), scalar(8, body))
	})
	front := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, continuation), uint32(len(b)))
	return int64(len(front) + len(b)), w.write(append(front, b...))
}

// Batch writes a record batch, one slice a column, all of the same length. It panics where their number is wrong.
func (w *Writer) Batch(cols [][]float64) error {
	if len(cols) != len(w.names) {
		panic(fmt.Sprintf("arrow: %d columns for %d names", len(cols), len(w.names)))
	}
	if len(cols) == 0 || len(cols[0]) == 0 {
		return nil
	}
	rows := int64(len(cols[0]))
	var nodes, buffers []int64
	for i := range cols {
		at := 8 * rows * int64(i)
		nodes = append(nodes, rows, 0)               // of which null
		buffers = append(buffers, at, 0, at, 8*rows) // no bitmap of nulls, the values
	}
	at, body := w.at, 8*rows*int64(len(cols))
	head, err := w.message(messageBatch, func(f *flatWriter) int {
		return f.table(scalar(8, rows), object(structs(2, nodes)), object(structs(2, buffers)))
	}, body)
	w.blocks = append(w.blocks, at, head, body)
	for _, c := range cols {
		if err == nil {
			err = w.column(c)
		}
	}
	return err
}

// column writes the values of a column, piece by piece.
func (w *Writer) column(values []float64) error {
	const most = 4 << 10
	if w.piece == nil {
		w.piece = make([]byte, 8*most)
	}
	for len(values) > 0 {
		n := min(most, len(values))
		for i, v := range values[:n] {
			binary.LittleEndian.PutUint64(w.piece[8*i:], math.Float64bits(v))
		}
		if err := w.write(w.piece[:8*n]); err != nil {
			return err
		}
		values = values[n:]
	}
	return nil
}

// Close writes the end of the stream, and the footer of a file. It does not close the writer below.
func (w *Writer) Close() error {
	end := binary.LittleEndian.AppendUint64(nil, continuation) // and a description of no bytes
	if w.stream {
		return w.write(end)
	}
	footer := flatbuffer(func(f *flatWriter) int {
		return f.table(scalar(2, metadataVersion5), object(w.schema), object(structs(3, nil)), object(structs(3, w.blocks)))
	})
	end = append(end, footer...)
	end = binary.LittleEndian.AppendUint32(end, uint32(len(footer)))
	return w.write(append(end, magic...))
}

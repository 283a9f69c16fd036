package datasets

import (
	"encoding/binary"
	"io"
	"math"

	"ident/internal/hint"
)

// writeMAT writes a level 5 file of column vectors, uncompressed.
func (e *arrayEncoder) writeMAT(src source, channels []ownChannel, text string) error {
	// Array sizes are 32 bits, and MATLAB itself takes no array of 2 GiB in this version.
	if most := (math.MaxInt32 - 1024) / 8; e.spool.rows > most {
		return hint.Errorf("rows", "", "%w: %d rows are more than the %d that an array of a MATLAB file can hold; write Parquet, or parts with {rows}", ErrFormat, e.spool.rows, most)
	}
	head := make([]byte, matHeader)
	for i := range head[:matText] {
		head[i] = ' '
	}
	copy(head, matMagic+" MAT-file, written by ident")
	binary.LittleEndian.PutUint16(head[124:], 0x0100)
	copy(head[126:], "IM")
	if _, err := e.w.Write(head); err != nil {
		return err
	}
	units := make([]byte, 0, 2*len(text))
	for _, c := range []byte(text) {
		units = append(units, c, 0)
	}
	if err := e.matrix(ownArraysName, matChar, miUint16, 1, len(text), func(w io.Writer) error { _, err := w.Write(units); return err }); err != nil {
		return err
	}
	for i, c := range channels {
		if err := e.matrix(c.Variable, matDouble, miDouble, e.spool.rows, 1, func(w io.Writer) error { return e.writeColumn(w, src, i) }); err != nil {
			return err
		}
	}
	return nil
}

// matrix writes one variable of rows by cols elements.
func (e *arrayEncoder) matrix(name string, class byte, element uint32, rows, cols int, data func(io.Writer) error) error {
	le := binary.LittleEndian
	pad := func(n int) int { return (n + 7) &^ 7 }
	size := rows * cols * matTypeSize(element)
	b := le.AppendUint32(nil, miMatrix)
	b = le.AppendUint32(b, uint32(16+16+8+pad(len(name))+8+pad(size)))
	b = le.AppendUint32(le.AppendUint32(b, miUint32), 8) // array flags
	b = le.AppendUint32(le.AppendUint32(b, uint32(class)), 0)
	b = le.AppendUint32(le.AppendUint32(b, miInt32), 8) // dimensions
	b = le.AppendUint32(le.AppendUint32(b, uint32(rows)), uint32(cols))
	b = le.AppendUint32(le.AppendUint32(b, miInt8), uint32(len(name)))
	b = append(append(b, name...), make([]byte, pad(len(name))-len(name))...)
	b = le.AppendUint32(le.AppendUint32(b, element), uint32(size))
	if _, err := e.w.Write(b); err != nil {
		return err
	}
	if err := data(e.w); err != nil {
		return err
	}
	_, err := e.w.Write(make([]byte, pad(size)-size))
	return err
}

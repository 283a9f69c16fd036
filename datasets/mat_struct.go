package datasets

import (
	"fmt"
	"io"
	"strings"
)

// structure reads the fields of a single structure as arrays "name.field".
func (m *matReader) structure(r io.ReaderAt, a ndarray, at, end int64, depth int) error {
	if a.elements() != 1 {
		a.why = fmt.Sprintf("an array of %v structures; save each as a log of its own", a.dims)
		m.arrays = append(m.arrays, a)
		return nil
	}
	length, err := m.element(r, at, end)
	if err != nil {
		return err
	}
	var word [4]byte
	if length.size != 4 {
		return fmt.Errorf("%w: no length of field names", ErrDamaged)
	}
	if err := readFull(r, word[:], length.at); err != nil {
		return err
	}
	names, err := m.element(r, length.next, end)
	if err != nil {
		return err
	}
	width := int64(m.order.Uint32(word[:]))
	if width <= 0 || width > 4096 || names.size%width != 0 || names.size/width > matMostArrays {
		return fmt.Errorf("%w: %d bytes of field names of %d bytes", ErrDamaged, names.size, width)
	}
	b := make([]byte, names.size)
	if err := readFull(r, b, names.at); err != nil {
		return err
	}
	at = names.next
	for ; len(b) > 0; b = b[width:] {
		field, _, _ := strings.Cut(string(b[:width]), "\x00")
		e, err := m.element(r, at, end)
		if err != nil {
			return err
		}
		if e.kind != miMatrix {
			return fmt.Errorf("%w: field %q is of type %d", ErrDamaged, field, e.kind)
		}
		if err := m.matrix(r, e, a.name+"."+strings.ToValidUTF8(field, "\uFFFD"), depth+1); err != nil {
			return err
		}
		at = e.next
	}
	return nil
}

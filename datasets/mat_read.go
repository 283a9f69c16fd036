package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/klauspost/compress/zlib"

	"ident/datasets/internal/hdf5"
)

// The layout is that of "MAT-File Format" (The MathWorks), level 5: a header of 128 bytes, then elements,
// each a type, a size and bytes, padded to eight; a variable is an element of elements, possibly deflated.

const (
	matMagic  = "MATLAB 5.0"
	matHeader = 128
	matText   = 116

	miInt8, miUint8, miInt16, miUint16, miInt32, miUint32 = 1, 2, 3, 4, 5, 6
	miSingle, miDouble, miInt64, miUint64                 = 7, 9, 12, 13
	miMatrix, miCompressed, miUTF8, miUTF16, miUTF32      = 14, 15, 16, 17, 18

	matStruct, matChar, matDouble, matOpaque = 2, 4, 6, 17
)

// matTypeSize returns the size in bytes of a number of a type, 0 for types that are not numeric.
func matTypeSize(kind uint32) int {
	switch kind {
	case miInt8, miUint8, miUTF8:
		return 1
	case miInt16, miUint16, miUTF16:
		return 2
	case miInt32, miUint32, miSingle, miUTF32:
		return 4
	case miDouble, miInt64, miUint64:
		return 8
	}
	return 0
}

// openMAT lists the arrays of a file of level 5, or of version 7.3.
func (s *arraySource) openMAT(size int64, opt Options) ([]ndarray, error) {
	var head [matHeader]byte
	if err := readFull(s.f, head[:min(size, matHeader)], 0); err != nil {
		return nil, err
	}
	switch {
	case hdf5.Is(s.f, size): // version 7.3 of MATLAB
		return s.openHDF5(size, opt)
	case size < matHeader || head[126] != 'I' && head[126] != 'M':
		return nil, fmt.Errorf("%w: it does not begin like a MATLAB file of level 5; save it again with save('log.mat', ..., '-v7')", ErrFormat)
	}
	m := matReader{order: binary.LittleEndian, big: head[126] == 'M', room: opt.room(), left: maxExpanded(size), dir: opt.TempDir, src: s}
	if m.big {
		m.order = binary.BigEndian
	}
	m.budget = matMostArrays
	for at := int64(matHeader); at < size; {
		e, err := m.element(s.f, at, size)
		if err != nil {
			return nil, fmt.Errorf("variable %d at byte %d: %w", len(m.arrays)+1, at, err)
		}
		if err := m.variable(s.f, e); err != nil {
			return nil, s.locate(m.name, fmt.Errorf("at byte %d: %w", at, err))
		}
		at = e.next
	}
	return m.arrays, nil
}

const matMostArrays = 1 << 17 // fields of all structures included

type matReader struct {
	order  binary.ByteOrder
	big    bool
	room   *int64
	left   int64 // bytes that the remaining compressed variables may expand to
	budget int
	dir    string
	src    *arraySource
	arrays []ndarray
	name   string // of the current variable
}

// matElement is one element: bytes [at, at+size) of its reader.
type matElement struct {
	kind     uint32
	at, size int64
	next     int64 // byte of the next element
}

// element reads the tag at a byte; end is the end of the enclosing element.
func (m *matReader) element(r io.ReaderAt, at, end int64) (e matElement, err error) {
	var tag [8]byte
	if err := readFull(r, tag[:min(8, max(0, end-at))], at); err != nil {
		return e, err
	}
	if end-at < 8 {
		return e, fmt.Errorf("%w within an element's tag", ErrTruncated)
	}
	e.kind = m.order.Uint32(tag[:])
	if small := e.kind >> 16; small != 0 { // type and size in one word, the bytes in the other
		e.kind &= 0xffff
		e.at, e.size, e.next = at+4, int64(small), at+8
		if small > 4 {
			return e, fmt.Errorf("%w: a small element of %d bytes", ErrDamaged, small)
		}
		return e, nil
	}
	e.at, e.size = at+8, int64(m.order.Uint32(tag[4:]))
	if e.size > end-e.at {
		return e, fmt.Errorf("%w: an element of %d bytes where %d are left", ErrTruncated, e.size, end-e.at)
	}
	e.next = e.at + e.size
	if e.kind != miCompressed {
		e.next = min(end, (e.next+7)&^7)
	}
	return e, nil
}

// variable reads a variable of the file.
func (m *matReader) variable(r io.ReaderAt, e matElement) error {
	m.name = ""
	switch e.kind {
	case miMatrix:
		return m.matrix(r, e, "", 0)
	case miCompressed:
		b, size, err := m.inflate(r, e)
		if err != nil {
			return err
		}
		inner, err := m.element(b, 0, size)
		if err != nil {
			return err
		}
		if inner.kind != miMatrix {
			return fmt.Errorf("%w: an element of type %d where a variable is expected", ErrDamaged, inner.kind)
		}
		return m.matrix(b, inner, "", 0)
	}
	return nil // elements of other types may stand between variables
}

// inflate expands a compressed variable to the size in its own tag.
func (m *matReader) inflate(r io.ReaderAt, e matElement) (blob, int64, error) {
	z, err := zlib.NewReader(io.NewSectionReader(r, e.at, e.size))
	if err != nil {
		return blob{}, 0, newBounded(nil, "deflate", 0).explain(err)
	}
	limited := newBounded(z, "deflate", m.left)
	var tag [8]byte
	if _, err := io.ReadFull(limited, tag[:]); err != nil {
		return blob{}, 0, limited.explain(err)
	}
	size := 8 + int64(m.order.Uint32(tag[4:]))
	if m.left -= size; m.left < 0 {
		return blob{}, 0, fmt.Errorf("%w: it claims to expand to %d bytes, out of all proportion to the file's size", ErrDamaged, size)
	}
	b, err := newBlob(io.MultiReader(bytes.NewReader(tag[:]), limited), size, m.room, m.dir)
	if err != nil {
		return blob{}, 0, err
	}
	m.src.files = append(m.src.files, b.file)
	// The end of the stream compares the checksum.
	if n, err := limited.Read(tag[:1]); n != 0 || err != io.EOF {
		return blob{}, 0, errors.Join(fmt.Errorf("%w: a compressed variable does not end where it should", ErrDamaged), err)
	}
	return b, size, nil
}

// matrix reads a variable or a structure's field; path is the name of the enclosing structure.
func (m *matReader) matrix(r io.ReaderAt, e matElement, path string, depth int) error {
	if m.budget--; m.budget < 0 || depth > 16 {
		return fmt.Errorf("%w: too many arrays within each other", ErrDamaged)
	}
	end := e.at + e.size
	if e.size == 0 { // an empty field
		return nil
	}
	flags, err := m.element(r, e.at, end)
	if err != nil {
		return err
	}
	var word [8]byte
	if flags.size != 8 || flags.kind != miUint32 {
		return fmt.Errorf("%w: no array flags", ErrDamaged)
	}
	if err := readFull(r, word[:], flags.at); err != nil {
		return err
	}
	bits := m.order.Uint32(word[:])
	class, complex := byte(bits), bits&0x0800 != 0
	if class == matOpaque {
		m.arrays = append(m.arrays, ndarray{name: "an object", why: "objects (timeseries, table, Simulink data) are not read; save their arrays, as in t = ts.Time; q = ts.Data"})
		return nil
	}
	dims, next, err := m.dimensions(r, flags.next, end)
	if err != nil {
		return err
	}
	name, next, err := m.text(r, next, end)
	if err != nil {
		return err
	}
	if path != "" && name == "" {
		name = path
	}
	m.name = name
	a := ndarray{name: name, dims: dims, fortran: true}
	switch {
	case class == matStruct:
		return m.structure(r, a, next, end, depth)
	case class == matChar:
		if a.text, a.why, err = m.char(r, dims, next, end); err != nil {
			return err
		}
	case class < matDouble || class > 15:
		a.why = map[byte]string{1: "cells are not read; save matrices", 3: "objects are not read; save matrices", 5: "sparse matrices are not read; save full(...)"}[class]
		if a.why == "" {
			a.why = fmt.Sprintf("arrays of class %d are not read", class)
		}
	case complex:
		a.why = "complex numbers are no channel; save real and imag"
	default:
		if err := m.numbers(r, &a, next, end); err != nil {
			return err
		}
	}
	m.arrays = append(m.arrays, a)
	return nil
}

// numbers finds the elements of a full numeric array, which may be stored in a smaller type than its own.
func (m *matReader) numbers(r io.ReaderAt, a *ndarray, at, end int64) error {
	data, err := m.element(r, at, end)
	if err != nil {
		return err
	}
	size := matTypeSize(data.kind)
	num := numberType{kind: 'f', size: size, big: m.big}
	switch data.kind {
	case miInt8, miInt16, miInt32, miInt64:
		num.kind = 'i'
	case miUint8, miUint16, miUint32, miUint64:
		num.kind = 'u'
	}
	if !num.valid() {
		return fmt.Errorf("%w: numbers of type %d", ErrDamaged, data.kind)
	}
	a.r, a.base, a.itemSize = r, data.at, int64(size)
	a.fields = []arrayField{{num: num}}
	_, err = volume(a.dims, a.itemSize, data.size)
	return err
}

func (m *matReader) dimensions(r io.ReaderAt, at, end int64) (dims []int64, next int64, err error) {
	e, err := m.element(r, at, end)
	if err != nil {
		return nil, 0, err
	}
	if e.kind != miInt32 || e.size%4 != 0 || e.size < 8 || e.size > 4*32 {
		return nil, 0, fmt.Errorf("%w: no dimensions", ErrDamaged)
	}
	b := make([]byte, e.size)
	if err := readFull(r, b, e.at); err != nil {
		return nil, 0, err
	}
	for ; len(b) > 0; b = b[4:] {
		dims = append(dims, int64(int32(m.order.Uint32(b))))
	}
	return dims, e.next, nil
}

// text reads the name of an array.
func (m *matReader) text(r io.ReaderAt, at, end int64) (s string, next int64, err error) {
	e, err := m.element(r, at, end)
	if err != nil {
		return "", 0, err
	}
	if e.size > 4096 {
		return "", 0, fmt.Errorf("%w: a name of %d bytes", ErrDamaged, e.size)
	}
	b := make([]byte, e.size)
	if err := readFull(r, b, e.at); err != nil {
		return "", 0, err
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), e.next, nil
}

// char reads a character array of one row.
func (m *matReader) char(r io.ReaderAt, dims []int64, at, end int64) (text, why string, err error) {
	if len(dims) != 2 || dims[0] > 1 {
		return "", "a table of characters", nil
	}
	e, err := m.element(r, at, end)
	if err != nil {
		return "", "", err
	}
	size := matTypeSize(e.kind)
	if size == 0 || e.size > maxText {
		return "", "", fmt.Errorf("%w: %d bytes of text of type %d", ErrDamaged, e.size, e.kind)
	}
	b := make([]byte, e.size/int64(size)*int64(size))
	if err := readFull(r, b, e.at); err != nil {
		return "", "", err
	}
	if size == 1 {
		return strings.ToValidUTF8(string(b), "\uFFFD"), "", nil
	}
	one := numberType{kind: 'u', size: size, big: m.big}
	var units []uint16
	var out strings.Builder
	for ; len(b) > 0; b = b[size:] {
		if size == 2 {
			units = append(units, uint16(one.bits(b)))
		} else {
			out.WriteRune(rune(one.bits(b)))
		}
	}
	return out.String() + string(utf16.Decode(units)), "", nil
}

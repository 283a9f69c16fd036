package datasets

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf16"
)

// The layout of .npy and .npz is that of NumPy's format description, numpy.lib.format: a magic word, a
// version, a header with a Python dictionary as text, and the elements; an archive is a zip of such files.

const npyMagic = "\x93NUMPY"

// openNPY reads a single array.
func (s *arraySource) openNPY(size int64) ([]ndarray, error) {
	a, err := readNPY(s.f, size)
	if err != nil {
		return nil, err
	}
	if len(a.fields) == 1 && a.fields[0].name == "" {
		a.name = "column" // a plain array has no name
		s.rename(&a)
	}
	return []ndarray{a}, nil
}

// rename names the only channel of an unnamed vector column1, as the first column of a matrix is named.
func (s *arraySource) rename(a *ndarray) {
	if _, k, ok := a.matrix(); ok && k == 1 {
		a.name = "column1"
	}
}

// openNPZ reads an archive. Stored arrays are read in place, deflated ones are expanded.
func (s *arraySource) openNPZ(size int64, opt Options) ([]ndarray, error) {
	z, err := zip.NewReader(s.f, size)
	if err != nil {
		if errors.Is(err, zip.ErrFormat) {
			var head [2]byte
			if s.f.ReadAt(head[:], 0); string(head[:]) == "PK" {
				return nil, fmt.Errorf("%w: the archive's directory at its end is missing", ErrTruncated)
			}
			return nil, fmt.Errorf("%w: it does not begin like a zip archive", ErrFormat)
		}
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	var arrays []ndarray
	room, left := opt.room(), maxExpanded(size)
	for _, e := range z.File {
		name, ok := strings.CutSuffix(e.Name, ".npy")
		if !ok || strings.HasPrefix(path.Base(name), ".") {
			continue
		}
		a, err := s.openEntry(e, room, &left, opt.TempDir)
		if err != nil {
			return nil, s.locate(name, err)
		}
		a.name = name
		arrays = append(arrays, a)
	}
	if len(arrays) == 0 {
		return nil, fmt.Errorf("%w: the archive holds no array (.npy)", ErrFormat)
	}
	return arrays, nil
}

// openEntry reads one array of an archive; left is the number of bytes that the rest may expand to.
func (s *arraySource) openEntry(e *zip.File, room, left *int64, dir string) (ndarray, error) {
	if e.Method == zip.Store && e.Flags&1 == 0 {
		at, err := e.DataOffset()
		if err != nil {
			return ndarray{}, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		size := int64(e.CompressedSize64)
		if err := checkStored(e); err != nil {
			return ndarray{}, err
		}
		return readNPY(io.NewSectionReader(s.f, at, size), size)
	}
	if e.Flags&1 != 0 {
		return ndarray{}, fmt.Errorf("%w: it is encrypted; save it without a password", ErrFormat)
	}
	size := int64(e.UncompressedSize64)
	if *left -= size; size < 0 || *left < 0 {
		return ndarray{}, fmt.Errorf("%w: it claims to expand to %d bytes, out of all proportion to the file's size", ErrDamaged, e.UncompressedSize64)
	}
	r, err := e.Open()
	if err != nil {
		return ndarray{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer r.Close()
	checked := newBounded(r, "deflate", size)
	b, err := newBlob(checked, size, room, dir)
	if err != nil {
		return ndarray{}, err
	}
	s.files = append(s.files, b.file)
	// The end of the stream compares the checksum.
	if n, err := checked.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return ndarray{}, fmt.Errorf("%w: it does not end where it should: %w", ErrDamaged, err)
	}
	return readNPY(b, size)
}

// checkStored reads a stored member to its end, which compares the checksum: in place its bytes are not
// compared again.
func checkStored(e *zip.File) error {
	r, err := e.Open()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer r.Close()
	if _, err := io.Copy(io.Discard, r); err != nil {
		return newBounded(nil, "zip", 0).explain(err)
	}
	return nil
}

// readNPY reads the description of an array of size bytes in r, header included.
func readNPY(r io.ReaderAt, size int64) (ndarray, error) {
	const maxHeader = 1 << 20
	var head [12]byte
	if err := readFull(r, head[:min(size, 12)], 0); err != nil {
		return ndarray{}, err
	}
	if string(head[:6]) != npyMagic {
		return ndarray{}, fmt.Errorf("%w: it does not begin like a NumPy array", ErrFormat)
	}
	base, length := int64(10), int64(binary.LittleEndian.Uint16(head[8:]))
	if head[6] > 1 {
		base, length = 12, int64(binary.LittleEndian.Uint32(head[8:]))
	}
	if length > size-base {
		return ndarray{}, fmt.Errorf("%w: a header of %d bytes where %d are left", ErrTruncated, length, size-base)
	}
	if length > maxHeader {
		return ndarray{}, fmt.Errorf("%w: a header of %d bytes", ErrDamaged, length)
	}
	text := make([]byte, length)
	if err := readFull(r, text, base); err != nil {
		return ndarray{}, err
	}
	a := ndarray{r: r, base: base + length}
	if err := a.describe(string(text), size-a.base); err != nil {
		return ndarray{}, err
	}
	return a, nil
}

// describe reads the header's dictionary.
func (a *ndarray) describe(text string, there int64) error {
	v, err := parsePython(text)
	dict, ok := v.(map[string]any)
	if err != nil || !ok {
		return fmt.Errorf("%w: the header %s is no dictionary", ErrDamaged, excerpt([]byte(text)))
	}
	shape, ok := dict["shape"].([]any)
	if !ok {
		return fmt.Errorf("%w: no shape in the header", ErrDamaged)
	}
	for _, d := range shape {
		n, ok := d.(int64)
		if !ok || n < 0 {
			return fmt.Errorf("%w: shape %v", ErrDamaged, shape)
		}
		a.dims = append(a.dims, n)
	}
	a.fortran, _ = dict["fortran_order"].(bool)
	if descr, ok := dict["descr"].(string); ok && len(descr) > 2 && strings.ContainsRune("US", rune(descr[1])) {
		return a.string(descr, there)
	}
	a.fields, a.itemSize, a.why = npyFields(dict["descr"])
	if a.why != "" {
		return nil
	}
	_, err = volume(a.dims, a.itemSize, there)
	return err
}

// string reads a lone text.
func (a *ndarray) string(descr string, there int64) error {
	n, width := int64(0), int64(1)
	if _, err := fmt.Sscanf(descr[2:], "%d", &n); err != nil || n < 0 || n > 1<<28 {
		return fmt.Errorf("%w: type %q", ErrDamaged, descr)
	}
	if len(a.dims) > 0 {
		a.why = "an array of words"
		return nil
	}
	if descr[1] == 'U' {
		width = 4
	}
	if _, err := volume(nil, n*width, min(there, maxText)); err != nil {
		return err
	}
	b := make([]byte, n*width)
	if err := readFull(a.r, b, a.base); err != nil {
		return err
	}
	if width == 1 {
		a.text = strings.ToValidUTF8(strings.TrimRight(string(b), "\x00"), "\uFFFD")
		return nil
	}
	var text strings.Builder
	one := numberType{kind: 'u', size: 4, big: descr[0] == '>'}
	for ; len(b) > 0; b = b[4:] {
		r := rune(one.bits(b))
		if utf16.IsSurrogate(r) || r < 0 || r > 0x10ffff {
			r = '\uFFFD'
		}
		text.WriteRune(r)
	}
	a.text = strings.TrimRight(text.String(), "\x00")
	return nil
}

package datasets

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
)

// Apache Arrow's library allocates by the lengths in a Parquet file, and a failed allocation ends the process. So the footer,
// and the header of every page of a column chunk, are compared with the file before the library reads them.

// damage returns an error of a file that contradicts itself.
func damage(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrDamaged, fmt.Errorf(format, args...))
}

// foreign returns an error of a file that uses a part of its format which is not read.
func foreign(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrFormat, fmt.Errorf(format, args...))
}

// checkFooter checks the lengths in the footer, and the depth of the schema.
func checkFooter(r io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < 12 {
		return damage("%d bytes are no Parquet file", size)
	}
	if err := readFull(r, tail[:], size-8); err != nil {
		return err
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	switch {
	case string(tail[4:]) == "PARE":
		return foreign("its footer is encrypted; write it again without encryption")
	case string(tail[4:]) != "PAR1":
		return fmt.Errorf("%w: the footer is missing", ErrTruncated)
	case n > size-12:
		return damage("a footer of %d bytes in a file of %d", n, size)
	}
	footer := make([]byte, n)
	if err := readFull(r, footer, size-8-n); err != nil {
		return err
	}
	c := compact{b: footer}
	var children []int // of each element of the schema
	c.structure(wireStruct, func(id int, kind byte) bool {
		if id != 2 {
			return false
		}
		c.list(kind, func(kind byte) { children = append(children, childrenOf(&c, kind)) })
		return true
	})
	if c.bad {
		return damage("the footer does not decode")
	}
	return checkTree(children)
}

// childrenOf reads an element of the schema, and returns the number of its children.
func childrenOf(c *compact, kind byte) (n int) {
	c.structure(kind, func(id int, kind byte) bool {
		if id == 5 {
			n = int(int32(c.int(kind)))
		}
		return id == 5
	})
	return n
}

// checkTree checks the tree of a schema, whose elements are listed depth first with the number of their children.
func checkTree(children []int) error {
	if len(children) == 0 {
		return damage("the footer has no schema")
	}
	open := []int{1} // elements to come at each depth
	for i, n := range children {
		for len(open) > 0 && open[len(open)-1] == 0 {
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			return damage("the schema has elements beyond its tree")
		}
		open[len(open)-1]--
		if n < 0 || n >= len(children)-i {
			return damage("a schema of %d elements has a node of %d children", len(children), n)
		}
		if open = append(open, n); len(open) > maxNested {
			return damage("the schema is nested too deeply")
		}
	}
	for _, n := range open {
		if n > 0 {
			return damage("the schema ends within its tree")
		}
	}
	return nil
}

// Kinds of pages.
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPage2      = 3
)

// pageHeader is the header of a page, as far as it says lengths.
type pageHeader struct {
	kind                 int64
	expanded, compressed int64 // bytes of the page
	values               int64 // and nulls
	nulls, rows          int64 // version 2
	definition           int64 // bytes of definition levels, version 2
	repetition           int64
	crc                  uint32 // checksum of the bytes behind the header, if checked
	checked              bool
}

// pageHeaderOf reads a header from the front of b and returns its length; short where b ends within it.
func pageHeaderOf(b []byte) (h pageHeader, n int, short, ok bool) {
	c := compact{b: b}
	h.kind = -1
	c.structure(wireStruct, func(id int, kind byte) bool {
		switch id {
		case 1:
			h.kind = c.int(kind)
		case 2:
			h.expanded = c.int(kind)
		case 3:
			h.compressed = c.int(kind)
		case 4:
			h.crc, h.checked = uint32(c.int(kind)), true
		case 5, 7, 8: // of a data page, of a dictionary, of a data page of version 2
			c.structure(kind, func(detail int, kind byte) bool {
				switch {
				case detail == 1:
					h.values = c.int(kind)
				case id == 8 && detail == 2:
					h.nulls = c.int(kind)
				case id == 8 && detail == 3:
					h.rows = c.int(kind)
				case id == 8 && detail == 5:
					h.definition = c.int(kind)
				case id == 8 && detail == 6:
					h.repetition = c.int(kind)
				default:
					return false
				}
				return true
			})
		default:
			return false
		}
		return true
	})
	return h, len(b) - len(c.b), c.short, !c.bad
}

// chunkPlace is the place and the meaning of a column's values in a row group.
type chunkPlace struct {
	first, last int64 // its bytes are first to last-1
	values      int64 // and nulls
	codec       compress.Compression
	physical    parquet.Type
	width       int // bytes of a value, 0 where they differ
}

// Read-ahead of page headers, in bytes: headers take some tens, and hundreds with statistics.
const (
	headerAhead = 512
	maxHeader   = 4 << 20
)

// checkPages walks the headers of a column chunk's pages, and returns the memory in bytes that reading the largest takes.
// A page must not expand to more than most bytes.
func checkPages(r io.ReaderAt, k chunkPlace, most int64) (memory int64, err error) {
	left := k.values
	b := make([]byte, 0, headerAhead)
	for at, n := k.first, 0; at < k.last; n++ {
		var h pageHeader
		if h, at, b, err = nextHeader(r, at, k.last, b); err != nil {
			return 0, err
		}
		if err := k.check(h, k.last-at, n, left, most); err != nil {
			return 0, err
		}
		if h.checked {
			if err := checkSum(r, at, h); err != nil {
				return 0, err
			}
		}
		at += h.compressed
		memory = max(memory, h.compressed+h.expanded)
		if h.kind != dictionaryPage {
			left -= h.values
		}
	}
	if left > 0 {
		return 0, damage("%d values missing", left)
	}
	return memory, nil
}

// checkSum compares the checksum in the header of a page with the page's bytes in the file, from byte at on: levels and values as they
// are stored. Writers such as pyarrow with write_page_checksum leave one; the library that reads the values does not look at it.
func checkSum(r io.ReaderAt, at int64, h pageHeader) error {
	sum := crc32.NewIEEE()
	if n, err := io.Copy(sum, io.NewSectionReader(r, at, h.compressed)); err != nil {
		return err
	} else if n < h.compressed {
		return fmt.Errorf("%w: %d bytes of a page of %d", ErrTruncated, n, h.compressed)
	}
	if sum.Sum32() != h.crc {
		return damage("the checksum of the page at byte %d is %08x, its header says %08x", at, sum.Sum32(), h.crc)
	}
	return nil
}

// nextHeader reads the header at byte at of the file, with the memory of b, and returns the byte behind it.
func nextHeader(r io.ReaderAt, at, last int64, b []byte) (pageHeader, int64, []byte, error) {
	for n := int64(headerAhead); ; n *= 8 {
		n = min(n, last-at)
		if int64(cap(b)) < n {
			b = make([]byte, n)
		}
		b = b[:n]
		if err := readFull(r, b, at); err != nil {
			return pageHeader{}, 0, b, err
		}
		h, length, short, ok := pageHeaderOf(b)
		switch {
		case ok:
			return h, at + int64(length), b, nil
		case short && n < last-at && n < maxHeader:
			continue
		}
		return h, 0, b, damage("the header of a page does not decode")
	}
}

// check compares the header of page n of a chunk with the bytes behind it and the values that are left.
func (k *chunkPlace) check(h pageHeader, bytes int64, n int, left, most int64) error {
	levels := h.definition + h.repetition
	switch {
	case h.compressed < 0 || h.compressed > bytes:
		return damage("a page of %d bytes where its column has %d", h.compressed, bytes)
	case h.expanded < 0 || h.expanded > most:
		return damage("a page that expands to %d bytes, out of all proportion to the file", h.expanded)
	case h.definition < 0 || h.repetition < 0 || levels > h.compressed || levels > h.expanded:
		return damage("levels are longer than their page")
	}
	if limit := expansion(k.codec); limit > 0 && (h.expanded-levels)/limit > h.compressed-levels+64 {
		return damage("a page of %d bytes cannot expand to %d", h.compressed, h.expanded)
	}
	switch h.kind {
	case dataPage, dataPage2:
		if h.values < 0 || h.values > left || h.nulls < 0 || h.nulls > h.values || h.rows < 0 || h.rows > h.values {
			return damage("a page of %d values where %d are left", h.values, left)
		}
		return nil
	case dictionaryPage:
		if n > 0 {
			return damage("a dictionary behind the first page")
		}
		if h.values < 0 || h.values > h.expanded/int64(max(1, k.width)) {
			return damage("a dictionary of %d values in %d bytes", h.values, h.expanded)
		}
		return nil
	}
	return foreign("a page of type %d in a column", h.kind)
}

// expansion returns the most bytes that a codec can expand a byte to, by its format; 0 where it is unbounded.
func expansion(c compress.Compression) int64 {
	switch c {
	case compress.Codecs.Uncompressed:
		return 1
	case compress.Codecs.Snappy:
		return 32 // a copy of 64 bytes takes 2, and 3 far back
	case compress.Codecs.Lz4, compress.Codecs.Lz4Raw:
		return 256 // a byte of a match's length stands for 255
	case compress.Codecs.Gzip:
		return 1040 // 258 bytes for two bits
	}
	return 0
}

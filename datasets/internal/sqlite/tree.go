package sqlite

import (
	"encoding/binary"
	"fmt"
	"io"
)

// page reads page n, counted from 1, into buf.
func (f *File) page(n int64, buf []byte) ([]byte, error) {
	if n < 1 || n > f.pages {
		return nil, fmt.Errorf("%w: page %d of %d", ErrDamaged, n, f.pages)
	}
	if cap(buf) < f.pageSize {
		buf = make([]byte, f.pageSize)
	}
	buf = buf[:f.pageSize]
	if k, err := f.r.ReadAt(buf, (n-1)*int64(f.pageSize)); k < len(buf) {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("page %d: %w", n, err)
	}
	return buf, nil
}

// scan visits the rows of the table tree with the given root.
func (f *File) scan(root int64, fn func(id int64, row []Value) error) error {
	s := &scanner{f: f, seen: make([]uint64, f.pages/64+1), fn: fn}
	return s.tree(root, 0)
}

type scanner struct {
	f       *File
	seen    []uint64 // a bit a page
	fn      func(int64, []Value) error
	pages   [][]byte // one a level
	over    []byte   // an overflow page
	payload []byte   // of a row that goes on in overflow pages
	row     []Value
}

// visit marks a page. A second visit is an error: a small file could be read for ever.
func (s *scanner) visit(n int64) error {
	if n < 1 || n > s.f.pages || s.seen[n/64]&(1<<(n%64)) != 0 {
		return fmt.Errorf("%w: page %d occurs twice or does not exist", ErrDamaged, n)
	}
	s.seen[n/64] |= 1 << (n % 64)
	return nil
}

// tree visits the rows below a page.
func (s *scanner) tree(n int64, depth int) error {
	const interior, leaf, deepest = 5, 13, 20
	if depth > deepest {
		return fmt.Errorf("%w: a tree of more than %d levels", ErrDamaged, deepest)
	}
	if err := s.visit(n); err != nil {
		return err
	}
	for len(s.pages) <= depth {
		s.pages = append(s.pages, nil)
	}
	p, err := s.f.page(n, s.pages[depth])
	if err != nil {
		return err
	}
	s.pages[depth] = p
	at := 0
	if n == 1 {
		at = 100 // after the file's header
	}
	kind, cells := p[at], int(binary.BigEndian.Uint16(p[at+3:]))
	first := at + 8
	if kind == interior {
		first = at + 12
	}
	if kind != interior && kind != leaf || first+2*cells > len(p) {
		return fmt.Errorf("%w: page %d is no page of a table", ErrDamaged, n)
	}
	for i := range cells {
		cell := int(binary.BigEndian.Uint16(p[first+2*i:]))
		if cell+4 > len(p) {
			return fmt.Errorf("%w: cell %[3]d of page %[2]d points beyond the page", ErrDamaged, n, i)
		}
		if kind == interior {
			err = s.tree(int64(binary.BigEndian.Uint32(p[cell:])), depth+1)
		} else {
			err = s.leaf(p[:s.f.usable], cell, n, i)
		}
		if err != nil {
			return err
		}
	}
	if kind == interior {
		return s.tree(int64(binary.BigEndian.Uint32(p[at+8:])), depth+1)
	}
	return nil
}

// leaf visits the row in a cell of a leaf.
func (s *scanner) leaf(p []byte, at int, page int64, cell int) error {
	bad := func() error { return fmt.Errorf("%w: page %d, row in cell %d", ErrDamaged, page, cell) }
	size, at, ok := varint(p, at)
	if !ok || size > uint64(s.f.most) {
		return bad()
	}
	id, at, ok := varint(p, at)
	if !ok {
		return bad()
	}
	payload, err := s.whole(p, at, int(size))
	if err != nil {
		return err
	}
	if payload == nil || !s.record(payload) {
		return bad()
	}
	return s.fn(int64(id), s.row)
}

// whole returns the size bytes of the row at a byte of its page; nil where the page is too short.
func (s *scanner) whole(p []byte, at, size int) ([]byte, error) {
	// Bytes of a row in its page: "Database File Format", 1.6.
	u := s.f.usable
	local := size
	if most, least := u-35, (u-12)*32/255-23; size > most {
		if local = least + (size-least)%(u-4); local > most {
			local = least
		}
	}
	if local == size {
		if at+size > len(p) {
			return nil, nil
		}
		return p[at : at+size], nil
	}
	if at+local+4 > len(p) || int64(size) > s.f.pages*int64(u) {
		return nil, nil
	}
	s.payload = append(s.payload[:0], p[at:at+local]...)
	next := int64(binary.BigEndian.Uint32(p[at+local:]))
	for len(s.payload) < size {
		if err := s.visit(next); err != nil {
			return nil, err
		}
		var err error
		if s.over, err = s.f.page(next, s.over); err != nil {
			return nil, err
		}
		next = int64(binary.BigEndian.Uint32(s.over))
		n := min(u-4, size-len(s.payload))
		s.payload = append(s.payload, s.over[4:4+n]...)
	}
	return s.payload, nil
}

// record splits a row into its values.
func (s *scanner) record(b []byte) bool {
	length, at, ok := varint(b, 0)
	if !ok || length > uint64(len(b)) {
		return false
	}
	s.row = s.row[:0]
	head, body := b[:length], b[length:]
	for at < len(head) {
		var kind uint64
		if kind, at, ok = varint(head, at); !ok {
			return false
		}
		v, n := Value{}, 0
		switch {
		case kind == 0:
		case kind <= 6:
			n = []int{0, 1, 2, 3, 4, 6, 8}[kind]
			v.kind = kindInt
		case kind == 7:
			v.kind, n = kindFloat, 8
		case kind == 8 || kind == 9:
			v.kind, v.bits = kindInt, kind-8
		case kind >= 12:
			if (kind-12)/2 > uint64(len(body)) {
				return false
			}
			v.kind, n = kindBytes, int((kind-12)/2)
		default:
			return false
		}
		if n > len(body) {
			return false
		}
		if v.kind == kindBytes {
			v.bytes = body[:n]
		} else if n > 0 {
			x := uint64(int64(int8(body[0])))
			for _, c := range body[1:n] {
				x = x<<8 | uint64(c)
			}
			v.bits = x
		}
		body = body[n:]
		s.row = append(s.row, v)
	}
	return true
}

// varint reads an integer of one to nine bytes, seven bits each but for the ninth, which has eight.
func varint(b []byte, at int) (v uint64, next int, ok bool) {
	for i := range 9 {
		if at >= len(b) {
			return 0, at, false
		}
		c := b[at]
		at++
		if i == 8 {
			return v<<8 | uint64(c), at, true
		}
		v = v<<7 | uint64(c&0x7f)
		if c < 0x80 {
			return v, at, true
		}
	}
	return v, at, true
}

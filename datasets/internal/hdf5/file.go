package hdf5

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Errors of a file that cannot be read.
var (
	ErrFormat    = errors.New("not an HDF5 file that can be read here")
	ErrDamaged   = errors.New("damaged")
	ErrTruncated = errors.New("truncated")
)

// Magic begins a superblock (II.A), and a file without a user's block.
const Magic = "\x89HDF\r\n\x1a\n"

// mostObjects bounds the objects of a file: a demonstration has some tens, and a data set of robot learning some thousands of
// demonstrations.
const mostObjects = 1 << 18

// mostBlock bounds the bytes of a part of the file that describes other parts: object headers, heaps of names, nodes.
const mostBlock = 16 << 20

// File is an HDF5 file that is open for reading.
type File struct {
	r       io.ReaderAt
	size    int64 // bytes of the file
	base    int64 // byte that all addresses count from
	offsets int   // bytes of an address
	lengths int   // bytes of a length
	root    int64 // address of the header of the root group
	objects int   // headers that were read
}

// Is reports whether a file has the superblock of HDF5 at byte 0, 512, 1024, …; what stands before it is the user's block, in which
// MATLAB writes its own header.
func Is(r io.ReaderAt, size int64) bool {
	_, ok := superblock(r, size)
	return ok
}

// superblock returns the byte at which the superblock begins.
func superblock(r io.ReaderAt, size int64) (int64, bool) {
	var b [len(Magic)]byte
	for at := int64(0); at < min(size, 1<<20); at = max(512, 2*at) {
		if n, _ := r.ReadAt(b[:], at); n == len(b) && string(b[:]) == Magic {
			return at, true
		}
	}
	return 0, false
}

// Open reads the superblock of a file of size bytes.
func Open(r io.ReaderAt, size int64) (*File, error) {
	at, ok := superblock(r, size)
	if !ok {
		return nil, fmt.Errorf("%w: no superblock of HDF5 at its beginning", ErrFormat)
	}
	f := &File{r: r, size: size, offsets: 8, lengths: 8}
	head, err := f.bytes(at, min(128, size-at))
	if err != nil {
		return nil, err
	}
	b := block{f: f, b: head, at: at}
	b.skip(len(Magic))
	switch version := b.u8(); version {
	case 0, 1:
		b.skip(4)
		f.offsets, f.lengths = int(b.u8()), int(b.u8())
		b.skip(1 + 2 + 2 + 4)
		if version == 1 {
			b.skip(4)
		}
		if err := f.widths(); err != nil {
			return nil, err
		}
		f.base = b.offset()
		b.offset()
		end := b.offset()
		b.offset()
		b.offset() // of the name of the root group
		f.root = b.offset()
		return f, f.begin(at, end, b.err)
	case 2, 3:
		f.offsets, f.lengths = int(b.u8()), int(b.u8())
		b.skip(1)
		if err := f.widths(); err != nil {
			return nil, err
		}
		f.base = b.offset()
		b.offset()
		end := b.offset()
		f.root = b.offset()
		covered := b.n
		if sum := b.u32(); b.err == nil && sum != lookup3(head[:covered]) {
			return nil, fmt.Errorf("%w: the checksum of the superblock does not agree", ErrDamaged)
		}
		return f, f.begin(at, end, b.err)
	default:
		return nil, fmt.Errorf("%w: version %d of the superblock; versions 0 to 3 are read", ErrFormat, version)
	}
}

func (f *File) widths() error {
	for _, n := range []int{f.offsets, f.lengths} {
		if n != 4 && n != 8 {
			return fmt.Errorf("%w: addresses of %d and lengths of %d bytes; 4 and 8 are read", ErrFormat, f.offsets, f.lengths)
		}
	}
	return nil
}

// begin checks what the superblock at byte at says. A user's block that was put before a file leaves its addresses as they were.
func (f *File) begin(at, end int64, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("superblock: %w", err)
	case f.base != at && f.base != 0:
		return fmt.Errorf("%w: the superblock at byte %d says byte %d", ErrDamaged, at, f.base)
	}
	f.base = at
	switch {
	case end < 0 || end > f.size-f.base && end > f.size:
		return fmt.Errorf("%w: it has %d bytes, its superblock says %d", ErrTruncated, f.size, end)
	}
	return nil
}

// bytes returns n bytes at a byte of the file.
func (f *File) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || n > f.size || at > f.size-n {
		return nil, fmt.Errorf("%w: %d bytes are wanted at byte %d of %d", ErrTruncated, n, at, f.size)
	}
	if n > mostBlock {
		return nil, fmt.Errorf("%w: a part of %d bytes that describes others", ErrDamaged, n)
	}
	b := make([]byte, n)
	if got, err := f.r.ReadAt(b, at); got < len(b) {
		if err == nil || errors.Is(err, io.EOF) {
			err = fmt.Errorf("%w: %d bytes at byte %d where %d are wanted", ErrTruncated, got, at, n)
		}
		return nil, err
	}
	return b, nil
}

// part returns n bytes at an address, to be read in order.
func (f *File) part(address, n int64) (block, error) {
	if address < 0 || address > f.size {
		return block{}, fmt.Errorf("%w: address %d of a file of %d bytes", ErrDamaged, address, f.size)
	}
	b, err := f.bytes(f.base+address, n)
	return block{f: f, b: b, at: f.base + address}, err
}

// undefined is the address of what is not there (II).
const undefined = -1

// block is bytes that are read in order. After the first error all values are zero.
type block struct {
	f   *File
	b   []byte
	n   int   // read so far
	at  int64 // byte of the file at which b begins
	err error
}

func (b *block) left() int { return len(b.b) - b.n }

func (b *block) take(n int) []byte {
	if b.err == nil && (n < 0 || n > b.left()) {
		b.err = fmt.Errorf("%w: %d bytes are wanted where %d are left, at byte %d", ErrDamaged, n, b.left(), b.at+int64(b.n))
	}
	if b.err != nil {
		return nil
	}
	b.n += n
	return b.b[b.n-n : b.n]
}

func (b *block) skip(n int) { b.take(n) }

// uint reads an unsigned number of n bytes, at most 8.
func (b *block) uint(n int) uint64 {
	var buf [8]byte
	copy(buf[:], b.take(n))
	return binary.LittleEndian.Uint64(buf[:])
}

func (b *block) u8() byte    { return byte(b.uint(1)) }
func (b *block) u16() uint16 { return uint16(b.uint(2)) }
func (b *block) u32() uint32 { return uint32(b.uint(4)) }

// offset reads an address.
func (b *block) offset() int64 { return b.size(b.f.offsets) }

// length reads a length.
func (b *block) length() int64 { return b.size(b.f.lengths) }

// size reads a number of n bytes that counts bytes or elements; all ones are undefined.
func (b *block) size(n int) int64 {
	u := b.uint(n)
	if n < 8 && u == 1<<(8*n)-1 {
		return undefined
	}
	if int64(u) < undefined {
		b.fail("a size of %d", u)
		return 0
	}
	return int64(u)
}

func (b *block) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("%w: %s, at byte %d", ErrDamaged, fmt.Sprintf(format, args...), b.at+int64(b.n))
	}
}

// expect reads a signature of four letters.
func (b *block) expect(signature string) {
	if got := b.take(len(signature)); b.err == nil && string(got) != signature {
		b.fail("%q stands where %q should", got, signature)
	}
}

// lookup3 is the checksum of metadata (Bob Jenkins, lookup3.c, hashlittle with a zero seed).
func lookup3(p []byte) uint32 {
	rot := func(x uint32, k uint) uint32 { return x<<k | x>>(32-k) }
	a := 0xdeadbeef + uint32(len(p))
	b, c := a, a
	for len(p) > 12 {
		a += binary.LittleEndian.Uint32(p)
		b += binary.LittleEndian.Uint32(p[4:])
		c += binary.LittleEndian.Uint32(p[8:])
		a -= c
		a ^= rot(c, 4)
		c += b
		b -= a
		b ^= rot(a, 6)
		a += c
		c -= b
		c ^= rot(b, 8)
		b += a
		a -= c
		a ^= rot(c, 16)
		c += b
		b -= a
		b ^= rot(a, 19)
		a += c
		c -= b
		c ^= rot(b, 4)
		b += a
		p = p[12:]
	}
	if len(p) == 0 {
		return c
	}
	var last [12]byte
	copy(last[:], p)
	a += binary.LittleEndian.Uint32(last[:])
	b += binary.LittleEndian.Uint32(last[4:])
	c += binary.LittleEndian.Uint32(last[8:])
	c ^= b
	c -= rot(b, 14)
	a ^= c
	a -= rot(c, 11)
	b ^= a
	b -= rot(a, 25)
	c ^= b
	c -= rot(b, 16)
	a ^= c
	a -= rot(c, 4)
	b ^= a
	b -= rot(a, 14)
	c ^= b
	c -= rot(b, 24)
	return c
}

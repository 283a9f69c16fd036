package gunzip

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// ErrDamaged matches errors of a stream that is not gzip, or not whole. A stream that ends too early gives io.ErrUnexpectedEOF.
var ErrDamaged = errors.New("the stream is damaged")

const (
	history = 1 << 15 // bytes that a distance can go back
	room    = 1 << 17 // bytes expanded at once
	slack   = 300     // bytes behind: a repetition of 258, and what is copied beyond its end
	chunk   = 1 << 17 // bytes of the input read at once
)

// Reader expands the members of a gzip stream, one after the other. It belongs to one goroutine.
type Reader struct {
	src    io.Reader
	srcErr error // of the last reading, io.EOF at the end
	in     []byte
	pos    int    // of the next byte
	hold   uint64 // bits before it, the next one lowest
	count  uint   // of them; above are zeros, or bits of the bytes from pos on

	window []byte
	begin  int // of the member, where it is in the window
	given  int // bytes before are the caller's
	end    int // of what is expanded
	summed int // bytes before are in sum and size

	next      func(*Reader) error // goes on with the stream; it may stop where the window is full
	last      bool                // block of the member
	stored    int                 // bytes left of a block
	sum, size uint32

	symbols, distances table
	err                error
}

// NewReader begins a stream. Its first member's head is read at once, and its error returned.
func NewReader(src io.Reader) (*Reader, error) {
	r := &Reader{src: src, in: make([]byte, 0, chunk), window: make([]byte, history+room+slack)}
	if err := r.head(); err != nil {
		return nil, err
	}
	return r, nil
}

// Read expands bytes into p. What is expanded before an error is given first.
func (r *Reader) Read(p []byte) (int, error) {
	for r.given == r.end && r.err == nil {
		if r.end > history {
			kept := r.window[r.end-history : r.end]
			r.begin = max(r.begin-(r.end-history), 0)
			copy(r.window, kept)
			r.given, r.end, r.summed = history, history, history
		}
		r.err = r.next(r)
		r.add()
	}
	if r.given == r.end {
		return 0, r.err
	}
	n := copy(p, r.window[r.given:r.end])
	r.given += n
	return n, nil
}

// add counts what was expanded.
func (r *Reader) add() {
	fresh := r.window[r.summed:r.end]
	r.sum = crc32.Update(r.sum, crc32.IEEETable, fresh)
	r.size += uint32(len(fresh))
	r.summed = r.end
}

// full tells that no repetition fits into the window.
func (r *Reader) full() bool { return r.end >= history+room }

// fill brings n bytes from pos on into the memory of the input, where the stream has them, and more.
func (r *Reader) fill(n int) {
	if len(r.in)-r.pos >= n || r.srcErr != nil {
		return
	}
	back := min(r.pos, 8) // may be given back by align
	kept := copy(r.in[:cap(r.in)], r.in[r.pos-back:])
	r.in, r.pos = r.in[:kept], back
	for len(r.in)-back < n && r.srcErr == nil {
		var m int
		m, r.srcErr = r.src.Read(r.in[len(r.in):cap(r.in)])
		r.in = r.in[:len(r.in)+m]
	}
}

// ended is the error where the input ends before the stream does.
func (r *Reader) ended() error {
	if r.srcErr == nil || r.srcErr == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return r.srcErr
}

// need makes n bits, at most 32, the next of hold.
func (r *Reader) need(n uint) error {
	for r.count < n {
		if r.fill(1); r.pos == len(r.in) {
			return r.ended()
		}
		r.hold &= 1<<r.count - 1
		r.hold |= uint64(r.in[r.pos]) << r.count
		r.pos++
		r.count += 8
	}
	return nil
}

// take returns the next n bits.
func (r *Reader) take(n uint) (int, error) {
	if err := r.need(n); err != nil {
		return 0, err
	}
	v := r.hold & (1<<n - 1)
	r.drop(n)
	return int(v), nil
}

func (r *Reader) drop(n uint) {
	r.hold >>= n
	r.count -= n
}

// align goes on at the next whole byte, and gives whole bytes back to the input.
func (r *Reader) align() {
	r.pos -= int(r.count / 8)
	r.hold, r.count = 0, 0
}

// bytes returns the next n bytes, few, of an aligned input; they are valid until the next of them.
func (r *Reader) bytes(n int) ([]byte, error) {
	if r.fill(n); len(r.in)-r.pos < n {
		return nil, r.ended()
	}
	r.pos += n
	return r.in[r.pos-n : r.pos], nil
}

// head reads a member's head.
func (r *Reader) head() error {
	sum := uint32(0)
	read := func(n int) ([]byte, error) {
		b, err := r.bytes(n)
		sum = crc32.Update(sum, crc32.IEEETable, b)
		return b, err
	}
	b, err := read(10)
	if err != nil {
		return err
	}
	if b[0] != 0x1f || b[1] != 0x8b || b[2] != 8 {
		return errors.Join(ErrDamaged, errors.New("no gzip header where one should be"))
	}
	flags := b[3]
	if flags&4 != 0 { // further fields
		if b, err = read(2); err != nil {
			return err
		}
		for left := int(binary.LittleEndian.Uint16(b)); left > 0; {
			n := min(left, 1024)
			if _, err = read(n); err != nil {
				return err
			}
			left -= n
		}
	}
	for _, text := range []byte{8, 16} { // name and comment
		for flags&text != 0 {
			if b, err = read(1); err != nil {
				return err
			}
			if b[0] == 0 {
				break
			}
		}
	}
	if own := uint16(sum); flags&2 != 0 {
		if b, err = r.bytes(2); err != nil {
			return err
		}
		if binary.LittleEndian.Uint16(b) != own {
			return errors.Join(ErrDamaged, errors.New("the checksum of a header is another"))
		}
	}
	r.sum, r.size, r.last, r.begin = 0, 0, false, r.end
	r.next = (*Reader).block
	return nil
}

// tail checks what a member was expanded to, and begins another or ends.
func (r *Reader) tail() error {
	r.add()
	r.align()
	b, err := r.bytes(8)
	if err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(b) != r.sum || binary.LittleEndian.Uint32(b[4:]) != r.size {
		return errors.Join(ErrDamaged, errors.New("the checksum of the expanded bytes is another"))
	}
	if r.fill(1); r.pos == len(r.in) {
		return r.srcErr
	}
	return r.head()
}

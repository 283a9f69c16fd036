package hdf5

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zlib"
)

// chunkEntry is one chunk: the position of its first element, and its bytes in the file.
type chunkEntry struct {
	at      []int64
	address int64
	size    int64 // bytes as stored; undefined if no filter changes them
	mask    uint32
}

// mostChunk bounds the bytes of one chunk, and of the chunks that hold one row.
const mostChunk = 256 << 20

// checkChunk compares the shape of a chunk with that of the dataset.
func (d *Dataset) checkChunk() error {
	if len(d.chunk) != len(d.Dims)+1 || len(d.Dims) == 0 {
		return fmt.Errorf("%w: chunks of %d dimensions in a dataset of %d", ErrDamaged, len(d.chunk)-1, len(d.Dims))
	}
	shape := d.chunk[:len(d.Dims)]
	if slices.ContainsFunc(shape, func(n int64) bool { return n <= 0 || n > 1<<31 }) {
		return fmt.Errorf("%w: chunks of %v elements", ErrDamaged, shape)
	}
	n, err := count(shape, int64(d.Type.Size))
	if err != nil {
		return err
	}
	band := int64(d.Type.Size) * shape[0]
	for _, m := range d.Dims[1:] {
		if m > 0 && band > mostChunk/m {
			return fmt.Errorf("%w: the rows of one chunk have more than %d MiB", ErrFormat, mostChunk>>20)
		}
		band *= m
	}
	if n*int64(d.Type.Size) > mostChunk {
		return fmt.Errorf("%w: chunks of %d bytes", ErrFormat, n*int64(d.Type.Size))
	}
	return nil
}

// Elements returns a reader of all elements in the order of the file's dimensions, the last running fastest.
func (d *Dataset) Elements() (io.Reader, error) {
	if d.Why != "" {
		return nil, fmt.Errorf("%w: %s", ErrFormat, d.Why)
	}
	switch d.layout {
	case compact:
		if int64(len(d.inline)) < d.Bytes() {
			return nil, fmt.Errorf("%w: %d bytes of elements where %d are wanted", ErrTruncated, len(d.inline), d.Bytes())
		}
		return bytes.NewReader(d.inline[:d.Bytes()]), nil
	case contiguous:
		if at, size, ok := d.Contiguous(); ok {
			return io.NewSectionReader(d.f.r, at, size), nil
		}
		if d.address == undefined {
			return &bandReader{d: d, chunks: nil, rows: 1}, nil
		}
		return nil, fmt.Errorf("%w: its elements need %d bytes at address %d, and the file has %d", ErrTruncated, d.Bytes(), d.address, d.f.size)
	}
	chunks, err := d.chunks()
	if err != nil {
		return nil, err
	}
	return &bandReader{d: d, chunks: chunks, rows: d.chunk[0]}, nil
}

// all returns the bytes of all elements of a small dataset.
func (d *Dataset) all() ([]byte, error) {
	r, err := d.Elements()
	if err != nil {
		return nil, err
	}
	b := make([]byte, d.Bytes())
	_, err = io.ReadFull(r, b)
	return b, err
}

// chunks lists the chunks of a dataset in their order.
func (d *Dataset) chunks() ([]chunkEntry, error) {
	if d.single != nil {
		if d.single.address == undefined {
			return nil, nil
		}
		return []chunkEntry{*d.single}, nil
	}
	rank := len(d.Dims)
	entries, err := d.f.nodes(d.address, 1, 8+8*(rank+1))
	if err != nil {
		return nil, err
	}
	out := make([]chunkEntry, 0, len(entries))
	for _, e := range entries {
		b := block{f: d.f, b: e.key}
		c := chunkEntry{size: int64(b.u32()), mask: b.u32(), address: e.child}
		for k := range rank {
			at := b.size(8)
			if at < 0 || at%d.chunk[k] != 0 || at >= max(d.Dims[k], 1) && at != 0 {
				if at >= 0 && at%d.chunk[k] == 0 { // outside: the dataset was made shorter
					c.at = nil
					break
				}
				return nil, fmt.Errorf("%w: a chunk begins at element %d, which is no multiple of its size %d", ErrDamaged, at, d.chunk[k])
			}
			c.at = append(c.at, at)
		}
		if len(c.at) == rank {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b chunkEntry) int { return slices.Compare(a.at, b.at) })
	for i := 1; i < len(out); i++ {
		if slices.Equal(out[i].at, out[i-1].at) {
			return nil, fmt.Errorf("%w: two chunks at the elements %v", ErrDamaged, out[i].at)
		}
	}
	return out, nil
}

// bandReader reads the rows of one band of chunks after another; what no chunk holds has the fill value.
type bandReader struct {
	d      *Dataset
	chunks []chunkEntry
	rows   int64 // of a band
	at     int64 // row of the next band
	band   []byte
	rest   []byte // of band, to be read
}

func (r *bandReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if len(r.d.Dims) > 0 && r.at >= r.d.Dims[0] || len(r.d.Dims) == 0 && r.at > 0 {
			return 0, io.EOF
		}
		if err := r.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// next fills the band of the next rows.
func (r *bandReader) next() error {
	d := r.d
	rows, row := int64(1), int64(d.Type.Size)
	if len(d.Dims) > 0 {
		rows = min(r.rows, d.Dims[0]-r.at)
		for _, n := range d.Dims[1:] {
			row *= n
		}
	}
	if row == 0 {
		r.at += rows
		return nil
	}
	if row > mostChunk {
		return fmt.Errorf("%w: rows of %d bytes", ErrFormat, row)
	}
	if int64(len(r.band)) < rows*row {
		r.band = make([]byte, rows*row)
	}
	r.rest = r.band[:rows*row]
	clear(r.rest)
	if len(d.fill) == d.Type.Size && slices.ContainsFunc(d.fill, func(b byte) bool { return b != 0 }) {
		for i := 0; i < len(r.rest); i += d.Type.Size {
			copy(r.rest[i:], d.fill)
		}
	}
	for len(r.chunks) > 0 && r.chunks[0].at[0] == r.at {
		c := r.chunks[0]
		b, err := d.decode(c)
		if err != nil {
			return fmt.Errorf("chunk at the elements %v: %w", c.at, err)
		}
		d.place(r.rest, rows, row, c, b)
		r.chunks = r.chunks[1:]
	}
	r.at += rows
	return nil
}

// place copies the elements of a chunk that lie within the dataset into a band of rows.
func (d *Dataset) place(band []byte, rows, row int64, c chunkEntry, b []byte) {
	rank, item := len(d.Dims), int64(d.Type.Size)
	shape := d.chunk[:rank]
	limit := make([]int64, rank) // elements of the chunk within the dataset
	limit[0] = min(rows, shape[0])
	for k := 1; k < rank; k++ {
		limit[k] = min(shape[k], d.Dims[k]-c.at[k])
	}
	run := limit[rank-1] * item
	at := make([]int64, rank)
	for {
		from, to := int64(0), int64(0)
		for k := range rank {
			from = from*shape[k] + at[k]
			if k == 0 {
				to = at[0]
			} else {
				to = to*d.Dims[k] + c.at[k] + at[k]
			}
		}
		if rank == 1 {
			copy(band[:min(run, row*rows)], b[:run])
			return
		}
		copy(band[to*item:to*item+run], b[from*item:from*item+run])
		k := rank - 2
		for ; k >= 0; k-- {
			if at[k]++; at[k] < limit[k] {
				break
			}
			at[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// decode returns the bytes of a chunk with its filters undone.
func (d *Dataset) decode(c chunkEntry) ([]byte, error) {
	want, _ := count(d.chunk[:len(d.Dims)], int64(d.Type.Size)) // checked when the dataset was read
	want *= int64(d.Type.Size)
	size := c.size
	if size == undefined || len(d.filters) == 0 {
		size = want
	}
	if size > mostChunk+1<<20 || c.address == undefined {
		return nil, fmt.Errorf("%w: %d bytes at address %d", ErrDamaged, size, c.address)
	}
	at := d.f.base + c.address
	if at < 0 || size > d.f.size || at > d.f.size-size {
		return nil, fmt.Errorf("%w: %d bytes are wanted at byte %d of %d", ErrTruncated, size, at, d.f.size)
	}
	b := make([]byte, size)
	if n, err := d.f.r.ReadAt(b, at); n < len(b) {
		if err == nil || errors.Is(err, io.EOF) {
			err = ErrTruncated
		}
		return nil, err
	}
	for i := len(d.filters) - 1; i >= 0; i-- {
		if c.mask&(1<<i) != 0 {
			continue
		}
		var err error
		if b, err = d.filters[i].undo(b, int(want)); err != nil {
			return nil, err
		}
	}
	if int64(len(b)) != want {
		return nil, fmt.Errorf("%w: %d bytes where %d are wanted", ErrDamaged, len(b), want)
	}
	return b, nil
}

// Identifiers of filters (VII.A and the registry of The HDF Group).
const (
	deflate, shuffle, fletcher32, lzf = 1, 2, 3, 32000
)

// filter is one step by which a chunk was packed.
type filter struct {
	id     int
	values []uint32
}

// readFilters reads a pipeline message (IV.A.2.l).
func readFilters(b block) ([]filter, error) {
	version, n := b.u8(), int(b.u8())
	switch version {
	case 1:
		b.skip(6)
	case 2:
	default:
		return nil, fmt.Errorf("%w: a pipeline of filters of version %d", ErrDamaged, version)
	}
	if n > 32 {
		return nil, fmt.Errorf("%w: %d filters", ErrDamaged, n)
	}
	var out []filter
	for range n {
		fl := filter{id: int(b.u16())}
		name := 0
		if version == 1 || fl.id >= 256 {
			name = int(b.u16())
		}
		b.skip(2)
		count := int(b.u16())
		if version == 1 {
			name = (name + 7) &^ 7
		}
		b.skip(name)
		for range count {
			fl.values = append(fl.values, b.u32())
			if b.err != nil {
				return nil, b.err
			}
		}
		if version == 1 && count%2 == 1 {
			b.skip(4)
		}
		out = append(out, fl)
	}
	return out, b.err
}

// unknown says why a filter cannot be undone, "" if it can.
func (fl filter) unknown() string {
	switch fl.id {
	case deflate, shuffle, fletcher32, lzf:
		return ""
	}
	names := map[int]string{4: "szip", 5: "nbit", 6: "scale-offset", 307: "bzip2", 32001: "blosc", 32004: "lz4", 32008: "bitshuffle", 32013: "zfp", 32015: "zstd", 32026: "blosc2"}
	return fmt.Sprintf("its filter %s is not read; write it with gzip or lzf, or repack it with h5repack -f GZIP=4", cmp.Or(names[fl.id], fmt.Sprint(fl.id)))
}

// undo undoes the filter; a chunk has most bytes in the end.
func (fl filter) undo(b []byte, most int) ([]byte, error) {
	switch fl.id {
	case deflate:
		r, err := zlib.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, fmt.Errorf("%w: gzip: %w", ErrDamaged, err)
		}
		defer r.Close()
		out := bytes.NewBuffer(make([]byte, 0, most+4))
		if _, err := io.Copy(out, io.LimitReader(r, int64(most)+5)); err != nil { // a checksum of four bytes may follow
			return nil, fmt.Errorf("%w: gzip: %w", ErrDamaged, err)
		}
		return out.Bytes(), nil
	case shuffle:
		size := 1
		if len(fl.values) > 0 {
			size = int(fl.values[0])
		}
		return unshuffled(b, size), nil
	case fletcher32:
		if len(b) < 4 {
			return nil, fmt.Errorf("%w: no checksum of fletcher32", ErrTruncated)
		}
		body := b[:len(b)-4]
		sum, stored := fletcher(body), binary.LittleEndian.Uint32(b[len(body):])
		swapped := sum<<8&0xff00ff00 | sum>>8&0x00ff00ff // by old versions on machines of the other byte order
		if stored != sum && stored != swapped {
			return nil, fmt.Errorf("%w: the checksum fletcher32 does not agree", ErrDamaged)
		}
		return body, nil
	case lzf:
		size := most
		if len(fl.values) > 2 {
			size = int(fl.values[2])
		}
		if size <= 0 || size > most+4 {
			return nil, fmt.Errorf("%w: lzf of %d bytes", ErrDamaged, size)
		}
		return unlzf(b, size)
	}
	return nil, fmt.Errorf("%w: %s", ErrFormat, fl.unknown())
}

// unshuffled puts the bytes of elements of size bytes together again, of which first all first bytes stand, then all second ones.
func unshuffled(b []byte, size int) []byte {
	if size <= 1 || len(b) < size {
		return b
	}
	out := make([]byte, len(b))
	n := len(b) / size
	for k := range size {
		for i := range n {
			out[i*size+k] = b[k*n+i]
		}
	}
	copy(out[n*size:], b[n*size:])
	return out
}

// fletcher is the checksum of J. Fletcher (1982) over words of two bytes, the first byte the higher one.
func fletcher(b []byte) uint32 {
	var s1, s2 uint32
	for len(b) > 1 {
		n := min(360, len(b)/2) // words after which the sums are folded, before they overflow
		for i := range n {
			s1 += uint32(b[2*i])<<8 | uint32(b[2*i+1])
			s2 += s1
		}
		s1, s2 = s1&0xffff+s1>>16, s2&0xffff+s2>>16
		b = b[2*n:]
	}
	if len(b) == 1 {
		s1 += uint32(b[0]) << 8
		s2 += s1
		s1, s2 = s1&0xffff+s1>>16, s2&0xffff+s2>>16
	}
	s1, s2 = s1&0xffff+s1>>16, s2&0xffff+s2>>16
	return s2<<16 | s1
}

// unlzf expands LibLZF's format to size bytes: a control byte below 32 is followed by as many bytes and one; others name a length and
// a distance back.
func unlzf(b []byte, size int) ([]byte, error) {
	out := make([]byte, 0, size)
	bad := func() ([]byte, error) { return nil, fmt.Errorf("%w: lzf", ErrDamaged) }
	for i := 0; i < len(b); {
		control := int(b[i])
		i++
		if control < 32 {
			n := control + 1
			if n > len(b)-i || n > size-len(out) {
				return bad()
			}
			out = append(out, b[i:i+n]...)
			i += n
			continue
		}
		n := control >> 5
		if n == 7 {
			if i == len(b) {
				return bad()
			}
			n += int(b[i])
			i++
		}
		if i == len(b) {
			return bad()
		}
		from := len(out) - (control&31)<<8 - int(b[i]) - 1
		i++
		if n += 2; from < 0 || n > size-len(out) {
			return bad()
		}
		for k := range n {
			out = append(out, out[from+k])
		}
	}
	if len(out) != size {
		return bad()
	}
	return out, nil
}

package arrow

import "encoding/binary"

// Batch is a record batch whose columns are read. It belongs to one goroutine.
type Batch struct {
	file    *File
	message message
	nodes   []node
	buffers []span
	views   []int // further buffers of each column of views
	codec   codec
	scratch []byte
}

// node is the length of a column, in rows, and its number of nulls.
type node struct{ rows, nulls int64 }

// span is a buffer's place in the body of its message.
type span struct{ offset, length int64 }

// Batch reads the description of record batch i: RecordBatch {length, nodes, buffers, compression,
// variadicBufferCounts}.
func (f *File) Batch(i int) (b *Batch, err error) {
	defer contradiction(&err)
	m := f.batches[i]
	b = &Batch{file: f, message: m}
	description := make([]byte, m.head-m.prefix)
	if err := readFull(f.r, description, m.offset+m.prefix); err != nil {
		return nil, err
	}
	t, ok := rootTable(description).table(2)
	if !ok {
		return nil, Damage("a record batch without a description")
	}
	word := func(at int) int64 { return int64(binary.LittleEndian.Uint64(description[at:])) }
	at, n, err := t.vector(1, 16)
	if err != nil {
		return nil, err
	}
	for k := range n {
		b.nodes = append(b.nodes, node{word(at + 16*k), word(at + 16*k + 8)})
	}
	if at, n, err = t.vector(2, 16); err != nil {
		return nil, err
	}
	for k := range n {
		s := span{word(at + 16*k), word(at + 16*k + 8)}
		if s.offset < 0 || s.length < 0 || s.offset > m.body || s.length > m.body-s.offset {
			return nil, damage("a buffer of %d bytes at byte %d of a body of %d", s.length, s.offset, m.body)
		}
		b.buffers = append(b.buffers, s)
	}
	if c, ok := t.table(3); ok { // BodyCompression {codec, method}
		if b.codec = codec(1 + c.byte(0)); b.codec > zstdBuffers || c.byte(1) != 0 {
			return nil, damage("its compression is neither LZ4 nor ZSTD of buffers")
		}
	}
	if at, n, err = t.vector(4, 8); err != nil {
		return nil, err
	}
	for k := range n {
		v := word(at + 8*k)
		if v < 0 || v > int64(len(b.buffers)) {
			return nil, damage("%d buffers of one column where all have %d", v, len(b.buffers))
		}
		b.views = append(b.views, int(v))
	}
	return b, nil
}

// Column finds the values of column k, whose kind is not Other.
func (b *Batch) Column(k int) (*Values, error) {
	c := &b.file.Columns[k]
	if c.Kind == Other {
		panic("arrow: column " + c.Name + " has no numbers")
	}
	if c.first.views > len(b.views) {
		return nil, damage("%d columns of views where the schema has more", len(b.views))
	}
	at := c.first.buffers
	for _, n := range b.views[:c.first.views] {
		at += n
	}
	if c.first.nodes >= len(b.nodes) || at+1 >= len(b.buffers) {
		return nil, damage("%d columns in %d buffers, fewer than the schema has", len(b.nodes), len(b.buffers))
	}
	n, rows := b.nodes[c.first.nodes], b.message.rows
	if n.rows != rows || n.nulls < 0 || n.nulls > rows {
		return nil, damage("%d values, %d of them null, in a record batch of %d rows", n.rows, n.nulls, rows)
	}
	v := &Values{column: c, batch: b, rows: int(rows)}
	var err error
	if v.nulls = n.nulls > 0; v.nulls {
		if v.valid, err = b.open(b.buffers[at], (v.rows+7)/8); err != nil {
			return nil, err
		}
	}
	v.values, err = b.open(b.buffers[at+1], (v.rows*c.Bits+7)/8)
	return v, err
}

// buffer is bytes in memory, or in the file.
type buffer struct {
	memory []byte // nil where they are in the file
	at     int64
}

// open finds the bytes of a buffer, of which need are wanted, and expands them where the batch is compressed: each
// buffer then begins with its length, or with -1 where it was left as it is.
func (b *Batch) open(s span, need int) (buffer, error) {
	at := b.message.offset + b.message.head + s.offset
	if b.codec == stored || need == 0 {
		if s.length < int64(need) {
			return buffer{}, damage("a buffer of %d bytes where the rows take %d", s.length, need)
		}
		return buffer{at: at}, nil
	}
	var word [8]byte
	if s.length < 8 {
		return buffer{}, damage("a compressed buffer of %d bytes", s.length)
	}
	if err := readFull(b.file.r, word[:], at); err != nil {
		return buffer{}, err
	}
	at, length := at+8, s.length-8
	n := int64(binary.LittleEndian.Uint64(word[:]))
	if n == -1 {
		if length < int64(need) {
			return buffer{}, damage("a buffer of %d bytes where the rows take %d", length, need)
		}
		return buffer{at: at}, nil
	}
	if n < int64(need) || n > int64(b.file.most) {
		return buffer{}, damage("a buffer that expands to %d bytes where the rows take %d", n, need)
	}
	packed := b.piece(int(length))
	if err := readFull(b.file.r, packed, at); err != nil {
		return buffer{}, err
	}
	memory, err := b.file.expand(b.codec, packed, int(n))
	return buffer{memory: memory}, err
}

// piece is memory of n bytes until the next call.
func (b *Batch) piece(n int) []byte {
	if cap(b.scratch) < n {
		b.scratch = make([]byte, n)
	}
	return b.scratch[:n]
}

// read returns n bytes of a buffer from byte at on, until the next call.
func (b *Batch) read(from buffer, at, n int) ([]byte, error) {
	if from.memory != nil {
		return from.memory[at : at+n], nil
	}
	piece := b.piece(n)
	return piece, readFull(b.file.r, piece, from.at+int64(at))
}

package datasets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/pierrec/lz4/v4"
)

// arrowParts counts parts of a record batch: nodes (a length and a number of nulls), buffers, and columns of views, which have a
// number of further buffers that each batch states.
type arrowParts struct{ nodes, buffers, views int }

// pass adds to p the numbers of nodes, buffers and view columns that a column of type t has in a record batch.
func (p *arrowParts) pass(t arrow.DataType, version int) {
	if e, ok := t.(arrow.ExtensionType); ok {
		p.pass(e.StorageType(), version)
		return
	}
	p.nodes++
	switch t := t.(type) {
	case *arrow.DictionaryType:
		p.buffers += 2 // the indices
		return
	case *arrow.NullType, *arrow.RunEndEncodedType:
	case *arrow.StructType, *arrow.FixedSizeListType:
		p.buffers++
	case *arrow.BinaryType, *arrow.StringType, *arrow.LargeBinaryType, *arrow.LargeStringType, *arrow.ListViewType, *arrow.LargeListViewType:
		p.buffers += 3
	case arrow.BinaryViewDataType:
		p.buffers += 2
		p.views++
	case arrow.UnionType:
		p.buffers++
		if t.Mode() == arrow.DenseMode {
			p.buffers++
		}
		if version < metadataVersion5 {
			p.buffers++
		}
	default: // a bitmap of nulls, and values or offsets
		p.buffers += 2
	}
	if n, ok := t.(arrow.NestedType); ok {
		for _, f := range n.Fields() {
			p.pass(f.Type, version)
		}
	}
}

// arrowBatch is the description of a record batch whose columns are read. It belongs to one goroutine.
type arrowBatch struct {
	s        *arrowSource
	message  arrowMessage
	nodes    []arrowNode
	buffers  []arrowSpan
	views    []int // further buffers of each column of views
	codec    int   // 0 for none
	expanded int64 // bytes of the buffers that were expanded
	scratch  []byte
}

// arrowNode is the length of a column, in rows, and its number of nulls.
type arrowNode struct{ rows, nulls int64 }

// arrowSpan is a buffer's place in the body of its message.
type arrowSpan struct{ offset, length int64 }

// Codecs of buffers: one more than the format's number.
const (
	lz4Buffers  = 1
	zstdBuffers = 2
)

// maxBuffers bounds the memory in bytes that the expanded buffers of a record batch take.
const maxBuffers = 1 << 30

// open reads the description of a record batch: RecordBatch {length, nodes, buffers, compression, variadicBufferCounts}.
func (b *arrowBatch) open(s *arrowSource, m arrowMessage) error {
	*b = arrowBatch{s: s, message: m, nodes: b.nodes[:0], buffers: b.buffers[:0], views: b.views[:0], scratch: b.scratch}
	description := make([]byte, m.head-m.prefix)
	if err := readFull(s.f, description, m.offset+m.prefix); err != nil {
		return err
	}
	return guard(func() error { return b.describe(description) })
}

func (b *arrowBatch) describe(description []byte) error {
	t, ok := rootTable(description).table(2)
	if !ok {
		return damage("a record batch without a description")
	}
	err := t.words(1, func(_ int, rows, nulls int64) error {
		b.nodes = append(b.nodes, arrowNode{rows, nulls})
		return nil
	})
	if err != nil {
		return err
	}
	err = t.words(2, func(_ int, offset, length int64) error {
		if offset < 0 || length < 0 || offset > b.message.body || length > b.message.body-offset {
			return damage("a buffer of %d bytes at byte %d of a body of %d", length, offset, b.message.body)
		}
		b.buffers = append(b.buffers, arrowSpan{offset, length})
		return nil
	})
	if err != nil {
		return err
	}
	if c, ok := t.table(3); ok { // BodyCompression {codec, method}
		if b.codec = 1 + int(c.byte(0)); b.codec > zstdBuffers || c.byte(1) != 0 {
			return foreign("its compression is neither LZ4 nor ZSTD of buffers")
		}
	}
	at, n, err := t.vector(4, 8)
	for k := 0; k < n && err == nil; k++ {
		v := int64(binary.LittleEndian.Uint64(description[at+8*k:]))
		if v < 0 || v > int64(len(b.buffers)) {
			return damage("%d buffers of one column where all have %d", v, len(b.buffers))
		}
		b.views = append(b.views, int(v))
	}
	return err
}

// checkOurs checks a batch that this package has written: fields of doubles without nulls, their buffers compressed and one
// behind the other.
func (b *arrowBatch) checkOurs(fields int) error {
	ok := b.message.rows > 0 && b.codec == zstdBuffers && len(b.nodes) == fields && len(b.buffers) == 2*fields
	behind := int64(0)
	for i := 0; i < fields && ok; i++ {
		valid, values := b.buffers[2*i], b.buffers[2*i+1]
		ok = b.nodes[i] == arrowNode{rows: b.message.rows} && valid == arrowSpan{offset: behind} && values.offset == behind
		behind = (values.offset + values.length + 7) / 8 * 8
	}
	if !ok {
		return damage("a record batch is not as it was written")
	}
	return nil
}

// part finds the node of a column, which must have rows, and its first buffer.
func (b *arrowBatch) part(p arrowParts, rows int64) (n arrowNode, buffer int, err error) {
	if p.views > len(b.views) {
		return n, 0, damage("%d columns of views where the schema has more", len(b.views))
	}
	buffer = p.buffers
	for _, v := range b.views[:p.views] {
		buffer += v
	}
	if p.nodes >= len(b.nodes) || buffer+1 > len(b.buffers) {
		return n, 0, damage("%d columns in %d buffers, fewer than the schema has", len(b.nodes), len(b.buffers))
	}
	n = b.nodes[p.nodes]
	if n.rows < rows || n.rows > maxBatchRows*maxEntries || n.nulls < 0 || n.nulls > n.rows {
		return n, 0, damage("%d values, %d of them null, where there are %d", n.rows, n.nulls, rows)
	}
	return n, buffer, nil
}

// arrowBuffer is bytes in memory, or in the file. Its memory is used again for the next batch.
type arrowBuffer struct {
	expanded bool
	memory   []byte
	at       int64
}

// find finds the bytes of buffer i, of which need are wanted, and expands them where the batch is compressed: each buffer then
// begins with its length, or with -1 where it was left as it is.
func (b *arrowBatch) find(to *arrowBuffer, i int, need int64) error {
	if i >= len(b.buffers) {
		return damage("%d buffers, fewer than the schema has", len(b.buffers))
	}
	s := b.buffers[i]
	to.expanded, to.at = false, b.message.offset+b.message.head+s.offset
	length := s.length
	if b.codec != 0 && need > 0 {
		var word [8]byte
		if s.length < 8 {
			return damage("a compressed buffer of %d bytes", s.length)
		}
		if err := readFull(b.s.f, word[:], to.at); err != nil {
			return err
		}
		to.at, length = to.at+8, length-8
		if n := int64(binary.LittleEndian.Uint64(word[:])); n != -1 {
			return b.expand(to, length, n, need)
		}
	}
	if length < need {
		return damage("a buffer of %d bytes where the rows take %d", length, need)
	}
	return nil
}

// expand decompresses a buffer of some bytes to n.
func (b *arrowBatch) expand(to *arrowBuffer, packed, n, need int64) error {
	const ratio = 256 // a byte of an LZ4 match's length stands for 255
	if n < need || n > int64(b.s.most) || b.codec == lz4Buffers && n/ratio > packed+64 {
		return damage("a buffer of %d bytes that expands to %d where the rows take %d", packed, n, need)
	}
	if b.expanded += n; b.expanded > maxBuffers {
		return foreign("a record batch of %d rows takes more than %d MiB of memory, as its buffers are compressed whole; read fewer channels, or write it again in batches of 65536 rows", b.message.rows, maxBuffers>>20)
	}
	src := b.piece(int(packed))
	if err := readFull(b.s.f, src, to.at); err != nil {
		return err
	}
	to.memory = grown(to.memory, int(n))
	got, err := 0, error(nil)
	if b.codec == lz4Buffers {
		r := lz4.NewReader(bytes.NewReader(src))
		got, err = io.ReadFull(r, to.memory)
		if _, more := r.Read(make([]byte, 1)); err == nil && more != io.EOF {
			err = errLonger
		}
	} else {
		var all []byte
		all, err = expandZstd(to.memory, src)
		got = len(all)
	}
	if err != nil {
		return damage("a buffer does not decompress: %w", err)
	}
	if int64(got) != n {
		return damage("a buffer expands to %d bytes in place of %d", got, n)
	}
	to.expanded = true
	return nil
}

// piece returns memory of n bytes until the next call.
func (b *arrowBatch) piece(n int) []byte {
	b.scratch = grown(b.scratch, n)
	return b.scratch
}

// read returns n bytes of a buffer from byte at on, until the next call.
func (b *arrowBatch) read(from *arrowBuffer, at, n int) ([]byte, error) {
	if from.expanded {
		return from.memory[at : at+n], nil
	}
	piece := b.piece(n)
	return piece, readFull(b.s.f, piece, from.at+int64(at))
}

// arrowLevel is a step on the way to a column's numbers: a structure, a list, or the numbers.
type arrowLevel struct {
	parts   arrowParts // before it in a batch
	list    bool
	offsets int // bytes of an offset, 0 where all lists have the schema's length
}

// arrowValues are the values of a column in the open batch.
type arrowValues struct {
	column *arrowColumn
	batch  *arrowBatch
	levels []levelValues
	values arrowBuffer
}

// levelValues are what a batch says of a level.
type levelValues struct {
	nulls   bool
	valid   arrowBuffer // a bit a row, 0 for a null, where there are nulls
	offsets arrowBuffer
	first   int // entry of the child that is the first of the first list
}

// open locates the buffers of the column's values in a batch.
func (v *arrowValues) open(b *arrowBatch, c *arrowColumn) error {
	v.column, v.batch = c, b
	v.levels = grown(v.levels, len(c.levels))
	rows := b.message.rows
	for i := range c.levels {
		l, at := &c.levels[i], &v.levels[i]
		n, buffer, err := b.part(l.parts, rows)
		if err != nil {
			return err
		}
		if i == 0 && n.rows != rows {
			return damage("%d values in a record batch of %d rows", n.rows, rows)
		}
		if at.nulls = n.nulls > 0; at.nulls {
			if err := b.find(&at.valid, buffer, (rows+7)/8); err != nil {
				return err
			}
		}
		at.first = 0
		switch {
		case i == len(c.levels)-1:
			return b.find(&v.values, buffer+1, (rows*int64(c.bits)+7)/8)
		case l.offsets > 0 && rows > 0:
			var last int
			if at.first, _, last, err = v.lists(i); err != nil {
				return err
			}
			if int64(last-at.first) != rows*int64(c.width) {
				return foreign("lists of different lengths: %d entries in %d lists", last-at.first, rows)
			}
			rows = int64(last)
		case l.list:
			rows *= int64(c.width)
		}
	}
	return nil
}

// lists finds the offsets of level i, and returns those of the first, the second and behind the last list.
func (v *arrowValues) lists(i int) (first, second, last int, err error) {
	rows, size := v.batch.message.rows, int64(v.column.levels[i].offsets)
	_, buffer, err := v.batch.part(v.column.levels[i].parts, rows)
	if err == nil {
		err = v.batch.find(&v.levels[i].offsets, buffer+1, (rows+1)*size)
	}
	if err != nil {
		return 0, 0, 0, err
	}
	var at [3]int
	for k, list := range [3]int64{0, 1, rows} {
		b, err := v.batch.read(&v.levels[i].offsets, int(list*size), int(size))
		if err != nil {
			return 0, 0, 0, err
		}
		at[k] = int(v.offset(i, b, 0))
	}
	if at[0] < 0 || at[2] < at[0] || at[2] > maxBatchRows*maxEntries {
		return 0, 0, 0, damage("lists from entry %d to entry %d", at[0], at[2])
	}
	return at[0], at[1], at[2], nil
}

// offset returns offset k of the bytes of offsets of level i.
func (v *arrowValues) offset(i int, b []byte, k int) int64 {
	n := numberType{kind: 'i', size: v.column.levels[i].offsets, big: v.column.number.big}
	u := n.bits(b[k*n.size:])
	if n.size == 4 {
		return int64(int32(u))
	}
	return int64(u)
}

// read decodes rows from at on, NaN where a value is null.
func (v *arrowValues) read(dst []float64, at int) error {
	const most = 16 << 10
	for len(dst) > 0 {
		n := min(most, len(dst))
		if err := v.decode(dst[:n], at); err != nil {
			return err
		}
		dst, at = dst[n:], at+n
	}
	return nil
}

// decode reads rows that are few enough for the scratch memory.
func (v *arrowValues) decode(dst []float64, at int) error {
	first, stride := at, 1 // of the rows among the elements of a level
	for i := range v.levels {
		l := &v.column.levels[i]
		if i == len(v.levels)-1 {
			if err := v.numbers(dst, first, stride); err != nil {
				return err
			}
		}
		if !l.list {
			continue
		}
		if l.offsets > 0 {
			if err := v.checkOffsets(i, at, len(dst)); err != nil {
				return err
			}
		}
		first, stride = v.levels[i].first+first*v.column.width+v.column.entry, stride*v.column.width
	}
	first, stride = at, 1
	for i := range v.levels {
		if v.levels[i].nulls {
			if err := v.blank(dst, &v.levels[i].valid, first, stride); err != nil {
				return err
			}
		}
		if v.column.levels[i].list {
			first, stride = v.levels[i].first+first*v.column.width+v.column.entry, stride*v.column.width
		}
	}
	return nil
}

// checkOffsets checks that n lists from list at on have the width of the column.
func (v *arrowValues) checkOffsets(i, at, n int) error {
	size := v.column.levels[i].offsets
	b, err := v.batch.read(&v.levels[i].offsets, at*size, (n+1)*size)
	if err != nil {
		return err
	}
	for k := range n + 1 {
		if v.offset(i, b, k) != int64(v.levels[i].first+(at+k)*v.column.width) {
			return foreign("lists of different lengths")
		}
	}
	return nil
}

// blank sets the rows of nulls to NaN. Row k has bit first+k·stride.
func (v *arrowValues) blank(dst []float64, valid *arrowBuffer, first, stride int) error {
	from := first / 8
	bits, err := v.batch.read(valid, from, (first+(len(dst)-1)*stride)/8+1-from)
	if err != nil {
		return err
	}
	for k := range dst {
		if at := first + k*stride - 8*from; bits[at/8]>>(at%8)&1 == 0 {
			dst[k] = math.NaN()
		}
	}
	return nil
}

// numbers stores the numbers of elements first, first+stride, …, nulls as any number.
func (v *arrowValues) numbers(dst []float64, first, stride int) error {
	c, last := v.column, first+(len(dst)-1)*stride
	if c.bits == 1 {
		bits, err := v.batch.read(&v.values, first/8, last/8+1-first/8)
		for k := 0; k < len(dst) && err == nil; k++ {
			at := first + k*stride - first/8*8
			dst[k] = float64(bits[at/8] >> (at % 8) & 1)
		}
		return err
	}
	size := c.number.size
	b, err := v.batch.read(&v.values, first*size, (last+1-first)*size)
	if err != nil {
		return err
	}
	if !c.stamp {
		c.number.decode(dst, b, stride*size)
		return nil
	}
	for k := range dst {
		dst[k] = float64(int64(c.number.bits(b[k*stride*size:])) - c.origin)
	}
	return nil
}

// firstInt returns the first integer of 64 bits that is not null, and whether there is one.
func (v *arrowValues) firstInt() (first int64, found bool, err error) {
	c := *v.column
	c.stamp = true
	v.column = &c
	for at := range int(v.batch.message.rows) {
		var one [1]float64
		if err := v.decode(one[:], at); err != nil {
			return 0, false, err
		}
		if math.IsNaN(one[0]) {
			continue
		}
		element := at
		for i, l := range c.levels {
			if l.list {
				element = v.levels[i].first + element*c.width + c.entry
			}
		}
		b, err := v.batch.read(&v.values, element*8, 8)
		if err != nil {
			return 0, false, err
		}
		return int64(c.number.bits(b)), true, nil
	}
	return 0, false, nil
}

// typeName names a type in words of the format.
func typeName(t arrow.DataType) string {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return "dictionary of " + typeName(t.ValueType)
	case arrow.ExtensionType:
		return t.ExtensionName()
	}
	return fmt.Sprint(t)
}

package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// Writer writes a table of float64, a row group at a time.
type Writer struct {
	to      io.Writer
	at      int64 // bytes written
	names   []string
	meta    []KeyValue
	creator string
	rows    int64
	groups  []writtenGroup
	codecs  []Codec // of the columns, from the first row group on
	stored  []int   // columns that are never compressed
	enc     *zstd.Encoder
	page    []byte
	packed  []byte
}

type writtenGroup struct {
	rows   int64
	chunks []writtenChunk
}

// writtenChunk is the place of a column in a row group: byte, and length with headers, expanded and as written.
type writtenChunk struct{ at, expanded, length int64 }

// Columns of noise, whose digits are random, lose less than a tenth of their length to a compressor that
// takes longer than all the rest of writing them.
const (
	worthPacking = 0.9
	sampleRows   = 8 << 10
	pageRows     = 16 << 10     // small pages bound the memory of a reader of many columns
	window       = pageRows * 8 // bytes that the compressor looks back over, those of a page
)

// NewWriter begins a file with the named columns and metadata; creator is the name of the program.
func NewWriter(w io.Writer, names []string, meta []KeyValue, creator string) (*Writer, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window))
	if err != nil {
		return nil, err
	}
	t := &Writer{to: w, names: names, meta: meta, creator: creator, enc: enc}
	return t, t.write([]byte("PAR1"))
}

// Store has columns written without compression; it belongs before the first row group.
func (w *Writer) Store(columns ...int) { w.stored = append(w.stored, columns...) }

func (w *Writer) write(b []byte) error {
	n, err := w.to.Write(b)
	w.at += int64(n)
	return err
}

// choose finds the columns that are worth compressing.
func (w *Writer) choose(cols [][]float64) {
	w.codecs = make([]Codec, len(w.names))
	for i, c := range cols {
		if slices.Contains(w.stored, i) {
			continue
		}
		b := w.plain(c[:min(len(c), sampleRows)])
		w.packed = w.enc.EncodeAll(b, w.packed[:0])
		if float64(len(w.packed)) <= worthPacking*float64(len(b)) {
			w.codecs[i] = zstdCodec
		}
	}
}

// plain is the page of values, valid until the next call.
func (w *Writer) plain(values []float64) []byte {
	w.page = w.page[:0]
	for _, v := range values {
		w.page = binary.LittleEndian.AppendUint64(w.page, math.Float64bits(v))
	}
	return w.page
}

// Group writes a row group, one slice a column, all of the same length. It panics where their number is wrong.
func (w *Writer) Group(cols [][]float64) error {
	if len(cols) != len(w.names) {
		panic(fmt.Sprintf("parquet: %d columns for %d names", len(cols), len(w.names)))
	}
	if len(cols) == 0 || len(cols[0]) == 0 {
		return nil
	}
	if w.codecs == nil {
		w.choose(cols)
	}
	g := writtenGroup{rows: int64(len(cols[0]))}
	for i, c := range cols {
		k := writtenChunk{at: w.at}
		for from := 0; from < len(c); from += pageRows {
			expanded, err := w.writePage(c[from:min(len(c), from+pageRows)], w.codecs[i])
			if err != nil {
				return err
			}
			k.expanded += expanded
		}
		k.length = w.at - k.at
		g.chunks = append(g.chunks, k)
	}
	w.rows += g.rows
	w.groups = append(w.groups, g)
	return nil
}

// writePage writes a data page and returns its length without compression, header included.
func (w *Writer) writePage(values []float64, codec Codec) (int64, error) {
	b := w.plain(values)
	expanded := len(b)
	if codec == zstdCodec {
		w.packed = w.enc.EncodeAll(b, w.packed[:0])
		b = w.packed
	}
	var h compactWriter
	h.begin()
	h.int32(1, dataPage)
	h.int32(2, expanded)
	h.int32(3, len(b))
	h.structure(5)
	h.int32(1, len(values))
	h.int32(2, int(encodingPlain))
	h.int32(3, int(encodingRLE))
	h.int32(4, int(encodingRLE))
	h.end()
	h.end()
	if err := w.write(h.b); err != nil {
		return 0, err
	}
	return int64(len(h.b) + expanded), w.write(b)
}

// Close writes the footer. It does not close the writer below.
func (w *Writer) Close() error {
	if w.codecs == nil {
		w.codecs = make([]Codec, len(w.names))
	}
	var f compactWriter
	f.begin()
	f.int32(1, 2)
	f.list(2, wireStruct, 1+len(w.names))
	f.begin()
	f.int32(3, 0)
	f.text(4, "log")
	f.int32(5, len(w.names))
	f.end()
	for _, name := range w.names {
		f.begin()
		f.int32(1, int(Double))
		f.int32(3, 0) // required
		f.text(4, name)
		f.end()
	}
	f.int64(3, w.rows)
	f.list(4, wireStruct, len(w.groups))
	for i, g := range w.groups {
		w.describeGroup(&f, i, g)
	}
	if len(w.meta) > 0 {
		f.list(5, wireStruct, len(w.meta))
		for _, kv := range w.meta {
			f.begin()
			f.text(1, kv.Key)
			f.text(2, kv.Value)
			f.end()
		}
	}
	f.text(6, w.creator)
	f.end()
	f.b = binary.LittleEndian.AppendUint32(f.b, uint32(len(f.b)))
	return w.write(append(f.b, "PAR1"...))
}

// describeGroup writes the description of row group i.
func (w *Writer) describeGroup(f *compactWriter, i int, g writtenGroup) {
	var expanded, length int64
	f.begin()
	f.list(1, wireStruct, len(g.chunks))
	for j, k := range g.chunks {
		expanded, length = expanded+k.expanded, length+k.length
		f.begin()
		f.int64(2, k.at)
		f.structure(3)
		f.int32(1, int(Double))
		f.list(2, wireInt32, 2)
		f.zigzag(int64(encodingPlain))
		f.zigzag(int64(encodingRLE))
		f.list(3, wireBinary, 1)
		f.bare(w.names[j])
		f.int32(4, int(w.codecs[j]))
		f.int64(5, g.rows)
		f.int64(6, k.expanded)
		f.int64(7, k.length)
		f.int64(9, k.at)
		f.end()
		f.end()
	}
	f.int64(2, expanded)
	f.int64(3, g.rows)
	f.int64(5, g.chunks[0].at)
	f.int64(6, length)
	if i < 1<<15 {
		f.head(7, wireInt16)
		f.zigzag(int64(i))
	}
	f.end()
}

package datasets_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"pgregory.net/rapid"

	"ident/internal/parquet"
)

// Arrow's library is the other implementation of internal/parquet's format: it reads the files of Writer, and writes those
// of ChunkReader, in every type and encoding. Values are equal to the bit. The test is here as this package's tests alone are
// linked with that library, which takes a second.

func TestArrowReadsOurParquet(t *testing.T) {
	const rows = 50_000
	names := []string{"steady", "noise [deg]", "gaps"}
	cols := make([][]float64, len(names))
	for i := range rows {
		x := math.Sin(1e4 * float64(i*i%7919))
		cols[0], cols[1], cols[2] = append(cols[0], 1.5), append(cols[1], x), append(cols[2], math.Sqrt(x))
	}
	var b bytes.Buffer
	w, err := parquet.NewWriter(&b, names, []parquet.KeyValue{{Key: "k", Value: "v"}, {Key: "empty"}}, "test")
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range [][2]int{{0, 33_000}, {33_000, 33_001}, {33_001, rows}} {
		part := make([][]float64, len(cols))
		for i, c := range cols {
			part[i] = c[cut[0]:cut[1]]
		}
		if err := w.Group(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 8*rows*len(names)*9/10 {
		t.Errorf("%d bytes: a constant column is not compressed", b.Len())
	}
	r, err := file.NewParquetReader(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if v := r.MetaData().KeyValueMetadata().FindValue("k"); v == nil || *v != "v" || r.NumRows() != rows || r.NumRowGroups() != 3 {
		t.Errorf("key %v, %d rows in %d groups", v, r.NumRows(), r.NumRowGroups())
	}
	for i, name := range names {
		if got := r.MetaData().Schema.Column(i).Name(); got != name {
			t.Errorf("column %q in place of %q", got, name)
		}
		var all []float64
		for g := range r.NumRowGroups() {
			c, err := r.RowGroup(g).Column(i)
			if err != nil {
				t.Fatal(err)
			}
			vals := make([]float64, r.RowGroup(g).NumRows())
			for at := 0; at < len(vals); {
				_, n, err := c.(*file.Float64ColumnChunkReader).ReadBatch(int64(len(vals)-at), vals[at:], nil, nil)
				if err != nil || n == 0 {
					t.Fatalf("%d values: %v", n, err)
				}
				at += n
			}
			all = append(all, vals...)
		}
		if !slices.EqualFunc(all, cols[i], sameBits) {
			t.Errorf("column %q differs", name)
		}
	}
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// drawn is a column as Arrow's library takes it, and the numbers that it means.
type drawn struct {
	node   schema.Node
	levels []int16 // nil where the column has no nulls
	put    func(file.ColumnChunkWriter) error
	want   []float64
	path   string
}

// drawColumn draws a column of some rows.
func drawColumn(rt *rapid.T, name string, rows int) drawn {
	d := drawn{path: name}
	repetition := arrowparquet.Repetitions.Required
	if rapid.Bool().Draw(rt, "nulls") {
		repetition = arrowparquet.Repetitions.Optional
		d.levels = make([]int16, rows)
		runs := rapid.IntRange(1, 40).Draw(rt, "runs")
		for i := range d.levels {
			d.levels[i] = int16(1 - i/runs%2)
		}
	}
	present := func(i int) bool { return d.levels == nil || d.levels[i] == 1 }
	spread := rapid.SampledFrom([]int64{1, 3, 1000, 1 << 40, math.MaxInt64}).Draw(rt, "spread")
	raw := rapid.SliceOfN(rapid.Int64Range(-spread, spread), 1, 50).Draw(rt, "values")
	at := func(i int) int64 { return raw[i%len(raw)] + int64(i/len(raw)) }
	kind := rapid.IntRange(0, 4).Draw(rt, "type")
	var bools []bool
	var i32 []int32
	var i64 []int64
	var f32 []float32
	var f64 []float64
	for i := range rows {
		if !present(i) {
			d.want = append(d.want, math.NaN())
			continue
		}
		v := at(i)
		switch kind {
		case 0:
			bools = append(bools, v&1 == 1)
			d.want = append(d.want, float64(v&1))
		case 1:
			i32 = append(i32, int32(v))
			d.want = append(d.want, float64(int32(v)))
		case 2:
			i64 = append(i64, v)
			d.want = append(d.want, float64(v))
		case 3:
			f32 = append(f32, float32(v)/7)
			d.want = append(d.want, float64(float32(v)/7))
		case 4:
			f64 = append(f64, float64(v)/7)
			d.want = append(d.want, float64(v)/7)
		}
	}
	types := []arrowparquet.Type{arrowparquet.Types.Boolean, arrowparquet.Types.Int32, arrowparquet.Types.Int64, arrowparquet.Types.Float, arrowparquet.Types.Double}
	node, err := schema.NewPrimitiveNode(name, repetition, types[kind], -1, -1)
	if err != nil {
		rt.Fatal(err)
	}
	d.node = node
	d.put = func(w file.ColumnChunkWriter) (err error) {
		switch w := w.(type) {
		case *file.BooleanColumnChunkWriter:
			_, err = w.WriteBatch(bools, d.levels, nil)
		case *file.Int32ColumnChunkWriter:
			_, err = w.WriteBatch(i32, d.levels, nil)
		case *file.Int64ColumnChunkWriter:
			_, err = w.WriteBatch(i64, d.levels, nil)
		case *file.Float32ColumnChunkWriter:
			_, err = w.WriteBatch(f32, d.levels, nil)
		case *file.Float64ColumnChunkWriter:
			_, err = w.WriteBatch(f64, d.levels, nil)
		}
		return err
	}
	return d
}

func (d drawn) encodings() []arrowparquet.Encoding {
	e := arrowparquet.Encodings
	switch d.node.(*schema.PrimitiveNode).PhysicalType() {
	case arrowparquet.Types.Boolean:
		if len(d.want) > 500 { // of more than 832 truth values Arrow's writer loses some, and its reader with them
			return []arrowparquet.Encoding{e.Plain}
		}
		return []arrowparquet.Encoding{e.Plain, e.RLE}
	case arrowparquet.Types.Int32, arrowparquet.Types.Int64:
		return []arrowparquet.Encoding{e.Plain, e.RLEDict, e.DeltaBinaryPacked, e.ByteStreamSplit}
	}
	return []arrowparquet.Encoding{e.Plain, e.RLEDict, e.ByteStreamSplit}
}

func TestArrowsParquetIsRead(t *testing.T) {
	codecs := []compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Gzip, compress.Codecs.Brotli, compress.Codecs.Zstd, compress.Codecs.Lz4Raw}
	rapid.Check(t, func(rt *rapid.T) {
		rows := rapid.IntRange(1, 3000).Draw(rt, "rows")
		props := []arrowparquet.WriterProperty{
			arrowparquet.WithCompression(rapid.SampledFrom(codecs).Draw(rt, "codec")),
			arrowparquet.WithDataPageSize(rapid.SampledFrom([]int64{256, 4 << 10, 1 << 20}).Draw(rt, "page")),
			arrowparquet.WithBatchSize(64),
			arrowparquet.WithDictionaryDefault(false),
		}
		if rapid.Bool().Draw(rt, "version 2") {
			props = append(props, arrowparquet.WithDataPageVersion(arrowparquet.DataPageV2))
		}
		var cols []drawn
		var fields schema.FieldList
		for i := range rapid.IntRange(1, 3).Draw(rt, "columns") {
			d := drawColumn(rt, string(rune('a'+i)), rows)
			if e := rapid.SampledFrom(d.encodings()).Draw(rt, "encoding"); e == arrowparquet.Encodings.RLEDict {
				props = append(props, arrowparquet.WithDictionaryFor(d.path, true))
			} else {
				props = append(props, arrowparquet.WithEncodingFor(d.path, e))
			}
			cols, fields = append(cols, d), append(fields, d.node)
		}
		root, err := schema.NewGroupNode("schema", arrowparquet.Repetitions.Required, fields, -1)
		if err != nil {
			rt.Fatal(err)
		}
		var b bytes.Buffer
		w := file.NewParquetWriter(&b, root, file.WithWriterProps(arrowparquet.NewWriterProperties(props...)))
		rg, err := w.AppendRowGroupChecked()
		if err != nil {
			rt.Fatal(err)
		}
		for _, d := range cols {
			cw, err := rg.NextColumn()
			if err == nil {
				err = d.put(cw)
			}
			if err == nil {
				err = cw.Close()
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			rt.Fatal(err)
		}
		f, err := parquet.Open(bytes.NewReader(b.Bytes()), int64(b.Len()), 64<<20)
		if err != nil {
			rt.Fatal(err)
		}
		step := rapid.IntRange(1, 2*rows).Draw(rt, "step")
		for i, d := range cols {
			r, err := f.Chunk(0, i)
			if err != nil {
				rt.Fatal(err)
			}
			got := make([]float64, rows)
			for at := 0; at < rows; at += step {
				if err := r.Read(got[at:min(rows, at+step)]); err != nil {
					rt.Fatalf("column %s: %v", d.path, err)
				}
			}
			for k := range got {
				if !sameBits(got[k], d.want[k]) && !(math.IsNaN(got[k]) && math.IsNaN(d.want[k])) {
					rt.Fatalf("column %s, row %d: %v in place of %v", d.path, k, got[k], d.want[k])
				}
			}
			if err := r.Read(make([]float64, 1)); err == nil {
				rt.Fatalf("column %s goes on behind its rows", d.path)
			}
		}
	})
}

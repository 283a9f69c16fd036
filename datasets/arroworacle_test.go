package datasets_test

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"testing"

	foreign "github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/endian"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"pgregory.net/rapid"

	"ident/internal/arrow"
)

// Arrow's library is the other implementation of internal/arrow's format: it reads the files of Writer, and writes those
// of Open, in every type of numbers, between columns of all others. Values are equal to the bit.

func TestArrowReadsOurArrow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		stream := rapid.Bool().Draw(rt, "stream")
		names := rapid.SliceOfNDistinct(rapid.StringN(0, 9, -1), 0, 5, rapid.ID[string]).Draw(rt, "names")
		batches := rapid.SliceOfN(rapid.IntRange(1, 200), 0, 4).Draw(rt, "rows")
		pairs := func(label string) []arrow.KeyValue {
			var p []arrow.KeyValue
			for _, k := range rapid.SliceOfN(rapid.String(), 0, 3).Draw(rt, label) {
				p = append(p, arrow.KeyValue{Key: k, Value: rapid.String().Draw(rt, label)})
			}
			return p
		}
		meta, columnMeta := pairs("metadata"), make([][]arrow.KeyValue, len(names))
		for i := range names {
			columnMeta[i] = pairs("of a column")
		}
		var b bytes.Buffer
		w, err := arrow.NewWriter(&b, stream, names, columnMeta, meta)
		if err != nil {
			rt.Fatal(err)
		}
		all := make([][]float64, len(names))
		for _, rows := range batches {
			cols := make([][]float64, len(names))
			for i := range cols {
				cols[i] = rapid.SliceOfN(rapid.Float64(), rows, rows).Draw(rt, "values")
				all[i] = append(all[i], cols[i]...)
			}
			if err := w.Batch(cols); err != nil {
				rt.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			rt.Fatal(err)
		}
		schema, got := readForeign(rt, b.Bytes(), stream)
		equal := func(have foreign.Metadata, want []arrow.KeyValue) {
			var pairs []arrow.KeyValue
			for i, k := range have.Keys() {
				pairs = append(pairs, arrow.KeyValue{Key: k, Value: have.Values()[i]})
			}
			if !slices.Equal(pairs, want) {
				rt.Fatalf("metadata %q in place of %q", pairs, want)
			}
		}
		equal(schema.Metadata(), meta)
		for i, f := range schema.Fields() {
			if f.Name != names[i] || f.Nullable || !slices.EqualFunc(got[i], all[i], sameBits) {
				rt.Fatalf("column %q in place of %q, or its values", f.Name, names[i])
			}
			equal(f.Metadata, columnMeta[i])
		}
		if len(schema.Fields()) != len(names) {
			rt.Fatalf("%d columns in place of %d", len(schema.Fields()), len(names))
		}
		// And it is read back.
		f, err := arrow.Open(bytes.NewReader(b.Bytes()), int64(b.Len()), 1<<20)
		if err != nil {
			rt.Fatal(err)
		}
		for i := range names {
			if !slices.EqualFunc(readColumn(rt, f, i, 7), all[i], sameBits) {
				rt.Fatalf("column %q read back", names[i])
			}
		}
	})
}

// readForeign reads doubles with Arrow's library.
func readForeign(t rapid.TB, data []byte, stream bool) (*foreign.Schema, [][]float64) {
	t.Helper()
	var cols [][]float64
	take := func(rec foreign.RecordBatch) {
		for i := range cols {
			cols[i] = append(cols[i], rec.Column(i).(*array.Float64).Float64Values()...)
		}
	}
	if stream {
		r, err := ipc.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		cols = make([][]float64, r.Schema().NumFields())
		for r.Next() {
			take(r.RecordBatch())
		}
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
		return r.Schema(), cols
	}
	r, err := ipc.NewFileReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	cols = make([][]float64, r.Schema().NumFields())
	for i := range r.NumRecords() {
		rec, err := r.RecordBatch(i)
		if err != nil {
			t.Fatal(err)
		}
		take(rec)
	}
	return r.Schema(), cols
}

// readColumn reads all rows of a column, step by step.
func readColumn(t rapid.TB, f *arrow.File, k, step int) []float64 {
	t.Helper()
	var all []float64
	for i, n := range f.Rows {
		b, err := f.Batch(i)
		if err != nil {
			t.Fatal(err)
		}
		v, err := b.Column(k)
		if err != nil {
			t.Fatal(err)
		}
		if f.Columns[k].Kind == arrow.Timestamp {
			v.Origin = epoch
		}
		rows := make([]float64, n)
		for at := 0; at < len(rows); at += step {
			if err := v.Read(rows[at:min(at+step, len(rows))], at); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, rows...)
	}
	return all
}

// epoch is the origin of the time stamps that are read.
const epoch = 1_700_000_000_000

// others are types whose values are no numbers, each with the text of a value.
var others = []struct {
	kind foreign.DataType
	text string
}{
	{foreign.Null, array.NullValueStr},
	{foreign.BinaryTypes.String, "words"},
	{foreign.BinaryTypes.LargeString, "words"},
	{foreign.BinaryTypes.Binary, "AAEC"},
	{foreign.BinaryTypes.StringView, "a text of more than twelve bytes"},
	{foreign.BinaryTypes.BinaryView, "AAECAAECAAECAAECAAECAAEC"},
	{&foreign.FixedSizeBinaryType{ByteWidth: 3}, "AAEC"},
	{&foreign.Decimal128Type{Precision: 9, Scale: 2}, "1.25"},
	{foreign.FixedWidthTypes.Date32, "2024-05-01"},
	{foreign.FixedWidthTypes.MonthInterval, "3"},
	{foreign.ListOf(foreign.PrimitiveTypes.Float64), "[1, 2]"},
	{foreign.LargeListOf(foreign.BinaryTypes.StringView), `["a text of more than twelve bytes"]`},
	{foreign.FixedSizeListOf(2, foreign.PrimitiveTypes.Int8), "[1, 2]"},
	{foreign.ListViewOf(foreign.PrimitiveTypes.Int8), "[1, 2]"},
	{foreign.MapOf(foreign.BinaryTypes.String, foreign.PrimitiveTypes.Int8), `[{"key": "a", "value": 1}]`},
	{foreign.StructOf(foreign.Field{Name: "x", Type: foreign.PrimitiveTypes.Int8, Nullable: true}, foreign.Field{Name: "y", Type: foreign.BinaryTypes.String, Nullable: true}), `{"x": 1, "y": "b"}`},
	{&foreign.DictionaryType{IndexType: foreign.PrimitiveTypes.Int8, ValueType: foreign.BinaryTypes.String}, "words"},
	{foreign.RunEndEncodedOf(foreign.PrimitiveTypes.Int32, foreign.PrimitiveTypes.Float64), "2"},
	{foreign.SparseUnionOf([]foreign.Field{{Name: "x", Type: foreign.PrimitiveTypes.Int8, Nullable: true}}, []foreign.UnionTypeCode{0}), ""},
	{foreign.DenseUnionOf([]foreign.Field{{Name: "x", Type: foreign.PrimitiveTypes.Int8, Nullable: true}}, []foreign.UnionTypeCode{0}), ""},
}

// numbers are types of numbers.
var numbers = []foreign.DataType{
	foreign.FixedWidthTypes.Boolean,
	foreign.PrimitiveTypes.Int8, foreign.PrimitiveTypes.Int16, foreign.PrimitiveTypes.Int32, foreign.PrimitiveTypes.Int64,
	foreign.PrimitiveTypes.Uint8, foreign.PrimitiveTypes.Uint16, foreign.PrimitiveTypes.Uint32, foreign.PrimitiveTypes.Uint64,
	foreign.FixedWidthTypes.Float16, foreign.PrimitiveTypes.Float32, foreign.PrimitiveTypes.Float64,
	foreign.FixedWidthTypes.Timestamp_ns, foreign.FixedWidthTypes.Duration_us, foreign.FixedWidthTypes.Time32s, foreign.FixedWidthTypes.Time64us,
}

// appendNumber appends a number to a column and returns it as a float64.
func appendNumber(t *rapid.T, b array.Builder) float64 {
	v := rapid.Int64().Draw(t, "value")
	switch b := b.(type) {
	case *array.BooleanBuilder:
		b.Append(v&1 == 1)
		return float64(v & 1)
	case *array.Int8Builder:
		b.Append(int8(v))
		return float64(int8(v))
	case *array.Int16Builder:
		b.Append(int16(v))
		return float64(int16(v))
	case *array.Int32Builder:
		b.Append(int32(v))
		return float64(int32(v))
	case *array.Int64Builder:
		b.Append(v)
		return float64(v)
	case *array.Uint8Builder:
		b.Append(uint8(v))
		return float64(uint8(v))
	case *array.Uint16Builder:
		b.Append(uint16(v))
		return float64(uint16(v))
	case *array.Uint32Builder:
		b.Append(uint32(v))
		return float64(uint32(v))
	case *array.Uint64Builder:
		b.Append(uint64(v))
		return float64(uint64(v))
	case *array.Float16Builder:
		n := float16.FromBits(uint16(v))
		b.Append(n)
		if small := float64(v&1023) / (1 << 24); v>>10&31 == 0 { // which Arrow's own conversion makes 1e-41 in place of 6e-8
			return math.Copysign(small, 0.5-float64(v>>15&1))
		}
		return float64(n.Float32())
	case *array.Float32Builder:
		n := math.Float32frombits(uint32(v))
		b.Append(n)
		return float64(n)
	case *array.Float64Builder:
		n := math.Float64frombits(uint64(v))
		b.Append(n)
		return n
	case *array.TimestampBuilder:
		b.Append(foreign.Timestamp(v))
		return float64(v - epoch)
	case *array.DurationBuilder:
		b.Append(foreign.Duration(v))
		return float64(v)
	case *array.Time32Builder:
		b.Append(foreign.Time32(int32(v)))
		return float64(int32(v))
	case *array.Time64Builder:
		b.Append(foreign.Time64(v))
		return float64(v)
	}
	t.Fatalf("no values of %v", b.Type())
	return 0
}

// appendOther appends a value that is no number.
func appendOther(t *rapid.T, b array.Builder, text string) {
	if text == "" {
		b.AppendEmptyValue()
	} else if err := b.AppendValueFromString(text); err != nil {
		t.Fatalf("%v: %v", b.Type(), err)
	}
}

func TestArrowsArrowIsRead(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var fields []foreign.Field
		texts := map[int]string{} // of columns without numbers
		least := 0                // rows of a batch
		for i := range rapid.IntRange(1, 6).Draw(rt, "columns") {
			f := foreign.Field{Name: string(rune('a' + i)), Nullable: rapid.Bool().Draw(rt, "nulls")}
			if rapid.Bool().Draw(rt, "numbers") {
				f.Type = rapid.SampledFrom(numbers).Draw(rt, "type")
			} else {
				o := others[rapid.IntRange(0, len(others)-1).Draw(rt, "type")]
				f.Type, texts[i] = o.kind, o.text
				if f.Type.ID() == foreign.DICTIONARY { // the same in every batch, as files have one alone
					f.Nullable, least = false, 1
				}
			}
			fields = append(fields, f)
		}
		schema := foreign.NewSchema(fields, nil)
		opts := []ipc.Option{ipc.WithSchema(schema)}
		opts = append(opts, [][]ipc.Option{nil, {ipc.WithLZ4()}, {ipc.WithZstd()}}[rapid.IntRange(0, 2).Draw(rt, "codec")]...)
		var data bytes.Buffer
		var w interface {
			Write(foreign.RecordBatch) error
			Close() error
		}
		if rapid.Bool().Draw(rt, "stream") {
			w = ipc.NewWriter(&data, opts...)
		} else if fw, err := ipc.NewFileWriter(&data, opts...); err != nil {
			rt.Fatal(err)
		} else {
			w = fw
		}
		want := make([][]float64, len(fields))
		b := array.NewRecordBuilder(memory.NewGoAllocator(), schema)
		for range rapid.IntRange(0, 3).Draw(rt, "batches") {
			for range rapid.IntRange(least, 50).Draw(rt, "rows") {
				for i, f := range fields {
					value := math.NaN()
					if text, other := texts[i]; f.Nullable && rapid.IntRange(0, 3).Draw(rt, "null") == 0 {
						b.Field(i).AppendNull()
					} else if other {
						appendOther(rt, b.Field(i), text)
					} else {
						value = appendNumber(rt, b.Field(i))
					}
					want[i] = append(want[i], value)
				}
			}
			if err := w.Write(b.NewRecordBatch()); err != nil {
				rt.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			rt.Fatal(err)
		}
		f, err := arrow.Open(bytes.NewReader(data.Bytes()), int64(data.Len()), 1<<20)
		if err != nil {
			rt.Fatal(err)
		}
		step := rapid.IntRange(1, 60).Draw(rt, "step")
		for i, c := range f.Columns {
			_, other := texts[i]
			if c.Name != fields[i].Name || (c.Kind == arrow.Other) != other {
				rt.Fatalf("column %q of kind %v in place of %v", c.Name, c.Kind, fields[i])
			}
			if other {
				continue
			}
			got := readColumn(rt, f, i, step)
			if !slices.EqualFunc(got, want[i], func(a, b float64) bool { return sameBits(a, b) || math.IsNaN(a) && math.IsNaN(b) }) {
				rt.Fatalf("column %d, %v: %v in place of %v", i, fields[i].Type, got, want[i])
			}
		}
	})
}

// A schema of the other order of bytes turns all numbers of one and more bytes.
func TestBigEndian(t *testing.T) {
	schema := foreign.NewSchema([]foreign.Field{{Name: "x", Type: foreign.PrimitiveTypes.Float64}, {Name: "n", Type: foreign.PrimitiveTypes.Int16}}, nil)
	var data bytes.Buffer
	w := ipc.NewWriter(&data, ipc.WithSchema(schema.WithEndianness(endian.NonNativeEndian)))
	b := array.NewRecordBuilder(memory.NewGoAllocator(), schema)
	b.Field(0).(*array.Float64Builder).Append(math.Float64frombits(bits.ReverseBytes64(math.Float64bits(1.25))))
	b.Field(1).(*array.Int16Builder).Append(int16(bits.ReverseBytes16(513)))
	rec := b.NewRecordBatch()
	if err := w.Write(array.NewRecordBatch(schema.WithEndianness(endian.NonNativeEndian), rec.Columns(), 1)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := arrow.Open(bytes.NewReader(data.Bytes()), int64(data.Len()), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if x, n := readColumn(t, f, 0, 1), readColumn(t, f, 1, 1); x[0] != 1.25 || n[0] != 513 {
		t.Errorf("%v and %v in place of 1.25 and 513", x, n)
	}
}

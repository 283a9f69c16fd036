package datasets

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// foreignArrow writes the columns of foreignParquet, and a column of words, as Arrow: in three batches,
// the second of them empty.
func foreignArrow(t testing.TB, rows int, stream bool, opts ...ipc.Option) []byte {
	t.Helper()
	words := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	sc := arrow.NewSchema([]arrow.Field{
		{Name: "t", Type: arrow.FixedWidthTypes.Timestamp_ns, Nullable: true},
		{Name: "stamp_ms", Type: arrow.FixedWidthTypes.Timestamp_ms},
		{Name: "f", Type: arrow.PrimitiveTypes.Float32, Nullable: true, Metadata: arrow.NewMetadata([]string{"unit"}, []string{"deg"})},
		{Name: "i32", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "u32", Type: arrow.PrimitiveTypes.Uint32},
		{Name: "i64", Type: arrow.PrimitiveTypes.Int64},
		{Name: "mode", Type: words},
		{Name: "cents", Type: arrow.FixedWidthTypes.Duration_ms},
		{Name: "on", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Float64)},
		{Name: "d", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	}, nil)
	var buf bytes.Buffer
	var w interface {
		Write(arrow.RecordBatch) error
		Close() error
	}
	opts = append(opts, ipc.WithSchema(sc))
	if stream {
		w = ipc.NewWriter(&buf, opts...)
	} else {
		fw, err := ipc.NewFileWriter(&buf, opts...)
		if err != nil {
			t.Fatal(err)
		}
		w = fw
	}
	b := array.NewRecordBuilder(memory.NewGoAllocator(), sc)
	for _, r := range [][2]int{{0, rows / 2}, {rows / 2, rows / 2}, {rows / 2, rows}} {
		for k := r[0]; k < r[1]; k++ {
			b.Field(1).(*array.TimestampBuilder).Append(arrow.Timestamp(foreignEpoch/1_000_000 + k))
			b.Field(4).(*array.Uint32Builder).Append(uint32(math.MaxUint32 - k))
			b.Field(5).(*array.Int64Builder).Append(int64(k))
			if err := b.Field(6).(*array.BinaryDictionaryBuilder).AppendString([]string{"run", "stop"}[k%2]); err != nil {
				t.Fatal(err)
			}
			b.Field(7).(*array.DurationBuilder).Append(arrow.Duration(10 * k))
			b.Field(9).(*array.ListBuilder).AppendNull()
			if !present(k) {
				for _, i := range []int{0, 2, 3, 8, 10} {
					b.Field(i).AppendNull()
				}
				continue
			}
			b.Field(0).(*array.TimestampBuilder).Append(arrow.Timestamp(foreignEpoch + k*1_000_000))
			b.Field(2).(*array.Float32Builder).Append(float32(k))
			b.Field(3).(*array.Int32Builder).Append(int32(-k))
			b.Field(8).(*array.BooleanBuilder).Append(k%2 == 0)
			b.Field(10).(*array.Float64Builder).Append(float64(k) / 7)
		}
		rec := b.NewRecordBatch()
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestArrowOfOtherPrograms(t *testing.T) {
	const rows = 3001
	for name, opts := range map[string][]ipc.Option{"plain": nil, "lz4": {ipc.WithLZ4()}, "zstd": {ipc.WithZstd()}} {
		for _, stream := range []bool{false, true} {
			l, err := Open(writeFile(t, "x.arrow", foreignArrow(t, rows, stream, opts...)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			names, want := foreignWant(rows)
			if !slices.Equal(l.Names(), names) {
				t.Fatalf("channels %v", l.Names())
			}
			wantColumns(t, name, l, names, want)
			part := make([][]float64, len(want))
			for i := range want {
				part[i] = want[i][1400:1600]
			}
			wantColumns(t, name+", a slice", l.Slice(1400, 1600), names, part)
			if notes := l.Notes(); len(notes) != 2 || notes[0].Channel != "mode" || notes[1].Channel != "list" {
				t.Errorf("notes %v", notes)
			}
			l.Close()
		}
	}
}

func TestArrowErrors(t *testing.T) {
	data := foreignArrow(t, 100, false)
	for _, c := range []struct {
		name string
		data []byte
		kind error
	}{
		{"empty", nil, ErrFormat},
		{"text", []byte("t,q1\n0,1\n"), ErrFormat},
		{"half", data[:len(data)/2], ErrTruncated},
		{"half a stream", foreignArrow(t, 100, true)[:2000], ErrTruncated},
		{"Feather 1", []byte("FEA1........FEA1"), ErrFormat},
		{"Parquet", []byte("PAR1........PAR1"), ErrFormat},
	} {
		if _, err := Open(writeFile(t, "x.arrow", c.data), Options{}); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), "x.arrow") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

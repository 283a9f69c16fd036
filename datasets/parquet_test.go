package datasets

import (
	"bytes"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// foreignParquet writes a file as other programs do: every numeric type, nulls, time stamps, columns that
// are not channels, two row groups. codec, dictionary and page version vary.
func foreignParquet(t testing.TB, rows int, props ...parquet.WriterProperty) []byte {
	t.Helper()
	must := func(n schema.Node, err error) schema.Node {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	req, opt := parquet.Repetitions.Required, parquet.Repetitions.Optional
	stamp := func(u schema.TimeUnitType) schema.LogicalType { return schema.NewTimestampLogicalType(true, u) }
	fields := schema.FieldList{
		must(schema.NewPrimitiveNodeLogical("t", opt, stamp(schema.TimeUnitNanos), parquet.Types.Int64, 0, -1)),
		must(schema.NewPrimitiveNodeLogical("stamp_ms", req, stamp(schema.TimeUnitMillis), parquet.Types.Int64, 0, -1)),
		schema.NewFloat32Node("f [deg]", opt, -1),
		schema.NewInt32Node("i32", opt, -1),
		must(schema.NewPrimitiveNodeLogical("u32", req, schema.NewIntLogicalType(32, false), parquet.Types.Int32, 0, -1)),
		schema.NewInt64Node("i64", req, -1),
		must(schema.NewPrimitiveNodeLogical("cents", req, schema.NewDecimalLogicalType(9, 2), parquet.Types.Int32, 0, -1)),
		schema.NewBooleanNode("on", opt, -1),
		schema.NewByteArrayNode("mode", req, -1),
		schema.NewFloat64Node("d", opt, -1),
		must(schema.NewGroupNode("pose", req, schema.FieldList{schema.NewFloat64Node("x", req, -1)}, -1)),
		must(schema.NewGroupNode("samples", req, schema.FieldList{schema.NewFloat64Node("v", parquet.Repetitions.Repeated, -1)}, -1)),
	}
	root, err := schema.NewGroupNode("schema", req, fields, -1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := file.NewParquetWriter(&b, root, file.WithWriterProps(parquet.NewWriterProperties(props...)))
	for from := 0; from < rows; from += rows/2 + 1 {
		to := min(rows, from+rows/2+1)
		rg, err := w.AppendRowGroupChecked()
		if err != nil {
			t.Fatal(err)
		}
		for c := 0; c < 12; c++ {
			cw, err := rg.NextColumn()
			if err != nil {
				t.Fatal(err)
			}
			writeForeign(t, cw, c, from, to)
			if err := cw.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := rg.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const foreignEpoch = 1_700_000_000_123_456_789

// present is the pattern of values in a column with nulls.
func present(row int) bool { return row%3 != 0 }

func writeForeign(t testing.TB, cw file.ColumnChunkWriter, c, from, to int) {
	t.Helper()
	var levels, ones, zeros []int16
	var i64, i64p []int64
	var f32 []float32
	var i32, i32p []int32
	var on []bool
	var f64, f64p []float64
	var text []parquet.ByteArray
	for k := from; k < to; k++ {
		ones, zeros = append(ones, 1), append(zeros, 0)
		i64, i32, f64 = append(i64, int64(k)), append(i32, int32(k)), append(f64, float64(k))
		text = append(text, parquet.ByteArray("run"))
		if !present(k) {
			levels = append(levels, 0)
			continue
		}
		levels = append(levels, 1)
		i64p = append(i64p, foreignEpoch+int64(k)*1_000_000)
		f32, i32p, on, f64p = append(f32, float32(k)), append(i32p, int32(-k)), append(on, k%2 == 0), append(f64p, float64(k)/7)
	}
	var err error
	switch w := cw.(type) {
	case *file.Int64ColumnChunkWriter:
		if c == 0 {
			_, err = w.WriteBatch(i64p, levels, nil)
		} else {
			_, err = w.WriteBatch(i64, nil, nil)
		}
	case *file.Float32ColumnChunkWriter:
		_, err = w.WriteBatch(f32, levels, nil)
	case *file.Int32ColumnChunkWriter:
		switch c {
		case 3:
			_, err = w.WriteBatch(i32p, levels, nil)
		case 4:
			for i := range i32 {
				i32[i] = -1 - i32[i]
			}
			_, err = w.WriteBatch(i32, nil, nil)
		default:
			_, err = w.WriteBatch(i32, nil, nil)
		}
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(on, levels, nil)
	case *file.ByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(text, nil, nil)
	case *file.Float64ColumnChunkWriter:
		switch c {
		case 9:
			_, err = w.WriteBatch(f64p, levels, nil)
		case 10:
			_, err = w.WriteBatch(f64, nil, nil)
		default:
			_, err = w.WriteBatch(f64, ones, zeros)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// foreignWant is the values of the columns of foreignParquet and foreignArrow, in SI.
func foreignWant(rows int) (names []string, want [][]float64) {
	names = []string{"t", "stamp_ms", "f", "i32", "u32", "i64", "cents", "on", "d"}
	want = make([][]float64, len(names))
	for k := range rows {
		x := float64(k)
		v := []float64{(x - 1) * 1e6 / 1e9, x / 1e3, float64(float32(k)) * (math.Pi / 180), -x, float64(math.MaxUint32 - k), x, x / 100, 1 - float64(k%2), x / 7}
		for i := range v {
			if nullable := i == 0 || i == 2 || i == 3 || i == 7 || i == 8; nullable && !present(k) {
				v[i] = math.NaN()
			}
			want[i] = append(want[i], v[i])
		}
	}
	return names, want
}

func TestParquetOfOtherPrograms(t *testing.T) {
	const rows = 5000
	for name, props := range map[string][]parquet.WriterProperty{
		"snappy, dictionary": {parquet.WithCompression(compress.Codecs.Snappy)},
		"gzip, version 2":    {parquet.WithCompression(compress.Codecs.Gzip), parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithVersion(parquet.V2_LATEST)},
		"plain, small pages": {parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(512), parquet.WithBatchSize(64)},
		"brotli, indexed":    {parquet.WithCompression(compress.Codecs.Brotli), parquet.WithPageIndexEnabled(true), parquet.WithDataPageSize(512), parquet.WithBatchSize(64)},
		"lz4":                {parquet.WithCompression(compress.Codecs.Lz4Raw)},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := Open(writeFile(t, "x.parquet", foreignParquet(t, rows, props...)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			names, want := foreignWant(rows)
			names = append(names, "pose.x", "samples.v[0]")
			nested := make([]float64, rows)
			for k := range nested {
				nested[k] = float64(k)
			}
			want = append(want, nested, nested)
			if !slices.Equal(l.Names(), names) {
				t.Fatalf("channels %v", l.Names())
			}
			wantColumns(t, name, l, names, want)
			part := make([][]float64, len(want))
			for i := range want {
				part[i] = want[i][1234:4321]
			}
			wantColumns(t, name+", a slice", l.Slice(1234, 4321), names, part)
			if notes := l.Notes(); len(notes) != 1 || notes[0].Channel != "mode" {
				t.Errorf("notes %v", notes)
			}
		})
	}
}

func TestParquetErrors(t *testing.T) {
	data := foreignParquet(t, 100)
	for _, c := range []struct {
		name string
		data []byte
		kind error
	}{
		{"empty", nil, ErrFormat},
		{"text", []byte("t,q1\n0,1\n"), ErrFormat},
		{"half", data[:len(data)/2], ErrTruncated},
		{"only magic", []byte("PAR1\xff\xff\xff\x7fPAR1"), ErrDamaged},
	} {
		if _, err := Open(writeFile(t, "x.parquet", c.data), Options{}); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), "x.parquet") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// Bytes of a data page overwritten: the column and the row group are named.
	path := writeFile(t, "x.parquet", nil)
	channels, cols := sample(3, 1000)
	if err := Write(path, channels, nil, func(w *Writer) error { return w.Append(cols) }); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(good[4:], bytes.Repeat([]byte{0xff}, 64))
	l, err := Open(writeFile(t, "x.parquet", good), Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Column("t")
	if want := `row group 1, column "t": the file is damaged`; !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := l.Column("q2"); err != nil {
		t.Errorf("the other columns are whole: %v", err)
	}
}

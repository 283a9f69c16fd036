package datasets

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// parquetEncoder collects a row group in memory and writes it column by column.
type parquetEncoder struct {
	to     io.Writer
	root   *schema.GroupNode
	meta   metadata.KeyValueMetadata
	w      *file.Writer // from the first row group on
	cols   [][]float64
	group  int // rows in a row group
	header []string
}

func newParquetEncoder(w io.Writer, channels []Channel, meta map[string]string) (encoder, error) {
	e := &parquetEncoder{to: w, meta: metadata.NewKeyValueMetadata(), cols: make([][]float64, len(channels))}
	fields := make(schema.FieldList, len(channels))
	for i, c := range channels {
		e.header = append(e.header, headerOf(c.Name))
		fields[i] = schema.NewFloat64Node(e.header[i], parquet.Repetitions.Required, -1)
	}
	var err error
	if e.root, err = schema.NewGroupNode("log", parquet.Repetitions.Required, fields, -1); err != nil {
		return nil, err
	}
	all := withUnits(channels, meta)
	for _, k := range sortedKeys(all) {
		if err := e.meta.Append(k, all[k]); err != nil {
			return nil, err
		}
	}
	const rows, memory = 64 << 10, 1 << 23 // 64 MiB of values at most
	e.group = max(1024, min(rows, memory/max(1, len(channels))))
	return e, nil
}

// begin opens the file's writer, when the first row group shows which columns
// are worth compressing.
func (e *parquetEncoder) begin() error {
	// Dictionaries do not help with measured numbers. Small pages bound the memory of a reader of many columns.
	props := []parquet.WriterProperty{
		parquet.WithDictionaryDefault(false),
		parquet.WithEncoding(parquet.Encodings.Plain),
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1),
		parquet.WithDataPageSize(128 << 10),
		parquet.WithCreatedBy("ident")}
	codec, err := compress.GetCodec(compress.Codecs.Zstd)
	if err != nil {
		return err
	}
	var plain, packed []byte
	for i, c := range e.cols {
		plain = plain[:0]
		for _, v := range c[:min(len(c), sampleRows)] {
			plain = binary.LittleEndian.AppendUint64(plain, math.Float64bits(v))
		}
		packed = codec.EncodeLevel(packed[:0], plain, 1)
		if len(plain) > 0 && float64(len(packed)) > worthPacking*float64(len(plain)) {
			props = append(props, parquet.WithCompressionPath(parquet.ColumnPath{e.header[i]}, compress.Codecs.Uncompressed))
		}
	}
	e.w, err = file.NewParquetWriterWithError(e.to, e.root, file.WithWriterProps(parquet.NewWriterProperties(props...)), file.WithWriteMetadata(e.meta))
	return err
}

// Columns of noise, whose digits are random, lose less than a tenth of their
// length to a compressor that takes longer than all the rest of writing them.
const (
	worthPacking = 0.9
	sampleRows   = 8 << 10
)

func (e *parquetEncoder) append(cols [][]float64) error {
	for at, n := 0, len(cols[0]); at < n; {
		m := min(n-at, e.group-len(e.cols[0]))
		for i, c := range cols {
			if have := len(e.cols[i]); have+m > cap(e.cols[i]) {
				// Never beyond a row group, and with little copying on the way there.
				e.cols[i] = slices.Grow(e.cols[i], min(e.group, max(have+m, 4*have))-have)
			}
			e.cols[i] = append(e.cols[i], c[at:at+m]...)
		}
		at += m
		if len(e.cols[0]) == e.group {
			if err := e.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *parquetEncoder) flush() error {
	if e.w == nil {
		if err := e.begin(); err != nil {
			return err
		}
	}
	rg, err := e.w.AppendRowGroupChecked()
	if err != nil {
		return err
	}
	for i := range e.cols {
		cw, err := rg.NextColumn()
		if err != nil {
			return err
		}
		fw, ok := cw.(*file.Float64ColumnChunkWriter)
		if !ok {
			return fmt.Errorf("column %d: unexpected writer %T", i, cw)
		}
		if _, err := fw.WriteBatch(e.cols[i], nil, nil); err != nil {
			return err
		}
		if err := cw.Close(); err != nil {
			return err
		}
		e.cols[i] = e.cols[i][:0]
	}
	return rg.Close()
}

func (e *parquetEncoder) close() error {
	if len(e.cols) > 0 && len(e.cols[0]) > 0 {
		if err := e.flush(); err != nil {
			return err
		}
	}
	if e.w == nil {
		if err := e.begin(); err != nil {
			return err
		}
	}
	return e.w.Close()
}

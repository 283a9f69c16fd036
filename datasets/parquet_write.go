package datasets

import (
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// parquetEncoder collects a row group in memory and writes it column by column: PLAIN in pages of version 1, each a frame of
// ZSTD with a checksum. Rows that come together and fill a quarter of a row group are one from where they are.
type parquetEncoder struct {
	w       *file.Writer
	headers []string
	meta    map[string]string
	cols    [][]float64
	part    [][]float64 // rows from where they are
	group   int         // rows in a row group at most
	rows    int         // written
}

func newParquetEncoder(w io.Writer, channels []Channel, meta map[string]string) (encoder, error) {
	e := &parquetEncoder{meta: withUnits(channels, meta), cols: make([][]float64, len(channels))}
	delete(e.meta, checksumKey)
	fields := make(schema.FieldList, len(channels))
	for i, c := range channels {
		e.headers = append(e.headers, headerOf(c.Name))
		fields[i] = schema.NewFloat64Node(e.headers[i], parquet.Repetitions.Required, -1)
	}
	root, err := schema.NewGroupNode("log", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return nil, err
	}
	const rows, memory = 64 << 10, 1 << 23 // 64 MiB of values at most
	e.group = max(1024, min(rows, memory/max(1, len(channels))))
	// Dictionaries and statistics do not help with measured numbers.
	props := parquet.NewWriterProperties(
		parquet.WithDictionaryDefault(false), parquet.WithStats(false), parquet.WithEncoding(parquet.Encodings.Plain),
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDataPageSize(8*pageRows), parquet.WithBatchSize(pageRows),
		parquet.WithMaxRowGroupLength(rows), parquet.WithCreatedBy("ident"))
	e.w, err = file.NewParquetWriterWithError(struct{ io.Writer }{w}, root, file.WithWriterProps(props))
	return e, err
}

func (e *parquetEncoder) append(cols [][]float64) error {
	for at, n := 0, len(cols[0]); at < n; {
		if m := min(n-at, e.group); len(e.cols[0]) == 0 && m >= e.group/4 {
			e.part = e.part[:0]
			for _, c := range cols {
				e.part = append(e.part, c[at:at+m])
			}
			if err := e.write(e.part); err != nil {
				return err
			}
			at += m
			continue
		}
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
	err := e.write(e.cols)
	for i := range e.cols {
		e.cols[i] = e.cols[i][:0]
	}
	return err
}

// write writes a row group, one slice per column.
func (e *parquetEncoder) write(cols [][]float64) error {
	rg, err := e.w.AppendRowGroupChecked()
	if err != nil {
		return err
	}
	for _, c := range cols {
		cw, err := rg.NextColumn()
		if err != nil {
			return err
		}
		w, ok := cw.(*file.Float64ColumnChunkWriter)
		if !ok {
			return fmt.Errorf("unexpected writer %T", cw)
		}
		if _, err := w.WriteBatch(c, nil, nil); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	e.rows += len(cols[0])
	return rg.Close()
}

func (e *parquetEncoder) close() error {
	if len(e.cols) > 0 && len(e.cols[0]) > 0 {
		if err := e.flush(); err != nil {
			return err
		}
	}
	for _, k := range sortedKeys(e.meta) {
		if err := e.w.AppendKeyValueMetadata(k, e.meta[k]); err != nil {
			return err
		}
	}
	if err := e.w.AppendKeyValueMetadata(checksumKey, checksumOf(e.rows, e.headers, e.meta)); err != nil {
		return err
	}
	return e.w.Close()
}

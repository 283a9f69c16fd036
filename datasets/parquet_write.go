package datasets

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// parquetEncoder collects a row group in memory and writes it column by column.
type parquetEncoder struct {
	w     *file.Writer
	cols  [][]float64
	group int // rows in a row group
}

func newParquetEncoder(w io.Writer, channels []Channel, meta map[string]string) (encoder, error) {
	fields := make(schema.FieldList, len(channels))
	for i, c := range channels {
		fields[i] = schema.NewFloat64Node(headerOf(c.Name), parquet.Repetitions.Required, -1)
	}
	root, err := schema.NewGroupNode("log", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return nil, err
	}
	kv := metadata.NewKeyValueMetadata()
	all := withUnits(channels, meta)
	for _, k := range sortedKeys(all) {
		if err := kv.Append(k, all[k]); err != nil {
			return nil, err
		}
	}
	// Dictionaries do not help with measured numbers. Small pages bound the memory of a reader of many columns.
	props := parquet.NewWriterProperties(
		parquet.WithDictionaryDefault(false),
		parquet.WithEncoding(parquet.Encodings.Plain),
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1),
		parquet.WithDataPageSize(128<<10),
		parquet.WithCreatedBy("ident"))
	pw, err := file.NewParquetWriterWithError(w, root, file.WithWriterProps(props), file.WithWriteMetadata(kv))
	if err != nil {
		return nil, err
	}
	const rows, memory = 128 << 10, 1 << 23 // 64 MiB of values at most
	return &parquetEncoder{w: pw, cols: make([][]float64, len(channels)), group: max(1024, min(rows, memory/max(1, len(channels))))}, nil
}

func (e *parquetEncoder) append(cols [][]float64) error {
	for at, n := 0, len(cols[0]); at < n; {
		m := min(n-at, e.group-len(e.cols[0]))
		for i, c := range cols {
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
	return e.w.Close()
}

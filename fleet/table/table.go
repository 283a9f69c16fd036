// Package table writes tables of texts, numbers and times as Parquet files: the same table, the same bytes.
package table

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// Column is a column by its name: one of the three lists has the table's length, the others are nil.
type Column struct {
	Name     string
	Texts    []string
	Numbers  []float64
	Integers []int64
}

// rows returns the length of the column.
func (c *Column) rows() int { return max(len(c.Texts), len(c.Numbers), len(c.Integers)) }

// node returns the column's place in the file's schema.
func (c *Column) node() (schema.Node, error) {
	switch {
	case c.Numbers != nil:
		return schema.NewFloat64Node(c.Name, parquet.Repetitions.Required, -1), nil
	case c.Integers != nil:
		return schema.NewInt64Node(c.Name, parquet.Repetitions.Required, -1), nil
	}
	return schema.NewPrimitiveNodeLogical(c.Name, parquet.Repetitions.Required, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1)
}

// Write writes columns of one length in a row group, compressed by Zstandard. It does not close w, as the writer of Parquet would.
func Write(w io.Writer, columns ...Column) error {
	fields := make(schema.FieldList, len(columns))
	rows := 0
	for i := range columns {
		if rows = max(rows, columns[i].rows()); columns[i].rows() != rows {
			return fmt.Errorf("column %s has %d rows of %d", columns[i].Name, columns[i].rows(), rows)
		}
		var err error
		if fields[i], err = columns[i].node(); err != nil {
			return err
		}
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return err
	}
	to := file.NewParquetWriter(struct{ io.Writer }{w}, root, file.WithWriterProps(parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCreatedBy("ident-fleet"))))
	group := to.AppendRowGroup()
	for i := range columns {
		if err := columns[i].write(group); err != nil {
			return err
		}
	}
	if err := group.Close(); err != nil {
		return err
	}
	return to.Close()
}

// write appends the column to a row group.
func (c *Column) write(group file.SerialRowGroupWriter) error {
	chunk, err := group.NextColumn()
	if err != nil {
		return err
	}
	switch to := chunk.(type) {
	case *file.Float64ColumnChunkWriter:
		_, err = to.WriteBatch(c.Numbers, nil, nil)
	case *file.Int64ColumnChunkWriter:
		_, err = to.WriteBatch(c.Integers, nil, nil)
	case *file.ByteArrayColumnChunkWriter:
		texts := make([]parquet.ByteArray, len(c.Texts))
		for i, s := range c.Texts {
			texts[i] = parquet.ByteArray(s)
		}
		_, err = to.WriteBatch(texts, nil, nil)
	}
	if err != nil {
		return err
	}
	return chunk.Close()
}

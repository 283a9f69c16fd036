package datasets

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowEncoder collects a record batch in memory and writes it: float64 without nulls, each buffer a frame of ZSTD with a
// checksum.
type arrowEncoder struct {
	w interface {
		Write(arrow.RecordBatch) error
		Close() error
	}
	schema *arrow.Schema
	cols   [][]float64
	batch  int // rows in a batch
}

func newArrowEncoder(w io.Writer, stream bool, channels []Channel, meta map[string]string) (encoder, error) {
	fields, columns := make([]arrow.Field, len(channels)), []string{}
	for i, c := range channels {
		fields[i] = arrow.Field{Name: headerOf(c.Name), Type: arrow.PrimitiveTypes.Float64}
		if c.Unit != "" {
			fields[i].Metadata = arrow.NewMetadata([]string{"unit"}, []string{c.Unit})
		}
		columns = append(columns, fields[i].Name, c.Unit)
	}
	var keys, values []string
	for _, k := range sortedKeys(meta) {
		if k != checksumKey {
			keys, values = append(keys, k), append(values, meta[k])
		}
	}
	keys, values = append(keys, checksumKey), append(values, checksumOf(-1, columns, meta))
	md := arrow.NewMetadata(keys, values)
	e := &arrowEncoder{schema: arrow.NewSchema(fields, &md), cols: make([][]float64, len(channels))}
	const rows, room = 64 << 10, 1 << 22 // 32 MiB of values at most
	e.batch = max(1024, min(rows, room/max(1, len(channels))))
	opts := []ipc.Option{ipc.WithSchema(e.schema), ipc.WithZstd()}
	if stream {
		e.w = ipc.NewWriter(w, opts...)
		return e, nil
	}
	var err error
	e.w, err = ipc.NewFileWriter(w, opts...)
	return e, err
}

func (e *arrowEncoder) append(cols [][]float64) error {
	for at, n := 0, len(cols[0]); at < n; {
		m := min(n-at, e.batch-len(e.cols[0]))
		for i, c := range cols {
			e.cols[i] = append(e.cols[i], c[at:at+m]...)
		}
		at += m
		if len(e.cols[0]) == e.batch {
			if err := e.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *arrowEncoder) flush() error {
	rows := len(e.cols[0])
	arrays := make([]arrow.Array, len(e.cols))
	for i, c := range e.cols {
		data := array.NewData(arrow.PrimitiveTypes.Float64, rows, []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Float64Traits.CastToBytes(c))}, nil, 0, 0)
		arrays[i] = array.NewFloat64Data(data)
		e.cols[i] = c[:0]
	}
	return e.w.Write(array.NewRecordBatch(e.schema, arrays, int64(rows)))
}

func (e *arrowEncoder) close() error {
	if len(e.cols) > 0 && len(e.cols[0]) > 0 {
		if err := e.flush(); err != nil {
			return err
		}
	}
	return e.w.Close()
}

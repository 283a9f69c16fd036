package datasets

import (
	"io"
	"slices"

	"ident/internal/parquet"
)

// parquetEncoder collects a row group in memory and writes it column by column. Rows that come together and fill a quarter of
// one are a row group from where they are.
type parquetEncoder struct {
	w     *parquet.Writer
	cols  [][]float64
	part  [][]float64 // rows from where they are
	group int         // rows in a row group at most
}

func newParquetEncoder(w io.Writer, channels []Channel, meta map[string]string) (encoder, error) {
	e := &parquetEncoder{cols: make([][]float64, len(channels))}
	names := make([]string, len(channels))
	for i, c := range channels {
		names[i] = headerOf(c.Name)
	}
	var pairs []parquet.KeyValue
	all := withUnits(channels, meta)
	for _, k := range sortedKeys(all) {
		pairs = append(pairs, parquet.KeyValue{Key: k, Value: all[k]})
	}
	const rows, memory = 64 << 10, 1 << 23 // 64 MiB of values at most
	e.group = max(1024, min(rows, memory/max(1, len(channels))))
	var err error
	e.w, err = parquet.NewWriter(w, names, pairs, "ident")
	return e, err
}

func (e *parquetEncoder) append(cols [][]float64) error {
	for at, n := 0, len(cols[0]); at < n; {
		if m := min(n-at, e.group); len(e.cols[0]) == 0 && m >= e.group/4 {
			e.part = e.part[:0]
			for _, c := range cols {
				e.part = append(e.part, c[at:at+m])
			}
			if err := e.w.Group(e.part); err != nil {
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
	err := e.w.Group(e.cols)
	for i := range e.cols {
		e.cols[i] = e.cols[i][:0]
	}
	return err
}

func (e *parquetEncoder) close() error {
	if len(e.cols) > 0 && len(e.cols[0]) > 0 {
		if err := e.flush(); err != nil {
			return err
		}
	}
	return e.w.Close()
}

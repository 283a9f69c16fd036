package datasets

import (
	"io"

	"ident/internal/arrow"
)

// arrowEncoder collects a record batch in memory and writes it.
type arrowEncoder struct {
	w     *arrow.Writer
	cols  [][]float64
	batch int // rows in a batch
}

func newArrowEncoder(w io.Writer, stream bool, channels []Channel, meta map[string]string) (encoder, error) {
	names, units := make([]string, len(channels)), make([][]arrow.KeyValue, len(channels))
	for i, c := range channels {
		names[i] = headerOf(c.Name)
		if c.Unit != "" {
			units[i] = []arrow.KeyValue{{Key: "unit", Value: c.Unit}}
		}
	}
	var pairs []arrow.KeyValue
	for _, k := range sortedKeys(meta) {
		pairs = append(pairs, arrow.KeyValue{Key: k, Value: meta[k]})
	}
	e := &arrowEncoder{cols: make([][]float64, len(channels))}
	const rows, room = 64 << 10, 1 << 22 // 32 MiB of values at most
	e.batch = max(1024, min(rows, room/max(1, len(channels))))
	var err error
	e.w, err = arrow.NewWriter(w, stream, names, units, pairs)
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
	err := e.w.Batch(e.cols)
	for i := range e.cols {
		e.cols[i] = e.cols[i][:0]
	}
	return err
}

func (e *arrowEncoder) close() error {
	if len(e.cols) > 0 && len(e.cols[0]) > 0 {
		if err := e.flush(); err != nil {
			return err
		}
	}
	return e.w.Close()
}

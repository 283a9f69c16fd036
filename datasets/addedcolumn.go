package datasets

import (
	"fmt"
	"slices"
)

// WithConstant returns the log with an additional constant channel: the position of a fixed base, the force
// on a floating one. It panics if the log has a channel of that name. Closing either log closes both.
func (l *Log) WithConstant(ch Channel, value float64) *Log {
	return l.withColumn(ch, func(dst []float64, _ int) {
		for k := range dst {
			dst[k] = value
		}
	})
}

// withColumn returns the log with an additional channel, whose values from row first of the file on fill writes.
func (l *Log) withColumn(ch Channel, fill func(dst []float64, first int)) *Log {
	t := l.table
	t.channels = append(slices.Clone(t.channels), ch)
	if err := unique(t.channels); err != nil {
		panic("datasets: " + err.Error())
	}
	t.src = added{t.src, len(t.channels) - 1, fill}
	return &Log{table: t, first: l.first, last: l.last}
}

// WithColumn returns the log with an additional channel of the given values, one per row, which are kept: a torque that follows
// from a law of control. It panics if the log has a channel of that name or another number of rows.
// Closing either log closes both.
func (l *Log) WithColumn(ch Channel, values []float64) *Log {
	if len(values) != l.Rows() {
		panic(fmt.Sprintf("datasets: %d values of channel %q for %d rows", len(values), ch.Name, l.Rows()))
	}
	offset := l.first
	return l.withColumn(ch, func(dst []float64, first int) { copy(dst, values[first-offset:]) })
}

// added is a source with an additional column, whose values from row first on fill writes.
type added struct {
	source
	col  int
	fill func(dst []float64, first int)
}

func (s added) open(cols []int, first int) (cursor, error) {
	c := &addedCursor{fill: s.fill, row: first}
	var rest []int
	for i, k := range cols {
		if k == s.col {
			c.own = append(c.own, i)
			continue
		}
		rest, c.at = append(rest, k), append(c.at, i)
	}
	if len(rest) == 0 {
		return c, nil
	}
	inner, err := s.source.open(rest, first)
	if err != nil {
		return nil, err
	}
	c.inner, c.dst = inner, make([][]float64, len(rest))
	return c, nil
}

type addedCursor struct {
	inner   cursor // nil where only the added column is read
	fill    func(dst []float64, first int)
	row     int   // of the next read
	own, at []int // indices in dst of the added column, and of the others
	dst     [][]float64
}

func (c *addedCursor) read(dst [][]float64) error {
	for _, i := range c.own {
		c.fill(dst[i], c.row)
	}
	if len(dst) > 0 {
		c.row += len(dst[0])
	}
	if c.inner == nil {
		return nil
	}
	for i, at := range c.at {
		c.dst[i] = dst[at]
	}
	return c.inner.read(c.dst)
}

func (c *addedCursor) close() error {
	if c.inner == nil {
		return nil
	}
	return c.inner.close()
}

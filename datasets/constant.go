package datasets

import "slices"

// WithConstant returns the log with an additional constant channel: the position of a fixed base, the force
// on a floating one. It panics if the log has a channel of that name. Closing either log closes both.
func (l *Log) WithConstant(ch Channel, value float64) *Log {
	t := l.table
	t.channels = append(slices.Clone(t.channels), ch)
	if err := unique(t.channels); err != nil {
		panic("datasets: " + err.Error())
	}
	t.src = constant{t.src, len(t.channels) - 1, value}
	return &Log{table: t, first: l.first, last: l.last}
}

// constant is a source with an additional constant column.
type constant struct {
	source
	col   int
	value float64
}

func (s constant) open(cols []int, first int) (cursor, error) {
	c := &constantCursor{value: s.value}
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

type constantCursor struct {
	inner   cursor // nil where only the constant is read
	value   float64
	own, at []int // indices in dst of the constant column, and of the others
	dst     [][]float64
}

func (c *constantCursor) read(dst [][]float64) error {
	for _, i := range c.own {
		for k := range dst[i] {
			dst[i][k] = c.value
		}
	}
	if c.inner == nil {
		return nil
	}
	for i, at := range c.at {
		c.dst[i] = dst[at]
	}
	return c.inner.read(c.dst)
}

func (c *constantCursor) close() error {
	if c.inner == nil {
		return nil
	}
	return c.inner.close()
}

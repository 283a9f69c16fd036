package datasets

import "fmt"

// Reader reads rows in order into memory of its caller. It belongs to one goroutine.
type Reader struct {
	log  *Log
	cur  cursor // nil where there is nothing to read
	left int
}

// Reader begins to read the named channels at the first row; Close ends it. A missing channel gives an error
// that matches ErrNoChannel.
func (l *Log) Reader(channels []string) (*Reader, error) {
	idx, err := l.indices(channels)
	if err != nil {
		return nil, err
	}
	r := &Reader{log: l, left: l.Rows()}
	if r.left > 0 && len(idx) > 0 {
		r.cur, err = l.src.open(idx, l.first)
	}
	return r, err
}

// Read fills dst with the next rows, one slice per channel, all of the same length, in SI units. It panics
// where the log has fewer rows left.
func (r *Reader) Read(dst [][]float64) error {
	if r.cur == nil || len(dst[0]) == 0 {
		return nil
	}
	if len(dst[0]) > r.left {
		panic(fmt.Sprintf("datasets: %d rows to read of %d", len(dst[0]), r.left))
	}
	if err := r.log.live(); err != nil {
		return err
	}
	r.left -= len(dst[0])
	return r.cur.read(dst)
}

// Close ends the reading.
func (r *Reader) Close() error {
	if r.cur == nil {
		return nil
	}
	return r.cur.close()
}

// indices returns the channels' places in the table.
func (l *Log) indices(channels []string) ([]int, error) {
	idx := make([]int, len(channels))
	for i, name := range channels {
		if idx[i] = l.column(name); idx[i] < 0 {
			return nil, &FileError{Path: l.label(), Err: noChannel(name, l.channels)}
		}
	}
	return idx, nil
}

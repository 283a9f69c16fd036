package datasets

import "slices"

// WithClock returns the log with other times in one channel, for a reader that knows them better than the stamps, and with a note that says so. at
// writes those from a row on, counted as the log's own. It panics if the log has no such channel. Closing either log closes both.
func (l *Log) WithClock(channel, note string, at func(dst []float64, first int)) *Log {
	col := l.column(channel)
	if col < 0 {
		panic("datasets: no channel " + channel)
	}
	t, offset := l.table, l.first
	t.notes = append(slices.Clone(t.notes), Note{Channel: channel, Text: note})
	t.src = added{t.src, col, func(dst []float64, first int) { at(dst, first-offset) }}
	return &Log{table: t, first: l.first, last: l.last}
}

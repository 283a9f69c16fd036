package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// A Channel is one column of a log.
type Channel struct {
	Name string
	Unit string // as declared by file or caller: "", "rad", "deg", "rpm", "A", "N.m", ...

	// Assumed says that no sensor measured the values: the log lacks the channel, and the mechanism gives it, as the zero
	// force on a base that floats. No judgement of channels applies to it.
	Assumed bool
}

// A Note is a decision of a reader or of the channel mapping, for its user to know.
type Note struct {
	Channel string // "" where the note concerns the whole log
	Text    string
}

// String returns the text, behind the channel if it concerns one.
func (n Note) String() string {
	if n.Channel == "" {
		return n.Text
	}
	return n.Channel + ": " + n.Text
}

// Bad is a row of a CSV file that Options.BadRows = Drop left out.
type Bad struct {
	Line  int // line of the file, counted from 1
	After int // rows that were read before it
	Why   string
}

// DefaultBatch is the default number of rows in a batch.
const DefaultBatch = 4096

// ErrStop, returned by the function given to Scan, ends the scan without an error.
var ErrStop = errors.New("datasets: scan stopped by its caller")

// A Log is a set of scalar channels sampled on one clock. It is immutable, and may be scanned any number of
// times and by several goroutines at once. Values are in SI units, whatever unit the file declares.
type Log struct {
	table
	first, last int // rows of the table in this log: first to last-1
}

// table is the part that a log and its slices share.
type table struct {
	name, path string
	channels   []Channel
	rows       int
	meta       map[string]string
	notes      []Note
	dropped    []Bad
	nDropped   int
	src        source
	ctx        context.Context // of OpenContext, nil for none
	form       *csvForm        // of CSV and TSV
}

// source holds the values of a table. Its methods may be called from several goroutines.
type source interface {
	// open returns a cursor on columns (indices into table.channels), at row first.
	open(cols []int, first int) (cursor, error)
	close() error
}

// cursor reads rows in order. It belongs to one goroutine.
type cursor interface {
	// read fills all of dst, one slice per column, all of the same length, with SI values.
	read(dst [][]float64) error
	close() error
}

// FromColumns makes a log of columns in memory. cols[i] belongs to channels[i]; all have the same length,
// values in SI whatever Unit says. The log keeps the slices: do not change them afterwards. It panics if the
// lengths differ or two channels have the same name.
func FromColumns(name string, channels []Channel, cols [][]float64, meta map[string]string) *Log {
	if len(channels) != len(cols) {
		panic(fmt.Sprintf("datasets: %d channels but %d columns", len(channels), len(cols)))
	}
	if err := unique(channels); err != nil {
		panic("datasets: " + err.Error())
	}
	rows := 0
	if len(cols) > 0 {
		rows = len(cols[0])
	}
	for i, c := range cols {
		if len(c) != rows {
			panic(fmt.Sprintf("datasets: channel %q has %d rows, %q has %d", channels[i].Name, len(c), channels[0].Name, rows))
		}
	}
	t := table{name: name, channels: slices.Clone(channels), rows: rows, meta: maps.Clone(meta), src: inMemory(slices.Clone(cols))}
	return &Log{table: t, last: rows}
}

// unique reports the first channel name that occurs twice.
func unique(channels []Channel) error {
	seen := make(map[string]int, len(channels))
	for i, c := range channels {
		if j, ok := seen[c.Name]; ok {
			return fmt.Errorf("%w: %q is column %d and column %d", ErrDuplicate, c.Name, j+1, i+1)
		}
		seen[c.Name] = i
	}
	return nil
}

// inMemory is a source of whole columns.
type inMemory [][]float64

func (m inMemory) close() error { return nil }
func (m inMemory) open(cols []int, first int) (cursor, error) {
	c := &memoryCursor{cols: make([][]float64, len(cols))}
	for i, k := range cols {
		c.cols[i] = m[k][first:]
	}
	return c, nil
}

type memoryCursor struct{ cols [][]float64 }

func (c *memoryCursor) close() error { return nil }
func (c *memoryCursor) read(dst [][]float64) error {
	for i, d := range dst {
		c.cols[i] = c.cols[i][copy(d, c.cols[i]):]
	}
	return nil
}

// Name returns the name of the file without folder and extension, or the name given to FromColumns.
func (l *Log) Name() string { return l.name }

// Path returns the path of the log's file, "" for a log in memory.
func (l *Log) Path() string { return l.path }

// Channels lists the channels in the file's order.
func (l *Log) Channels() []Channel { return slices.Clone(l.channels) }

// Names lists the channels' names in the file's order.
func (l *Log) Names() []string {
	names := make([]string, len(l.channels))
	for i, c := range l.channels {
		names[i] = c.Name
	}
	return names
}

// Has reports whether the log has a channel of exactly this name.
func (l *Log) Has(name string) bool { return l.column(name) >= 0 }

// Rows returns the number of rows.
func (l *Log) Rows() int { return l.last - l.first }

// Meta returns the file's own key-value metadata; never nil.
func (l *Log) Meta() map[string]string {
	if l.meta == nil {
		return map[string]string{}
	}
	return maps.Clone(l.meta)
}

// Notes lists the reader's omissions and decisions.
func (l *Log) Notes() []Note { return slices.Clone(l.notes) }

// Dropped lists the first thousand rows left out under Options.BadRows = Drop, in file order. A log from Slice lists
// those of the whole file.
func (l *Log) Dropped() []Bad { return slices.Clone(l.dropped) }

// DroppedRows returns the number of rows left out under Options.BadRows = Drop.
func (l *Log) DroppedRows() int { return l.nDropped }

// Slice returns the log of rows first to last-1. It shares the file with l. It panics if the range is not
// within l.
func (l *Log) Slice(first, last int) *Log {
	if first < 0 || last < first || last > l.Rows() {
		panic(fmt.Sprintf("datasets: rows %d to %d of a log of %d rows", first, last, l.Rows()))
	}
	s := *l
	s.first, s.last = l.first+first, l.first+last
	return &s
}

// Span returns the log's rows within the file, or within the columns in memory: first to last-1.
func (l *Log) Span() (first, last int) { return l.first, l.last }

// Close closes the file behind the log and removes its temporary file, if it has one. No slice of the log
// may be read afterwards. The garbage collector does the same for a log that is never closed.
func (l *Log) Close() error { return l.src.close() }

func (l *Log) column(name string) int {
	return slices.IndexFunc(l.channels, func(c Channel) bool { return c.Name == name })
}

// Scan reads the named channels from the first row to the last, batch rows at a time (DefaultBatch where
// batch is 0; only the last batch is shorter), and calls fn with the index of the batch's first row and its
// columns in the order of channels. fn may change the columns; they are valid only until it returns. An
// error of fn ends the scan and is returned, except ErrStop, which ends it without an error. A missing
// channel gives an error that matches ErrNoChannel.
func (l *Log) Scan(channels []string, batch int, fn func(first int, cols [][]float64) error) (err error) {
	if batch < 0 {
		panic("datasets: negative batch")
	}
	if batch == 0 {
		batch = DefaultBatch
	}
	rows := l.Rows()
	cur, err := l.Reader(channels)
	if err != nil || rows == 0 || len(channels) == 0 {
		return err
	}
	defer func() { err = errors.Join(err, cur.Close()) }()

	batch = min(batch, rows)
	flat := make([]float64, len(channels)*batch)
	cols := make([][]float64, len(channels))
	for at := 0; at < rows; at += batch {
		n := min(batch, rows-at)
		for i := range cols {
			cols[i] = flat[i*batch : i*batch+n : i*batch+n]
		}
		if err := cur.Read(cols); err != nil {
			return err
		}
		if err := fn(at, cols); err != nil {
			if errors.Is(err, ErrStop) {
				return nil
			}
			return err
		}
	}
	return nil
}

// Apart reports whether the log's channels lie apart in the file, so that to read some takes only their part of the time.
func (l *Log) Apart() bool {
	_, apart := l.src.(*parquetSource)
	return apart
}

// Column reads all rows of one channel.
func (l *Log) Column(name string) ([]float64, error) {
	cols, err := l.Columns(name)
	if err != nil {
		return nil, err
	}
	return cols[0], nil
}

// Columns reads all rows of some channels, in one pass over the file.
func (l *Log) Columns(names ...string) ([][]float64, error) {
	// A damaged file may claim any number of rows: allocate beyond a million as they arrive.
	const sure = 1 << 20
	out := make([][]float64, len(names))
	for i := range out {
		out[i] = make([]float64, 0, min(l.Rows(), sure))
	}
	err := l.Scan(names, 0, func(_ int, cols [][]float64) error {
		for i, c := range cols {
			out[i] = append(out[i], c...)
		}
		return nil
	})
	return out, err
}

// label names the log in messages.
func (l *table) label() string {
	if l.path != "" {
		return l.path
	}
	return l.name
}

// baseName returns the last element of a path without the extensions of log files.
func baseName(path string) string {
	base := filepath.Base(path)
	low := strings.ToLower(base)
	for _, packed := range []string{".gz", ".zst"} {
		if strings.HasSuffix(low, packed) {
			base = base[:len(base)-len(packed)]
		}
	}
	if ext := filepath.Ext(base); len(ext) < len(base) {
		base = strings.TrimSuffix(base, ext)
	}
	return strings.ToValidUTF8(base, "\uFFFD") // texts and documents have no other bytes
}

var _ io.Closer = (*Log)(nil)

package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"ident/internal/output"
)

// A Writer takes the rows of a log that is being written.
type Writer struct {
	enc  encoder
	n    int
	rows int
	err  error
}

// encoder is one format's writer. append's columns are the caller's again when it returns.
type encoder interface {
	append(cols [][]float64) error
	close() error
}

// Append writes rows: one column a channel, in the order given to Write, all of the same length, in SI
// units. It panics if the shape is wrong; its error is sticky.
func (w *Writer) Append(cols [][]float64) error {
	if len(cols) != w.n {
		panic(fmt.Sprintf("datasets: %d columns for %d channels", len(cols), w.n))
	}
	for _, c := range cols {
		if len(c) != len(cols[0]) {
			panic("datasets: columns of different length")
		}
	}
	if w.err == nil && len(cols) > 0 && len(cols[0]) > 0 {
		w.rows += len(cols[0])
		w.err = w.enc.append(cols)
	}
	return w.err
}

// Rows is the number of rows appended so far.
func (w *Writer) Rows() int { return w.rows }

// Write writes a log file of the format that the extension names (see Open). produce appends the rows,
// in SI units; the unit written for a channel is therefore the SI unit that belongs to the declared one.
// The file is written beside the target and takes its name when everything is in it: if produce or the
// writing fails, or panics, whatever was at path before is still there and nothing half-written is left.
func Write(path string, channels []Channel, meta map[string]string, produce func(w *Writer) error) (err error) {
	f, err := formatOf(path)
	if err != nil {
		return err
	}
	si := slices.Clone(channels)
	for i, c := range si {
		conv, err := conversionOf(c.Unit)
		if err != nil {
			return &FileError{Path: path, Column: c.Name, Err: err}
		}
		si[i].Unit = conv.si
	}
	if err := unique(si); err != nil {
		return &FileError{Path: path, Err: err}
	}
	for _, c := range si {
		if c.Name == "" || unclean(c.Name) {
			return &FileError{Path: path, Column: c.Name, Err: fmt.Errorf("%w: a channel's name must be clean text", ErrFormat)}
		}
	}

	file, err := output.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Abort()) }()
	buf := bufio.NewWriterSize(file, 1<<18)
	enc, err := newEncoder(buf, f, si, meta)
	if err != nil {
		return &FileError{Path: path, Err: err}
	}
	if d, ok := enc.(interface{ discard() error }); ok {
		defer func() { err = errors.Join(err, d.discard()) }()
	}
	w := &Writer{enc: enc, n: len(si)}
	if err := produce(w); err != nil {
		return err
	}
	if w.err == nil {
		w.err = enc.close()
	}
	if err := errors.Join(w.err, buf.Flush()); err != nil {
		return &FileError{Path: path, Err: fmt.Errorf("writing: %w", err)}
	}
	return file.Commit()
}

func newEncoder(w io.Writer, f format, channels []Channel, meta map[string]string) (encoder, error) {
	switch f.kind {
	case "parquet":
		return newParquetEncoder(w, channels, meta)
	case "arrow":
		return newArrowEncoder(w, f.stream, channels, meta)
	case "npz", "mat":
		return newArrayEncoder(w, f.kind, channels, meta)
	case "mcap":
		return newMCAPEncoder(w, channels, meta)
	case "csv":
		return newCSVEncoder(w, f, channels, meta)
	}
	_, write := Extensions()
	return nil, fmt.Errorf("%w: this kind is only read; write one of %s", ErrFormat, strings.Join(write, " "))
}

// Copy writes all channels and rows of a log to a file, its metadata joined with extraMeta, which wins.
// The target may be the log's own file.
func Copy(path string, l *Log, extraMeta map[string]string) error {
	meta := l.Meta()
	maps.Copy(meta, extraMeta)
	return Write(path, l.channels, meta, func(w *Writer) error {
		return l.Scan(l.Names(), 0, func(_ int, cols [][]float64) error { return w.Append(cols) })
	})
}

// headerOf is the name under which a channel is written. A name that itself ends like a unit, "x[mm]",
// gets an empty unit behind it, so that the reader leaves it whole.
func headerOf(name string) string {
	if stripped, _ := splitUnit(name); stripped != name {
		return name + " []"
	}
	return name
}

// unitKeyPrefix is in front of a channel's name in the key that holds its unit in a file's metadata.
const unitKeyPrefix = "ident.unit."

// withUnits adds the units of channels to a file's metadata.
func withUnits(channels []Channel, meta map[string]string) map[string]string {
	m := maps.Clone(meta)
	if m == nil {
		m = map[string]string{}
	}
	for _, c := range channels {
		if c.Unit != "" {
			m[unitKeyPrefix+headerOf(c.Name)] = c.Unit
		}
	}
	return m
}

// takeUnits undoes withUnits: it removes the units from the metadata and gives them in the order of
// headers.
func takeUnits(headers []string, meta map[string]string) []string {
	units := make([]string, len(headers))
	for i, h := range headers {
		units[i] = meta[unitKeyPrefix+h]
	}
	maps.DeleteFunc(meta, func(k, _ string) bool { return strings.HasPrefix(k, unitKeyPrefix) })
	return units
}

package datasets

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"ident/internal/output"
)

// ErrName is wrapped by the error of Write for a channel whose name no file can hold. The fault is the log's that the
// channel comes from, not the file's that is written.
var ErrName = errors.New("its name is no clean text: give it another one, with map or in the log")

// A Writer receives the rows of a log to be written.
type Writer struct {
	enc encoder
	n   int
	err error
}

// encoder is the writer of a format. append does not keep its columns.
type encoder interface {
	append(cols [][]float64) error
	close() error
}

// Append writes rows: cols[i] are the values of channel i of Write, all of the same length, in SI units. It
// panics where the shape is wrong; its first error is returned by all later calls, too.
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
		w.err = w.enc.append(cols)
	}
	return w.err
}

// Write writes a log file in the format of its extension (see Open). produce appends the rows, in SI units;
// the unit written for a channel is therefore the SI unit of the declared one. The file is written beside
// the target and renamed when complete: if produce or the writing fails, or panics, the file at path before
// is unchanged and no part of the new one is left. Text holds the rows alone: its metadata go into a file beside it, path and
// ".meta.json", which Open reads as long as the text is the same; a stream has none.
func Write(path string, channels []Channel, meta map[string]string, produce func(w *Writer) error) (err error) {
	f, si, err := writable(path, channels)
	if err != nil {
		return err
	}
	file, err := output.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Abort()) }()
	if !f.text() {
		if err := encode(file, path, f, si, meta, produce); err != nil {
			return err
		}
		return file.Commit()
	}
	counted := &summed{to: file, sum: output.NewSum()}
	if err := encode(counted, path, f, si, nil, produce); err != nil {
		return err
	}
	if err := file.Commit(); err != nil {
		return err
	}
	return output.WriteMetadata(path, counted.n, counted.sum.Sum32(), validTexts(meta))
}

// Encode is Write to w, in the format of the extension of name, which also stands in errors. If it fails, a part of the file has
// been written. Text gets no metadata. It does not close w.
func Encode(w io.Writer, name string, channels []Channel, meta map[string]string, produce func(w *Writer) error) error {
	f, si, err := writable(name, channels)
	if err != nil {
		return err
	}
	return encode(w, name, f, si, meta, produce)
}

// writable returns the format of a path and the channels as they are written, in SI.
func writable(path string, channels []Channel) (format, []Channel, error) {
	f, err := formatOf(path)
	if err != nil {
		return f, nil, err
	}
	si := slices.Clone(channels)
	for i, c := range si {
		conv, err := conversionOf(c.Unit)
		if err != nil {
			return f, nil, &FileError{Path: path, Column: c.Name, Err: err}
		}
		si[i].Unit = conv.si
	}
	if err := unique(si); err != nil {
		return f, nil, &FileError{Path: path, Err: err}
	}
	for _, c := range si {
		if c.Name == "" || unclean(c.Name) {
			return f, nil, fmt.Errorf("channel %q: %w", c.Name, ErrName)
		}
	}
	return f, si, nil
}

// encode writes a log file to the writer of path.
func encode(to io.Writer, path string, f format, channels []Channel, meta map[string]string, produce func(w *Writer) error) (err error) {
	buf := bufio.NewWriterSize(to, 1<<18)
	enc, err := newEncoder(buf, f, channels, validTexts(meta))
	if err != nil {
		return &FileError{Path: path, Err: err}
	}
	if d, ok := enc.(interface{ discard() error }); ok {
		defer func() { err = errors.Join(err, d.discard()) }()
	}
	w := &Writer{enc: enc, n: len(channels)}
	if err := produce(w); err != nil {
		return err
	}
	if w.err == nil {
		w.err = enc.close()
	}
	if err := buf.Flush(); w.err == nil {
		w.err = err
	}
	if w.err != nil {
		return &FileError{Path: path, Err: fmt.Errorf("writing: %w", w.err)}
	}
	return nil
}

// validTexts are metadata without bytes that are no UTF-8, which some formats refuse: names of files may have any.
func validTexts(meta map[string]string) map[string]string {
	valid := make(map[string]string, len(meta))
	for k, v := range meta {
		valid[strings.ToValidUTF8(k, "\uFFFD")] = strings.ToValidUTF8(v, "\uFFFD")
	}
	return valid
}

func newEncoder(w io.Writer, f format, channels []Channel, meta map[string]string) (encoder, error) {
	if f.write != nil {
		return f.write(w, f, channels, meta)
	}
	_, write := Extensions()
	return nil, fmt.Errorf("%w: this kind is only read; write one of %s", ErrFormat, strings.Join(write, " "))
}

// Copy writes all channels and rows of a log to a file, its metadata overridden by extraMeta. The target
// may be the log's own file. Once ctx is done, copying ends with its error between two batches of rows.
func Copy(ctx context.Context, path string, l *Log, extraMeta map[string]string) error {
	meta := l.Meta()
	maps.Copy(meta, extraMeta)
	return Write(path, l.channels, meta, func(w *Writer) error {
		return w.appendLog(ctx, l, l.Names())
	})
}

// appendLog appends the named channels of a log.
func (w *Writer) appendLog(ctx context.Context, l *Log, names []string) error {
	return l.Scan(names, 0, func(_ int, cols [][]float64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return w.Append(cols)
	})
}

// headerOf returns the written name of a channel. A name that itself ends like a unit, "x[mm]", gets an empty
// unit behind it, so that the reader keeps it whole.
func headerOf(name string) string {
	if stripped, _ := splitUnit(name); stripped != name {
		return name + " []"
	}
	return name
}

// unitKeyPrefix and a channel's name are the key of its unit in a file's metadata.
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

// takeUnits returns the inverse of withUnits: it removes the units from the metadata and returns them in the
// order of headers.
func takeUnits(headers []string, meta map[string]string) []string {
	units := make([]string, len(headers))
	for i, h := range headers {
		units[i] = meta[unitKeyPrefix+h]
	}
	maps.DeleteFunc(meta, func(k, _ string) bool { return strings.HasPrefix(k, unitKeyPrefix) })
	return units
}

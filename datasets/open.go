package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// BadRows is a reader's treatment of unreadable rows of a CSV file or messages of a recording.
type BadRows int

const (
	// Fail returns an error for the first bad row.
	Fail BadRows = iota
	// Drop skips and counts bad rows.
	Drop
)

// Options of Open. The zero value suits a well-made file.
type Options struct {
	// Units declares the unit of channels over the file's own declaration; "" stands for SI. A key is the name of a
	// channel, or a pattern in which * stands for any text; a name overrides patterns. A key that no channel
	// has, and two patterns that give one channel different units, are a [DeclarationError].
	Units map[string]string
	// Scale gives the SI value of one unit of a channel's own numbers, in place of Units and of the file's declaration,
	// by the same keys. Zero gives the own number of a channel that stands for zero. The value of a channel is
	// (number − zero)·scale. A scale must be finite and not 0, a zero finite; a channel with both a unit and a scale is a
	// [DeclarationError].
	Scale, Zero map[string]float64
	// Skip names columns of a CSV file to be left out, of text, for instance. Names of absent columns are
	// ignored.
	Skip []string
	// BadRows is the treatment of unreadable rows of a CSV file and of unreadable messages of a recording.
	BadRows BadRows
	// Topics chooses among the sensor_msgs/JointState topics of a recording (MCAP, ROS bags), the one with
	// the log's clock first. nil stands for all, if no two of them hold the same signal.
	Topics []string
	// Columns names the columns of a text table that has no line of names, or of a file with a single matrix; "_" leaves a column out.
	// A range counts, q1..q7. It must name as many columns as there are, otherwise the error matches ErrNoHeader. Other logs keep their own
	// names; a table whose names it repeats loses the columns that it has as "_".
	Columns []string
	// Rate is the sampling rate in Hz of a log without a clock, whose rows are evenly spaced: the log gets a channel t. A log with
	// a clock keeps it, and a note says so. A rate must be positive and finite, otherwise the error matches ErrNoClock.
	Rate float64
	// Env is the robot, counted from 0, of NumPy and HDF5 arrays with three dimensions: rows, robots (environments of a simulator) and
	// columns, or robots first. A note names them; a number that none has is an error that matches ErrNoChannel.
	Env int
	// MemoryLimit is the size in bytes above which a decoded text file or recording, or an expanded .npz or
	// .mat array, is kept in a temporary file instead of in memory; 0 stands for 256 MiB, and a negative
	// number uses the file from the first block.
	MemoryLimit int64
	// TempDir is the folder of the temporary file; "" stands for the system's.
	TempDir string

	ctx context.Context // of OpenContext, nil for none
}

// Open opens a log file, or the folder of a ROS 2 bag. The extension determines the format, see Extensions.
// Text files and recordings are decoded at once, from front to back; of the others only the description is
// read. Errors name the file and the place in it and match the Err values of this package.
func Open(path string, opt Options) (*Log, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return openFolder(path, opt)
	}
	f, err := formatFor(path, opt)
	if err != nil {
		if _, missing := os.Stat(path); errors.Is(missing, fs.ErrNotExist) { // the extension of a file that is not there is no matter
			err = &FileError{Path: path, Err: missing}
		}
		return nil, err
	}
	var t table
	if f.recording() {
		t, err = openRecording(path, []string{path}, opt)
	} else {
		file, size, e := opt.opened(path, f)
		if e != nil {
			return nil, e
		}
		if f.text() {
			defer file.Close()
			t, err = openText(path, file, size, f, opt)
		} else {
			t, err = f.open(path, file, size, opt)
		}
	}
	if err != nil {
		return nil, err
	}
	t.path, t.name = path, baseName(path)
	return clocked(&Log{table: t, last: t.rows}, opt)
}

// OpenReader is Open for the size bytes of r: a file in memory, in an archive or behind a network. The
// extension of name determines the format, see Extensions; name also stands in errors and, without
// extension, in Log.Name. Log.Path is "". r must allow several calls of ReadAt at once, as files and
// bytes.Reader do; text and recordings are read within OpenReader, other formats until the log is closed.
// Closing r, if it has to be closed, is left to the caller. A ROS 2 bag of several storage files is a
// folder, for Open; one .mcap or .db3 file is complete here if it has no write-ahead log.
func OpenReader(r io.ReaderAt, size int64, name string, opt Options) (*Log, error) {
	f, err := formatFor(name, opt)
	if err != nil {
		return nil, err
	}
	var t table
	switch {
	case f.recording():
		t, err = readRecording(name, f, r, size, opt)
	case f.text():
		t, err = f.read(name, io.NewSectionReader(r, 0, size), size, opt)
	default:
		t, err = f.open(name, borrowed{r}, size, opt)
	}
	if err != nil {
		return nil, err
	}
	t.name = baseName(name)
	return clocked(&Log{table: t, last: t.rows}, opt)
}

// formatFor returns the format of a path that suits the options.
func formatFor(path string, opt Options) (format, error) {
	f, err := formatOf(path)
	if err == nil && len(opt.Topics) > 0 && !f.recording() {
		err = &FileError{Path: path, Err: fmt.Errorf("%w: only recordings (.mcap, .bag, .db3) have topics to choose from", ErrNoTopic)}
	}
	return f, err
}

// readerAtCloser is a file with random access.
type readerAtCloser interface {
	io.ReaderAt
	io.Closer
}

// borrowed is a reader that its owner closes.
type borrowed struct{ io.ReaderAt }

// Close does nothing.
func (borrowed) Close() error { return nil }

// described runs a reader's describe and closes f if it fails.
func described(path string, f io.Closer, describe func() (table, error)) (t table, err error) {
	err = guard(func() (err error) { t, err = describe(); return err })
	if err != nil {
		f.Close()
		return table{}, located(path, 0, "", err)
	}
	return t, nil
}

// openSized opens a file and returns its size.
func openSized(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// closed returns an error of Close without the one of a second call.
func closed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// declareAll is declare for files with units in their metadata, as written by Write; they are removed from
// meta.
func declareAll(path string, headers, units []string, meta map[string]string, opt Options) ([]Channel, []conversion, error) {
	for i, u := range takeUnits(headers, meta) {
		if units[i] == "" {
			units[i] = u
		}
	}
	return declare(path, headers, units, opt)
}

// declare returns channels and conversions of a file's columns. The unit is, in this order, that of Options.Units,
// units[i] if not empty, the one at the end of headers[i], or the one in the name of a clock, as in time_ms; units may
// be nil.
func declare(path string, headers, units []string, opt Options) ([]Channel, []conversion, error) {
	channels := make([]Channel, len(headers))
	convs := make([]conversion, len(headers))
	names := make([][2]string, len(headers))
	for i, h := range headers {
		name, unit := splitUnit(h)
		if units != nil && units[i] != "" {
			unit = units[i]
		}
		if unit == "" {
			unit = unitOfName(name)
		}
		channels[i], names[i] = Channel{Name: name, Unit: inGerman(unit, headers)}, [2]string{name, strings.TrimSpace(h)}
	}
	of, err := opt.declarations(names, channels)
	if err != nil {
		return nil, nil, &FileError{Path: path, Err: err}
	}
	for i, h := range headers {
		if convs[i], err = of[i].conversion(&channels[i]); err != nil {
			return nil, nil, &FileError{Path: path, Column: h, Err: err}
		}
	}
	if err := checkChannels(len(channels)); err != nil {
		return nil, nil, &FileError{Path: path, Err: err}
	}
	if err := unique(channels); err != nil {
		return nil, nil, &FileError{Path: path, Err: err}
	}
	return channels, convs, nil
}

// unitOfName returns the unit in the name of a clock, "" if it has none.
func unitOfName(name string) string {
	if name == "%time" {
		return "ns" // as rostopic echo -p writes it
	}
	_, unit := clockWithUnit([]string{name})
	return unit
}

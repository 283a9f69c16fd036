package datasets

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
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
	// Units declares the unit of channels by name, over the file's own declaration; "" stands for SI. A name
	// that is not a channel of the log is an error.
	Units map[string]string
	// Skip names columns of a CSV file to be left out, of text, for instance. Names of absent columns are
	// ignored.
	Skip []string
	// BadRows is the treatment of unreadable rows of a CSV file and of unreadable messages of a recording.
	BadRows BadRows
	// Topics chooses among the sensor_msgs/JointState topics of a recording (MCAP, ROS bags), the one with
	// the log's clock first. nil stands for all, if no two of them hold the same signal.
	Topics []string
	// MemoryLimit is the size in bytes above which a decoded text file or recording, or an expanded .npz or
	// .mat array, is kept in a temporary file instead of in memory; 0 stands for 256 MiB, and a negative
	// number uses the file from the first block.
	MemoryLimit int64
	// TempDir is the folder of the temporary file; "" stands for the system's.
	TempDir string
}

// Open opens a log file, or the folder of a ROS 2 bag. The extension determines the format, see Extensions.
// Text files and recordings are decoded at once, from front to back; of the others only the description is
// read. Errors name the file and the place in it and match the Err values of this package.
func Open(path string, opt Options) (*Log, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return openFolder(path, opt)
	}
	f, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	if _, isRecording := map[string]bool{"mcap": true, "rosbag1": true, "rosbag2": true}[f.kind]; len(opt.Topics) > 0 && !isRecording {
		return nil, &FileError{Path: path, Err: fmt.Errorf("%w: only recordings (.mcap, .bag, .db3) have topics to choose from", ErrNoTopic)}
	}
	var t table
	switch f.kind {
	case "csv":
		t, err = openCSV(path, f.delimiter, opt)
	case "parquet":
		t, err = openParquet(path, opt)
	case "arrow":
		t, err = openArrow(path, opt)
	case "npy", "npz", "mat":
		t, err = openArrays(path, f.kind, opt)
	default:
		t, err = openRecording(path, []string{path}, opt)
	}
	if err != nil {
		return nil, err
	}
	t.path, t.name = path, baseName(path)
	return &Log{table: t, last: t.rows}, nil
}

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

// closed is an error of Close without the one of a second call.
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

// declare returns channels and conversions of a file's columns. The unit is, in this order, that of
// Options.Units, units[i] if not empty, or the one at the end of headers[i]; units may be nil.
func declare(path string, headers, units []string, opt Options) ([]Channel, []conversion, error) {
	channels := make([]Channel, len(headers))
	convs := make([]conversion, len(headers))
	used := 0
	for i, h := range headers {
		name, unit := splitUnit(h)
		if units != nil && units[i] != "" {
			unit = units[i]
		}
		for _, key := range []string{name, strings.TrimSpace(h)} {
			if u, ok := opt.Units[key]; ok {
				unit = u
				used++
				break
			}
		}
		conv, err := conversionOf(unit)
		if err != nil {
			return nil, nil, &FileError{Path: path, Column: h, Err: err}
		}
		channels[i], convs[i] = Channel{Name: name, Unit: unit}, conv
	}
	if err := unique(channels); err != nil {
		return nil, nil, &FileError{Path: path, Err: err}
	}
	if used < len(opt.Units) {
		for _, key := range sortedKeys(opt.Units) {
			if !slices.ContainsFunc(headers, func(h string) bool {
				name, _ := splitUnit(h)
				return key == name || key == strings.TrimSpace(h)
			}) {
				return nil, nil, &FileError{Path: path, Err: fmt.Errorf("a unit is declared for it: %w", noChannel(key, channels))}
			}
		}
	}
	return channels, convs, nil
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

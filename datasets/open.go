package datasets

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// BadRows says what a CSV reader does with a row that it cannot read.
type BadRows int

const (
	// Fail makes the first bad row an error.
	Fail BadRows = iota
	// Drop leaves bad rows out and keeps count of them.
	Drop
)

// Options of Open. The zero value is the right one for a well-made file.
type Options struct {
	// Units declares the unit of channels by name, over what the file itself declares; "" takes the
	// values as they are. A name that is not a channel of the log is an error.
	Units map[string]string
	// Skip names columns of a CSV file that are not to be read (text, for instance). Columns that are
	// not in the file are no error.
	Skip []string
	// BadRows says what happens to unreadable rows of a CSV file.
	BadRows BadRows
	// MemoryLimit is the size in bytes above which a decoded CSV file is kept in a temporary file
	// instead of in memory; 0 stands for 256 MiB, and a negative number spools from the first block.
	MemoryLimit int64
	// TempDir is where that temporary file is made; "" stands for the system's own place.
	TempDir string
}

// Open opens a log file. The extension says what it is: .csv, .tsv (either also with .gz), .parquet,
// .arrow, .feather or .arrows (Arrow's stream). CSV files are decoded here once, row by row; from the
// others only the description is read. Errors name the file and the place in it and match the Err
// values of this package.
func Open(path string, opt Options) (*Log, error) {
	f, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	var t table
	switch f.kind {
	case "csv":
		t, err = openCSV(path, f.delimiter, opt)
	case "parquet":
		t, err = openParquet(path, opt)
	case "arrow":
		t, err = openArrow(path, opt)
	}
	if err != nil {
		return nil, err
	}
	t.path, t.name = path, baseName(path)
	return &Log{table: t, last: t.rows}, nil
}

type format struct {
	kind      string // "csv", "parquet" or "arrow"
	delimiter byte   // of a text file that is being written
	gzip      bool
	stream    bool // Arrow's stream instead of its file
}

// formatOf reads a path's extension.
func formatOf(path string) (format, error) {
	low := strings.ToLower(filepath.Base(path))
	low, gz := strings.CutSuffix(low, ".gz")
	switch ext := filepath.Ext(low); {
	case ext == ".csv" || ext == ".txt":
		return format{kind: "csv", delimiter: ',', gzip: gz}, nil
	case ext == ".tsv":
		return format{kind: "csv", delimiter: '\t', gzip: gz}, nil
	case ext == ".parquet" && !gz:
		return format{kind: "parquet"}, nil
	case (ext == ".arrow" || ext == ".feather") && !gz:
		return format{kind: "arrow"}, nil
	case ext == ".arrows" && !gz:
		return format{kind: "arrow", stream: true}, nil
	}
	return format{}, &FileError{Path: path,
		Err: fmt.Errorf("%w: the extension must be one of .csv .csv.gz .tsv .parquet .arrow .feather .arrows", ErrFormat)}
}

// declare settles names and units of a file's columns: the unit at the end of the name or kept by the
// file beside it, unless Options.Units says otherwise. headers and units belong together; units may be
// nil.
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

package datasets

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ident/internal/hint"
)

// format is the file format of an extension.
type format struct {
	kind        string // "csv", "parquet", "arrow", "mcap", "rosbag1", "rosbag2", "npy", "npz" or "mat"
	delimiter   byte   // of a text file to be written
	compression string // of a text file: "", "gzip" or "zstd"
	stream      bool   // Arrow's stream format, not its file format
}

// recording reports whether the files are recordings of messages.
func (f format) recording() bool {
	return f.kind == "mcap" || f.kind == "rosbag1" || f.kind == "rosbag2"
}

// Extensions lists the extensions of the files that Open reads, and of those that Write writes.
func Extensions() (read, write []string) {
	write = []string{".csv", ".csv.gz", ".csv.zst", ".tsv", ".tsv.gz", ".tsv.zst", ".parquet", ".arrow", ".feather", ".arrows", ".mcap", ".npz", ".mat"}
	return append(write[:len(write):len(write)], ".bag", ".db3", ".npy"), write
}

// formatOf returns the format of a path's extension.
func formatOf(path string) (format, error) {
	low := strings.ToLower(filepath.Base(path))
	stem, packed := low, ""
	for ext, name := range map[string]string{".gz": "gzip", ".zst": "zstd"} {
		if s, ok := strings.CutSuffix(low, ext); ok {
			stem, packed = s, name
		}
	}
	ext := filepath.Ext(stem)
	switch ext {
	case ".csv", ".txt":
		return format{kind: "csv", delimiter: ',', compression: packed}, nil
	case ".tsv":
		return format{kind: "csv", delimiter: '\t', compression: packed}, nil
	}
	binary := map[string]format{
		".parquet": {kind: "parquet"}, ".arrow": {kind: "arrow"}, ".feather": {kind: "arrow"}, ".arrows": {kind: "arrow", stream: true},
		".mcap": {kind: "mcap"}, ".bag": {kind: "rosbag1"}, ".db3": {kind: "rosbag2"},
		".npy": {kind: "npy"}, ".npz": {kind: "npz"}, ".mat": {kind: "mat"},
	}
	f, known := binary[ext]
	if known && packed == "" {
		return f, nil
	}
	why := "the extension must be one of "
	switch {
	case slices.Contains([]string{".urdf", ".xml", ".xacro", ".sdf", ".par", ".yaml", ".yml"}, ext):
		return format{}, &FileError{Path: path, Err: hint.Errorf("robot", path, "%w: it looks like a robot file; give that by {robot} %s, and a log", ErrFormat, path)}
	case known:
		why = fmt.Sprintf("decompress it first (%s); the extension must be one of ", map[string]string{"gzip": "gunzip", "zstd": "zstd -d"}[packed])
	case ext == ".h5" || ext == ".hdf5":
		why = "HDF5 is not read; write the columns as one of "
	case ext == ".xls" || ext == ".xlsx" || ext == ".ods":
		why = "spreadsheets are not read; export the sheet as CSV, or use one of "
	}
	read, _ := Extensions()
	return format{}, &FileError{Path: path, Err: fmt.Errorf("%w: %s%s", ErrFormat, why, strings.Join(read, " "))}
}

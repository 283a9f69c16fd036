package datasets

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"ident/datasets/internal/hdf5"
	"ident/internal/hint"
)

// format is a file format of logs: a line of the table that Open, Write, Extensions, Sniff and the messages read.
type format struct {
	extensions []string
	aliases    []string // extensions that are read and not listed
	title      string   // as "a Parquet file"
	magic      string   // the first bytes of every file; "" for text
	// open describes a file with random access to its columns and takes it over; messages collects those of a recording. A format
	// has one of the two; without either it is text.
	open     func(path string, f readerAtCloser, size int64, opt Options) (table, error)
	messages func(r *recorder, f io.ReaderAt, size int64, path string) error
	// write returns an encoder; nil if the format is only read.
	write     func(w io.Writer, f format, channels []Channel, meta map[string]string) (encoder, error)
	delimiter byte // of a table of text
	rows      bool // the files are text with one object a row

	compression string // of a text file: "", "gzip" or "zstd"
}

// formats returns the table of formats, those that are written first.
func formats() []format {
	return []format{
		{extensions: []string{".csv"}, aliases: []string{".txt", ".dat", ".asc", ".log", ".lvm"}, title: "a CSV file", delimiter: ',', write: newCSVEncoder},
		{extensions: []string{".tsv"}, title: "a file of columns between tabs", delimiter: '\t', write: newCSVEncoder},
		{extensions: []string{".jsonl", ".ndjson"}, aliases: []string{".json"}, title: "a file of JSON lines", magic: "{", rows: true},
		{extensions: []string{".parquet"}, title: "a Parquet file", magic: "PAR1", open: openParquet,
			write: func(w io.Writer, _ format, c []Channel, meta map[string]string) (encoder, error) {
				return newParquetEncoder(w, c, meta)
			}},
		{extensions: []string{".arrow", ".feather"}, title: "an Arrow file", magic: arrowMagic, open: openArrow,
			write: func(w io.Writer, _ format, c []Channel, meta map[string]string) (encoder, error) {
				return newArrowEncoder(w, false, c, meta)
			}},
		{extensions: []string{".arrows"}, title: "an Arrow stream", magic: "\xff\xff\xff\xff", open: openArrow,
			write: func(w io.Writer, _ format, c []Channel, meta map[string]string) (encoder, error) {
				return newArrowEncoder(w, true, c, meta)
			}},
		{extensions: []string{".mcap"}, title: "an MCAP file", magic: mcapMagic,
			messages: func(r *recorder, f io.ReaderAt, size int64, _ string) error { return readMCAP(r, f, size) },
			write: func(w io.Writer, _ format, c []Channel, meta map[string]string) (encoder, error) {
				return newMCAPEncoder(w, c, meta)
			}},
		{extensions: []string{".npz"}, title: "a zip archive", magic: "PK\x03\x04", open: arraysBy((*arraySource).openNPZ), write: arraysIn("npz")},
		{extensions: []string{".mat"}, title: "a MATLAB file", magic: matMagic, open: arraysBy((*arraySource).openMAT), write: arraysIn("mat")},
		{extensions: []string{".bag"}, title: "a ROS bag", magic: bag1Magic[:len("#ROSBAG")],
			messages: func(r *recorder, f io.ReaderAt, size int64, _ string) error { return readBag1(r, f, size) }},
		{extensions: []string{".db3"}, title: "an SQLite file", magic: "SQLite format 3\x00", messages: readBag2},
		{extensions: []string{".h5", ".hdf5"}, aliases: []string{".hdf", ".he5", ".nc"}, title: "an HDF5 file", magic: hdf5.Magic, open: arraysBy((*arraySource).openHDF5)},
		{extensions: []string{".npy"}, title: "a NumPy file", magic: npyMagic,
			open: arraysBy(func(s *arraySource, size int64, _ Options) ([]ndarray, error) { return s.openNPY(size) })},
	}
}

// arraysIn returns the encoder of a kind of arrays.
func arraysIn(kind string) func(io.Writer, format, []Channel, map[string]string) (encoder, error) {
	return func(w io.Writer, _ format, c []Channel, meta map[string]string) (encoder, error) {
		return newArrayEncoder(w, kind, c, meta)
	}
}

// recording reports whether the files are recordings of messages.
func (f format) recording() bool { return f.messages != nil }

// text reports whether the files are text, which is read from front to back and may be compressed.
func (f format) text() bool { return f.delimiter != 0 || f.rows }

// read decodes a file of text.
func (f format) read(path string, r io.Reader, size int64, opt Options) (table, error) {
	if f.rows {
		return openJSON(path, r, size, opt)
	}
	return openCSV(path, r, size, f.delimiter, opt)
}

// packings returns the extensions of compressed text, their names and their first bytes.
func packings() [2]struct{ extension, name, undo, magic string } {
	return [...]struct{ extension, name, undo, magic string }{{".gz", "gzip", "gunzip", "\x1f\x8b"}, {".zst", "zstd", "zstd -d", "\x28\xb5\x2f\xfd"}}
}

// Extensions lists the extensions of the files that Open reads, and of those that Write writes.
func Extensions() (read, write []string) {
	for _, f := range formats() {
		for _, ext := range f.extensions {
			all := []string{ext}
			for _, p := range packings() {
				if f.text() {
					all = append(all, ext+p.extension)
				}
			}
			if read = append(read, all...); f.write != nil {
				write = append(write, all...)
			}
		}
	}
	return read, write
}

// Sniff returns the extension of a log whose first bytes are head, of which 16 are enough: ".csv" if they are those of no other format,
// ".csv.gz" or ".csv.zst" if they are compressed.
func Sniff(head []byte) (extension string) {
	for _, p := range packings() {
		if bytes.HasPrefix(head, []byte(p.magic)) {
			return ".csv" + p.extension
		}
	}
	for _, f := range formats() {
		if f.magic != "" && bytes.HasPrefix(head, []byte(f.magic)) {
			return f.extensions[0]
		}
	}
	return ".csv"
}

// formatOf returns the format of a path's extension.
func formatOf(path string) (format, error) {
	low := strings.ToLower(filepath.Base(path))
	stem, packed, undo := low, "", ""
	for _, p := range packings() {
		if s, ok := strings.CutSuffix(low, p.extension); ok {
			stem, packed, undo = s, p.name, p.undo
		}
	}
	ext := filepath.Ext(stem)
	known := false
	for _, f := range formats() {
		if slices.Contains(f.extensions, ext) || slices.Contains(f.aliases, ext) {
			if known = true; packed == "" || f.text() {
				f.compression = packed
				return f, nil
			}
		}
	}
	why := "the extension must be one of "
	switch {
	case ext == ".xml":
		return format{}, &FileError{Path: path, Err: hint.Errorf("robot", path, "%w: XML is the text of a robot; give that by {robot} %s, and a log; write messages in XML (KUKA's RSI) as CSV or JSON lines, a row of each", ErrFormat, path)}
	case slices.Contains([]string{".urdf", ".xacro", ".sdf", ".par", ".yaml", ".yml"}, ext):
		return format{}, &FileError{Path: path, Err: hint.Errorf("robot", path, "%w: it looks like a robot file; give that by {robot} %s, and a log", ErrFormat, path)}
	case known:
		why = fmt.Sprintf("decompress it first (%s); the extension must be one of ", undo)
	case ext == ".xls" || ext == ".xlsx" || ext == ".ods":
		why = "spreadsheets are not read; save the sheet as CSV (File, Save As, CSV UTF-8), or in Python: pandas.read_excel(FILE).to_csv(\"log.csv\", index=False); or use one of "
	case ext == ".pt" || ext == ".pth" || ext == ".ckpt":
		why = "files of PyTorch run code when they are read; save the tensors in Python: numpy.savez(\"log.npz\", **{k: v.numpy() for k, v in torch.load(FILE, weights_only=True).items()}); or use one of "
	case ext == ".tdms":
		why = "LabVIEW's TDMS is not read; export the channels as text (LabVIEW's TDM importer of spreadsheets, or in Python: nptdms.TdmsFile.read(FILE).as_dataframe().to_csv(\"log.csv\")); or use one of "
	case ext == ".zarr":
		why = "Zarr is not read; save the arrays in Python: numpy.savez(\"log.npz\", **{k: v[:] for k, v in zarr.open(FILE)[\"data\"].arrays()}); or use one of "
	case strings.HasPrefix(ext, ".tfrecord"):
		why = "records of TensorFlow are not read; save a table of the steps, by DataFrame.to_parquet(\"log.parquet\"), or arrays by numpy.savez; or use one of "
	case ext == ".pkl" || ext == ".pickle" || ext == ".joblib":
		why = "pickles run code when they are read; save the arrays in Python: numpy.savez(\"log.npz\", t=…, q=…, dq=…, tau=…), or a table by DataFrame.to_parquet(\"log.parquet\"); or use one of "
	}
	var read []string // compressed text is understood
	for _, f := range formats() {
		read = append(read, f.extensions...)
	}
	return format{}, &FileError{Path: path, Err: fmt.Errorf("%w: %s%s", ErrFormat, why, strings.Join(read, " "))}
}

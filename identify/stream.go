package identify

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ident/datasets"
	"ident/identify/project"
)

// stream reads a log that grows: CSV or TSV with the names of the channels first, which comes in whole lines. A log of some rows
// is opened by the same reader that complete logs have.
type stream struct {
	settings *project.Settings
	name     string

	header []byte // up to and with the line that names the channels
	named  bool   // that line has been read
	rows   int    // handed on before
	file   *datasets.Log
}

// body returns the rows of a text, without the lines of the header; none while the header is not complete.
func (s *stream) body(text []byte) []byte {
	for !s.named {
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			return nil // nothing but the beginning of the first line
		}
		s.header, s.named, text = append(s.header, text[:end]...), text[0] != '#', text[end:]
	}
	return text
}

// open makes a log of some rows. It is closed by the next call, or by close.
func (s *stream) open(rows []byte) (*datasets.Log, error) {
	s.close()
	text := append(slices.Clone(s.header), rows...)
	log, err := project.OpenReader(s.settings, bytes.NewReader(text), int64(len(text)), followedName(s.name))
	if err != nil {
		return nil, fmt.Errorf("%s, after row %d: %w", s.name, s.rows, err)
	}
	s.file = log
	return log, nil
}

// close releases the rows at hand.
func (s *stream) close() {
	if s.file != nil {
		s.file.Close()
		s.file = nil
	}
}

// followedName names the text of a followed log, which is CSV or TSV whatever its extension.
func followedName(path string) string {
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case ext == ".csv", ext == ".tsv", ext == ".txt":
		return path
	case path == "-":
		return "stdin.csv"
	}
	return path + ".csv"
}

package identify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ident/datasets"
	"ident/identify/project"
)

// stream reads a growing log in whole lines: CSV or TSV with channel names first, or one JSON object a row. Some rows
// are opened as a log by the same reader as complete logs.
type stream struct {
	settings *project.Settings
	name     string

	header []byte  // up to and with the line that names the channels
	named  bool    // that line has been read
	fields []field // of JSON rows
	rows   int     // handed on before
	file   *datasets.Log
}

// field is a member of the objects of a stream, a number or a list of numbers.
type field struct {
	name  string
	count int // of a list; -1 for a number
}

// body returns the rows of a text without header lines; none as long as the header is incomplete.
func (s *stream) body(text []byte) ([]byte, error) {
	if s.fields != nil || !s.named && len(s.header) == 0 && bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return s.objects(text)
	}
	for !s.named {
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			return nil, nil // nothing but the beginning of the first line
		}
		s.header, s.named, text = append(s.header, text[:end]...), text[0] != '#', text[end:]
	}
	return text, nil
}

// objects converts JSON rows to CSV: {"t": 0.1, "q": [0.2, 0.3], "tau1": 4} has the channels q1, q2, t and tau1. The
// first row defines the channels; a row that lacks one is an error, and null is not a number.
func (s *stream) objects(text []byte) ([]byte, error) {
	var out []byte
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var row map[string]json.RawMessage
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, fmt.Errorf("%s, near row %d: a line is no JSON object: %w", s.name, s.rows+1, err)
		}
		if s.fields == nil {
			s.nameChannels(row)
		}
		for i, f := range s.fields {
			var values []*float64
			one := f.count < 0
			raw, ok := row[f.name]
			var err error
			if one {
				values = make([]*float64, 1)
				err = json.Unmarshal(raw, &values[0])
			} else {
				err = json.Unmarshal(raw, &values)
			}
			if !ok || err != nil || !one && len(values) != f.count {
				return nil, fmt.Errorf("%s, near row %d: channel %s is in the first row, and missing or of another kind here", s.name, s.rows+1, f.name)
			}
			for k, v := range values {
				if i+k > 0 {
					out = append(out, ',')
				}
				if v != nil {
					out = strconv.AppendFloat(out, *v, 'g', -1, 64)
				} else {
					out = append(out, "nan"...)
				}
			}
		}
		out = append(out, '\n')
	}
	return out, nil
}

// nameChannels names the channels by the first row; members that hold no numbers are left out.
func (s *stream) nameChannels(row map[string]json.RawMessage) {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(row)) {
		var number float64
		var list []*float64
		switch raw := row[name]; {
		case json.Unmarshal(raw, &number) == nil:
			s.fields, names = append(s.fields, field{name, -1}), append(names, name)
		case json.Unmarshal(raw, &list) == nil && len(list) > 0:
			s.fields = append(s.fields, field{name, len(list)})
			for i := range list {
				names = append(names, fmt.Sprint(name, i+1))
			}
		}
	}
	if s.fields == nil {
		s.fields = []field{}
	}
	s.header, s.named = []byte(strings.Join(names, ",")+"\n"), true
}

// open returns a log of some rows, which the next call or close closes.
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

// next returns a log of some rows that follow the previous ones, which the next call or close closes. A line of units counts for all of them.
func (s *stream) next(rows []byte) (*datasets.Log, error) {
	if s.file == nil {
		log, err := s.open(rows)
		if err == nil && log.Rows() == 0 {
			s.header = append(s.header, rows...)
			s.close()
		}
		return log, err
	}
	log, err := s.file.Further(rows)
	if err != nil {
		return nil, fmt.Errorf("%s, after row %d: %w", s.name, s.rows, project.Repair(err))
	}
	s.close()
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

// followedName returns the name of a followed log's text, which is CSV or TSV whatever its extension.
func followedName(path string) string {
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case ext == ".csv", ext == ".tsv", ext == ".txt":
		return path
	case path == "-":
		return "stdin.csv"
	}
	return path + ".csv"
}

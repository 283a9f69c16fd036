package identify

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ident/datasets"
	"ident/identify/project"
)

// maxLine is the longest line of a stream in bytes: a row of a thousand channels takes 20 kB.
const maxLine = 1 << 20

// stream reads a growing log in whole lines: CSV or TSV with channel names first, or one JSON object a row. Some rows
// are opened as a log by the same reader as complete logs. Lines that are no rows are left out and counted, unless the
// setting on-bad says error.
type stream struct {
	settings *project.Settings
	name     string

	header []byte  // up to and with the line that names the channels
	names  []byte  // that line
	line   int     // its number
	named  bool    // that line has been read
	begun  bool    // a row has come under these names
	fields []field // of JSON rows
	lines  int     // read before
	rows   int     // handed on before
	file   *datasets.Log
}

// field is a member of the objects of a stream, a number or a list of numbers.
type field struct {
	name  string
	count int // of a list; -1 for a number
}

// section is text of a stream under one line of names: CSV, a line for each line of the stream.
type section struct {
	text  []byte
	first int            // number of the stream's line that the first line of text is
	why   map[int]string // lines that were refused: they stand as "!" in text
}

// lost is a line of a stream that is no row.
type lost struct {
	line  int // of the stream, from 1
	lines int // as many from it on
	after int // rows of the section before it
	why   string
}

func (l *lost) text() string { return fmt.Sprintf("line %d is no row: %s", l.line, l.why) }

// again expects the line of names next, as in a new file.
func (s *stream) again() {
	s.close()
	s.header, s.names, s.named, s.begun, s.fields, s.lines = nil, nil, false, false, nil, 0
}

// sections cuts whole lines where their channels change, and converts JSON rows to CSV.
func (s *stream) sections(text []byte, yield func(section) error) error {
	var p section
	flush := func() error {
		if len(p.text) == 0 {
			return nil
		}
		err := yield(p)
		p = section{}
		return err
	}
	put := func(line []byte) {
		if len(p.text) == 0 {
			p.first = s.lines
		}
		if p.text = append(p.text, line...); line[len(line)-1] != '\n' {
			p.text = append(p.text, '\n')
		}
	}
	refuse := func(why string) error {
		if s.settings.OnBad == "error" {
			return fmt.Errorf("%s, line %d: %s", s.name, s.lines, why)
		}
		put([]byte("!\n"))
		if p.why == nil {
			p.why = map[int]string{}
		}
		p.why[s.lines] = why
		return nil
	}
	// named begins to read rows under a line of names. One before that no row followed named nothing.
	named := func(header, names []byte) error {
		if s.named && !s.begun {
			s.named = false
			if err := yield(section{text: []byte("!\n"), first: s.line, why: map[int]string{s.line: "no row has these channels"}}); err != nil {
				return err
			}
		}
		s.close()
		s.header, s.names, s.line, s.named, s.begun = header, bytes.Clone(names), s.lines, true, false
		return nil
	}
	for line := range bytes.Lines(text) {
		s.lines++
		var err error
		body := bytes.TrimSpace(line)
		switch {
		case len(body) > maxLine:
			err = refuse(fmt.Sprintf("it is longer than %d MiB", maxLine>>20))
		case len(body) == 0 && s.named:
			put([]byte("\n"))
		case len(body) == 0:
		case s.fields != nil:
			err = s.object(body, put, refuse)
		case body[0] == '{' && !s.begun && !s.refused(body):
			if err = flush(); err != nil {
				return err
			}
			if !s.begun {
				err = named(s.nameChannels(body))
			}
			if err == nil {
				err = s.object(body, put, refuse)
			}
		case !s.named:
			var why string
			if why, err = s.head(line); why != "" {
				err = refuse(why)
			}
		case bytes.Equal(body, s.names):
			err = refuse("the names of the channels again")
		case lettered(body):
			if !s.begun { // unless a row has come that is not read yet
				if err = flush(); err != nil {
					return err
				}
			}
			if !s.renames(body) {
				put(line)
				break
			}
			if err = flush(); err != nil {
				return err
			}
			header := append(bytes.Clone(body), '\n')
			var why string
			if why, err = s.namesNone(header); why != "" || err != nil {
				err = refuse(cmp.Or(why, "it cannot name channels"))
			} else {
				err = named(header, body)
			}
		default:
			put(line)
		}
		if err != nil {
			return errors.Join(flush(), err)
		}
	}
	return flush()
}

// head takes in a line above the rows. It returns why the line cannot name channels, or an error if no further line can either.
func (s *stream) head(line []byte) (why string, err error) {
	body := bytes.TrimSpace(line)
	header := append(bytes.Clone(s.header), body...)
	if header = append(header, '\n'); body[0] == '#' {
		if len(header) <= maxLine {
			s.header = header
		}
		return "", nil
	}
	if why, err = s.namesNone(header); why != "" || err != nil {
		return why, err
	}
	s.header, s.names, s.line, s.named = header, bytes.Clone(body), s.lines, true
	return "", nil
}

// namesNone returns why a header cannot name channels, or the error of one that shows that the stream has no names above its rows.
func (s *stream) namesNone(header []byte) (why string, err error) {
	l, err := s.read(header)
	var file *datasets.FileError
	switch {
	case err == nil:
		l.Close()
		return "", nil
	case errors.Is(err, datasets.ErrNoHeader):
		return "", fmt.Errorf("%s: %w", s.name, err)
	case errors.As(err, &file):
		err = file.Err
	}
	return "it cannot name channels: " + err.Error(), nil
}

// renames reports whether a line names the channels anew: a logger has begun again, or what was taken for names was none. The line has several
// fields, none of them a number; before the first row their number is another, as a line of units has one for each name, and behind it at least half
// are known names.
func (s *stream) renames(body []byte) bool {
	split := splitter(s.names)
	fields, names := split(string(body)), split(string(s.names))
	if !s.begun {
		fields = splitter(body)(string(body))
	}
	known := 0
	for _, f := range fields {
		if _, err := strconv.ParseFloat(strings.ReplaceAll(f, ",", "."), 64); err == nil || f == "" {
			return false
		}
		if slices.Contains(names, f) {
			known++
		}
	}
	if s.begun {
		return len(fields) >= 2 && 2*known >= len(fields)
	}
	return len(fields) >= 2 && len(fields) != len(names)
}

// lettered reports whether a line begins as a name does.
func lettered(body []byte) bool {
	c := body[0]
	return 'a' <= c|0x20 && c|0x20 <= 'z' || bytes.IndexByte([]byte(`"_/%[`), c) >= 0
}

// splitter returns a function that cuts a line like one of names into its fields.
func splitter(names []byte) func(line string) []string {
	for _, d := range "\t;," {
		if bytes.ContainsRune(names, d) {
			return func(line string) []string {
				fields := strings.Split(line, string(d))
				for i := range fields {
					fields[i] = strings.Trim(strings.TrimSpace(fields[i]), `"`)
				}
				return fields
			}
		}
	}
	return strings.Fields
}

// refused reports whether a line is no JSON object with numbers.
func (s *stream) refused(line []byte) bool {
	var row map[string]json.RawMessage
	if json.Unmarshal(line, &row) != nil {
		return true
	}
	fields, _ := fieldsOf(row)
	return len(fields) == 0
}

// object converts a JSON row to CSV: {"t": 0.1, "q": [0.2, 0.3], "tau1": 4} has the channels q1, q2, t and tau1. The
// first row defines the channels; a row that lacks one is refused, and null is not a number.
func (s *stream) object(line []byte, put func(line []byte), refuse func(why string) error) error {
	var row map[string]json.RawMessage
	if err := json.Unmarshal(line, &row); err != nil {
		return refuse("it is no JSON object: " + err.Error())
	}
	var out []byte
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
			return refuse(fmt.Sprintf("channel %s is in the first row, and missing or of another kind here", f.name))
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
	put(append(out, '\n'))
	return nil
}

// nameChannels names the channels by the first row.
func (s *stream) nameChannels(line []byte) (header, names []byte) {
	var row map[string]json.RawMessage
	json.Unmarshal(line, &row)
	fields, list := fieldsOf(row)
	s.fields, names = fields, []byte(strings.Join(list, ","))
	return append(bytes.Clone(names), '\n'), names
}

// fieldsOf returns the members of a row that hold numbers, with the names of their channels; the others are left out.
func fieldsOf(row map[string]json.RawMessage) (fields []field, names []string) {
	for _, name := range slices.Sorted(maps.Keys(row)) {
		var number float64
		var list []*float64
		switch raw := row[name]; {
		case json.Unmarshal(raw, &number) == nil:
			fields, names = append(fields, field{name, -1}), append(names, quoted(name))
		case json.Unmarshal(raw, &list) == nil && len(list) > 0:
			fields = append(fields, field{name, len(list)})
			for i := range list {
				names = append(names, quoted(fmt.Sprint(name, i+1)))
			}
		}
	}
	return fields, names
}

// quoted returns a name as a field of CSV: one that holds a comma, a quote or a line end would be read as several.
func quoted(name string) string {
	if !strings.ContainsAny(name, ",\"\r\n\t;#") {
		return name
	}
	return `"` + strings.ReplaceAll(strings.Join(strings.Fields(name), " "), `"`, `""`) + `"`
}

// log returns the rows of a section, which the next call or close closes, nil for none, and the lines that are no rows.
func (s *stream) log(p section) (*datasets.Log, []lost, error) {
	if !s.named {
		var list []lost
		for _, line := range slices.Sorted(maps.Keys(p.why)) {
			list = append(list, lost{line: line, lines: 1, why: p.why[line]})
		}
		return nil, list, nil
	}
	first := s.file == nil
	l, above, err := s.next(p.text)
	for range mostStray { // cells in another form
		var file *datasets.FileError
		if s.settings.OnBad == "error" || !errors.Is(err, datasets.ErrForm) || !errors.As(err, &file) || file.Line <= above {
			break
		}
		p = p.without(file.Line-above, err)
		l, above, err = s.next(p.text)
	}
	switch {
	case err != nil && s.settings.OnBad != "error" && (s.rows > 0 || errors.Is(err, datasets.ErrForm) || errors.Is(err, datasets.ErrNoHeader)):
		// Rows came before, under other names or units; or the few rows of a section do not tell a column of text from a sender that has
		// not begun: this is no reason to end.
		return nil, []lost{{line: p.first, lines: bytes.Count(p.text, []byte{'\n'}), why: err.Error()}}, nil
	case err != nil:
		return nil, nil, s.placed(err, p.first-1-above)
	}
	var list []lost
	for _, b := range l.Dropped() {
		at := lost{line: b.Line - above + p.first - 1, lines: 1, after: b.After, why: b.Why}
		if why, refused := p.why[at.line]; refused {
			at.why = why
		}
		list = append(list, at)
	}
	if more := l.DroppedRows() - len(list); more > 0 { // than a log lists
		list[len(list)-1].lines += more
	}
	if l.Rows() > 0 {
		s.begun = true
		return l, list, nil
	}
	if first {
		s.extend(p, list)
	}
	return nil, list, nil
}

// mostStray is the number of cells in another form up to which the first rows of a stream are read without their lines: more are the form of a column.
const mostStray = 8

// without returns a section whose line n, from 1, is refused for an error.
func (p section) without(n int, err error) section {
	lines := bytes.SplitAfter(p.text, []byte{'\n'})
	lines[n-1] = []byte("!\n")
	p.text = bytes.Join(lines, nil)
	why := maps.Clone(p.why)
	if why == nil {
		why = map[int]string{}
	}
	text := err.Error()
	if file := (*datasets.FileError)(nil); errors.As(err, &file) {
		text = fmt.Sprintf("column %q: %v", file.Column, file.Err)
	}
	why[p.first+n-1], _, _ = strings.Cut(text, ", ") // what to do with a column is no advice for one cell
	p.why = why
	return p
}

// extend adds the lines of a section that has no rows to the header: comments, and units. They count for all rows.
func (s *stream) extend(p section, list []lost) {
	line := p.first
	for text := range bytes.Lines(p.text) {
		if !slices.ContainsFunc(list, func(l lost) bool { return l.line == line }) && len(s.header)+len(text) <= 2*maxLine {
			s.header = append(s.header, text...)
		}
		line++
	}
	s.close()
}

// placed returns an error with the line and row of the stream; behind is how many lines lie before the text that was read.
func (s *stream) placed(err error, behind int) error {
	var file *datasets.FileError
	if errors.As(err, &file) {
		if file.Line > 0 {
			file.Line += behind
		}
		if file.Row > 0 {
			file.Row += s.rows
		}
	}
	return fmt.Errorf("%s, after row %d: %w", s.name, s.rows, err)
}

// open returns a log of some rows, which the next call or close closes.
func (s *stream) open(rows []byte) (*datasets.Log, error) {
	s.close()
	log, err := s.read(append(bytes.Clone(s.header), rows...))
	if err != nil {
		return nil, err
	}
	s.file = log
	return log, nil
}

// read reads a text with its names.
func (s *stream) read(text []byte) (*datasets.Log, error) {
	settings := *s.settings
	if settings.OnBad == "" {
		settings.OnBad = "drop"
	}
	return project.OpenReader(&settings, bytes.NewReader(text), int64(len(text)), followedName(s.name))
}

// next returns a log of some rows that follow the previous ones, which the next call or close closes, and the number of the header's lines, which
// the log counts too. A line of units counts for all of them.
func (s *stream) next(rows []byte) (log *datasets.Log, above int, err error) {
	if s.file == nil {
		log, err = s.open(rows)
		return log, bytes.Count(s.header, []byte{'\n'}), err
	}
	if log, err = s.file.Further(rows); err != nil {
		return nil, 0, project.Repair(err)
	}
	s.close()
	s.file = log
	return log, 0, nil
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

package datasets

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"ident/internal/hint"
)

const (
	csvChunk   = 1 << 18 // bytes a read
	csvMaxLine = 64 << 20
	maxBad     = 1000 // dropped rows that Log.Dropped lists
)

// csvReader splits a text file into lines.
type csvReader struct {
	path     string
	r        io.Reader
	buf      []byte
	beg, end int
	prev     int // index of the last line in buf
	eof      bool
	line     int      // number of the last line
	blanks   bool     // one or more blanks separate cells
	names    []string // of the columns, by the options
	cr       bool     // lines end with a carriage return alone
}

// next returns the next line without its end, nil at the end of the file. The bytes are valid until the call
// after. terminated is false for a last line without a line end.
func (c *csvReader) next() (line []byte, terminated bool, err error) {
	from := c.beg
	for {
		if i := bytes.IndexByte(c.buf[from:c.end], '\n'); i >= 0 {
			line = c.buf[c.beg : from+i]
			c.prev, c.beg = c.beg, from+i+1
			c.line++
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
			if c.blanks {
				line = collapse(line)
			}
			return line, true, nil
		}
		if c.eof {
			if c.beg == c.end {
				return nil, true, nil
			}
			line = c.buf[c.beg:c.end]
			c.prev, c.beg = c.beg, c.end
			c.line++
			if c.blanks {
				line = collapse(line)
			}
			return line, false, nil
		}
		from = c.end - c.beg
		if err := c.fill(); err != nil {
			return nil, false, err
		}
	}
}

// fill reads more behind the text from beg on, which it moves to the front.
func (c *csvReader) fill() error {
	kept := copy(c.buf, c.buf[c.beg:c.end])
	c.beg, c.end = 0, kept
	if kept == len(c.buf) {
		if kept >= csvMaxLine {
			return c.fail(0, "", fmt.Errorf("%w: a line of more than %d MiB", ErrFormat, csvMaxLine>>20))
		}
		c.buf = append(c.buf, make([]byte, max(len(c.buf), csvChunk))...)
	}
	n, err := c.r.Read(c.buf[c.end:])
	more := c.buf[c.end : c.end+n]
	if c.line == 0 && kept == 0 && n > 0 {
		c.cr = bytes.IndexByte(more[:n-1], '\r') >= 0 && bytes.IndexByte(more, '\n') < 0
	}
	if c.cr {
		for i, b := range more {
			if b == '\r' {
				more[i] = '\n'
			}
		}
	}
	c.end += n
	switch {
	case err == io.EOF:
		c.eof = true
	case err != nil:
		return c.readError(err)
	}
	return nil
}

// below returns the line below the last one, "" if there is none. The last line may still be unread.
func (c *csvReader) below() string {
	size := c.beg - c.prev
	c.beg = c.prev
	defer func() { c.prev, c.beg = c.beg, c.beg+size }()
	for {
		text := c.buf[c.beg+size : c.end]
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[:i]
		} else if !c.eof {
			if c.fill() != nil {
				return "" // the next line has the error
			}
			continue
		}
		if c.blanks {
			return strings.Join(strings.Fields(string(text)), " ")
		}
		return strings.TrimRight(string(text), "\r")
	}
}

// unread makes next return the last line again.
func (c *csvReader) unread() {
	c.beg = c.prev
	c.line--
}

func (c *csvReader) fail(row int, column string, err error) error {
	return &FileError{Path: c.path, Line: c.line, Row: row, Column: column, Err: err}
}

func (c *csvReader) readError(err error) error {
	return &FileError{Path: c.path, Err: fmt.Errorf("behind line %d: %w", c.line, err)}
}

// openCSV decodes a text file of size bytes, compressed or not, into a spool.
func openCSV(path string, f io.Reader, size int64, preferred byte, opt Options) (table, error) {
	r, stop, err := decompressed(f, size)
	if err != nil {
		return table{}, &FileError{Path: path, Err: err}
	}
	defer stop()
	if _, plain := r.(*bufio.Reader); !plain {
		size = 0 // of the text
	}
	return readCSV(path, r, size, preferred, opt)
}

// chunkOf returns the bytes to read at once of a file of a size, 0 where it is unknown. A row of a stream is a file of
// a hundred bytes.
func chunkOf(size int64) int {
	if size <= 0 {
		return csvChunk
	}
	return int(min(size+1, csvChunk))
}

// readCSV reads a text of a size, 0 where it is unknown.
func readCSV(path string, r io.Reader, size int64, preferred byte, opt Options) (table, error) {
	c := &csvReader{path: path, r: r, buf: make([]byte, chunkOf(size)), names: opt.Columns}
	head, err := c.readHead(preferred)
	if err != nil {
		return table{}, err
	}
	form := csvForm{path: path, csvHead: head, opt: opt, blanks: c.blanks, fields: make([]int, len(head.headers)), stamps: make([]stampSeries, len(head.headers))}
	form.notes = head.notes
	var headers []string
	words, said := c.words(head), map[string]string{}
	for i, h := range head.headers {
		name, _ := splitUnit(h)
		if h == "" && c.stampedIndex(head, i) {
			h = timeNames()[1]
			head.headers[i] = h
		}
		switch {
		case h == "":
			form.notes = append(form.notes, Note{Text: fmt.Sprintf("column %d has no name and was skipped", i+1)})
			form.fields[i] = -1
		case slices.Contains(opt.Skip, h) || slices.Contains(opt.Skip, name):
			form.notes = append(form.notes, Note{Channel: name, Text: "skipped as asked"})
			form.fields[i] = -1
		case words[i] != "":
			form.notes = append(form.notes, Note{Channel: name, Text: "skipped: it holds words, as " + excerpt([]byte(words[i]))})
			form.fields[i] = -1
			said[name] = words[i]
		default:
			form.fields[i] = len(headers)
			headers = append(headers, h)
		}
	}
	if len(headers) == 0 {
		return table{}, c.fail(0, "", fmt.Errorf("%w: no column has a name", ErrNoHeader))
	}
	if form.channels, form.convs, err = declare(path, headers, nil, opt); err != nil {
		return table{}, err
	}
	names := make([]string, len(form.channels))
	for i, ch := range form.channels {
		names[i] = ch.Name
	}
	for _, path := range nameListEntries(names, said, form.meta) {
		if form.held == nil {
			form.held = make([]string, len(head.headers))
		}
		form.held[slices.Index(head.headers, path)] = said[path]
	}
	return form.table(c, size)
}

// csvForm is what the lines above the rows of a text and the options say of its rows.
type csvForm struct {
	csvHead
	path     string
	opt      Options
	channels []Channel
	convs    []conversion
	fields   []int         // column of each field, -1 where it is skipped
	held     []string      // the text of each field that names entries of lists, "" of others; nil for none
	stamps   []stampSeries // of each field
	notes    []Note
	blanks   bool
}

// table reads the rows of c. size is the length of the text in bytes, 0 where it is unknown.
func (f *csvForm) table(c *csvReader, size int64) (table, error) {
	rows := csvRows{csvReader: c, csvHead: f.csvHead, opt: f.opt, fields: f.fields, held: f.held, stamps: f.stamps, stamped: slices.ContainsFunc(f.stamps, func(s stampSeries) bool { return s.is }), spool: newSpool(f.convs, size, f.opt.room(), f.opt.TempDir)}
	if err := rows.read(); err != nil {
		return table{}, errors.Join(err, rows.spool.close())
	}
	notes := slices.Clone(f.notes)
	for i, s := range f.stamps {
		if s.is && f.fields[i] >= 0 {
			ch := &f.channels[f.fields[i]]
			ch.Unit = "s"
			f.meta[ch.Name+".start"] = s.start()
			if n, ok := s.note(ch.Name); ok {
				notes = append(notes, n)
			}
		}
	}
	t := table{meta: f.meta, notes: notes, channels: f.channels, rows: rows.spool.rows, dropped: rows.bad, nDropped: rows.nBad, form: f}
	var err error
	t.src, err = rows.spool.finish()
	return t, err
}

// Further returns a log of the rows in text, which follow those of l, with the same channels, units and options. l must be a log of CSV
// or TSV that [OpenReader] read; it may be closed. Use it for a stream whose rows come one by one: the lines above the first row are not read again.
// Errors and rows left out count their lines from the first of text.
func (l *Log) Further(text []byte) (*Log, error) {
	if l.form == nil {
		return nil, fmt.Errorf("%s: %w: rows can be added only to a log that was read from CSV or TSV text", l.label(), ErrFormat)
	}
	t, err := l.form.table(&csvReader{path: l.form.path, buf: text, end: len(text), eof: true, blanks: l.form.blanks}, int64(len(text)))
	if err != nil {
		return nil, err
	}
	t.name, t.path = l.name, l.path
	return &Log{table: t, last: t.rows}, nil
}

// csvRows fills a spool with the data rows of a file.
type csvRows struct {
	*csvReader
	csvHead
	opt     Options
	spool   *spool
	fields  []int         // spool column of each field, -1 where it is skipped
	held    []string      // see csvForm
	stamps  []stampSeries // of each field
	stamped bool          // some of them are
	row     int
	bad     []Bad
	nBad    int
	text    []textCells // of each field
}

// textCells counts the cells of a field that are no numbers.
type textCells struct {
	n     int
	first string
}

// read fills the spool. A row that cannot be read ends it, or is left out if the options say so; a cell in another form ends it always, but
// in a stream, whose few rows do not tell a stray cell from the form of its column.
func (c *csvRows) read() error {
	c.text = make([]textCells, len(c.fields))
	for {
		line, terminated, err := c.next()
		if err == nil && line == nil {
			return c.texts()
		}
		if err != nil {
			if c.opt.BadRows == Drop && errors.Is(err, ErrTruncated) {
				c.drop(err)
				return c.texts()
			}
			return err
		}
		if len(line) == 0 || line[0] == '#' || len(bytes.TrimSpace(line)) == 0 && c.delimiter != '\t' {
			continue
		}
		c.row++
		column, err := c.parse(line)
		switch {
		case err == nil:
			if err := c.spool.advance(); err != nil {
				return &FileError{Path: c.path, Err: err}
			}
		case !terminated:
			err = fmt.Errorf("%w in its last line: %w", ErrTruncated, err)
			fallthrough
		default:
			if c.row == 1 && c.r != nil && (errors.Is(err, ErrFields) || len(c.fields) == 1) {
				err = c.belowTitle(line, err)
			}
			err = c.fail(c.row, column, err)
			if errors.Is(err, ErrForm) && c.r != nil || errors.Is(err, ErrNoHeader) {
				return err
			}
			c.drop(err)
			if c.opt.BadRows != Drop {
				return cmp.Or(c.rest(), err)
			}
		}
	}
}

// rest reads on and returns the error of a column of text, if the rows that are left show one.
func (c *csvRows) rest() error {
	for at := c.line; ; {
		line, terminated, err := c.next()
		if err != nil || line == nil {
			c.line = at
			return c.texts()
		}
		if len(line) > 0 && line[0] != '#' && terminated {
			c.row++
			c.parse(line)
		}
	}
}

// texts returns the error of a column that has no number in most rows: it is one of text or in a form that is not read, and its rows
// are sound.
func (c *csvRows) texts() error {
	if c.r == nil {
		return nil // of a stream, whose few rows do not tell
	}
	var text []int
	for k, cells := range c.text {
		if 2*cells.n > c.row && cells.n > 1 {
			text = append(text, k)
		}
	}
	if len(text) == 0 {
		return nil
	}
	first := text[0]
	list := c.columnsBut(text...)
	return &FileError{Path: c.path, Column: c.headers[first], Err: hint.Errorf("columns", list, "%w: text in %d of %d rows, as %s; write numbers, or leave the column out with {columns} %s",
		ErrForm, c.text[first].n, c.row, c.text[first].first, hint.Word(list))}
}

// columnsBut returns the value of Options.Columns that leaves some fields out.
func (c *csvRows) columnsBut(fields ...int) string {
	names := slices.Clone(c.headers)
	for i, name := range names {
		if name == "" || slices.Contains(fields, i) {
			names[i] = "_"
		}
	}
	return strings.Join(names, ",")
}

func (c *csvRows) drop(err error) {
	c.nBad++
	if len(c.bad) < maxBad {
		why := err.Error()
		var fe *FileError
		if errors.As(err, &fe) {
			why = fe.Err.Error()
			if fe.Column != "" {
				why = fmt.Sprintf("column %q: %s", fe.Column, why)
			}
		}
		c.bad = append(c.bad, Bad{Line: c.line, After: c.spool.rows, Why: why})
	}
}

// parse stores a line's numbers at the spool's fill position. On an error it names the column.
func (c *csvRows) parse(line []byte) (column string, err error) {
	s := c.spool
	if c.point == 0 {
		if c.point = pointOf(line, c.delimiter); c.point == 0 {
			c.point = decimalPoint(line)
		}
	}
	at, delimiter, point := s.fill, c.delimiter, c.point
	if point == 0 {
		point = '.'
	}
	i, stamped := 0, c.stamped
	for k, col := range c.fields {
		if i > len(line) {
			return "", fmt.Errorf("%w: %d instead of %d", ErrFields, k, len(c.fields))
		}
		if col < 0 {
			end := cellEnd(line, i, delimiter)
			if c.held != nil && c.held[k] != "" && string(bare(line[i:end])) != c.held[k] {
				return c.headers[k], fmt.Errorf("%w: %s, and %q in rows before: write the rows of each order of joints into a file of their own", ErrForm, excerpt(line[i:end]), c.held[k])
			}
			i = end + 1
			continue
		}
		v, next, ok := number(line, i, point)
		if !ok || next < len(line) && line[next] != delimiter || stamped && c.stamps[k].is {
			next = cellEnd(line, i, delimiter)
			if v, ok = c.stamp(k, line[i:next]); !ok && !c.stamps[k].is {
				v, ok = slowNumber(line[i:next], point)
			}
			if !ok {
				if n := c.countFields(line); n != len(c.fields) {
					return "", fmt.Errorf("%w: %d instead of %d", ErrFields, n, len(c.fields))
				}
				c.countText(line, point)
				return c.headers[k], c.noNumber(line[i:next], k)
			}
		}
		s.cur[col*s.block+at] = v
		i = next + 1
	}
	if i <= len(line) {
		return "", fmt.Errorf("%w: %d instead of %d", ErrFields, c.countFields(line), len(c.fields))
	}
	return "", nil
}

// countText counts the cells of a line that are no numbers.
func (c *csvRows) countText(line []byte, point byte) {
	i := 0
	for k, col := range c.fields {
		end := cellEnd(line, i, c.delimiter)
		if col >= 0 && !c.readable(line[i:end], k, point) {
			if c.text[k].n++; c.text[k].n == 1 {
				c.text[k].first = excerpt(line[i:end])
			}
		}
		i = end + 1
	}
}

// readable reports whether a cell of field k is a number, or a time stamp in a column of them.
func (c *csvRows) readable(cell []byte, k int, point byte) bool {
	if c.stamps[k].is {
		_, _, ok := c.stamps[k].seconds(cell)
		return ok
	}
	_, ok := slowNumber(cell, point)
	return ok
}

// noNumber returns the error of a cell of a field that is neither a number nor empty.
func (c *csvRows) noNumber(cell []byte, field int) error {
	switch list := c.columnsBut(field); {
	case c.stamps[field].is:
		return fmt.Errorf("%w: %s, in a column of time stamps", ErrForm, excerpt(cell))
	case ofTime(cell):
		return hint.Errorf("columns", list, "%w: %s, a time or a date in a form or a place that is not read; write seconds from any beginning, or leave the column out with {columns} %s and give the rate of evenly spaced rows by {rate} HZ",
			ErrForm, excerpt(cell), hint.Word(list))
	case grouped(cell):
		return fmt.Errorf("%w: %s, whose decimal sign or groups of digits are not those of most cells; write the column as 1000.5", ErrForm, excerpt(cell))
	}
	return fmt.Errorf("%w: %s", ErrNumber, excerpt(cell))
}

// grouped reports whether a cell that is no number is one with digits in groups of three, or with another decimal point than the table's.
func grouped(cell []byte) bool {
	text := strings.TrimSpace(string(cell))
	if inner, quoted := strings.CutPrefix(text, `"`); quoted {
		if text, quoted = strings.CutSuffix(inner, `"`); !quoted {
			return false // a quote without its other one
		}
	}
	groups := strings.FieldsFunc(strings.TrimLeft(text, "+-"), func(r rune) bool { return strings.ContainsRune(",.'’ \u00a0\u202f", r) })
	for i, g := range groups {
		if strings.Trim(g, "0123456789") != "" || i > 0 && i < len(groups)-1 && len(g) != 3 {
			return false
		}
	}
	return len(groups) > 1 && len(groups[0]) <= 3
}

// stamp reads a cell of field k as a time stamp. The first one makes it a column of stamps, in seconds whatever unit is declared.
func (c *csvRows) stamp(k int, cell []byte) (v float64, ok bool) {
	v, first, ok := c.stamps[k].seconds(cell)
	if !first {
		return v, ok
	}
	if s, col := c.spool, c.fields[k]; c.r == nil || s.rows > s.fill || slices.ContainsFunc(s.cur[col*s.block:][:s.fill], func(v float64) bool { return !math.IsNaN(v) }) {
		c.stamps[k].is = false // behind numbers, or in a stream that has begun, it is none
		return v, false
	}
	c.spool.convs[c.fields[k]] = conversion{factor: factor{"s", 1, 1}}
	c.stamped = true
	return v, true
}

// decimalPoint returns the decimal separator of a row, point or comma, 0 where it has neither. The first
// row with one decides for the file.
func decimalPoint(line []byte) byte {
	for _, p := range []byte{'.', ','} {
		if bytes.IndexByte(line, p) >= 0 {
			return p
		}
	}
	return 0
}

func (c *csvRows) countFields(line []byte) int {
	n := 1
	for i := cellEnd(line, 0, c.delimiter); i < len(line); i = cellEnd(line, i+1, c.delimiter) {
		n++
	}
	return n
}

// cellEnd finds the delimiter behind the cell at i, outside quotes.
func cellEnd(line []byte, i int, delimiter byte) int {
	if i < len(line) && line[i] == '"' {
		if q := bytes.IndexByte(line[i+1:], '"'); q >= 0 {
			i += q + 2
		}
	}
	if j := bytes.IndexByte(line[i:], delimiter); j >= 0 {
		return i + j
	}
	return len(line)
}

// excerpt quotes the beginning of a cell.
func excerpt(cell []byte) string {
	const most = 40
	if len(cell) > most {
		return fmt.Sprintf("%q…", cell[:most])
	}
	return fmt.Sprintf("%q", cell)
}

package datasets

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ident/internal/hint"
	"ident/internal/spreadsheet"
)

// csvHead is the part of a file before the first data row.
type csvHead struct {
	meta      map[string]string
	delimiter byte
	point     byte // decimal point or comma, 0 until a row determines it
	headers   []string
	headLine  int // number of the line of names
	notes     []Note
}

// readHead reads comment lines and the header line.
func (c *csvReader) readHead(preferred byte) (csvHead, error) {
	h := csvHead{meta: map[string]string{}}
	var comment string // the last comment other than "key: value"
	var forced byte    // delimiter of a line that names it
	for {
		line, _, err := c.next()
		if err != nil {
			return h, err
		}
		if line == nil {
			return h, c.fail(0, "", fmt.Errorf("%w: the file has no line of channel names", ErrNoHeader))
		}
		if c.line == 1 {
			if line, err = c.checkMagic(line); err != nil {
				return h, err
			}
		}
		text := bytes.TrimSpace(line)
		if len(text) == 0 {
			continue
		}
		// MATLAB's remarks begin with %, and a blank: %time is a name of rostopic.
		if text[0] == '#' || len(text) > 1 && text[0] == '%' && (text[1] == ' ' || text[1] == '\t') {
			body := strings.TrimSpace(strings.ToValidUTF8(string(text[1:]), "\uFFFD"))
			if key, value, ok := metaLine(body); ok {
				h.meta[key] = value
			} else {
				comment = body
			}
			continue
		}
		if d, ok := delimiterLine(text); ok && c.line == 1 {
			forced = d
			continue
		}
		if n := c.above(line, preferred); n > 0 && len(c.names) == 0 {
			first := c.line
			for range n {
				if line, _, err = c.next(); err != nil || line == nil {
					return h, cmp.Or(err, c.fail(0, "", fmt.Errorf("%w: the file has no line of channel names", ErrNoHeader)))
				}
			}
			h.notes = append(h.notes, aboveNote(first, c.line-1))
		}
		header := nameText(line)
		if i := strings.IndexFunc(header, func(r rune) bool { return r < ' ' && r != '\t' }); i >= 0 {
			return h, c.fail(0, "", fmt.Errorf("%w: the line of channel names holds %q, it is no text", ErrFormat, header[i]))
		}
		h.headLine = c.line
		if h.delimiter = detectDelimiter(header, preferred); forced != 0 {
			h.delimiter = forced
		} else if !strings.ContainsRune(header, rune(h.delimiter)) && c.byBlanks(header) {
			h.delimiter, c.blanks = ' ', true
			header, comment = strings.Join(strings.Fields(header), " "), strings.Join(strings.Fields(comment), " ")
		}
		if err := checkChannels(1 + strings.Count(header, string(h.delimiter))); err != nil && !strings.Contains(header, `"`) {
			return h, c.fail(0, "", err)
		}
		rows := c.isRow(header, h.delimiter)
		if len(c.names) > 0 && rows {
			c.unread()
			var err error
			if h.headers, err = c.named(c.names, len(splitFields(header, h.delimiter))); err != nil {
				return h, err
			}
			c.readUnits(&h)
			h.point = c.sign(h.delimiter)
			return h, nil
		}
		if rows {
			// Some programs write the names as a comment: "# t,q1,q2".
			names := splitFields(comment, h.delimiter)
			if comment == "" || len(names) != len(splitFields(header, h.delimiter)) || allNumbers(comment, h.delimiter) {
				cells := splitFields(header, h.delimiter)
				return h, c.fail(0, "", hint.Errorf("columns", columnsExample(cells), "%w: the first line holds numbers: name the %d columns by {columns} %s (_ leaves one out; without a clock give its {rate} 200), or write the names above them",
					ErrNoHeader, len(cells), columnsExample(cells)))
			}
			header = comment
			c.unread()
		}
		if h.headers = echoNames(splitFields(header, h.delimiter)); h.headers != nil && len(c.names) == 0 {
			c.unread()
			h.point = '.'
			return h, nil
		}
		h.headers = nil
		for _, name := range splitFields(header, h.delimiter) {
			h.headers = append(h.headers, spreadsheet.Plain(name))
		}
		if err := checkChannels(len(h.headers)); err != nil {
			return h, c.fail(0, "", err)
		}
		leaveOut(h.headers, c.names)
		c.readUnits(&h)
		c.endCell(&h)
		h.point = c.sign(h.delimiter)
		return h, nil
	}
}

// checkMagic removes the byte order mark from the first line and rejects files that are not text.
func (c *csvReader) checkMagic(line []byte) ([]byte, error) {
	others := []struct{ magic, what string }{
		{"PK\x03\x04", "a zip archive or a spreadsheet; export it as CSV"},
	}
	for _, f := range formats() {
		if f.magic != "" {
			others = append(others, struct{ magic, what string }{f.magic, f.title + "; name it " + f.extensions[0]})
		}
	}
	for _, m := range others {
		if bytes.HasPrefix(line, []byte(m.magic)) {
			return nil, c.fail(0, "", fmt.Errorf("%w: it looks like %s", ErrFormat, m.what))
		}
	}
	return bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), nil
}

// metaLine reads "key: value". Either may be quoted as in Go, for characters that a line cannot hold.
func metaLine(s string) (key, value string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		q, err := strconv.QuotedPrefix(s)
		if err != nil || !strings.HasPrefix(s[len(q):], ":") {
			return "", "", false
		}
		key, _ = strconv.Unquote(q)
		value = s[len(q)+1:]
	} else if key, value, ok = strings.Cut(s, ":"); !ok || key == "" || (value != "" && value[0] != ' ' && value[0] != '\t') {
		return "", "", false
	}
	value = strings.TrimSpace(value)
	if strings.HasPrefix(value, `"`) {
		if u, err := strconv.Unquote(value); err == nil {
			value = u
		}
	}
	return key, value, true
}

// unclean reports whether a string would not survive a line of its own.
func unclean(s string) bool {
	return strings.TrimSpace(s) != s || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == '\uFFFD' || r == '\u0085' || r == '\u2028' || r == '\u2029' })
}

// detectDelimiter looks for a tab, then a semicolon, a comma and a bar outside quotes.
func detectDelimiter(header string, preferred byte) byte {
	counts := map[byte]int{}
	quoted := false
	for i := range len(header) {
		if header[i] == '"' {
			quoted = !quoted
		} else if !quoted {
			counts[header[i]]++
		}
	}
	for _, d := range []byte{'\t', ';', ',', '|'} {
		if counts[d] > 0 {
			return d
		}
	}
	return preferred
}

// splitFields splits a line at the delimiter outside quotes; "" within quotes is one quote.
func splitFields(line string, delimiter byte) []string {
	var fields []string
	var cur strings.Builder
	quoted := false
	for i := 0; i < len(line); i++ {
		switch b := line[i]; {
		case b == '"' && quoted && i+1 < len(line) && line[i+1] == '"':
			cur.WriteByte('"')
			i++
		case b == '"' && (quoted || strings.TrimSpace(cur.String()) == ""):
			quoted = !quoted
		case b == delimiter && !quoted:
			fields = append(fields, strings.TrimSpace(cur.String()))
			cur.Reset()
		default:
			cur.WriteByte(b)
		}
	}
	return append(fields, strings.TrimSpace(cur.String()))
}

// isRow reports whether a line is a row of numbers and not one of names: all its cells are numbers, or half of them, and the line below has
// numbers and text in the same places.
func (c *csvReader) isRow(line string, delimiter byte) bool {
	cells := splitFields(line, delimiter)
	numbers := 0
	for _, cell := range cells {
		if isNumber(cell) {
			numbers++
		}
	}
	if numbers == len(cells) || 2*numbers < len(cells) {
		return numbers == len(cells)
	}
	below := splitFields(c.below(), delimiter)
	return len(below) == len(cells) && !slices.ContainsFunc(below, func(cell string) bool { return cell == "" }) &&
		slices.EqualFunc(cells, below, func(a, b string) bool { return isNumber(a) == isNumber(b) })
}

// columnsExample returns names that as many columns may have: a clock, positions and torques of all joints, velocities too where that fits, both
// where both do; _ for columns of text.
func columnsExample(cells []string) string {
	numbers := 0
	for _, cell := range cells {
		if isNumber(cell) {
			numbers++
		}
	}
	var out []string
	for _, kinds := range [][]string{{"q", "dq", "tau"}, {"q", "tau"}} {
		joints := (numbers - 1) / len(kinds)
		if spare := numbers - 1 - joints*len(kinds); joints == 0 || spare > 0 && (len(out) > 0 || len(kinds) > 2) {
			continue
		}
		list := []string{"t"}
		for _, kind := range kinds {
			for j := range joints {
				list = append(list, kind+strconv.Itoa(j+1))
			}
		}
		for len(list) < numbers {
			list = append(list, "_")
		}
		for i, cell := range cells {
			if !isNumber(cell) {
				list = slices.Insert(list, i, "_")
			}
		}
		out = append(out, strings.Join(ranges(list), ","))
	}
	if len(out) == 0 {
		return "t,q1,tau1"
	}
	return strings.Join(out, " or ")
}

// ranges joins names that count on: q1, q2, q3 become q1..q3.
func ranges(names []string) []string {
	var out []string
	for i := 0; i < len(names); {
		k := i + 1
		stem := strings.TrimRight(names[i], "0123456789")
		first, err := strconv.Atoi(names[i][len(stem):])
		for err == nil && k < len(names) && names[k] == stem+strconv.Itoa(first+k-i) {
			k++
		}
		if name := names[i]; k > i+1 {
			out = append(out, name+".."+names[k-1])
		} else {
			out = append(out, name)
		}
		i = k
	}
	return out
}

// belowTitle returns the error of the first row: where it has no number the line taken for names was a title, and no row can be left out for it.
func (c *csvRows) belowTitle(row []byte, err error) error {
	if slices.ContainsFunc(splitFields(string(row), c.delimiter), isNumber) {
		return fmt.Errorf("%w; line %d was taken for the names of the channels: begin lines above the names with #", err, c.headLine)
	}
	return fmt.Errorf("%w: %w; line %d was taken for the names of the channels: begin the lines above the names with #, or delete them", ErrNoHeader, err, c.headLine)
}

func allNumbers(line string, delimiter byte) bool {
	return !slices.ContainsFunc(splitFields(line, delimiter), func(f string) bool { return !isNumber(f) })
}

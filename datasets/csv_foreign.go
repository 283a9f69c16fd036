package datasets

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// What programs put around the rows of a table: another encoding, a line that names the delimiter, lines above the names, a delimiter
// behind the last cell.

// plainText returns UTF-8 of a text that is UTF-16 with a byte order mark, as spreadsheets and PowerShell write it, and any other text as it is.
func plainText(r *bufio.Reader) io.Reader {
	switch head, _ := r.Peek(2); string(head) {
	case "\xff\xfe":
		return &utf16Reader{r: r}
	case "\xfe\xff":
		return &utf16Reader{r: r, bigEndian: true}
	}
	return r
}

// utf16Reader reads UTF-16 as UTF-8.
type utf16Reader struct {
	r         *bufio.Reader
	bigEndian bool
	left      []byte // that did not fit
	high      rune   // the first half of a pair, 0 for none
}

// Read returns the text in UTF-8.
func (u *utf16Reader) Read(p []byte) (n int, err error) {
	for n = copy(p, u.left); n < len(p); {
		u.left = u.left[:0]
		var pair [2]byte
		if _, err = io.ReadFull(u.r, pair[:]); err != nil {
			if n > 0 {
				return n, nil
			}
			return 0, err // half a character at the end is a text that was cut
		}
		if u.bigEndian {
			pair[0], pair[1] = pair[1], pair[0]
		}
		c := rune(pair[0]) | rune(pair[1])<<8
		switch {
		case u.high != 0:
			c, u.high = utf16.DecodeRune(u.high, c), 0
		case utf16.IsSurrogate(c):
			u.high = c
			continue
		}
		if u.left = utf8.AppendRune(u.left, c); len(u.left) > len(p)-n {
			k := copy(p[n:], u.left)
			u.left = slices.Clone(u.left[k:])
			return n + k, nil
		}
		n += copy(p[n:], u.left)
	}
	u.left = slices.Clone(u.left[min(n, len(u.left)):])
	return n, nil
}

// nameText returns a line of names or units as UTF-8: a line that is none is Latin-1, in which older programs write ° and umlauts.
func nameText(line []byte) string {
	if utf8.Valid(line) {
		return string(line)
	}
	var b strings.Builder
	for _, c := range line {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// delimiterLine reads "sep=;", which spreadsheets write and read as the first line.
func delimiterLine(text []byte) (delimiter byte, ok bool) {
	text = bytes.Trim(text, `"`)
	if rest, is := bytes.CutPrefix(bytes.ToLower(text), []byte("sep=")); is && len(rest) == 1 && bytes.IndexByte([]byte(";,\t|"), rest[0]) >= 0 {
		return rest[0], true
	}
	return 0, false
}

// mostAbove is the number of lines that may stand above the names of a table without a sign of comments.
const mostAbove = 64

// above returns how many of the lines that are read already stand above the names of a table: the names are as many as the cells of the
// rows of numbers below them, or of a line of units between, and first, the first line, has another number of cells. It is 0 for a table
// that begins with its names, and where there is none.
func (c *csvReader) above(first []byte, preferred byte) (lines int) {
	rows := [][]byte{first}
	at := []int{0} // of the rows, lines behind the first
	n := 0
	for line := range bytes.Lines(c.ahead()) {
		if n++; n > mostAbove {
			break
		}
		if line = bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(line)) > 0 && line[0] != '#' {
			rows, at = append(rows, line), append(at, n)
		}
	}
	cells := func(k int, delimiter byte) []string { return splitFields(nameText(rows[k]), delimiter) }
	for k := 2; k+1 < len(rows); k++ {
		delimiter := detectDelimiter(string(rows[k]), preferred)
		if delimiter == ',' && bytes.IndexByte(rows[k], ',') < 0 {
			return 0 // blanks: lines of words look like names
		}
		width := len(cells(k, delimiter))
		if width < 3 || width != len(cells(k+1, delimiter)) || !numberRow(cells(k, delimiter)) || !numberRow(cells(k+1, delimiter)) {
			continue
		}
		if numberRow(cells(k-1, delimiter)) || len(cells(0, delimiter)) >= width-1 {
			return 0
		}
		head := k - 1
		if _, units := unitLine(nameText(rows[head]), cells(head, delimiter), delimiter); units && head > 1 && len(cells(head-1, delimiter)) >= width {
			head--
		}
		if names := len(cells(head, delimiter)); head == 0 || names != width && names != width+1 {
			return 0
		}
		return at[head]
	}
	return 0
}

// numberRow reports whether cells are those of a row: numbers or time stamps, and at most the last one empty.
func numberRow(cells []string) bool {
	for i, cell := range cells {
		if _, stamp := timeStamp([]byte(cell)); !stamp && !isNumber(cell) && !grouped([]byte(cell)) || cell == "" && i < len(cells)-1 {
			return false
		}
	}
	return true
}

// endCell makes the names as many as the cells of the first row where one of both lines ends with a delimiter, or the names with a column of
// comments that has no cells.
func (c *csvReader) endCell(h *csvHead) {
	line := c.peek()
	if line == nil || len(h.headers) < 2 {
		return
	}
	cells := splitFields(string(line), h.delimiter)
	last := len(h.headers) - 1
	switch {
	case len(cells) == last+2 && cells[last+1] == "":
		h.headers = append(h.headers, "")
	case len(cells) == last && (h.headers[last] == "" || strings.EqualFold(h.headers[last], "comment")):
		h.headers = h.headers[:last]
	}
}

// echoNames returns the names of the columns of a row of `ros2 topic echo --csv` of joint states, which has no line of names: seconds,
// nanoseconds, the frame, the joints' names, and as many positions, velocities and efforts. It returns nil for any other row.
func echoNames(cells []string) []string {
	if len(cells) < 7 || !digits([]byte(cells[0])) || !digits([]byte(cells[1])) || cells[0] == "" || cells[1] == "" || len(cells[1]) > 9 || isNumber(cells[2]) && cells[2] != "" {
		return nil
	}
	joints := 0
	for joints < len(cells)-3 && cells[3+joints] != "" && !isNumber(cells[3+joints]) {
		joints++
	}
	lists := []string{"position", "velocity", "effort"}
	if joints == 0 || len(cells) != 3+(1+len(lists))*joints || !numberRow(cells[3+joints:]) {
		return nil
	}
	names := []string{"header.stamp.sec", "header.stamp.nanosec", "header.frame_id"}
	for _, list := range append([]string{"name"}, lists...) {
		for j := range joints {
			names = append(names, list+"["+strconv.Itoa(j)+"]")
		}
	}
	return names
}

// aboveNote tells of the lines above the names.
func aboveNote(first, last int) Note {
	return Note{Text: fmt.Sprintf("lines %d to %d come before the line of names and are not read as rows", first, last)}
}

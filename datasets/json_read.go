package datasets

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ident/internal/hint"
)

// A log of JSON is one object a line, whose numbers are the values of a row. Members of objects within it, and lists, become channels
// named by their path, as in Parquet. Texts are left out, but for numbers and time stamps. A document that is no line is a list of
// such objects, or an object of columns: lists, or objects whose keys count the rows, as pandas writes them.

// jsonLog collects the rows of a log.
type jsonLog struct {
	*csvReader
	opt     Options
	columns map[string]int
	names   []string
	stamps  []stampSeries
	order   []int // columns of the leaves of the row before, in their order
	leaf    int
	cur     []float64 // the row
	set     []int     // the row that a column has its last value of
	row     int       // counted from 1
	first   [][]float64
	spool   *spool
	table   table
	texts   map[string]int    // members that hold texts, by their first line
	words   map[string]string // texts of the first row that has them
	held    map[string]bool   // names of entries, which stay
	changed int               // the first line with other names of entries than a line before, 0 for none
	late    map[string]int    // members that came behind the first rows, by their first line
	bad     []Bad
	nBad    int
}

const (
	// jsonSample is the number of rows whose members are the channels of a log.
	jsonSample = 1000
	// jsonDocument bounds a document that is no line, bytes: its values are kept in memory.
	jsonDocument = 256 << 20
)

// openJSON decodes a file of JSON of size bytes, compressed or not.
func openJSON(path string, f io.Reader, size int64, opt Options) (table, error) {
	r, stop, err := decompressed(f, size)
	if err != nil {
		return table{}, &FileError{Path: path, Err: err}
	}
	defer stop()
	j := &jsonLog{csvReader: &csvReader{path: path, r: r, buf: make([]byte, chunkOf(size))}, opt: opt,
		columns: map[string]int{}, texts: map[string]int{}, words: map[string]string{}, held: map[string]bool{}, late: map[string]int{}}
	if err := guard(j.read); err != nil {
		if j.spool != nil {
			err = errors.Join(err, j.spool.close())
		}
		return table{}, located(path, 0, "", err)
	}
	return j.table, nil
}

func (j *jsonLog) read() error {
	scan := &jsonScanner{number: j.number, text: j.text}
	for {
		line, terminated, err := j.next()
		if err != nil {
			return err
		}
		if line == nil {
			return j.finish()
		}
		if j.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if j.row == 0 { // of a document, the line is the beginning or the whole
			if line = slices.Clone(line); line[0] != '{' || line[len(line)-1] != '}' || j.peek() == nil {
				return j.document(line)
			}
		}
		j.row++
		j.leaf = 0
		for i := range j.cur {
			j.cur[i] = math.NaN()
		}
		scan.b, scan.at, scan.path = line, 0, scan.path[:0]
		err = scan.value(0)
		if err == nil && scan.more() {
			err = scan.damaged("the end of the line")
		}
		if err == nil {
			err = j.advance()
		} else if !terminated {
			err = fmt.Errorf("%w in its last line: %w", ErrTruncated, err)
		}
		if err != nil && j.opt.BadRows == Drop && (errors.Is(err, ErrDamaged) || errors.Is(err, ErrTruncated)) {
			if j.nBad++; len(j.bad) < maxBad {
				j.bad = append(j.bad, Bad{Line: j.line, After: j.row - 1, Why: err.Error()})
			}
			j.row--
			for i := range j.set {
				if j.set[i] > j.row {
					j.set[i] = 0
				}
			}
		} else if err != nil {
			return j.fail(j.row, "", err)
		}
	}
}

// column returns the column of a member, -1 if it came too late.
func (j *jsonLog) column(path []byte) (int, error) {
	if j.leaf < len(j.order) {
		if k := j.order[j.leaf]; k >= 0 && j.names[k] == string(path) {
			j.leaf++
			return k, nil
		}
	}
	k, ok := j.columns[string(path)]
	switch {
	case ok:
	case j.spool != nil:
		k = -1
		if name := string(path); len(j.late) < jsonSample && j.late[name] == 0 {
			j.late[name] = j.line
		}
	default:
		k = len(j.names)
		if err := checkChannels(k + 1); err != nil {
			return 0, err
		}
		j.columns[string(path)] = k
		j.names, j.stamps = append(j.names, string(path)), append(j.stamps, stampSeries{})
		j.cur, j.set = append(j.cur, math.NaN()), append(j.set, 0)
	}
	if j.leaf == len(j.order) {
		j.order = append(j.order, k)
	} else {
		j.order[j.leaf] = k
	}
	j.leaf++
	return k, nil
}

func (j *jsonLog) number(path []byte, v float64) error {
	k, err := j.column(path)
	if err != nil || k < 0 {
		return err
	}
	if j.set[k] == j.row {
		return fmt.Errorf("%w: %w: %q comes twice in a row", ErrDamaged, ErrDuplicate, path)
	}
	if j.set[k] = j.row; j.stamps[k].is && !math.IsNaN(v) {
		return fmt.Errorf("%w: %q is a number, and a time stamp in rows before", ErrDamaged, path)
	}
	j.cur[k] = v
	return nil
}

func (j *jsonLog) text(path, s []byte) error {
	if len(path) == 0 {
		return fmt.Errorf("%w: a text where an object is expected", ErrDamaged)
	}
	if v, ok := slowNumber(s, '.'); ok && len(s) > 0 {
		return j.number(path, v)
	}
	_, ok := timeStamp(s)
	known, has := j.columns[string(path)]
	if !ok || has && !j.stamps[known].is || !has && j.spool != nil {
		if len(j.texts) < jsonSample && j.texts[string(path)] == 0 {
			j.texts[string(path)] = max(j.line, 1)
			j.words[string(path)] = strings.Clone(string(s))
		}
		if j.held[string(path)] && j.words[string(path)] != string(s) {
			return fmt.Errorf("%w: %s is %q, and %q in line %d: the entries of a list have one order in all rows", ErrDamaged, path, s, j.words[string(path)], j.texts[string(path)])
		}
		if _, _, isName := nameEntry(string(path)); j.spool == nil && isName && j.words[string(path)] != string(s) {
			j.changed = cmp.Or(j.changed, j.line)
		}
		return nil
	}
	k, err := j.column(path)
	if err != nil {
		return err
	}
	j.set[k] = j.row
	j.cur[k], _, _ = j.stamps[k].seconds(s)
	return nil
}

// advance ends a row.
func (j *jsonLog) advance() error {
	if j.order = j.order[:j.leaf]; j.spool == nil {
		j.first = append(j.first, slices.Clone(j.cur))
		if len(j.first) < jsonSample {
			return nil
		}
		return j.declare()
	}
	for k, v := range j.cur {
		j.spool.cur[k*j.spool.block+j.spool.fill] = v
	}
	return j.spool.advance()
}

// declare makes channels of the members of the first rows.
func (j *jsonLog) declare() error {
	channels, convs, err := declare(j.path, j.names, nil, j.opt)
	if err != nil {
		return err
	}
	j.table.channels = channels
	j.table.meta = map[string]string{}
	for k, s := range j.stamps {
		if s.is {
			channels[k].Unit, convs[k] = "s", conversion{factor: factor{"s", 1, 1}}
			j.table.meta[channels[k].Name+".start"] = s.start()
		}
	}
	for _, path := range nameListEntries(j.names, j.words, j.table.meta) {
		if j.held[path] = true; j.changed > 0 {
			return fmt.Errorf("%w: line %d has other names of entries (%s) than lines before: write the rows of each order into a file of their own", ErrForm, j.changed, path)
		}
	}
	j.spool = newSpool(convs, 0, j.opt.room(), j.opt.TempDir)
	for _, row := range j.first {
		for k := range j.names {
			v := math.NaN()
			if k < len(row) {
				v = row[k]
			}
			j.spool.cur[k*j.spool.block+j.spool.fill] = v
		}
		if err := j.spool.advance(); err != nil {
			return err
		}
	}
	j.first = nil
	return nil
}

func (j *jsonLog) finish() error {
	if len(j.names) == 0 {
		return fmt.Errorf("%w: no number in it belongs to a row: a row is an object a line, as {\"t\": 0.5, \"q\": [0.1, 0.2]}", ErrFormat)
	}
	if j.spool == nil {
		if err := j.declare(); err != nil {
			return err
		}
	}
	t := &j.table
	t.rows, t.dropped, t.nDropped = j.spool.rows, j.bad, j.nBad
	for k, s := range j.stamps {
		if n, ok := s.note(t.channels[k].Name); ok {
			t.notes = append(t.notes, n)
		}
	}
	for _, name := range sortedKeys(j.texts) {
		t.notes = append(t.notes, Note{Channel: name, Text: fmt.Sprintf("skipped: it holds texts (line %d)", j.texts[name])})
	}
	for _, name := range sortedKeys(j.late) {
		t.notes = append(t.notes, Note{Channel: name, Text: fmt.Sprintf("skipped: it begins in line %d, and channels are the members of the first %d rows", j.late[name], jsonSample)})
	}
	var err error
	t.src, err = j.spool.finish()
	return err
}

// document reads a text of one value, which begins with a line.
func (j *jsonLog) document(line []byte) error {
	text := append(slices.Clone(line), '\n')
	for {
		line, _, err := j.next()
		if err != nil {
			return err
		}
		if line == nil {
			break
		}
		if text = append(append(text, line...), '\n'); len(text) > jsonDocument {
			return fmt.Errorf("%w: one value of more than %d MiB; write one object a line (JSON lines)", ErrFormat, jsonDocument>>20)
		}
	}
	d := &jsonColumns{lists: map[string][]string{}, rows: map[string][]float64{}, texts: map[string]string{}, stamps: map[string]*stampSeries{}, scalars: map[string]float64{}}
	scan := &jsonScanner{b: text, number: d.number, text: d.text}
	err := scan.value(0)
	if err == nil && scan.more() && text[0] == '[' && text[scan.at] == '[' {
		return fmt.Errorf("%w: rows are lists, one a line, whose names no row has; write them as a table (jq -r @csv %s), or as objects a line", ErrForm, hint.Word(filepath.Base(j.path)))
	}
	if err == nil && scan.more() {
		err = scan.damaged("the end of the file; rows are one object a line, or entries of a list")
	}
	if err != nil {
		return err
	}
	if schema := d.texts["schema"]; strings.HasPrefix(schema, "ident") {
		return fmt.Errorf("%w: it is a document of ident, %s, and no log", ErrFormat, schema)
	}
	return d.log(j)
}

// jsonColumns are the values of a document, by the member and the row that their paths name.
type jsonColumns struct {
	order   []string
	rows    map[string][]float64
	stamps  map[string]*stampSeries
	texts   map[string]string
	lists   map[string][]string // texts of a list, or of an object's members in a list, by the path without the place in it
	scalars map[string]float64
	keys    map[string]int // rows by the time stamps that are their keys
}

// row is rowOf, for keys that are times too, as pandas writes the index of a table: rows count as these come, in front of a row's members
// or behind a column's name.
func (d *jsonColumns) row(path []byte) (name string, row int, ok bool) {
	key, member, found := bytes.Cut(path, []byte("Z."))
	if !found {
		key, member, found = bytes.Cut(path, []byte("."))
	}
	seconds, is := d.keyTime(key)
	if i := bytes.LastIndexByte(path, '.'); !is && i > 0 {
		key, member, found = path[i+1:], path[:i], true
		seconds, is = d.keyTime(key)
	}
	if !found || !is {
		return rowOf(path)
	}
	row, known := d.keys[string(key)]
	if !known {
		if row = len(d.keys); row == 0 {
			d.keys, d.order = map[string]int{}, append(d.order, keyClock)
		}
		d.keys[string(key)] = row
		d.rows[keyClock] = append(d.rows[keyClock], seconds)
	}
	return string(member), row, true
}

// keyTime reads a key that is a time: a time stamp, in seconds from the first, or milliseconds to nanoseconds since 1970, in seconds.
func (d *jsonColumns) keyTime(key []byte) (seconds float64, ok bool) {
	if len(key) < 12 || key[0]-'0' >= 10 {
		return 0, false
	}
	if _, is := timeStamp(key); is {
		if d.stamps[keyClock] == nil {
			d.stamps[keyClock] = &stampSeries{}
		}
		seconds, _, _ = d.stamps[keyClock].seconds(key)
		return seconds, true
	}
	ns, rest, is := upTo(key, 19)
	if !is || len(rest) > 0 || len(key) != 13 && len(key) != 16 && len(key) != 19 {
		return 0, false
	}
	unit := int64(1)
	for n := len(key); n < 19; n += 3 {
		unit *= 1000
	}
	if d.stamps[keyClock] == nil {
		d.stamps[keyClock] = &stampSeries{is: true, origin: ns * unit}
	}
	return float64(ns*unit-d.stamps[keyClock].origin) / 1e9, true
}

// keyClock is the channel of time stamps that are the keys of rows.
const keyClock = "timestamp"

// rowOf divides a path at its first number: q[3][1] is row 3 of q[1], t.3 is row 3 of t, and [3].q and 3.q are row 3 of q.
func rowOf(path []byte) (name string, row int, ok bool) {
	if n, rest, number := upTo(path, 9); number && len(rest) > 1 && rest[0] == '.' {
		return string(rest[1:]), int(n), true
	}
	for i, c := range path {
		if c != '[' && c != '.' {
			continue
		}
		n, rest, number := upTo(path[i+1:], 9)
		if !number || c == '[' && (len(rest) == 0 || rest[0] != ']') || c == '.' && len(rest) > 0 && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		if c == '[' {
			rest = rest[1:]
		}
		return strings.TrimPrefix(string(path[:i])+string(rest), "."), int(n), true
	}
	return "", 0, false
}

func (d *jsonColumns) number(path []byte, v float64) error {
	name, row, ok := d.row(path)
	if !ok {
		d.scalars[string(path)] = v
		return nil
	}
	if name == "" {
		name = "column1"
	}
	col, known := d.rows[name]
	if !known {
		if err := checkChannels(len(d.order) + 1); err != nil {
			return err
		}
		d.order = append(d.order, name)
	}
	for len(col) < row { // a row that lacks it
		if col = append(col, math.NaN()); len(col) > jsonDocument/8 {
			return fmt.Errorf("%w: row %d", ErrDamaged, row)
		}
	}
	if len(col) > row {
		return fmt.Errorf("%w: %w: %q comes twice in row %d", ErrDamaged, ErrDuplicate, name, row+1)
	}
	d.rows[name] = append(col, v)
	return nil
}

func (d *jsonColumns) text(path, s []byte) error {
	name, row, ok := d.row(path)
	if ok && len(d.lists[name]) == row && row < maxChannels {
		d.lists[name] = append(d.lists[name], string(s))
	}
	if v, isNumber := slowNumber(s, '.'); ok && isNumber && len(s) > 0 {
		return d.number(path, v)
	}
	if _, is := timeStamp(s); ok && is {
		if d.stamps[name] == nil {
			d.stamps[name] = &stampSeries{}
		}
		v, _, _ := d.stamps[name].seconds(s)
		return d.number(path, v)
	}
	if !ok {
		name = string(path)
	}
	d.texts[name] = string(s)
	return nil
}

// split gives rows that are lists the names of their columns: those of the options, or the list columns beside them, as pandas splits a
// table; and takes a table out of its wrapping (pandas' schema and data).
func (d *jsonColumns) split(opt Options) error {
	var names []string
	stem := "data"
	switch {
	case len(d.lists["columns"]) > 0 && len(d.rows["data[0]"]) > 0:
		names = d.lists["columns"]
	case len(opt.Columns) > 0 && len(d.rows["[0]"]) > 0:
		var err error
		if names, err = columnNames(opt.Columns); err != nil {
			return fmt.Errorf("%w: %w", ErrNoHeader, err)
		}
		stem = ""
	case d.rows["[0]"] != nil: // a matrix, whose columns have numbers
		for k := range d.order {
			names = append(names, "column"+strconv.Itoa(k+1))
		}
		stem = ""
	}
	entries := 0
	for _, name := range d.order {
		if strings.HasPrefix(name, stem+"[") {
			entries++
		}
	}
	if len(names) > 0 && entries != len(names) {
		if stem != "" || len(opt.Columns) == 0 {
			return nil
		}
		return fmt.Errorf("%w: %d names for %d columns", ErrNoHeader, len(names), entries)
	}
	order := d.order
	d.order = nil
	for _, name := range order {
		to := name
		if k, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, stem+"["), "]")); err == nil && len(names) > 0 && strings.HasPrefix(name, stem+"[") && k < len(names) {
			if to = names[k]; to == "_" {
				delete(d.rows, name)
				continue
			}
		} else if rest, ok := strings.CutPrefix(name, "data."); ok && len(d.lists["schema.fields.name"]) > 0 {
			to = rest
		}
		if _, taken := d.rows[to]; to != name && !taken {
			d.rows[to], d.stamps[to] = d.rows[name], d.stamps[name]
			delete(d.rows, name)
			delete(d.stamps, name)
		} else {
			to = name
		}
		d.order = append(d.order, to)
	}
	return nil
}

// log makes the columns of most rows the channels of a log.
func (d *jsonColumns) log(j *jsonLog) error {
	votes, rows := map[int]int{}, 0
	for _, name := range d.order {
		n := len(d.rows[name])
		if votes[n]++; votes[n] > votes[rows] || votes[n] == votes[rows] && n > rows {
			rows = n
		}
	}
	if err := d.split(j.opt); err != nil {
		return err
	}
	meta := map[string]string{}
	var notes []Note
	var cols [][]float64
	for _, name := range d.order {
		if n := len(d.rows[name]); n != rows {
			notes = append(notes, Note{Channel: name, Text: fmt.Sprintf("skipped: it has %d values, and the log %d rows", n, rows)})
			continue
		}
		j.names, j.stamps = append(j.names, name), append(j.stamps, stampSeries{})
		if s := d.stamps[name]; s != nil {
			j.stamps[len(j.stamps)-1] = *s
		}
		cols = append(cols, d.rows[name])
	}
	for name, v := range d.scalars {
		meta[name] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	for name, s := range d.texts {
		if _, has := d.rows[name]; !has && !strings.ContainsAny(name, "[") {
			meta[name] = s
		}
	}
	if len(j.names) == 0 {
		return j.finish()
	}
	if err := j.declare(); err != nil {
		return err
	}
	if err := j.spool.append(cols); err != nil {
		return err
	}
	if err := j.finish(); err != nil {
		return err
	}
	for k, v := range meta {
		if _, has := j.table.meta[k]; !has {
			j.table.meta[k] = v
		}
	}
	j.table.notes = append(j.table.notes, notes...)
	return nil
}

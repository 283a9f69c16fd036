package datasets

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"strconv"
	"strings"

	"ident/internal/hint"
)

// ndarray is one array of a NumPy or MATLAB file.
type ndarray struct {
	name     string
	r        io.ReaderAt
	base     int64   // byte of its first element in r
	dims     []int64 // checked: all elements are within r
	fortran  bool    // column-major
	itemSize int64   // bytes
	fields   []arrayField
	text     string // of a string array, without fields
	why      string // reason for neither fields nor text
}

// arrayField is the number in an element of a plain array, or one of the numbers of a record.
type arrayField struct {
	name   string // "" for a plain array
	num    numberType
	offset int64 // bytes into the element
	stamp  bool  // counts from its first value
	unit   string
}

// elements returns the number of elements.
func (a *ndarray) elements() int64 {
	n := int64(1)
	for _, d := range a.dims {
		n *= d
	}
	return n
}

// matrix returns the shape of the array as a matrix: a vector, row or column, has one value per row.
func (a *ndarray) matrix() (rows, cols int64, ok bool) {
	long := make([]int64, 0, 2)
	for _, d := range a.dims {
		if d != 1 {
			long = append(long, d)
		}
	}
	switch {
	case len(long) <= 1:
		return a.elements(), 1, true
	case len(a.dims) == 2:
		return a.dims[0], a.dims[1], true
	}
	return 0, 0, false
}

// ownArrays describes a log that Write has written, as a text array named ownArraysName: MATLAB forbids
// most channel names as variables, and neither format has a place for metadata.
type ownArrays struct {
	Channels []ownChannel      `json:"channels"`
	Metadata map[string]string `json:"metadata"`
}

type ownChannel struct {
	Variable string `json:"variable"`
	Name     string `json:"name"`
	Unit     string `json:"unit,omitempty"`
}

const ownArraysName = "ident_log"

// arrayLayout maps arrays to the columns of a log.
type arrayLayout struct {
	src     *arraySource
	headers []string
	units   []string
	arrays  int // of which there are channels, 0 of a log that Write has written and of records, which have names
	notes   []Note
	meta    map[string]string
}

// layOut chooses the arrays that are channels, and the number of rows; env is the number of the robot in arrays of several.
func layOut(arrays []ndarray, src *arraySource, env int) (*arrayLayout, error) {
	l := &arrayLayout{src: src, meta: map[string]string{}}
	for _, a := range arrays {
		if a.name == ownArraysName && a.text != "" {
			return l, l.own(a.text, arrays)
		}
	}
	rows, clock := arrayRows(arrays)
	for i := range arrays {
		a := &arrays[i]
		n, k, flat := a.matrix()
		switch {
		case a.why != "":
			l.skip(a, a.why)
		case len(a.fields) == 0:
			l.meta[a.name] = a.text
		case !flat && a.several():
			if err := l.addEnvironment(a, rows, env); err != nil {
				return nil, err
			}
		case !flat:
			l.skip(a, fmt.Sprintf("it has %d dimensions, save one array a signal", len(a.dims)))
		case n == rows:
			l.add(a, k, false)
		case k == rows && k > 1:
			l.add(a, n, true)
		case a.elements() == 1 && len(a.fields) == 1:
			if err := l.scalar(a); err != nil {
				return nil, err
			}
		default:
			l.skip(a, fmt.Sprintf("it is %d by %d, and the log has %d rows, %s", n, k, rows, clock))
		}
	}
	src.rows = int(rows)
	l.unwrap()
	if len(l.headers) == 0 {
		return nil, fmt.Errorf("%w: no array of numbers in it is a channel%s", ErrFormat, l.left())
	}
	return l, nil
}

// unwrap removes the structure's name from the channels where all are fields of one structure.
func (l *arrayLayout) unwrap() {
	if len(l.headers) == 0 {
		return
	}
	prefix, _, _ := strings.Cut(l.headers[0], ".")
	prefix += "."
	for _, h := range l.headers {
		if len(h) == len(prefix) || !strings.HasPrefix(h, prefix) {
			return
		}
	}
	for i, h := range l.headers {
		l.headers[i] = h[len(prefix):]
	}
	l.notes = append(l.notes, Note{Text: "all channels are fields of " + prefix[:len(prefix)-1] + ", which is left out of their names"})
}

// arrayRows returns the number of rows of the log: of its clock, or of most of its arrays.
func arrayRows(arrays []ndarray) (rows int64, why string) {
	votes := map[int64]int{}
	for i := range arrays {
		a := &arrays[i]
		n, k, ok := a.matrix()
		if !ok && a.several() {
			votes[a.dims[0]]++
		}
		if !ok || len(a.fields) == 0 {
			continue
		}
		if k == 1 && n > 1 && (isTime(a.name) || isTime(a.name[strings.LastIndexByte(a.name, '.')+1:])) {
			return n, "as " + a.name
		}
		for _, f := range a.fields {
			if k == 1 && isTime(f.name) {
				return n, "as " + a.name
			}
		}
		if votes[n]++; k > 1 && k != n {
			votes[k]++
		}
	}
	best := 0
	for n, v := range votes {
		if n > 1 && best == 0 || (n > 1 || rows <= 1) && (v > best || v == best && n > rows) {
			rows, best = n, v
		}
	}
	return rows, "as most arrays"
}

func (l *arrayLayout) skip(a *ndarray, why string) {
	l.notes = append(l.notes, Note{Channel: a.name, Text: "skipped: " + why})
}

// left lists what was skipped, for the message of a file in which nothing is left.
func (l *arrayLayout) left() string {
	const most = 3
	var list strings.Builder
	for i, n := range l.notes {
		if i == most {
			fmt.Fprintf(&list, "; %d more", len(l.notes)-most)
			break
		}
		fmt.Fprintf(&list, "; %s", n)
	}
	return list.String()
}

// rename gives the columns of a single array the names of a list; "_" leaves a column out. A file with several arrays keeps its names.
func (l *arrayLayout) rename(list []string) error {
	n := len(l.headers)
	beside := l.arrays == 2 && n > 2 && (matrixOf(l.headers[1:]) != "" || matrixOf(l.headers[:n-1]) != "") // a clock
	if len(list) == 0 || n < 2 || l.arrays != 1 && !beside {
		return nil
	}
	names, err := columnNames(list)
	if err == nil && len(names) != len(l.headers) {
		err = fmt.Errorf("%d names for %d columns", len(names), len(l.headers))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoHeader, err)
	}
	headers, units, columns := l.headers[:0], l.units[:0], l.src.columns[:0]
	for i, name := range names {
		if name != "_" {
			headers, units, columns = append(headers, name), append(units, l.units[i]), append(columns, l.src.columns[i])
		}
	}
	l.headers, l.units, l.src.columns = headers, units, columns
	return nil
}

// scalar keeps a single number as metadata.
func (l *arrayLayout) scalar(a *ndarray) error {
	f := a.fields[0]
	buf := make([]byte, f.num.size)
	if err := readFull(a.r, buf, a.base+f.offset); err != nil {
		return fmt.Errorf("array %q: %w", a.name, err)
	}
	l.meta[a.name] = strconv.FormatFloat(f.num.value(f.num.bits(buf)), 'g', -1, 64)
	return nil
}

// add makes channels of an array's k columns, of its rows where transposed.
func (l *arrayLayout) add(a *ndarray, k int64, transposed bool) {
	const most = 1 << 16
	if k > most/int64(len(a.fields)) || len(l.headers) > most {
		l.skip(a, fmt.Sprintf("%d columns are more than a log has channels", k))
		return
	}
	if a.fields[0].name == "" {
		l.arrays++
	} else {
		l.arrays = maxChannels
	}
	src := l.src
	byRow := a.fortran == transposed && k > 1 // the values of a row are contiguous
	if byRow {
		src.blocks = append(src.blocks, rowBlock{a.r, a.base, k * a.itemSize})
	}
	n, _, _ := a.matrix()
	if transposed {
		_, n, _ = a.matrix()
	}
	for j := range k {
		at := int64(0)
		if byRow {
			at = j * a.itemSize
		} else {
			src.blocks = append(src.blocks, rowBlock{a.r, a.base + j*n*a.itemSize, a.itemSize})
		}
		for _, f := range a.fields {
			name := a.name
			switch {
			case f.name != "" && name != "":
				name += "." + f.name
			case f.name != "":
				name = f.name
			}
			if k > 1 {
				name += strconv.FormatInt(j+1, 10)
			}
			src.columns = append(src.columns, arrayColumn{block: len(src.blocks) - 1, offset: int(at + f.offset), num: f.num, stamp: f.stamp})
			l.headers, l.units = append(l.headers, name), append(l.units, f.unit)
		}
	}
}

// maxSeveral is the number of columns of a robot above which an array of three dimensions is taken for images.
const maxSeveral = 128

// several reports whether an array has the values of several robots: rows, robots and columns, as simulators of many environments
// save them. Bytes are images.
func (a *ndarray) several() bool {
	return len(a.dims) == 3 && !a.fortran && len(a.fields) == 1 && a.itemSize > 1 && a.dims[2] <= maxSeveral
}

// addEnvironment makes channels of the columns of one robot of several.
func (l *arrayLayout) addEnvironment(a *ndarray, rows int64, env int) error {
	robots, n, item := a.dims[1], a.dims[2], a.itemSize
	block, offset := rowBlock{a.r, a.base, robots * n * item}, int64(env)*n*item
	switch {
	case a.dims[0] == rows:
	case a.dims[1] == rows:
		robots = a.dims[0]
		block, offset = rowBlock{a.r, a.base + int64(env)*rows*n*item, n * item}, 0
	default:
		l.skip(a, fmt.Sprintf("it is %d by %d by %d, and the log has %d rows", a.dims[0], a.dims[1], n, rows))
		return nil
	}
	if int64(env) >= robots || env < 0 {
		return hint.Errorf("env", "0", "%w: array %q has %d robots, from 0 to %d, and {env} %d is none of them", ErrNoChannel, a.name, robots, robots-1, env)
	}
	src := l.src
	src.blocks = append(src.blocks, block)
	for j := range n {
		name := a.name
		if n > 1 {
			name += strconv.FormatInt(j+1, 10)
		}
		src.columns = append(src.columns, arrayColumn{block: len(src.blocks) - 1, offset: int(offset + j*item), num: a.fields[0].num, stamp: a.fields[0].stamp})
		l.headers, l.units = append(l.headers, name), append(l.units, a.fields[0].unit)
	}
	l.notes = append(l.notes, Note{Channel: a.name, Text: fmt.Sprintf("robot %d is read; the array has robots 0 to %d", env, robots-1)})
	return nil
}

// own restores the channels of a log that Write has written.
func (l *arrayLayout) own(text string, arrays []ndarray) error {
	var o ownArrays
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, ownArraysName, err)
	}
	maps.Copy(l.meta, o.Metadata)
	byName := make(map[string]*ndarray, len(arrays))
	for i := range arrays {
		byName[arrays[i].name] = &arrays[i]
	}
	rows := int64(-1)
	for _, c := range o.Channels {
		a := byName[c.Variable]
		if a == nil || a.why != "" || len(a.fields) != 1 || rows >= 0 && a.elements() != rows {
			return fmt.Errorf("%w: channel %q: its array %q is missing or has another length", ErrDamaged, c.Name, c.Variable)
		}
		rows = a.elements()
		l.src.blocks = append(l.src.blocks, rowBlock{a.r, a.base, a.itemSize})
		l.src.columns = append(l.src.columns, arrayColumn{block: len(l.src.blocks) - 1, num: a.fields[0].num})
		l.headers, l.units = append(l.headers, headerOf(c.Name)), append(l.units, c.Unit)
	}
	l.src.rows = int(max(rows, 0))
	return nil
}

// volume returns the number of bytes of an array, with an error if it is more than there.
func volume(dims []int64, itemSize, there int64) (int64, error) {
	n := itemSize
	for _, d := range dims {
		if d < 0 || d > 0 && n > math.MaxInt64/d {
			return 0, fmt.Errorf("%w: an array of %v elements", ErrDamaged, dims)
		}
		n *= d
	}
	if n > there {
		return 0, fmt.Errorf("%w: an array of %v elements of %d bytes where %d bytes are left", ErrTruncated, dims, itemSize, there)
	}
	return n, nil
}

// Package manifest reads the list of a fleet's logs.
//
// A manifest is a CSV file with a header line. Its columns, in any order:
//
//	robot  key of the robot; logs with the same key are fitted together
//	log    path of a log, or a pattern with * ? [ ] that names several
//	file   path of the robot's file: robots with the same file are a model's population
//	start  time of the log's first row, RFC 3339; may be empty, or the column missing
//
// Further columns are left alone. Paths without a scheme (gs://, s3://) or a leading / are relative to the manifest's folder.
// Rows are counted from 1 behind the header. A bad row does not end the reading.
package manifest

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Row is a row of the manifest.
type Row struct {
	Number           int // number of the row, from 1 after the header
	Robot, Log, File string
	Start            time.Time // start of the log; zero if the row gives none
}

// RowError is a row that cannot be used.
type RowError struct {
	Number int
	Robot  string // name of the robot, "" if unknown
	Log    string
	Err    error
}

func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Number, e.Err) }

func (e *RowError) Unwrap() error { return e.Err }

// ErrHeader is a manifest that lacks a column.
var ErrHeader = errors.New("the manifest's header lacks a column")

// columns are the places of the columns, -1 where there is none.
type columns struct{ robot, log, file, start int }

// Read visits the rows in their order, good ones and bad ones. Its error is one of the whole file or of visit.
func Read(r io.Reader, visit func(Row, *RowError) error) error {
	table := csv.NewReader(r)
	table.FieldsPerRecord = -1
	table.TrimLeadingSpace = true
	table.ReuseRecord = true
	head, err := table.Read()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: it is empty; the first line names robot, log and file", ErrHeader)
	} else if err != nil {
		return err
	}
	at, err := find(head)
	if err != nil {
		return err
	}
	width := len(head)
	for n := 1; ; n++ {
		fields, err := table.Read()
		var bad *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &bad):
			err = visit(Row{}, &RowError{Number: n, Err: bad})
		case err != nil:
			return err
		default:
			row, problem := parse(n, fields, width, at)
			err = visit(row, problem)
		}
		if err != nil {
			return err
		}
	}
}

// find finds the columns of a header.
func find(head []string) (columns, error) {
	place := map[string]int{}
	for i, name := range head {
		if i == 0 {
			name = strings.TrimPrefix(name, "\ufeff")
		}
		place[strings.ToLower(strings.TrimSpace(name))] = i
	}
	of := func(name string) int {
		if i, ok := place[name]; ok {
			return i
		}
		return -1
	}
	at := columns{of("robot"), of("log"), of("file"), of("start")}
	for _, c := range []struct {
		name string
		at   int
	}{{"robot", at.robot}, {"log", at.log}, {"file", at.file}} {
		if c.at < 0 {
			return at, fmt.Errorf("%w: %s; it has %s", ErrHeader, c.name, strings.Join(head, ", "))
		}
	}
	return at, nil
}

// parse reads a row's fields.
func parse(n int, fields []string, width int, at columns) (Row, *RowError) {
	field := func(i int) string {
		if i < 0 || i >= len(fields) {
			return ""
		}
		return strings.Clone(strings.TrimSpace(fields[i]))
	}
	row := Row{Number: n, Robot: field(at.robot), Log: field(at.log), File: field(at.file)}
	bad := func(format string, a ...any) (Row, *RowError) {
		return Row{}, &RowError{n, row.Robot, row.Log, fmt.Errorf(format, a...)}
	}
	if len(fields) != width {
		return bad("%d fields, the header has %d", len(fields), width)
	}
	for _, c := range []struct{ name, value string }{{"robot", row.Robot}, {"log", row.Log}, {"file", row.File}} {
		if c.value == "" {
			return bad("no %s", c.name)
		}
	}
	if text := field(at.start); text != "" {
		start, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return bad("start %q: give a time like 2026-03-01T06:00:00Z", text)
		}
		row.Start = start
	}
	return row, nil
}

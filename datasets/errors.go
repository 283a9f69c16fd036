package datasets

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// Kinds of failure. Every error of this package about a file or a name matches one of them with errors.Is;
// the message around it has the place, and the remedy.
var (
	// ErrFormat: the file is not of the format its extension promises, or the extension is unknown.
	ErrFormat = errors.New("not a log file of this kind")
	// ErrNoHeader: a CSV file begins with numbers instead of channel names.
	ErrNoHeader = errors.New("no header line")
	// ErrTruncated: the file ends before its data do.
	ErrTruncated = errors.New("the file is cut short")
	// ErrFields: a CSV row has more or fewer fields than the header.
	ErrFields = errors.New("wrong number of fields")
	// ErrNumber: a CSV cell is neither a number nor empty.
	ErrNumber = errors.New("not a number")
	// ErrForm: a column of a CSV file is text, or has numbers or times in another form than the rows above it. Its rows are
	// sound: Drop leaves none of them out.
	ErrForm = errors.New("no plain numbers")
	// ErrDamaged: a binary file contradicts itself or does not decode.
	ErrDamaged = errors.New("the file is damaged")
	// ErrUnit: a unit is not in the table of conversions.
	ErrUnit = errors.New("unknown unit")
	// ErrNoChannel: a name is not a channel of the log.
	ErrNoChannel = errors.New("no such channel")
	// ErrDuplicate: two channels have the same name.
	ErrDuplicate = errors.New("two channels have the same name")
	// ErrNoJoint: no channel of the log belongs to any joint.
	ErrNoJoint = errors.New("no joint of the robot found in the log")
	// ErrNoClock: the log has no time channel.
	ErrNoClock = errors.New("no time channel")
	// ErrAmbiguous: several channels claim the same role.
	ErrAmbiguous = errors.New("ambiguous channels")
	// ErrNoTopic: a recording of ROS messages has no states of joints, or not the topic asked for.
	ErrNoTopic = errors.New("no joint states in the recording")
	// ErrRole: an override names a role or a joint that does not exist.
	ErrRole = errors.New("unknown role")
)

// FileError is an error at a place in a log file. Counts are 1-based and zero where they do not apply: a
// CSV cell has Row, Line and Column, a Parquet or Arrow value Group (row group or record batch) and Column,
// a message of a recording Topic, Row (its number on the topic) and Offset.
type FileError struct {
	Path   string
	Row    int // data row, counted from 1 behind the header
	Line   int // line of the text file, counted from 1
	Group  int // row group or record batch, counted from 1
	Offset int64
	Topic  string
	Column string
	Err    error
}

// Error returns the file, the place in it and the reason.
func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString(e.Path)
	sep := ": "
	if e.Topic != "" {
		fmt.Fprintf(&b, "%stopic %s", sep, e.Topic)
		sep = ", "
	}
	if e.Row > 0 && e.Topic != "" {
		fmt.Fprintf(&b, "%smessage %d", sep, e.Row)
	} else if e.Row > 0 {
		fmt.Fprintf(&b, "%srow %d (line %d)", sep, e.Row, e.Line)
		sep = ", "
	} else if e.Line > 0 {
		fmt.Fprintf(&b, "%sline %d", sep, e.Line)
		sep = ", "
	}
	if e.Group > 0 {
		fmt.Fprintf(&b, "%srow group %d", sep, e.Group)
		sep = ", "
	}
	if e.Column != "" {
		fmt.Fprintf(&b, "%scolumn %q", sep, e.Column)
		sep = ", "
	}
	if e.Offset > 0 {
		fmt.Fprintf(&b, "%sbyte %d", sep, e.Offset)
	}
	b.WriteString(": ")
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap returns the reason.
func (e *FileError) Unwrap() error { return e.Err }

// located adds a place to an error that has none yet.
func located(path string, group int, column string, err error) error {
	var fe *FileError
	if err == nil || errors.As(err, &fe) {
		return err
	}
	return &FileError{Path: path, Group: group, Column: column, Err: err}
}

// errContradiction is the damage that a decoder found by a panic, its own or one that it turned into an error:
// "slice bounds out of range" says nothing about the file.
var errContradiction = fmt.Errorf("%w: its lengths or types contradict each other", ErrDamaged)

// guard runs f, a foreign decoder on untrusted bytes, and turns a panic in it into ErrDamaged.
func guard(f func() error) (err error) {
	defer func() {
		if err != nil && strings.Contains(err.Error(), "runtime error") {
			err = errContradiction
		}
	}()
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			err = errContradiction
		default:
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	return f()
}

// noChannel returns the error for a missing channel, with the nearest names.
func noChannel(name string, have []Channel) error {
	names := make([]string, len(have))
	for i, c := range have {
		names[i] = c.Name
	}
	return fmt.Errorf("%w: %q%s", ErrNoChannel, name, didYouMean(name, names))
}

// DropError is a fault around which a reader with Options.BadRows = Drop reads on. Its text says so.
type DropError struct{ Err error }

// Error returns the reason for which rows would be dropped.
func (e *DropError) Error() string { return e.Err.Error() }

// Unwrap returns that reason.
func (e *DropError) Unwrap() error { return e.Err }

package robot

import (
	"errors"
	"fmt"
	"strings"
)

// FileError reports a fault of a robot file, with its place and what to do. Match it with errors.As.
type FileError struct {
	Path  string // the file, or the name given to Read
	Line  int    // 1-based, 0 where the fault has no line
	Where string // the joint, link, frame, element or key at fault
	Text  string
	Err   error // the cause, if another package found it
}

func (e *FileError) Error() string {
	var b strings.Builder
	if e.Path != "" {
		b.WriteString(e.Path)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	} else if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Where != "" {
		b.WriteString(e.Where + ": ")
	}
	b.WriteString(e.Text)
	if e.Err != nil {
		if e.Text != "" {
			b.WriteString(": ")
		}
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

func (e *FileError) Unwrap() error { return e.Err }

// UnsupportedError says that a file is well formed but describes a mechanism that the numeric models do not cover. It
// names the frames or joints.
type UnsupportedError struct {
	Path   string
	What   string   // "closed loops", "joint type", "mobile base"
	Frames []string // names of the unsupported parts in the file
	Advice string
}

func (e *UnsupportedError) Error() string {
	s := e.What
	if e.Path != "" {
		s = e.Path + ": " + s
	}
	if len(e.Frames) > 0 {
		s += " (" + strings.Join(e.Frames, ", ") + ")"
	}
	s += " not supported"
	if e.Advice != "" {
		s += "; " + e.Advice
	}
	return s
}

// Fault returns a FileError; the reader must fill in its path.
func Fault(line int, where, format string, args ...any) *FileError {
	return &FileError{Line: line, Where: where, Text: fmt.Sprintf(format, args...)}
}

// ErrNotWritable is wrapped by writers' errors if a format has no place for a part of the robot.
var ErrNotWritable = errors.New("the format cannot say it")

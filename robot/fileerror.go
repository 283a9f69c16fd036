package robot

import (
	"errors"
	"fmt"
	"strings"

	"ident/internal/symorotext"
	"ident/internal/xmltree"
)

// FileError is a fault of a robot file, with its place and the remedy.
// Match it with errors.As.
type FileError struct {
	Path  string // the file, or the name given to Read
	Line  int    // 1-based, 0 where the fault has no line
	Where string // the joint, link, frame, element or key
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

// UnsupportedError says that a file is well formed but describes a mechanism
// that the numeric models do not cover, and names its frames or joints.
type UnsupportedError struct {
	Path   string
	What   string   // "closed loops", "joint type", "mobile base"
	Frames []string // the parts, as the file calls them
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

// fault builds a FileError whose path the reader fills in last.
func fault(line int, where, format string, args ...any) *FileError {
	return &FileError{Line: line, Where: where, Text: fmt.Sprintf(format, args...)}
}

// xmlRoot is the top element of a text in any encoding that robot files have.
func xmlRoot(text []byte) (*xmltree.Node, error) {
	text, _, err := xmltree.ToUTF8(text)
	if err != nil {
		return nil, err
	}
	return xmltree.Parse(text)
}

// ofText makes a FileError of a fault of the readers of XML and of SYMORO+ texts.
func ofText(err error) error {
	var x *xmltree.Error
	var s *symorotext.Error
	switch {
	case errors.As(err, &x):
		return &FileError{Line: x.Line, Where: x.Where, Text: x.Text}
	case errors.As(err, &s):
		return &FileError{Line: s.Line, Where: s.Where, Text: s.Text}
	}
	return err
}

package robot

import (
	"errors"
	"maps"
	"slices"

	"ident/internal/textfile"
	"ident/internal/xacro"
)

// expand makes a URDF of a text of xacro. Lines of its errors are then those of the files that it came from.
func expand(text []byte, name string, opt ReadOptions) (*xacro.Expansion, error) {
	f := filesOf(name, opt)
	out, err := xacro.Expand(text, name, xacro.Options{Args: opt.Args, Find: f.Find, Open: f.Open})
	var e *xacro.Error
	switch {
	case errors.As(err, &e):
		return nil, &FileError{Path: e.Path, Line: e.Line, Text: e.Message()}
	case err != nil:
		return nil, err
	case len(out.Unused) > 0:
		return nil, fault(0, "", "it declares no argument %s", quoteList(out.Unused))
	}
	return out, nil
}

// furtherFiles are those that a robot file may read.
type furtherFiles struct {
	Find func(pkg string) (folder string, ok bool)
	Open func(path string) ([]byte, error) // nil where it may read none
}

// filesOf are the further files of the file name.
func filesOf(name string, opt ReadOptions) furtherFiles {
	f := furtherFiles{Find: func(pkg string) (string, bool) {
		if folder, ok := opt.Packages[pkg]; ok {
			return folder, true
		}
		return textfile.PackageAbove(name, pkg, opt.files)
	}}
	if opt.files {
		f.Open = func(path string) ([]byte, error) { return textfile.Read(path, maxFile) }
	}
	return f
}

// readXacro fills r from the expansion, which takes the place of the text.
func readXacro(r *Robot, name string, text []byte, opt ReadOptions) error {
	x, err := expand(text, name, opt)
	if err != nil {
		return err
	}
	r.Source.of(x.Text, "urdf")
	r.Notes = append(r.Notes, Note{name, "expanded from xacro; identified parameters go into the expansion"})
	err = ofText(readURDF(r, x.Text, opt))
	var fe *FileError
	if errors.As(err, &fe) && fe.Line > 0 {
		fe.Path, fe.Line = x.Source(fe.Line)
	}
	return err
}

// noArguments refuses arguments and symbols for a format that has none.
func noArguments(name, what string, opt ReadOptions) error {
	if len(opt.Set) > 0 {
		return &FileError{Path: name, Text: "no symbol " + quoteList(sortedKeys(opt.Set)) + " to set: " + what + " has numbers only"}
	}
	if len(opt.Args) > 0 {
		return &FileError{Path: name, Text: "no argument " + quoteList(slices.Sorted(maps.Keys(opt.Args))) + " to give: " + what + " is no xacro"}
	}
	return nil
}

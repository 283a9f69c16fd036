package robot

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"ident/internal/textfile"
	"ident/internal/xacro"
)

// expand makes a URDF of a text of xacro. Lines of its errors are then those of the files that it came from.
func expand(text []byte, name string, opt ReadOptions) (*xacro.Expansion, error) {
	x := xacro.Options{Args: opt.Args, Find: func(pkg string) (string, bool) {
		if folder, ok := opt.Packages[pkg]; ok {
			return folder, true
		}
		return packageAbove(name, pkg, opt.files)
	}}
	if opt.files {
		x.Open = func(path string) ([]byte, error) { return textfile.Read(path, maxFile) }
	}
	out, err := xacro.Expand(text, name, x)
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

// packageAbove looks for a package among the folders above a file and beside these.
func packageAbove(file, pkg string, files bool) (string, bool) {
	if !files || pkg != filepath.Base(pkg) {
		return "", false
	}
	folder, err := filepath.Abs(filepath.Dir(file))
	for err == nil {
		if filepath.Base(folder) == pkg {
			return folder, true
		}
		beside := filepath.Join(folder, pkg)
		if _, missing := os.Stat(filepath.Join(beside, "package.xml")); missing == nil {
			return beside, true
		}
		if filepath.Dir(folder) == folder {
			break
		}
		folder = filepath.Dir(folder)
	}
	return "", false
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

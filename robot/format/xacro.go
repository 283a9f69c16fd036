package format

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ident/internal/hint"
	"ident/internal/textfile"
	"ident/robot"
	"ident/robot/format/internal/xacro"
	"ident/robot/format/urdf"
	"ident/robot/internal/assembly"
	"ident/robot/internal/words"
)

// expand expands xacro text to a URDF. Lines in its errors are those of the original files.
func expand(text []byte, name string, opt robot.ReadOptions, files bool) (*xacro.Expansion, error) {
	f := filesOf(name, opt, files)
	out, err := xacro.Expand(text, name, xacro.Options{Args: opt.Args, Find: f.Find, Open: f.Open})
	var e *xacro.Error
	switch {
	case errors.As(err, &e):
		return nil, &robot.FileError{Path: e.Path, Line: e.Line, Err: unplaced{of: e}}
	case err != nil:
		return nil, err
	case len(out.Unused) > 0:
		return nil, robot.Fault(0, "", "it declares no argument %s", words.List(out.Unused))
	}
	return out, nil
}

// unplaced is an error of an expansion whose place stands before it.
type unplaced struct{ of *xacro.Error }

func (e unplaced) Error() string { return e.of.Message() }

func (e unplaced) Unwrap() error { return e.of.Err }

// furtherFiles says which other files a robot file may read.
type furtherFiles struct {
	Find func(pkg string) (folder string, ok bool)
	Open func(path string) ([]byte, error) // nil where it may read none
}

// filesOf returns the other files that file name may read, if may is set.
func filesOf(name string, opt robot.ReadOptions, may bool) furtherFiles {
	allowed := textfile.TreeOf(name)
	for _, folder := range opt.Packages {
		allowed.Add(folder)
	}
	f := furtherFiles{Find: func(pkg string) (string, bool) {
		if folder, ok := opt.Packages[pkg]; ok {
			return folder, true
		}
		folder, ok := textfile.PackageAbove(name, pkg, may)
		if ok && textfile.IsPackage(folder) { // a folder above may have the name by chance
			allowed.Add(folder)
		}
		return folder, ok
	}}
	if may {
		f.Open = func(path string) ([]byte, error) {
			if err := allowed.Check(path); err != nil && !opt.Outside {
				return nil, hint.New("%w: {packages} gives the folder of a package, and {outside-files} lets the file read any", err)
			}
			return textfile.Read(path, maxFile)
		}
	}
	return f
}

// readNamed returns the contents of a file that the robot file at path names: package://NAME/…, file://… or a path beside it. Files outside the
// robot file's tree and its packages are refused unless the options allow them.
func readNamed(path, file string, opt robot.ReadOptions) ([]byte, error) {
	files := filesOf(path, opt, true)
	at := strings.TrimPrefix(file, "file://")
	rest, ok := strings.CutPrefix(file, "package://")
	if !ok {
		rest, ok = strings.CutPrefix(file, "model://")
	}
	if ok {
		pkg, within, _ := strings.Cut(rest, "/")
		folder, ok := files.Find(pkg)
		if !ok {
			return nil, hint.New("%s: the folder of package %q is not found; {packages} gives it", file, pkg)
		}
		at = filepath.Join(folder, filepath.FromSlash(within))
	} else if !filepath.IsAbs(at) {
		at = filepath.Join(filepath.Dir(path), filepath.FromSlash(at))
	}
	return files.Open(at)
}

// readXacro fills r from the expansion, which replaces the text.
func readXacro(r *robot.Robot, name string, text []byte, opt robot.ReadOptions, files bool) error {
	x, err := expand(text, name, opt, files)
	if err != nil {
		return err
	}
	r.Source.SetText(x.Text, "urdf")
	r.Notes = append(r.Notes, robot.Note{Where: name, Text: "expanded from xacro; identified parameters go into the expansion"})
	err = assembly.OfXML(urdf.Read(r, x.Text, opt))
	var fe *robot.FileError
	if errors.As(err, &fe) && fe.Line > 0 {
		fe.Path, fe.Line = x.Source(fe.Line)
	}
	return err
}

// noArguments refuses arguments and symbols for a format that has none.
func noArguments(name, what string, opt robot.ReadOptions) error {
	if len(opt.Set) > 0 {
		return &robot.FileError{Path: name, Text: "no symbol " + words.List(slices.Sorted(maps.Keys(opt.Set))) + " to set: " + what + " has numbers only"}
	}
	if len(opt.Args) > 0 {
		return &robot.FileError{Path: name, Text: "no argument " + words.List(slices.Sorted(maps.Keys(opt.Args))) + " to give: " + what + " is no xacro"}
	}
	return nil
}

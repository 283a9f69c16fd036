package textfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Within says which files a robot file may read: those of its own tree, of packages beside it or beside a folder above,
// and of folders that are given. Its own tree is the package that it lies in, the nearest folder above with package.xml
// or model.config, and otherwise the folder of the file.
type Within struct {
	roots []string // absolute, without links; that of the own tree first
}

// OutsideError reports a file that a robot file names but may not read.
type OutsideError struct {
	Path string // as asked for
	Tree string // of the robot file
}

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s lies outside of the robot file's own tree (%s) and of the given packages, and is not read", e.Path, e.Tree)
}

// TreeOf returns the own tree of a file.
func TreeOf(file string) *Within {
	w := new(Within)
	w.Add(treeOf(file))
	if real, err := filepath.EvalSymlinks(file); err == nil { // installed as links into the sources
		w.Add(treeOf(real))
	}
	return w
}

func treeOf(file string) string {
	own, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return filepath.Dir(file)
	}
	for folder := own; ; folder = filepath.Dir(folder) {
		if IsPackage(folder) {
			return folder
		}
		if filepath.Dir(folder) == folder {
			return own
		}
	}
}

// IsPackage reports whether a folder is a package of ROS or a model of Gazebo.
func IsPackage(folder string) bool {
	for _, mark := range []string{"package.xml", "model.config"} {
		if _, err := os.Stat(filepath.Join(folder, mark)); err == nil {
			return true
		}
	}
	return false
}

// Add allows the files of a folder.
func (w *Within) Add(folder string) {
	if abs, err := filepath.Abs(folder); err == nil {
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			abs = real
		}
		w.roots = append(w.roots, abs)
	}
}

// Check returns an *OutsideError for a file that may not be read. Links count as what they lead to.
func (w *Within) Check(path string) error {
	real, err := filepath.Abs(path)
	if err == nil {
		if to, e := filepath.EvalSymlinks(real); e == nil {
			real = to
		} else if folder, e := filepath.EvalSymlinks(filepath.Dir(real)); e == nil {
			real = filepath.Join(folder, filepath.Base(real)) // a file that is missing
		}
		for _, root := range w.roots {
			if inside(root, real) {
				return nil
			}
		}
		for folder := filepath.Dir(real); filepath.Dir(folder) != folder; folder = filepath.Dir(folder) {
			if IsPackage(folder) && inside(filepath.Dir(folder), w.roots[0]) {
				return nil
			}
		}
	}
	return &OutsideError{Path: path, Tree: w.roots[0]}
}

// inside reports whether a path is a folder or lies in it.
func inside(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// demoFolder is where the demonstration goes unless told otherwise.
const demoFolder = "ident-demo"

// makeDemoFolder makes the folder that was asked for, or the first of ident-demo,
// ident-demo-2, … that does not exist. undo removes the files made in it.
func makeDemoFolder(asked string) (dir string, undo func() error, err error) {
	if asked != "" {
		if entries, err := os.ReadDir(asked); err == nil {
			if len(entries) > 0 {
				return "", nil, fmt.Errorf("%s is not empty; name a new folder with -o", asked)
			}
			return asked, func() error { return emptyFolder(asked) }, nil
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Clean(asked)), 0o755); err == nil {
			err = os.Mkdir(asked, 0o755)
			if err != nil {
				return "", nil, fmt.Errorf("cannot make the folder of the demonstration: %w", err)
			}
		} else {
			return "", nil, fmt.Errorf("cannot make the folder of the demonstration: %w", err)
		}
		return asked, func() error { return os.RemoveAll(asked) }, nil
	}
	for n := 1; ; n++ {
		dir := demoFolder
		if n > 1 {
			dir += "-" + strconv.Itoa(n)
		}
		switch err := os.Mkdir(dir, 0o755); {
		case err == nil:
			return dir, func() error { return os.RemoveAll(dir) }, nil
		case !errors.Is(err, os.ErrExist) || n == 1000:
			return "", nil, fmt.Errorf("cannot make the folder of the demonstration: %w; name another place with -o", err)
		}
	}
}

// emptyFolder removes the content of a folder.
func emptyFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

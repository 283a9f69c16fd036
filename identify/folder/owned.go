package folder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ident/internal/hint"
	"ident/internal/output"
	"ident/internal/textfile"
	"ident/result"
)

// ErrNotResult is wrapped by errors about folders that hold something other than a result.
var ErrNotResult = errors.New("is neither empty nor a result of ident")

// elasticFiles are the files of a result of elastic joints.
var elasticFiles = []string{result.ElasticFile, "robot.yaml", "modes.svg"}

// resultFiles lists the files of the result in dir, with slashes. Only these may a later result replace. An empty or
// missing folder has none. Version 0.2.0 wrote no list; its file names are known.
func resultFiles(dir string) ([]string, error) {
	taken, err := occupied(dir)
	if err != nil || !taken {
		return nil, err
	}
	refuse := func(why string) error {
		return hint.New("%s %w (%s); choose another folder, or give {overwrite}", dir, ErrNotResult, why)
	}
	text, err := textfile.ReadDocument(filepath.Join(dir, ResultFile), largestResult)
	if errors.Is(err, fs.ErrNotExist) {
		if bent, err := os.Stat(filepath.Join(dir, result.ElasticFile)); err == nil && bent.Mode().IsRegular() {
			return slices.Clone(elasticFiles), nil
		}
		return nil, refuse("it has no " + ResultFile)
	}
	if err != nil {
		return nil, err
	}
	var head struct {
		Schema string   `json:"schema"`
		Files  []string `json:"files"`
		Robot  struct {
			File string `json:"file"`
		} `json:"robot"`
	}
	if json.Unmarshal(text, &head) != nil || head.Schema == "" {
		return nil, refuse("its " + ResultFile + " is another program's")
	}
	if head.Schema != result.Schema {
		return nil, refuse(fmt.Sprintf("its %s has the schema %q, this version writes %q", ResultFile, head.Schema, result.Schema))
	}
	// Known names are added to the list: version 0.2.0 wrote no list, and a fit killed while writing leaves files that
	// the earlier list lacks.
	known := append(slices.Concat(head.Files, residualFiles()), ResultFile, comparedFile, commandFile)
	if name := head.Robot.File; strings.HasPrefix(name, "robot.") && !strings.ContainsAny(name, `/\`) {
		known = append(known, name)
	}
	drawn, err := drawnFiles(dir)
	known = append(known, drawn...)
	slices.Sort(known)
	return slices.DeleteFunc(slices.Compact(known), func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		return err != nil
	}), err
}

// Check returns an error if no result can be written into folder. With overwrite, the folder may hold
// anything.
func Check(folder string, overwrite bool) error {
	return output.CheckFolder(folder, inAny(resultFiles, overwrite), overwrite)
}

// inAny returns owned. If overwrite is set, it accepts folders that hold something other than a result.
func inAny(owned func(dir string) ([]string, error), overwrite bool) func(dir string) ([]string, error) {
	return func(dir string) ([]string, error) {
		names, err := owned(dir)
		if overwrite && errors.Is(err, ErrNotResult) {
			return nil, nil
		}
		return names, err
	}
}

// plotName matches the file names that the report gives to plots.
var plotName = regexp.MustCompile(`^(torque|histogram|autocorrelation|parameters)-[0-9]{2,}(-.*)?\.(svg|png)$`)

// drawnFiles lists the page and the plots in dir.
func drawnFiles(dir string) ([]string, error) {
	drawn := []string{ReportFile}
	entries, err := os.ReadDir(filepath.Join(dir, PlotsFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if plotName.MatchString(e.Name()) {
			drawn = append(drawn, path.Join(PlotsFolder, e.Name()))
		}
	}
	return drawn, nil
}

// replaceableDrawings lists the page and plots in dir that may be drawn again: those of a result, or those of an earlier
// drawing into a separate folder.
func replaceableDrawings(dir string) ([]string, error) {
	files, err := resultFiles(dir)
	if errors.Is(err, ErrNotResult) {
		page, e := textfile.ReadDocument(filepath.Join(dir, ReportFile), largestResult)
		if e != nil || !bytes.Contains(page, []byte(`<meta name="generator" content="ident`)) {
			return nil, err
		}
		return drawnFiles(dir)
	}
	return slices.DeleteFunc(files, func(name string) bool { return !isDrawing(name) }), err
}

// occupied reports whether dir contains anything except temporary files of commands like this one.
func occupied(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("cannot write %s: %w", dir, err)
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !output.IsTemp(e.Name()) }), nil
}

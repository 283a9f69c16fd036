package project

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

	"ident/identify/project/internal/curves"
	"ident/internal/hint"
	"ident/internal/output"
	"ident/internal/textfile"
	"ident/result"
)

// ErrNotResult is wrapped by the errors about folders that hold something else than a result.
var ErrNotResult = errors.New("is not empty and not a result of ident")

// elasticFiles are those of a result of elastic joints.
var elasticFiles = []string{result.ElasticFile, "robot.yaml", "modes.svg"}

// resultFiles lists the files of the result in dir, with slashes: the only ones there that a later result
// may replace. An empty or missing folder has none. Results of version 0.2.0 keep no list; their names are
// known.
func resultFiles(dir string) ([]string, error) {
	taken, err := occupied(dir)
	if err != nil || !taken {
		return nil, err
	}
	refuse := func(why string) error {
		return hint.New("%s %w (%s); choose another folder, or give {overwrite}", dir, ErrNotResult, why)
	}
	text, err := textfile.Read(filepath.Join(dir, ResultFile), largestResult)
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
	// The names that results have are known beside the list: version 0.2.0 wrote none, and a fit that was
	// killed while its files took their places leaves some that the earlier list lacks.
	known := append(slices.Concat(head.Files, curves.Files()), ResultFile, comparedFile, commandFile)
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

// CheckResultFolder tells why no result can be written into folder. With overwrite, the folder may hold anything.
func CheckResultFolder(folder string, overwrite bool) error {
	return output.CheckFolder(folder, inAny(resultFiles, overwrite), overwrite)
}

// inAny is owned, without its refusal of a folder that holds something else than a result where that may be overwritten.
func inAny(owned func(dir string) ([]string, error), overwrite bool) func(dir string) ([]string, error) {
	return func(dir string) ([]string, error) {
		names, err := owned(dir)
		if overwrite && errors.Is(err, ErrNotResult) {
			return nil, nil
		}
		return names, err
	}
}

// plotName matches the plots of a result, by the names that the report gives them.
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

// replaceableDrawings lists the page and plots in dir that may be drawn again: those of a result, or those
// that an earlier drawing into a folder of its own left.
func replaceableDrawings(dir string) ([]string, error) {
	files, err := resultFiles(dir)
	if errors.Is(err, ErrNotResult) {
		page, e := textfile.Read(filepath.Join(dir, ReportFile), largestResult)
		if e != nil || !bytes.Contains(page, []byte(`<meta name="generator" content="ident`)) {
			return nil, err
		}
		return drawnFiles(dir)
	}
	return slices.DeleteFunc(files, func(name string) bool { return !isDrawing(name) }), err
}

// occupied tells whether anything is in dir but the temporary files of commands like this one.
func occupied(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("cannot write %s: %w", dir, err)
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !output.IsTemp(e.Name()) }), nil
}

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"ident/cmd/ident/internal/projectfile"
	"ident/datasets"
	"ident/doctor"
	"ident/identify"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/internal/output"
	"ident/internal/textfile"
)

// metaMended is the metadata key of the list of changes in a repaired log.
const metaMended = "ident.mended"

// isSettingsFile reports whether path is a project file, into which --fix writes settings, rather than a log.
func isSettingsFile(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".yaml" || ext == ".yml"
}

// fixFindings writes the repair of findings: settings to a project file, or the repaired log. robotFile is the one that was given, "" for
// none.
func fixFindings(s streams, path, robotFile string, got *identify.Checked, mended *doctor.Mended) error {
	if mended == nil {
		return fixSettings(s, path, robotFile, got.Session.Runs, got.Findings)
	}
	return fixLog(s, path, &got.Session.Runs[0], got.Findings, mended)
}

// fixSettings writes the settings that findings ask for to a project file. Comments and other keys of an existing file
// stay; a new one names the robot file, so that ident fit LOG needs nothing else.
func fixSettings(s streams, path, robotFile string, runs []regression.Run, found []project.Finding) error {
	repairs := projectfile.Repairs(found)
	if len(repairs) == 0 {
		s.note("no finding can be repaired by a setting: %s is not written", path)
		return nil
	}
	text, err := textfile.ReadDocument(path, 16<<20)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = []byte("# What ident check proposes.\n")
		if robotFile != "" {
			from, err := pathFrom(filepath.Dir(path), robotFile)
			if err != nil {
				return err
			}
			repairs = append([]projectfile.Repair{{Key: "robot", Value: from, Why: []string{"the robot file of the check"}}}, repairs...)
		}
	case err != nil:
		return fmt.Errorf("--fix %s: %w", path, err)
	}
	merged, err := projectfile.Merge(string(text), repairs)
	if err != nil {
		return fmt.Errorf("--fix %s: %w", path, err)
	}
	if err := output.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, merged); return err }); err != nil {
		return err
	}
	var keys []string
	for _, r := range repairs {
		keys = append(keys, r.Key)
	}
	s.note("%s: %s", path, strings.Join(keys, ", "))
	if log := runs[0].Log.Path(); log != "" && filepath.Clean(path) != filepath.Join(filepath.Dir(log), project.File) {
		s.note("ident finds %s by itself only beside the log; give --config %s to use this one", project.File, path)
	}
	return nil
}

// fixLog writes the log with every accepted repair, all its channels and its metadata.
func fixLog(s streams, path string, run *regression.Run, found []project.Finding, mended *doctor.Mended) error {
	var left []string // kinds that settings alone mend
	for _, f := range found {
		dropped := slices.ContainsFunc(f.Repair.Settings, func(s doctor.Setting) bool { return s.Key == "on-bad" })
		if f.Severity != doctor.Info && len(f.Repair.Settings) > 0 && len(f.Repair.Edits) == 0 && !dropped && !slices.Contains(left, f.ID) {
			left = append(left, f.ID)
		}
	}
	if len(left) > 0 {
		s.note("%s: settings mend %s, not values; --fix FILE.yaml writes them", path, strings.Join(left, ", "))
	}
	if mended.Columns == nil {
		s.note("no repair of values holds in the log: %s is not written", path)
		return nil
	}
	meta := map[string]string{}
	for k, v := range run.Log.Meta() {
		meta[k] = v
	}
	meta[metaMended] = strings.Join(mended.Done, "; ")
	if err := datasets.Write(path, run.Log.Channels(), meta, func(w *datasets.Writer) error { return w.Append(mended.Columns) }); err != nil {
		return err
	}
	for _, d := range mended.Done {
		s.note("%s: %s", path, d)
	}
	return nil
}

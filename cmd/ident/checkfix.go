package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ident/cmd/ident/internal/projectfile"
	"ident/datasets"
	"ident/doctor"
	"ident/identify"
	"ident/internal/output"
	"ident/project"
	"ident/robot"
)

// metaMended is the metadata key of the list of changes in a repaired log.
const metaMended = "ident.mended"

// fixFindings writes the repair of findings: settings into a project file, or the log as it should be.
func fixFindings(s streams, path string, r *robot.Robot, runs []identify.Run, found []project.Finding) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml":
		return fixSettings(s, path, runs, found)
	}
	if len(runs) != 1 {
		return usagef("--fix %s: a repaired log is written of one log at a time; of several, the settings can be (--fix ident.yaml)", path)
	}
	return fixLog(s, path, r, &runs[0], found)
}

// fixSettings writes the settings that findings ask for into a project file, which keeps its comments and other
// keys where it exists.
func fixSettings(s streams, path string, runs []identify.Run, found []project.Finding) error {
	repairs := projectfile.Repairs(found)
	if len(repairs) == 0 {
		s.note("no finding asks for a setting: %s is not written", path)
		return nil
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = []byte("# What ident check proposes.\n")
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
		s.note("without being asked ident reads %s beside the log only: take this one with --config %s", project.File, path)
	}
	return nil
}

// fixLog writes the log with every change that findings ask for, all its channels and its metadata.
func fixLog(s streams, path string, r *robot.Robot, run *identify.Run, found []project.Finding) error {
	names := run.Log.Names()
	cols, err := run.Log.Columns(names...)
	if err != nil {
		return err
	}
	var findings []doctor.Finding
	var left []string // kinds that settings alone mend
	for _, f := range found {
		if f.Severity == doctor.Info {
			continue // worth knowing, but nothing is wrong
		}
		findings = append(findings, f.Finding)
		dropped := slices.ContainsFunc(f.Repair.Settings, func(s doctor.Setting) bool { return s.Key == "on-bad" })
		if len(f.Repair.Settings) > 0 && len(f.Repair.Edits) == 0 && !dropped && !slices.Contains(left, f.ID) {
			left = append(left, f.ID)
		}
	}
	if len(left) > 0 {
		s.note("%s: settings mend %s, not values; --fix FILE.yaml writes them", path, strings.Join(left, ", "))
	}
	mended, done := doctor.Mend(names, cols, slices.Index(names, run.Roles.T), findings, doctor.Bounds(r, run.Roles))
	if len(done) == 0 {
		s.note("no finding can be mended in the log: %s is not written", path)
		return nil
	}
	meta := map[string]string{}
	for k, v := range run.Log.Meta() {
		meta[k] = v
	}
	meta[metaMended] = strings.Join(done, "; ")
	if err := datasets.Write(path, run.Log.Channels(), meta, func(w *datasets.Writer) error { return w.Append(mended) }); err != nil {
		return err
	}
	for _, d := range done {
		s.note("%s: %s", path, d)
	}
	return nil
}

// adviseCutoff turns --cutoff auto into the cut-off that the check read off the first training log.
func adviseCutoff(s streams, p *project.Settings, found []project.Finding) {
	if !p.CutoffAuto {
		return
	}
	if f := p.AdviseCutoff(found); f != nil {
		s.note("--cutoff auto: %g Hz; %s", f.Value, f.Why)
		return
	}
	s.note("--cutoff auto: the logs are too short or too damaged for spectra; the default is taken")
}

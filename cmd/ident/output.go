package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/output"
)

// note prints a line for the user in addition to the results.
func (s streams) note(format string, args ...any) { s.tell("note", format, args...) }

func (s streams) warn(format string, args ...any) { s.tell("warning", format, args...) }

// keepInputs refuses a command whose output would replace a file that it reads, or one in a folder that it reads: a copy
// that fails half way, or holds less than the file, must not be all that remains.
func keepInputs(c *cobra.Command, args []string) error {
	var outs, pages, read []string
	settings := false // are written by this command, into a project file that may be there
	c.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		} else if setting, ok := f.Value.(*settingFlag); ok {
			values = setting.f.given[setting.t.Key]
		}
		if slices.Contains(outputFlags(), f.Name) {
			outs, settings = append(outs, values...), f.Name == "fix" || c.Name() == "init"
			if f.Name == "html" {
				pages = append(pages, values...)
			}
		}
		if slices.Contains(inputFlags(), f.Name) && f.Name != "config" {
			read = append(read, values...)
		}
	})
	read = append(read, args...)
	if config := c.Flags().Lookup("config"); !settings && config != nil {
		read = append(read, config.Value.String())
		for _, path := range args {
			read = append(read, filepath.Join(filepath.Dir(path), project.File))
		}
	}
	for _, out := range outs {
		for _, in := range read {
			if output.Replaces(out, in) {
				return usagef("%s is read by this command; name another file to write", out)
			}
			if what := sourceOf(in, out); what != "" {
				return usagef("%s is %s of the result %s; name another file to write", out, what, in)
			}
		}
	}
	if slices.Contains([]string{"fit", "plot", "codegen", "demo", "man", "init"}, c.Name()) {
		return nil // of a folder each file is claimed, when its names are known; init looks for its seal
	}
	for _, path := range pages {
		if err := output.ClaimPage(path, overwrites(c)); err != nil {
			return err
		}
	}
	if draws := c.Flags().Lookup("draws"); draws != nil && draws.Changed && c.Flags().Lookup("output").Changed {
		if info, err := os.Stat(c.Flags().Lookup("output").Value.String()); err == nil && info.IsDir() {
			return nil // a folder of draws, whose files are claimed when their names are known
		}
	}
	if fix := c.Flags().Lookup("fix"); fix != nil && isYAML(fix.Value.String()) {
		return output.ClaimEdit(fix.Value.String(), overwrites(c))
	}
	return claim(c, outs...)
}

// sourceOf says which source of a result a file is by its contents: a log that it was fitted to, its robot file, or "" if neither. Nothing
// writes over these: without them the result cannot be made again.
func sourceOf(result, path string) string {
	if info, err := os.Stat(result); err != nil {
		return ""
	} else if info.IsDir() {
		result = filepath.Join(result, folder.ResultFile)
	}
	if filepath.Ext(result) != ".json" {
		return ""
	}
	var doc struct {
		Robot origin   `json:"robot"`
		Logs  []origin `json:"logs"`
	}
	if text, err := os.ReadFile(result); err != nil || json.Unmarshal(text, &doc) != nil || len(doc.Logs) == 0 {
		return ""
	}
	sum, err := folder.FileSum(context.Background(), path)
	switch {
	case err != nil || sum == "":
		return ""
	case sum == doc.Robot.SHA256:
		return "the robot file"
	case slices.Contains(doc.Logs, origin{sum}):
		return "a log"
	}
	return ""
}

// origin is what a result says of a file that it was made from.
type origin struct {
	SHA256 string `json:"sha256"`
}

// overwriteFlag is the option that lets a command replace what ident did not write.
const overwriteFlag = "overwrite"

// addOverwrite adds the option to replace foreign files to a command that writes files. A demonstration always uses a
// new folder.
func addOverwrite(c *cobra.Command) {
	if c.Name() == "demo" {
		return
	}
	for _, name := range outputFlags() {
		if c.Flags().Lookup(name) != nil {
			c.Flags().Bool(overwriteFlag, false, "replace files that ident did not write, files without write permission, and what links lead to")
			return
		}
	}
}

// overwrites reports whether a command may replace what ident did not write.
func overwrites(c *cobra.Command) bool {
	f := c.Flags().Lookup(overwriteFlag)
	return f != nil && f.Value.String() == "true"
}

// outputFlags returns the options that name a file or a folder to write.
func outputFlags() []string { return []string{"output", "fix", "html", "series"} }

// inputFlags returns the options that name a file or a folder to read.
func inputFlags() []string {
	return []string{"robot", "loops", "trajectory", "base-motion", "after", "prior", "validate", "like", "judge", "payload-poses", "controller-model",
		"motors", "quiet-log", "task", "torques", "config"}
}

// fileUse says what a command does with the file that an option names: read or write, named for NAME=FOLDER, which
// is read, "" if the option names no file.
func fileUse(option string) string {
	switch {
	case slices.Contains(outputFlags(), option):
		return "write"
	case slices.Contains(inputFlags(), option):
		return "read"
	case option == "package":
		return "named"
	}
	return ""
}

// claim returns an error, before any work, if writing would replace files that ident did not write, unless --overwrite
// is given.
func claim(c *cobra.Command, paths ...string) error {
	for _, path := range paths {
		if err := output.Claim(path, overwrites(c)); err != nil {
			return err
		}
	}
	return nil
}

func isYAML(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".yaml" || ext == ".yml"
}

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/projectfile"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/hint"
	"ident/internal/output"
)

// initDoc is the JSON document of ident init.
type initDoc struct {
	Schema string `json:"schema"`
	File   string `json:"file"` // the settings that were written
	Log    string `json:"log"`
	// Findings are those of the check of the log by the settings as written.
	Findings []project.Finding `json:"findings"`
	// Set lists the settings that were written because of the check's findings.
	Set []string `json:"set"`
	// Guessed lists channels that were assigned by their units and values, because their names say nothing.
	Guessed   []guessedChannel `json:"guessed,omitempty"`
	NeedGains bool             `json:"need_gains"` // the log holds motor currents, and gains are to be filled in
	Warnings  []string         `json:"warnings"`
	Next      []string         `json:"next"` // the commands that come next
}

// guessedChannel is a role and the channel of a log that was taken for it.
type guessedChannel struct {
	Role    string `json:"role"`
	Channel string `json:"channel"`
}

func newInit(s streams) *cobra.Command {
	f := s.flags()
	var out string
	c := &cobra.Command{
		Use:   "init ROBOT LOG",
		Short: "write a commented ident.yaml for a robot and a log",
		Long: `Write the project file for a robot and a log: the robot, the channels as they were
found, the terms, the filters, and a comment on every key. The log is checked, and the
settings that mend its findings are set, with the reason beside. It goes beside the log,
where ident check, ident fit and the others find it, so that "ident fit LOG" needs
nothing else. Options go into the file. Where the names of the channels tell no joints,
their units and numbers may; otherwise the file has lines to fill in.`,
		Example: `  ident init arm.urdf log.csv
  ident init arm.urdf currents.csv --gains 10,10.7`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if logs, robotFile := opened(args); len(logs) == 1 && robotFile != "" { // in either order
				args = []string{robotFile, logs[0]}
			}
			f.setRobot(args[0])
			p, err := f.resolve()
			if err != nil {
				return err
			}
			if out == "" {
				out = filepath.Join(filepath.Dir(args[1]), project.File)
			}
			if err := output.ClaimSealed(out, overwrites(c)); err != nil {
				return err
			}
			r, err := project.FindRobot(p, true)
			if err != nil {
				return err
			}
			bar := &progress{s: s}
			b, err := projectfile.Look(c.Context(), p, r, args[1], projectfile.Options{Report: bar.report})
			bar.end()
			if err != nil {
				return err
			}
			defer b.Close()
			robotPath, err := pathFrom(filepath.Dir(out), args[0])
			if err != nil {
				return err
			}
			for i, v := range p.Validate {
				if p.Validate[i], err = pathFrom(filepath.Dir(out), v); err != nil {
					return err
				}
			}
			text, set, err := b.Text(robotPath)
			if err != nil {
				return err
			}
			if err := output.Write(out, func(w io.Writer) error { _, err := io.WriteString(w, output.Seal(text)); return err }); err != nil {
				return err
			}
			return s.presentInit(b, f.json, set, out, args[1], args[0], r.Source.SHA256)
		},
	}
	f.robotFlags(c)
	f.termsFlag(c, "links,Ia,Fv,Fs,Fo")
	f.settings(c, project.Logs)
	f.settings(c, project.Processing)
	f.jsonFlag(c)
	c.Flags().StringVarP(&out, "output", "o", "", "file to write (default: ident.yaml beside the log)")
	return c
}

// presentInit says what was found in a log, and what comes next. A file whose channels must be filled in is an error that names it.
func (s streams) presentInit(b *projectfile.Survey, json bool, set []string, out, log, robotFile, sha string) error {
	next := []string{shellLine([]string{"check", log}), shellLine([]string{"fit", log})}
	if filepath.Clean(out) != filepath.Join(filepath.Dir(log), project.File) {
		for i := range next {
			next[i] += " --config " + hint.Word(out)
		}
	}
	if b.Unmapped != nil {
		return fmt.Errorf("%w\nwrote %s all the same: fill in the channels under map there, then run %s", b.Unmapped, out, next[0])
	}
	if len(b.Guessed) > 0 {
		var pairs []string
		for _, g := range b.Guessed {
			pairs = append(pairs, g[0]+" = "+g[1])
		}
		s.note("channels guessed from their units and numbers, check them: %s", strings.Join(pairs, ", "))
	}
	for _, line := range b.Found() {
		s.note("found %s", line)
	}
	if len(set) > 0 {
		s.note("set because of what the check of the log found: %s", strings.Join(set, ", "))
	}
	warnings := append([]string{}, b.Session.Warnings...)
	if b.NeedGains {
		warnings = append(warnings, fmt.Sprintf("the log holds motor currents and no drive gains are known: fill in gains in %s", out))
	}
	if carried := b.Log().Meta()[project.MetaSHA]; carried != "" && carried != sha {
		warnings = append(warnings, fmt.Sprintf("%s carries another robot than %s, and its own wins over the project file: give --robot to ident fit", log, robotFile))
	}
	if json {
		doc := initDoc{Schema: "ident.init/1", File: out, Log: log, Findings: append([]project.Finding{}, b.Findings...), Set: append([]string{}, set...), NeedGains: b.NeedGains,
			Warnings: warnings, Next: next}
		for _, g := range b.Guessed {
			doc.Guessed = append(doc.Guessed, guessedChannel{g[0], g[1]})
		}
		return folder.WriteJSON(s.data, doc)
	}
	for _, w := range warnings {
		s.warn("%s", w)
	}
	_, err := fmt.Fprintf(s.out, "wrote %s\nnext: %s\n      %s\n", out, next[0], next[1])
	return err
}

// pathFrom returns a file as it is named in a project file that lies in dir.
func pathFrom(dir, path string) (string, error) {
	d, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	p, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(d, p)
	if err != nil {
		return p, nil
	}
	return filepath.ToSlash(rel), nil
}

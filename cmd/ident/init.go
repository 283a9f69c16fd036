package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/projectfile"
	"ident/internal/output"
	"ident/project"
)

func newInit(s streams) *cobra.Command {
	f := s.flags()
	var out string
	var force bool
	c := &cobra.Command{
		Use:   "init ROBOT LOG",
		Short: "write a commented ident.yaml for a robot and a log",
		Long: `Write the project file for a robot and a log: the robot, the channels as they were
found, the terms, the filters, and a comment on every key. The log is checked, and the
settings that mend its findings are set, with the reason beside. It goes beside the log,
where ident check, ident fit and the others find it, so that "ident fit LOG" needs
nothing else. Options go into the file.`,
		Example: `  ident init arm.urdf log.csv
  ident init arm.urdf currents.csv --gains 10,10.7`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			f.setRobot(args[0])
			p, err := f.resolve()
			if err != nil {
				return err
			}
			if out == "" {
				out = filepath.Join(filepath.Dir(args[1]), project.File)
			}
			if _, err := os.Lstat(out); err == nil && !force {
				return fmt.Errorf("%s exists; --force replaces it, -o FILE writes another", out)
			} else if err != nil && !errors.Is(err, os.ErrNotExist) {
				return fmt.Errorf("cannot write %s: %w", out, err)
			}
			r, err := project.FindRobot(p, true)
			if err != nil {
				return err
			}
			logs, err := project.OpenLogs(c.Context(), p, args[1:])
			if err != nil {
				return err
			}
			defer project.CloseLogs(logs)
			bar := &progress{s: s}
			b, err := projectfile.Look(c.Context(), p, r, logs[0], bar.report)
			bar.end()
			if err != nil {
				return err
			}
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
			if err := output.Write(out, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
				return err
			}
			if len(set) > 0 {
				s.note("set by what the check of the log found: %s", strings.Join(set, ", "))
			}
			for _, w := range b.Session.Warnings {
				s.warn("%s", w)
			}
			if b.NeedGains {
				s.warn("the log holds motor currents and no drive gains are known: fill in gains in %s", out)
			}
			if sha := logs[0].Meta()[project.MetaSHA]; sha != "" && sha != r.Source.SHA256 {
				s.warn("%s carries another robot than %s, and its own wins over the project file: give --robot to ident fit", args[1], args[0])
			}
			_, err = fmt.Fprintf(s.out, "wrote %s\nnext: ident check %s\n      ident fit %s\n", out, args[1], args[1])
			return err
		},
	}
	f.robotFlags(c)
	f.termsFlag(c, "links,Ia,Fv,Fs,Fo")
	f.settings(c, project.Logs)
	f.settings(c, project.Processing)
	fl := c.Flags()
	fl.StringVarP(&out, "output", "o", "", "file to write (default: ident.yaml beside the log)")
	fl.BoolVar(&force, "force", false, "replace the file")
	return c
}

// pathFrom is a file as it is named in a project file that lies in dir.
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

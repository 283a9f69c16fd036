package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"ident/datasets"
	"ident/identify"
	"ident/internal/output"
	"ident/observation"
	"ident/project"
	"ident/robot"
)

func newInit(s streams) *cobra.Command {
	f := s.flags()
	var out string
	var force bool
	c := &cobra.Command{
		Use:   "init ROBOT LOG",
		Short: "write a commented ident.yaml for a robot and a log",
		Long: `Write the project file for a robot and a log: the robot, the channels as they were
found, the terms, the filters, and a comment on every key. It goes beside the log,
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
			b, err := surveyLog(p, r, logs[0])
			if err != nil {
				return err
			}
			if b.robotPath, err = pathFrom(filepath.Dir(out), args[0]); err != nil {
				return err
			}
			for i, v := range p.Validate {
				if p.Validate[i], err = pathFrom(filepath.Dir(out), v); err != nil {
					return err
				}
			}
			if err := output.Write(out, func(w io.Writer) error { _, err := io.WriteString(w, b.text()); return err }); err != nil {
				return err
			}
			for _, w := range b.ses.Warnings {
				s.warn("%s", w)
			}
			if b.needGains {
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

// survey is a robot and a log as a fit would take them.
type survey struct {
	p         *project.Settings
	robot     *robot.Robot
	robotPath string
	log       *datasets.Log
	ses       *project.Session
	names     []string // joints as the log numbers them
	gains     []float64
	needGains bool // the log has currents, and no gain is known
	cutoff    float64
}

// surveyLog maps the log's channels as a fit would.
func surveyLog(p *project.Settings, r *robot.Robot, l *datasets.Log) (*survey, error) {
	b := &survey{p: p, robot: r, log: l, names: p.Joints, gains: p.Gains}
	if len(b.names) == 0 {
		b.names = project.JointNames(r)
	}
	if err := project.RequireNumeric(r); err != nil {
		return nil, err
	}
	roles, _, err := datasets.MapChannels(l, b.names, p.Map)
	if err != nil {
		return nil, err
	}
	trial := *p
	if len(p.Gains) == 0 {
		b.needGains = currentWithoutGain(r, roles, b.names)
	}
	if b.needGains {
		trial.Gains = slices.Repeat([]float64{1}, len(b.names))
	}
	if b.ses, err = project.Prepare(&trial, r, []*datasets.Log{l}, project.ToFit); err != nil {
		return nil, err
	}
	if err := project.CheckRows(p, b.ses.Runs); err != nil {
		return nil, err
	}
	if p.Cutoff != nil {
		b.cutoff = *p.Cutoff
	} else if p.Decimate <= 1 {
		b.cutoff = identify.DefaultCutoff(observation.Rate(l, roles.T))
	}
	return b, nil
}

// currentWithoutGain tells whether some joint has a current only, and a drive
// of unknown gain.
func currentWithoutGain(r *robot.Robot, roles datasets.Roles, names []string) bool {
	for k, name := range names {
		if i, ok := project.JointIndex(r, name); ok && roles.Q[k] != "" && roles.Tau[k] == "" && roles.Current[k] != "" && r.Links[i].Joint.Gain == 0 {
			return true
		}
	}
	return false
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

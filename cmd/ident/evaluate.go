package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/pipe"
	"ident/identify"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/regressor"
)

func newEvaluate(s streams) *cobra.Command {
	f := s.flags()
	var out, quantities string
	var kept bool
	c := &cobra.Command{
		Use:   "evaluate ROBOT|RESULT STATES -o OUT",
		Short: "compute torques, regressors, energies and residuals at given states",
		Long: `Evaluate the models of a robot file, or the identified ones of a result's folder, at
states, and write the values to a file whose extension says the format.

  --quantity  inverse-dynamics (default)  tau_JOINT
              regressor                   Y_JOINT_PARAMETER, of the standard parameters
              base-regressor              Yb_JOINT_PARAMETER, of the base parameters
              energy                      kinetic, potential, friction_power
              residual                    residual_JOINT, the measured torque less tau_JOINT
              a list

States are a file with the positions, velocities and accelerations of all joints (q1,
dq1, ddq1, … or the names of a log), one state a row, in any order; no clock is needed.
A robot at rest has velocities and accelerations of zero. Residuals need torques, too.
Entries of a regressor that are zero in every state are not written. --json prints what
the channels are: joint and parameter of each, and the values of the parameters.

Large files are read and written in parts. - is standard input, and CSV on standard
output.`,
		Example: `  ident evaluate arm.urdf traj.csv -o torques.csv
  ident evaluate arm.urdf traj.csv --quantity base-regressor -o Y.npz
  ident evaluate log.ident traj.csv --quantity inverse-dynamics,energy -o torques.mat`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			wanted, err := identify.ParseQuantities(project.ParseList(quantities))
			if err != nil {
				return usagef("--quantity: %w", err)
			}
			if kept {
				subject, _, err := f.evaluated(args[0])
				if err != nil {
					return err
				}
				return s.serveStates(c.Context(), subject, args[1])
			}
			if out == "" {
				return usagef("-o is missing: the file to write")
			}
			if err := checkOutput(c, out); err != nil {
				return usageError{err}
			}
			subject, p, err := f.evaluated(args[0])
			if err != nil {
				return err
			}
			paths, done, err := s.input(c.Context(), args[1:])
			if err != nil {
				return err
			}
			defer done()
			doc, err := s.evaluate(c.Context(), subject, p, paths[0], wanted, out)
			if err != nil {
				return err
			}
			if f.json {
				return folder.WriteJSON(s.data, doc)
			}
			if out == "-" {
				s.out = s.err // beside the values
			}
			if doc.Incomplete > 0 {
				s.warn("%d states have a value that is no number, and so have their quantities", doc.Incomplete)
			}
			_, err = fmt.Fprintf(s.out, "wrote %s, %d states, %d channels\n", out, doc.Rows, len(doc.Channels))
			return err
		},
	}
	f.robotFlags(c)
	f.termsFlag(c, "links,Ia,Fv,Fs,Fo, those of a result")
	f.settings(c, project.Random)
	f.setting(c, entry("preset"))
	f.setting(c, entry("map"))
	for _, key := range []string{"units", "scale", "zero"} {
		f.setting(c, entry(key))
	}
	f.settingWith(c, "on-bad", "rows that cannot be read: error or drop (default error)")
	f.jsonFlag(c)
	fl := c.Flags()
	fl.StringVar(&quantities, "quantity", string(identify.EvaluateInverseDynamics), "quantities to evaluate, comma-separated")
	fl.StringVarP(&out, "output", "o", "", "file to write; its extension says the format")
	var known []string
	for _, q := range identify.Quantities() {
		known = append(known, string(q))
	}
	s.shell.Listed(c, "quantity", known)
	fl.BoolVar(&kept, "kept", false, "serve states in the memory STATES until standard input ends")
	if err := fl.MarkHidden("kept"); err != nil {
		panic(err)
	}
	return c
}

// evaluated returns the robot of a result's folder or of a robot file, with the settings for the states.
func (f *flags) evaluated(path string) (*identify.Evaluator, *project.Settings, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() && fileExists(filepath.Join(path, folder.ResultFile)) {
		for key := range f.given {
			if t := entry(key); t.Group == project.RobotModel || t.Key == "terms" {
				return nil, nil, usagef("--%s belongs to a robot file: the folder of a result has its robot and its model", t.Option)
			}
		}
		subject, err := identify.OpenEvaluator(path, f.inUse.seals)
		if err != nil {
			return nil, nil, err
		}
		p, err := f.resolve()
		return subject, p, err
	}
	r, p, err := f.oneRobot(path)
	if err != nil {
		return nil, nil, err
	}
	if _, given := f.given["terms"]; !given {
		p.Terms = nil // terms of a project file are meant for fits
	}
	terms, err := project.ParseTerms(p, regressor.DefaultTerms())
	if err != nil {
		return nil, nil, err
	}
	subject, err := identify.NewEvaluator(r, terms, p)
	return subject, p, err
}

// evaluate reads the states and writes the values.
func (s streams) evaluate(ctx context.Context, subject *identify.Evaluator, p *project.Settings, states string, wanted []identify.Quantity, out string) (doc *identify.EvaluationDocument, err error) {
	logs, err := project.OpenLogs(ctx, p, []string{states})
	if err != nil {
		return nil, err
	}
	defer project.CloseLogs(logs)
	if len(logs) > 1 {
		return nil, fmt.Errorf("%s holds %d runs, but states must come from one: give a file with a single run", states, len(logs))
	}
	err = s.during("evaluating "+strings.TrimSuffix(logs[0].Name(), "."), func() error {
		return pipe.Output(ctx, s.data, out, func(path string) error {
			doc, err = subject.Evaluate(ctx, p, logs[0], wanted, path)
			return err
		})
	})
	if doc != nil {
		doc.Output = out
	}
	return doc, err
}

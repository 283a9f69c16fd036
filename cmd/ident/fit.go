package main

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/table"
	"ident/identify"
	"ident/identify/elastic"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/internal/output"
)

func newFit(s streams) *cobra.Command {
	f := s.flags()
	var out string
	var running, full, loaded, bent bool
	var opt identify.FitOptions
	var drawn identify.WriteOptions
	var terms elastic.Terms
	c := &cobra.Command{
		Use:   "fit LOG...",
		Short: "identify the base parameters of a robot from its logs",
		Long: `Identify the base parameters of a robot from its logs.

The logs are checked first (ident check does the same alone); an error there ends the fit.
The result is a folder with result.json, residuals.parquet, the robot as read and
report.html; with --plots it has the plots as files, too. The default is LOG.ident beside
the first log, or in the current folder if the folder of the log is read-only.`,
		Example: `  ident fit log.csv --robot arm.urdf
  ident fit run2.csv run3.csv --robot arm.urdf --validate run1.csv --cutoff 8
  ident fit log.parquet --train-fraction 0.6 --cutoff 10 -o result
  ident fit log.csv --robot arm.urdf --model dynamic,energy,power,filtered,momentum
  ident fit part1.idr other.csv -o both.ident
  cat log.csv | ident fit - --robot arm.urdf --follow --memory 60`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			for _, path := range args {
				if fileExists(filepath.Join(path, folder.ResultFile)) {
					return usagef("%s is a result: give the logs that it was fitted to, or their summaries (ident reduce), beside the new ones", path)
				}
			}
			p, err := f.resolve(append(args, f.robot())...)
			if err != nil {
				return err
			}
			if running {
				if loaded {
					return usagef("--loads goes with logs that end: leave out --follow")
				}
				return follow(c.Context(), s, identify.New(p, f.robot() != "", args...), args[0], f.json)
			}
			paths, done, err := s.input(c.Context(), args)
			if err != nil {
				return err
			}
			defer done()
			opt.Loads, opt.Elastic, opt.ElasticTerms = given(c, "loads", loaded), given(c, "elastic", bent), terms
			kinds, err := project.Models(p)
			if err != nil {
				return err
			}
			if args[0] == "-" && out == "" {
				out = folder.Default(filepath.Base(paths[0])) // of no folder of its own
			}
			drawn.Overwrite = overwrites(c)
			dir, err := resultFolder(s, out, paths[0], kinds, drawn.Overwrite)
			if err != nil {
				return err
			}
			boundMemory(len(paths) >= manyLogs)
			bar := &progress{s: s}
			job := identify.New(p, f.robot() != "", paths...)
			job.Observer = bar.observer()
			fit, err := job.Fit(c.Context(), opt)
			bar.end()
			if err != nil {
				return toYAML(err)
			}
			drawn.Command = s.command
			if err := s.during("writing the result and its report", func() error { return fit.Write(c.Context(), dir, drawn) }); err != nil {
				return err
			}
			if err := presentFit(s, fit, dir, f.json, full); err != nil {
				return err
			}
			if fit.Failed() {
				return errVerdict
			}
			return nil
		},
	}
	f.settings(c, project.RobotFile)
	f.robotFlags(c)
	f.termsFlag(c, "links,Ia,Fv,Fs,Fo")
	f.settings(c, project.Logs)
	f.settings(c, project.Processing)
	f.settings(c, project.Random)
	f.jsonFlag(c)
	fl := c.Flags()
	f.settings(c, project.Estimate, project.TermData, project.BodyRules, project.Stand, project.Gates)
	fl.BoolVar(&bent, "elastic", false, "fit stiffness and damping of joints between motors and links, from logs with qm1 … beside q1 …, or tauj1 … (default: if the robot file has joint: {elastic: true}; --elastic=false fits rigid joints)")
	fl.BoolVar(&terms.Cubic, "elastic-cubic", false, "a stiffness that grows with the cube of the deflection, too")
	fl.BoolVar(&terms.WindUp, "elastic-hysteresis", false, "friction within the gears, by which the deflection lags the torque, too")
	fl.BoolVar(&running, "follow", false, "read a growing CSV log, or - for standard input, and print the running estimate (with --json one document a line)")
	fl.BoolVar(&opt.Force, "force", false, "fit in spite of errors that the check finds, and read a result or a prior that was changed after it was written")
	fl.BoolVar(&drawn.Plots, "plots", false, "write the plots as SVG and PNG files too (ident plot does it later)")
	fl.BoolVar(&opt.Candidates, "candidates", false, "fit the candidates that were not chosen too, and compare them in the report")
	fl.BoolVar(&loaded, "loads", false, "compute torque, power and bearing loads of the logs' motion for the report (default where the robot file has motors or sections)")
	fl.BoolVarP(&full, "verbose", "v", false, "print all tables: parameters, bodies, statistics, notes and verdicts")
	fl.StringVarP(&out, "output", "o", "", "folder for the result (default LOG.ident)")
	return c
}

// given returns a command-line switch as a choice: by the data if it is not given.
func given(c *cobra.Command, name string, on bool) project.Choice {
	switch {
	case !c.Flags().Changed(name):
		return project.ByData
	case on:
		return project.Yes
	}
	return project.No
}

// presentFit prints a fit: as JSON, as a summary, or in full.
func presentFit(s streams, f *identify.Fit, dir string, asJSON, full bool) error {
	switch {
	case f.Elastic != nil:
		return table.Elastic(s.out, s.data, f.Elastic.Result, dir, asJSON)
	case len(f.Models) > 1:
		doc := table.ModelsOf(f, dir)
		if asJSON {
			return folder.WriteJSON(s.data, doc)
		}
		table.PrintModels(s.out, doc)
		return nil
	}
	return present(s, f.Result, f.Loads, asJSON, full, dir)
}

// resultFolder returns the folder for a fit's result and checks that it can be written, before a long fit. Logs often
// lie where nobody may write; without -o the result then goes to the current folder.
func resultFolder(s streams, out, log string, kinds []regression.Kind, overwrite bool) (string, error) {
	check := func(dir string) error {
		if len(kinds) == 1 {
			return folder.Check(dir, overwrite)
		}
		for _, k := range kinds {
			if err := folder.Check(filepath.Join(dir, string(k)), overwrite); err != nil {
				return err
			}
		}
		return nil
	}
	if out != "" {
		return out, check(out)
	}
	dir := folder.Default(log)
	err := check(dir)
	if err == nil || errors.Is(err, folder.ErrNotResult) || errors.Is(err, output.ErrForeign) {
		return dir, err
	}
	here := filepath.Base(dir)
	if err := check(here); err != nil {
		return "", err
	}
	s.note("nothing can be written beside %s: the result goes to %s", log, here)
	return here, nil
}

// follow reads a growing file, or standard input for "-", and prints the running estimate until the input ends or the
// user stops it.
func follow(ctx context.Context, s streams, p *identify.Project, path string, asJSON bool) error {
	p.Observer = project.Observer{Warn: func(text string) { s.warn("%s", text) }, Note: func(text string) { s.note("%s", text) }}
	table := &followed{s: s, asJSON: asJSON}
	f, err := p.Follow(table.print)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := tail(ctx, s, path, 20*time.Millisecond, f); err != nil {
		return err
	}
	last, err := f.End()
	if errors.Is(err, identify.ErrNoRows) {
		s.warn("%v", err)
		return errVerdict
	}
	if err != nil {
		return err
	}
	return table.finish(last)
}

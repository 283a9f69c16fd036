package main

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"ident/datasets"
	"ident/identify"
	"ident/robot"
)

func newConvert(s streams) *cobra.Command {
	f := new(flags)
	var out string
	c := &cobra.Command{
		Use:   "convert LOG -o OTHER",
		Short: "a log in another format",
		Long: `Write all channels of a log to another file; its extension says the format: .csv,
.csv.gz, .tsv, .parquet, .arrow, .feather, .arrows. Units become SI: declare them with
--unit where the file does not. With --robot the log carries its robot from then on,
and ident fit needs to be told nothing else.`,
		Example: `  ident convert log.csv -o log.parquet --robot arm.urdf
  ident convert log.csv -o log.parquet --unit q1=deg --unit dq1=rpm
  ident convert log.parquet -o part.csv --rows log:1000-2000`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return usagef("-o is missing: the file to write, .csv, .csv.gz, .parquet, .arrow, ...")
			}
			p, err := f.resolve(c, args[0])
			if err != nil {
				return err
			}
			meta := map[string]string{}
			if f.p.Robot != "" {
				if meta, err = robotMeta(p); err != nil {
					return err
				}
			}
			logs, err := openLogs(p, args)
			if err != nil {
				return err
			}
			defer closeLogs(logs)
			l := logs[0]
			run := identify.Run{Name: l.Name(), Log: l, Last: l.Rows()}
			if !c.Flags().Changed("rows") {
				p.Rows = nil // a project file's rows are meant for fits
			}
			if err := checkRowsUsed(p, []identify.Run{run}); err != nil {
				return err
			}
			if err := cutRows(p, &run); err != nil {
				return err
			}
			if err := datasets.Copy(out, run.Log, meta); err != nil {
				var fe *datasets.FileError
				if errors.As(err, &fe) && fe.Path == out && errors.Is(err, datasets.ErrFormat) {
					return usageError{err}
				}
				if fe == nil {
					return fmt.Errorf("cannot write %s: %w", out, err)
				}
				return err
			}
			for _, n := range l.Notes() {
				s.note("%s", n)
			}
			if n := l.DroppedRows(); n > 0 {
				first := l.Dropped()[0]
				s.warn("%d rows of %s could not be read and were left out, the first in line %d: %s", n, args[0], first.Line, first.Why)
			}
			if len(p.Units) > 0 {
				s.note("%s is in SI units: take it without --unit and without units in %s", out, projectFile)
			}
			_, err = fmt.Fprintf(s.out, "wrote %s, %d rows of %d channels\n", out, run.Log.Rows(), len(l.Channels()))
			return err
		},
	}
	fl := c.Flags()
	fl.StringVarP(&out, "output", "o", "", "file to write; its extension says the format")
	fl.StringVar(&f.p.Robot, "robot", "", "robot file that the log shall carry in its metadata")
	fl.StringVar(&f.config, "config", "", "project file (default: ident.yaml beside the log, where there is one)")
	fl.StringArrayVar(&f.units, "unit", nil, "unit of a channel, e.g. q1=deg (repeatable)")
	fl.StringArrayVar(&f.rows, "rows", nil, "rows to write, LOG:FIRST-LAST, from 1, both included")
	fl.StringVar(&f.p.OnBad, "on-bad", "", "rows that cannot be read: error or drop (default error)")
	return c
}

// robotMeta is the metadata by which a log carries its robot. The file is read
// first: a log must not carry what no command could read.
func robotMeta(p *project) (map[string]string, error) {
	r, err := robot.Open(p.Robot, robot.ReadOptions{NoSnap: p.NoSnap, Set: p.Set})
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(r.Source.Text) {
		return nil, fmt.Errorf("%s is not UTF-8 text, which the metadata of a log must be; save it as UTF-8", p.Robot)
	}
	return map[string]string{metaRobot: string(r.Source.Text), metaSHA: r.Source.SHA256, metaFormat: r.Source.Format}, nil
}

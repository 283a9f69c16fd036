package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/pipe"
	"ident/datasets"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/internal/output"
)

func newConvert(s streams) *cobra.Command {
	f := s.flags()
	var out string
	_, formats := datasets.Extensions()
	half := len(formats) / 2 // two lines of them
	c := &cobra.Command{
		Use:   "convert LOG... -o OTHER",
		Short: "convert logs to another format",
		Long: `Write all channels of a log to another file; its extension says the format:
` + strings.Join(formats[:half], ", ") + `,
` + strings.Join(formats[half:], ", ") + `.
ROS 1 and ROS 2 bags (.bag, .db3, .mcap or a folder of them) and .npy are read too.
Units become SI: declare them with --unit where the file does not. Channels get the
names of --map. With --robot the log carries its robot from then on, and ident fit
needs to be told nothing else. Where the numbers come from is kept in the metadata,
which a CSV has in a file beside it, log.csv.meta.json.
Several logs of the same channels become runs of one file: each keeps its own clock,
and nothing is filtered or differenced from one to the next. - is standard input, and CSV
on standard output.`,
		Example: `  ident convert log.csv -o log.parquet --robot arm.urdf
  ident convert force.csv -o log.parquet --unit q1=deg --map tau1=force
  ident convert bag_folder/ -o log.parquet --topic /joint_states
  ident convert run1.csv run2.csv -o experiment.parquet
  ident convert log.parquet -o part.csv --rows log:1000-2000
  cat log.csv | ident convert - -o - --unit q1=deg`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return usagef("-o is missing: the file to write, %s", strings.Join(formats, ", "))
			}
			if f.json && out == "-" {
				return usagef("--json and -o - both write to standard output: give a file with -o")
			}
			p, err := f.resolve(args[0])
			if err != nil {
				return err
			}
			args, done, err := s.input(c.Context(), args)
			if err != nil {
				return err
			}
			defer done()
			if !c.Flags().Changed("rows") {
				p.Rows = nil // a project file's rows are meant for fits
			}
			meta := map[string]string{}
			if f.robot() != "" {
				if meta, err = project.RobotMeta(p); err != nil {
					return err
				}
			}
			logs, err := project.OpenLogs(c.Context(), p, args)
			if err != nil {
				return err
			}
			defer project.CloseLogs(logs)
			parts, err := convertParts(p, logs)
			if err != nil {
				return err
			}
			if meta[project.MetaSource], err = project.SourceOf(c.Context(), p, args, logs); err != nil {
				return err
			}
			if err := s.during("writing "+out, func() error {
				return pipe.Output(c.Context(), s.data, out, func(out string) error { return datasets.Join(c.Context(), out, parts, meta) })
			}); err != nil {
				return convertError(out, err)
			}
			s := s
			if out == "-" {
				s.out = s.err // beside the log
			}
			return reportConvert(s, f.json, p, out, logs, parts)
		},
	}
	f.jsonFlag(c)
	fl := c.Flags()
	fl.StringVarP(&out, "output", "o", "", "file to write; its extension says the format")
	f.settingWith(c, "robot", "robot file that the log shall carry in its metadata")
	fl.StringVar(&f.config, "config", "", "project file (default: ident.yaml beside the log, where there is one)")
	f.setting(c, entry("preset"))
	f.settingWith(c, "map", "new name of a channel, e.g. tau1=force (repeatable)")
	for _, key := range []string{"units", "scale", "zero"} {
		f.setting(c, entry(key))
	}
	f.settingWith(c, "topics", "topic of a recording to read; the first one gives the clock (repeatable)")
	f.setting(c, entry("columns"))
	f.setting(c, entry("rate"))
	f.setting(c, entry("env"))
	f.settingWith(c, "rows", "rows to write, LOG:FIRST-LAST, from 1, both included")
	f.settingWith(c, "on-bad", "rows that cannot be read: error or drop (default error)")
	return c
}

// convertParts returns the logs with the rows and the names to write.
func convertParts(p *project.Settings, logs []*datasets.Log) ([]*datasets.Log, error) {
	names := map[string]string{}
	channels := datasets.PresetChannels(p.Preset, p.Map, logs...)
	for _, key := range slices.Sorted(maps.Keys(channels)) {
		if old := channels[key]; old != "" && old != key {
			names[old] = key
		}
	}
	var runs []regression.Run
	for _, l := range logs {
		runs = append(runs, regression.Run{Name: l.Name(), Log: l, Last: l.Rows()})
	}
	if err := project.CheckRows(p, runs); err != nil {
		return nil, err
	}
	var parts []*datasets.Log
	for i := range runs {
		if err := project.CutRows(p, &runs[i]); err != nil {
			return nil, err
		}
		part, err := runs[i].Log.Rename(names)
		if err != nil {
			return nil, fmt.Errorf("--map: %w", err)
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// convertError explains why a file could not be written, or that its format cannot be written.
func convertError(out string, err error) error {
	if errors.Is(err, datasets.ErrName) {
		return fmt.Errorf("the log cannot be converted: %w", err)
	}
	var fe *datasets.FileError
	if errors.As(err, &fe) && fe.Path == out && errors.Is(err, datasets.ErrFormat) {
		return usageError{err}
	}
	var we *output.Error
	if fe == nil && !errors.As(err, &we) {
		return fmt.Errorf("cannot write %s: %w", out, err)
	}
	return err
}

// convertDoc is the JSON document of ident convert.
type convertDoc struct {
	Schema   string   `json:"schema"`
	File     string   `json:"file"`
	Rows     int      `json:"rows"`
	Runs     int      `json:"runs"`
	Channels []string `json:"channels"`
	Dropped  int      `json:"dropped"` // rows that could not be read, of all files
}

// reportConvert prints the rows and channels written, and the rows left out.
func reportConvert(s streams, json bool, p *project.Settings, out string, logs, parts []*datasets.Log) error {
	rows, dropped, told := 0, 0, map[string]bool{}
	for i, l := range logs {
		rows += parts[i].Rows()
		if told[l.Path()] { // another run of the same file
			continue
		}
		told[l.Path()] = true
		for _, n := range l.Notes() {
			s.note("%s", n)
		}
		dropped += l.DroppedRows()
		if n := l.DroppedRows(); n > 0 {
			first := l.Dropped()[0]
			s.warn("%d rows of %s could not be read and were left out, the first in line %d: %s", n, l.Path(), first.Line, first.Why)
		}
	}
	if len(p.Units)+len(p.Scale)+len(p.Zero) > 0 {
		s.note("%s is in SI units: take it without --unit, --scale and --zero, and without units, scale and zero in %s", out, project.File)
	}
	if len(p.Map) > 0 {
		s.note("%s has the names that --map gave: take it without --map and without map in %s", out, project.File)
	}
	if json {
		return folder.WriteJSON(s.data, convertDoc{Schema: "ident.convert/1", File: out, Rows: rows, Runs: len(parts), Channels: parts[0].Names(), Dropped: dropped})
	}
	what := ""
	if out == "-" && len(parts) > 1 {
		s.warn("standard output cannot hold %d runs, because nothing would separate them: write a file", len(parts))
	}
	if len(parts) > 1 {
		what = fmt.Sprintf(" in %d runs", len(parts))
	}
	_, err := fmt.Fprintf(s.out, "wrote %s, %d rows of %d channels%s\n", out, rows, len(parts[0].Channels()), what)
	return err
}

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/table"
	"ident/identify"
	"ident/identify/elastic"
	"ident/identify/folder"
	"ident/identify/project"
)

func newLoads(s streams) *cobra.Command {
	f := s.flags()
	var query identify.LoadsQuery
	c := &cobra.Command{
		Use:   "loads RESULT|ROBOT LOG|TRAJECTORY",
		Short: "compute loads of a motion: torque, power, energy, bearings, base, motors",
		Long: `Compute the loads of a motion for an identified robot (the folder of a result) or a robot
file. These are peak and root mean square of torque, speed and power of each drive, and the
energy with and without regeneration. Bearings have forces and moments along and across each
axis, the base has a wrench. The motion is a trajectory, or a log whose positions go through
the filters of a fit.

Joints with a motor in the robot file (YAML) are compared with its torque-speed line, its
current and its thermal limit. Of joints that are elastic in the robot file, or identified
with ident fit --elastic, the natural frequencies along the motion are listed. With
--motors FILE motors are chosen from a list, the lightest that follows the motion, from
the last joint to the first: each loads the joints before.
Links with a section have their stress, deflection and lowest frequency computed.

A result gives the deviation of each peak torque. Bearing loads rest on parameters, too,
that no torque determines: those keep the values of the robot file.`,
		Example: `  ident loads arm.urdf traj.json
  ident loads log.ident other.csv
  ident loads log.ident traj.json --payload lower=2,0.3,0,0 --series loads.csv`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if query.Margin < 1 {
				return usagef("--margin %g: give 1 or more", query.Margin)
			}
			if query.Series != "" {
				if query.Series == "-" {
					return usagef("--series - : name a file; --json prints the document")
				}
				if err := checkOutput(c, query.Series); err != nil {
					return usagef("%s", strings.Replace(err.Error(), "-o ", "--series ", 1))
				}
			}
			if c.Flags().Changed("rate") {
				f.give(entry("rate"), strconv.FormatFloat(query.Rate, 'g', -1, 64))
			}
			subject, err := f.subject(args[0])
			if err != nil {
				return err
			}
			query.Motion, query.Command = args[1], s.command
			if query.Vibrations, err = elastic.Vibrations(c.Context(), args[0], subject.Robot, s.inUse.seals); err != nil {
				return err
			}
			doc, err := subject.Loads(c.Context(), query)
			var bad *identify.LoadsQueryError
			if errors.As(err, &bad) {
				return usagef("--%w", bad)
			}
			if err != nil {
				return err
			}
			if f.json {
				return folder.WriteJSON(s.data, doc)
			}
			if err := table.Loads(s.out, doc); err != nil {
				return err
			}
			for _, file := range [2][2]string{{"series", query.Series}, {"page", query.Page}} {
				if file[1] != "" && err == nil {
					_, err = fmt.Fprintf(s.out, "\n%-6s  %s\n", file[0], file[1])
				}
			}
			return err
		},
	}
	f.robotFlags(c)
	for _, t := range project.Table() {
		if t.Group == project.Logs && t.Option != "" && t.Key != "rate" { // one rate is for trajectories and for logs without a clock
			f.setting(c, t)
		}
	}
	f.settingWith(c, "motion-cutoff", "low-pass of a log's positions in Hz, 0 for none (default: that of the result, or by the noise of the positions)")
	f.jsonFlag(c)
	fl := c.Flags()
	addNumber(fl, &query.Rate, "rate", "Hz", 1000, 1e-3, 1e5, "samples a second of a trajectory, or of a log without a clock")
	addNumber(fl, &query.Margin, "margin", "", 1, 0, 1e3, "least ratio of a motor's limits to its use")
	fl.StringVar(&query.Payload, "payload", "", "a body that a link carries, LINK=MASS,X,Y,Z (kg, and m of its centre in the link's frame) or with IXX,IYY,IZZ about the centre (kg·m²)")
	fl.StringVar(&query.Catalogue, "motors", "", "YAML file of motors to choose from")
	fl.StringVar(&query.Page, "html", "", "page to write: the robot in its motion, torque, speed and power of each drive, tables")
	fl.StringVar(&query.Series, "series", "", "file for all quantities sample by sample: .csv, .csv.gz, .parquet or .arrow")
	return c
}

// subject returns the robot of a result's folder or of a robot file.
func (f *flags) subject(path string) (*identify.LoadedRobot, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() && fileExists(filepath.Join(path, folder.ResultFile)) {
		s, err := identify.OpenLoadedRobot(path, f.inUse.seals)
		if err != nil {
			return nil, err
		}
		return s, f.apply(s.Settings)
	}
	r, p, err := f.oneRobot(path)
	if err != nil {
		return nil, err
	}
	return identify.NewLoadedRobot(path, r, p)
}

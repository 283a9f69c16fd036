package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/opening"
	"ident/identify/project"
)

// robotExtensions are those of files that ident open takes for the robot among its arguments.
var robotExtensions = []string{".urdf", ".xacro", ".xml", ".mjcf", ".sdf", ".par", ".yaml", ".yml"}

func newOpen(s streams) *cobra.Command {
	f := s.flags()
	var address bool
	c := &cobra.Command{
		Use:   "open LOG... [ROBOT]",
		Short: "look at a log in the browser before it is fitted",
		Long: `Look at a log in the browser before it is fitted. The page shows what was read, the curves with
the findings where they lie, and the robot in the motion of the log. It says what each channel is
taken for, and why; repairs are switches, with the error on rows left out before and after. Every
guess can be changed: the log is then read and checked again. The page writes ident.yaml beside
the log, after it has shown the difference, and fits as ident fit LOG does with that file.

The page is served to this computer alone, at a free port, to who has the address. Ctrl-C ends it.`,
		Example: `  ident open log.csv arm.urdf
  ident open log.csv other.csv --robot arm.urdf
  ident open log.csv --address`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			logs, robotFile := opened(args)
			switch {
			case len(logs) == 0:
				return usagef("no log: give at least one beside the robot file %s", robotFile)
			case robotFile != "" && f.robot() != "":
				return usagef("%s and --robot %s are two robots: give one", robotFile, f.robot())
			case robotFile != "":
				f.setRobot(robotFile)
			}
			for _, log := range logs {
				if !fileExists(log) {
					return fmt.Errorf("there is no log %s", log)
				}
			}
			if _, err := f.resolve(append(logs, f.robot())...); err != nil {
				return err
			}
			file := f.config
			if file == "" {
				file = filepath.Join(filepath.Dir(logs[0]), project.File)
			}
			boundMemory(true)
			session := opening.NewSession(c.Context(), opening.Options{Logs: logs, Robot: f.robot(), File: file, Command: s.command,
				Settings: func() (*project.Settings, error) { return f.resolve(logs...) }})
			return s.serveOpened(c.Context(), session, address)
		},
	}
	f.settings(c, project.RobotFile)
	f.robotFlags(c)
	c.Flags().BoolVar(&address, "address", false, "print the address only, and open no browser")
	return c
}

// opened parts the arguments into logs and the robot file, which is the last one with an extension of robots; "" for none.
func opened(args []string) (logs []string, robotFile string) {
	for _, arg := range args {
		if slices.Contains(robotExtensions, strings.ToLower(filepath.Ext(arg))) {
			robotFile = arg
		} else {
			logs = append(logs, arg)
		}
	}
	return logs, robotFile
}

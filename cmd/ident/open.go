package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/laboratory"
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

// serveOpened serves an opened log until the command is interrupted.
func (s streams) serveOpened(ctx context.Context, session *opening.Session, addressOnly bool) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("cannot serve the page on this computer: %w", err)
	}
	token := opening.NewToken()
	handler, err := opening.Handler(session, listener.Addr().String(), token)
	if err != nil {
		return err
	}
	// The token stands behind #, which a browser keeps to itself.
	at := fmt.Sprintf("http://%s/#%s", listener.Addr(), token)
	fmt.Fprintf(s.out, "%s\n", at)
	if !addressOnly && !laboratory.Browse(at) {
		s.note("no browser was found: open the address in one on this computer")
	}
	s.note("Ctrl-C ends it")
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving the page: %w", err)
	case <-ctx.Done():
	}
	return server.Close()
}

//go:build !js

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/agent"
	"ident/cmd/ident/internal/help"
	"ident/cmd/ident/internal/schema"
	"ident/doctor"
	"ident/identify/folder"
	"ident/internal/output"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

func newMCP(s streams) *cobra.Command {
	var seconds, memory int
	c := &cobra.Command{
		Use:   "mcp FOLDER...",
		Short: "serve agents: the commands as tools of the Model Context Protocol",
		Long: `Serve the Model Context Protocol on standard input and output, for a program that starts ident
mcp and calls its tools: check, fit, validate, design, compare, export and explain. The pages of
this help and the results of fits are resources. Standard output carries the protocol alone.

A client names files below the folders, with links resolved first; relative paths begin in the
first folder. On Linux, the kernel (Landlock) confines ident and what it reads to the folders and
refuses connections. Elsewhere only the paths that a client gives are checked, not those in robot
files and project files. Nothing is replaced that ident did not write, one command runs at a time,
and a run that exceeds its time or memory is ended. With "dry_run" a tool that writes
says what it would write. Texts that may come from files are marked as untrusted.`,
		Example: `  ident mcp .
  ident mcp logs robots --time-limit 1800 --memory 2048`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			folders, err := agent.NewFolders(args)
			if err != nil {
				return fmt.Errorf("the folder of the files: %w", err)
			}
			err = errors.ErrUnsupported
			if s.in == os.Stdin { // the process serves this client alone
				err = agent.Confine(folders)
			}
			switch {
			case errors.Is(err, errors.ErrUnsupported):
				s.note("paths in robot files and project files are not confined to the folders: %v", err)
			case err != nil:
				return fmt.Errorf("confining ident to the folders: %w", err)
			}
			self, err := os.Executable()
			if err != nil {
				return fmt.Errorf("ident mcp cannot find its own program file, which it starts for each run: %w", err)
			}
			server := agent.New(agent.Config{Version: Version, Folders: folders, Tools: agentTools(), Pages: agentPages(), Words: agentWords(),
				Explain: explainFor(newRoot(s)), Claim: claimResult,
				Run: &agent.Runner{Program: self, Name: os.Args[0], Folder: folders[0], Time: time.Duration(seconds) * time.Second,
					Env: []string{callerVariable + "=stdin", progressVariable + "=lines", memoryVariable + "=" + fmt.Sprint(memory), "TMPDIR=" + folders[0]}}})
			lines := agent.NewLines(s.in, s.data)
			err = server.Run(c.Context(), &mcp.IOTransport{Reader: lines, Writer: lines})
			if errors.Is(err, io.EOF) {
				err = nil // the client has left
			}
			return err
		},
	}
	addNumber(c.Flags(), &seconds, "time-limit", "s", 600, 1, 86400, "time of a run, s")
	addNumber(c.Flags(), &memory, "memory", "MiB", 4096, 64, 1<<20, "memory of a run, MiB")
	return c
}

// claimResult returns why a file or the folder of a result may not be written.
func claimResult(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() || filepath.Ext(path) == ".ident" {
		return folder.Check(path, false)
	}
	err := output.Claim(path, false)
	if errors.Is(err, output.ErrForeign) {
		return fmt.Errorf("%s is a file that ident did not write, or a link: name another place", path)
	}
	return err
}

// agentTools returns the commands that an agent calls, with their options out of the table of options.
func agentTools() []agent.Tool {
	logs := agent.Operand{Name: "logs", About: "paths of logs: CSV, Parquet, Arrow, MCAP, ROS bag, NumPy, MATLAB", Many: true, Access: agent.Reads}
	out := agent.Operand{Name: "output", Option: "output", Access: agent.Writes}
	about := func(text string, o agent.Operand) agent.Operand { o.About = text; return o }
	tools := []agent.Tool{
		{Name: "check", Command: "check", Operands: []agent.Operand{logs}, Shown: []string{"schema", "robot", "ok", "findings"},
			About: "Check logs against their robot before a fit: names, units, clock, signs, ranges, missing excitation. Returns findings with why and fix."},
		{Name: "fit", Command: "fit", Operands: []agent.Operand{logs, about("folder to write the result to, as arm.ident", out)},
			Shown: []string{"schema", "robot", "samples", "grade", "joint_grades", "verdicts", "findings", "fit", "validation", "condition_number", "base_parameters", "bodies", "notes"},
			About: "Identify base parameters and friction. Read grade and verdicts first: parameters of a result that is not sound are no measurement."},
		{Name: "validate", Command: "validate", Operands: []agent.Operand{{Name: "result", About: "folder of a result", Access: agent.Reads}, logs},
			About: "Predict the torques of logs that the fit has not seen. exit_code 3: a verdict is fail."},
		{Name: "design", Command: "design-trajectory", Operands: []agent.Operand{{Name: "robot", About: "robot file: URDF, xacro, MJCF, SDF, .par or YAML", Access: agent.Reads},
			about("trajectory to write: .csv, .json, .npz, or a controller's program", out)},
			About: "Design a motion within the limits of the robot that determines its parameters."},
		{Name: "compare", Command: "compare", Operands: []agent.Operand{{Name: "results", About: "folders of two or more results", Many: true, Access: agent.Reads}},
			About: "Compare results: parameters with intervals, errors on the same logs."},
		{Name: "export", Command: "export", Operands: []agent.Operand{{Name: "result", About: "folder of a result", Access: agent.Reads},
			about("file to write: .urdf, .sdf, .yaml, .par, .csv, .json; to names the format of any other, as mjcf", out)},
			About: "Write the identified robot as a robot file, a table or a controller's payload."},
	}
	documents := map[string][]string{"check": {"check"}, "fit": {"fit", "fit-elastic", "fit-models"}, "validate": {"validate", "validate-elastic"},
		"design": {"design"}, "compare": {"compare"}}
	commands := optionsOf(rootOf(streams{inUse: &inUse{}}, nil)).Commands
	for i := range tools {
		t := &tools[i]
		for k, name := range documents[t.Name] {
			t.Fixed = []string{"--json"}
			all := t.Shown == nil || k > 0 // members of rare documents are few
			for _, m := range membersOf(name) {
				if slices.Contains(t.Members, m) {
					continue
				}
				if t.Members = append(t.Members, m); all {
					t.Shown = append(t.Shown, m)
				}
			}
		}
		at := slices.IndexFunc(commands, func(c optionsCommand) bool { return c.Name == t.Command })
		for _, o := range commands[at].Options {
			taken := slices.ContainsFunc(t.Operands, func(p agent.Operand) bool { return p.Option == o.Name || p.Name == o.Name })
			if taken || slices.Contains(notForAgents, o.Name) {
				continue
			}
			t.Options = append(t.Options, agent.Option{Name: o.Name, About: o.Help, Type: o.Type, Default: o.Default, Low: o.Low, High: o.High,
				Choices: o.Choices, Free: o.Free, Repeatable: o.Repeatable, Access: agent.Access(o.File)})
		}
	}
	return tools
}

// notForAgents are options that a tool has not: a server prints documents alone, keeps what it did not write, waits
// for the end of a run, and stays in its folders.
var notForAgents = []string{"json", "output", "overwrite", "force", "quiet", "verbose", "follow", "outside-files"}

// membersOf returns the members of a document.
func membersOf(name string) []string {
	var out []string
	for _, d := range documents() {
		if d.name == name {
			for _, p := range d.schema().Properties {
				out = append(out, p.Name)
			}
		}
	}
	return out
}

// agentWords returns the words of the program's documents: members, ids, levels, units and terms.
func agentWords() []string {
	var out []string
	var walk func(*schema.Schema)
	walk = func(s *schema.Schema) {
		if s == nil {
			return
		}
		if s.Const != "" {
			out = append(out, s.Const)
		}
		for _, p := range s.Properties {
			out = append(out, p.Name)
			walk(p.Schema)
		}
		for _, d := range s.Defs {
			walk(d.Schema)
		}
		for _, any := range s.AnyOf {
			walk(any)
		}
		walk(s.Items)
		walk(s.Values)
	}
	for _, d := range documents() {
		out = append(out, d.version)
		walk(d.schema())
	}
	for _, t := range help.Topics() {
		for _, e := range help.Entries(t) {
			out = append(out, e.ID)
		}
	}
	for _, t := range regressor.Terms() {
		out = append(out, string(t.Term))
	}
	for _, l := range []result.Level{result.Sound, result.Doubtful, result.Unusable} {
		out = append(out, string(l))
	}
	for _, l := range []doctor.Severity{doctor.Info, doctor.Warning, doctor.Error} {
		out = append(out, string(l))
	}
	return append(append(out, robot.InertialUnits[:]...), "N·m", "N", "rad", "m", "N·m·s/rad", "N·s/m", "known", "unknown", "weak", "train", "validation", "position", "velocity", "torque", "joint", "pass", "fail")
}

// agentPages returns the pages of the help: the commands and the topics.
func agentPages() []agent.Page {
	var out []agent.Page
	for _, t := range help.Topics() {
		out = append(out, agent.Page{Name: t.Name, Title: t.Title, Text: topicText(t)})
	}
	for _, c := range rootOf(streams{inUse: &inUse{}}, nil).Commands() {
		if c.IsAvailableCommand() {
			out = append(out, agent.Page{Name: "command/" + c.Name(), Title: c.CommandPath() + ": " + c.Short, Text: help.Page(c, true)})
		}
	}
	return out
}

// explainFor returns a search of the help.
func explainFor(root *cobra.Command) func(question string) []agent.Place {
	passages := help.Passages(root, topicText)
	return func(question string) []agent.Place {
		if text := help.Explain(strings.TrimSpace(question)); text != "" {
			return []agent.Place{{Name: question, Read: "ident help " + question, Text: text}}
		}
		var out []agent.Place
		for _, p := range help.Search(passages, question, 3) {
			out = append(out, agent.Place{Name: p.Name, Read: p.Read, Text: p.Text})
		}
		return out
	}
}

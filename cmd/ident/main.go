// Command ident turns a robot description and raw motion logs into inertial
// parameters, and says how far they can be trusted.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"ident/cmd/ident/internal/complete"
	"ident/cmd/ident/internal/help"
	"ident/cmd/ident/internal/interrupt"
	"ident/cmd/ident/internal/pipe"
	"ident/identify/project"
)

// Exit codes of the command contract.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitVerdict = 3
)

func main() {
	os.Exit(realMain(streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: isTerminal(os.Stderr) && os.Getenv("TERM") != "dumb", colours: wantsColour(isTerminal(os.Stdout), os.Getenv), wide: terminalWidth(os.Stdout), narrow: terminalWidth(os.Stderr), steps: os.Getenv(progressVariable) == "lines"}))
}

func realMain(s streams) int {
	s = s.withCaller().withMemory()
	s.leftovers = new(interrupt.Leftovers)
	after := grace
	if len(os.Args) > 1 && os.Args[1] == "design-trajectory" {
		after = designGrace
	}
	ctx := withSignals(context.Background(), s, after)
	code := run(ctx, os.Args[1:], s)
	if interrupt.Cause(ctx) != nil {
		s.afterCaller()
	}
	return code
}

// streams is where a command reads and writes.
type streams struct {
	in        io.Reader
	caller    io.Reader // ends with the program that called this one; nil if there is none
	out, err  io.Writer // texts for people
	data      io.Writer // as out, for documents and files, whose bytes are kept
	screen    io.Writer // as err, for progress, which moves the cursor
	terminal  bool      // err is a terminal: progress may be drawn
	colours   bool      // out shows colours
	wide      int       // columns of the terminal that out is, 0 if it is none
	narrow    int       // columns of the terminal that err is, likewise
	steps     bool      // progress is printed as lines, for a program
	inUse     *inUse    // settings of the command
	leftovers *interrupt.Leftovers
	step      bool   // of a demonstration, which tells of its interruption itself
	command   string // as typed, for a shell
	allHelp   bool   // pages of help with every option
	shell     complete.Shell
}

// input replaces "-" by a file with standard input.
func (s streams) input(ctx context.Context, args []string) ([]string, func(), error) {
	paths, done, err := pipe.Input(ctx, s.in, args)
	if i := slices.Index(args, "-"); i >= 0 && err == nil {
		s.inUse.stdin = paths[i]
	}
	if errors.Is(err, pipe.ErrTwice) {
		err = usageError{err}
	}
	return paths, done, err
}

// usageError marks a wrong call rather than a failure.
type usageError struct{ error }

// Unwrap returns the error that says what is wrong.
func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errVerdict ends a command that worked but whose verdict is "fail".
var errVerdict = errors.New("a verdict is fail")

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, s streams) int {
	s.inUse = &inUse{args: args}
	s.command = shellLine(args)
	s.shell = complete.Asks(args)
	out := &checkedWriter{w: s.out}
	if s.screen == nil {
		s.screen = s.err
	}
	plain := s
	plain.err = screenWriter{s.screen, &s.inUse.broken}
	var shown io.Writer = out
	if s.colours {
		shown = &colourWriter{w: out}
	}
	s.data, s.out, s.err = out, gate{screenWriter{shown, &s.inUse.broken}, s.inUse}, gate{plain.err, s.inUse}
	s.screen = gate{s.screen, s.inUse}
	args, s.allHelp = help.All(args)
	root := rootOf(s, args)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	s.untold()
	s.err = plain.err
	var stop interrupt.By
	if errors.As(interrupt.Cause(ctx), &stop) && err != nil {
		if !s.step {
			fmt.Fprintf(s.err, "ident: %v\n", stop)
		}
		return stop.Code()
	}
	if out.err != nil {
		err = fmt.Errorf("cannot write to standard output: %w", out.err)
	}
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errVerdict):
		return exitVerdict
	}
	var usage usageError
	var setting *project.SettingError
	code, name := exitFailed, optionOf
	switch {
	case errors.As(err, &usage), errors.As(err, new(*project.OptionError)):
		code = exitUsage
	case errors.As(err, &setting) && s.inUse.fromFile(setting.Setting):
		name = s.inUse.name
	case setting != nil:
		code = exitUsage
	}
	text := project.Describe(err, name)
	if s.inUse.stdin != "" {
		text = strings.ReplaceAll(text, s.inUse.stdin, "standard input")
	}
	fmt.Fprintln(s.err, s.fitted("ident: "+text))
	return code
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

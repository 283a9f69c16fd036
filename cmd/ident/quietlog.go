package main

import (
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// quietLogFlag is the option that names the logs of a quiet robot. Its earlier spelling is --quiet LOG.
const quietLogFlag = "quiet-log"

// quietFlag is the option --quiet of a command with --quiet-log.
type quietFlag struct {
	on     bool
	before int // number of arguments before the option
	old    []string
	set    *pflag.FlagSet
}

// String returns true or false, as the help prints the default.
func (q *quietFlag) String() string { return strconv.FormatBool(q.on) }

// Type returns bool, so that the option takes no word behind it.
func (q *quietFlag) Type() string { return "bool" }

// Set takes true and false. Any other text is the log of the earlier spelling --quiet=LOG.
func (q *quietFlag) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err != nil {
		q.old = append(q.old, text)
		return q.set.Set(quietLogFlag, text)
	}
	q.on, q.before = on, q.set.NArg()
	return nil
}

// takeOldQuiet returns the option --quiet of a command with --quiet-log. The command takes --quiet LOG as --quiet-log LOG, and
// says so, if the arguments make no sense otherwise; if both make sense, it refuses the call.
func (s streams) takeOldQuiet(c *cobra.Command) *quietFlag {
	q := &quietFlag{set: c.Flags()}
	check, run := c.Args, c.RunE
	c.Args = func(c *cobra.Command, args []string) error {
		err := check(c, args)
		if !q.on || q.before >= len(args) || !follows(s.inUse.args, "--quiet", args[q.before]) {
			return err
		}
		log := args[q.before]
		switch other := check(c, slices.Delete(slices.Clone(args), q.before, q.before+1)); {
		case other != nil:
			return err
		case err == nil && !fileExists(log):
			return nil // it is the folder of a result
		case err == nil:
			return usagef("--quiet %s: name a quiet log by --%s %s; to print nothing but errors, write -q", log, quietLogFlag, log)
		}
		q.on = false
		return q.Set(log)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		for _, log := range q.old {
			if i := slices.Index(args, log); i >= 0 && i == q.before && follows(s.inUse.args, "--quiet", log) {
				args = slices.Delete(slices.Clone(args), i, i+1)
			}
			s.note("--quiet %s is the earlier spelling of --%s %s; --quiet prints nothing but errors", log, quietLogFlag, log)
		}
		return run(c, args)
	}
	return q
}

// follows reports whether one word stands directly behind another.
func follows(words []string, first, next string) bool {
	for i := range words[:max(0, len(words)-1)] {
		if words[i] == first && words[i+1] == next {
			return true
		}
	}
	return false
}

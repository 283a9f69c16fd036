package main

import (
	"strings"

	"github.com/spf13/cobra"

	"ident/project"
)

// Version is the release, as `ident --version` prints it.
const Version = project.Version

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "ident",
		Short: "inertial parameters of robots from their description and their logs",
		Long: `ident turns a robot description (URDF, SYMORO+ .par, YAML) and raw motion logs
(CSV, Parquet, Arrow) into inertial parameters, and says how far they can be trusted.

Start with:
  ident demo                          the whole path on an embedded robot
  ident robot arm.urdf                read and check a robot file
  ident check log.csv --robot arm.urdf
  ident fit log.csv --robot arm.urdf

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but a verdict is "fail";
130 and 143 ended by a signal.`,
		Version:       Version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	for _, c := range []*cobra.Command{
		newDemo(s), newInit(s), newRobot(s), newBaseParams(s), newDesign(s), newSimulate(s), newCheck(s), newFit(s),
		newValidate(s), newCompare(s), newPlot(s), newExport(s), newConvert(s), newCodegen(s),
	} {
		c.Args = usageArgs(c.Args)
		root.AddCommand(c)
	}
	root.Args = usageArgs(func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		msg := "unknown command " + args[0]
		if near := c.SuggestionsFor(args[0]); len(near) > 0 {
			msg += "; did you mean " + strings.Join(near, " or ") + "?"
		}
		return usagef("%s (ident --help lists the commands)", msg)
	})
	root.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	return root
}

// usageArgs makes the errors of an argument check wrong usage.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if check == nil {
			return nil
		}
		if err := check(c, args); err != nil {
			if _, ok := err.(usageError); ok {
				return err
			}
			return usagef("%w\nusage: %s", err, c.UseLine())
		}
		return nil
	}
}

package main

import (
	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/summarycommands"
	"ident/project"
)

// Version is the release, as `ident --version` prints it.
const Version = project.Version

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "ident",
		Short: "inertial parameters of robots from their description and their logs",
		Long: `ident turns a robot description (URDF, MJCF, SYMORO+ .par, YAML) and raw motion logs
(CSV, Parquet, Arrow, bags, NumPy, MATLAB) into inertial parameters, and says how far they
can be trusted.`,
		Example: `  ident demo
  ident robot arm.urdf
  ident check log.csv --robot arm.urdf
  ident fit log.csv --robot arm.urdf`,
		Version:       Version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	groups := []struct {
		title    string
		commands []*cobra.Command
	}{
		{"First steps", []*cobra.Command{newDemo(s), newInit(s)}},
		{"The robot", []*cobra.Command{newRobot(s), newBaseParams(s), newCodegen(s)}},
		{"The experiment", []*cobra.Command{newDesign(s), newSimulate(s)}},
		{"The logs", []*cobra.Command{newCheck(s), newConvert(s), newReduce(s), s.ofSummaries(summarycommands.NewMerge)}},
		{"The result", []*cobra.Command{newFit(s), newGravity(s), newValidate(s), newCompare(s), newLoads(s), s.ofSummaries(summarycommands.NewDrift), newPlot(s), newExport(s)}},
		{"The program", []*cobra.Command{newVersion(s), newSchema(s), newMan(s)}},
	}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			c.Args = usageArgs(c.Args)
			root.AddCommand(c)
		}
	}
	root.Flags().Bool("version", false, "print the version") // without a letter: -v is that of verbose
	setHelp(root, s)
	root.SetHelpCommandGroupID("The program")
	root.SetCompletionCommandGroupID("The program")
	root.PersistentPreRunE = keepInputs
	root.Args = usageArgs(func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return unknownName("command", args[0], commandNames(c))
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

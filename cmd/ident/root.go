package main

import (
	"slices"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/help"
	"ident/identify/project"
)

// Version is the release, as `ident --version` prints it.
const Version = project.Version

// maker makes a command; name is the first word of its use.
type maker struct {
	name string
	make func(streams) *cobra.Command
}

// group is the commands under one title of the help.
type group struct {
	title  string
	makers []maker
}

// newRoot makes the program with all commands.
func newRoot(s streams) *cobra.Command { return rootOf(s, nil) }

// rootOf returns the program with all commands or, if the first of args names a command that is independent of the
// others, with that one alone: declaring all options takes as long as reading a short log.
func rootOf(s streams, args []string) *cobra.Command {
	alone, groups := "", commandGroups()
	for _, g := range groups {
		if len(args) > 0 && args[0] != "man" && slices.ContainsFunc(g.makers, func(m maker) bool { return m.name == args[0] }) {
			alone = args[0]
		}
	}
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
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, m := range g.makers {
			if alone != "" && m.name != alone {
				continue
			}
			c := m.make(s)
			addOverwrite(c)
			s.addVerbosity(c)
			addForce(c)
			c.GroupID = g.title
			c.Args = usageArgs(c.Args)
			root.AddCommand(c)
		}
	}
	root.Flags().Bool("version", false, "print the version") // without a letter: -v is that of verbose
	setHelp(root, s)
	root.SetHelpCommandGroupID("The program")
	root.SetCompletionCommandGroupID("The program")
	root.PersistentPreRunE = func(c *cobra.Command, args []string) error {
		s.inUse.takeVerbosity(c)
		s.takeSeals(c)
		return keepInputs(c, args)
	}
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
			return usagef("%s\n%s", help.Missing(err), help.Call(c))
		}
		return nil
	}
}

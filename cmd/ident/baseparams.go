package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/table"
	"ident/identify"
	"ident/identify/description"
	"ident/identify/folder"
	"ident/identify/project"
)

func newBaseParams(s streams) *cobra.Command {
	f := s.flags()
	var opt baseParamsFlags
	c := &cobra.Command{
		Use:   "base-params ROBOT",
		Short: "find the base parameters of a robot and their regrouping relations",
		Long: `Find the base parameters: the smallest set of combinations of standard parameters that
determines the joint torques. Logs cannot identify more. They are found by the structure of
the robot (null space), numerically (QR), and by the symbolic rules, and the three are
compared.

Symbols of the geometry without a value get generic ones, drawn from --seed and
named. The exit code is 3 when null space and QR disagree; gaps of the symbolic
rules, which are known to be incomplete, are only reported.

A robot with closed loops is treated by QR over states that keep the loops closed,
and by the rules for loops (docs/mechanisms.md); symbols without a value are drawn
until they close.

With --to the set is written instead: its relations as a LaTeX or CSV table, the listing of
SYMORO+ (regp), or the robot with base parameters in place of the standard ones (par).
Symbols stand for values that the robot file lacks. --explain tells of one parameter whether
it can be identified alone, in combination or not at all, and why. --effects shows what
force sensors, gravity along another axis and locked joints would change. --base-wrench
finds the set for a robot on a force and torque sensor. --floating finds the set for a robot
on a base that moves freely; the base is a body, with parameters XX0 to M0.`,
		Example: `  ident base-params arm.urdf
  ident base-params arm.urdf --terms links,Ia,Fv,Fs,Fo
  ident base-params scara.par --set D2=0.4 --json
  ident base-params arm.urdf --explain MX2
  ident base-params scara.par --to regp -o scara.regp`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			opt.json = f.json
			if err := opt.check(); err != nil {
				return err
			}
			p, err := f.robotSettings(args[0])
			if err != nil {
				return err
			}
			if !c.Flags().Changed("terms") {
				p.Terms = nil // those of a project file are meant for fits
			}
			var b *description.Base
			if err := s.during("finding the base parameters", func() (err error) {
				b, err = identify.DescribeBase(c.Context(), p, opt.BaseOptions)
				return err
			}); err != nil {
				return err
			}
			if err := opt.present(s, b); err != nil {
				return err
			}
			if b.Disagree {
				return errVerdict
			}
			return nil
		},
	}
	f.robotFlags(c)
	f.termsFlag(c, "links")
	f.settings(c, project.Random)
	f.jsonFlag(c)
	c.Flags().StringVar(&opt.to, "to", "", "write the set as latex, csv, regp or par")
	s.shell.Words(c, "to", description.BaseFormats()...)
	c.Flags().StringVarP(&opt.out, "output", "o", "", "file to write (default: standard output)")
	c.Flags().StringVar(&opt.explain, "explain", "", "tell why a parameter, MX3 say, can be identified or not")
	c.Flags().BoolVar(&opt.Effects, "effects", false, "tell what sensors, gravity and locked joints would change")
	c.Flags().BoolVar(&opt.Wrench, "base-wrench", false, "the force and the moment under the base are measured too")
	c.Flags().BoolVar(&opt.Floating, "floating", false, "the base moves freely and is a body with parameters of its own")
	return c
}

// baseParamsFlags are the options of ident base-params that are no settings of a project.
type baseParamsFlags struct {
	description.BaseOptions
	to, out, explain string
	json             bool
}

// check refuses options that contradict each other.
func (o *baseParamsFlags) check() error {
	instead := 0
	for _, given := range []bool{o.to != "", o.explain != "", o.Effects || o.json} {
		if given {
			instead++
		}
	}
	switch {
	case o.to != "" && !slices.Contains(description.BaseFormats(), o.to):
		return usagef("--to %s: the formats are latex, csv, regp and par", o.to)
	case o.to == "" && o.out != "":
		return usagef("-o goes with --to latex, csv, regp or par")
	case instead > 1:
		return usagef("--to, --explain and --json or --effects each print something else: give one")
	case o.Wrench && o.explain != "":
		return usagef("--explain is about joint torques alone: leave out --base-wrench")
	case o.Wrench && o.Effects:
		return usagef("--effects starts from joint torques alone, and has the base wrench in its list: leave out --base-wrench")
	case o.Floating && (o.Wrench || o.Effects || o.explain != "" || o.to == "regp" || o.to == "par"):
		return usagef("--floating is about another motion, and has no place in SYMORO+ files: leave out --base-wrench, --effects, --explain, --to regp and --to par")
	}
	return nil
}

// present prints the base parameters, or writes the file that replaces them.
func (o *baseParamsFlags) present(s streams, b *description.Base) error {
	if o.to == "" && o.explain == "" && o.json {
		return folder.WriteJSON(s.data, b.Document)
	}
	for _, w := range b.Document.Warnings {
		s.warn("%s", w)
	}
	switch {
	case o.to != "":
		for _, n := range b.Document.Notes {
			s.note("%s", n)
		}
		var text bytes.Buffer
		if err := b.Write(&text, o.to); err != nil {
			return fmt.Errorf("--to %s: %w", o.to, err)
		}
		return writeTo(s, o.out, o.to, text.Bytes())
	case o.explain != "":
		why, err := b.Explain(o.explain)
		if err != nil {
			return usagef("--explain %s: %v", o.explain, err)
		}
		if _, err := fmt.Fprintln(s.out, why); err != nil {
			return fmt.Errorf("printing the explanation: %w", err)
		}
		return nil
	}
	return table.Base(s.out, b)
}

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ident/project"
	"ident/regressor"
)

// supplementFlags are the flags for terms that need more than the motion.
type supplementFlags struct {
	s     project.Settings
	known []string
}

func (f *supplementFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringArrayVar(&f.known, "known", nil, "a parameter of the model that is known, NAME=VALUE, as PM7=3.2 (repeatable)")
	fl.StringArrayVar(&f.s.Carries, "carries", nil, "log of a run with the payload of --terms payload:LINK (repeatable)")
	fl.StringVar(&f.s.Wrench, "wrench", "", "measured external force and moment on a link, in its own frame: LINK=FX,FY,FZ,TX,TY,TZ (channels); its torques are known unless --terms wrench:LINK asks for gains")
	fl.StringVar(&f.s.Contact, "contact", "", "a point of a link (its own frame) that slides without friction on a surface, by its normal in the base frame, or along a line, by two: "+project.ContactForm+"; CHANNEL is the measured force, known unless --terms contact:LINK asks for its gain, on:CHANNEL a flag of an unknown constant one, and none says that it acts all the time")
}

// apply writes the flags that were given over a project.
func (f *supplementFlags) apply(c *cobra.Command, to *project.Settings) error {
	given := func(name string) bool { g := c.Flags().Lookup(name); return g != nil && g.Changed }
	if err := project.MergeNumbers(&to.Known, f.known); err != nil {
		return fmt.Errorf("--known: %w", err)
	}
	if given("carries") {
		to.Carries = f.s.Carries
	}
	if given("wrench") {
		to.Wrench = f.s.Wrench
	}
	if given("contact") {
		to.Contact = f.s.Contact
	}
	return nil
}

// termList names the terms for the help of --terms.
func termList() string {
	var names []string
	for _, t := range regressor.Terms() {
		names = append(names, string(t.Term))
	}
	return strings.Join(names, ", ") + " (docs/models.md)"
}

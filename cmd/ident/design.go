package main

import "github.com/spf13/cobra"

func newDesign(s streams) *cobra.Command {
	return &cobra.Command{Use: "design-trajectory", RunE: func(*cobra.Command, []string) error { return nil }}
}

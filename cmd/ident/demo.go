package main

import "github.com/spf13/cobra"

func newDemo(s streams) *cobra.Command {
	return &cobra.Command{Use: "demo", RunE: func(*cobra.Command, []string) error { return nil }}
}

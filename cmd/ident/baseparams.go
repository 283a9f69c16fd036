package main

import "github.com/spf13/cobra"

func newBaseParams(s streams) *cobra.Command {
	return &cobra.Command{Use: "base-params", RunE: func(*cobra.Command, []string) error { return nil }}
}

package main

import "github.com/spf13/cobra"

func newSimulate(s streams) *cobra.Command {
	return &cobra.Command{Use: "simulate", RunE: func(*cobra.Command, []string) error { return nil }}
}

package main

import "github.com/spf13/cobra"

func newConvert(s streams) *cobra.Command {
	return &cobra.Command{Use: "convert", RunE: func(*cobra.Command, []string) error { return nil }}
}

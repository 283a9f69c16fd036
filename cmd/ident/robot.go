package main

import "github.com/spf13/cobra"

func newRobot(s streams) *cobra.Command {
	return &cobra.Command{Use: "robot", RunE: func(*cobra.Command, []string) error { return nil }}
}

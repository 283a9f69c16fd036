package main

import (
	"github.com/spf13/cobra"

	"ident/identify"
	"ident/identify/code"
)

// writeObserver runs ident codegen RESULT --model observer.
func writeObserver(c *cobra.Command, s streams, folder string, words *codegenFlags, ch identify.GenerateOptions, asJSON bool) error {
	opt := identify.WatchOptions{Quiet: words.quiet}
	var err error
	if opt.FalseAlarms, err = alarmRate(words.alarms); err != nil {
		return usagef("--false-alarms: %w", err)
	}
	for _, language := range ch.Languages {
		if language != "c" && language != "cpp" {
			return usagef("--lang: the model observer is written in c and cpp")
		}
	}
	var g *code.Generated
	if err := s.during("measuring the noise, making the observer", func() (err error) {
		g, err = identify.GenerateObserver(c.Context(), folder, ch.Name, ch.Languages, opt, s.inUse.seals)
		return err
	}); err != nil {
		return err
	}
	return finishCodegen(c, s, words.out, g, asJSON)
}

package main

import (
	"github.com/spf13/pflag"

	"ident/identify"
	"ident/identify/experiment"
	"ident/identify/folder"
	"ident/robot"
	"ident/simulate/plant"
)

// replayLaw is the controller that moved the robot of a log, as options give it.
type replayLaw struct {
	text, model string
	reference   []string
}

func (l *replayLaw) flags(fl *pflag.FlagSet) {
	fl.StringVar(&l.text, "controller", "", "control law of --replay, with its gains, rate= and delay=, as that of ident simulate")
	fl.StringVar(&l.model, "controller-model", "", "robot file or result that the law uses as its model (default: the result)")
	fl.StringSliceVar(&l.reference, "reference", nil, "channels of the commands, one a joint (default: those with a usual name)")
}

// options returns o with the law, if one is given.
func (l *replayLaw) options(o identify.ReplayOptions, seals folder.Seals) identify.ReplayOptions {
	if l.text == "" {
		return o
	}
	o.Text, o.Reference = l.text, l.reference
	o.Controller = func(r *robot.Robot, rate float64) (plant.Control, error) {
		c, err := experiment.Controlled(l.text, l.model, r, rate, seals)
		return c.Control, err
	}
	return o
}

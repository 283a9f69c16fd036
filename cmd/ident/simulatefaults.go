package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"ident/project"
	"ident/robot"
	"ident/simulate"
	"ident/simulate/sensors"
)

// faultNames and sensorNames are the lists of help.
func faultNames() string {
	var out []string
	for _, d := range sensors.List() {
		out = append(out, d.Name)
	}
	return wrapped(out)
}

func sensorNames() string {
	var out []string
	for _, p := range sensors.Presets() {
		out = append(out, p.Name)
	}
	return strings.Join(out, ", ")
}

// wrapped breaks a list into lines of a help text.
func wrapped(list []string) string {
	var b strings.Builder
	width := len("--faults adds what goes wrong in real logs")
	for i, s := range list {
		if i > 0 {
			b.WriteString(",")
			if width += len(s) + 2; width > 85 {
				b.WriteString("\n")
				width = len(s)
			} else {
				b.WriteString(" ")
			}
		}
		b.WriteString(s)
	}
	return b.String()
}

// takeSensors puts the faults of a class of arms before those given, and its rate where none is.
func (o *simulateOptions) takeSensors(c *cobra.Command) error {
	if o.sensors == "" {
		return nil
	}
	p, err := sensors.PresetOf(o.sensors)
	if err != nil {
		return usagef("--sensors: %v", err)
	}
	if !c.Flags().Changed("rate") {
		o.rate = p.Rate
	}
	if p.Faults != "" {
		o.faults = strings.Trim(p.Faults+","+o.faults, ",")
	}
	return nil
}

// stage makes the faults of an experiment; nil without any.
func (o *simulateOptions) stage(ctx context.Context, r *robot.Robot, motion simulate.Sampler, x *simulate.Simulation) (*sensors.Stage, error) {
	if o.faults == "" {
		return nil, nil
	}
	out := x.Outline()
	list, err := sensors.Parse(o.faults, out.Joints)
	if err != nil {
		return nil, usagef("--faults %s: %v", o.faults, err)
	}
	rms, err := project.TorqueRMS(ctx, r, motion, &out.Options)
	if err != nil {
		return nil, err
	}
	return sensors.NewStage(r, x, list, rms, out.Options.Seed)
}

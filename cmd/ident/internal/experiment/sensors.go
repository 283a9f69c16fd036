package experiment

import (
	"context"
	"strings"

	"ident/identify/project"
	"ident/robot"
	"ident/simulate"
	"ident/simulate/sensors"
)

// FaultNames lists the faults for a help text.
func FaultNames() string {
	var out []string
	for _, d := range sensors.List() {
		out = append(out, d.Name)
	}
	return wrapped(out)
}

// SensorNames lists the classes of arms.
func SensorNames() string {
	var out []string
	for _, p := range sensors.Presets() {
		out = append(out, p.Name)
	}
	return strings.Join(out, ", ")
}

// wrapped breaks a list into lines of a help text.
func wrapped(list []string) string {
	var b strings.Builder
	width := 0
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

// Sensors holds the options --sensors and --faults: a class of arms, and further faults.
type Sensors struct {
	Class, Faults string
}

// Take puts the faults of the class before those given, and returns its rate, Hz, 0 without a class.
func (o *Sensors) Take() (rate float64, err error) {
	if o.Class == "" {
		return 0, nil
	}
	p, err := sensors.PresetOf(o.Class)
	if err != nil {
		return 0, wrongf("--sensors: %v", err)
	}
	o.Faults = strings.Trim(p.Faults+","+o.Faults, ",")
	return p.Rate, nil
}

// Stage makes the faults of an experiment; nil without any.
func (o *Sensors) Stage(ctx context.Context, r *robot.Robot, motion simulate.Sampler, x *simulate.Simulation) (*sensors.Stage, error) {
	if o.Faults == "" {
		return nil, nil
	}
	out := x.Outline()
	list, err := sensors.Parse(o.Faults, out.Joints)
	if err != nil {
		return nil, wrongf("--faults %s: %v", o.Faults, err)
	}
	rms, err := project.TorqueRMS(ctx, r, motion, &out.Options)
	if err != nil {
		return nil, err
	}
	return sensors.NewStage(r, x, list, rms, out.Options.Seed)
}

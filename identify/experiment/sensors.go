package experiment

import (
	"context"
	"strings"

	"ident/identify/project"
	"ident/simulate"
	"ident/simulate/sensors"
)

// ofClass returns the rate of a class of arms, Hz, and its faults before others; without a class the rate is 0.
func ofClass(class, faults string) (rate float64, all string, err error) {
	if class == "" {
		return 0, faults, nil
	}
	p, err := sensors.PresetOf(class)
	if err != nil {
		return 0, "", project.NewOptionError("{sensors}: %v", err)
	}
	return p.Rate, strings.Trim(p.Faults+","+faults, ","), nil
}

// Stage makes the faults of a record; nil without any.
func (v *Virtual) Stage(ctx context.Context, x *simulate.Simulation) (*sensors.Stage, error) {
	faults := v.Run.Faults
	if faults == "" {
		return nil, nil
	}
	out := x.Outline()
	list, err := sensors.Parse(faults, out.Joints)
	if err != nil {
		return nil, project.NewOptionError("{faults} %s: %v", faults, err)
	}
	rms, err := project.TorqueRMS(ctx, v.Robot, v.Motion, &out.Options)
	if err != nil {
		return nil, err
	}
	return sensors.NewStage(v.Robot, x, list, rms, out.Options.Seed)
}

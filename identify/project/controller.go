package project

import (
	"errors"
	"slices"
	"strings"

	"ident/identify/regression"
	"ident/internal/rowlist"
	"ident/simulate/servo"
)

// Servo returns the project's controller for a robot with so many joints, or nil if the settings have none.
func Servo(s *Settings, joints int) (*regression.Servo, error) {
	if s.Controller == "" {
		if len(s.Reference) > 0 {
			return nil, wrong("reference", "", "{reference} goes with {controller}")
		}
		return nil, nil
	}
	if len(s.Reference) != joints {
		return nil, wrong("reference", "", "{reference} names %s for %s", rowlist.Plural(len(s.Reference), "channel"), rowlist.Plural(joints, "joint"))
	}
	if law, _, _ := strings.Cut(s.Controller, " "); !slices.Contains(servo.JointLaws(), law) {
		return nil, wrong("controller", s.Controller, "{controller} %q: it begins with %s, the laws that estimators simulate", s.Controller, strings.Join(servo.JointLaws(), " or "))
	}
	spec, err := servo.ParseSpec(s.Controller, joints)
	var bad *servo.SpecError
	switch {
	case errors.As(err, &bad):
		return nil, wrong("controller", s.Controller, "{controller} %q: %s", s.Controller, bad.Reason)
	case err != nil:
		return nil, err
	case spec.Rate != 0 || spec.Delay != 0:
		return nil, wrong("controller", s.Controller, "{controller} %q: estimators simulate a controller without sampling and delay: leave out rate and delay", s.Controller)
	}
	return &regression.Servo{Reference: s.Reference, Controller: spec.Controller()}, nil
}

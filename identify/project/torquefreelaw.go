package project

import (
	"slices"

	"ident/identify/outputerror"
	"ident/result"
	"ident/simulate/plant"
	"ident/simulate/servo"
)

// FoundLaw returns the controller of a result without torques, with the values that were found.
func FoundLaw(c *result.Commanded, joints int) (plant.Control, error) {
	spec, err := servo.ParseOpenSpec(c.Controller, joints)
	if err != nil {
		return plant.Control{}, err
	}
	law, _, _, err := outputerror.LawOf(spec, c.PeriodS)
	if err != nil {
		return plant.Control{}, err
	}
	law = law.WithValues(lawValues(estimateOfLaw(c)))
	return plant.Control{Law: servo.Controller{P: law.P, D: law.D, Forward: law.Forward}, Period: c.PeriodS, Delay: law.Delay, Limit: law.Limit}, nil
}

// lawValues returns the values of an estimate by their names.
func lawValues(e *outputerror.Estimate) func(name string) float64 {
	return func(name string) float64 { return e.X[slices.Index(e.Names, name)] }
}

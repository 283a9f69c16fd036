package torquefree

import (
	"slices"

	"ident/identify/outputerror"
	"ident/result"
	"ident/simulate/plant"
	"ident/simulate/servo"
)

// Law returns the controller of a result without torques, with the values that were found.
func Law(c *result.Commanded, joints int) (plant.Control, error) {
	spec, err := servo.ParseOpenSpec(c.Controller, joints)
	if err != nil {
		return plant.Control{}, err
	}
	law, _, _, err := outputerror.LawOf(spec, c.PeriodS)
	if err != nil {
		return plant.Control{}, err
	}
	law = law.WithValues(valuesOf(lawOf(c)))
	return plant.Control{Law: servo.Controller{P: law.P, D: law.D, Forward: law.Forward}, Period: c.PeriodS, Delay: law.Delay, Limit: law.Limit}, nil
}

// valuesOf returns the values of an estimate by their names.
func valuesOf(e *outputerror.Estimate) func(name string) float64 {
	return func(name string) float64 { return e.X[slices.Index(e.Names, name)] }
}

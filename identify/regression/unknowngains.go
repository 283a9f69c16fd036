package regression

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/hint"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// GainsOf returns the estimator of drive gains with errors in the currents. A model without unknown gains is an error.
func GainsOf(_ *robot.Robot, set *baseparams.Set) (estimate.Estimator, error) {
	g := gainsOf(set)
	if len(g.Columns) == 0 {
		return nil, hint.New("the model has no drive gain that is unknown: add gain to {terms}, or use another estimator")
	}
	return g, nil
}

// gainsOf returns the estimator of the gains in set.
func gainsOf(set *baseparams.Set) estimate.Gains {
	var g estimate.Gains
	for k, c := range set.Base {
		if set.Columns[c].Term == regressor.Gain {
			g.Columns = append(g.Columns, k)
		}
	}
	return g
}

// withGains returns the configuration with the default estimator for the terms, if none is set: with gains among the
// unknowns, least squares would make them too small.
func (c Config) withGains(terms []regressor.Term) Config {
	if c.Estimator == nil && c.Weighting == "" && slices.Contains(terms, regressor.Gain) {
		c.Estimator = func(_ *robot.Robot, set *baseparams.Set) (estimate.Estimator, error) {
			if g := gainsOf(set); len(g.Columns) > 0 {
				return g, nil
			}
			return estimate.Linear{Weighting: estimate.WLS}, nil
		}
	}
	return c
}

// unseenGains returns advice, as format and arguments, about the drive gains among the undetermined columns.
func unseenGains(set *baseparams.Set, columns []int) (format string, args []any) {
	for _, k := range columns {
		if c := set.Columns[set.Base[k]]; c.Term == regressor.Gain {
			format += " the known torque does not reach the drive of %s: give its gain ({known} %s=VALUE);"
			args = append(args, c.Owner, c.Name)
		}
	}
	return format, args
}

// exactMasses returns the exact known parameters if all known ones are masses of payloads, nil otherwise.
func exactMasses(known map[string]result.KnownValue) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if !payloadMass.MatchString(name) {
			return nil
		}
		if known[name].Sigma == 0 {
			names = append(names, name)
		}
	}
	return names
}

// payloadMass is the name of a payload's mass: of the only one, as PM6, or of one of several, as P2M6.
var payloadMass = regexp.MustCompile(`^P\d*M\d+$`)

// describeLoad writes the estimates of drive gains and payloads into the result; x holds the base parameters, which may
// be the nearest feasible ones.
func describeLoad(e *experiment, r *robot.Robot, out *Outcome, sol estimated, x []float64, rows *estimate.Reduction, known map[string]result.KnownValue) {
	at := *sol.Solution
	at.X = x
	attached := func(run int) bool { return e.runs[run].MayCarry() }
	out.Result.DescribeGains(out.Base, &at, rows, attached)
	out.Result.DescribePayloads(r, out.Base, &at, known)
	if exact := exactMasses(known); len(out.Result.Gains) > 0 && len(exact) > 0 {
		out.Result.Notes = append(out.Result.Notes, fmt.Sprintf("all gains are proportional to %s, which the standard deviations take as exact: a per cent of it is a per cent of every gain; if its standard deviation is known, state it: {known} %s=%v±DEVIATION",
			strings.Join(exact, " and "), exact[0], known[exact[0]].Value))
	}
	if len(out.Result.Gains) > 0 && sol.Linear == nil {
		out.Result.Warnings = append(out.Result.Warnings,
			"drive gains by "+sol.estimator+": errors of the motor currents, as columns of the regressor, make them too small; {estimator} gains does not")
	}
}

package regression

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ident/estimate"
	"ident/internal/hint"
	"ident/internal/spelling"
	"ident/observation"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// ModelOf returns the model of a robot's unknown parameters and, if some are known, the model of the known ones with
// their values. Their torques move to the measurement vector. A name without a column is an error.
func ModelOf(r *robot.Robot, terms []regressor.Term, known map[string]float64) (unknown, fixed *regressor.Model, values []float64, err error) {
	full, err := regressor.NewDynamic(r, terms)
	if err != nil || len(known) == 0 {
		return full, nil, nil, err
	}
	names := full.Names()
	var open, given []int
	for c, name := range names {
		if v, ok := known[name]; ok {
			given, values = append(given, c), append(values, v)
		} else {
			open = append(open, c)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if !slices.Contains(names, name) {
			near := slices.MinFunc(names, func(a, b string) int { return spelling.Distance(name, a) - spelling.Distance(name, b) })
			if slices.ContainsFunc(r.Links, func(l robot.Link) bool { return l.Name == name }) {
				return nil, nil, nil, hint.New("the model has no parameter %q whose value could be known: it is a link; {mass} %s=%v gives its mass", name, name, known[name])
			}
			return nil, nil, nil, fmt.Errorf("the model has no parameter %q to which a known value could be given; the nearest name is %q; the terms of the model are %s", name, near, termList(terms))
		}
	}
	if len(open) == 0 {
		return nil, nil, nil, errors.New("all parameters of the model are known: nothing is left to identify")
	}
	return full.Select(open), full.Select(given), values, nil
}

// given returns the known parameters with the changes of the estimate x by their deviations (Config.KnownSigma). Each
// change is the difference from an estimate with the value one deviation higher; by subtracts a correction from its rows.
func (d *reduced) given(ctx context.Context, r *robot.Robot, x []float64, by func(*estimate.Reduction) *estimate.Reduction) (map[string]result.KnownValue, error) {
	out := map[string]result.KnownValue{}
	for i, value := range d.known.Values {
		g := result.KnownValue{Value: value, Sigma: d.cfg.KnownSigma[d.known.Model.Columns()[i].Name]}
		if g.Sigma > 0 {
			e := *d.experiment
			e.known.Values = slices.Clone(e.known.Values)
			e.known.Values[i] += g.Sigma
			moved := reduced{experiment: &e, set: d.set}
			var err error
			if moved.rows, err = e.reduce(ctx); err != nil {
				return nil, err
			}
			moved.rows.sum = by(moved.weighed(moved.rows))
			sol, err := e.estimate(ctx, r, d.set, &moved)
			if err != nil {
				return nil, explain(err, d.set, e.cfg.Trim)
			}
			for k, v := range sol.X {
				g.Change = append(g.Change, v-x[k])
			}
		}
		out[d.known.Model.Columns()[i].Name] = g
	}
	return out, nil
}

// modelsOf is ModelOf in the types of the signal path.
func modelsOf(r *robot.Robot, terms []regressor.Term, values map[string]float64) (*regressor.Model, observation.Known, error) {
	unknown, fixed, given, err := ModelOf(r, terms, values)
	return unknown, observation.Known{Model: fixed, Values: given}, err
}

func termList(terms []regressor.Term) string {
	var s []string
	for _, t := range terms {
		s = append(s, string(t))
	}
	return strings.Join(s, ", ")
}

// NeedError says which signal a term needs and a log lacks. Remedy contains settings as {key}.
type NeedError struct {
	Log, What, Remedy string
}

func (e *NeedError) Error() string { return e.Naming(hint.Key).Error() }

// Naming returns the error as text with name(key) in place of each setting {key}.
func (e *NeedError) Naming(name func(key string) string) error {
	return fmt.Errorf("%s: %s; %s", e.Log, e.What, hint.Name(e.Remedy, name))
}

// checkNeeds returns an error if a run lacks a signal that the model's terms need. The first training runs are fitted.
func checkNeeds(kind Kind, p *parametrization, runs []Run, training int) error {
	need, unknown := p.needs(), p.model.Needs()
	attached := 0
	for i := range runs {
		run := &runs[i]
		switch {
		case need&regressor.NeedWrench != 0 && run.Wrench[0] == "":
			return &NeedError{run.Name, "a measured wrench is part of the model, and the log has none", "name its six channels with {wrench} LINK=FX,FY,FZ,TX,TY,TZ, or leave out the term wrench"}
		case need&regressor.NeedTemperature != 0 && (run.Temperature == nil || slices.Contains(run.Temperature, "")):
			return &NeedError{run.Name, "friction of a measured temperature is part of the model, and the log has none for some joints", "map them with {map} temp1=CHANNEL, or leave out the term Ft"}
		case need&(regressor.NeedHeat|regressor.NeedPresliding) != 0 && !run.States.Any():
			return &NeedError{run.Name, "terms of the model have states that the run does not name", "give the run the states that regressor.StatesOf returns"}
		case unknown&regressor.NeedCurrent != 0 && !run.UnknownGains:
			return &NeedError{run.Name, "drive gains are unknowns of the model, and the log has no motor currents for some joints", "map them with {map} i1=CHANNEL, or leave out the term gain"}
		}
		if i < training && run.Carries != nil {
			attached++
		}
	}
	if both := regressor.NeedCurrent | regressor.NeedLoad; unknown&both == both {
		return &NeedError{runs[0].Name, "friction that grows with the load (Fl) needs the torque, which is unknown as long as drive gains are estimated", "leave out the term Fl or the term gain"}
	}
	if unknown&regressor.NeedCurrent != 0 && kind.OfEnergy() {
		return &NeedError{runs[0].Name, fmt.Sprintf("the rows of the %s model add up what the currents of all joints do, so the errors of each cannot be told apart", kind),
			"estimate drive gains by {model} dynamic, filtered or momentum"}
	}
	if training == 0 {
		return nil
	}
	if unknown&regressor.NeedPayload != 0 {
		links := slices.ContainsFunc(p.model.Columns(), func(c regressor.Column) bool { return c.Term == regressor.Links })
		if slices.ContainsFunc(runs[:training], func(r Run) bool { return r.Payload.Channel != "" }) {
			return nil // its rows say so: checkPayload
		}
		if attached == 0 || attached == training && links {
			return &NeedError{runs[0].Name, fmt.Sprintf("%d of %d training logs carry the payload, so it cannot be told from the link", attached, training),
				"fit logs with and without it together, and name those with it by {carries} LOG"}
		}
	}
	if unknown&regressor.NeedCurrent != 0 && p.known.Model == nil {
		return &NeedError{runs[0].Name, "with drive gains as unknowns and no known torque, all parameters could be multiplied by any number",
			"say what is known, as the mass of a weighed payload: {terms} …,payload:LINK {carries} LOG {known} PM7=3.2"}
	}
	return nil
}

// checkPayload refuses training runs if their flags never attach the payload, or, with unknown links, always do.
func checkPayload(e *experiment) error {
	flagged, on, off := -1, 0, 0
	seen := map[int]bool{}
	for i := range e.runs[:e.training] {
		if e.runs[i].Payload.Channel != "" {
			flagged = i
		}
		for _, s := range e.segments[i] {
			if load := e.runs[i].Carries; s.Attached || !s.Flagged && load != nil {
				on++
				if load != nil {
					s.Payload = load.Number
				}
				seen[s.Payload] = true
			} else {
				off++
			}
		}
	}
	if e.model.Needs()&regressor.NeedPayload == 0 {
		return nil
	}
	for _, n := range regressor.PayloadNumbers(e.model.Columns()) {
		if !seen[n] {
			return &NeedError{e.runs[max(flagged, 0)].Name, fmt.Sprintf("payload %d of the model is in no training row", n),
				"name the logs that carry it with {carries} LOG=" + strconv.Itoa(n) + " or the channel that has its number with {payload-flag}, or leave out its term"}
		}
	}
	if flagged < 0 {
		return nil
	}
	links := slices.ContainsFunc(e.model.Columns(), func(c regressor.Column) bool { return c.Term == regressor.Links })
	if on > 0 && (off > 0 || !links) {
		return nil
	}
	how := "never"
	if on > 0 {
		how = "always"
	}
	run := &e.runs[flagged]
	return &NeedError{run.Name, fmt.Sprintf("by the channel %s the payload is %s on in the training rows, so it cannot be told from the link", run.Payload.Channel, how),
		"fit rows with and without it together, or name another channel"}
}

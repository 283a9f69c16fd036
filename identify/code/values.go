package code

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/identify/elastic"
	"ident/identify/project"
	"ident/regressor"
	"ident/robot"
)

// numericBaseSet finds the base parameters of a robot with numeric geometry.
func numericBaseSet(ctx context.Context, r *robot.Robot, terms []regressor.Term, seed uint64) (*baseparams.Set, error) {
	set, err := baseparams.NullSpace(r, terms, baseparams.Options{Seed: seed})
	var unfit *baseparams.NotApplicableError
	if !errors.As(err, &unfit) {
		return set, err
	}
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	return baseparams.QRContext(ctx, m, baseparams.Options{Seed: seed})
}

// identified reports whether the path of a robot stands for the identified robot of a result.
func identified(path string) bool {
	return project.IsResult(path) || filepath.Base(path) == elastic.RobotFile && elastic.IsResult(filepath.Dir(path))
}

// driveTerms returns the terms, beside the bodies, of which a joint of a robot has a value.
func driveTerms(r *robot.Robot) []regressor.Term {
	var out []regressor.Term
	for _, c := range []struct {
		term regressor.Term
		of   func(*robot.Joint) float64
	}{
		{regressor.Ia, func(j *robot.Joint) float64 { return j.Ia }}, {regressor.Fv, func(j *robot.Joint) float64 { return j.Fv }},
		{regressor.Fs, func(j *robot.Joint) float64 { return j.Fs }}, {regressor.Fo, func(j *robot.Joint) float64 { return j.Fo }},
	} {
		if slices.ContainsFunc(r.Links, func(l robot.Link) bool { return c.of(&l.Joint) != 0 }) {
			out = append(out, c.term)
		}
	}
	return out
}

// noteLeftOut says which terms of the robot's drives its models leave out although the robot has values of them.
func (j *job) noteLeftOut(drives []regressor.Term) {
	all, out := []string{string(regressor.Links)}, []string(nil)
	for _, t := range drives {
		all = append(all, string(t))
		if !slices.Contains(j.terms, t) {
			out = append(out, string(t))
		}
	}
	if len(out) > 0 {
		j.note(fmt.Sprintf("the torques are those without %s, of which the robot has values: %s %s takes them in", strings.Join(out, ", "), j.project.Called("terms"), strings.Join(all, ",")))
	}
}

// bakedValues adds the robot file's values of a program's parameters.
func bakedValues(values map[string]float64, r *robot.Robot, terms []regressor.Term, set *baseparams.Set) error {
	var without []string
	for _, l := range r.Links {
		// A frame fixed to a link, without a mass of its own, has none.
		if !l.HasInertial && !l.Massless && l.Joint.Kind != robot.Fixed && !slices.Contains(without, l.Name) {
			without = append(without, l.Name)
		}
	}
	if len(without) > 0 && slices.Contains(terms, regressor.Links) {
		return project.NewOptionError("{bake}: the robot file gives no inertial parameters for %s; add them to the file, or leave out {bake} and pass them as arguments", strings.Join(without, ", "))
	}
	for symbol := range r.Symbols {
		if slices.Contains(r.Unset, symbol) {
			return project.NewOptionError("{bake}: geometry symbol %s has no value; give it with {set} %[1]s=VALUE", symbol)
		}
	}
	bound, err := r, error(nil)
	if len(r.Unset) > 0 {
		// The columns' names do not depend on the geometry.
		some := map[string]float64{}
		for _, symbol := range r.Unset {
			some[symbol] = 1
		}
		if bound, err = r.Bind(some); err != nil {
			return err
		}
	}
	m, err := regressor.NewDynamic(bound, terms)
	if err != nil {
		return err
	}
	chi := make([]float64, len(m.Columns()))
	for i, c := range m.Columns() {
		// A drive's parameter that the file does not mention is none, as in a URDF.
		chi[i], _ = regressor.ValueOf(r, c)
	}
	if set == nil {
		for i, c := range m.Columns() {
			values[c.Name] = chi[i]
		}
		return nil
	}
	for k, v := range set.FromStandard(chi) {
		values[set.Name(k)] = v
	}
	return nil
}

// springValues adds the stiffness and damping of the robot file, which the base parameters keep as they are.
func springValues(values map[string]float64, m *elastic.Machine, set *baseparams.Set, terms []regressor.Term) error {
	if m == nil {
		return nil
	}
	model, err := regressor.NewDynamic(m.Extended, terms)
	if err != nil {
		return err
	}
	for _, c := range model.Columns() {
		if c.Drive == 0 {
			continue
		}
		v, known := m.ValueOf(c)
		if !known && c.Param == 0 && c.Term == regressor.Elastic {
			return project.NewOptionError("{bake}: %s of %s has no value; give stiffness in the robot file, or leave out {bake} and pass it as an argument", c.Name, c.Owner)
		}
		if _, there := values[c.Name]; there || set == nil {
			values[c.Name] = v
		}
	}
	return nil
}

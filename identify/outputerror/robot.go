package outputerror

import (
	"errors"
	"fmt"

	"ident/baseparams"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
	"ident/simulate/plant"
)

// Subject is a robot whose base parameters are sought, beside parameters that are known.
type Subject struct {
	Robot *robot.Robot     // the robot with its file's values
	Set   *baseparams.Set  // base parameters of the model of the unknown ones
	Model *regressor.Model // model whose columns are the base parameters
	Known *regressor.Model // model of the known parameters; nil if there are none
	Given []float64        // their values
}

// NewSubject returns the model of a tree with the given terms. Parameters with a value in known, by name, are held.
func NewSubject(r *robot.Robot, terms []regressor.Term, known map[string]float64, opt baseparams.Options) (*Subject, error) {
	full, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	s := &Subject{Robot: r}
	var open, held []int
	for i, c := range full.Columns() {
		if v, ok := known[c.Name]; ok {
			held, s.Given = append(held, i), append(s.Given, v)
		} else {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return nil, errors.New("all parameters of the model are known: nothing is left to identify")
	}
	if len(held) > 0 {
		s.Known = full.Select(held).Compiled()
		full = full.Select(open)
	}
	s.Set = baseparams.QR(full, opt)
	s.Model = full.Select(s.Set.Base).Compiled()
	return s, nil
}

// file returns the robot file's base parameters.
func (s *Subject) file() []float64 {
	return s.Set.FromStandard(s.standard())
}

func (s *Subject) standard() []float64 {
	chi := make([]float64, len(s.Set.Columns))
	for i, c := range s.Set.Columns {
		chi[i], _ = regressor.ValueOf(s.Robot, c)
	}
	return chi
}

// body is a robot with numbers for its base parameters.
type body struct {
	plant    *plant.Plant
	tree     *dynamics.Tree
	friction []friction
}

// body returns the robot with base parameters x. Friction that would generate power is set to zero.
func (s *Subject) body(x []float64) (*body, error) {
	if s.Robot.Closed() {
		return nil, fmt.Errorf("outputerror: robot %q has closed loops: its motion is simulated on trees", s.Robot.Name)
	}
	r := s.Robot.Clone()
	chi := s.Set.Lift(x, s.standard())
	for i := range r.Links {
		// The terms of the model are all that the robot has.
		j := &r.Links[i].Joint
		j.Ia, j.Fv, j.Fs, j.Fo = 0, 0, 0, 0
	}
	put := func(columns []regressor.Column, values []float64) {
		for i, c := range columns {
			l := &r.Links[c.Link]
			switch c.Term {
			case regressor.Links:
				l.Inertial[c.Param], l.HasInertial = values[i], true
			case regressor.Ia:
				l.Joint.Ia = values[i]
			case regressor.Fv:
				l.Joint.Fv = max(values[i], 0)
			case regressor.Fs:
				l.Joint.Fs = max(values[i], 0)
			case regressor.Fo:
				l.Joint.Fo = values[i]
			}
		}
	}
	put(s.Set.Columns, chi)
	if s.Known != nil {
		put(s.Known.Columns(), s.Given)
	}
	b := &body{}
	var err error
	if b.plant, err = plant.New(r, plant.Options{}); err != nil {
		return nil, err
	}
	if b.tree, err = dynamics.New(r); err != nil {
		return nil, err
	}
	for _, l := range b.tree.Coordinates() {
		j := &r.Links[l].Joint
		b.friction = append(b.friction, friction{coulomb: j.Fs, viscous: j.Fv, offset: j.Fo})
	}
	return b, nil
}

package outputerror

import (
	"fmt"

	"ident/baseparams"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
	"ident/simulate/plant"
)

// Subject is a robot whose base parameters are sought.
type Subject struct {
	Robot *robot.Robot     // the robot with its file's values
	Set   *baseparams.Set  // base parameters of the robot's model
	Model *regressor.Model // model whose columns are the base parameters
}

// NewSubject returns the model of a tree with the given terms.
func NewSubject(r *robot.Robot, terms []regressor.Term, opt baseparams.Options) (*Subject, error) {
	full, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	set := baseparams.QR(full, opt)
	return &Subject{Robot: r, Set: set, Model: full.Select(set.Base).Compiled()}, nil
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
	for i, c := range s.Set.Columns {
		l := &r.Links[c.Link]
		switch c.Term {
		case regressor.Links:
			l.Inertial[c.Param], l.HasInertial = chi[i], true
		case regressor.Ia:
			l.Joint.Ia = chi[i]
		case regressor.Fv:
			l.Joint.Fv = max(chi[i], 0)
		case regressor.Fs:
			l.Joint.Fs = max(chi[i], 0)
		case regressor.Fo:
			l.Joint.Fo = chi[i]
		}
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

package elastic

import (
	"context"

	"ident/regressor"
	"ident/robot"
)

// Modes returns the natural frequencies of the identified machine at link positions q.
func (f *Fit) Modes(q []float64) (Modes, error) {
	return f.Machine.modes(f.Machine.vibration(f.Model, f.Values()), q)
}

// Robot returns the robot with the identified parameters: each base parameter replaces the standard parameter that it
// keeps, the others stay as in the file. A stiffness, a damping or a hysteresis below zero, which no robot file may
// have, is 0, that is unknown; Parameters has its value.
func (f *Fit) Robot() *robot.Robot {
	r := f.withValues(f.Values())
	for _, s := range f.Machine.Springs {
		e := &r.Links[s.Link].Joint.Elasticity
		e.Stiffness, e.Damping, e.Hysteresis = max(e.Stiffness, 0), max(e.Damping, 0), max(e.Hysteresis, 0)
	}
	return r
}

// withValues returns the robot with the given base parameters.
func (f *Fit) withValues(x []float64) *robot.Robot {
	m := f.Machine
	r := m.Robot.Clone()
	chi := f.Base.Lift(x, m.standard(f.Base.Columns))
	for _, s := range m.Springs { // those of the file are among the columns, or not shown
		e := &r.Links[s.Link].Joint.Elasticity
		e.Cubic, e.Hysteresis = 0, 0
	}
	for i, c := range f.Base.Columns {
		j := &r.Links[m.number[c.Link]].Joint
		switch c.Term {
		case regressor.Links:
			l := &r.Links[c.Link]
			l.Inertial[c.Param], l.HasInertial = chi[i], true
		case regressor.Ia:
			j.Ia = chi[i]
		case regressor.Fv:
			j.Fv = chi[i]
		case regressor.Fs:
			j.Fs = chi[i]
		case regressor.Fo:
			j.Fo = chi[i]
		case regressor.Cubic:
			j.Elasticity.Cubic = chi[i]
		case regressor.WindUp:
			j.Elasticity.Hysteresis = chi[i]
		case regressor.Elastic:
			switch {
			case c.Param == 0:
				j.Elasticity.Stiffness = chi[i]
			default:
				j.Elasticity.Damping = chi[i]
			}
		}
	}
	for j := range r.Links {
		r.Links[j].Own = r.Links[j].Inertial
	}
	r.Lumped = nil
	return r
}

// describedFreedom is the number of degrees of freedom for numbers without uncertainty: any value that gives an
// interval of ±2σ with σ = 0.
const describedFreedom = 1e6

// Described returns the machine as its robot file describes it, without standard deviations.
func (m *Machine) Described(ctx context.Context) (*Fit, error) {
	if err := m.complete("its natural frequencies"); err != nil {
		return nil, err
	}
	model, set, err := m.Base(ctx, Terms{}.withFile(m.Springs))
	if err != nil {
		return nil, err
	}
	f := &Fit{Machine: m, Model: model.Select(set.Base), Base: set, Covariance: grid(set.Count(), set.Count())}
	for k, v := range set.FromStandard(m.standard(set.Columns)) {
		f.Parameters = append(f.Parameters, Parameter{Name: set.Name(k), Value: v, Freedom: describedFreedom})
	}
	return f, nil
}

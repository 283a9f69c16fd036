package elastic

import (
	"ident/regressor"
	"ident/robot"
)

// Modes are the natural frequencies of the identified machine at link positions q.
func (f *Fit) Modes(q []float64) (Modes, error) {
	return f.Machine.modes(f.Machine.vibration(f.Model, f.Values()), q)
}

// Robot is the robot as described with the identified parameters: each base parameter in the place of the
// standard one that it keeps, the others as the file has them.
func (f *Fit) Robot() *robot.Robot { return f.withValues(f.Values()) }

// withValues is the robot with base parameters.
func (f *Fit) withValues(x []float64) *robot.Robot {
	m := f.Machine
	r := m.Robot.Clone()
	chi := f.Base.Lift(x, m.standard(f.Base.Columns))
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
			if c.Param == 0 {
				j.Elasticity.Stiffness = chi[i]
			} else {
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

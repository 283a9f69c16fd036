package experiment

import (
	"errors"
	"os"

	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/rowlist"
	"ident/robot"
	"ident/robot/format"
	"ident/simulate"
	"ident/simulate/plant"
	"ident/simulate/servo"
)

// Controlled reads the controller of a virtual experiment and builds its law. A law with model torques takes its model
// from the named robot file or result, otherwise from the robot itself. rate is the sampling rate of the record in Hz,
// and that of a controller without its own.
func Controlled(text, model string, r *robot.Robot, rate float64, seals folder.Seals) (simulate.Controlled, error) {
	c := simulate.Controlled{Text: text}
	if model != "" {
		c.Text += ", model " + model
	}
	refused := func(reason string) error { return project.NewOptionError("{controller} %q: %s", text, reason) }
	joints := len(r.Independent())
	spec, err := servo.ParseSpec(text, joints)
	var bad *servo.SpecError
	if errors.As(err, &bad) {
		return c, refused(bad.Reason)
	}
	if err != nil {
		return c, err
	}
	var law servo.Model
	switch {
	case spec.NeedsModel():
		from := r
		if model != "" {
			if from, err = openModel(model, seals); err != nil {
				return c, err
			}
		}
		m, err := plant.NewModel(from)
		if err != nil {
			return c, err
		}
		if m.Joints() != joints {
			return c, project.NewOptionError("{controller-model}: %s has %s, the robot %d: a controller's model is of the same robot", model, rowlist.Plural(m.Joints(), "joint"), joints)
		}
		law = m
	case model != "":
		return c, refused("it has no torques of a model; add +gravity or +feedforward to the law, or take computed")
	}
	if c.Law, err = spec.Build(law); err != nil {
		return c, refused(err.Error())
	}
	if spec.Rate == 0 {
		spec.Rate = rate
	}
	c.Period, c.Delay, c.Limit = 1/spec.Rate, spec.Delay, spec.Gains["limit"]
	return c, nil
}

// openModel reads the robot of a file, or the identified one of a result's folder.
func openModel(path string, seals folder.Seals) (*robot.Robot, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		f, err := project.OpenFitted(path, seals)
		if err != nil {
			return nil, err
		}
		return f.Identified().Robot, nil
	}
	r, err := format.Open(path, robot.ReadOptions{})
	if err != nil {
		return nil, err
	}
	return r, project.RequireNumeric(r)
}

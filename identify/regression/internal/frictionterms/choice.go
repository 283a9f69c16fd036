package frictionterms

import (
	"slices"

	"ident/regressor"
)

// Choice is a set of friction terms, given by its difference from the terms of the model.
type Choice struct {
	Name                 string
	Asymmetric, Stribeck bool
	NoViscous            bool             // the model's Fv is left out
	Further              []regressor.Term // of those offered by name
}

// Titled returns the choice with its name, the list of its terms.
func (c Choice) Titled(model []regressor.Term) Choice {
	c.Name = ""
	for _, t := range c.Terms(model) {
		if c.Name != "" {
			c.Name += ","
		}
		c.Name += string(t)
	}
	return c
}

// Terms returns the terms of the choice, given the terms of the model.
func (c Choice) Terms(model []regressor.Term) []regressor.Term {
	var out []regressor.Term
	for _, t := range model {
		if !c.NoViscous || t.Name() != regressor.Fv {
			out = append(out, t)
		}
	}
	if c.Asymmetric {
		out = append(out, regressor.Asymmetric)
	}
	if c.Stribeck {
		out = append(out, regressor.Stribeck)
	}
	return append(out, c.Further...)
}

// Same reports whether the choice equals the terms of the model.
func (c Choice) Same() bool {
	return !c.Asymmetric && !c.Stribeck && !c.NoViscous && len(c.Further) == 0
}

// With returns the choice with a further term.
func (c Choice) With(model []regressor.Term, t regressor.Term) Choice {
	c.Further = append(slices.Clip(c.Further), t)
	return c.Titled(model)
}

// Without returns the choices with one added term less.
func (c Choice) Without(model []regressor.Term) (out []Choice) {
	less := c
	if less.Asymmetric = false; c.Asymmetric {
		out = append(out, less.Titled(model))
	}
	less = c
	if less.Stribeck = false; c.Stribeck {
		out = append(out, less.Titled(model))
	}
	for i := range c.Further {
		less = c
		less.Further = slices.Delete(slices.Clone(c.Further), i, i+1)
		out = append(out, less.Titled(model))
	}
	return out
}

// Offerable returns the terms that can be offered by name: laws of a joint's own motion, of the time and of its
// temperature.
func Offerable() []regressor.Term {
	return regressor.TermsWith(func(t regressor.Traits) bool { return t.Offered })
}

func named(name regressor.Term) func(regressor.Term) bool {
	return func(t regressor.Term) bool { return t.Name() == name }
}

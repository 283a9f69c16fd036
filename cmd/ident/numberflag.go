package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"
)

// numberFlag is an option with a number between limits, inclusive; NaN and infinities are refused.
type numberFlag[T int | float64] struct {
	to       *T
	min, max T
	unit     string
}

// addNumber adds the option of a number, with its unit ("" for none), its default and its limits.
func addNumber[T int | float64](fl *pflag.FlagSet, to *T, name, unit string, def, min, max T, help string) {
	*to = def
	fl.Var(&numberFlag[T]{to, min, max, unit}, name, help)
}

// bounded is the value of an option with limits, both included, and a unit.
type bounded interface {
	pflag.Value
	bounds() (min, max float64)
	unitText() string
}

// bounds returns the limits, both included, for the schema of the options.
func (f *numberFlag[T]) bounds() (min, max float64) { return float64(f.min), float64(f.max) }

// unitText returns the unit, "" for none.
func (f *numberFlag[T]) unitText() string { return f.unit }

// String returns the value as the help prints it; it must take the zero value, which pflag makes.
func (f *numberFlag[T]) String() string {
	if f.to == nil {
		return ""
	}
	return fmt.Sprint(*f.to)
}

// Type returns the type of the number, for the help.
func (f *numberFlag[T]) Type() string { return fmt.Sprintf("%T", f.min) }

// Set takes a number within the limits; otherwise the error says which they are.
func (f *numberFlag[T]) Set(text string) error {
	var v T
	var err error
	switch to := any(&v).(type) {
	case *int:
		*to, err = strconv.Atoi(text)
	case *float64:
		*to, err = strconv.ParseFloat(text, 64)
	}
	if err != nil || math.IsNaN(float64(v)) {
		return fmt.Errorf("%q is not a number", text)
	}
	if !(v >= f.min && v <= f.max) {
		return fmt.Errorf("%s does not lie between %v and %v", text, f.min, f.max)
	}
	*f.to = v
	return nil
}

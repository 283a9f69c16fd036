// Package numberflag adds options that are numbers between limits.
package numberflag

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"
)

// numberFlag is an option that holds a number between limits, both included. NaN and infinities lie between
// none.
type numberFlag[T int | float64] struct {
	to          *T
	least, most T
}

// Add adds the option of a number, with its default.
func Add[T int | float64](fl *pflag.FlagSet, to *T, name string, def, least, most T, help string) {
	*to = def
	fl.Var(&numberFlag[T]{to, least, most}, name, help)
}

func (f *numberFlag[T]) String() string {
	if f.to == nil {
		return ""
	}
	return fmt.Sprint(*f.to)
}

func (f *numberFlag[T]) Type() string { return fmt.Sprintf("%T", f.least) }

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
	if !(v >= f.least && v <= f.most) {
		return fmt.Errorf("%s does not lie between %v and %v", text, f.least, f.most)
	}
	*f.to = v
	return nil
}

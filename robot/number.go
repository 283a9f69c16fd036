package robot

import (
	"fmt"
	"math"

	"ident/robot/internal/expression"
)

// ParseNumber reads a number or a constant expression such as Pi/2.
func ParseNumber(text string) (float64, error) {
	e, err := expression.Parse(text)
	if err != nil {
		return 0, err
	}
	used := map[string]bool{}
	if e.Symbols(used); len(used) > 0 {
		return 0, fmt.Errorf("%q is not a number; symbols may stand under mdh only", text)
	}
	v := e.Eval(nil) + 0
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not finite", text)
	}
	return v, nil
}

package baseparams

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"ident/mechanics/loops"
	"ident/robot"
)

// Generic gives values to the symbols of a robot's geometry that have none: distinct numbers between 0.3 and 0.9 (m or
// rad) without coincidences, so that the minimal set is that of the structure. It returns the robot with these values,
// and the values, nil if nothing was missing. The alphabetical order of the symbols and seed determine the values. For
// closed loops it draws until they close.
func Generic(r *robot.Robot, seed uint64) (*robot.Robot, map[string]float64, error) {
	if len(r.Unset) == 0 {
		return r, nil, nil
	}
	rng := rand.New(rand.NewPCG(seed, 0x5e7))
	if !r.Closed() {
		return draw(r, rng)
	}
	var last error
	for range closingDraws {
		bound, drawn, err := draw(r, rng)
		if err != nil {
			return nil, nil, err
		}
		c, err := loops.NewClosure(bound)
		if err != nil {
			return nil, nil, err
		}
		if _, last = c.Assemble(rng); last == nil {
			return bound, drawn, nil
		}
	}
	return nil, nil, fmt.Errorf("the loops cannot be closed for any of %d random values of %s; give their values: %w", closingDraws, strings.Join(r.Unset, ", "), last)
}

// closingDraws is the largest number of draws for a closed robot's symbols.
const closingDraws = 50

// draw gives values to the unset symbols once.
func draw(r *robot.Robot, rng *rand.Rand) (*robot.Robot, map[string]float64, error) {
	n := len(r.Unset)
	drawn := make(map[string]float64, n)
	// One value in the middle half of each cell of the interval keeps any two apart.
	for i, cell := range rng.Perm(n) {
		drawn[r.Unset[i]] = 0.3 + 0.6*(float64(cell)+0.25+0.5*rng.Float64())/float64(n)
	}
	bound, err := r.Bind(drawn)
	return bound, drawn, err
}

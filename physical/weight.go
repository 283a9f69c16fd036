package physical

import (
	"ident/baseparams"
	"ident/estimate"
	"ident/physical/internal/conic"
	"ident/robot"
)

// Nearest returns only the base parameters of Consistent, as accurately as errors on rows left out can show.
func Nearest(s *estimate.Solution, rb *robot.Robot, set *baseparams.Set, opt Options) ([]float64, error) {
	c, opt, err := newProgram(s, rb, set, opt)
	if err != nil {
		return nil, err
	}
	h := conic.NewSolver(&c.Program)
	if _, _, err := h.Minimise(1e-5); err != nil {
		return nil, err
	}
	if opt.Distance == Geodesic {
		if _, _, err := c.geodesic(h, 1e-5); err != nil {
			return nil, err
		}
	}
	return c.set.FromStandard(c.standard(h.Z)), nil
}

// weigh sets the weight of the prior; blocks that its source does not give get at most NominalWeight.
func (c *program) weigh(weight float64) {
	for k := range c.Blocks {
		b := &c.Blocks[k]
		b.Weight = weight
		if !b.PriorKnown {
			b.Weight = min(weight, NominalWeight)
		}
	}
}

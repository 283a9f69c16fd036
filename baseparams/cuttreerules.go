package baseparams

import (
	"ident/regressor"
	"ident/robot"
)

// cutTree applies the rules to the tree with the robot's loops cut. A relation that holds for every motion of the tree
// holds for those that keep the loops closed, so nothing identifiable is lost. Relations due to the closure alone
// (between the bars of a parallelogram) are missed, and the set is then larger than that of QRLoops; Compare lists them.
func cutTree(r *robot.Robot, terms []regressor.Term, opt Options) (*Set, error) {
	s, err := Symbolic(r.Cut(), terms, opt)
	if err != nil {
		return nil, err
	}
	var passive []int
	for i, c := range s.Columns {
		if undriven(r, c) {
			passive = append(passive, i)
		}
	}
	if len(passive) > 0 {
		s = s.Without(passive)
	}
	s.Warnings = append(s.Warnings, "the symbolic rules see the tree that is left when the loops are cut; what only the closure regroups is added by QR")
	return s, nil
}

// undriven reports whether a column belongs to a drive that a passive joint lacks.
func undriven(r *robot.Robot, c regressor.Column) bool {
	driven := c.Term == regressor.Ia || c.Term == regressor.Fo
	return driven && c.Drive == 0 && r.Links[c.Link].Joint.Passive && !r.Links[c.Link].Joint.Redundant
}

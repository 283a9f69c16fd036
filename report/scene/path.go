package scene

import (
	"fmt"

	"ident/internal/spatial"
	"ident/mechanics/dynamics"
)

// Tip returns the end of the last link: of its shape or of its body, in its frame.
func (s *Scene) Tip() (link int, at [3]float64) {
	link = len(s.Links) - 1
	for _, end := range ends(s.robot, link) {
		if spatial.Norm(end) > spatial.Norm(at) {
			at = end
		}
	}
	return link, at
}

// Trace draws the path of a point of a link along a motion, in at most 600 steps.
func (s *Scene) Trace(link int, at [3]float64, r Run) error {
	if link < 0 || link >= len(s.Links) {
		return fmt.Errorf("scene: no link %d to trace", link+1)
	}
	tree, err := dynamics.New(s.robot.Cut())
	if err != nil {
		return fmt.Errorf("scene: %w", err)
	}
	frames := framesOf(r.T, 600, 0)
	columns, _ := s.follow(r.Q, frames)
	q := make([]float64, len(columns))
	s.Path = nil
	for i := range frames {
		for c := range columns {
			q[c] = columns[c][i]
		}
		s.Path = append(s.Path, roundAll(tree.Poses(q)[link].Apply(at)))
	}
	return nil
}

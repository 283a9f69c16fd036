package report

import (
	"fmt"

	"ident/result"
	"ident/scene"
)

// drawRobot adds the robot of the options to the page, with the motion of the runs that have samples.
func (p *page) drawRobot(runs []result.ResidualRun, opt Options) error {
	if opt.Scene == nil {
		return nil
	}
	s := *opt.Scene
	var motions []scene.Run
	for _, l := range lanes(runs) {
		if l.run.Position == nil {
			motions = nil
			break
		}
		motions = append(motions, scene.Run{Name: clean(l.run.Log), T: l.run.T, Q: l.run.Position})
	}
	if err := s.Play(motions); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	var err error
	if p.Figure3D, err = s.Figure(); err != nil {
		return err
	}
	p.Scene = &s
	return nil
}

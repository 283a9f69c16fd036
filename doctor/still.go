package doctor

import "ident/robot"

// A joint whose range in the log is below these has not moved: what it shows is servo error, flexing
// and noise.
const (
	stillAngle  = 0.02 // rad
	stillLength = 2e-3 // m
)

// turns says whether a joint is revolute.
func (p *patient) turns(j int) bool {
	return p.robot.Links[p.joints[j].link].Joint.Kind == robot.Revolute
}

// isStill says that a joint did not move in the log.
func (p *patient) isStill(j joint) bool {
	if j.q == nil {
		return true
	}
	limit := stillLength
	if p.robot.Links[j.link].Joint.Kind == robot.Revolute {
		limit = stillAngle
	}
	return j.q.stats.span() < limit
}

package doctor

import (
	"fmt"

	"ident/internal/hint"
)

// checkMissing reports joints that lack a channel that a fit needs.
func checkMissing(s *setup) (found findings) {
	for _, j := range s.joints {
		f := Finding{ID: Dead, Severity: Warning, Joint: j.name, Where: "the whole log"}
		at, said := s.opt.Lock[j.name]
		switch {
		case j.given && j.q != nil:
			continue
		case j.q == nil && j.effort == nil:
			if said {
				continue
			}
			f.Why = fmt.Sprintf("the log has no channel of joint %s: the joint is taken as locked at %g", j.name, at)
			f.Fix = fmt.Sprintf("use {lock} %s=VALUE to say where it stood, or {map} to name its channels if it has others", hint.Word(j.name))
		case j.q == nil:
			f.Severity, f.Channel = Error, j.effort.name
			f.Why = fmt.Sprintf("the log holds the effort of joint %s but not its position", j.name)
			f.Fix = fmt.Sprintf("use {map} to name its position channel, or {lock} %s=VALUE to say where it stood", hint.Word(j.name))
			if said {
				continue
			}
		case j.effort == nil:
			f.Channel = j.q.name
			f.Why = fmt.Sprintf("the log holds the position of joint %s but neither its torque nor its motor current: its own equation is missing, and with it its friction and rotor inertia", j.name)
			f.Fix = "use {map} to name its torque or current channel"
		default:
			continue
		}
		found.add(f)
	}
	return found
}

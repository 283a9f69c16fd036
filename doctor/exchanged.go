package doctor

import (
	"fmt"
)

// exchanged describes joints of which each has the channels of another one, all of them or those named by which, and the repair.
// from[i] is the joint whose channels joints[i] should have.
func (s *setup) exchanged(joints, from []int, which string) (why, fix string, r Repair) {
	text, maps := "", ""
	for i, j := range joints {
		jt, other := s.joints[j], s.joints[from[i]]
		text += pick(text == "", "", ", ") + jt.name
		add := func(key string, own, c *channel) {
			if c == nil {
				return
			}
			maps += fmt.Sprintf(" {map} %s_%s=%s", key, jt.name, c.name)
			r.Settings = append(r.Settings, Setting{Key: "map", Name: key + "_" + jt.name, Value: c.name})
			if own != nil {
				r.Edits = append(r.Edits, Edit{Channel: own.name, From: c.name})
			}
		}
		if which != "torques" {
			add("q", jt.q, other.q)
			add("dq", jt.dq, other.dq)
		}
		if which != "positions" && other.effort != nil {
			add(pick(other.effort.role == current, "i", "tau"), jt.effort, other.effort)
		}
	}
	why = fmt.Sprintf("%s of joints %s are in another order than in the robot file", pick(which == "", "the channels", "the "+which), text)
	return why, maps[1:], r
}

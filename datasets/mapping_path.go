package datasets

import (
	"slices"
	"strings"

	"ident/internal/hint"
)

// jointStatePath removes the path of a ROS message of joint states from a channel's name in lower case, as tools
// that turn recordings into tables write it: "/arm/joint_states/position[0]", "/joint_states/elbow/position",
// "field.effort3", "observation.state[0]". Paths of other messages stay: /controller/desired/position[0] is no measurement.
func jointStatePath(low string) (name string, ok bool) {
	if name, ok = strings.CutPrefix(low, "field."); ok {
		return name, true
	}
	if name, ok = strings.CutPrefix(low, "observation."); ok { // a data set of LeRobot
		if rest, ok := strings.CutPrefix(name, "state["); ok {
			name = "q[" + rest
		}
		return name, true
	}
	if entity, entry, ok := strings.Cut(low, ":scalars:scalars"); ok { // a table of Rerun: an entity's path and a list
		path := strings.Split(strings.Trim(entity, "/"), "/")
		last := path[len(path)-1]
		if slices.ContainsFunc(roleTable(), func(r roleNames) bool { return slices.Contains(r.names, last) }) || len(path) == 1 {
			return last + entry, true
		}
		return path[len(path)-2] + "/" + last, true
	}
	i := strings.LastIndex(low, "joint_state")
	if i < 0 {
		return within(low)
	}
	path, rest := low[:i], low[i+len("joint_state"):]
	if wished(path) {
		return low, false
	}
	rest = strings.TrimPrefix(rest, "s")
	if rest == "" || strings.IndexByte("/.", rest[0]) < 0 {
		return low, false
	}
	return rest[1:], true
}

// wished reports whether a path in lower case is one of commands, which no sensor measures.
func wished(path string) bool {
	return slices.ContainsFunc([]string{"desired", "command", "target", "goal", "ref", "action", "cmd"}, func(wish string) bool { return strings.Contains(path, wish) })
}

// within removes a path of words that say no more than that a robot's state is meant: msg.position[0], robot/state/q3.
func within(low string) (name string, ok bool) {
	path, _, _ := strings.Cut(low, "[")
	i := strings.LastIndexAny(path, "./")
	if i < 0 {
		return low, false
	}
	for _, part := range strings.FieldsFunc(path[:i], func(r rune) bool { return r == '.' || r == '/' }) {
		if !slices.Contains([]string{"msg", "message", "data", "payload", "value", "values", "log", "row", "robot", "robot0", "robot_state", "robotstate", "arm", "state", "states", "articulation", "joints", "obs", "observation", "observations", "measured", "actual", "feedback"}, part) {
			return low, false
		}
	}
	return low[i+1:], true
}

// stampNames returns the names of the clock in such tables, in lower case and without the message's path.
func stampNames() []string { return []string{"__time", "%time", "header/stamp", "header.stamp"} }

// stamp finds the clock of a table made of a recording, "" where there is none or more than one of a name.
func stamp(channels []string) string {
	for _, want := range stampNames() {
		var found []string
		for _, ch := range channels {
			if name, _ := jointStatePath(strings.ToLower(ch)); name == want {
				found = append(found, ch)
			}
		}
		if len(found) == 1 {
			return found[0]
		}
	}
	return ""
}

// stamped returns the only channel of the log whose own unit is one of time, "" if there is none or several; a duration is none.
func (l *Log) stamped() string {
	var found []string
	for _, ch := range l.channels {
		if c, err := conversionOf(ch.Unit); err != nil || c.si != "s" {
			continue
		}
		low := strings.ToLower(ch.Name)
		if !slices.ContainsFunc([]string{"dt", "delay", "latency", "period", "cycle", "duration", "jitter"}, func(word string) bool { return strings.Contains(low, word) }) {
			found = append(found, ch.Name)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// clockWithUnit finds a channel that is named as a clock with its unit, "time_ms" say.
func clockWithUnit(channels []string) (channel, unit string) {
	for _, ch := range channels {
		name, unit, ok := strings.Cut(strings.ToLower(ch), "_")
		if ok && (isTime(name) || name == "tick" || name == "ticks") {
			switch unit {
			case "ms", "us", "ns":
				return ch, unit
			case "msec", "usec", "nsec":
				return ch, unit[:2]
			case "s", "sec", "seconds":
				return ch, "s"
			}
		}
	}
	return "", ""
}

// mapExample returns an entry of a map for an example in a message: a pattern, if the channels of one name differ by a number.
func mapExample(channels []string) string {
	like := torqueLike(channels)
	one := hint.Word("tau1=" + like)
	digits := func(r rune) bool { return r >= '0' && r <= '9' }
	i := strings.LastIndexFunc(like, digits)
	if i < 0 {
		return one
	}
	stem := strings.TrimRightFunc(like[:i+1], digits)
	pattern := stem + "*" + like[i+1:]
	n := 0
	for _, ch := range channels {
		if star, ok := starOf(pattern, ch); ok && strings.TrimFunc(star, digits) == "" {
			n++
		}
	}
	if n < 2 {
		return one
	}
	return hint.Word("tau_*=" + pattern)
}

// torqueLike returns the first channel whose name has to do with torque, for examples in messages; else the last.
func torqueLike(channels []string) string {
	for _, word := range []string{"tau", "torque", "effort", "force", "trq", "current", "cur"} {
		for _, ch := range channels {
			if strings.Contains(strings.ToLower(ch), word) {
				return ch
			}
		}
	}
	return lastOr(channels, "channel")
}

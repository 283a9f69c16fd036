package project

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/datasets"
	"ident/internal/hint"
	"ident/internal/spelling"
	"ident/robot"
)

// An absence is a joint that is locked because a log lacks one of its channels.
type absence struct {
	joint string
	at    float64 // position, rad or m
	why   string  // the warning; "" where the log has nothing of the joint
}

// stillRange is the range of positions, rad or m, within which a joint without a torque channel counts as standing
// still: the noise of a coarse encoder of 12 bits a turn.
const stillRange = 2 * math.Pi / 4096

// absent lists the joints without a position or a torque in some log. A joint without any channel is locked at zero; one
// whose positions stay constant is locked there. A joint that moves, or that has only a torque, is an error: locking it
// would assign its motion or its load to the other joints.
func absent(p *Settings, r *robot.Robot, logs []*datasets.Log, names []string, locked map[string]float64) ([]absence, error) {
	found := map[string]absence{}
	for _, l := range logs {
		roles, _, _, err := mapJoints(p, r, l, names)
		if err != nil {
			return nil, err
		}
		whole := false
		for k, name := range names {
			q, torque := roles.Q[k], roles.Tau[k]
			if torque == "" {
				torque = roles.Current[k]
			}
			if q != "" && torque != "" {
				whole = true
				continue
			}
			if _, already := locked[name]; already {
				continue
			}
			a := absence{joint: name}
			if q != "" || torque != "" {
				if a, err = halfLogged(l, roles, k, q, torque, name); err != nil {
					return nil, err
				}
			}
			if old, ok := found[name]; !ok || old.why == "" {
				found[name] = a
			}
		}
		if !whole {
			return nil, remedy("map", "", "%s: no joint has both a position and a torque (or current) channel; the log has %s; map them with {map} q1=CHANNEL {map} tau1=CHANNEL", l.Name(), firstNames(l.Names()))
		}
	}
	var out []absence
	for _, name := range names {
		if a, ok := found[name]; ok {
			out = append(out, a)
		}
	}
	return out, nil
}

// lockAbsent locks the absent joints and notes it; those without any channel share one sentence.
func (s *Session) lockAbsent(missing []absence) {
	var nowhere []string
	for _, m := range missing {
		s.Locked[m.joint] = m.at
		if m.why == "" {
			nowhere = append(nowhere, m.joint)
		} else {
			s.Warnings = append(s.Warnings, m.why)
		}
	}
	switch len(nowhere) {
	case 0:
	case 1:
		s.Warnings = append(s.Warnings, fmt.Sprintf("the log holds no position or torque of joint %q: it is taken as locked at 0 ({lock} %s=VALUE says where)", nowhere[0], hint.Word(nowhere[0])))
	default:
		s.Warnings = append(s.Warnings, fmt.Sprintf("the log holds no position or torque of joints %s: they are taken as locked at 0 ({lock} %s=VALUE says where, for each)", strings.Join(nowhere, ", "), hint.Word(nowhere[0])))
	}
}

// firstNames lists up to six names and counts the rest.
func firstNames(names []string) string {
	const most = 6
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// halfLogged judges joint k if a log has only its position or only its torque.
func halfLogged(l *datasets.Log, roles datasets.Roles, k int, q, torque, name string) (absence, error) {
	if q == "" {
		return absence{}, remedy("map", "", "%s: the torque of joint %q is there (%s), and no position of it: map it with {map} q%d=%s, or lock the joint with {lock} %s=VALUE",
			l.Name(), name, torque, k+1, hint.Word(unused(l, roles, "q", name)), hint.Word(name))
	}
	x, err := l.Column(q)
	if err != nil {
		return absence{}, err
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	if high-low > stillRange && slices.IndexFunc(slices.Concat(roles.Tau, roles.Current), func(c string) bool { return c != "" }) < 0 {
		return absence{}, remedy("torque", "", "%s: joint %q moves (%s), and no torque or current is logged: map them with {map} tau%d=%s, or fit positions alone with {torque} none and {controller}",
			l.Name(), name, q, k+1, hint.Word(unused(l, roles, "tau", name)))
	}
	if high-low > stillRange {
		return absence{}, remedy("map", "", "%s: joint %q moves (%s), and no torque or current of it is there: map it with {map} tau%d=%s, or lock the joint with {lock} %s=VALUE",
			l.Name(), name, q, k+1, hint.Word(unused(l, roles, "tau", name)), hint.Word(name))
	}
	at := 0.0
	if low <= high {
		at = (low + high) / 2
	}
	return absence{name, at, fmt.Sprintf("the log has no torque of joint %q, and the joint does not move: it is taken as locked at %.6g", name, at)}, nil
}

// unused returns the channel without a role whose name is nearest to that of a role and a joint. No torque follows the positions of a
// joint: a channel that does holds commanded positions, whatever its name.
func unused(l *datasets.Log, roles datasets.Roles, role, joint string) string {
	follows := func(name string) bool {
		return role == "tau" && slices.ContainsFunc(roles.Q, func(q string) bool { return q != "" && follows(l, name, q) })
	}
	names := slices.DeleteFunc(l.Names(), func(name string) bool {
		return name == roles.T || slices.Contains(slices.Concat(roles.Q, roles.DQ, roles.DDQ, roles.Tau, roles.Current), name) || follows(name)
	})
	if near, _, _ := strings.Cut(spelling.Nearest(role+"_"+joint, names), " or "); near != "" {
		return near
	}
	return "CHANNEL"
}

// follows reports whether a channel is nearer to the positions in another one than these are to their mean.
func follows(l *datasets.Log, name, positions string) bool {
	cols, err := l.Columns(name, positions)
	if err != nil {
		return false
	}
	mean, n := 0.0, 0
	for k, v := range cols[1] {
		if !math.IsNaN(v - cols[0][k]) {
			mean, n = mean+v, n+1
		}
	}
	mean /= float64(max(n, 1))
	apart, spread := 0.0, 0.0
	for k, v := range cols[1] {
		if d := cols[0][k] - v; !math.IsNaN(d) {
			apart += d * d
			spread += (v - mean) * (v - mean)
		}
	}
	return apart < spread
}

package datasets

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ident/internal/hint"
)

// assignment is a role of a joint, or the clock where role is -1.
type assignment struct{ role, joint int }

// parseOverrides reads the keys of an override and looks its channels up.
func parseOverrides(l *Log, joints []string, override map[string]string) (map[assignment]string, error) {
	override = ExpandMap(override, l)
	set := make(map[assignment]string, len(override))
	for _, key := range sortedKeys(override) {
		if isTemperature(key) {
			continue // Temperature reads it
		}
		if isPattern(key, override[key]) {
			return nil, &FileError{Path: l.label(), Err: noMatch(key, override[key])}
		}
		a, err := parseRole(key, joints)
		if err != nil {
			return nil, err
		}
		ch := override[key]
		if ch != "" && !l.Has(ch) {
			return nil, &FileError{Path: l.label(), Err: fmt.Errorf("mapping %s=%s: %w", key, ch, noChannel(ch, l.channels))}
		}
		if old, ok := set[a]; ok && old != ch {
			return nil, fmt.Errorf("%w: %s is mapped to %q and to %q", ErrAmbiguous, key, old, ch)
		}
		set[a] = ch
	}
	return set, nil
}

// parseRole reads "t", "tau1", "tau_elbow", and for a robot with one joint "tau".
func parseRole(key string, joints []string) (assignment, error) {
	low := strings.ToLower(strings.TrimSpace(key))
	if isTime(low) {
		return assignment{role: -1}, nil
	}
	for role, table := range roleTable() {
		for _, syn := range table.names {
			if j, ok := ownName(low, syn, joints); ok {
				return assignment{role, j}, nil
			}
			if k, ok := numbered(low, syn); ok {
				if k < 1 || k > len(joints) {
					return assignment{}, fmt.Errorf("%w %q: joints count from 1 to %d here", ErrRole, key, len(joints))
				}
				return assignment{role, k - 1}, nil
			}
			if low == syn && len(joints) == 1 {
				return assignment{role, 0}, nil
			}
		}
	}
	return assignment{}, fmt.Errorf("%w %q: expected t, or q, dq, ddq, tau, i or u with a joint's number (tau1) or name (tau_%s); the joints are %s",
		ErrRole, key, firstOr(joints, "joint"), listNames(joints))
}

// choose assigns the best candidate to every role without an override.
func (r *Roles) choose(cands []candidate, set map[assignment]string) (notes []Note, err error) {
	byRole := make(map[assignment][]candidate)
	for _, c := range cands {
		if c.joint >= 0 {
			a := assignment{c.role, c.joint}
			byRole[a] = append(byRole[a], c)
		}
	}
	for a, ch := range set {
		if a.role >= 0 {
			r.of(a.role)[a.joint] = ch
		}
	}
	order := slices.SortedFunc(maps.Keys(byRole), func(a, b assignment) int {
		if a.joint != b.joint {
			return a.joint - b.joint
		}
		return a.role - b.role
	})
	for _, a := range order {
		if _, ok := set[a]; ok {
			continue
		}
		list := byRole[a]
		slices.SortStableFunc(list, func(x, y candidate) int { return x.rank - y.rank })
		label := roleTable()[a.role].label + strconv.Itoa(a.joint+1)
		if len(list) > 1 && list[0].rank == list[1].rank {
			return nil, fmt.Errorf("%w: %q and %q both look like %s; map one, as in %s=%s",
				ErrAmbiguous, list[0].channel, list[1].channel, label, label, list[0].channel)
		}
		r.of(a.role)[a.joint] = list[0].channel
		for _, c := range list[1:] {
			notes = append(notes, Note{Channel: c.channel, Text: fmt.Sprintf("passed over, %q is %s", list[0].channel, label)})
		}
	}
	return notes, nil
}

// matrixOf returns the name of a matrix whose columns are all channels of a log, numbered from 1; "" for any other log.
func matrixOf(channels []string) string {
	if len(channels) < 2 {
		return ""
	}
	stem := strings.TrimSuffix(channels[0], "1")
	if slices.ContainsFunc(roleTable(), func(r roleNames) bool { return slices.Contains(r.names, strings.ToLower(stem)) }) {
		return ""
	}
	for i, ch := range channels {
		if ch != stem+strconv.Itoa(i+1) {
			return ""
		}
	}
	return stem
}

// clock finds the time channel.
func clock(l *Log, set map[assignment]string) (string, error) {
	if ch, ok := set[assignment{role: -1}]; ok && ch != "" {
		return ch, nil
	}
	channels := l.Names()
	for _, want := range timeNames() {
		var found []string
		for _, ch := range channels {
			if strings.ToLower(ch) == want {
				found = append(found, ch)
			}
		}
		if len(found) > 1 {
			return "", fmt.Errorf("%w: %q and %q both look like the clock; map one, as in t=%s", ErrAmbiguous, found[0], found[1], found[0])
		}
		if len(found) == 1 {
			return found[0], nil
		}
	}
	if ch := stamp(channels); ch != "" {
		return ch, nil
	}
	if ch := l.stamped(); ch != "" {
		return ch, nil
	}
	if ch, unit := clockWithUnit(channels); ch != "" && l.channels[slices.Index(channels, ch)].Unit != "" {
		return ch, nil
	} else if ch != "" {
		return "", hint.Errorf("map", "t="+ch, "%w: %q looks like one in %s: {map} t=%s {units} %s=%s", ErrNoClock, ch, unit, hint.Word(ch), hint.Word(ch), unit)
	}
	if stem := matrixOf(channels); stem != "" {
		return "", hint.Errorf("columns", "", "%w: the channels are the %d columns %s1 …: name them by {columns} t,q1..q%d,tau1..tau%d (_ leaves one out; without a clock give its {rate} 200)",
			ErrNoClock, len(channels), stem, max(1, (len(channels)-1)/2), max(1, (len(channels)-1)/2))
	}
	return "", hint.Errorf("map", "", "%w: the channels are %s; expected is one of %s; otherwise map it, as in {map} t=CHANNEL, or, if the rows are evenly spaced, give their rate: {rate} 200",
		ErrNoClock, listNames(channels), strings.Join(timeNames(), ", "))
}

package datasets

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// ExpandMap returns a map of roles to channels with its patterns expanded: the * of "q_*" stands for what the * of "Angle *" stands for
// in a channel of the logs. Where these are numbers that count from 0, the joints count from 1. An entry without a pattern overrides
// a pattern, and a pattern that no channel matches stays as it is.
func ExpandMap(roles map[string]string, logs ...*Log) map[string]string {
	var out map[string]string
	for _, key := range sortedKeys(roles) {
		if !isPattern(key, roles[key]) {
			continue
		}
		stars := map[string]string{} // channels by what the star stands for
		for _, l := range logs {
			for _, name := range l.Names() {
				if star, ok := starOf(roles[key], name); ok {
					stars[star] = name
				}
			}
		}
		if len(stars) == 0 {
			continue
		}
		if out == nil {
			out = maps.Clone(roles)
		}
		delete(out, key)
		shift := shiftOf(stars)
		for star, channel := range stars {
			if n, err := strconv.Atoi(star); err == nil {
				star = strconv.Itoa(n + shift)
			}
			if name := strings.Replace(key, "*", star, 1); roles[name] == "" {
				out[name] = channel
			}
		}
	}
	if out == nil {
		return roles
	}
	return out
}

func isPattern(key, channel string) bool {
	return strings.Count(key, "*") == 1 && strings.Count(channel, "*") == 1
}

// starOf returns what the star of a pattern stands for in a name.
func starOf(pattern, name string) (star string, ok bool) {
	before, behind, _ := strings.Cut(pattern, "*")
	if len(name) <= len(before)+len(behind) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, behind) {
		return "", false
	}
	return name[len(before) : len(name)-len(behind)], true
}

// shiftOf returns 1 if the stars are numbers that count from 0.
func shiftOf(stars map[string]string) int {
	zero := false
	for star := range stars {
		n, err := strconv.Atoi(star)
		if err != nil || n < 0 {
			return 0
		}
		zero = zero || n == 0
	}
	if zero {
		return 1
	}
	return 0
}

// Matches reports whether a log has a channel that an entry of a map names, or one that its pattern matches.
func (l *Log) Matches(key, channel string) bool {
	if !isPattern(key, channel) {
		return l.Has(channel)
	}
	for _, name := range l.Names() {
		if _, ok := starOf(channel, name); ok {
			return true
		}
	}
	return false
}

// noMatch is the error of a pattern of a map that no channel matches.
func noMatch(key, channel string) error {
	return fmt.Errorf("mapping %s=%s: %w: no channel matches the pattern", key, channel, ErrNoChannel)
}

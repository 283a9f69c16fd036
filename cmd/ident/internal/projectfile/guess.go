package projectfile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ident/datasets"
	"ident/identify/project"
)

// guess maps channels to joints by their declared units and the numbers in their names, where no name has told. It changes nothing and
// is false unless a clock, positions and torques (or currents) are found for every joint, each without a choice.
func (b *Survey) guess(with *project.Settings) bool {
	if len(with.Map) > 0 || with.Preset != "" {
		return false
	}
	clock, ok := b.clock()
	if !ok {
		return false
	}
	found := [][2]string{{"t", clock}}
	have := map[string]bool{}
	for _, kind := range []struct{ role, units string }{{"q", "rad m"}, {"dq", "rad/s m/s"}, {"ddq", "rad/s^2 m/s^2"}, {"tau", "N.m N"}, {"i", "A"}} {
		channels, ok := b.numbered(strings.Fields(kind.units))
		have[kind.role] = ok
		for k, channel := range channels {
			found = append(found, [2]string{fmt.Sprintf("%s%d", kind.role, k+1), channel})
		}
	}
	if !have["q"] || !have["tau"] && !have["i"] {
		return false
	}
	with.Map = map[string]string{}
	for _, line := range found {
		with.Map[line[0]] = line[1]
	}
	b.Guessed = found
	return true
}

// clock returns the only channel in seconds, else the only one whose name holds a word for time.
func (b *Survey) clock() (string, bool) {
	var timed, named []string
	for _, c := range b.log.Channels() {
		if siUnit(c) == "s" {
			timed = append(timed, c.Name)
		}
		if regexp.MustCompile(`(?i)time|zeit|stamp|stempel|temps|tiempo|clock`).MatchString(c.Name) {
			named = append(named, c.Name)
		}
	}
	for _, list := range [][]string{timed, named} {
		if len(list) == 1 {
			return list[0], true
		}
	}
	return "", false
}

// siUnit returns the SI unit of a channel that declares one, else "".
func siUnit(c datasets.Channel) string {
	si, _, err := datasets.SI(c.Unit)
	if c.Unit == "" || err != nil {
		return ""
	}
	return si
}

var wholeNumber = regexp.MustCompile(`\d+`)

// numbered returns the channels of some units by the joints that their names count, from 0 or from 1: as many as
// joints, and one for each. Where names hold several numbers, the only place of one that counts so decides.
func (b *Survey) numbered(units []string) ([]string, bool) {
	var names []string
	for _, c := range b.log.Channels() {
		if slices.Contains(units, siUnit(c)) {
			names = append(names, c.Name)
		}
	}
	n := len(b.names)
	if len(names) != n {
		return nil, false
	}
	var fits [][]string
	for place := 0; ; place++ {
		by := make([]string, n+1)
		deep := true
		for _, name := range names {
			all := wholeNumber.FindAllString(name, -1)
			if deep = place < len(all); !deep {
				break
			}
			if k, err := strconv.Atoi(all[place]); err == nil && k <= n {
				by[k] = name
			}
		}
		if !deep {
			break
		}
		for _, list := range [][]string{by[1:], by[:n]} {
			if !slices.Contains(list, "") {
				fits = append(fits, slices.Clone(list))
			}
		}
	}
	if len(fits) != 1 {
		return nil, false
	}
	return fits[0], true
}

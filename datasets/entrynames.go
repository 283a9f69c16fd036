package datasets

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// entriesKey is the metadata key of the names of the entries of lists, a JSON list; the path of the list follows.
const entriesKey = "ident.entries."

// nameLists returns the words for a list that holds the names of what stands in the lists beside it.
func nameLists() []string {
	return []string{"name", "names", "joint_name", "joint_names", "jointnames"}
}

// nameEntry divides a path of an entry of a list of names: "msg.name[2]" or "field.name2" is the entry 2 beside "msg." or "field.".
func nameEntry(path string) (beside string, entry int, ok bool) {
	list := strings.TrimSuffix(path, "]")
	digits := strings.TrimRight(list, "0123456789")
	entry, err := strconv.Atoi(list[len(digits):])
	if err != nil || len(list) != len(path) && !strings.HasSuffix(digits, "[") {
		return "", 0, false
	}
	digits = strings.TrimSuffix(digits, "[")
	at := strings.LastIndexAny(digits, "./") + 1
	return digits[:at], entry, slices.Contains(nameLists(), digits[at:])
}

// nameListEntries puts the names of lists' entries into meta, by words: the texts of a log that are the same in all rows, by their paths. A
// list beside the names that has as many entries has these names. It returns the paths of the names that are used.
func nameListEntries(channels []string, words map[string]string, meta map[string]string) (used []string) {
	paths := map[string][]string{}
	lists := map[string][]string{} // names, by what stands in front of their list
	for _, path := range sortedKeys(words) {
		beside, entry, ok := nameEntry(path)
		if !ok || entry >= maxChannels {
			continue
		}
		for len(lists[beside]) <= entry {
			lists[beside] = append(lists[beside], "")
		}
		lists[beside][entry] = words[path]
		paths[beside] = append(paths[beside], path)
	}
	for beside, names := range lists {
		text, err := json.Marshal(names)
		if err != nil || slices.Contains(names, "") {
			continue
		}
		entries := map[string]int{}
		for _, ch := range channels {
			if stem, _, ok := listEntry(ch); ok && strings.HasPrefix(stem, beside) && !strings.ContainsAny(stem[len(beside):], "./") {
				entries[stem]++
			}
		}
		for stem, n := range entries {
			if n == len(names) {
				meta[entriesKey+stem] = string(text)
				used = append(used, paths[beside]...)
			}
		}
	}
	return used
}

// listEntry divides the name of a channel that is an entry of a list, position[3] or position3.
func listEntry(channel string) (list string, entry int, ok bool) {
	name, brackets := strings.CutSuffix(channel, "]")
	list = strings.TrimRight(name, "0123456789")
	entry, err := strconv.Atoi(name[len(list):])
	if err != nil || brackets != strings.HasSuffix(list, "[") {
		return "", 0, false
	}
	return strings.TrimSuffix(list, "["), entry, true
}

// entryNames returns further names, in lower case, of channels that come from lists, if the list names its entries as the joints
// are named: position[elbow], and elbow.pos where an entry is so called.
func entryNames(l *Log, joints []string) map[string]string {
	out := map[string]string{}
	for key, text := range l.meta {
		list, ofLeRobot := strings.CutPrefix(key, namesKey)
		if !ofLeRobot {
			var ok bool
			if list, ok = strings.CutPrefix(key, entriesKey); !ok {
				continue
			}
		}
		var names []string
		if json.Unmarshal([]byte(text), &names) != nil {
			continue
		}
		for _, ch := range l.channels {
			stem, entry, ok := listEntry(ch.Name)
			if !ok || stem != list || entry >= len(names) {
				continue
			}
			joint, what, ok := jointAndSignal(strings.ToLower(names[entry]), joints)
			switch {
			case !ok:
			case what == "" || ofLeRobot && what == "pos" || wished(strings.ToLower(stem)):
				out[ch.Name] = fmt.Sprintf("%s[%s]", strings.ToLower(stem), joint)
			default:
				out[ch.Name] = joint + "." + what
			}
		}
	}
	return out
}

// jointAndSignal divides the name of an entry into a joint's and what is measured there: elbow, elbow.pos, elbow.effort.
func jointAndSignal(name string, joints []string) (joint, what string, ok bool) {
	for _, j := range joints {
		j = strings.ToLower(j)
		rest, begins := strings.CutPrefix(name, j)
		switch {
		case !begins || j == "":
		case rest == "":
			return j, "", true
		case strings.IndexByte("._/", rest[0]) >= 0:
			if len(j) > len(joint) {
				joint, what, ok = j, rest[1:], true
			}
		}
	}
	return joint, what, ok
}

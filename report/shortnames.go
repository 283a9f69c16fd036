package report

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// separators stand between the words of a joint's name.
const separators = "_.- /"

// shortNames shortens the names of joints to width: it drops the words with which all begin or end, then turns the first
// words into initials, and finally cuts.
func shortNames(names []string, width int) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = clean(n)
	}
	if len(out) > 1 {
		head, tail := common(out), reversed(common(each(out, reversed)))
		if short := each(out, func(s string) string { return strings.TrimSuffix(strings.TrimPrefix(s, head), tail) }); !slices.Contains(short, "") {
			out = short
		}
	}
	return each(out, func(s string) string { return initials(s, width) })
}

// JointColumns returns the names of joints as column headings, shortened if a line has no room, and their common width,
// 9 to 16.
func JointColumns(joints []string) (names []string, width int) {
	names, width = shortNames(joints, min(max((textWidth-10)/max(len(joints), 1)-1, 9), 16)), 9
	for _, name := range names {
		width = max(width, utf8.RuneCountInString(name))
	}
	return names, width
}

// common returns the beginning that all names share, to the end of a word.
func common(names []string) string {
	head := names[0]
	for _, n := range names {
		for !strings.HasPrefix(n, head) {
			head = head[:len(head)-1]
		}
	}
	return head[:strings.LastIndexAny(head, separators)+1]
}

// initials makes initials of the first words of a name until it fits, and cuts the last word that does not.
func initials(name string, width int) string {
	for at := 0; utf8.RuneCountInString(name) > width; {
		end := strings.IndexAny(name[at:], separators)
		if end < 0 {
			return cut(name, width)
		}
		_, size := utf8.DecodeRuneInString(name[at:])
		name = name[:at+size] + name[at+end:]
		at += size + 1
	}
	return name
}

func each(list []string, f func(string) string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = f(s)
	}
	return out
}

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

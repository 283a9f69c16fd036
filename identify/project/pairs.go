package project

import (
	"fmt"
	"slices"
	"strings"
)

// pairsOfNumbers adds items NAME=NUMBER to a map, which it makes if nil. parse reads a number; form describes it for errors. A name
// with two values is an error.
func pairsOfNumbers[V any](to *map[string]V, items []string, parse func(string) (V, error), form string) error {
	given := map[string]string{}
	for _, it := range eachPair(items) {
		name, text, ok := strings.Cut(it, "=")
		v, err := parse(strings.TrimSpace(text))
		if !ok || err != nil {
			return fmt.Errorf("%q is not NAME=%s", it, form)
		}
		name = strings.TrimSpace(name)
		if old, twice := given[name]; twice && old != strings.TrimSpace(text) {
			return fmt.Errorf("%s is given twice, as %s and as %s: leave one out", name, old, strings.TrimSpace(text))
		}
		given[name] = strings.TrimSpace(text)
		if *to == nil {
			*to = map[string]V{}
		}
		(*to)[name] = v
	}
	return nil
}

// eachPair splits items A=1,B=2 into A=1 and B=2.
func eachPair(items []string) (out []string) {
	for _, it := range items {
		parts := ParseList(it)
		if len(parts) == 0 || slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(p, "=") }) {
			parts = []string{it}
		}
		out = append(out, parts...)
	}
	return out
}

// onlyLog stands for the single log of a command, in settings by log.
const onlyLog = "*"

// ofOnlyLog prefixes rows without a log's name, such as 10-20, with onlyLog.
func ofOnlyLog(texts []string) []string {
	out := slices.Clone(texts)
	for i, text := range out {
		if strings.Contains(text, "-") && strings.Trim(text, "0123456789-") == "" {
			out[i] = onlyLog + ":" + text
		}
	}
	return out
}

// pairsOfTexts adds items NAME=VALUE to a map; sep is the separator, of which the last counts. A name with two
// values is an error.
func pairsOfTexts(to *map[string]string, items []string, sep string) error {
	given := map[string]string{}
	for _, it := range items {
		i := strings.LastIndex(it, sep)
		if i <= 0 || i == len(it)-1 && sep != "=" { // an empty value is one
			return fmt.Errorf("%q is not NAME%sVALUE", it, sep)
		}
		name, value := strings.TrimSpace(it[:i]), strings.TrimSpace(it[i+1:])
		if old, twice := given[name]; twice && old != value {
			return fmt.Errorf("%s is given twice, as %s and as %s: leave one out", name, old, value)
		}
		given[name] = value
		if *to == nil {
			*to = map[string]string{}
		}
		(*to)[name] = value
	}
	return nil
}

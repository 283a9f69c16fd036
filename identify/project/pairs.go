package project

import (
	"fmt"
	"slices"
	"strings"
)

// pairsOfNumbers adds NAME=NUMBER to a map, made where it is nil; parse reads a number.
func pairsOfNumbers(to *map[string]float64, items []string, parse func(string) (float64, error)) error {
	for _, it := range items {
		name, text, ok := strings.Cut(it, "=")
		v, err := parse(strings.TrimSpace(text))
		if !ok || err != nil {
			return fmt.Errorf("%q is not NAME=NUMBER", it)
		}
		if *to == nil {
			*to = map[string]float64{}
		}
		(*to)[strings.TrimSpace(name)] = v
	}
	return nil
}

// onlyLog stands for the only log of a command in settings by log.
const onlyLog = "*"

// ofOnlyLog gives rows without the name of a log, 10-20, to the only one.
func ofOnlyLog(texts []string) []string {
	out := slices.Clone(texts)
	for i, text := range out {
		if strings.Contains(text, "-") && strings.Trim(text, "0123456789-") == "" {
			out[i] = onlyLog + ":" + text
		}
	}
	return out
}

// pairsOfTexts adds NAME=VALUE, or another separator, to a map; the last separator counts.
func pairsOfTexts(to *map[string]string, items []string, sep string) error {
	for _, it := range items {
		i := strings.LastIndex(it, sep)
		if i <= 0 || i == len(it)-1 && sep != "=" { // an empty value is one
			return fmt.Errorf("%q is not NAME%sVALUE", it, sep)
		}
		if *to == nil {
			*to = map[string]string{}
		}
		(*to)[strings.TrimSpace(it[:i])] = strings.TrimSpace(it[i+1:])
	}
	return nil
}

// Package pairs reads NAME=VALUE as options and settings take it.
package pairs

import (
	"fmt"
	"strings"
)

// Numbers adds NAME=NUMBER to a map, made where it is nil; parse reads a number.
func Numbers(to *map[string]float64, items []string, parse func(string) (float64, error)) error {
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

// Texts adds NAME=VALUE, or another separator, to a map; the last separator counts.
func Texts(to *map[string]string, items []string, sep string) error {
	for _, it := range items {
		i := strings.LastIndex(it, sep)
		if i <= 0 || i == len(it)-1 {
			return fmt.Errorf("%q is not NAME%sVALUE", it, sep)
		}
		if *to == nil {
			*to = map[string]string{}
		}
		(*to)[strings.TrimSpace(it[:i])] = strings.TrimSpace(it[i+1:])
	}
	return nil
}

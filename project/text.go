package project

import (
	"fmt"
	"strings"
)

// ParseList splits a comma-separated text; empty elements count for nothing.
func ParseList(s string) []string {
	var out []string
	for f := range strings.SplitSeq(s, ",") {
		if f = strings.TrimSpace(f); f != "" {
			out = append(out, f)
		}
	}
	return out
}

// ParseNumbers reads comma-separated numbers.
func ParseNumbers(s string) ([]float64, error) {
	var out []float64
	for _, f := range ParseList(s) {
		v, err := parseFloat(f)
		if err != nil {
			return nil, fmt.Errorf("%q is not a finite number below 1e50", f)
		}
		out = append(out, v)
	}
	return out, nil
}

func mergeNumbers(to *map[string]float64, items []string) error {
	for _, it := range items {
		name, text, ok := strings.Cut(it, "=")
		v, err := parseFloat(strings.TrimSpace(text))
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

func mergeTexts(to *map[string]string, items []string, sep string) error {
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

package project

import (
	"fmt"
	"strings"
)

// ParseList splits a comma-separated text and drops empty elements.
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

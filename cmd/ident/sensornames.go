package main

import (
	"strings"

	"ident/simulate/sensors"
)

// faultNames lists the faults for a help text.
func faultNames() string {
	var out []string
	for _, d := range sensors.List() {
		out = append(out, d.Name)
	}
	return wrapped(out)
}

// sensorNames lists the classes of arms.
func sensorNames() string {
	var out []string
	for _, p := range sensors.Presets() {
		out = append(out, p.Name)
	}
	return strings.Join(out, ", ")
}

// wrapped breaks a list into lines of a help text.
func wrapped(list []string) string {
	var b strings.Builder
	width := 0
	for i, s := range list {
		if i > 0 {
			b.WriteString(",")
			if width += len(s) + 2; width > 85 {
				b.WriteString("\n")
				width = len(s)
			} else {
				b.WriteString(" ")
			}
		}
		b.WriteString(s)
	}
	return b.String()
}

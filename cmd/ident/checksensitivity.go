package main

import (
	"fmt"

	"ident/project"
)

func printSensitivity(s streams, rows []project.Refit) {
	fmt.Fprintf(s.out, "\n%-10s %-10s %-15s %-9s %-9s %-10s %s\n", "cut-off", "motion", "velocity", "error", "raw", "condition", "moved most")
	for i, r := range rows {
		moved := "(what ident fit does)"
		if i > 0 {
			moved = "nothing"
			if r.Moved != "" {
				moved = fmt.Sprintf("%s by %.2g sigma, %.4g to %.4g", r.Moved, r.Deviation, r.From, r.To)
			}
		}
		fmt.Fprintf(s.out, "%-10s %-10s %-15s %-9s %-9s %-10s %s\n", fmt.Sprintf("%.3g Hz", r.Cutoff), fmt.Sprintf("%.3g Hz", r.Motion), r.Velocity,
			fmt.Sprintf("%.3g %%", r.Error), fmt.Sprintf("%.3g %%", r.RawError), fmt.Sprintf("%.4g", r.Condition), moved)
	}
	fmt.Fprintln(s.out, "an error shrinks with the cut-off alone; look at whether the parameters stay")
}

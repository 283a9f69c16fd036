package main

import (
	"fmt"

	"ident/identify/project"
)

func printSensitivity(s streams, rows []project.Refit) {
	fmt.Fprintf(s.out, "\n%-10s %-10s %-15s %-9s %-9s %-10s %s\n", "cut-off", "motion", "velocity", "error", "raw", "condition", "moved most")
	best := bestRefit(rows)
	for i, r := range rows {
		moved := "(what ident fit does)"
		if i > 0 {
			moved = "nothing"
			if r.Moved != "" {
				moved = fmt.Sprintf("%s by %.2g sigma, %.4g to %.4g", r.Moved, r.Deviation, r.From, r.To)
			}
		}
		if best > 0 && i == best {
			moved += "  <- least error"
		}
		fmt.Fprintf(s.out, "%-10s %-10s %-15s %-9s %-9s %-10s %s\n", fmt.Sprintf("%.3g Hz", r.Cutoff), fmt.Sprintf("%.3g Hz", r.Motion), r.Velocity,
			fmt.Sprintf("%.3g %%", r.Error), fmt.Sprintf("%.3g %%", r.RawError), fmt.Sprintf("%.4g", r.Condition), moved)
	}
	if best > 0 {
		fmt.Fprintf(s.out, "at the cut-off of ident fit, ident fit … %s has the least error: %.3g %% instead of %.3g %%\n", refitFlags(rows[best]), rows[best].Error, rows[0].Error)
	}
	fmt.Fprintln(s.out, "an error shrinks with the cut-off alone; look at whether the parameters stay")
}

// bestRefit returns the index of the row with the least error, by at least a twentieth, among those at the first row's
// cut-off: errors at other cut-offs are not comparable. 0 is the fit as it is.
func bestRefit(rows []project.Refit) int {
	best := 0
	for i, r := range rows {
		if r.Cutoff == rows[0].Cutoff && r.Error < 0.95*rows[0].Error && r.Error < rows[best].Error {
			best = i
		}
	}
	return best
}

// refitFlags returns the options of ident fit for a row.
func refitFlags(r project.Refit) string {
	velocity := "--velocity position --differentiator " + r.Velocity
	if r.Velocity == "measured" {
		velocity = "--velocity measured"
	}
	return fmt.Sprintf("--cutoff %.4g --motion-cutoff %.4g %s", r.Cutoff, r.Motion, velocity)
}

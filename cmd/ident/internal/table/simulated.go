package table

import (
	"fmt"
	"io"

	"ident/identify/experiment"
	"ident/internal/rowlist"
)

// Simulated prints what an experiment recorded.
func Simulated(w io.Writer, doc *experiment.Document) {
	fmt.Fprintf(w, "robot    %s, %s\n", doc.Robot.Name, rowlist.Plural(doc.Robot.DOF, "joint"))
	fmt.Fprintf(w, "motion   %s, %.10g s\n", doc.Trajectory, doc.Duration)
	fmt.Fprintf(w, "samples  %d at %.4g Hz, seed %d\n", doc.Samples, doc.Rate, doc.Seed)
	if doc.Faults != "" {
		fmt.Fprintf(w, "faults   %s\n", doc.Faults)
	}
	if doc.Rows > 0 && doc.Rows < doc.Samples {
		fmt.Fprintf(w, "rows     %d in the log\n", doc.Rows)
	}
	at := func(list []float64, i int) string {
		switch {
		case len(list) == 0:
			return "-"
		case len(list) == 1:
			i = 0
		}
		return fmt.Sprintf("%.3g", list[i])
	}
	fmt.Fprintf(w, "\n%-20s %11s %11s %11s %11s %11s %11s\n", "joint", "torque rms", "noise", "quantum", "velocity", "position", "count")
	for i, j := range doc.Joints {
		fmt.Fprintf(w, "%-20s %11.4g %11s %11s %11s %11s %11s\n", j, doc.RMSTorque[i], at(doc.Noise.Torque, i), at(doc.TorqueQuantum, i),
			at(doc.Noise.Velocity, i), at(doc.Noise.Position, i), at(doc.Encoder, i))
	}
	if doc.Tracking != nil {
		fmt.Fprintf(w, "\n%-20s %16s %16s\n", "joint", "tracking rms", "samples at limit")
		for i, j := range doc.Joints {
			fmt.Fprintf(w, "%-20s %16.3g %16d\n", j, doc.Tracking[i], doc.Limited[i])
		}
	}
	fmt.Fprintf(w, "\nlog      %s\n", doc.Output)
}

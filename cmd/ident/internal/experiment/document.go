package experiment

import (
	"fmt"
	"io"

	"ident/identify/design"
	"ident/identify/elastic"
	"ident/simulate"
)

// Document is the JSON document of ident simulate.
type Document struct {
	Schema     string       `json:"schema"`
	Robot      design.Robot `json:"robot"`
	Trajectory string       `json:"trajectory"`
	Output     string       `json:"output"`
	Samples    int          `json:"samples"`
	Rows       int          `json:"rows,omitempty"` // of the log, where faults leave some out
	Joints     []string     `json:"joints"`
	Channels   []string     `json:"channels"`
	simulate.Options
	RMSTorque []float64 `json:"rms_torque"` // exact, per joint
	// Tracking is the root mean square of the reference less the true position of each joint, and
	// Limited the number of samples in which its drive was at its limit; under a controller.
	Tracking []float64 `json:"rms_tracking_error,omitempty"`
	Limited  []int     `json:"samples_at_limit,omitempty"`
	// Springs are the elastic joints of a robot that has some.
	Springs []elastic.SimulatedSpring `json:"springs,omitempty"`
	Notes   []string                  `json:"notes,omitempty"`
}

// Text prints the document.
func (doc *Document) Text(w io.Writer) {
	fmt.Fprintf(w, "robot    %s, %d joints\n", doc.Robot.Name, doc.Robot.DOF)
	fmt.Fprintf(w, "motion   %s, %.10g s\n", doc.Trajectory, doc.Duration)
	fmt.Fprintf(w, "samples  %d at %g Hz, seed %d\n", doc.Samples, doc.Rate, doc.Seed)
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

package experiment

import (
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

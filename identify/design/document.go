package design

import (
	"ident/excite"
	"ident/excite/poses"
	"ident/identify/elastic"
	"ident/robot"
)

// Document is the JSON document of ident design-trajectory.
type Document struct {
	Schema     string          `json:"schema"`
	Robot      Robot           `json:"robot"`
	Output     string          `json:"output"`
	Outputs    []string        `json:"outputs"`
	Condition  Condition       `json:"condition_number"`
	Criterion  string          `json:"criterion"`
	Value      *float64        `json:"criterion_value"`
	Violations int             `json:"violations"`
	Margins    []excite.Margin `json:"margins"`
	// LimitSources says where each kind of limit comes from: the robot file, a setting, or assumed.
	LimitSources []string        `json:"limit_sources"`
	Distances    []Distance      `json:"distances,omitempty"`
	Predicted    []Prediction    `json:"predicted,omitempty"` // deviations, where the noise is given
	Weakest      []Weakness      `json:"weakest,omitempty"`   // directions, the least determined first
	Defaults     []string        `json:"defaults"`
	Unexcited    []string        `json:"unexcited,omitempty"`
	Notes        []string        `json:"notes,omitempty"`
	Terms        []string        `json:"terms"`
	Parameters   int             `json:"parameters"`
	Shape        string          `json:"shape"`
	Poses        [][]float64     `json:"poses,omitempty"`  // of a static design: one position a joint, in the order of the motion
	Passes       []poses.Pass    `json:"passes,omitempty"` // of a static design: the times at which they are passed slowly, and back
	Dither       *elastic.Dither `json:"dither,omitempty"` // of robots with elastic joints: torques beside the motion that shake the springs
	Harmonics    int             `json:"harmonics,omitempty"`
	Pieces       int             `json:"pieces,omitempty"`
	Segments     int             `json:"segments"`
	Period       float64         `json:"period_s"`
	Rate         float64         `json:"rate_hz,omitempty"` // of the samples; coefficients have none
	Seed         uint64          `json:"seed"`
	Stopped      bool            `json:"stopped"`
	Evals        int             `json:"evaluations"`
	Seconds      float64         `json:"seconds"`
}

// Distance is a distance to be kept, or a speed in space, at its worst moment.
type Distance struct {
	Constraint string  `json:"constraint"`
	Of         string  `json:"of"`
	Value      float64 `json:"value"`
	Limit      float64 `json:"limit"`
	Unit       string  `json:"unit"`
	At         float64 `json:"at_s"`
}

// Prediction is the predicted deviation of a base parameter, null where
// nothing determines it.
type Prediction struct {
	Name       string   `json:"name"`
	Expression string   `json:"expression"`
	Unit       string   `json:"unit"`
	Sigma      *float64 `json:"sigma"`
	Value      *float64 `json:"value,omitempty"` // value in the robot file, or in the result that the design follows
	Before     *float64 `json:"sigma_before,omitempty"`
}

// Weakness is a combination of base parameters, each in units of its own effect,
// and the joints whose torque shows it.
type Weakness struct {
	Parameters []Weight `json:"parameters"`
	Deviation  float64  `json:"deviation"`
	Before     *float64 `json:"deviation_before,omitempty"`
	Joints     []Share  `json:"joints"`
	Text       string   `json:"text"`
}

// Weight is a base parameter and its share in a direction, in units of its own effect.
type Weight struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
}

// Share is the part of the information on a direction that comes from one joint's torque.
type Share struct {
	Joint string  `json:"joint"`
	Share float64 `json:"share"`
}

// Condition holds condition numbers; one that is infinite is left out, as
// JSON has no infinity.
type Condition struct {
	Scaled *float64 `json:"scaled"`
	Raw    *float64 `json:"raw"`
}

// Robot identifies a robot file.
type Robot struct {
	Name   string `json:"name"`
	DOF    int    `json:"dof"`
	SHA256 string `json:"sha256"`
}

// RobotOf identifies a robot.
func RobotOf(r *robot.Robot) Robot {
	return Robot{Name: r.Name, DOF: len(r.Independent()), SHA256: r.Source.SHA256}
}

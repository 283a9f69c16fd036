package result

import (
	"fmt"
	"slices"
)

// Commanded is an identification without measured torques: from the commands and the positions of a robot under a law of
// control.
type Commanded struct {
	Controller string         `json:"controller"` // as given
	Parameters []LawParameter `json:"parameters"` // that were found
	PeriodS    float64        `json:"period_s"`   // of the law, s
	Commands   []string       `json:"commands"`   // channels of the commanded positions
	// SaturatedSamples are, by joint, the samples of the law whose torque the drive could not give.
	SaturatedSamples []int     `json:"saturated_samples"`
	Samples          int       `json:"samples"`
	PositionError    []float64 `json:"position_error"` // of the simulated motion, root mean square by joint, rad or m
	// ExplainedPercent is, by joint, the part of the power of the simulation's errors that signals of the commands explain beyond chance.
	ExplainedPercent []float64 `json:"explained_percent"`
}

// LawParameter is a gain, delay or encoder offset that an identification has found.
type LawParameter struct {
	Name  string  `json:"name"`
	Joint string  `json:"joint,omitempty"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Sigma float64 `json:"sigma"`
}

// lawExplainedPercent is the part of the errors of a simulated motion that commands may explain. On simulated logs of six joints
// chance leaves below 1 %, and a tenth of the commands' velocity that the law does not know leaves 56 to 96 %.
const lawExplainedPercent = 5

// judge judges whether the controller is the one declared.
func (c *Commanded) judge(joints []string, add func(id string, value, limit float64, why string) *Verdict) {
	if c == nil || len(c.ExplainedPercent) == 0 {
		return
	}
	worst := slices.Max(c.ExplainedPercent)
	v := add("controller", worst, lawExplainedPercent,
		fmt.Sprintf("signals of the commands explain %.2g %% of the errors of the simulated motion of %s; of a law and a robot as declared they explain none", worst, joints[slices.Index(c.ExplainedPercent, worst)]))
	v.Makes, v.Fix = Doubtful, "another law or another rate in {controller}, its limits, an unknown delay (delay=?), or terms that the model lacks"
}

package result

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
}

// LawParameter is a gain, delay or encoder offset that an identification has found.
type LawParameter struct {
	Name  string  `json:"name"`
	Joint string  `json:"joint,omitempty"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Sigma float64 `json:"sigma"`
}

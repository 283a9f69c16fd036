package result

// Decision is a choice that was made on the training data alone.
type Decision struct {
	Decision   string      `json:"decision"` // "velocity", "coupling", "physically-consistent", "prior", "terms", …
	Candidates []Candidate `json:"candidates,omitempty"`
	Chosen     string      `json:"chosen"`
	Why        string      `json:"why"`
}

// Candidate is one of the possible choices with its figure, the simplest first.
type Candidate struct {
	Choice  string  `json:"choice"`
	Figure  string  `json:"figure"` // "cross-validation", or that of signals
	Percent float64 `json:"percent"`
}

// CrossValidated names the figure of candidates whose error was measured on rows left
// out of the estimate.
const CrossValidated = "cross-validation"

// CrossValidatedMotion is CrossValidated on the rows of joints in motion alone.
const CrossValidatedMotion = "cross-validation, moving"

// AccelerationError names the figure of sources of velocities: noise and distortion as a part of the power of the
// accelerations from them, in the joint that fares worst.
const AccelerationError = "noise of accelerations"

// MotionError names the figure of cut-offs of the motion: the noise that the low-pass leaves and the motion that it takes, as a
// part of the power of the rows' accelerations, in the joint that fares worst.
const MotionError = "noise and distortion"

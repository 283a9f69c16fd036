package doctor

import "slices"

// Severity says what a finding means for a fit.
type Severity string

const (
	Error   Severity = "error"   // the answer would be wrong, or there is none
	Warning Severity = "warning" // the answer suffers, or needs an option
	Info    Severity = "info"    // worth knowing
)

// rank orders severities; an unknown one counts as the least.
func (s Severity) rank() int {
	return slices.Index([]Severity{Info, Warning, Error}, s)
}

// The kinds of finding. They are the ids of the ident.check/1 document.
const (
	ClockRate              = "clock-rate"
	ClockJitter            = "clock-jitter"
	ClockGap               = "clock-gap"
	ClockRepeat            = "clock-repeat"
	ClockBackward          = "clock-backward"
	LagVelocity            = "lag-velocity"
	LagTorque              = "lag-torque"
	Units                  = "units"
	GearRatio              = "gear-ratio"
	Sign                   = "sign"
	Coupling               = "coupling"
	Stuck                  = "stuck"
	Saturated              = "saturated"
	Quantised              = "quantised"
	Dead                   = "dead"
	Dropout                = "dropout"
	Spike                  = "spike"
	EdgeTransient          = "edge-transient"
	FrictionNotDissipative = "friction-not-dissipative"
	Drift                  = "drift"
	Gravity                = "gravity"
	JointOrder             = "joint-order"
	Offset                 = "offset"
	CurrentAsTorque        = "current-as-torque"
	Aliasing               = "aliasing"
	ExcitationCollinear    = "excitation-collinear"
	ExcitationSmall        = "excitation-small"
)

// A Finding is one thing that Check noticed. Value and Limit are always finite, so that a Finding can
// be written as JSON.
type Finding struct {
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	Channel  string   `json:"channel"` // the log's own name, "" where no single channel is meant
	Joint    string   `json:"joint"`   // the robot's own name, "" where no single joint is meant
	Value    float64  `json:"value"`   // the evidence as one number, what it is stands in Why
	Limit    float64  `json:"limit"`   // what Value should not have passed
	Where    string   `json:"where"`   // rows (counted from 1) and times
	Why      string   `json:"why"`     // what was seen, and the likely cause
	Fix      string   `json:"fix"`     // the option or the line of ident.yaml that repairs it
}

// Worst is the highest severity among findings, "" where there are none.
func Worst(f []Finding) Severity {
	worst := Severity("")
	for _, x := range f {
		if x.Severity.rank() > worst.rank() {
			worst = x.Severity
		}
	}
	return worst
}

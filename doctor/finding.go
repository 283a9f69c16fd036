package doctor

import (
	"cmp"
	"math"
	"slices"

	"ident/datasets"
	"ident/doctor/internal/trialfit"
	"ident/internal/rowlist"
)

// Severity is the consequence of a finding for a fit: see the package comment.
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

// The kinds of finding: the ids in the ident.check/1 document.
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
	Copied                 = "copied"
	Spike                  = "spike"
	EdgeTransient          = "edge-transient"
	FrictionNotDissipative = "friction-not-dissipative"
	Drift                  = "drift"
	Gravity                = "gravity"
	Payload                = "payload"
	JointOrder             = "joint-order"
	Offset                 = "offset"
	CurrentAsTorque        = "current-as-torque"
	Aliasing               = "aliasing"
	ExcitationCollinear    = "excitation-collinear"
	ExcitationSmall        = "excitation-small"
	RobotMismatch          = "robot-mismatch"
	ImpossibleScale        = "impossible-scale"
	Skipped                = "skipped" // checks that were not made, with the reason in Why
)

// A Finding is one thing that Check has found. Value and Limit are always finite, so that a Finding can be written as
// JSON.
type Finding struct {
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	Channel  string   `json:"channel"` // name of the channel in the log; "" if the finding concerns no single channel
	Joint    string   `json:"joint"`   // name of the joint in the robot file; "" if the finding concerns no single joint
	Value    float64  `json:"value"`   // the evidence as one number, explained in Why
	Limit    float64  `json:"limit"`   // threshold on Value
	Where    string   `json:"where"`   // rows (counted from 1) and times
	// Spans are the times that Where names, from and to in seconds since the log's first row: of rows the first few. It is
	// nil if the finding concerns the whole log.
	Spans [][2]float64 `json:"spans,omitempty"`
	Why   string       `json:"why"` // the evidence, and the likely cause
	Fix   string       `json:"fix"` // the setting that repairs it: its repair was tried. It names a setting as {key}, and the repaired log of Mend as {mend}
	// Hint is advice where there is no Fix: nothing that could be tried, or a repair that was declined.
	Hint string `json:"hint,omitempty"`
	// Tried is the outcome of the repair, applied in memory and judged again; zero if it was not tried.
	Tried Trial `json:"tried,omitzero"`
	// Group lists the ids of causes that the log cannot tell apart, this one first; nil if it stands alone.
	Group []string `json:"group,omitempty"`
	// Explains is the part of what a flexible model removes that the cause removes; 0 if it was not judged.
	Explains float64 `json:"explains,omitempty"`
	// Class of what is unexplained: static if it follows the state of the robot, in-time if it follows the time, otherwise unclear.
	Class string `json:"class,omitempty"`
	// Nearest lists the known causes that explain most of what is unexplained, none of them attested.
	Nearest []Nearest `json:"nearest,omitempty"`
	// Repair is Fix in machine-readable form; empty if only a new recording helps.
	Repair Repair `json:"repair,omitzero"`

	// Excess is "" of what was measured on channels. Of a cause that torques are said to have it is ExcessMeasured or ExcessNone.
	Excess Excess `json:"excess,omitempty"`

	ofFile   bool          // found with the robot file's bodies
	replaces bool          // a finding about channels that was taken out for it
	couples  trialfit.Pair // the joints with which a drive turns; zero for other findings
	stepped  *stepped      // when a torque changes; nil for other findings
	slipped  bool          // a position steps once; see slips
	unsigned bool          // an effort without its sign; see amounts
	instead  bool          // a position is reversed and not its torque; see positionInstead
	possible []string      // units that the size of a position allows, where these are several; see mending.chosen
}

// at says where the finding lies.
func (f *Finding) at(where *rowlist.List, t rowlist.Times) {
	f.Where, f.Spans = where.Place(t), where.Spans(t)
}

// Advice returns the fix, or the hint where there is none.
func (f *Finding) Advice() string { return cmp.Or(f.Fix, f.Hint) }

// Repair says how to remedy a finding: by settings of a fit, or by edits that make a new log.
type Repair struct {
	Settings []Setting `json:"settings,omitempty"`
	Edits    []Edit    `json:"edits,omitempty"`
	// MendLog fits the log freely before and after the repair. The errors are those on stretches left out, relative to the changes of
	// each torque: the geometric mean over the joints, in the band of the trials. They are larger than a fit's.
	Tried       bool    `json:"tried,omitempty"`
	ErrorBefore float64 `json:"error_before,omitempty"`
	ErrorAfter  float64 `json:"error_after,omitempty"`
	Written     bool    `json:"written,omitempty"`
}

// IsZero reports whether the repair is empty.
func (r Repair) IsZero() bool { return len(r.Settings) == 0 && len(r.Edits) == 0 }

// setting returns a repair by one entry of ident.yaml.
func setting(key, name, value string) Repair {
	return Repair{Settings: []Setting{{key, name, value}}}
}

// unit returns the repair of a channel in another unit: name is that unit, si its size in SI units.
func unit(channel, name string, si float64) Repair {
	r := setting("units", channel, name)
	r.Edits = []Edit{{Channel: channel, Scale: si}}
	return r
}

// A Setting is an entry of ident.yaml: Key: Value, or Key: {Name: Value}.
type Setting struct {
	Key   string `json:"key"`
	Name  string `json:"name,omitempty"`
	Value string `json:"value"`
}

// An Edit is a change of a log. Channel is the log's name of the changed channel, whose new value is
//
//	Scale·x(t + Advance) + Offset + Ramp·(t - middle)/length
//
// with a Scale of 0 standing for one, and x the values of From in the log as it is, where that is named.
// Rows, if any, are left out instead; with a Channel, only its values in them are replaced, by interpolation.
type Edit struct {
	Channel string  `json:"channel,omitempty"`
	From    string  `json:"from,omitempty"`
	Scale   float64 `json:"scale,omitempty"`
	Offset  float64 `json:"offset,omitempty"`
	Ramp    float64 `json:"ramp,omitempty"`
	Advance float64 `json:"advance_s,omitempty"`
	// Unwrap removes jumps of this size, made by values that wrap around the end of their range.
	Unwrap float64 `json:"unwrap,omitempty"`
	// Reverse reverses the order of the rows of all channels except Channel, which must be the clock, unless its times descend.
	Reverse bool `json:"reverse,omitempty"`
	// Since is the first row to change. Scale then multiplies the change since the row before it.
	Since int                 `json:"since,omitempty"`
	Rows  []datasets.RowRange `json:"rows,omitempty"`
}

// Worst returns the highest severity among findings, "" if there are none.
func Worst(f []Finding) Severity {
	worst := Severity("")
	for _, x := range f {
		if x.Severity.rank() > worst.rank() {
			worst = x.Severity
		}
	}
	return worst
}

// findings of the stages so far, in order.
type findings []Finding

// add appends findings and makes their figures finite: those of damaged logs may have overflowed.
func (f *findings) add(more ...Finding) {
	for _, x := range more {
		x.Value, x.Limit = finite(x.Value), finite(x.Limit)
		*f = append(*f, x)
	}
}

// keep adds the finding of a check, if it made one.
func (f *findings) keep(x Finding, ok bool) {
	if ok {
		f.add(x)
	}
}

func finite(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return min(max(x, -math.MaxFloat64), math.MaxFloat64)
}

// has reports whether there is a finding of a kind about a channel.
func (f findings) has(id string, c *channel) bool {
	return slices.ContainsFunc(f, func(x Finding) bool { return x.ID == id && x.Channel == c.name })
}

// sort sorts the findings by severity, the gravest first, and keeps the order among equals.
func (f findings) sort() {
	slices.SortStableFunc(f, func(a, b Finding) int { return cmp.Compare(b.Severity.rank(), a.Severity.rank()) })
}

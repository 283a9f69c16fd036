package summary

import (
	"encoding/json"

	"ident/estimate"
	"ident/observation"
)

// Version of the format. A newer minor version adds fields that readers may ignore.
const (
	Major = 1
	Minor = 0
)

// Summary is all that fits need of some logs of one robot, by one model and one signal path. The zero value is no
// summary; those of Merge and Decode are valid. The memory of blocks is shared between summaries: nobody changes it.
type Summary struct {
	Robot      Robot
	Model      Model
	Processing Processing
	// Settings are those of the project that robot and model were made with, as a result's configuration has them, without
	// those of files and of the signal path.
	Settings json.RawMessage
	Runs     []Run // in the order of their keys
}

// Robot is the robot's file.
type Robot struct {
	Name   string `json:"name"`
	Format string `json:"format"` // urdf, par, yaml, …
	SHA256 string `json:"sha256"` // hash of Text
	Text   string `json:"text"`
}

// Model is the model of the rows: the base parameters of the terms, and further columns that the choice of terms selects from.
type Model struct {
	Terms   []string `json:"terms"`
	Offered []string `json:"offered,omitempty"` // names of further terms whose columns the rows also have
	Columns []string `json:"columns"`           // names of the base parameters, then of the further columns
	Base    int      `json:"base"`              // number of base parameters
	Masks   [][]int  `json:"masks"`             // by equation (one per joint for most models): its columns, ascending
}

// Processing is the signal path as resolved: the same settings make the same rows of the same log. Frequencies in hertz,
// times in seconds; lists by joint.
type Processing struct {
	Model string `json:"model"`
	observation.Path
	MotionOrder         int       `json:"motion_order"` // of the path, whose own is zero here: summaries have another name for it
	KeepRate            float64   `json:"keep_rate_hz"` // lowest rate at which rows are kept, Hz; 0 keeps all
	Window              float64   `json:"window_s"`
	TorqueThroughMotion bool      `json:"torque_through_motion"`
	RemoveSteps         bool      `json:"remove_steps"` // samples at steps of the acceleration are left out
	Rest                string    `json:"rest"`         // keep, drop, auto (rows at rest have factors of their own)
	RestRange           []float64 `json:"rest_range,omitempty"`
	RestSeconds         []float64 `json:"rest_s,omitempty"`
	Torque              string    `json:"torque"` // torque, current or voltage
	Gains               []float64 `json:"gains,omitempty"`
	MaxBlocks           int       `json:"most_blocks"` // upper limit for one run; 0 for all that the signal path produces
}

// Run is one log of a summary.
type Run struct {
	Name      string    `json:"name"`
	SHA256    string    `json:"sha256,omitempty"` // hash of the log file
	First     int       `json:"first"`            // rows [First, Last) of the log
	Last      int       `json:"last"`
	Start     float64   `json:"start_s"`  // time of the first row; with Absolute since 1970-01-01 UTC
	Absolute  bool      `json:"absolute"` // the log's clock is a calendar's
	Seconds   float64   `json:"seconds"`  // from the first row to the last
	Rate      float64   `json:"rate_hz"`
	Resampled bool      `json:"resampled,omitempty"` // its clock was not uniform
	Segments  int       `json:"segments"`            // gap-free pieces
	Findings  []Finding `json:"findings,omitempty"`
	// ResolvedSpeeds is, by joint, the slowest of the velocities offered to Stribeck friction that the samples resolve.
	ResolvedSpeeds []int `json:"resolved_speeds,omitempty"`
	// Prints are the smallest fingerprints of the run's samples, ascending.
	Prints []uint64 `json:"-"`
	Blocks []Block  `json:"-"`
}

// Finding is one of the doctor's, as results state them.
type Finding struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Joint    string `json:"joint,omitempty"`
	Why      string `json:"why"`
	Fix      string `json:"fix,omitempty"`
}

// Block is a time block: a factor for each equation, over the columns of its mask.
type Block struct {
	Joints []*estimate.Factor
	AtRest []*estimate.Factor // factors of the rows at rest, which Joints leaves out; nil for none
	State  []float64          // mean of the motion, see estimate.TimeBlock; nil where it is not known
}

// Rows returns the number of rows of the equation that has the most, rows at rest included.
func (s *Summary) Rows() int {
	most := 0
	for k := range s.Model.Masks {
		n := 0
		for _, r := range s.Runs {
			for _, b := range r.Blocks {
				n += b.Joints[k].Rows
				if b.AtRest != nil {
					n += b.AtRest[k].Rows
				}
			}
		}
		most = max(most, n)
	}
	return most
}

// Reduction returns the rows of the runs in their order as the estimators take them, those in motion, and the blocks of
// rows at rest beside them, without joints where there are none.
func (s *Summary) Reduction() (moving *estimate.Reduction, rest []estimate.TimeBlock) {
	moving = estimate.NewReduction(len(s.Model.Columns), s.Model.Masks)
	for i, r := range s.Runs {
		for _, b := range r.Blocks {
			moving.Append(estimate.TimeBlock{Run: i, Joints: b.Joints, State: b.State})
			rest = append(rest, estimate.TimeBlock{Run: i, Joints: b.AtRest})
		}
	}
	return moving, rest
}

package regression

import (
	"context"

	"ident/observation"
	"ident/result"
)

// Run is one stretch of one log.
type Run = observation.Run

// Kind is an identification model: how rows are made of motion and torques.
type Kind = observation.Kind

// The models.
const (
	Dynamic  = observation.Dynamic
	Energy   = observation.Energy
	Power    = observation.Power
	Filtered = observation.Filtered
	Momentum = observation.Momentum
)

// Kinds lists the models.
func Kinds() []Kind { return observation.Kinds() }

// Differentiators: how velocities and accelerations are made of positions.
const (
	Central       = observation.Central
	SavitzkyGolay = observation.SavitzkyGolay
	Kalman        = observation.Kalman
)

// Differentiators lists them, the default first.
func Differentiators() []string { return observation.Differentiators() }

// Errors at a row of a log.
type (
	// RowError states the row and the reason where a row cannot be used.
	RowError = observation.RowError
	// LoopError states the row to which the loops of the robot cannot be followed.
	LoopError = observation.LoopError
	// LeakError states two runs that hold the same samples.
	LeakError = observation.LeakError
)

// ErrBadRow is wrapped by the first two.
var ErrBadRow = observation.ErrBadRow

// Trained tells which of the logs that trained a result hold samples of a run, by
// the fingerprints that the result keeps; nil for none.
func Trained(ctx context.Context, logs []result.LogInfo, run *Run) ([]string, error) {
	var kept [][]uint64
	for i := range logs {
		kept = append(kept, logs[i].Fingerprints())
	}
	shared, err := observation.SharedSamples(ctx, kept, run)
	var names []string
	for _, i := range shared {
		names = append(names, logs[i].Name)
	}
	return names, err
}

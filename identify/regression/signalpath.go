package regression

import (
	"context"
	"slices"

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

// Differentiators returns the names, the default first.
func Differentiators() []string { return observation.Differentiators() }

// Errors at a row of a log.
type (
	// RowError gives the row that cannot be used and the reason.
	RowError = observation.RowError
	// LoopError gives the row at which the robot's loops could not be followed.
	LoopError = observation.LoopError
	// LeakError names two runs that hold the same samples.
	LeakError = observation.LeakError
)

// ErrBadRow is wrapped by RowError and LoopError.
var ErrBadRow = observation.ErrBadRow

// Trained returns the names of a result's training logs that share samples with run, by the fingerprints in the
// result; nil if none does.
func Trained(ctx context.Context, logs []result.LogInfo, run *Run) ([]string, error) {
	var kept, rows [][]uint64
	for i := range logs {
		successive, single := logs[i].Fingerprints()
		kept, rows = append(kept, successive), append(rows, single)
	}
	shared, err := observation.SharedSamples(ctx, kept, run)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range logs {
		copied := slices.Contains(shared, i)
		if !copied {
			if copied, err = observation.AreRowsOf(ctx, rows[i], run); err != nil {
				return nil, err
			}
		}
		if copied {
			names = append(names, logs[i].Name)
		}
	}
	return names, nil
}

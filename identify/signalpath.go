package identify

import "ident/observation"

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
)

// ErrBadRow is wrapped by both.
var ErrBadRow = observation.ErrBadRow

package observation

import (
	"fmt"
	"math"
)

// Kind is an identification model: how rows are made from a robot's motion and torques. All kinds have the same columns.
type Kind string

// The models. Only the dynamic one needs accelerations.
const (
	Dynamic  Kind = "dynamic"  // F(τ) = F(Y)·χ
	Energy   Kind = "energy"   // ∫q̇ᵀτ dt = Δh·χ between instants
	Power    Kind = "power"    // F(q̇ᵀτ) = F(d/dt h)·χ
	Filtered Kind = "filtered" // F(τ) = (F'(D1) + F(D2))·χ, F causal with real poles
	Momentum Kind = "momentum" // ∫τ dt = (ΔD1 + ∫D2 dt)·χ between instants
)

// Kinds returns the models.
func Kinds() []Kind { return []Kind{Dynamic, Energy, Power, Filtered, Momentum} }

// OfEnergy reports whether the model has one row per sample for all joints together.
func (k Kind) OfEnergy() bool { return k == Energy || k == Power }

// Sources of velocities and accelerations.
const (
	Auto         = "auto"     // Choose decides
	Measured     = "measured" // the log's channel, through the motion filter
	FromPosition = "position" // differences of filtered positions
	FromVelocity = "velocity" // only for accelerations: differences of velocities, measured or not
)

// Path names the filters and derivatives between a log and its rows, as users set them and as documents tell them. The rows of
// two logs with the same path can be compared. Frequencies are in hertz, times in seconds. What zero means is said by the
// settings, the result or the summary that contains the path.
type Path struct {
	Cutoff         float64   `json:"cutoff_hz"`                     // low-pass of the torque and of every regressor column
	MotionCutoff   float64   `json:"motion_cutoff_hz"`              // low-pass of the motion before differentiation
	Differentiator string    `json:"differentiator,omitempty"`      // of positions: "central", "savitzky-golay" or "kalman"; documents leave "central" out
	Order          int       `json:"filter_order"`                  // order of the Butterworth filters, before forward-backward doubling
	MotionOrder    int       `json:"motion_filter_order,omitempty"` // order of the motion's low-pass, likewise; 0 if it is filter_order
	Decimate       int       `json:"decimate"`                      // > 1: FIR decimation in place of the low-pass of both sides
	Trim           float64   `json:"trim_s"`                        // cut from both ends of every segment
	Velocity       string    `json:"velocity"`                      // "measured" or "position"; in settings also "auto"
	VelocityLag    []float64 `json:"velocity_lag_s,omitempty"`      // delay of the measured velocities that is removed, by joint; nil for none
	Acceleration   string    `json:"acceleration"`                  // "measured", "velocity" or "position"; in settings also "auto"
}

// Valid returns an error, which names the member of the document, if a number of the path is one that no filter has.
func (p *Path) Valid() error {
	for _, n := range []struct {
		name  string
		value float64
	}{{"cutoff_hz", p.Cutoff}, {"motion_cutoff_hz", p.MotionCutoff}, {"filter_order", float64(p.Order)}, {"motion_filter_order", float64(p.MotionOrder)},
		{"decimate", float64(p.Decimate)}, {"trim_s", p.Trim}} {
		if !(n.value >= 0) || math.IsInf(n.value, 1) {
			return fmt.Errorf("%s is %g, which cannot be negative", n.name, n.value)
		}
	}
	return nil
}

// Settings of the signal path. A frequency of zero means no such filter.
type Settings struct {
	Model Kind
	Path
	KeepRate float64 // > 0: rows of the dynamic model behind the low-pass are kept at this rate or above it, in Hz; 0 keeps all
	Window   float64 // length of the windows of the energy and momentum models, s; 0 chooses it from the other settings
	// TorqueThroughMotion also passes the torque through the motion's low-pass, for rows of the dynamic model.
	TorqueThroughMotion bool
	RemoveLag           bool     // Choose measures VelocityLag where Velocity is Auto
	Rest                RestRule // rule for rest of the joints, for rows of the dynamic model; the zero value detects none
	Steps               StepRule // rule for steps of accelerations, for rows of the dynamic model behind the low-pass; the zero value detects none
}

// Differentiators: how velocities and accelerations are computed from positions.
const (
	Central       = "central"        // zero-phase Butterworth at MotionCutoff, then five-point differences
	SavitzkyGolay = "savitzky-golay" // local cubics, over a window that passes the band of MotionCutoff
	Kalman        = "kalman"         // Kalman smoother for white jerk, whose gain is one half at MotionCutoff
)

// Differentiators returns the names, the default first.
func Differentiators() []string { return []string{Central, SavitzkyGolay, Kalman} }

// Choice is the source of velocities and accelerations for all runs of an
// identification, with the reasons for it.
type Choice struct {
	Velocity     string    // Measured or FromPosition
	VelocityLag  []float64 // delay of the measured velocities, by joint, s; nil for none
	Acceleration string    // Measured, FromVelocity or FromPosition
	Reasons      []string
}

// Available reports whether a run has the channels of the choice.
func (c Choice) Available(run *Run) bool {
	return (c.Velocity != Measured || run.HasVelocities()) && (c.Acceleration != Measured || run.HasAccelerations())
}

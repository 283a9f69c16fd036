package regression

import (
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"

	"ident/estimate"
	"ident/observation"
	"ident/physical"
)

// Config holds the settings of an identification. The zero value is a good default: the cut-offs follow from the
// sampling rate of the first run, half a second is cut from both ends of every run, and the rest is "auto". Frequencies
// are in hertz.
type Config struct {
	Plain       bool                  // use the defaults of version 0.2.0: only the source of velocities is decided from the data
	Choices     Choices               // decisions that the training data may make; the zero value makes none
	Model       Kind                  // identification model; "" is Dynamic
	Known       map[string]float64    // values of known columns, by name
	KnownSigma  map[string]float64    // standard deviations of known columns; those that are missing are exact
	Window      float64               // seconds of the windows of the energy and momentum models; 0 follows from the other settings
	KeepRows    string                // KeepAll, or "" for KeepAuto
	Rest        string                // what to do with rows of joints at rest in the dynamic model: RestAuto, RestKeep or RestDrop; "" means auto, with Plain keep
	RestRule    *observation.RestRule // detects rest; nil derives the rule from the noise of the runs
	DropBad     bool                  // leave out rows that cannot be used; otherwise they are an error
	Weighting   estimate.Weighting
	Estimator   Choice                // estimator; nil for least squares with Weighting
	Bootstrap   *Bootstrap            // if not nil, bootstrap whole periods of the motion
	Consistent  *physical.BodyOptions // if not nil, take the nearest feasible estimate
	Prior       *PriorSource          // prior of a feasible estimate; nil means the robot file with weight 1e-4
	Servo       *Servo                // controller and reference; nil if unknown
	MinimumNorm bool                  // accept rank-deficient data, with the solution of smallest norm
	Seed        uint64
	Immobile    []int // links whose joints do not move though their torques are measured
	Unactuated  []int // links whose joints are moved by an unmeasured force; their rows are excluded from the fit
	Workers     int   // 0 is one for each processor
	SeriesLimit int   // upper limit of residual samples kept for each run; 0 means 100 000
	Progress    func(stage string, done, total int)

	// Path is the signal path. A zero is a default: for Cutoff observation.DefaultCutoff, or none with Decimate; MotionCutoff
	// follows from Cutoff and the noise of the motion; for Order DefaultOrder; for Trim DefaultTrim; Velocity and Acceleration
	// are "auto", which also measures VelocityLag; Differentiator is Central. NoFilter and NoTrim turn a filter or the trim off.
	observation.Path

	// Fixed fixes the whole signal path; nil derives it from the settings above and from the runs. With a Fixed path the rows
	// and time blocks of each run depend on that run alone, so that runs reduced separately have the same.
	Fixed *FixedPath

	chunk int // samples of a chunk; 0 leaves the choice to Filters.Plan
	long  int // training samples from which on a part of the rows is kept; 0 is longRecording

	// Once resolved is set, zero in Cutoff, MotionCutoff and Trim means no filter and no trim, not the default.
	resolved    bool
	wholeMotion bool    // the low-pass of the motion takes nothing from it
	keepSteps   bool    // the samples at steps of accelerations are not eliminated: the estimate of a log that is followed waits less
	keepRate    float64 // lowest rate at which rows are kept, Hz; 0 keeps all
	motionAuto  bool    // MotionCutoff follows from Cutoff and the noise of the motion
}

// Values that turn off a filter or the trim.
const (
	NoFilter = -1.0 // value of Cutoff and MotionCutoff for no filter
	NoTrim   = -1.0 // value of Trim that cuts nothing
)

// DefaultTrim is the time in seconds that is cut from both ends of a run. Filters and differences have settled by then
// if the motion starts from rest.
const DefaultTrim = 0.5

// DefaultOrder is the order of the zero-phase Butterworth filters; forward and backward make it four. Higher orders
// ring: every reversal of a joint sends the step of its Coulomb friction through the filter.
const DefaultOrder = 2

// withDefaults returns the configuration with its defaults filled in; the first run gives the sampling rate.
func (c Config) withDefaults(runs []Run) Config {
	c.follow()
	if !c.resolved {
		c.resolve(runs)
	}
	if c.Model == "" {
		c.Model = Dynamic
	}
	if c.Order == 0 {
		c.Order = DefaultOrder
	}
	if c.Decimate < 1 {
		c.Decimate = 1
	}
	if c.Velocity == "" {
		c.Velocity = observation.Auto
	}
	if c.Acceleration == "" {
		c.Acceleration = observation.Auto
	}
	if c.Differentiator == "" {
		c.Differentiator = observation.Central
	}
	c.restDefault()
	if c.Weighting == "" {
		c.Weighting = estimate.WLS
	}
	if c.Workers <= 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.long == 0 {
		c.long = longRecording
	}
	if c.SeriesLimit <= 0 {
		c.SeriesLimit = 100_000
	}
	if c.Progress == nil {
		c.Progress = func(string, int, int) {}
	}
	return c
}

// resolve chooses the cut-offs and the trim that are not given. It leaves other negative values than NoFilter and NoTrim
// for validate to refuse.
func (c *Config) resolve(runs []Run) {
	c.resolved, c.motionAuto = true, c.MotionCutoff == 0
	switch {
	case c.Cutoff == NoFilter:
		c.Cutoff = 0
	case c.Cutoff == 0 && c.Decimate <= 1 && len(runs) > 0:
		c.Cutoff = observation.DefaultCutoff(observation.Rate(runs[0].Log, runs[0].Roles.T))
	}
	if c.MotionCutoff == NoFilter {
		c.MotionCutoff = 0
	}
	switch c.Trim {
	case NoTrim:
		c.Trim = 0
	case 0:
		c.Trim = DefaultTrim
	}
}

// settings returns the settings of the signal path.
func (c *Config) settings() observation.Settings {
	if c.Fixed != nil {
		return c.Fixed.settings(c)
	}
	s := observation.Settings{Model: c.Model, Path: c.Path, KeepRate: c.keepRate, Window: c.Window, RemoveLag: !c.Plain,
		TorqueThroughMotion: !c.Plain && !c.wholeMotion && c.MotionCutoff >= c.Cutoff/torqueReach && c.MotionCutoff < motionReach*c.Cutoff}
	if c.Rest != RestKeep && c.RestRule != nil {
		s.Rest = *c.RestRule
	}
	return s
}

// Measured returns the indices of the joints with measured torques, or nil if all are. links holds the joints' link
// indices.
func (c *Config) Measured(links []int) []int {
	if len(c.Unactuated) == 0 {
		return nil
	}
	var rows []int
	for k, l := range links {
		if !slices.Contains(c.Unactuated, l) {
			rows = append(rows, k)
		}
	}
	return rows
}

func (c Config) validate() error {
	switch {
	case len(c.Unactuated) > 0 && c.Model.OfEnergy():
		return fmt.Errorf("model %q: the power that moves the base is not known; take a model with a row for each joint: dynamic, filtered or momentum", c.Model)
	case slices.ContainsFunc(slices.Collect(maps.Values(c.KnownSigma)), func(s float64) bool { return !(s >= 0) || math.IsInf(s, 1) }):
		return fmt.Errorf("deviations of known parameters must be finite and not negative: %v", c.KnownSigma)
	case !(c.Cutoff >= 0 && c.MotionCutoff >= 0):
		return fmt.Errorf("cut-off frequencies must be 0 or positive, not %.4g and %.4g Hz", c.Cutoff, c.MotionCutoff)
	case !(c.Window >= 0):
		return fmt.Errorf("a window must be 0 or positive, not %g s", c.Window)
	case !slices.Contains(Kinds(), c.Model):
		return &UnknownKindError{string(c.Model)}
	case !(c.Trim >= 0):
		return fmt.Errorf("a trim must be 0 or positive, not %g s", c.Trim)
	case c.Velocity != observation.Auto && c.Velocity != observation.Measured && c.Velocity != observation.FromPosition:
		return fmt.Errorf("velocity %q: must be auto, measured or position", c.Velocity)
	case c.Acceleration != observation.Auto && c.Acceleration != observation.Measured && c.Acceleration != observation.FromVelocity && c.Acceleration != observation.FromPosition:
		return fmt.Errorf("acceleration %q: must be auto, measured, velocity or position", c.Acceleration)
	case c.Rest != RestAuto && c.Rest != RestKeep && c.Rest != RestDrop:
		return fmt.Errorf("rest %q: must be auto, keep or drop", c.Rest)
	case c.Rest == RestDrop && c.Model != Dynamic:
		return fmt.Errorf("rest %q cannot be used with model %q; rows at rest can be left out of the dynamic model only", c.Rest, c.Model)
	case c.Weighting != estimate.OLS && c.Weighting != estimate.WLS:
		return fmt.Errorf("estimator %q: must be ols or wls", c.Weighting)
	}
	return nil
}

// motionReach is the ratio of the motion cut-off to the cut-off of both sides, if the motion is differentiated from
// positions.
const motionReach = 5

// torqueReach is the ratio of the cut-off of both sides to the motion cut-off, up to which the torque goes through the
// motion's filter. Products of the motion have harmonics above the motion cut-off; a lower filter would remove them from
// the torque only.
const torqueReach = 3

// motionCutoff returns the highest motion cut-off, for a configuration that sets none; noisy positions need a lower one
// (recording.choose). Measured velocities are already smoothed by the robot and take the cut-off of both sides.
// Positions pass well above it: the parallel low-pass removes the noise of the differences, while smoothing the motion
// itself would shift the reversals at which friction changes sign, which no later filter mends. With decimation there is
// no other low-pass, so a lone cut-off is the motion's.
func (c *Config) motionCutoff(velocity string, rate float64) float64 {
	if c.Decimate > 1 || velocity == observation.Measured {
		return c.Cutoff
	}
	return min(motionReach*c.Cutoff, max(c.Cutoff, 0.4*rate))
}

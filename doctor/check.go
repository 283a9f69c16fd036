package doctor

import (
	"context"
	"errors"
	"slices"

	"ident/datasets"
	"ident/doctor/causes"
	"ident/doctor/trialfit"
	"ident/filter"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// Options of Check. The zero value is the default.
type Options struct {
	// Gains turn motor currents into joint torques, N·m/A or N/A, one a joint of the roles; nil where
	// none were given, which leaves those of the robot file.
	Gains []float64
	// Gravity in the base frame, m/s²; nil is the robot's own.
	Gravity *[3]float64
	// Terms of the model whose excitation is judged; nil is links, rotor inertia, viscous and Coulomb
	// friction and offset, as in a fit without a choice of terms.
	Terms []regressor.Term
	// Lock holds the positions of joints that the log does not hold, by joint name; absent is zero.
	Lock map[string]float64
	// Immobile are the links of joints that do not move though their torques are measured.
	Immobile []int
	// Trim is the length that the fit will cut from both ends, seconds. Edge transients within it are
	// only mentioned.
	Trim float64
	// Rate is the sampling rate that was declared for the log, Hz; 0 where none was.
	Rate float64
	// Rows of a joint's equation at most that an Examination keeps for Between; 0 keeps all, a negative number none.
	Rows int
	// HeldOut is a log that nothing is fitted to: it may excite as little as it likes.
	HeldOut bool
	// Models are shared by the logs of one robot with the same Gravity, Terms, Immobile and Seed; nil makes them for one log.
	Models *Models
	// Read is given all rows in order as they are read, a slice a channel; nil for nothing.
	Read func(names []string, cols [][]float64)
	// Seed of the random states of the base parameters, and of the noise that excitation is held against.
	Seed uint64
}

// Models are those of a robot that examinations share, one after another. The first one fills the zero value.
type Models struct {
	*trialfit.Models
	causes *causes.Models
}

// ErrNoClock: the roles name no time channel.
var ErrNoClock = errors.New("doctor: no time channel")

// fewest is the number of rows below which nothing about signals can be said.
const fewest = 50

// Check reads the log once for its clock and once for everything else, and returns its findings, the
// gravest first. The roles have one entry for each moving joint of the robot, or for each of its
// independent ones, in the robot's order; other lengths panic. An error means that the log could not be
// read, the robot not be computed with or ctx is done, never a fault in the data: that is a Finding.
func Check(ctx context.Context, r *robot.Robot, l *datasets.Log, roles datasets.Roles, opt Options) ([]Finding, error) {
	e, err := Examine(ctx, r, l, roles, opt)
	if err != nil {
		return nil, err
	}
	return e.Findings, nil
}

// Examination holds the findings of one log, and the fits of its torques that Between compares with those
// of other runs.
type Examination struct {
	Findings []Finding
	Channels []ChannelKind  // what the channels of the joints hold
	setup    *setup         // without models
	torques  []*runEquation // per joint, nil where its torque could not be fitted
	// Examined is of use to those who read the log next; nil of a log too short, or without a clock.
	Examined *observation.Examined
}

// Examine is Check, with the fits of the torques kept for Between. Its stages depend on each other by
// their arguments alone: a later one sees the findings before it, for one cause has many symptoms.
func Examine(ctx context.Context, r *robot.Robot, l *datasets.Log, roles datasets.Roles, opt Options) (*Examination, error) {
	if roles.T == "" {
		return nil, ErrNoClock
	}
	s, err := newSetup(r, l.Channels(), roles, opt)
	if err != nil {
		return nil, err
	}
	t := new(filter.Times)
	if err := l.Scan([]string{roles.T}, 0, func(_ int, cols [][]float64) error {
		t.Append(cols[0]...)
		return ctx.Err()
	}); err != nil {
		return nil, err
	}
	clock := t.Clock()
	light := *s
	light.models, light.opt.Models, light.causes = nil, nil, nil // large, and the same for every run
	e := &Examination{setup: &light}
	var found findings
	found.add(checkMissing(s)...)
	found.add(checkClock(roles.T, t, clock, opt.Rate)...)
	unclocked := false
	if t.Len() >= fewest && clock.Median > 0 {
		var scale Finding
		scale, unclocked = clockScale(roles.T, clock)
		found.keep(scale, unclocked)
	}
	if t.Len() >= fewest && clock.Median > 0 && !unclocked {
		rec, err := record(ctx, s, l, t, clock)
		if err != nil {
			return nil, err
		}
		e.Examined = &observation.Examined{Log: l, Clock: clock, Largest: rec.largest()}
		values, spikes := checkValues(rec)
		values.add(copiedChannels(rec)...)
		found.add(values...)
		lost, twoClocks := checkLostFrames(rec)
		found.add(lost...)
		shown, more := rawFindings(rec, found)
		found = found.withoutSymptoms(shown)
		velocities := checkVelocity(rec)
		if shown.bendTime(rec) {
			// Velocities and positions then disagree by a factor that is not the clock's.
			velocities = slices.DeleteFunc(velocities, func(f Finding) bool { return f.ID == ClockRate })
		}
		found.add(velocities...)
		found.keep(tooSlow(rec, found))
		tiny, tinyEfforts := effortScale(rec)
		found.keep(tiny, tinyEfforts)
		found.add(shown...)
		spikes = append(spikes, more...)
		if !tinyEfforts {
			found.add(checkUnits(rec, found)...)
		}
		torques, rows, fits := checkTorques(ctx, rec, spikes, found)
		var rep *causes.Report
		rep, found, torques = rec.ranked(ctx, spikes, found, torques)
		found.add(torques...)
		e.Channels = channelKinds(rec, found, rep)
		e.torques = runEquations(rows, fits, opt.Rows)
		found.add(checkLimits(rec, found)...)
		found.add(checkSpectra(rec, found, twoClocks)...)
		if !opt.HeldOut {
			found.add(checkExcitation(rec)...)
		}
	}
	found.sort()
	e.Findings = found
	return e, ctx.Err()
}

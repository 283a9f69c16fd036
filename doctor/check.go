package doctor

import (
	"context"
	"errors"
	"slices"
	"sync"

	"ident/datasets"
	"ident/doctor/causes"
	"ident/doctor/internal/trialfit"
	"ident/filter"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// Options of Check. The zero value is valid.
type Options struct {
	// Gravity in the base frame, m/s²; nil means the robot's own.
	Gravity *[3]float64
	// Terms of the model whose excitation is judged. nil means the default of a fit: links, rotor inertia, viscous and
	// Coulomb friction and offset.
	Terms []regressor.Term
	// State is that of the run. Its gains have one entry per joint of the roles; with nil the gains of the robot file apply.
	State observation.State
	// Lock holds the positions of joints that the log lacks, by joint name, in rad or m; a missing entry is zero.
	Lock map[string]float64
	// Immobile are the links of joints that do not move although their torques are measured.
	Immobile []int
	// Trim is the time in seconds that the fit will cut from both ends. Edge transients within it are only Info.
	Trim float64
	// Rate is the declared sampling rate in Hz; 0 if none was declared.
	Rate float64
	// Rows is the largest number of rows of a joint's equation that an Examination keeps for Between; 0 keeps all, a
	// negative number none.
	Rows int
	// HeldOut marks a log that nothing is fitted to: its excitation is not judged.
	HeldOut bool
	// Models may be shared by logs of one robot with the same Gravity, Terms, Immobile and Seed; nil computes them for
	// this log alone.
	Models *Models
	// Known is what an earlier result says of the robot's bodies, nil for none: causes are judged beside it if the log carries no load.
	Known *causes.Known
	// Pinned are the keys of settings that the user has given. They are not proposed otherwise, and what only they could answer is no
	// finding if it names no other value.
	Pinned []string
	// Seed of the random states that determine the base parameters, and of the noise used to judge excitation.
	Seed uint64

	// Nameless looks for no causes of what torques have in excess, which takes most of the time. A grade is the same without them.
	Nameless bool

	// Attested asks of the causes that free fits name, too, that they remove at least what a true cause must; otherwise the finding is
	// unexplained, with the nearest causes. It still doubts causes of some logs that are right, so that the default is false. What the
	// joints' own equations find is always held against it.
	Attested bool

	untried       bool   // leave the findings as they are found
	channelsAlone bool   // look at what channels show by themselves, and not at torques
	given         []bool // by joint of the roles: the effort is not measured, see datasets.Channel.Assumed
}

// Models caches the models of a robot for several examinations, which may run at the same time. The zero value is ready to use; the first
// examination fills it.
type Models struct {
	mutex  sync.Mutex
	fits   *trialfit.Models
	causes *causes.Models
}

// forFits returns the models of the fits that examinations make.
func (m *Models) forFits(r *robot.Robot, opt Options) (found *trialfit.Models, err error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.fits == nil {
		m.fits, err = newModels(r, opt)
	}
	return m.fits, err
}

// forCauses returns the models by which causes are judged, nil if the robot has none.
func (m *Models) forCauses(r *robot.Robot, seed uint64) *causes.Models {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.causes == nil {
		m.causes, _ = causes.NewModels(r, seed) // after an error there are none, and nothing is computed
	}
	return m.causes
}

// ErrNoClock means that the roles name no time channel.
var ErrNoClock = errors.New("doctor: no time channel")

// fewest is the number of rows below which no check of signals is possible.
const fewest = 50

// Check reads the log once for its clock and once for everything else, and returns its findings, the gravest first. The
// roles must have one entry for each moving joint of the robot, or for each independent one, in the robot's order;
// otherwise Check panics. A fault in the data is a Finding. An error means that the log could not be read, that the
// robot cannot be computed with, or that ctx is done.
func Check(ctx context.Context, r *robot.Robot, l *datasets.Log, roles datasets.Roles, opt Options) ([]Finding, error) {
	e, err := Examine(ctx, r, l, roles, opt)
	if err != nil {
		return nil, err
	}
	return e.Findings, nil
}

// Examination holds the findings of one log, and its fitted torques, which Between compares with those of other runs.
type Examination struct {
	Findings []Finding
	Channels []ChannelKind  // kinds of the joints' channels (see ChannelKind)
	setup    *setup         // without models
	torques  []*runEquation // per joint, nil where its torque could not be fitted
	// Examined helps later readers of the log; nil if the log is too short or has no clock.
	Examined *observation.Examined
}

// Examine does what Check does and also keeps the fitted torques for Between. Its stages depend on each other only by
// their arguments: a later stage gets the findings before it, because one cause has many symptoms.
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
		// A clock whose unit is told needs no second finding.
		told := slices.ContainsFunc(found, func(f Finding) bool { return f.ID == ClockRate && !f.Repair.IsZero() })
		found.keep(scale, unclocked && !told)
	}
	if t.Len() >= fewest && clock.Median > 0 && !unclocked {
		var positions []string
		for _, j := range s.joints {
			if j.q != nil {
				positions = append(positions, j.q.name)
			}
		}
		var stamps observation.Stamps
		if t, stamps, err = observation.ReadStamps(l, positions, t, clock, nil); err != nil {
			return nil, err
		}
		if stamps.Clock {
			clock = t.Clock()
		}
		found.describe(roles.T, stamps, clock)
		rec, err := record(ctx, s, l, t, clock)
		if err != nil {
			return nil, err
		}
		e.Examined = &observation.Examined{Log: l, Clock: clock, Stamps: stamps, Largest: rec.largest()}
		var others []int // rows of another load
		if rec.carries, others, err = carried(ctx, &opt.State, l); err != nil {
			return nil, err
		}
		start, none := unpublished(rec)
		values, spikes := checkValues(rec)
		values.add(copiedChannels(rec)...)
		made, unmeasured := madeUp(rec)
		values.add(made...)
		found.add(values.behind(rec)...)
		found.keep(start, none)
		lost, twoClocks := checkLostFrames(rec)
		held := heldPositions(rec, slices.Concat(found, lost))
		found.add(lost.besideHeld(rec, held)...)
		found.add(held...)
		shown, more := rawFindings(rec, found)
		found = found.withoutSymptoms(shown)
		found.add(slips(rec, slices.Concat(found, shown))...)
		found.add(amounts(rec)...)
		velocities := checkVelocity(rec, held)
		if slices.Concat(shown, held).bendTime(rec) || slices.ContainsFunc(found, func(f Finding) bool { return f.ID == ClockRate }) {
			// Velocities and positions then disagree by a factor that is not due to the clock, or that is the clock's unit, which is told.
			velocities = slices.DeleteFunc(velocities, func(f Finding) bool { return f.ID == ClockRate })
		}
		found.add(velocities...)
		found.keep(tooSlow(rec, found))
		tiny, tinyEfforts := effortScale(rec)
		found.keep(tiny, tinyEfforts)
		found.add(shown...)
		spikes = slices.Concat(spikes, more, others, unmeasured)
		if !tinyEfforts {
			found.add(checkUnits(rec, found)...)
		}
		if opt.channelsAlone {
			found.sort()
			e.Findings = found
			return e, ctx.Err()
		}
		torques, measured, together, fits := checkTorques(ctx, rec, spikes, found)
		var rep *causes.Report
		if opt.Nameless {
			torques = nil
		} else {
			rep, found, torques = rec.ranked(ctx, spikes, found, torques)
		}
		found, torques = rec.besideVelocities(found, torques)
		torques = rec.besideDeclared(torques.besideElastic(found))
		measured = measured.classed(rep)
		found.add(torques.ofExcess(measured)...)
		e.Channels = channelKinds(rec, found, rep)
		found.add(checkLimits(rec, found)...)
		found.add(checkSpectra(rec, found, twoClocks)...)
		if !opt.HeldOut {
			found.add(checkExcitation(rec)...)
		}
		if slices.Contains(opt.Pinned, "gravity") {
			found = slices.DeleteFunc(found, func(f Finding) bool { return f.ID == Gravity && f.Repair.IsZero() })
		}
		if !opt.untried {
			if found, err = rec.tried(ctx, found); err != nil {
				return nil, err
			}
			found = found.unlessExplained(measured)
		}
		if !opt.Nameless && !slices.ContainsFunc(found, torques.toMend) { // a log that is to be mended says nothing beside others
			e.torques = rec.runEquations(together, fits, opt.Rows)
		}
	}
	if !opt.untried {
		found = found.hinted()
	}
	found.sort()
	e.Findings = found
	return e, ctx.Err()
}

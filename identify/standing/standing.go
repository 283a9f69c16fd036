// Package standing identifies the parameters of a robot that sways on its feet, from joint positions and torques and an
// inertial measurement unit on the base. Contact forces are neither measured nor estimated: they are eliminated.
//
// # Equations
//
// With u = (v, ω, q̇) the rates, f the specific force at the base's origin, and feet that stick with Jacobian J,
//
//	Y(q; ω, q̇; f, ω̇, q̈)·χ = (0, τ) + Jᵀ·F
//
// holds for any place, speed and attitude of the base (regressor.FloatingBase). N with Nᵀ·Jᵀ = 0 takes F out of it
// (regressor.Elimination): rows Nᵀ·Y·χ = Nᵀ·(0, τ). A joint at rest is held by an unknown torque within its friction, so
// its row is eliminated like a contact force.
//
// # Rows
//
// Positions and the sensor's signals go through a zero-phase low-pass at Settings.MotionCutoff, and so do the torques and the
// signs of the velocities. Base motion comes from the feet (observation/feet). Columns and torques then go through the
// low-pass at Settings.Cutoff, and rows are taken every Settings.Every seconds and combined by N at their sample.
//
// # Weights
//
// The equations have errors of different sizes: the base's are those of accelerations alone, the joints' those of
// torques. With Σ their variances, rows are weighted by the Cholesky factor of NᵀΣN, and Σ is found by
// expectation-maximisation (Dempster, Laird and Rubin 1977):
//
//	Σ ← mean(K·r·rᵀ·Kᵀ + Σ − K·NᵀΣ),  K = ΣN(NᵀΣN)⁻¹,  r = Nᵀ(y − Yχ)
//
// # Tilt
//
// The sensor and the feet find the direction of gravity to some tenths of a milliradian, and a constant error of it has torques that
// look like first moments, those of legs in the air most of all. So a constant tilt of each log is an unknown beside the parameters: two
// columns, the torques of a specific force along the axes x and y of the base (see tilt.go).
//
// # What is identifiable
//
// The base parameters are those of baseparams.QRStanding for the ways of standing that occur, and never those that the
// singular values of a log suggest.
package standing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"ident/baseparams"
	"ident/estimate"
	"ident/excite/sway"
	"ident/filter"
	"ident/internal/triangle"
	"ident/observation"
	"ident/observation/feet"
	"ident/regressor"
	"ident/robot"
)

// Log is a run: samples on a steady clock.
type Log struct {
	Name        string
	DT          float64     // s
	Q, Torque   [][]float64 // of the joints behind the base: rad or m, N·m or N
	Gyro, Force [3][]float64
	Sticks      [][]bool // by foot, nil for a foot that always sticks
	Attached    bool     // the payload of the term payload:LINK is on
}

// Settings of a fit. Zero fields take the values of DefaultSettings.
type Settings struct {
	observation.Path         // low-passes of the motion and of both sides, and what is left out at both ends of a log
	Every            float64 // s between rows; 0 is usualEvery, and a quarter of the period of Cutoff in logs that last longer than longLogs together
	// Held says that a drive holds each torque until the next sample, as boards with a digital loop do: the torque of a
	// sample then acts half a sample later.
	Held bool
	// Sensed says that the torques tell which feet stand, by a force of LeastForce, N, along the normal of the ground, or of
	// a twentieth of the weight if that is 0.
	Sensed     bool
	LeastForce float64
	// Rest is the rate, rad/s, below which a joint counts as being at rest, with RestSpan s on either side.
	Rest, RestSpan float64
	Rounds         int // of expectation-maximisation
	// Mass is the weighed mass of the robot, kg, with its standard deviation; 0 if it is not known.
	Mass, MassSigma float64
	Block           float64 // s of a time block
	Seed            uint64
}

// DefaultSettings returns the settings for a sway of frequencies up to 1 Hz.
func DefaultSettings() Settings {
	return Settings{Path: observation.Path{Cutoff: 5, Order: 4, MotionCutoff: 10, MotionOrder: filter.MotionOrder, Trim: 0.5,
		Velocity: observation.FromPosition, Acceleration: observation.FromVelocity},
		Held: true, Rest: 0.02, RestSpan: 0.05, Rounds: 3, Block: 1}
}

// usualEvery, s, is ten rows in a period of 5 Hz. Four hold the same signals, and intervals are as wide; a few more in a hundred fail in
// short logs, because their correlation is less well known. Logs that last longer than longLogs, s, have rows enough, and those of a
// humanoid at usualEvery would take gigabytes.
const (
	usualEvery = 0.02
	longLogs   = 300.0
)

// One of roundsEvery samples is in the rounds that find the variances, if roundsSamples are left: then each variance is known within 4 %, and
// weights that are 4 % off widen intervals by less than 0.1 %. 300 s have as many in rows a quarter of the period of the cut-off apart.
const (
	roundsEvery   = 4
	roundsSamples = 1500
)

// signSpeedup is how many times the cut-off of the motion the positions keep for the signs of velocities. Through the
// cut-off of the motion a reversal would move by some milliseconds.
const signSpeedup = 3

// Robot is what is known of the robot and its feet.
type Robot struct {
	Robot  *robot.Robot // with a floating base: see regressor.FloatingBaseOf
	Terms  []regressor.Term
	Feet   []regressor.Foot
	Sensor feet.Sensor
	// Mirrored holds links whose bodies are mirror images of each other.
	Mirrored []Mirrored
}

// Fit is the outcome.
type Fit struct {
	Set       *baseparams.Set
	Stance    baseparams.Standing // what Set belongs to
	Solution  *estimate.Solution
	Reduction *estimate.Reduction // of a single group of rows, with unit variance
	Motions   []*feet.Motion      // of the base, by log
	// Tilt holds, by log, how much larger the specific force along the axes x and y of the base is, m/s², than sensor and feet say.
	Tilt [][2]float64
	// Unlike says in words which links are no mirror images, though they were taken for such.
	Unlike []string
	// Sigma holds, by row of the model, the standard deviation of the errors; those of the base in N and N·m.
	Sigma []float64
	// Percent is the error of the torques, contact forces taken out, relative to them.
	Percent float64
	Samples int

	fitting *fitting
	tracks  []*track
	free    *estimate.Reduction // without what is known beforehand
}

// ErrTooFew is returned if no rows are left.
var ErrTooFew = errors.New("no rows are left")

// termsAllowed lists the terms that a standing fit has columns for.
var termsAllowed = []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs, regressor.Fo, regressor.Payload}

// DefaultTerms returns the terms of a model of a robot that stands: drives without offsets, which encoders and torques of legs
// hardly have.
func DefaultTerms() []regressor.Term {
	return []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs}
}

// FitLogs identifies the base parameters of a standing robot.
func FitLogs(ctx context.Context, r Robot, logs []Log, s Settings) (*Fit, error) {
	s = s.withDefaults()
	length := 0.0
	for i := range logs {
		length += float64(len(logs[i].Gyro[0])) * logs[i].DT
	}
	if s.Every == 0 {
		if s.Every = usualEvery; length > longLogs {
			s.Every = max(usualEvery, 0.25/s.Cutoff)
		}
	}
	for _, t := range r.Terms {
		if !slices.Contains(termsAllowed, t.Name()) {
			return nil, fmt.Errorf("term %q cannot be fitted to a robot that stands on its feet: leave it out; possible terms are %v", t, termsAllowed)
		}
	}
	f := &fitting{robot: r, settings: s, rounds: 1}
	var err error
	if f.base, err = regressor.FloatingBaseOf(r.Robot); err != nil {
		return nil, err
	}
	if f.sticking, err = regressor.NewSticking(r.Robot, r.Feet); err != nil {
		return nil, err
	}
	full, err := regressor.NewDynamic(r.Robot, r.Terms)
	if err != nil {
		return nil, err
	}
	var tracks []*track
	for i := range logs {
		if l := &logs[i]; l.Sticks != nil && len(l.Sticks) != len(r.Feet) {
			return nil, fmt.Errorf("%s: %d flags of stance for %d feet", l.Name, len(l.Sticks), len(r.Feet))
		}
		t, err := f.follow(&logs[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", logs[i].Name, err)
		}
		tracks = append(tracks, t)
	}
	f.stance = baseparams.Standing{Feet: r.Feet, Modes: f.modes(tracks)}
	if f.set, err = baseparams.QRStanding(ctx, r.Robot, r.Terms, f.stance, baseparams.Options{Seed: s.Seed}); err != nil {
		return nil, err
	}
	f.model, f.mirrors = full.Select(f.set.Base), f.images(r.Mirrored)
	file := f.ofFile()
	for run, t := range tracks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := f.rows(t, run, file); err != nil {
			return nil, fmt.Errorf("%s: %w", t.log.Name, err)
		}
	}
	if len(f.samples) == 0 {
		return nil, f.refused(tracks, fmt.Errorf("%w after cutting %g s from both ends, what slips, and what stands on fewer than three round feet and no sole", ErrTooFew, s.Trim))
	}
	if len(f.samples) >= roundsEvery*roundsSamples {
		f.rounds = roundsEvery
	}
	out, err := f.solve(tracks)
	if err != nil {
		return nil, f.refused(tracks, err)
	}
	return out, nil
}

func (s Settings) withDefaults() Settings {
	d := DefaultSettings()
	for _, v := range []struct{ of, or *float64 }{{&s.Cutoff, &d.Cutoff}, {&s.MotionCutoff, &d.MotionCutoff}, {&s.Trim, &d.Trim},
		{&s.Rest, &d.Rest}, {&s.RestSpan, &d.RestSpan}, {&s.Block, &d.Block}} {
		if *v.of == 0 {
			*v.of = *v.or
		}
	}
	for _, v := range []struct{ of, or *int }{{&s.Order, &d.Order}, {&s.MotionOrder, &d.MotionOrder}, {&s.Rounds, &d.Rounds}} {
		if *v.of == 0 {
			*v.of = *v.or
		}
	}
	s.Velocity, s.Acceleration = d.Velocity, d.Acceleration // the feet and the sensor leave no other
	return s
}

// fitting is a fit on its way.
type fitting struct {
	robot    Robot
	settings Settings
	base     regressor.FloatingBase
	sticking *regressor.Sticking
	stance   baseparams.Standing
	set      *baseparams.Set
	model    *regressor.Model // of the base parameters
	samples  []sample
	rounds   int          // how many samples are one in the rounds that find the variances
	tilt     [][2]float64 // by log: how much larger the specific force along the axes x and y of the base is than sensor and feet say, m/s²
	mirrors  []known
	weighs   *estimate.Solution // of the first round, then of all rows: its errors weigh what is known beforehand
}

// sample holds the combinations of a sample's rows, first those of the base, then those of the joints, in which no contact force appears.
type sample struct {
	basis      [][]float64  // of N: by combination, the weight of each row
	w          []float64    // of the columns: entry of combination b and column c at b·columns + c
	left       []float64    // of (0, τ)
	pull       [2][]float64 // of the torques of a specific force of 1 m/s² along the axes x and y of the base
	torque     []float64    // (0, τ) itself
	t          float64      // s
	run, block int
}

// track is a log after the low-pass of the motion, at a rate that carries it.
type track struct {
	log    *Log
	dt     float64
	in     regressor.Batch
	signs  [][]float64 // of the joints' velocities
	torque [][]float64
	rest   [][]bool
	sticks [][]bool
	grazes [][]bool // by foot: it does not stand and is near enough to the ground to touch it
	moving feet.Log
	motion *feet.Motion
	lies   []feet.Gate // flags of stance that the torques contradict
}

// follow filters a log and finds the motion of its base.
func (f *fitting) follow(l *Log) (*track, error) {
	s := &f.settings
	joints := len(f.robot.Robot.Independent()) - len(f.base.Rows())
	if len(l.Q) != joints || len(l.Torque) != joints {
		return nil, fmt.Errorf("%d positions and %d torques for %d joints", len(l.Q), len(l.Torque), joints)
	}
	every := max(1, int(1/l.DT/(10*s.MotionCutoff)))
	t := &track{log: l, dt: l.DT * float64(every)}
	log, err := f.filtered(l, t, every)
	if err != nil {
		return nil, err
	}
	if s.Sensed {
		if t.sticks, err = f.bears(log, t.torque); err != nil {
			return nil, err
		}
	} else if l.Sticks != nil {
		t.sticks = make([][]bool, len(l.Sticks))
		for foot, x := range l.Sticks {
			if x != nil {
				t.sticks[foot] = thinned(x, every)
			}
		}
		if t.lies, err = f.contradicted(log, t); err != nil {
			return nil, err
		}
	}
	if t.sticks != nil {
		heights, err := f.heights(log, t.sticks)
		if err != nil {
			return nil, err
		}
		if s.Sensed {
			touch(t.sticks, heights, log.DT)
		}
		t.grazes = grazing(heights)
	}
	for foot, x := range t.sticks {
		if x != nil {
			t.sticks[foot] = settled(x, int(math.Ceil(landing/t.dt)))
		}
	}
	log.Sticks = t.sticks
	t.moving = *log
	if t.motion, err = feet.Follow(f.base, f.sticking, log, f.robot.Sensor, f.gravity()); err != nil {
		return nil, err
	}
	count := len(log.Q[0])
	t.in = regressor.Batch{Q: channels(joints+6, count), DQ: channels(joints+6, count), DDQ: channels(joints+6, count), PayloadAttached: make([]float64, count)}
	copy(t.in.Q[6:], log.Q)
	copy(t.in.DQ[6:], log.DQ)
	copy(t.in.DDQ[6:], log.DDQ)
	if l.Attached {
		for i := range t.in.PayloadAttached {
			t.in.PayloadAttached[i] = 1
		}
	}
	f.base.Fill(&t.in, &t.motion.Base)
	return t, nil
}

// filtered returns every every-th sample of a log behind the low-pass of the motion. It stores torques, signs of velocities and rest in the
// track.
func (f *fitting) filtered(l *Log, t *track, every int) (*feet.Log, error) {
	s, rate := &f.settings, 1/l.DT
	motion, err := observation.NewMotionFilter(s.MotionCutoff, s.MotionOrder, observation.Central, l.DT)
	if err != nil {
		return nil, err
	}
	fast, err := observation.NewMotionFilter(min(signSpeedup*s.MotionCutoff, 0.4*rate), s.MotionOrder, observation.Central, l.DT)
	if err != nil {
		return nil, err
	}
	var work observation.MotionWork
	smooth := func(x [][]float64) [][]float64 {
		motion.Smooth(x, &work)
		return eachThinned(x, every)
	}
	quick := fast.Apply(observation.Measurement{Q: cloned(l.Q)}, &work).DQ
	for _, v := range quick {
		t.rest = append(t.rest, thinned(slowAround(v, s.Rest, int(math.Round(s.RestSpan/l.DT))), every))
		for i, dq := range v {
			v[i] = math.Copysign(1, dq)
		}
	}
	t.signs = smooth(quick)
	torque := cloned(l.Torque)
	if s.Held {
		for _, d := range torque {
			for i := len(d) - 1; i > 0; i-- {
				d[i] = (d[i] + d[i-1]) / 2
			}
		}
	}
	t.torque = smooth(torque)
	noise := f.rateNoise(l, motion, &work)
	x := motion.Apply(observation.Measurement{Q: cloned(l.Q)}, &work)
	return &feet.Log{DT: t.dt, RateNoise: noise, Edge: int(math.Ceil(s.Trim / t.dt)), Q: eachThinned(x.Q, every), DQ: eachThinned(x.DQ, every), DDQ: eachThinned(x.DDQ, every),
		Gyro: [3][]float64(smooth(cloned(l.Gyro[:]))), Force: [3][]float64(smooth(cloned(l.Force[:])))}, nil
}

// rateNoise returns the standard deviations of the joints' velocities behind a low-pass that the noise of their positions makes: that of the
// positions, times the root of the sum of the squares of the response to an impulse.
func (f *fitting) rateNoise(l *Log, motion *observation.MotionFilter, work *observation.MotionWork) []float64 {
	impulse := make([]float64, 2*int(math.Ceil(2/(f.settings.MotionCutoff*l.DT)))+1) // two periods of the cut-off frequency on both sides of the impulse
	impulse[len(impulse)/2] = 1
	gain := floats.Norm(motion.Apply(observation.Measurement{Q: [][]float64{impulse}}, work).DQ[0], 2)
	out := make([]float64, len(l.Q))
	for k, q := range l.Q {
		out[k] = gain * filter.MeasureNoise(q, 1/l.DT).Sigma
	}
	return out
}

// eachThinned returns every every-th sample of signals.
func eachThinned(x [][]float64, every int) [][]float64 {
	var out [][]float64
	for _, v := range x {
		out = append(out, thinned(v, every))
	}
	return out
}

// cloned returns a copy of signals.
func cloned(x [][]float64) [][]float64 {
	var out [][]float64
	for _, v := range x {
		out = append(out, slices.Clone(v))
	}
	return out
}

// gravity returns the length of gravity, m/s².
func (f *fitting) gravity() float64 {
	g := f.robot.Robot.Gravity
	return math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2])
}

func channels(count, n int) [][]float64 {
	out := make([][]float64, count)
	for k := range out {
		out[k] = make([]float64, n)
	}
	return out
}

func thinned[T any](x []T, every int) []T {
	var out []T
	for i := 0; i < len(x); i += every {
		out = append(out, x[i])
	}
	return out
}

// slowAround reports, for each sample, whether a rate stays below the limit at some sample within span: there the
// friction may be anywhere between its two signs.
func slowAround(rate []float64, limit float64, span int) []bool {
	slow := make([]bool, len(rate))
	for i, v := range rate {
		slow[i] = math.Abs(v) < limit
	}
	return observation.Widen(slow, span)
}

// ofFile returns the base parameters of the robot file.
func (f *fitting) ofFile() []float64 {
	file := make([]float64, len(f.set.Columns))
	for c, col := range f.set.Columns {
		file[c], _ = regressor.ValueOf(f.robot.Robot, col)
	}
	return f.set.FromStandard(file)
}

// known is a combination of base parameters that is known beforehand, with its standard deviation.
type known struct {
	weights      []float64
	value, sigma float64
}

// hiddenPart is the relative standard deviation of a mass in a robot file.
const hiddenPart = 0.3

// prior returns what is known beforehand: the masses at feet that roll, which their rolling hardly shows, from the robot
// file, and the weighed mass of the robot.
func (f *fitting) prior() []known {
	r, set, values := f.robot.Robot, f.set, f.ofFile()
	var out []known
	for _, h := range Hidden(r, set, f.planted()) {
		weights := make([]float64, len(set.Base))
		weights[h.Column] = 1
		out = append(out, known{weights, values[h.Column], h.Sigma})
	}
	if s := &f.settings; s.Mass > 0 && s.MassSigma > 0 {
		total := make([]float64, len(set.Columns))
		for c, col := range set.Columns {
			if col.Term == regressor.Links && col.Param == robot.M {
				total[c] = 1
			}
		}
		if weights, ok := set.Functional(total); ok {
			out = append(out, known{weights, s.Mass, s.MassSigma})
		}
	}
	return append(out, f.mirrors...)
}

// Hidden returns the base parameters that stand for masses at round feet, which their rolling hardly shows, with the standard
// deviations of the robot file's values.
func Hidden(r *robot.Robot, set *baseparams.Set, feet []regressor.Foot) []sway.Known {
	var out []sway.Known
	for i, c := range baseparams.Hiding(r, set.Columns, feet) {
		k, foot := slices.Index(set.Base, c), &feet[i]
		if k < 0 || foot.Sole || foot.Radius == 0 {
			continue // another foot of the same link, or a mass that is hidden altogether
		}
		p := r.Links[foot.Link].UserFrame.Apply(foot.Centre)
		lever := math.Sqrt(p[0]*p[0] + p[1]*p[1] + p[2]*p[2])
		out = append(out, sway.Known{Column: k, Sigma: hiddenPart * max(r.Links[foot.Link].Inertial.Mass(), leastMass) * lever})
	}
	return out
}

// leastMass, kg, stands for the mass of a link without one in the file.
const leastMass = 0.1

const (
	// chunkRows is the number of samples whose columns are held together: those of a humanoid take 30 kB a sample.
	chunkRows = 4096
	// chunkRest is how small the response of the low-pass of rows may be where a chunk ends: noise of the rows is a hundred thousand times larger.
	chunkRest = 1e-9
)

// columns evaluates the columns of the samples of a track from first to before last, and the torques of the tilts, behind the low-pass of
// rows. file holds the base parameters of the robot file.
func (f *fitting) columns(t *track, first, last int, file []float64, low filter.SOS, b *regressor.Block, ws *regressor.Workspace) (pull [2][][]float64) {
	var in regressor.Batch
	in.Part(&t.in, first, last)
	b.Resize(last - first)
	pull = f.pull(in, file, b, ws)
	f.model.EvalBatch(b, in, ws)
	for k := 6; k < f.model.Joints(); k++ {
		for at, c := range f.model.Mask(k) {
			if f.model.Columns()[c].Term == regressor.Fs {
				copy(b.Joint[k][at], t.signs[k-6][first:last])
			}
		}
	}
	var work filter.Work
	for k := range b.Joint {
		low.ZeroPhaseColumns(b.Joint[k], &work)
	}
	for axis := range pull {
		low.ZeroPhaseColumns(pull[axis], &work)
	}
	return pull
}

// rows evaluates, filters and stores the rows of a track. file holds the base parameters of the robot file.
func (f *fitting) rows(t *track, run int, file []float64) error {
	s, count := &f.settings, len(t.in.Q[0])
	low, err := filter.Butterworth(s.Order, s.Cutoff, 1/t.dt)
	if err != nil {
		return err
	}
	torque := cloned(t.torque)
	low.ZeroPhaseColumns(torque, new(filter.Work))
	c := f.sticking.NewContacts(count)
	f.sticking.Eval(c, t.in, t.motion.Up, f.sticking.NewWorkspace())
	margin := low.Tail(chunkRest)
	b, ws := f.model.NewBlock(min(count, chunkRows+2*margin)), f.model.NewWorkspace()
	n, columns := f.model.Joints(), len(f.model.Columns())
	step, edge := max(1, int(math.Round(s.Every/t.dt))), int(math.Ceil(s.Trim/t.dt))
	reach, mode := f.reach(t), make([]bool, len(f.robot.Feet))
	var e regressor.Elimination
	var pull [2][][]float64
	first, last := 0, 0 // of the chunk that is held, without its margin behind
	for i := edge; i < count-edge; i += step {
		if i >= last {
			first, last = max(0, i-margin), min(count, i+chunkRows)
			pull = f.columns(t, first, min(count, last+margin), file, low, b, ws)
		}
		if !f.steady(mode, t, i, reach) || t.motion.SlipsAt(i) {
			continue
		}
		e.Find(n, f.unknown(c, t.sticks, t.rest, i))
		if len(e.Basis) == 0 {
			continue
		}
		at := sample{w: make([]float64, len(e.Basis)*columns), t: float64(i) * t.dt, run: run, block: int(float64(i) * t.dt / s.Block)}
		at.torque = make([]float64, n)
		for k := 6; k < n; k++ {
			at.torque[k] = torque[k-6][i]
		}
		for of, v := range e.Basis {
			at.basis = append(at.basis, slices.Clone(v))
			left, row, pulled := 0.0, at.w[of*columns:(of+1)*columns], [2]float64{}
			for k, weight := range v {
				left += weight * at.torque[k]
				for m, col := range f.model.Mask(k) {
					row[col] += weight * b.Joint[k][m][i-first]
				}
				for axis := range pulled {
					pulled[axis] += weight * pull[axis][k][i-first]
				}
			}
			at.left = append(at.left, left)
			for axis, v := range pulled {
				at.pull[axis] = append(at.pull[axis], v)
			}
		}
		f.samples = append(f.samples, at)
	}
	return nil
}

// unknown returns the rows by which unknown forces act at a sample: of the feet that stick, and of joints at rest. nil stands for
// all feet, and for no joint.
func (f *fitting) unknown(c *regressor.Contacts, sticks, rest [][]bool, i int) [][]float64 {
	n := f.model.Joints()
	var out [][]float64
	for foot, of := range f.robot.Feet {
		if sticks != nil && sticks[foot] != nil && !sticks[foot][i] {
			continue
		}
		for d := range of.Forces() {
			x := make([]float64, n)
			for k, row := range c.Jacobian[c.First[foot]+d] {
				x[k] = row[i]
			}
			out = append(out, x)
		}
	}
	for k := range rest {
		if rest[k][i] {
			x := make([]float64, n)
			x[6+k] = 1
			out = append(out, x)
		}
	}
	return out
}

// solve finds parameters and deviations in turn. A few rounds of expectation-maximisation forget the first deviations.
func (f *fitting) solve(tracks []*track) (*Fit, error) {
	n := f.model.Joints()
	out := &Fit{Set: f.set, Stance: f.stance, Samples: len(f.samples), fitting: f, tracks: tracks}
	for _, t := range tracks {
		out.Motions = append(out.Motions, t.motion)
	}
	variance := make([]float64, n)
	for k := range variance {
		variance[k] = sway.FirstTorque * sway.FirstTorque
	}
	for k := range 3 {
		variance[k] = sway.FirstForce * sway.FirstForce
	}
	f.tilt = make([][2]float64, len(tracks))
	for range f.settings.Rounds {
		x, err := f.parameters(f.reduce(variance, f.rounds))
		if err != nil {
			return nil, err
		}
		variance = f.maximise(variance, x)
	}
	r := f.reduce(variance, 1)
	sol, err := f.together(r)
	if err != nil {
		return nil, err
	}
	out.Tilt, out.free = f.tilt, f.withoutTilts(r)
	if len(f.robot.Mirrored) > 0 {
		free, err := out.free.Solve(estimate.OLS, false)
		if err != nil {
			return nil, err
		}
		out.Unlike = f.unlike(free)
	}
	out.Reduction = withKnown(out.free, f.weighs, f.prior())
	if out.Solution, err = out.Reduction.Solve(estimate.OLS, false); err != nil {
		return nil, err
	}
	widen(out.Solution, sol)
	for _, v := range variance {
		out.Sigma = append(out.Sigma, math.Sqrt(v))
	}
	out.Percent = f.percent(out.Solution.X)
	return out, nil
}

// withKnown returns a reduction with what is known beforehand, weighed as rows with the variance of a solution of the others. Columns behind
// the last weight of a row have none.
func withKnown(r *estimate.Reduction, of *estimate.Solution, rows []known) *estimate.Reduction {
	if len(rows) == 0 {
		return r
	}
	deviation := of.Sigma[0] * math.Sqrt(of.VarianceInflation[0])
	columns, y := make([][]float64, r.Columns()), make([]float64, len(rows))
	for i, k := range rows {
		weight := deviation / k.sigma
		for c := range columns {
			columns[c] = append(columns[c], 0)
		}
		for c, w := range k.weights {
			columns[c][i] = weight * w
		}
		y[i] = weight * k.value
	}
	all := estimate.NewReduction(r.Columns(), r.Masks())
	all.Append(r.Blocks()...)
	b := all.NewBlock(0)
	b.Joints[0].Add(columns, y, new(triangle.Work))
	all.Append(b)
	return all
}

// crossValidate returns the errors of rows that are left out; nil if there are too few.
func (f *Fit) crossValidate() *estimate.CrossValidation {
	cross, err := f.free.CrossValidateBy(func(rest *estimate.Reduction) ([]float64, int, error) {
		sol, err := withKnown(rest, f.fitting.weighs, f.fitting.prior()).WithoutCovariance(estimate.OLS, false)
		if err != nil {
			return nil, 0, err
		}
		return sol.X, sol.Rank, nil
	})
	if err != nil {
		return nil
	}
	return cross
}

// whitening holds what weighs the rows of a sample.
type whitening struct {
	variance []float64
	rows     [][]float64 // Cholesky factor U of NᵀΣN = UᵀU; entries left of the diagonal are meaningless
	store    [][]float64
	scratch  []float64
}

// of factors NᵀΣN of a basis. It returns false if the matrix is not positive.
func (w *whitening) of(basis [][]float64) bool {
	m := len(basis)
	for len(w.store) < m {
		w.store, w.scratch = append(w.store, make([]float64, len(w.variance))), append(w.scratch, 0)
	}
	w.rows = w.rows[:0]
	for i := range m {
		row := w.store[i][:m]
		for j := i; j < m; j++ {
			row[j] = 0
			for k, v := range w.variance {
				row[j] += basis[i][k] * v * basis[j][k]
			}
		}
		w.rows = append(w.rows, row)
	}
	return triangle.Cholesky(w.rows, w.scratch)
}

// apply overwrites x, an entry per row of the sample, with U⁻ᵀ·x.
func (w *whitening) apply(x []float64) {
	for i := range x {
		for k := range i {
			x[i] -= w.rows[k][i] * x[k]
		}
		x[i] /= w.rows[i][i]
	}
}

// applyRows is apply for every column of a matrix of a row per combination.
func (w *whitening) applyRows(x []float64, columns int) {
	for i := range w.rows {
		row := x[i*columns : (i+1)*columns]
		for k := range i {
			floats.AddScaled(row, -w.rows[k][i], x[k*columns:(k+1)*columns])
		}
		floats.Scale(1/w.rows[i][i], row)
	}
}

// reduce weighs the rows of every every-th sample and reduces them by blocks of as many samples as a time block has. Columns of tilts stand
// behind those of the parameters, two a log.
func (f *fitting) reduce(variance []float64, every int) *estimate.Reduction {
	columns := len(f.set.Base)
	all := make([]int, columns+2*len(f.tilt))
	for c := range all {
		all[c] = c
	}
	r := estimate.NewReduction(len(all), [][]int{all})
	white := whitening{variance: variance}
	var work triangle.Work
	cols := make([][]float64, len(all))
	var y, rows []float64
	flush := func(run int) {
		if len(y) == 0 {
			return
		}
		b := r.NewBlock(run)
		b.Joints[0].Add(cols, y, &work)
		r.Append(b)
		for c := range cols {
			cols[c] = cols[c][:0]
		}
		y = y[:0]
	}
	for i := 0; i < len(f.samples); i += every {
		s := &f.samples[i]
		if i > 0 && (s.run != f.samples[i-every].run || s.block/every != f.samples[i-every].block/every) {
			flush(f.samples[i-every].run)
		}
		if !white.of(s.basis) {
			continue
		}
		m, first := len(s.basis), len(y)
		rows = append(rows[:0], s.w...)
		white.applyRows(rows, columns)
		for c := range cols {
			cols[c] = append(cols[c], make([]float64, m)...)
		}
		for b := range m {
			for c, v := range rows[b*columns : (b+1)*columns] {
				cols[c][first+b] = v
			}
		}
		for axis, v := range s.pull {
			pulled := cols[columns+2*s.run+axis][first:]
			copy(pulled, v)
			white.apply(pulled)
		}
		y = append(y, s.left...)
		white.apply(y[first:])
	}
	flush(f.samples[(len(f.samples)-1)/every*every].run)
	return r
}

// residual returns what parameters, and the tilt that was found, leave of a sample's combinations.
func (f *fitting) residual(s *sample, x []float64) []float64 {
	out := slices.Clone(s.left)
	for b := range out {
		for axis, v := range f.tilt[s.run] {
			out[b] -= v * s.pull[axis][b]
		}
		for c, v := range s.w[b*len(x) : (b+1)*len(x)] {
			out[b] -= v * x[c]
		}
	}
	return out
}

// expected returns what is expected of the errors of a sample's rows, K·r, given the combinations that hold no contact
// force, and the part of each row's variance that these tell. white must be for the sample.
func (f *fitting) expected(s *sample, white *whitening, x []float64) (left, told []float64) {
	r, g := f.residual(s, x), make([]float64, len(s.basis))
	white.apply(r)
	left, told = make([]float64, len(white.variance)), make([]float64, len(white.variance))
	for k, v := range white.variance {
		// Row k of K·Uᵀ = Σ·N·U⁻¹, whose squares sum to what the rows tell of Σ.
		for b, n := range s.basis {
			g[b] = n[k] * v
		}
		white.apply(g)
		for b := range g {
			left[k] += g[b] * r[b]
			told[k] += g[b] * g[b]
		}
	}
	return left, told
}

// maximise returns the variances of the rows that are most likely for given parameters, one round of
// expectation-maximisation.
func (f *fitting) maximise(variance, x []float64) []float64 {
	n := len(variance)
	next := make([]float64, n)
	white := whitening{variance: variance}
	count := 0.0
	for i := 0; i < len(f.samples); i += f.rounds {
		s := &f.samples[i]
		if !white.of(s.basis) {
			continue
		}
		count++
		left, told := f.expected(s, &white, x)
		for k := range n {
			next[k] += left[k]*left[k] + variance[k] - told[k]
		}
	}
	for k := range next {
		next[k] /= count
	}
	return next
}

// percent returns the norm of what parameters leave of the rows, contact forces taken out, as per cent of the rows of
// the torques.
func (f *fitting) percent(x []float64) float64 {
	var left, whole float64
	for i := range f.samples {
		s := &f.samples[i]
		for _, v := range f.residual(s, x) {
			left += v * v
		}
		for _, v := range s.left {
			whole += v * v
		}
	}
	return 100 * math.Sqrt(left/whole)
}

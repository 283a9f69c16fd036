package doctor

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/datasets"
	"ident/doctor/causes"
	"ident/filter"
	"ident/observation"
	"ident/robot"
)

// Mended is a log after the repairs that were accepted.
type Mended struct {
	Columns [][]float64 // repaired values by channel of the log; nil for a channel that needed no repair
	Done    []string    // one line for each change
	Tried   []Finding   // findings whose repair was tried; Repair holds the outcome
	Left    []Finding   // findings of the repaired log
}

// Limits of repairs.
const (
	// mendRounds is the largest number of examinations: a second finding often shows only after the first is repaired.
	mendRounds = 8
	// muchBetter: a change of a whole channel must lower the error to below this part; leaving out rows must only lower
	// it. A scale right to a per cent gains little if other errors are larger: repairing a fifth of the torque of one of
	// six joints removes 2.3 % of the error of the example, whose velocities and torques are noisy.
	muchBetter = 0.98
	// surelyBetter is the same part for a factor of one position, and surelyZero for its zero, which errors of the file's geometry
	// look like.
	surelyBetter, surelyZero = 0.9, 0.8
	// clearlyBetter is the part below which a repair needs no other proof; above it, the log must have no warning then that it did not
	// have before.
	clearlyBetter = 0.63
	// hardlyWorse: a repair that a free fit absorbs must keep the error below this multiple.
	hardlyWorse = 1.02
	// otherFolds: leaving out only unusable rows (no number, out of all bounds, time not increasing) must keep the error
	// below this multiple, because it joins pieces of the log and so changes which rows are left out together.
	otherFolds = 1.1
	// joinedPieces: above otherFolds and up to this multiple the proof is that the changed log has nothing to say of them. One row bridged
	// among 12 500, which no fit can use, made two pieces one and the error 1.35 times as large.
	joinedPieces = 2.0
	// clockAgrees: another rate of the clock must lower the disagreement between velocities and positions to below this part.
	clockAgrees = 0.5
)

// MendLog repairs a log as its findings ask for and proves each repair. It keeps a repair only if a free fit, which does
// not use the robot file's bodies, has a smaller error on stretches of the log left out. That fit does not use
// velocities: repaired ones must come nearer to the derivative of the positions. It examines the log again after each
// repair until none is accepted, so a second call on its result changes nothing. found must be the findings of an
// examination with the same options; with nil, MendLog examines the log first. The error is that of Examine or of ctx.
func MendLog(ctx context.Context, r *robot.Robot, l *datasets.Log, roles datasets.Roles, found []Finding, opt Options) (*Mended, error) {
	if found != nil && !slices.ContainsFunc(found, func(f Finding) bool { return f.Severity != Info && f.Repair.changes() }) {
		return &Mended{Left: found}, nil
	}
	names := l.Names()
	cols, err := l.Columns(names...)
	if err != nil {
		return nil, err
	}
	if opt.Models == nil {
		opt.Models = new(Models)
	}
	m := &mending{ctx: ctx, robot: r, roles: roles, opt: opt, names: names, channels: l.Channels(), cols: cols, clock: slices.Index(names, roles.T), bounds: Bounds(r, roles), asked: map[string]bool{}, left: math.NaN()}
	if m.clock < 0 {
		return nil, ErrNoClock
	}
	out := &Mended{}
	for range mendRounds {
		if out.Left = found; found == nil {
			if out.Left, err = untried(ctx, r, m.log(), roles, opt); err != nil {
				return nil, err
			}
		}
		done, tried := m.round(out.Left)
		if found = nil; len(m.nextOf) > 0 && len(m.cols) > 0 && &m.nextOf[0] == &m.cols[0] {
			found = m.next
		}
		if m.fault != nil {
			return nil, m.fault
		}
		out.Tried = append(out.Tried, tried...)
		if done == nil {
			break
		}
		out.Done = append(out.Done, done...)
		out.Columns = m.cols
	}
	if m.unseen { // the last round changed the log
		if out.Left, err = untried(ctx, r, m.log(), roles, opt); err != nil {
			return nil, err
		}
	}
	return out, ctx.Err()
}

// mending is the state of MendLog.
type mending struct {
	ctx      context.Context
	robot    *robot.Robot
	roles    datasets.Roles
	opt      Options
	names    []string
	channels []datasets.Channel
	cols     [][]float64
	clock    int
	bounds   map[string]float64
	asked    map[string]bool // repairs that were tried
	left     float64         // error on stretches left out of cols; NaN until it is computed
	unseen   bool            // cols changed since the last examination
	next     []Finding       // of the last examination of a changed log
	nextOf   [][]float64     // that log
	fault    error           // of an examination
	once     bool            // no round follows, which would read the examination of the last one
}

func (m *mending) log() *datasets.Log {
	return datasets.FromColumns("log", m.channels, m.cols, nil)
}

// untried examines a log and leaves its findings as they are.
func untried(ctx context.Context, r *robot.Robot, l *datasets.Log, roles datasets.Roles, opt Options) ([]Finding, error) {
	opt.untried = true
	return Check(ctx, r, l, roles, opt)
}

// round tries the repairs of all findings, first those of what the numbers mean together, then those of one kind, and stops at the first
// one that holds.
func (m *mending) round(found []Finding) (done []string, tried []Finding) {
	m.unseen = false
	var kinds []string
	of := map[string][]Finding{}
	for _, f := range found {
		if f.Severity == Info || !f.Repair.changes() {
			continue
		}
		if of[f.ID] == nil {
			kinds = append(kinds, f.ID)
		}
		of[f.ID] = append(of[f.ID], f)
	}
	var sets [][]Finding
	if set := m.meanings(found); len(set) > 0 {
		sets = append(sets, set)
	}
	for _, id := range kinds {
		sets = append(sets, of[id])
		if len(of[id]) > 1 {
			for _, f := range of[id] {
				sets = append(sets, []Finding{f})
			}
		}
	}
	for _, set := range sets {
		if m.ctx.Err() != nil {
			return nil, tried
		}
		key := set[0].ID
		for _, f := range set {
			key += fmt.Sprint(f.Channel, f.Repair.Edits, f.Repair.Settings)
		}
		if m.asked[key] {
			continue
		}
		m.asked[key] = true
		v := m.judge(set, found)
		if m.fault != nil {
			return nil, tried
		}
		if len(v.lines) == 0 || len(v.cols[m.clock]) < fewest {
			continue
		}
		for i, f := range set {
			f.Repair.Tried, f.Repair.ErrorBefore, f.Repair.ErrorAfter, f.Repair.Written = true, finite(v.before), finite(v.after), v.holds && v.kept[i]
			tried = append(tried, f)
		}
		if v.holds {
			m.cols, m.left, m.unseen = v.cols, math.NaN(), true
			return v.lines, tried
		}
	}
	return nil, tried
}

// absorbed reports whether a free fit absorbs what a repair changes: the sign of torques that are mostly friction or of
// all, the unit of all torques, or the direction of time.
func (m *mending) absorbed(set []Finding) bool {
	scales := map[string]float64{} // by channel
	units := true                  // limits tell the unit; a factor by the file's bodies is not proven by their agreement
	efforts := slices.DeleteFunc(slices.Concat(m.roles.Tau, m.roles.Current), func(name string) bool { return name == "" })
	for _, f := range set {
		units = units && f.ID == Units
		for _, e := range f.Repair.Edits {
			if e.Reverse {
				return true
			}
			if e.Offset != 0 || e.Advance != 0 || e.From != "" || !slices.Contains(efforts, e.Channel) {
				return false
			}
			scales[e.Channel] = e.Scale
		}
	}
	common, turned := units, true
	for _, name := range efforts {
		common = common && scales[name] != 0 && scales[name] == scales[efforts[0]]
	}
	for _, scale := range scales {
		turned = turned && scale == -1
	}
	return len(scales) > 0 && (common || turned)
}

// rescalesClock reports whether a repair is another rate of the clock. A free fit absorbs much of that; velocities know it.
func (m *mending) rescalesClock(set []Finding) bool {
	return len(set) == 1 && len(set[0].Repair.Edits) == 1 && set[0].Repair.Edits[0].Channel == m.roles.T && set[0].Repair.Edits[0].Since == 0 && set[0].Repair.Edits[0].Scale != 0
}

// cures reports whether an examination of the changed log has no warning or error with the id of a finding of the set. Friction and
// inertia, which have definite signs, are then the proof. If the set says what the numbers of several channels mean, a finding with
// such an id may be left if no repair is proposed for it.
func (m *mending) cures(cols [][]float64, set []Finding) bool {
	several := len(set) > 1 && m.mean(set)
	return !slices.ContainsFunc(m.examined(cols), func(f Finding) bool {
		return f.Severity != Info && (!several || m.means(&f)) && slices.ContainsFunc(set, func(x Finding) bool { return x.ID == f.ID })
	})
}

// newWarning reports whether an examination of the changed log, without trials, has a warning or an error of a kind that it did not have
// before. What stays unexplained is none: before, the cause that was taken out stood for it. Nor is a kind that a trial has refuted.
func (m *mending) newWarning(cols [][]float64, before []Finding) bool {
	return m.newOf(Warning, cols, before) != ""
}

// newOf returns the id of what newWarning means, of the given severity or graver; "" if there is none.
func (m *mending) newOf(least Severity, cols [][]float64, before []Finding) string {
	for _, f := range m.examined(cols) {
		if f.Severity.rank() >= least.rank() && f.ID != Unexplained && !slices.ContainsFunc(before, func(b Finding) bool { return b.ID == f.ID && b.seen() }) {
			return f.ID
		}
	}
	return ""
}

// seen reports whether an examination without trials has the finding as a warning or an error.
func (f *Finding) seen() bool { return f.Severity != Info || f.Tried.Outcome == declined }

// examined returns the findings of a changed log, and keeps them for the next round.
func (m *mending) examined(cols [][]float64) []Finding {
	if len(m.nextOf) == 0 || &m.nextOf[0] != &cols[0] {
		m.next, m.fault = untried(m.ctx, m.robot, datasets.FromColumns("log", m.channels, cols, nil), m.roles, m.opt)
		m.nextOf = cols
	}
	return m.next
}

// changes reports whether a repair changes values or rows of a log.
func (r Repair) changes() bool {
	return len(r.Edits) > 0 || slices.ContainsFunc(r.Settings, func(s Setting) bool { return s.Key == "on-bad" && s.Value == "drop" })
}

// onlyRates reports whether repairs change velocities and accelerations alone.
func (m *mending) onlyRates(set []Finding) bool {
	for _, f := range set {
		if len(f.Repair.Edits) == 0 || slices.ContainsFunc(f.Repair.Edits, func(e Edit) bool {
			return len(e.Rows) > 0 || !slices.Contains(m.roles.DQ, e.Channel) && !slices.Contains(m.roles.DDQ, e.Channel)
		}) {
			return false
		}
	}
	return true
}

// errors returns the errors before and after a repair. The repair holds if after < needed·before.
func (m *mending) errors(cols [][]float64, set []Finding) (before, after, needed float64) {
	needed = 1
	unusable := true // only values that cannot be used are left out or bridged
	for _, f := range set {
		for _, e := range f.Repair.Edits {
			switch {
			case f.slipped: // the step itself is the proof
			case f.ID == Offset && slices.Contains(m.roles.Q, e.Channel):
				needed = surelyZero
			case f.ID == GearRatio && slices.Contains(m.roles.Q, e.Channel):
				needed = surelyBetter
			case len(e.Rows) == 0:
				needed = min(needed, muchBetter)
			}
		}
		unusable = unusable && len(f.Repair.Settings) > 0 && f.Repair.Settings[0].Key == "on-bad"
	}
	if unusable {
		needed = otherFolds
	}
	if m.onlyRates(set) {
		return m.disagreement(m.cols), m.disagreement(cols), needed
	}
	if math.IsNaN(m.left) {
		m.left = m.leftOut(m.cols)
	}
	return m.left, m.leftOut(cols), needed
}

// causeOptions returns the options of a fit that tries a repair under some gravity: beside a result it is as free as the fit that named the cause, for
// one that is free of the bodies takes a zero for them.
func (m *mending) causeOptions(s *setup, gravity [3]float64) causes.Options {
	opt := causes.Options{Gravity: gravity, Cutoff: causeCutoff, Seed: m.opt.Seed, Models: s.causes()}
	if m.opt.State.Carries == nil {
		opt.Known = m.opt.Known
	}
	return opt
}

// leftOut returns the error of the fit on rows left out, or +Inf if it cannot be fitted.
func (m *mending) leftOut(cols [][]float64) float64 {
	s, l, ok := m.causeLog(cols, nil)
	if !ok {
		return math.Inf(1)
	}
	e, err := causes.LeftOut(m.ctx, s.robot, []causes.Log{l}, m.causeOptions(s, s.robot.Gravity))
	if err != nil {
		return math.Inf(1)
	}
	return e
}

// causeLog returns the columns as a log for a free fit, without the rows that are marked and those that cannot be used. The last
// result is false if no fit is possible.
func (m *mending) causeLog(cols [][]float64, without []bool) (*setup, causes.Log, bool) {
	s, err := newSetup(m.robot, m.channels, m.roles, m.opt)
	if err != nil || s.causes() == nil {
		return nil, causes.Log{}, false
	}
	t := cols[m.clock]
	clock := filter.AnalyseClock(t)
	if !(clock.Median > 0) {
		return nil, causes.Log{}, false
	}
	gap := observation.GapLimit(filter.NewTimes(t), clock)
	l := causes.Log{Interval: clock.Median}
	column := func(c *channel) []float64 {
		if c == nil {
			return nil
		}
		return cols[slices.Index(m.names, c.name)]
	}
	piece := func(from, to int) {
		if to-from < fewest {
			return
		}
		seg := causes.Segment{T: t[from:to]}
		for _, j := range s.joints {
			var q, y []float64
			if x := column(j.q); x != nil {
				q = x[from:to]
			}
			if x := column(j.effort); x != nil {
				y = make([]float64, to-from)
				for k := range y {
					y[k] = j.torquePerUnit() * x[from+k]
				}
			}
			seg.Q, seg.Effort = append(seg.Q, q), append(seg.Effort, y)
		}
		l.Segments = append(l.Segments, seg)
	}
	sound := func(k int) bool {
		if without != nil && without[k] {
			return false
		}
		for _, j := range s.joints {
			for _, x := range [][]float64{column(j.q), column(j.effort)} {
				if x != nil && (math.IsNaN(x[k]) || math.IsInf(x[k], 0)) {
					return false
				}
			}
		}
		return true
	}
	windows := [][2]int{{0, len(t)}}
	if len(t) > windowRows*maxWindows {
		windows = nil
		for i := range maxWindows {
			first := i * (len(t) - windowRows) / (maxWindows - 1)
			windows = append(windows, [2]int{first, first + windowRows})
		}
	}
	for _, w := range windows {
		from := w[0]
		for k := w[0]; k < w[1]; k++ {
			if !sound(k) {
				piece(from, k)
				from = k + 1
			} else if k > from && !(t[k] > t[k-1] && t[k]-t[k-1] <= gap) {
				piece(from, k)
				from = k
			}
		}
		piece(from, w[1])
	}
	return s, l, true
}

// velocityWindow is half the averaging time of velocities, in seconds. Differences of coarsely printed positions over a
// few rows are noise, and a lag of milliseconds does not show in them.
const velocityWindow = 0.02

// disagreement returns the RMS difference between averaged velocities and the difference quotients of positions over the
// same window, relative to the latter: the mean over the joints.
func (m *mending) disagreement(cols [][]float64) float64 {
	t := cols[m.clock]
	half := 2
	if dt := filter.AnalyseClock(t).Median; dt > 0 {
		half = max(half, min(int(math.Round(velocityWindow/dt)), len(t)/8))
	}
	total, joints := 0.0, 0
	path := make([]float64, len(t)) // integral of the velocity
	for j, name := range m.roles.DQ {
		v, q := slices.Index(m.names, name), slices.Index(m.names, m.roles.Q[j])
		if name == "" || v < 0 || q < 0 {
			continue
		}
		d, s := 0.0, 0.0
		from := 0 // rows from here on have a finite integral
		for k := 1; k < len(t); k++ {
			step := (cols[v][k] + cols[v][k-1]) / 2 * (t[k] - t[k-1])
			if math.IsNaN(step) || math.IsInf(step, 0) || !(t[k] > t[k-1]) {
				path[k], from = 0, k
				continue
			}
			path[k] = path[k-1] + step
			if k-2*half < from {
				continue
			}
			span := t[k] - t[k-2*half]
			rate := (cols[q][k] - cols[q][k-2*half]) / span
			if e := (path[k]-path[k-2*half])/span - rate; !math.IsNaN(e) && !math.IsInf(e, 0) {
				d += e * e
				s += rate * rate
			}
		}
		if s > 0 {
			total += math.Sqrt(d / s)
			joints++
		}
	}
	if joints == 0 {
		return 0
	}
	return total / float64(joints)
}

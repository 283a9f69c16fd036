package doctor

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"ident/datasets"
	"ident/doctor/causes"
	"ident/internal/findingkind"
	"ident/observation"
)

// A Trial is the outcome of a repair that was applied in memory and judged again.
type Trial struct {
	// Errors on stretches left out of a free fit, relative to the torques; for velocities their disagreement with the positions.
	// Zero where no fit is possible.
	ErrorBefore float64 `json:"error_before"`
	ErrorAfter  float64 `json:"error_after"`
	Outcome     string  `json:"outcome"` // "written" if the repair holds, otherwise "declined"
}

// IsZero reports whether nothing was tried.
func (t Trial) IsZero() bool { return t.Outcome == "" }

// Outcomes of a Trial, as in documents.
const (
	written  = "written"
	declined = "declined"
	nothing  = "nothing" // the finding is none; no document has it
)

const (
	// mostTrials is the largest number of kinds of repair that an examination tries, the gravest first. A kind beyond it has a hint.
	mostTrials = 5
	// harm is the ratio of the error with doubted rows to that without them from which these rows do harm.
	harm = 1.05
	// fewDoubted is the part of the rows up to which those left out are single ones: no motion goes with them.
	fewDoubted = 0.01
)

// tried returns the findings of an examination after their repairs were tried on its rows. A finding keeps its fix only if the repair
// holds; otherwise the fix becomes a hint without a command. A finding that its own repair refutes, or whose rows do no harm, is a
// remark.
func (rec *recording) tried(ctx context.Context, found findings) (findings, error) {
	if rec.t.Len() < fewest {
		return found.hinted(), nil
	}
	m, rows := rec.sample()
	m.ctx = ctx
	found, err := m.gravitySize(found)
	if err != nil || !slices.ContainsFunc(found, func(f Finding) bool { return f.Severity != Info && !f.Repair.IsZero() }) {
		return found.hinted(), err
	}
	found, err = m.triedMeanings(m.chosen(found, nil), rows)
	if err != nil {
		return found, err
	}
	trials, none := 0, []int(nil)
	for _, kind := range kindsOf(found) {
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		var set []Finding
		for _, i := range kind {
			set = append(set, found[i].onRows(rows))
		}
		if !slices.ContainsFunc(set, func(f Finding) bool { return f.Repair.changes() }) {
			dropped, err := m.trySettings(found, kind)
			if err != nil {
				return found, err
			}
			none = append(none, dropped...)
			continue
		}
		if trials++; trials > mostTrials {
			for _, i := range kind {
				found[i].decline(Trial{})
			}
			continue
		}
		v := m.judge(set, found)
		if f, ok := m.positionInstead(set); ok && v.adds != "" {
			if w := m.judge([]Finding{f}, found); w.holds {
				found[kind[0]], v = f, w
			}
		}
		if m.fault != nil {
			return found, m.fault
		}
		if v.holds {
			m.cols, m.left = v.cols, math.NaN()
			if found[kind[0]].slipped { // what an examination of the repaired log does not have was made by the slip
				none = append(none, m.gone(found, kind)...)
			}
		}
		for n, i := range kind {
			found[i].outcome(v, n)
		}
	}
	kept := found[:0]
	for i, f := range found {
		if !slices.Contains(none, i) {
			kept = append(kept, f)
		}
	}
	return kept.hinted(), nil
}

// triedMeanings tries together the repairs of what the numbers of a log mean: several that are right only together are declined one by one.
// If they hold, it returns them with what an examination of the log finds whose numbers are those that the robot's joints have; otherwise
// the findings as they are.
func (m *mending) triedMeanings(found findings, rows []int) (findings, error) {
	set := m.meanings(found)
	if m.fault != nil || len(set) == 0 {
		return found, m.fault
	}
	v := m.judge(set, found)
	if m.fault != nil || !v.holds {
		return found, m.fault
	}
	var out findings
	for n, f := range set {
		f.outcome(v, n)
		out = append(out, f)
	}
	m.cols, m.left = v.cols, math.NaN()
	left := m.examined(m.cols)
	if rows == nil { // the rows of the sample are those of the log
		return append(out, left...), m.fault
	}
	for _, f := range found {
		if !m.means(&f) && slices.ContainsFunc(left, func(x Finding) bool { return x.ID == f.ID && x.Channel == f.Channel }) {
			out = append(out, f)
		}
	}
	return out, m.fault
}

// outcome writes into finding n of a set what the trial of the set has shown.
func (f *Finding) outcome(v verdict, n int) {
	t := Trial{figure(v.before), figure(v.after), written}
	switch {
	case v.holds && v.kept[n]:
		f.Tried = t
		if edits := len(f.Repair.Edits); len(v.set[n].Repair.Edits) < edits {
			f.Repair.keepChannels(v.set[n].Repair)
		}
	case v.holds: // the others of its kind mend the log without it
		f.refute(t, "the others alone do as well")
	case v.twin != "":
		t.Outcome = declined
		f.decline(t)
		f.Why = declinedWhy(f.Why, "the inverse factor of "+v.twin+" explains as much")
		f.Hint = oneOfTwo
	case v.again != "":
		t.Outcome = declined
		f.decline(t)
		f.Why = declinedWhy(f.Why, "the next check then finds "+v.again)
	case v.refuted && v.harmless > 0:
		f.refute(t, fmt.Sprintf("a fit with these rows has %.3g times the error of one without them", v.harmless))
	case v.adds != "":
		f.refute(t, "the log then has an error of "+v.adds)
	case v.refuted:
		f.refute(t, fmt.Sprintf("a fit leaves %.3g %%, without %.3g %%", 100*v.after, 100*v.before))
	default:
		t.Outcome = declined
		if f.decline(t); v.otherScale {
			if by := v.set[n].Repair.Edits; len(by) > 0 && by[0].Scale > 1 {
				f.ID, f.Why = GearRatio, fmt.Sprintf("the torques fit a motion about %.2g times as large as %s: its gear ratio, encoder resolution or unit is wrong", by[0].Scale, f.Channel)
				f.Hint = "correct the gear ratio with which it was converted; or log the velocities, which tell the factor"
				return
			}
			f.Why += "; a factor between those of this list fits better"
			f.Hint = "declare the unit with {units} or {scale}: the data sheet has the counts of a turn"
		}
	}
}

// positionInstead returns the finding that the position of a joint is reversed, in place of its torque. Either way friction seems to drive the
// joint, and a free fit of the last joint of a chain is as good with either repair; the bodies of the file fit only one of them.
func (m *mending) positionInstead(set []Finding) (Finding, bool) {
	if len(set) != 1 || set[0].ID != Sign || len(set[0].Repair.Edits) != 1 {
		return Finding{}, false
	}
	f := set[0]
	name := f.Repair.Edits[0].Channel
	j := max(slices.Index(m.roles.Tau, name), slices.Index(m.roles.Current, name))
	if j < 0 || j >= len(m.roles.Q) || m.roles.Q[j] == "" {
		return Finding{}, false
	}
	f.Channel, f.instead, f.Repair = m.roles.Q[j], true, Repair{}
	for _, names := range [][]string{m.roles.Q, m.roles.DQ, m.roles.DDQ} {
		if j < len(names) && names[j] != "" {
			f.Repair.Edits = append(f.Repair.Edits, Edit{Channel: names[j], Scale: -1})
		}
	}
	f.Why = fmt.Sprintf("%s has the opposite direction to the robot file: friction of joint %s drives it, and reversing its torque instead contradicts the bodies of the file", f.Channel, f.Joint)
	f.Fix = turned(&f.Repair) + "; or {mend} writes a log with these signs reversed; or reverse the joint's axis in the robot file"
	return f, true
}

// gone returns the indices of the warnings and errors, but for those of a kind, that an examination of the repaired log does not have.
func (m *mending) gone(found findings, kind []int) (none []int) {
	left := m.examined(m.cols)
	for i, f := range found {
		same := func(x Finding) bool { return x.ID == f.ID && x.Channel == f.Channel && x.Severity != Info }
		if f.Severity != Info && !slices.Contains(kind, i) && !slices.ContainsFunc(left, same) {
			none = append(none, i)
		}
	}
	return none
}

// figure returns an error, zero where no fit gave one.
func figure(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// kindsOf returns the indices of the findings that have a repair that was not tried, by kind, the gravest first.
func kindsOf(found findings) (kinds [][]int) {
	at := map[string]int{} // by id; a slip is not one of the other offsets
	key := func(f Finding) string { return pick(f.slipped, f.ID+" of a slip", f.ID) }
	order := slices.Clone(found)
	order.sort()
	for _, f := range order {
		if _, known := at[key(f)]; f.Severity != Info && !f.Repair.IsZero() && f.Tried.IsZero() && !known {
			at[key(f)] = len(kinds)
			kinds = append(kinds, nil)
		}
	}
	for i, f := range found {
		if k, ok := at[key(f)]; ok && f.Severity != Info && !f.Repair.IsZero() && f.Tried.IsZero() {
			kinds[k] = append(kinds[k], i)
		}
	}
	return kinds
}

// sample returns the rows that an examination keeps, as a log to repair, and their numbers in the log: nil where it keeps all.
func (rec *recording) sample() (*mending, []int) {
	m := &mending{robot: rec.robot, roles: rec.roles, opt: rec.opt, asked: map[string]bool{}, left: math.NaN(), ctx: context.Background(), once: true}
	m.opt.Rows = -1
	m.opt.State.Payload = observation.PayloadFlag{} // its channel is not in the sample
	m.opt.State.Carries = rec.carries
	m.names, m.channels = []string{rec.roles.T}, []datasets.Channel{{Name: rec.roles.T, Unit: "s"}}
	for _, c := range rec.channels {
		m.names, m.channels = append(m.names, c.name), append(m.channels, datasets.Channel{Name: c.name, Unit: c.unit, Assumed: c.assumed})
	}
	m.bounds = Bounds(rec.robot, rec.roles)
	m.cols = make([][]float64, len(m.names))
	var rows []int
	for _, w := range rec.windows {
		m.cols[0] = append(m.cols[0], w.t...)
		for i, c := range w.cols {
			m.cols[i+1] = append(m.cols[i+1], c...)
		}
		for k := range w.t {
			rows = append(rows, w.first+k)
		}
	}
	if len(rec.windows) == 1 {
		rows = nil
	}
	return m, rows
}

// onRows returns the finding with the rows of its repair numbered as those of a sample.
func (f Finding) onRows(rows []int) Finding {
	f.Repair.Edits = slices.Clone(f.Repair.Edits)
	if rows == nil {
		return f
	}
	at := func(row int) int { k, _ := slices.BinarySearch(rows, row); return k }
	for i := range f.Repair.Edits {
		e := &f.Repair.Edits[i]
		if e.Since > 0 {
			e.Since = at(e.Since)
		}
		var spans []datasets.RowRange
		for _, span := range e.Rows {
			if from, to := at(span[0]), at(span[1]); from < to {
				spans = append(spans, datasets.RowRange{from, to})
			}
		}
		if len(e.Rows) > 0 && spans == nil {
			spans = []datasets.RowRange{{0, 0}} // none of the sample
		}
		e.Rows = spans
	}
	return f
}

// decline takes the command from a finding whose repair was not tried, or does not hold.
func (f *Finding) decline(t Trial) {
	f.Tried = t
	f.Hint, f.Fix, f.Repair = withoutCommands(f.Fix), "", Repair{}
}

// refute makes a finding a remark whose repair was declined, with the reason.
func (f *Finding) refute(t Trial, why string) {
	t.Outcome = declined
	f.decline(t)
	f.Severity = Info
	f.Why = declinedWhy(f.Why, why)
	if f.Hint == nothingElse {
		f.Hint = "nothing: its repair is no better"
	}
}

// mostText is the length of the longest text of a finding, in characters.
const mostText = 200

// declinedWhy appends the reason for which a repair was declined to what a finding saw. A text that would be too long loses what was
// concluded, behind the last colon or semicolon: the trial refuted that.
func declinedWhy(seen, reason string) string {
	reason = "; tried and declined: " + reason
	for utf8.RuneCountInString(seen+reason) > mostText {
		end := max(strings.LastIndex(seen, ": "), strings.LastIndex(seen, "; "))
		if end < 0 {
			break
		}
		seen = seen[:end]
	}
	return seen + reason
}

// hinted moves the advice of findings that have no repair from fix to hint: nothing of it was tried.
func (found findings) hinted() findings {
	for i := range found {
		if f := &found[i]; f.Fix != "" && f.Tried.IsZero() && (f.Repair.IsZero() || f.Severity == Info) {
			f.Hint, f.Fix = f.Fix, ""
		}
		found[i].Fix = found[i].ofTrial()
	}
	return found
}

// A command with a value, which only a trial can vouch for, such as {gravity} 0,0,0 or {couplings} "a=b-a".
var command = regexp.MustCompile(`\{([a-z-]+)\} "?(-?[0-9]|[^ ;]*[=,])[^ ;]*`)

// ofTrial returns the parts of a fix whose commands are those that were tried.
func (f *Finding) ofTrial() string {
	if f.Fix == "" || f.Repair.IsZero() {
		return f.Fix
	}
	var kept []string
	for _, part := range advice.Split(f.Fix, -1) {
		named := command.FindAllStringSubmatch(part, -1)
		other := func(of []string) bool {
			return !slices.ContainsFunc(f.Repair.Settings, func(s Setting) bool { return s.Key == of[1] })
		}
		if !slices.ContainsFunc(named, other) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "; or ")
}

// advice separates the parts of an advice.
var advice = regexp.MustCompile(`(?:;|,) or `)

// nothingElse is the hint of a finding whose only advice was a repair that was declined.
const nothingElse = "record again, and look at this channel"

// withoutCommands returns the parts of an advice that name no setting.
func withoutCommands(fix string) string {
	var kept []string
	for _, part := range strings.Split(fix, ";") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "or ")
		if part != "" && !strings.Contains(part, "{") {
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return nothingElse
	}
	return strings.Join(kept, "; or ")
}

// keepChannels keeps the edits and settings of a repair that another one has too.
func (r *Repair) keepChannels(other Repair) {
	has := func(name string) bool {
		return slices.ContainsFunc(other.Edits, func(e Edit) bool { return e.Channel == name })
	}
	r.Edits = slices.DeleteFunc(slices.Clone(r.Edits), func(e Edit) bool { return !has(e.Channel) })
	r.Settings = slices.DeleteFunc(slices.Clone(r.Settings), func(s Setting) bool { return s.Name != "" && !has(s.Name) })
}

// verdict is what a trial of the repairs of one kind shows.
type verdict struct {
	set           []Finding // with the parts of their repairs that are needed
	kept          []bool    // the finding is needed
	cols          [][]float64
	lines         []string
	before, after float64
	holds         bool
	refuted       bool    // the repair changes nothing, or the doubted rows do no harm
	otherScale    bool    // another unit of the positions does better
	twin          string  // another torque whose scale would explain the log as well
	again         string  // the id and channel of a finding that the next examination has, of the same kind or channel
	adds          string  // the id of an error that the repaired log has and the log has not, where a free fit does not see the repair
	harmless      float64 // the error of a fit with the doubted rows over that of one without, where they do no harm
}

// judge judges the repairs of findings of one kind, found being all of the log. One that holds must last: what the next examination finds of
// the same kind, or of a channel that was changed, must be a further fault, whose own repair holds.
func (m *mending) judge(set, found []Finding) verdict {
	v := m.fitted(set, found)
	if v.holds {
		v.twin = m.twin(&v)
		v.holds = v.twin == ""
	}
	o, w := *m, v
	for range mostTrials {
		if !w.holds || o.fault != nil {
			break
		}
		o.cols, o.left = w.cols, math.NaN()
		further := o.again(w.set, found, w.after < clearlyBetter*w.before)
		if len(further) == 0 {
			break
		}
		found = o.next
		if w = o.fitted(further, found); !w.holds {
			v.holds, v.again = false, strings.TrimSpace(further[0].ID+" of "+further[0].Channel)
		}
	}
	m.next, m.nextOf, m.fault = o.next, o.nextOf, o.fault
	return v
}

// twin returns a torque whose scale explains a log as well as the repair of the scale of another one, "" for none: in a plane two torques
// tell only the ratio of their scales.
func (m *mending) twin(v *verdict) string {
	efforts := slices.DeleteFunc(slices.Concat(m.roles.Tau, m.roles.Current), func(name string) bool { return name == "" })
	if len(v.set) != 1 || v.set[0].ID != GearRatio || len(v.set[0].Repair.Edits) != 1 {
		return ""
	}
	e := v.set[0].Repair.Edits[0]
	if e.Scale == 0 || !slices.Contains(efforts, e.Channel) {
		return ""
	}
	for _, name := range efforts {
		other := v.set[0]
		other.Repair = Repair{Edits: []Edit{{Channel: name, Scale: 1 / e.Scale}}}
		if name == e.Channel {
			continue
		}
		if cols, _ := Mend(m.names, m.cols, m.clock, []Finding{other}, m.bounds); m.leftOut(cols) < v.after/muchBetter {
			return name
		}
	}
	return ""
}

// again returns the findings of an examination of the repaired log, of the kind of the first, that are of the same kind as a repair or about a
// channel that it has changed, and that the log did not have before. After one that is clearly better, something may be left of the fault
// itself.
func (m *mending) again(set, found []Finding, clear bool) (further []Finding) {
	changed := func(name string) bool {
		return slices.ContainsFunc(set, func(f Finding) bool {
			return slices.ContainsFunc(f.Repair.Edits, func(e Edit) bool { return e.Channel == name && name != "" })
		})
	}
	opened := m.opensGaps(set)
	asked := func(f Finding) bool {
		if f.ID == ClockGap && opened { // what was asked for
			return false
		}
		kind := slices.ContainsFunc(set, func(x Finding) bool { return x.ID == f.ID })
		if f.Severity == Info || f.ID == Unexplained || kind && changed(f.Channel) && clear { // the last is what is left of it
			return false
		}
		known := slices.ContainsFunc(found, func(x Finding) bool { return x.ID == f.ID && x.Channel == f.Channel && x.seen() })
		// A torque with which something else is wrong has no factor: an excess is of that. Rows that are known leave the others their factor.
		stays := set[0].ID == GearRatio && f.ID != GearRatio && !f.bridged() && changed(f.Channel) && slices.Contains(m.roles.Tau, f.Channel)
		return stays || (kind || changed(f.Channel)) && (!known || kind && changed(f.Channel))
	}
	if m.once && leaveOutRows(set) && !m.shown(m.cols, asked) {
		return nil
	}
	for _, f := range m.examined(m.cols) {
		if asked(f) && (len(further) == 0 || f.ID == further[0].ID) {
			further = append(further, f)
		}
	}
	return further
}

// opensGaps reports whether repairs set the clock forward from some row on, where rows are missing.
func (m *mending) opensGaps(set []Finding) bool {
	return slices.ContainsFunc(set, func(f Finding) bool {
		return slices.ContainsFunc(f.Repair.Edits, func(e Edit) bool { return e.Channel == m.roles.T && e.Offset > 0 && e.Since > 0 })
	})
}

// leaveOutRows reports whether repairs leave out rows of all channels and nothing else, for what channels show by themselves: torques make no
// finding of their kind, nor one about a channel that they have changed.
func leaveOutRows(set []Finding) bool {
	return !slices.ContainsFunc(set, func(f Finding) bool {
		return findingkind.Of(f.ID).Symptom || len(f.Repair.Edits) == 0 || slices.ContainsFunc(f.Repair.Edits, func(e Edit) bool { return e.Channel != "" })
	})
}

// shown reports whether the channels of a changed log show by themselves a finding that is asked for. What torques show later may take such a
// finding away, and makes none.
func (m *mending) shown(cols [][]float64, asked func(f Finding) bool) bool {
	opt := m.opt
	opt.channelsAlone = true
	found, err := untried(m.ctx, m.robot, datasets.FromColumns("log", m.channels, cols, nil), m.roles, opt)
	if err != nil {
		m.fault = err
	}
	return slices.ContainsFunc(found, asked)
}

// fitted applies the repairs of findings of one kind and judges the log again by a free fit, and by an examination where that does not see
// them. Of a repair of several channels it takes the smallest part that does as well.
func (m *mending) fitted(set, found []Finding) verdict {
	v := verdict{set: set, kept: slices.Repeat([]bool{true}, len(set))}
	if v.cols, v.lines = Mend(m.names, m.cols, m.clock, set, m.bounds); len(v.lines) == 0 || len(v.cols[m.clock]) < fewest {
		return v
	}
	var needed float64
	v.before, v.after, needed = m.errors(v.cols, set)
	if math.IsInf(v.before, 0) || math.IsNaN(v.before) {
		// No fit tells: the proof is that an examination of the changed log has nothing to say of it. What torques alone can prove needs a
		// fit of the changed log.
		if math.IsInf(v.after, 0) && m.byTorques(set) {
			return v
		}
		v.holds = m.cures(v.cols, set) && !m.newWarning(v.cols, found)
		return v
	}
	if math.IsInf(v.after, 0) || math.IsNaN(v.after) { // no fit tells
		return v
	}
	if 2*m.stretches(set) > len(m.cols[m.clock]) {
		return v
	}
	if rows, cut := m.doubted(set); rows != nil {
		if v.before < harm*v.after { // the worst values hide others, which the changed log shows
			m.further(&v, set[0].ID)
		}
		o, ok := m.withRows(rows)
		none := ok && o.with < harm*o.without
		if none && v.before < harm*v.after {
			v.refuted, v.harmless = true, o.with/o.without
			return v
		}
		// Where more than a few rows are left out, they must harm the others, and the others must know their motion.
		if float64(cut) > fewDoubted*float64(len(rows)) && (none || ok && o.alone > 2*o.together) {
			return v
		}
	} else {
		m.part(&v)
	}
	v.holds = v.after < needed*v.before
	if v.holds && m.betterScale(&v) {
		v.holds, v.otherScale = false, true
		return v
	}
	if !v.holds && m.unusable(set) && v.after < joinedPieces*v.before {
		v.holds = m.cures(v.cols, set) && !m.newWarning(v.cols, found)
	}
	if v.holds && needed < 1 && v.after >= clearlyBetter*v.before && !m.onlyRates(v.set) {
		v.holds = !m.newWarning(v.cols, found)
	}
	if !v.holds && v.after < hardlyWorse*v.before && m.rescalesClock(v.set) {
		v.holds = m.disagreement(v.cols) < clockAgrees*m.disagreement(m.cols)
		return v
	}
	units := !slices.ContainsFunc(set, func(f Finding) bool { return f.ID != Units }) || len(set) > 1 && m.mean(set)
	absorbed := m.absorbed(v.set) || units || len(set) == 1 && set[0].instead // the size of values tells a unit
	if !v.holds && absorbed && v.after < hardlyWorse*v.before {
		if v.holds = m.cures(v.cols, set); v.holds && !units { // a unit hides other faults
			v.adds = m.newOf(Error, v.cols, found)
			v.holds, v.refuted = v.adds == "", v.adds != ""
			return v
		}
	}
	v.refuted = !v.holds && !absorbed && !m.unusable(set) && m.ownPart(&v) > muchBetter
	return v
}

// byTorques reports whether repairs exchange channels of a log with torques, or change torques other than by their unit, which the size of
// values tells.
func (m *mending) byTorques(set []Finding) bool {
	logged := slices.ContainsFunc(slices.Concat(m.roles.Tau, m.roles.Current), func(name string) bool { return name != "" })
	return logged && slices.ContainsFunc(set, func(f Finding) bool {
		return slices.ContainsFunc(f.Repair.Edits, func(e Edit) bool {
			return e.From != "" || f.ID != Units && len(e.Rows) == 0 && (slices.Contains(m.roles.Tau, e.Channel) || slices.Contains(m.roles.Current, e.Channel))
		})
	})
}

// nearScale is a ratio within which there is no second number of counts: encoders have powers of two, tens or hundreds.
const nearScale = 1.04

// fewestCounts is the number of counts of a turn from which a unit is one of an encoder; degrees and hundredths are no numbers of a data
// sheet. Turns may be another gear.
const fewestCounts = 1000

// betterScale reports whether positions in counts near those of a repair do clearly better than in these: counts of a turn that are not
// among those that were tried look like the next ones.
func (m *mending) betterScale(v *verdict) bool {
	for _, by := range []float64{nearScale, 1 / nearScale} {
		set, counts := slices.Clone(v.set), false
		for i := range set {
			f := &set[i]
			f.Repair.Edits = slices.Clone(f.Repair.Edits)
			for k := range f.Repair.Edits {
				e := &f.Repair.Edits[k]
				if f.ID == Units && (e.Scale > 1 || e.Scale > 0 && 2*math.Pi/e.Scale >= fewestCounts) && slices.Contains(slices.Concat(m.roles.Q, m.roles.DQ, m.roles.DDQ), e.Channel) {
					e.Scale *= by
					counts = true
				}
			}
		}
		if !counts {
			return false
		}
		if cols, lines := Mend(m.names, m.cols, m.clock, set, m.bounds); len(lines) > 0 && m.leftOut(cols) < muchBetter*v.after {
			return true
		}
	}
	return false
}

// ownPart returns the part of the error that a repair leaves of the torques that it changes, where it changes torques alone: the error
// is a geometric mean over all torques, in which that of one hardly shows. Otherwise it returns the part of the whole error.
func (m *mending) ownPart(v *verdict) float64 {
	efforts := slices.DeleteFunc(slices.Concat(m.roles.Tau, m.roles.Current), func(name string) bool { return name == "" })
	changed := map[string]bool{}
	for _, f := range v.set {
		for _, e := range f.Repair.Edits {
			if len(e.Rows) > 0 || !slices.Contains(efforts, e.Channel) {
				return v.after / v.before
			}
			changed[e.Channel] = true
		}
	}
	return math.Pow(v.after/v.before, float64(len(efforts))/float64(max(1, len(changed))))
}

// further repairs what an examination of the changed log finds of the same kind.
func (m *mending) further(v *verdict, id string) {
	for range mostTrials {
		asked := func(f Finding) bool { return f.ID == id && f.Severity != Info && f.Repair.changes() }
		if m.once && leaveOutRows(v.set) && !m.shown(v.cols, asked) {
			break
		}
		var more []Finding
		for _, f := range m.examined(v.cols) {
			if asked(f) {
				more = append(more, f)
			}
		}
		cols, lines := Mend(m.names, v.cols, m.clock, more, m.bounds)
		if m.fault != nil || len(lines) == 0 || len(cols[m.clock]) < fewest {
			break
		}
		v.cols, v.lines = cols, append(v.lines, lines...)
		v.after = m.leftOut(v.cols)
	}
}

// part replaces a repair of several joints by the part of it that leaves the smallest error, if that does as well as the whole: each
// joint alone, and all but one. An exchange is one part. A unit is that of the logger, so a part of its joints must do better than all,
// which chance decides where a joint bears nothing. A part that leaves the finding does not do as well as a whole without it: a free
// fit absorbs the sign of a friction, and the unit of a joint that bears nothing.
func (m *mending) part(v *verdict) {
	joint := map[string]int{} // of channels
	for _, names := range [][]string{m.roles.Q, m.roles.DQ, m.roles.DDQ, m.roles.Tau, m.roles.Current} {
		for j, name := range names {
			joint[name] = j + 1
		}
	}
	var joints []int
	for _, f := range v.set {
		for _, e := range f.Repair.Edits {
			j := joint[e.Channel]
			if e.Channel == m.roles.T && e.Scale != 0 && len(v.set) > 1 {
				continue // the clock is that of all joints
			}
			if j == 0 || e.From != "" || e.Reverse || len(e.Rows) > 0 {
				return
			}
			if !slices.Contains(joints, j) {
				joints = append(joints, j)
			}
		}
	}
	if len(joints) < 2 || m.onlyRates(v.set) {
		return
	}
	of := func(keep func(j int) bool) (set []Finding, kept []bool) {
		for _, f := range v.set {
			edits := len(f.Repair.Edits)
			f.Repair.Edits = slices.DeleteFunc(slices.Clone(f.Repair.Edits), func(e Edit) bool { return joint[e.Channel] > 0 && !keep(joint[e.Channel]) })
			kept = append(kept, edits == 0 || len(f.Repair.Edits) > 0)
			set = append(set, f)
		}
		return set, kept
	}
	least := 1.0
	if slices.ContainsFunc(v.set, func(f Finding) bool { return f.ID == Units }) {
		least = otherUnit
	}
	best := *v
	try := func(keep func(j int) bool) {
		p := best
		p.set, p.kept = of(keep)
		if p.cols, p.lines = Mend(m.names, m.cols, m.clock, p.set, m.bounds); len(p.lines) == 0 {
			return
		}
		if p.after = m.leftOut(p.cols); p.after <= least*best.after && m.ctx.Err() == nil {
			best = p
		}
	}
	for _, j := range joints {
		try(func(k int) bool { return k != j })
	}
	if len(joints) > 2 {
		for _, j := range joints {
			try(func(k int) bool { return k == j })
		}
	}
	if len(best.set) > 0 && &best.cols[0] != &v.cols[0] && !m.cures(best.cols, v.set) && m.cures(v.cols, v.set) {
		return
	}
	*v = best
}

// otherUnit: a part of the joints has another unit than the others if a free fit leaves less than this of what it leaves with one unit. On a measured
// log a joint that bears little leaves 0.87 in turns, and joints that bear something 1.2 to 6.
const otherUnit = 0.5

// unusable reports whether repairs leave out or bridge only values that cannot be used.
func (m *mending) unusable(set []Finding) bool {
	return !slices.ContainsFunc(set, func(f Finding) bool { return len(f.Repair.Settings) == 0 || f.Repair.Settings[0].Key != "on-bad" })
}

// doubted returns the rows of positions and efforts that repairs leave out or interpolate though they hold numbers; nil if the repairs
// do anything else. cut counts those that are left out.
func (m *mending) doubted(set []Finding) (doubted []bool, cut int) {
	if m.unusable(set) {
		return nil, 0
	}
	doubted = make([]bool, len(m.cols[m.clock]))
	for _, f := range set {
		if len(f.Repair.Edits) == 0 {
			return nil, 0
		}
		for _, e := range f.Repair.Edits {
			if len(e.Rows) == 0 || slices.Contains(m.roles.DQ, f.Channel) || slices.Contains(m.roles.DDQ, f.Channel) {
				return nil, 0
			}
			for k := range e.within(len(doubted)) {
				if e.Channel == "" && !doubted[k] {
					cut++
				}
				doubted[k] = true
			}
		}
	}
	return doubted, cut
}

// shortGap is the number of rows up to which those left out leave the motion in the log: a fit bridges ten intervals.
const shortGap = 10

// stretches returns the number of rows that repairs leave out in longer stretches, whose motion is lost with them. Where they are most of the
// rows, the rest is another log: it fits itself, and says nothing of the motion that it lacks.
func (m *mending) stretches(set []Finding) (n int) {
	lost := make([]bool, len(m.cols[m.clock]))
	for _, f := range set {
		for _, e := range f.Repair.Edits {
			for _, span := range e.Rows {
				if e.Channel != "" || span[1]-span[0] <= shortGap {
					continue
				}
				for k := span[0]; k < min(span[1], len(lost)); k++ {
					if !lost[k] {
						lost[k] = true
						n++
					}
				}
			}
		}
	}
	return n
}

// doubt holds errors of fits of all rows and of those that nothing is said against.
type doubt struct {
	with, without   float64 // of either, on the rows that nothing is said against
	together, alone float64 // of either, on the doubted rows: a fit without them that leaves twice as much has half of its knowledge of that motion from them
}

// withRows fits all rows, and those without the doubted ones.
func (m *mending) withRows(doubted []bool) (d doubt, ok bool) {
	others := make([]bool, len(doubted))
	for k, x := range doubted {
		others[k] = !x
	}
	s, all, a := m.causeLog(m.cols, nil)
	_, kept, b := m.causeLog(m.cols, doubted)
	_, cut, c := m.causeLog(m.cols, others)
	if !a || !b || !c {
		return d, false
	}
	opt := causes.Options{Gravity: s.robot.Gravity, Cutoff: causeCutoff, Seed: m.opt.Seed, Models: s.causes()}
	of := func(train, test causes.Log) (float64, bool) {
		e, err := causes.Validate(m.ctx, s.robot, []causes.Log{train}, []causes.Log{test}, opt)
		return e, err == nil
	}
	d.with, a = of(all, kept)
	d.without, b = of(kept, kept)
	if d.together, c = of(all, cut); c {
		d.alone, _ = of(kept, cut)
	}
	return d, a && b
}

// unit3 returns a vector of length one in the direction of g.
func unit3(g [3]float64) [3]float64 {
	n := max(norm3(g), math.SmallestNonzeroFloat64)
	return [3]float64{0 + g[0]/n, 0 + g[1]/n, 0 + g[2]/n}
}

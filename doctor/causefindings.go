package doctor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"ident/datasets"
	"ident/doctor/causes"
	"ident/filter"
	"ident/internal/findingkind"
	"ident/internal/hint"
	"ident/internal/rowlist"
)

// Kinds of finding that come from package causes.
const (
	TorqueKind     = "torque-kind"     // a torque channel lacks gravity or friction, or holds external torque only
	TimeJump       = "time-jump"       // a stretch of the log is missing or repeated, or its rate changes
	RecorderOffset = "recorder-offset" // torques and positions were recorded at different times
	Held           = "held"            // a channel keeps each value for several rows: its source is slower
	Reversed       = "reversed"        // the log runs backward
	Wrapped        = "wrapped"         // values jump to the other end of their range, like angles within one turn
	Asymmetry      = "asymmetry"       // a torque has another scale in each direction
	Contact        = "contact"         // the robot touches something
	Geometry       = "geometry"        // lengths or frames of the robot file are wrong
	Smoothed       = "smoothed"        // torques are low-pass filtered, positions are not
	Backlash       = "backlash"
	FrictionLaw    = "friction-law" // friction follows another law than that of the model
)

// rawFindings returns the causes that single channels show by themselves.
func rawFindings(rec *recording, before findings) (found findings, outliers []int) {
	type key struct {
		kind  string
		of    causes.Quantity
		joint int
	}
	shown := map[key]*causes.Cause{}
	var order []key
	for _, w := range rec.windows {
		from := min(max(rec.first-w.first, 0), len(w.t))
		r := causes.Raw{T: w.t[from:]}
		column := func(c *channel) []float64 {
			if c == nil {
				return nil
			}
			return w.cols[c.index][from:]
		}
		for j, jt := range rec.joints {
			q, dq := column(jt.q), column(jt.dq)
			if rec.isStill(jt) {
				q, dq = nil, nil // noise, or a few steps of the print
			}
			r.Q, r.DQ, r.Effort = append(r.Q, q), append(r.DQ, dq), append(r.Effort, column(jt.effort))
			r.Revolute = append(r.Revolute, rec.isRevolute(j))
		}
		for _, c := range causes.Raws(r) {
			if c.Kind == causes.Shuffled && rec.ordered() {
				continue
			}
			for i := range c.Rows {
				c.Rows[i] += w.first + from
			}
			k := key{c.Kind, c.Of, -1}
			if len(c.Joints) > 0 {
				k.joint = c.Joints[0]
			}
			if s := shown[k]; s != nil {
				s.Rows = append(s.Rows, c.Rows...)
				continue
			}
			shown[k] = &c
			order = append(order, k)
		}
	}
	for _, k := range order {
		c := shown[k]
		f, ok := rec.rawFinding(c, before)
		if !ok {
			continue
		}
		if c.Kind == causes.Placeholder || c.Kind == causes.Spikes {
			outliers = append(outliers, c.Rows...)
		}
		found.add(f)
	}
	return found, outliers
}

// withoutSymptoms removes earlier findings that findings on whole channels explain: single values of a channel that
// wraps by as much, and constant stretches as long as one or two values of a held channel.
func (f findings) withoutSymptoms(shown findings) findings {
	return slices.DeleteFunc(f, func(x Finding) bool {
		return slices.ContainsFunc(shown, func(y Finding) bool {
			return x.Channel == y.Channel && (x.ID == Spike && y.ID == Wrapped && math.Abs(x.Value/y.Value-1) < 0.2 || x.ID == Stuck && y.ID == Held && x.Value < 2.5*y.Value)
		})
	})
}

// bendTime reports whether channels show that positions and times do not belong together: held positions, shuffled packets, or a clock
// that jumps or changes its rate.
func (f findings) bendTime(rec *recording) bool {
	return slices.ContainsFunc(f, func(x Finding) bool {
		return x.ID == TimeJump || x.ID == ClockJitter || x.ID == Held && x.Severity != Info && rec.isPosition(x.Channel)
	})
}

// isPosition reports whether a channel holds positions.
func (rec *recording) isPosition(name string) bool {
	return slices.ContainsFunc(rec.joints, func(j joint) bool { return j.q != nil && j.q.name == name })
}

// orderedSteps is the part of the squares of the steps of positions that their velocities leave in rows that stand in order: trapezoids
// leave 0.001 of a sine with ten rows a period. Rows in another order leave several times their share of the rows.
const orderedSteps = 0.01

// ordered reports whether logged velocities explain the steps of the positions: the rows then stand in the order of their times, however
// fast the motion is for their rate.
func (rec *recording) ordered() bool {
	left, whole := 0.0, 0.0
	for _, j := range rec.joints {
		if j.q == nil || rec.isStill(j) {
			continue
		}
		if j.dq == nil {
			return false
		}
		own, all := 0.0, 0.0
		counted := rec.quantum(j.q) * rec.quantum(j.q) / 6 // the variance of the difference of two rounded values
		for _, w := range rec.windows {
			q, v := w.cols[j.q.index], w.cols[j.dq.index]
			for k := 1; k < len(w.t); k++ {
				step, by := q[k]-q[k-1], (w.t[k]-w.t[k-1])*(v[k]+v[k-1])/2
				if x := step - by; !math.IsNaN(x) {
					own, all = own+x*x-counted, all+step*step
				}
			}
		}
		left, whole = left+max(own, 0)/max(all, math.SmallestNonzeroFloat64), whole+1
	}
	return whole > 0 && left < orderedSteps*whole
}

// channelOf returns the channel of a joint's quantity.
func (rec *recording) channelOf(of causes.Quantity, joint int) *channel {
	j := rec.joints[joint]
	return []*channel{j.q, j.dq, j.effort}[of]
}

// rawFinding returns a cause of channels as a finding; ok is false if an earlier finding covers it.
func (rec *recording) rawFinding(c *causes.Cause, before findings) (f Finding, ok bool) {
	var where rowlist.List
	for _, r := range c.Rows {
		where.Note(r)
	}
	var ch *channel
	if len(c.Joints) > 0 {
		ch = rec.channelOf(c.Of, c.Joints[0])
		f = rec.about("", Error, ch)
		if ch.role == velocity || ch.role == acceleration {
			f.Severity = Warning
		}
	} else {
		f = Finding{Severity: Error, Channel: rec.roles.T}
	}
	switch c.Kind {
	case causes.TimeJump, causes.RateChange, causes.Shuffled:
		held := func(x Finding) bool { return (x.ID == Held || x.ID == ClockJitter) && rec.isPosition(x.Channel) }
		backward := slices.ContainsFunc(before, func(x Finding) bool { return x.ID == ClockBackward }) // then the steps are those of the clock
		if !backward && (slices.ContainsFunc(before, held) || rec.counts(pick(c.Kind == causes.TimeJump, math.Abs(c.Value), rec.clock.Median))) {
			return f, false // positions in steps
		}
	}
	f.Value, f.Where = c.Value, "the whole log"
	if len(c.Rows) > 0 {
		f.at(&where, rec.t)
	}
	switch c.Kind {
	case causes.Placeholder:
		if before.has(Spike, ch) {
			return f, false
		}
		f.ID = Spike
		f.Why = fmt.Sprintf("%s is exactly %.6g on %s, far from all its other values: the logger writes that where a value is missing", ch.name, c.Value, rowlist.Plural(len(c.Rows), "row"))
		f.Fix, f.Repair.Edits = "{mend} writes a log without these values", rec.withoutValues(ch, c.Rows)
	case causes.Spikes:
		if before.has(Spike, ch) || before.has(Dropout, ch) {
			return f, false
		}
		f.ID = Spike
		f.Why = fmt.Sprintf("%s where %s differs from its neighbours by more than its whole usual range: single values are wrong", rowlist.Plural(len(c.Rows), "row"), ch.name)
		f.Fix, f.Repair.Edits = "{mend} writes a log without these values", rec.withoutValues(ch, c.Rows)
	case causes.Wrapped:
		f.ID = Wrapped
		f.Why = fmt.Sprintf("%s steps by %.6g and goes on from the other end of its range, %s: the counter overflows", ch.name, c.Value, plainTimes(len(c.Rows)))
		f.Fix = "{mend} writes a log with the channel unwrapped"
		f.Repair.Edits = []Edit{{Channel: ch.name, Unwrap: c.Value}}
		if c.Of == causes.Torque { // which is mostly within its range, also if the log begins beyond it
			f.Repair.Edits[0].Offset = 0 - c.Value*unwrap(rec.allOf(ch), c.Value)
		}
	case causes.Held:
		if before.has(Held, ch) {
			return f, false
		}
		f = rec.heldFinding(ch, c.Value)
		if before.has(Dropout, ch) {
			f.Severity = Info
		}
	case causes.TimeJump:
		f.ID = TimeJump
		f.Why = fmt.Sprintf("all joints jump by the way of %.3g s although the clock advances evenly: a stretch of the log is missing", math.Abs(c.Value))
		f.Fix = "{mend} writes a log whose clock has the gap, which a fit then cuts out"
		for _, row := range c.Rows {
			f.Repair.Edits = append(f.Repair.Edits, Edit{Channel: rec.roles.T, Offset: gapFor(rec, c.Value), Since: row})
		}
	case causes.Repeated:
		f.ID = TimeJump
		n := int(c.Length)
		f.Why = fmt.Sprintf("%d rows are repeated there, although the clock advances", n)
		f.Fix = "{mend} writes a log without the repetition"
		f.Repair.Edits = []Edit{{Rows: []datasets.RowRange{{c.Rows[0], c.Rows[0] + n}}}}
	case causes.RateChange:
		f.ID = TimeJump
		f.Why = fmt.Sprintf("the clock's interval changes to %.3g times the one before, and the velocities of all joints by the inverse: the clock's rate changed, not the motion's", c.Value)
		f.Fix = "{mend} writes a log in which the intervals after it are divided by that factor; or log the controller's own time stamps"
		f.Repair.Edits = []Edit{{Channel: rec.roles.T, Scale: 1 / c.Value, Since: c.Rows[0]}}
	case causes.Shuffled:
		f.ID, f.Severity = ClockJitter, Warning
		f.Why = "again and again all joints jump as far as they move in one and the same time: packets were shuffled, or were stamped on arrival"
		f.Fix = "log the controller's own time stamps, and sort by them"
	default:
		return f, false
	}
	return f, true
}

// allOf returns a copy of the values of a channel.
func (rec *recording) allOf(c *channel) (out []float64) {
	for _, w := range rec.windows {
		out = append(out, w.cols[c.index]...)
	}
	return out
}

func plainTimes(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// gapFor returns a gap in the clock, in seconds, that is long enough for a fit to cut there.
func gapFor(rec *recording, seconds float64) float64 {
	return max(math.Abs(seconds), 2*longGap, 20*rec.clock.Median)
}

// causeCutoff is the cut-off of the free fits, in Hz.
const causeCutoff = 10.0

// causeLog returns the recording in the form of package causes.
func (rec *recording) causeLog(outliers []int, held []bool) causes.Log {
	l := causes.Log{Interval: rec.interval()}
	for _, w := range rec.windows {
		for _, s := range usable(rec, w, outliers) {
			st := rec.segment(w, s[0], s[1], held)
			seg := causes.Segment{T: st.T, Uniform: st.Uniform}
			for j, jt := range rec.joints {
				q := st.Q[j]
				if q == nil && jt.effort == nil && rec.opt.Lock[jt.name] != 0 {
					q = slices.Repeat([]float64{rec.opt.Lock[jt.name]}, len(st.T))
				}
				y := st.Effort[j]
				if rec.distrusted[jt.name] {
					y = nil
				}
				if y != nil {
					by := jt.torquePerUnit()
					z := make([]float64, len(y))
					for k, v := range y {
						z[k] = by * v
					}
					y = z
				}
				seg.Q, seg.Effort = append(seg.Q, q), append(seg.Effort, y)
			}
			l.Segments = append(l.Segments, seg)
		}
	}
	return l
}

// causeOptions returns the options for package causes; their Models may be nil.
func (rec *recording) causeOptions() causes.Options {
	opt := causes.Options{Gravity: rec.robot.Gravity, Cutoff: causeCutoff, Seed: rec.opt.Seed, Models: rec.causes(), Loaded: rec.carries != nil}
	if rec.carries == nil {
		opt.Known = rec.opt.Known
	}
	return opt
}

// mostJudged is the largest number of joints whose causes are ranked: the cost of a fit grows with the cube of it.
const mostJudged = 16

// judgeCauses ranks the causes of the disagreement between torques and motion. It returns nil if the log does not allow
// it.
func judgeCauses(ctx context.Context, rec *recording, outliers []int, before findings) *causes.Report {
	if rec.robot.Closed() || len(rec.robot.Mimics) > 0 || len(rec.joints) > mostJudged || before.coarsest() != nil {
		return nil
	}
	move, asked := 0, 0
	for _, j := range rec.joints {
		if j.q == nil && j.effort != nil || j.effort != nil && j.effort.role == current && j.gain == 0 {
			return nil // without the gains each torque has a scale of its own, which looks like other causes
		}
		if j.effort != nil {
			asked++
			if !rec.isStill(j) {
				move++
			}
		}
	}
	if 2*move < asked {
		return nil // the torques of joints that stand are friction at rest, which is anything
	}
	opt := rec.causeOptions()
	if opt.Models == nil {
		return nil
	}
	// Logged velocities without a finding confirm the clock.
	opt.ClockSure = slices.ContainsFunc(rec.joints, func(j joint) bool { return j.dq != nil }) &&
		!slices.ContainsFunc(before, func(f Finding) bool { return f.ID == ClockRate && f.Severity != Info })
	opt.Whole = !slices.ContainsFunc(rec.joints, func(j joint) bool {
		return j.q != nil && rec.isRevolute(j.q.joint) && !rec.isStill(j) && rec.quantum(j.q) < 1
	})
	rep, err := causes.Judge(ctx, rec.robot, []causes.Log{rec.causeLog(outliers, before.held(rec))}, opt)
	if errors.Is(err, causes.ErrTooShort) || err != nil {
		return nil
	}
	return rep
}

// harmless is a relative error of the free fit on rows left out. Below it a delay is a remark, because correcting it gains less than
// one per cent of the torque. Other causes stay warnings: a free fit can absorb them, and then has a small error and wrong parameters.
const harmless = 0.01

// named returns found with the named cause of the report added and its symptoms removed. before are the findings on the channels
// themselves. Without a named cause it returns found unchanged.
func (rec *recording) named(ctx context.Context, rep *causes.Report, outliers []int, before, found findings) findings {
	if rep == nil {
		return found
	}
	if lead := rep.Causes[:rep.Group]; rep.Named && len(lead) > 0 && lead[0].Kind == causes.Smoothed && lead[0].Value > surelySmoothed && lead[0].Gain < surelyExplains {
		f := rec.causeFinding(lead[0], true)
		f.Severity = Info
		found.add(f)
		return found
	}
	if f, ok := rec.otherRobot(rep); ok && f.Severity != Info {
		rep.Named = false // with another robot's geometry any cause may seem right
		return append(found, f)
	} else if ok && !rep.Named {
		if !slices.ContainsFunc(found, func(x Finding) bool { return x.Severity != Info && findingkind.Of(x.ID).Symptom }) {
			found.add(f)
		}
	}
	if !rep.Named {
		return found
	}
	group := rep.Causes[:rep.Group]
	var ids []string
	for _, c := range group {
		if id := c.Family(); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	lead := group[0]
	// Among causes that the log cannot tell apart, put first one that the joints' own equations name too.
	for _, c := range group[1:] {
		if slices.ContainsFunc(found, func(x Finding) bool {
			return x.Severity != Info && x.ID == c.Family() && rec.sameJoints(x, c)
		}) && !slices.ContainsFunc(found, func(x Finding) bool { return x.Severity != Info && x.ID == lead.Family() }) {
			lead = c
			break
		}
	}
	for _, x := range before {
		// A channel in a wrong unit explains everything that its torque seems to lack.
		if x.ID == Units && slices.ContainsFunc(lead.Joints, func(j int) bool { e := rec.joints[j].effort; return e != nil && e.name == x.Channel }) {
			return found
		}
	}
	if rec.explained(ctx, rep, lead, outliers, before, found) {
		rep.Named = false // nor do the kinds of the channels follow from it
		return found
	}
	if len(ids) > 1 && rec.alone(lead, found) {
		ids = []string{lead.Family()}
	}
	f := rec.causeFinding(lead, len(ids) == 1)
	if rep.Error < harmless && (f.ID == LagTorque || f.ID == RecorderOffset) {
		f.Severity = Info
	}
	if at := slices.Index(ids, lead.Family()); at > 0 {
		ids[0], ids[at] = ids[at], ids[0]
	}
	unparted := ""
	if len(ids) > 1 {
		f.Group = ids
		f.Severity = Warning
		f.Repair = Repair{}
		if _, other, ok := strings.Cut(f.Fix, "; or "); ok && strings.HasPrefix(f.Fix, "{mend}") {
			f.Fix = other
		} else {
			f.Fix, _, _ = strings.Cut(f.Fix, "; or {mend}")
		}
		unparted = "; the log cannot tell that from " + strings.Join(ids[1:], " and ")
		f.Why += unparted
		f.Fix = rec.parting(group) + ", which tells them apart; or " + f.Fix
	}
	var kept findings
	told := false
	for _, x := range found {
		switch {
		case x.ID == f.ID && lead.Order != nil: // a part of it
		case x.Severity == Info || !findingkind.Of(x.ID).Symptom:
			kept = append(kept, x)
		case x.ID == Sign && f.ID == Sign && len(lead.Joints) == 1 && len(f.Repair.Edits) > len(x.Repair.Edits):
			// If the position of a joint has the wrong sign, its torque seems to have it. The cause names the position; x is dropped.
		case x.ID == f.ID && (len(ids) == 1 || len(lead.Joints) == 0) && !x.Repair.IsZero() && rec.sameJoints(x, lead) && (x.couples.Sign == 0 || lead.Kind == causes.Coupling):
			// The joints' own equations found the same cause, and have its repair. A drive that turns with both is one of a family of three.
			told = true
			if x.Group = f.Group; len(ids) > 1 {
				x.Why += unparted
			}
			kept = append(kept, x)
		}
	}
	if !told {
		kept.add(f)
	}
	return kept
}

// alone reports whether the joints' own equations part a cause from others that free fits cannot tell from it: they have the same repair.
func (rec *recording) alone(c causes.Cause, found findings) bool {
	edits := rec.causeFinding(c, true).Repair.Edits
	return len(edits) > 0 && slices.ContainsFunc(found, func(x Finding) bool {
		return x.Severity == Error && x.ID == c.Family() && rec.sameJoints(x, c) && slices.EqualFunc(edits, x.Repair.Edits, func(a, b Edit) bool {
			return a.Channel == b.Channel && a.From == b.From && a.Scale == b.Scale
		})
	})
}

// surelySmoothed, in Hz: above this cut-off, friction with memory looks like a low-pass of the torques, so the finding
// is only Info.
const surelySmoothed = 1.0

// surelyExplains is the part of the squared error on rows left out that only a real low-pass explains: on sound logs it
// reaches 0.39, with backlash 0.75, and behind a low-pass of 1 Hz at least 0.85.
const surelyExplains = 0.8

// oneScale: a scale of one joint that explains less than this part of the squared error on rows left out is only one of
// many, as with currents without gains.
const oneScale = 0.9

// explained reports whether a finding of the joints' own equations explains the log better than the leading cause. It does if the log
// with that finding repaired has a smaller error on rows left out than the fit with the leading cause, or if the leading cause is a
// known symptom of the finding.
func (rec *recording) explained(ctx context.Context, rep *causes.Report, lead causes.Cause, outliers []int, before, found findings) bool {
	var mendable findings
	for _, x := range found {
		if x.Severity == Info || !findingkind.Of(x.ID).Symptom || x.ID == lead.Family() {
			continue
		}
		switch {
		case x.ID == CurrentAsTorque && (lead.Kind == causes.Scale && (lead.Gain < oneScale || len(lead.Joints) != 1) || lead.Family() == Asymmetry || lead.OfFile):
			return true // a factor of each joint: the scale of one is a part of that
		case x.ID == Gravity && x.ofFile:
			return true // identified bodies absorb an opposite gravity, and under a wrong one no other cause is sure
		case x.ID == Drift && lead.Kind == causes.Scale && rec.sameJoints(x, lead):
			return true // the joint's own equation contradicts the other joints, so their common estimate is wrong
		}
		if len(x.Repair.Edits) > 0 {
			mendable = append(mendable, x)
		}
	}
	if len(mendable) == 0 {
		return false
	}
	opt := rec.causeOptions()
	held := before.held(rec)
	now, err := causes.LeftOut(ctx, rec.robot, []causes.Log{rec.causeLog(outliers, held)}, opt)
	if err != nil {
		return false
	}
	// Error with the leading cause. Causes determined before the ranking have no fit of their own.
	least := now * math.Sqrt(max(1-lead.Gain, 0))
	if lead.Settled {
		least = now * clearlyLess
	}
	for _, x := range mendable {
		after, err := causes.LeftOut(ctx, rec.robot, []causes.Log{rec.mended(x).causeLog(outliers, held)}, opt)
		if err == nil && after < least {
			return true
		}
	}
	return false
}

// efforts returns the number of joints whose torque or current was logged.
func (rec *recording) efforts() (n int) {
	for _, j := range rec.joints {
		if j.effort != nil {
			n++
		}
	}
	return n
}

// clearlyLess: a repair explains a cause without a fit of its own if it lowers the error to less than this part.
const clearlyLess = 0.6

// mended returns a recording whose windows have the finding's repair applied.
func (rec *recording) mended(f Finding) *recording {
	names := []string{rec.roles.T}
	for _, c := range rec.channels {
		names = append(names, c.name)
	}
	out := *rec
	out.windows = nil
	for _, w := range rec.windows {
		cols, _ := Mend(names, append([][]float64{w.t}, w.cols...), 0, []Finding{f}, nil)
		out.windows = append(out.windows, &window{first: w.first, t: cols[0], cols: cols[1:], knots: map[[2]int]*filter.Knots{}})
	}
	return &out
}

// sameJoints reports whether a finding is about a joint of a cause.
func (rec *recording) sameJoints(f Finding, c causes.Cause) bool {
	if len(c.Joints) == 0 {
		return true
	}
	for _, j := range c.Joints {
		jt := rec.joints[j]
		if jt.name == f.Joint || jt.effort != nil && jt.effort.name == f.Channel || jt.q != nil && jt.q.name == f.Channel {
			return true
		}
	}
	return false
}

// parting returns the measurement that would tell the causes of a group apart.
func (rec *recording) parting(group []causes.Cause) string {
	has := func(ids ...string) bool {
		return slices.ContainsFunc(group, func(c causes.Cause) bool { return slices.Contains(ids, c.Family()) })
	}
	switch {
	case has(ClockRate):
		return "compare the length of the log with a watch"
	case has(Payload) || has(Contact) || has(Drift):
		return "repeat the motion, free and without a load"
	case has(Offset, Geometry, Gravity):
		return "hold some poses far apart: gravity alone acts there"
	}
	return "a motion of all joints at once, with other poses and speeds"
}

// jointNames returns the names of a cause's joints.
func (rec *recording) jointNames(c causes.Cause) string {
	if len(c.Joints) == 0 {
		return "all joints"
	}
	var names []string
	for _, j := range c.Joints {
		names = append(names, rec.joints[j].name)
	}
	return pick(len(names) == 1, "joint ", "joints ") + strings.Join(names, ", ")
}

// hasFriction reports whether the robot file gives friction for most of the joints of the log.
func (rec *recording) hasFriction() bool {
	has := 0
	for _, j := range rec.joints {
		if l := &rec.robot.Links[j.link].Joint; l.Fv > 0 || l.Fs > 0 {
			has++
		}
	}
	return 2*has > len(rec.joints)
}

// mostly is the part of the squared error on rows left out from which on a cause that stands alone is an error.
const mostly = 0.6

// farZero, in rad, is a zero that no calibration leaves: it may be a frame of the file.
const farZero = 0.5

// contactMargin is the uncertainty of the ends of a contact, as a part of the log: half a window of the hypotheses.
const contactMargin = 0.05

// between returns the rows between two parts of the log's time.
func (rec *recording) between(from, to float64) datasets.RowRange {
	n := rec.t.Len()
	first, last := rec.t.At(0), rec.t.At(n-1)
	row := func(part float64) int {
		return sort.Search(n, func(k int) bool { return rec.t.At(k) >= first+part*(last-first) })
	}
	return datasets.RowRange{row(from), row(to)}
}

// spans returns the times, since the first row, from one part of the log to another.
func (rec *recording) spans(from, to float64) [][2]float64 {
	length := rec.t.At(rec.t.Len()-1) - rec.t.At(0)
	return [][2]float64{{from * length, to * length}}
}

// rearranged describes a cause that exchanges and reverses several torques.
func (rec *recording) rearranged(c causes.Cause) (why, fix string, r Repair) {
	var order, signs []string
	for i, j := range c.Joints {
		own, from := rec.joints[j].effort, rec.joints[c.Order[i]].effort
		e := Edit{Channel: own.name, Scale: c.Signs[i]}
		if from != own {
			e.From = from.name
			order = append(order, fmt.Sprintf("%s has the torque of joint %s", from.name, rec.joints[j].name))
			role := pick(from.role == current, "i_", "tau_") + rec.joints[j].name
			r.Settings = append(r.Settings, Setting{Key: "map", Name: role, Value: from.name})
			fix += fmt.Sprintf(" {map} %s=%s", hint.Word(role), hint.Word(from.name))
		}
		r.Edits = append(r.Edits, e)
		if c.Signs[i] < 0 {
			signs = append(signs, from.name)
		}
	}
	if len(signs) > 0 {
		order = append(order, fmt.Sprintf("the sign of %s is wrong", strings.Join(signs, " and of ")))
	}
	for _, name := range signs {
		r.Settings = append(r.Settings, Setting{Key: "scale", Name: name, Value: "-1"})
		fix += fmt.Sprintf(" {scale} %s=-1", hint.Word(name))
	}
	return strings.Join(order, ", "), fix[1:] + "; or {mend} writes a log with the torques in order", r
}

// turned adds to a repair the settings that reverse the signs of channels, and returns them as options.
func turned(r *Repair) string {
	var options []string
	for _, e := range r.Edits {
		r.Settings = append(r.Settings, Setting{Key: "scale", Name: e.Channel, Value: "-1"})
		options = append(options, fmt.Sprintf("{scale} %s=-1", hint.Word(e.Channel)))
	}
	return strings.Join(options, " ")
}

func norm3(g [3]float64) float64 { return math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2]) }

// isDegree reports whether a factor converts degrees to radians.
func isDegree(by float64) bool { return math.Abs(by*180/math.Pi-1) < 0.01 }

// tiltedOrTurned reports a wrong zero of the first joint as a group with a base turned about that joint's axis, because all
// torques are the same. If the angle is large, the base is named first.
func (rec *recording) tiltedOrTurned(found findings) findings {
	for i := range found {
		f := &found[i]
		if f.ID != Offset || f.Severity == Info || f.Group != nil || rec.joints[0].q == nil || f.Channel != rec.joints[0].q.name || len(f.Repair.Edits) != 1 {
			continue
		}
		f.Group = []string{Offset, Gravity}
		if math.Abs(f.Repair.Edits[0].Offset) > farZero {
			f.ID, f.Group = Gravity, []string{Gravity, Offset}
		}
		f.Severity, f.Repair = Warning, Repair{}
		f.Why += "; a base turned about the axis of this joint by as much looks the same"
		f.Fix = "measure how the base is mounted: set {gravity} to the direction of gravity in the base frame, or the joint's zero in the robot file"
	}
	return found
}

// unitTold reports whether findings about sizes or velocities tell the unit of as many joints as a cause does: the same one, and that of the
// velocities with it. Degrees they tell better than a cause: positions divided by their own largest values look alike.
func (rec *recording) unitTold(found findings, c causes.Cause) bool {
	told := 0
	for _, f := range found {
		same := func(e Edit) bool { return e.Channel == f.Channel && math.Abs(e.Scale/c.Value-1) < scaleOff }
		if f.ID == Units && rec.beyond(f) && (isDegree(c.Value) || slices.ContainsFunc(f.Repair.Edits, same)) {
			told++
		}
	}
	return told == len(c.Joints)
}

// windsUp reports whether positions exceed their limits like those in other units or of motors.
func (f findings) windsUp(rec *recording) bool { return slices.ContainsFunc(f, rec.beyond) }

// beyond reports whether a finding is about the magnitude of a joint's angle.
func (rec *recording) beyond(f Finding) bool {
	return (f.ID == GearRatio || f.ID == Units) && slices.ContainsFunc(rec.joints, func(j joint) bool {
		return j.q != nil && j.q.name == f.Channel && rec.isRevolute(j.q.joint)
	})
}

// ranked ranks causes by free fits. It returns their report, and found and torques as changed by it.
func (rec *recording) ranked(ctx context.Context, spikes []int, found, torques findings) (*causes.Report, findings, findings) {
	rec.distrusted = map[string]bool{} // what is wrong with a channel is told: its torque says nothing of causes
	for _, j := range rec.joints {
		if f := found.damage(j); f != nil && f.ID != Units && j.effort != nil && f.Channel == j.effort.name {
			rec.distrusted[j.name] = true
		}
	}
	if reason, _, _ := motionDoubted(rec, found); reason == "" {
		rep := judgeCauses(ctx, rec, spikes, found)
		torques = rec.named(ctx, rep, spikes, found, torques)
		if slices.ContainsFunc(torques, func(f Finding) bool { return f.ID == Reversed }) { // velocities that were logged point backward then
			found, torques = found.replaced(torques, func(f Finding) bool { return f.ID == Sign })
		}
		return rep, found, rec.underLoad(rep, rec.attested(ctx, rep, spikes, found, rec.tiltedOrTurned(torques)))
	}
	if !found.windsUp(rec) {
		return nil, found, torques
	}
	// Positions far beyond their limits may be counts, degrees or parts of a range: the torques tell which. Coarse steps, which may be
	// taken for other causes, do not bend a unit.
	rep := judgeCauses(ctx, rec, spikes, slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return f.tooCoarse() }))
	if rep == nil || !rep.Named || rep.Causes[0].Kind != causes.Units {
		return nil, found, torques
	}
	if rec.unitTold(found, rep.Causes[0]) {
		return rep, found, torques
	}
	without := slices.DeleteFunc(slices.Clone(found), rec.beyond)
	named := rec.attested(ctx, rep, spikes, without, rec.named(ctx, rep, spikes, without, torques))
	found, named = found.replaced(named, rec.beyond)
	return rep, found, named
}

// replaced returns findings about channels without those that causes stand for, and the causes, marked as standing for them.
func (f findings) replaced(causes findings, by func(f Finding) bool) (left, named findings) {
	left = slices.DeleteFunc(slices.Clone(f), by)
	if len(left) < len(f) {
		for i := range causes {
			causes[i].replaces = causes[i].replaces || causes[i].Severity != Info
		}
	}
	return left, causes
}

// underLoad returns torques with friction that grows with the load, if nothing else explains them and it removes what a true cause must: the
// model of a fit has no such term unless it is asked for. It is a remark, or stands for an excess that is unexplained otherwise.
func (rec *recording) underLoad(rep *causes.Report, torques findings) findings {
	if rep == nil || rep.Named || slices.ContainsFunc(torques, func(f Finding) bool { return f.Severity != Info && f.ID != Unexplained }) {
		return torques
	}
	for i, c := range rep.Causes {
		if c.Kind != causes.LoadFriction || c.Nats < rep.Causes[0].Nats || c.Gain < attestedShare || rep.Error < harmless {
			continue
		}
		if v, known := rep.Verdict(i); known && v.Attested {
			f := rec.causeFinding(c, true)
			f.Explains, f.Severity = v.Explains, Info
			if at := slices.IndexFunc(torques, func(f Finding) bool { return f.ID == Unexplained }); at >= 0 {
				f.Severity = torques[at].Severity
				torques = slices.Delete(torques, at, at+1)
			}
			torques.add(f)
		}
	}
	return torques
}

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
	"ident/doctor/internal/trialfit"
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

// causeFinding returns a cause as a finding; alone says that no other cause explains the log as well.
func (rec *recording) causeFinding(c causes.Cause, alone bool) Finding {
	f := Finding{ID: c.Family(), Severity: Warning, Value: c.Value, Where: "the whole log"}
	who := rec.jointNames(c)
	effort, position := func(j int) *channel { return rec.joints[j].effort }, func(j int) *channel { return rec.joints[j].q }
	each := func(of func(j int) *channel, e Edit) {
		joints := c.Joints
		if len(joints) == 0 {
			for j := range rec.joints {
				joints = append(joints, j)
			}
		}
		for _, j := range joints {
			if ch := of(j); ch != nil {
				e.Channel = ch.name
				f.Repair.Edits = append(f.Repair.Edits, e)
			}
		}
	}
	part := func(u float64) string { return fmt.Sprintf("%.0f %%", 100*u) }
	switch kind := causes.KindOf(c.Kind); {
	case kind.About == causes.Time:
		f.Channel = rec.roles.T
	case kind.About != causes.None && len(c.Joints) > 0:
		f.Joint = rec.joints[c.Joints[0]].name
		if of := map[causes.Quantity]func(int) *channel{causes.Torque: effort, causes.Position: position}[kind.About]; of != nil {
			if ch := of(c.Joints[0]); ch != nil {
				f.Channel = ch.name
			}
		}
	}
	switch c.Kind {
	case causes.Delay, causes.Recorder:
		f.Why = fmt.Sprintf("the torques of %s were recorded %.3g s %s than the motion", who, math.Abs(c.Value), pick(c.Value > 0, "later", "earlier"))
		f.Fix = "{mend} writes a log with the torques moved in time; or log both by one clock"
		if c.Length != 0 {
			f.Why += fmt.Sprintf(", or %.3g s %s: the motion is periodic, so the log cannot distinguish the two", math.Abs(c.Length), pick(c.Length > 0, "later", "earlier"))
			f.Fix = "log both by one clock; or record a motion that does not repeat itself"
		} else {
			each(effort, Edit{Advance: c.Value})
		}
	case causes.Skew:
		f.Why = fmt.Sprintf("the clock of the torques runs at another rate than the clock of the motion, by %.3g %%: the delay between them grows", 100*math.Abs(c.Value))
		f.Fix = "log both by one clock"
	case causes.Clock:
		f.Value = 1 + c.Value
		f.Why = fmt.Sprintf("gravity and inertia agree where the motion is some %.3g times as fast as the clock says", 1+c.Value)
		f.Fix = "correct the time channel, or declare its unit with {units}"
	case causes.ClockStep:
		f.Why = fmt.Sprintf("the motion of one half of the log is %.3g times as fast as its clock says", c.Value)
		if c.Length > 0 {
			f.Where, f.Spans = fmt.Sprintf("from %s of the log on", part(c.Length)), rec.spans(c.Length, c.Length)
			f.Why = fmt.Sprintf("the motion is some %.3g times as fast there as its clock says", c.Value)
		}
		f.Fix = "log the controller's own time stamps"
	case causes.Scale:
		factor := c.Value
		f.Value, f.Limit = factor, 1
		f.Why = fmt.Sprintf("the torque of %s is scaled by %.3g relative to the other joints", who, factor)
		f.Fix = fmt.Sprintf("correct the gain or the gear ratio of %s, or declare its factor", who)
		if len(c.Joints) == 1 && rec.efforts() < 3 {
			f.Fix = oneOfTwo
		} else if len(c.Joints) == 1 {
			each(effort, Edit{Scale: 1 / factor})
		} else { // factors that differ from joint to joint
			f.Value = c.Gain
			f.Why = fmt.Sprintf("the torques of %s have a different scale at each joint, since the joints' equations contradict each other otherwise", who)
			f.Fix = fmt.Sprintf("correct the gains or the gear ratios of %s", who)
		}
	case causes.Gear:
		f.Value, f.Limit = 1/(1+c.Value), 1
		f.Why = fmt.Sprintf("the motion of %s is about %.3g times as large as logged: the gear ratio or encoder resolution is wrong", who, 1+c.Value)
		f.Fix = fmt.Sprintf("correct the gear ratio with which the position of %s was converted", who)
	case causes.Asymmetry:
		f.Limit = 1
		f.Why = fmt.Sprintf("the torque of %s is about %.3g times as large in its positive direction as in the other", who, c.Value)
		f.Fix = "calibrate the sensor or the drive in both directions"
	case causes.Curve:
		f.Value = c.Gain
		f.Why = fmt.Sprintf("the scale of the torque of %s changes with its size or its direction: the sensor or the drive is not linear", who)
		f.Fix = "calibrate the sensor or the drive at small and large torques in both directions, and convert the log by that curve"
	case causes.SpeedScale:
		f.Limit = 1
		f.Why = fmt.Sprintf("the torque of %s is scaled by a factor that changes with the speed, to about %.3g at the highest", who, c.Value)
		f.Fix = "measure the torque at the output of the gear; or correct its conversion from currents by the losses of the motor"
	case causes.Saturated:
		f.Why = fmt.Sprintf("the torque of %s grows less and less towards its peak: a sensor or drive that saturates softly", who)
		f.Fix = "record a motion with lower torques, or apply the sensor's calibration curve"
	case causes.Warming:
		f.Why = fmt.Sprintf("the friction of %s falls while the log runs: the gears warm up", who)
		f.Fix = "warm the robot up first; or add a term Fw:TIME to {terms}"
	case causes.Drift, causes.ScaleDrift:
		f.Why = fmt.Sprintf("the torques of %s drift while the log runs", who)
		f.Fix = "let the sensors warm up; or record shorter logs, each with its own offset"
	case causes.GravityVector:
		f.Why = "gravity acts along another direction than declared: the base is mounted differently, or {gravity} is wrong"
		f.Fix = "set {gravity} to its direction in the base frame"
		size := norm3(rec.robot.Gravity)
		axes := [...][3]float64{{}, {1}, {-1}, {0, 1}, {0, -1}, {0, 0, 1}, {0, 0, -1}}
		var v [3]float64
		if c.Value == causes.Opposite {
			for i, g := range rec.robot.Gravity {
				v[i] = 0 - g/size
			}
		} else if c.Value >= 1 && c.Value <= 6 {
			v = axes[int(c.Value)]
		}
		if v != axes[0] {
			if size == 0 {
				size = 9.81
			}
			f.Why = fmt.Sprintf("gravity acts along %g,%g,%g of the base, another direction than declared", v[0], v[1], v[2])
			f.Fix = fmt.Sprintf("{gravity} %.4g,%.4g,%.4g", size*v[0], size*v[1], size*v[2])
			f.Repair = setting("gravity", "", fmt.Sprintf("[%.4g, %.4g, %.4g]", size*v[0], size*v[1], size*v[2]))
		} else if g := rec.robot.Gravity; size > 0 { // its trial seeks the direction
			f.Fix = fmt.Sprintf("{gravity} %.4g,%.4g,%.4g", g[0], g[1], g[2])
			f.Repair = setting("gravity", "", fmt.Sprintf("[%.17g, %.17g, %.17g]", g[0], g[1], g[2]))
		}
	case causes.TiltStep:
		f.Value = c.Length
		f.Where, f.Spans = fmt.Sprintf("from %s of the log on", part(c.Value)), rec.spans(c.Value, 1)
		f.Why = fmt.Sprintf("gravity turns by about %.2g rad there: the base or its stand tips", c.Length)
		f.Fix = "cut the log there with {rows} LOG:FIRST-LAST, and fasten the base"
	case causes.GravityOf:
		f.Why = fmt.Sprintf("the torques of %s have another part of gravity than a robot under it", who)
		f.Fix = "log the joint's whole torque; see the driver's manual for what the channel is"
	case causes.Weightless:
		f.Why = "the torques have no gravity: the driver has taken it out (gravity-compensated)"
		f.Fix = "{gravity} 0,0,0; or log the torques with their gravity"
		f.Repair = setting("gravity", "", "[0, 0, 0]")
		if c.Value == causes.FileTaken && !c.OfFile {
			f.Fix = "{torque} gravity-compensated adds the gravity of the robot file's bodies, which the driver subtracts; or log the torques with gravity"
			f.Repair = setting("torque", "", "gravity-compensated")
		}
		if c.OfFile {
			f.Why += "; or the masses of the file are far too large"
			f.Repair = Repair{}
		}
	case causes.GravityMissing, causes.GravityTwice:
		f.Why = fmt.Sprintf("gravity is %s in the torques of %s", pick(c.Kind == causes.GravityMissing, "missing", "there twice"), who)
		f.Fix = "log the joint's whole torque; see the driver's manual for what the channel is"
		if c.OfFile {
			f.Why += ", by the bodies of the robot file; or the masses of the file are half of the robot's"
		}
	case causes.External:
		f.Why = fmt.Sprintf("the model explains nothing of the torques (%s of them is left) and no other reading of the log does: they are external torques, or no torques of this motion", part(min(c.Value, 1)))
		f.Fix = "use {map} to name the channels of the joints' torques, with gravity, inertia and friction"
	case causes.FrictionFree:
		f.Why = "the torques have no friction, but the robot file has: the driver has removed it (friction-compensated), or the torques are commands or come from a model"
		f.Fix = "log torques with their friction; until then leave the friction terms out of the fit"
		if !rec.hasFriction() { // nothing contradicts torques without friction
			f.Severity = Info
			f.Why = "the torques have no friction: the driver has removed it, or the torques are commands or come from a model, or the joints are frictionless"
			f.Fix = "if the joints have friction, log torques that include it, or the motor currents"
		}
	case causes.Zero:
		f.Why = fmt.Sprintf("the zero of %s is off", who)
		f.Fix = "correct the joint's zero in the robot file, or add the offset to the channel"
		if len(c.Joints) == 1 {
			f.Why = fmt.Sprintf("the zero of %s is off by about %.3g rad", who, -c.Value)
			quarters := c.Value / (math.Pi / 2)
			if math.Abs(c.Value) < farZero {
				each(position, Edit{Offset: c.Value})
			} else if quarters == math.Round(quarters) { // tried as such
				f.Fix = fmt.Sprintf("{mend} writes a log with %.6g added to %s; or correct the joint's zero in the robot file", c.Value, f.Channel)
				each(position, Edit{Offset: c.Value})
			} else {
				f.Fix = "compare the joint's zero and its frame in the robot file with the robot's data sheet: zeros are seldom so far off"
			}
		}
	case causes.Slip:
		f.Value = -c.Length
		f.Where, f.Spans = fmt.Sprintf("from %s of the log on", part(c.Value)), rec.spans(c.Value, 1)
		f.Why = fmt.Sprintf("the zero of %s moves by about %.3g %s there: an encoder or a coupling that slips", who, math.Abs(c.Length), rec.unitOf(rec.joints[c.Joints[0]].q))
		f.Fix = "cut the log there with {rows} LOG:FIRST-LAST, and look at the coupling of the encoder"
	case causes.Eccentric:
		f.Why = fmt.Sprintf("the error of the position of %s follows its own angle: an encoder or a magnet that is not centred", who)
		f.Fix = "calibrate the encoder over a turn, or mount it anew"
	case causes.LoadFriction:
		f.Why = fmt.Sprintf("the friction of %s grows with the torque, as of gears under load", who)
		f.Fix = "add a term Fl to {terms}: friction in proportion to the torque"
	case causes.Compliance:
		f.Why = fmt.Sprintf("the position of %s is off in proportion to its torque: it is the commanded position, or the motor position before an elastic gear", who)
		f.Fix = "log the measured positions of the links; or describe the joints as elastic in the robot file, joint: {elastic: true}"
	case causes.Backlash:
		f.Why = fmt.Sprintf("at each reversal %s stands still until its encoder has moved by about %.2g %s: there is backlash between encoder and joint, or the gear is elastic", who, c.Value, rec.unitOf(rec.joints[c.Joints[0]].q))
		f.Fix = "measure at the output of the gear"
	case causes.Geometry:
		f.Why = fmt.Sprintf("the frame of %s differs from the robot file: a length or an angle of the file is wrong", who)
		f.Fix = "give {robot} a file with the geometry of this robot"
	case causes.Payload:
		f.Where = "the whole log"
		if c.Value > 0 {
			f.Where, f.Spans = fmt.Sprintf("from %s of the log on", part(c.Value)), rec.spans(c.Value, c.Value)
		}
		f.Why = "what the last link carries changes: a load appears, leaves or grows"
		f.Fix = "cut the log there ({rows}), and declare a payload for a part of it"
	case causes.PayloadOfLog:
		f.Value = c.Length
		f.Why = fmt.Sprintf("the last link carries about %.2g kg %s than when the result was fitted", math.Abs(c.Length), pick(c.Length < 0, "less", "more"))
		if len(c.Joints) > 0 { // whose mass other parameters may take over
			j := rec.joints[c.Joints[0]]
			f.Value, f.Joint = 0, j.name
			f.Why = fmt.Sprintf("link %s has another body than when the result was fitted: it carries a load that is not declared, or has lost a part", rec.robot.Links[j.link].Name)
		}
		f.Fix = "declare what it carries: a payload in {terms} and {carries}; or fit a log with this load"
	case causes.Contact:
		f.Where, f.Spans = fmt.Sprintf("from %s to %s of the log", part(c.Value), part(c.Value+c.Length)), rec.spans(c.Value, c.Value+c.Length)
		f.Why = "a force acts on the last link there: somebody pushes it, or it touches something"
		f.Fix = "{mend} writes a log without these rows; or record again"
		margin := min(c.Length/2, contactMargin)
		if rows := rec.between(c.Value-margin, c.Value+c.Length+margin); rows[1] > rows[0] {
			f.Repair.Edits = []Edit{{Rows: []datasets.RowRange{rows}}}
		}
	case causes.Drag:
		f.Why = "a force on the last link works against its motion: it drags on something"
		f.Fix = "record again with nothing that touches it"
	case causes.Spring:
		f.Why = fmt.Sprintf("a spring, cord or hose pulls at %s: a part of its torque follows its position", who)
		f.Fix = "record again with nothing that pulls at the joint, or with its hoses laid as at work"
	case causes.Coupling:
		f.Why = fmt.Sprintf("acceleration, velocity and friction of the %s of %s explain both torques: one motor turns with both", pick(c.Value > 0, "sum", "difference"), who)
		rec.coupled(&f, trialfit.PairOf(c.Joints[0], c.Joints[1], c.Value))
	case causes.Mixed:
		of := rec.joints[c.Joints[1]]
		f.Why = fmt.Sprintf("the position of joint %s holds about %.2g times that of joint %s: gears or belts that turn with both", f.Joint, -c.Value, of.name)
		f.Fix = fmt.Sprintf("log the joint's own angle, or subtract that part of %s from %s", of.q.name, f.Channel)
	case causes.Talks:
		of := rec.joints[c.Joints[1]]
		f.Why = fmt.Sprintf("the torque of joint %s holds about %.2g times that of joint %s: a sensor that feels its neighbour, or a drive that turns with both", f.Joint, c.Value, of.name)
		f.Fix = fmt.Sprintf("calibrate the sensor under both torques, or subtract that part of %s from %s", of.effort.name, f.Channel)
	case causes.TorqueSign, causes.TorqueOrder:
		if c.Order != nil {
			f.Why, f.Fix, f.Repair = rec.rearranged(c)
			break
		}
		if c.Kind == causes.TorqueOrder && c.Value > 0 {
			rec.exchangedLater(&f, effort(c.Joints[0]), effort(c.Joints[1]))
			break
		}
		if c.Kind == causes.TorqueOrder {
			f.Why, f.Fix, f.Repair = rec.exchanged(c.Joints, []int{c.Joints[1], c.Joints[0]}, "torques")
			break
		}
		f.Why = fmt.Sprintf("the torque of %s has the wrong sign", who)
		each(effort, Edit{Scale: -1})
		f.Fix = turned(&f.Repair) + "; or {mend} writes a log with the sign of the torque reversed"
	case causes.AllSigns:
		f.Why = "all torques have the wrong sign: friction and inertia would be negative"
		f.Fix = "{mend} writes a log with the signs of all torques reversed"
		each(effort, Edit{Scale: -1})
	case causes.PositionSign:
		f.Why = fmt.Sprintf("the position of %s has the opposite direction to the robot file%s", who, pick(c.Value > 0, ", from a zero half a turn away", ""))
		f.Fix = "{mend} writes a log with the signs of these channels reversed; or reverse the joint's axis in the robot file"
		velocity := func(j int) *channel { return rec.joints[j].dq }
		if c.Value == 0 {
			each(position, Edit{Scale: -1})
			each(velocity, Edit{Scale: -1})
			if c.Length > 0 {
				f.Why += ", and so does its torque"
				each(effort, Edit{Scale: -1})
			}
		}
	case causes.PositionOrder, causes.JointOrder:
		f.Why, f.Fix, f.Repair = rec.exchanged(c.Joints, []int{c.Joints[1], c.Joints[0]}, pick(c.Kind == causes.PositionOrder, "positions", ""))
	case causes.Units:
		unitName := "its unit is not the radian"
		switch {
		case isDegree(c.Value):
			unitName = "they are degrees"
		case math.Abs(c.Value/(2*math.Pi)-1) < 0.01:
			unitName = "they are turns"
		case math.Abs(c.Value/(math.Pi/100)-1) < 0.01:
			unitName = "they are a hundredth of half a turn (normalised to ±100)"
		case c.Value < 0.01:
			unitName = fmt.Sprintf("they are counts, %.0f a turn", 2*math.Pi/c.Value)
		}
		velocity := func(j int) *channel { return rec.joints[j].dq }
		f.Fix = "declare the unit with {units}; {mend} writes radians"
		if c.Length > 0 {
			unitName = "they are -100 to 100 of the joint's range in the robot file"
			f.Fix = "{scale} and {zero} declare the ranges; {mend} writes radians"
			joints := c.Joints
			for _, j := range joints {
				at := rec.robot.Links[rec.joints[j].link].Joint
				c.Joints = []int{j}
				each(position, Edit{Scale: (at.Upper - at.Lower) / 200, Offset: (at.Upper + at.Lower) / 2})
				each(velocity, Edit{Scale: (at.Upper - at.Lower) / 200})
			}
			c.Joints = joints
		} else if c.Length != causes.Ambiguous {
			each(position, Edit{Scale: c.Value})
			for _, e := range f.Repair.Edits {
				if isDegree(c.Value) {
					f.Repair.Settings = append(f.Repair.Settings, Setting{Key: "units", Name: e.Channel, Value: "deg"})
				}
			}
			each(velocity, Edit{Scale: c.Value})
		} else {
			unitName += ", as far as this log tells"
			f.Fix = "turn one joint by a known angle, which tells the unit, and declare it with {units}"
		}
		f.Why = fmt.Sprintf("the positions of %s are not in radians: %s", who, unitName)
	case causes.Smoothed:
		f.Why = fmt.Sprintf("the torques are behind a low-pass of about %.2g Hz that the positions do not have", c.Value)
		f.Fix = "log them unfiltered; or set {cutoff} far below that frequency"
	case causes.Reversed:
		f.Why = "friction would drive the robot in all joints but one, while inertia and gravity are right: the log runs backward"
		f.Fix = "{mend} writes a log whose rows run forward; or record again"
		f.Repair.Edits = []Edit{{Channel: rec.roles.T, Reverse: true}}
		for _, j := range rec.joints {
			if j.dq != nil {
				f.Repair.Edits = append(f.Repair.Edits, Edit{Channel: j.dq.name, Scale: -1})
			}
		}
	case causes.LengthsInMillis:
		f.Why = "lengths of the robot file are in millimetres: read as metres, they are a thousand times what joints and torques show"
		f.Fix = "give {robot} a file with lengths in metres"
	}
	if certainty := causes.KindOf(c.Kind).Certainty; alone && !c.OfFile && (certainty == causes.Exclusive || certainty == causes.Explained && (c.Gain >= mostly || c.Settled)) {
		f.Severity = Error
	}
	if f.Value != f.Value || math.IsInf(f.Value, 0) {
		f.Value = 0
	}
	if c.Settled {
		return f
	}
	f.Why = fmt.Sprintf("%s (%.0f nats, %s of the error)", f.Why, c.Nats, part(c.Gain))
	return f
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

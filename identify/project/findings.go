package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ident/doctor"
	"ident/identify/project/internal/resonance"
	"ident/identify/regression"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// Finding is a finding with the log that it was made in.
type Finding struct {
	Log string `json:"log"`
	doctor.Finding
}

// Line is a finding as one line of text.
func (f Finding) Line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", f.Log, f.ID)
	for _, part := range []string{f.Joint, f.Channel, f.Where} {
		if part != "" {
			fmt.Fprintf(&b, ", %s", part)
		}
	}
	fmt.Fprintf(&b, ": %s", f.Why)
	if f.Fix != "" {
		fmt.Fprintf(&b, " (%s)", f.Fix)
	}
	return b.String()
}

// A FindingGroup is findings of one kind in one log.
type FindingGroup []Finding

// Line is the first finding of a group, with the names of the others' channels or joints.
func (g FindingGroup) Line() string {
	if len(g) == 1 {
		return g[0].Line()
	}
	var names []string
	for _, f := range g[1:] {
		names = append(names, cmp.Or(f.Channel, f.Joint))
	}
	return fmt.Sprintf("%s; likewise %s", g[0].Line(), strings.Join(names, ", "))
}

// GroupFindings puts findings of one kind, log and severity together, in the order of their first. Findings about no channel and no
// joint stand for themselves.
func GroupFindings(found []Finding) []FindingGroup {
	var out []FindingGroup
	at := map[string]int{}
	for _, f := range found {
		key := f.Log + "\x00" + f.ID + "\x00" + string(f.Severity)
		if f.Channel == "" && f.Joint == "" {
			key += "\x00" + f.Why
		}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], f)
	}
	return out
}

// fix is what mends all findings of a group, with settings in braces: a unit or a scale for each channel where every finding has one,
// else what mends the first.
func (g FindingGroup) fix() string {
	var list []string
	edits := true
	for _, f := range g {
		edits = edits && len(f.Repair.Edits) > 0
		if len(f.Repair.Settings) != 1 {
			return g[0].Fix
		}
		s := f.Repair.Settings[0]
		if s.Key != "units" && s.Key != "scale" {
			return g[0].Fix
		}
		list = append(list, fmt.Sprintf("{%s} %s=%s", s.Key, s.Name, s.Value))
	}
	if len(g) < 2 {
		return g[0].Fix
	}
	fix := strings.Join(list, " ")
	if edits {
		fix += "; or {mend}"
	}
	return fix
}

// A FindingsError is logs with errors that a fit would turn into wrong parameters.
type FindingsError struct {
	Findings []Finding
	message
}

func newFindingsError(found []Finding) error {
	var lines []string
	for _, group := range GroupFindings(found) {
		lines = append(lines, group.Line())
	}
	return &FindingsError{found, message{Format: "the check found errors, which a fit would turn into wrong parameters:\n  %s\nmend them as said, or fit in spite of them with {force}",
		Args: []any{strings.Join(lines, "\n  ")}}}
}

// CheckRuns has the doctor read every run, which it leaves in Examined. Excitation is a matter of the
// training runs only: a validation run may excite as little as it likes.
func CheckRuns(ctx context.Context, p *Settings, r *robot.Robot, runs []regression.Run, report func(stage string, done, total int), training int) ([]Finding, error) {
	found, _, err := checkRuns(ctx, p, r, runs, report, training, elasticJoints(r))
	return found, err
}

// A ChannelKind is what a channel of a log holds.
type ChannelKind struct {
	Log string `json:"log"`
	doctor.ChannelKind
}

// CheckChannels is CheckRuns with what each channel of the joints holds.
func CheckChannels(ctx context.Context, p *Settings, r *robot.Robot, runs []regression.Run, report func(stage string, done, total int), training int) ([]Finding, []ChannelKind, error) {
	return checkRuns(ctx, p, r, runs, report, training, elasticJoints(r))
}

// checkRuns is CheckRuns with the joints whose resonance is no finding; nil for a rigid fit, which no resonance goes with.
func checkRuns(ctx context.Context, p *Settings, r *robot.Robot, runs []regression.Run, report func(stage string, done, total int), training int, elastic []bool) (out []Finding, channels []ChannelKind, err error) {
	terms, err := examinedTerms(p)
	if err != nil {
		return nil, nil, err
	}
	// The rows of all runs together are bounded, so that a thousand logs need no more memory than a hundred.
	const fewest, most = 60, 20_000
	rows := max(fewest, most/max(1, training))
	if training < 2 {
		rows = -1 // nothing to compare
	}
	opt := doctorOptions(p, r, terms, rows)
	asked, err := ParseTerms(p, nil)
	if err != nil {
		return nil, nil, err
	}
	unknown := slices.Contains(asked, regressor.Gain)
	var exams []*doctor.Examination
	for i, run := range runs {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		report("checking", i, len(runs))
		opt.Gains, opt.HeldOut, opt.Read = run.Gains, i >= training, run.Examined.Take
		exam, err := doctor.Examine(ctx, r, run.Log, run.Roles, opt)
		if err != nil {
			return nil, nil, err
		}
		if i < training {
			exams = append(exams, exam)
		}
		for _, k := range exam.Channels {
			channels = append(channels, ChannelKind{run.Name, k})
		}
		runs[i].Examined = run.Examined.With(exam.Examined)
		loops, err := checkLoops(ctx, r, &runs[i])
		if err != nil {
			return nil, nil, err
		}
		bent, err := resonance.Check(ctx, run.Log, run.Roles, JointNames(r), elastic, exam.Findings)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range append(append(loops, exam.Findings...), bent...) {
			if f.ID == doctor.CurrentAsTorque && unknown {
				continue // its gain is estimated
			}
			out = append(out, Finding{run.Name, f})
		}
	}
	changed, of := doctor.Between(ctx, exams)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	for i, f := range changed {
		out = append(out, Finding{runs[of[i]].Name, f})
	}
	for i := range out {
		f := &out[i]
		if p.settled(*f, runs) {
			f.Severity = doctor.Info
		}
	}
	for _, g := range GroupFindings(out) {
		if fix := g.fix(); fix != g[0].Fix {
			first := slices.IndexFunc(out, func(f Finding) bool {
				return f.Log == g[0].Log && f.ID == g[0].ID && f.Severity == g[0].Severity && f.Channel == g[0].Channel && f.Joint == g[0].Joint
			})
			out[first].Fix = fix
		}
	}
	for i := range out {
		f := &out[i]
		f.Where, f.Why, f.Fix = NameSettings(f.Where, p.naming), NameSettings(f.Why, p.naming), NameSettings(f.Fix, p.naming)
	}
	return out, channels, nil
}

// doctorOptions are those of an examination of runs on a robot by the settings.
func doctorOptions(p *Settings, r *robot.Robot, terms []regressor.Term, rows int) doctor.Options {
	return doctor.Options{Terms: terms, Trim: p.TrimSeconds(), Seed: p.Seed, Immobile: LinksOf(r, p.Immobile), Rows: rows, Models: new(doctor.Models)}
}

// Mend repairs the run of a session as the findings of its check ask for, and proves each repair on stretches of the log that a free
// fit left out: see [doctor.MendLog].
func (s *Session) Mend(ctx context.Context, p *Settings, run *regression.Run, found []Finding) (*doctor.Mended, error) {
	terms, err := examinedTerms(p)
	if err != nil {
		return nil, err
	}
	opt := doctorOptions(p, s.Robot, terms, -1)
	opt.Gains = run.Gains
	own := []doctor.Finding{}
	for _, f := range found {
		own = append(own, f.Finding)
	}
	m, err := doctor.MendLog(ctx, s.Robot, run.Log, run.Roles, own, opt)
	if err != nil {
		return nil, err
	}
	for _, found := range [][]doctor.Finding{m.Tried, m.Left} {
		for i := range found {
			f := &found[i]
			f.Where, f.Why, f.Fix = NameSettings(f.Where, p.naming), NameSettings(f.Why, p.naming), NameSettings(f.Fix, p.naming)
		}
	}
	return m, nil
}

// examinedTerms are the terms of the model that the doctor holds logs against: rigid bodies and friction,
// whatever is fitted of them, and the springs that the project asks for beside. Other terms need more
// than the motion.
func examinedTerms(p *Settings) ([]regressor.Term, error) {
	terms := regressor.DefaultTerms()
	asked, err := ParseTerms(p, nil)
	if err != nil {
		return nil, err
	}
	for _, t := range asked {
		if t == regressor.Spring || t == regressor.Balance {
			terms = append(terms, t)
		}
	}
	return terms, nil
}

// checkLoops follows the loops through a run and compares passive joints that
// it measures with where the loops put them.
func checkLoops(ctx context.Context, r *robot.Robot, run *regression.Run) ([]doctor.Finding, error) {
	if !r.Closed() {
		return nil, nil
	}
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Ia})
	if err != nil {
		return nil, err
	}
	check, err := regression.CheckLoops(ctx, m.Loops(), run, run.Passive)
	var lost *regression.LoopError
	if errors.As(err, &lost) {
		return []doctor.Finding{doctor.LoopNotClosed(lost.Row, lost.Err)}, nil
	}
	if err != nil {
		return nil, err
	}
	var out []doctor.Finding
	for _, d := range check.Deviation {
		p := doctor.Passive{Joint: d.Joint, Channel: d.Channel, RMS: d.RMS, Mean: d.Mean, Worst: d.Worst, Row: d.Row}
		for _, l := range r.Links {
			p.Slides = p.Slides || l.Joint.Name == d.Joint && l.Joint.Kind == robot.Prismatic
		}
		out = append(out, doctor.LoopDeviation(p))
	}
	return out, nil
}

// refused lists the findings that forbid a fit: errors that no setting repairs on the way.
func (s *Settings) refused(found []Finding) []Finding {
	var out []Finding
	for _, f := range found {
		if f.Severity == doctor.Error && !s.leavesOut(f) {
			out = append(out, f)
		}
	}
	return out
}

// leavesOut tells whether the rows of a finding are left out by the setting on-bad.
func (s *Settings) leavesOut(f Finding) bool {
	return s.OnBad == "drop" && slices.Contains([]string{doctor.Dropout, doctor.Spike, doctor.ClockRepeat, doctor.ClockBackward}, f.ID)
}

// settled tells whether a setting that is given already answers a finding: rows that are left out, and velocities that are not used.
func (s *Settings) settled(f Finding, runs []regression.Run) bool {
	at := slices.IndexFunc(runs, func(r regression.Run) bool { return r.Name == f.Log })
	return s.leavesOut(f) || s.Velocity == "position" && at >= 0 && f.Channel != "" && slices.Contains(runs[at].Roles.DQ, f.Channel)
}

// AdvisedCutoff is the cut-off that the check of a training log reads off its motion, with its reason; 0 where the log is too short or too
// damaged for that.
func AdvisedCutoff(found []Finding) (hz float64, why string) {
	for _, f := range found {
		if f.ID == doctor.Aliasing && f.Severity == doctor.Info {
			return f.Value, f.Why
		}
	}
	return 0, ""
}

// adviseCutoff writes the cut-off of the check where none is given and the usual one is too low, and tells of it.
func (s *Settings) adviseCutoff(found []Finding, rate float64, note func(text string)) {
	if s.Cutoff != nil || s.Decimate > 1 || s.Plain && !s.CutoffAuto {
		return
	}
	hz, why := AdvisedCutoff(found)
	if hz != 0 && hz != observation.DefaultCutoff(rate) {
		s.Cutoff = &hz
	}
	switch {
	case hz == 0 && s.CutoffAuto:
		note(NameSettings("{cutoff} auto: the logs are too short or too damaged for spectra; the default is taken", s.naming))
	case s.Cutoff != nil || s.CutoffAuto:
		note(NameSettings(fmt.Sprintf("{cutoff} auto: %g Hz; %s", hz, why), s.naming))
	}
}

// elasticJoints tells of the independent joints which are elastic by the robot file.
func elasticJoints(r *robot.Robot) []bool {
	var out []bool
	for _, l := range r.Independent() {
		out = append(out, r.Links[l].Joint.Elastic)
	}
	return out
}

package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"ident/doctor"
	"ident/doctor/causes"
	"ident/identify/project/internal/resonance"
	"ident/identify/regression"
	"ident/internal/hint"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// Finding is a finding of the doctor together with the log it is about.
type Finding struct {
	Log string `json:"log"`
	doctor.Finding
}

// Line returns the finding as one line of text.
func (f Finding) Line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", f.Log, f.ID)
	for _, part := range []string{f.Joint, f.Channel, f.Where} {
		if part != "" {
			fmt.Fprintf(&b, ", %s", part)
		}
	}
	fmt.Fprintf(&b, ": %s", f.Why)
	if advice := f.Advice(); advice != "" {
		fmt.Fprintf(&b, " (%s)", advice)
	}
	return b.String()
}

// A FindingGroup holds findings of one kind in one log.
type FindingGroup []Finding

// Line returns the first finding of a group as one line, with the channels or joints of the others.
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

// GroupFindings groups findings of one kind, log and severity, in the order of first occurrence. A finding about no
// channel or joint forms its own group.
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

// fix returns the remedy for a group, with settings in braces: a unit or scale for each channel if every finding has
// one, otherwise the remedy of the first.
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
		list = append(list, fmt.Sprintf("{%s} %s=%s", s.Key, hint.Word(s.Name), hint.Word(s.Value)))
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

// A FindingsError reports logs with errors that would make a fit wrong.
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

// CheckRuns examines every run with the doctor and stores the outcome in Examined. Only training runs are judged by
// their excitation: a validation run may have any excitation.
func CheckRuns(ctx context.Context, p *Settings, r *robot.Robot, runs []regression.Run, report func(stage string, done, total int), training int) ([]Finding, error) {
	found, _, err := checkRuns(ctx, p, r, runs, report, training, elasticJoints(r), nil, false)
	return found, err
}

// A ChannelKind says which quantity a channel of a log holds.
type ChannelKind struct {
	Log string `json:"log"`
	doctor.ChannelKind
}

// CheckChannels does what CheckRuns does and also returns the quantity in each joint channel.
func CheckChannels(ctx context.Context, p *Settings, r *robot.Robot, runs []regression.Run, report func(stage string, done, total int), training int) ([]Finding, []ChannelKind, error) {
	return checkRuns(ctx, p, r, runs, report, training, elasticJoints(r), nil, false)
}

// CheckBeside examines runs that no fit is made of, beside what an earlier result knows of the robot's bodies; nil for nothing.
func CheckBeside(ctx context.Context, p *Settings, r *robot.Robot, runs []regression.Run, report func(stage string, done, total int), known *causes.Known) ([]Finding, error) {
	found, _, err := checkRuns(ctx, p, r, runs, report, 0, elasticJoints(r), known, false)
	return found, err
}

// checkRuns is CheckRuns; elastic marks the joints whose resonance is no finding. nil means a rigid fit, for which every
// resonance is one. nameless looks for no causes of what torques have in excess.
func checkRuns(ctx context.Context, p *Settings, r *robot.Robot, runs []regression.Run, report func(stage string, done, total int), training int, elastic []bool, known *causes.Known, nameless bool) (out []Finding, channels []ChannelKind, err error) {
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
	opt.Nameless = nameless
	opt.Known, opt.Attested = known, known != nil // beside a result evidence is strong enough to be asked of a cause
	asked, err := ParseTerms(p, nil)
	if err != nil {
		return nil, nil, err
	}
	unknown := slices.Contains(asked, regressor.Gain)
	options := make([]doctor.Options, len(runs))
	for i := range runs {
		options[i] = opt
		options[i].State, options[i].HeldOut = loaded(p, r, asked, &runs[i]), i >= training
	}
	var exams []*doctor.Examination
	examine := func(i int) examinedRun {
		return examineRun(ctx, r, &runs[i], options[i], elastic, unknown)
	}
	if err := inOrder(len(runs), examine, func(i int, of func() examinedRun) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		report("checking", i, len(runs))
		e := of()
		if e.err != nil {
			return e.err
		}
		if i < training {
			exams = append(exams, e.exam)
		}
		for _, k := range e.exam.Channels {
			channels = append(channels, ChannelKind{runs[i].Name, k})
		}
		out = append(out, e.found...)
		return nil
	}); err != nil {
		return nil, nil, err
	}
	changed, of := doctor.Between(ctx, exams)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	for i, f := range changed {
		out = append(out, Finding{runs[of[i]].Name, f})
	}
	movedElsewhere(out, runs[:training])
	p.tell(out, runs)
	return out, channels, nil
}

// mostAtOnce bounds the runs that are examined at the same time: each has some 50 MB in use, and the collector lets them grow to three times that.
const mostAtOnce = 2

// inOrder calls work with 0 … n-1, several at a time, and collect with their results one after another, in order. It returns the first error of
// collect, after which no further work begins. The results are the same on any number of processors.
func inOrder[R any](n int, work func(int) R, collect func(i int, result func() R) error) error {
	var next atomic.Int64
	var group sync.WaitGroup
	defer group.Wait()
	defer next.Store(int64(n))
	results := make([]chan R, n)
	for i := range results {
		results[i] = make(chan R, 1)
	}
	for range min(n, runtime.GOMAXPROCS(0), mostAtOnce) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				results[i] <- work(i)
			}
		})
	}
	for i := range n {
		if err := collect(i, func() R { return <-results[i] }); err != nil {
			return err
		}
	}
	return nil
}

// examinedRun is what the examination of a run found.
type examinedRun struct {
	exam  *doctor.Examination
	found []Finding
	err   error
}

// examineRun examines a run and returns its findings. elastic is that of checkRuns; unknown says that gains of currents are estimated.
func examineRun(ctx context.Context, r *robot.Robot, run *regression.Run, opt doctor.Options, elastic []bool, unknown bool) examinedRun {
	exam, err := doctor.Examine(ctx, r, run.Log, run.Roles, opt)
	if err != nil {
		return examinedRun{err: err}
	}
	run.Examined = exam.Examined
	loops, err := checkLoops(ctx, r, run)
	if err != nil {
		return examinedRun{err: err}
	}
	bent, err := resonance.Check(ctx, run.Log, run.Roles, JointNames(r), elastic, exam.Findings)
	if err != nil {
		return examinedRun{err: err}
	}
	var out []Finding
	for _, f := range withBase(baseFindings(r, run), append(append(loops, exam.Findings...), bent...)) {
		if f.ID == doctor.CurrentAsTorque && unknown {
			continue
		}
		if isLawChannel(f.Channel) && (f.ID == doctor.Saturated || f.ID == doctor.Stuck) {
			continue // a torque of the declared law is flat at the law's limit, which the fit simulates
		}
		if isLawChannel(f.Channel) && f.Severity != doctor.Info { // its cause is not in a recorded torque
			f.Why = fmt.Sprintf("the torque of the declared control law does not fit the motion: %s", f.Why)
			f.Fix, f.Hint = "", "declare in {controller} the law that moved the robot: its rate, its delay, and its limit where the drives were at one"
		}
		out = append(out, Finding{run.Name, f})
	}
	return examinedRun{exam: exam, found: out}
}

// tell makes findings of runs ready for the reader: what the settings have answered is information, a cure that was not tried is a hint,
// findings of a kind have one cure, and settings have their names.
func (p *Settings) tell(out []Finding, runs []regression.Run) {
	for i := range out {
		f := &out[i]
		if p.settled(*f, runs) {
			f.Severity = doctor.Info
		}
		if f.Fix != "" && f.Repair.IsZero() { // nothing of it was tried
			f.Fix, f.Hint = "", f.Fix
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
		f.Where, f.Why, f.Fix, f.Hint = NameSettings(f.Where, p.naming), NameSettings(f.Why, p.naming), NameSettings(f.Fix, p.naming), NameSettings(f.Hint, p.naming)
	}
}

// loaded returns the state of a run with what the robot carries, by the payloads of the terms.
func loaded(p *Settings, r *robot.Robot, terms []regressor.Term, run *regression.Run) observation.State {
	s, numbers := run.State, regressor.NumbersOf(terms)
	s.Loads, s.Carries, s.Payload = nil, nil, observation.PayloadFlag{}
	any := false
	for _, t := range terms {
		if t.Name() != regressor.Payload {
			continue
		}
		any = true
		n, name := regressor.PayloadNumber(t), t.Argument()
		if n > 0 {
			name = name[:strings.LastIndexByte(name, '=')]
		}
		if link := slices.IndexFunc(r.Links, func(l robot.Link) bool { return strings.EqualFold(l.Name, name) }); link >= 0 {
			s.Loads = append(s.Loads, observation.Load{Link: link, Number: n})
		}
	}
	for _, name := range p.Carries {
		log, number := carriedBy(name, numbers)
		if i := slices.IndexFunc(s.Loads, func(l observation.Load) bool { return l.Number == number }); i >= 0 && namesLog(log, run) {
			s.Carries = &s.Loads[i]
		}
	}
	if any && p.Flag != "" {
		if flag := observation.PayloadFlagOf(p.Flag, run.Log.Has, numbers); run.Log.Has(flag.Channel) {
			s.Payload = flag
		}
	}
	return s
}

// doctorOptions returns the doctor's options for runs of a robot under the settings.
func doctorOptions(p *Settings, r *robot.Robot, terms []regressor.Term, rows int) doctor.Options {
	var pinned []string
	for _, key := range []string{"gravity"} {
		if p.OriginOf(key) == FromOption {
			pinned = append(pinned, key)
		}
	}
	if p.Torque == WithoutGravity {
		pinned = append(pinned, "torque")
	}
	return doctor.Options{Pinned: pinned, Terms: terms, Trim: p.TrimSeconds(), Seed: p.Seed, Immobile: LinksOf(r, p.Immobile), Rows: rows, Models: new(doctor.Models)}
}

// Mend repairs the run as the findings of its check ask for. It proves each repair on stretches of the log that a free
// fit left out: see [doctor.MendLog].
func (s *Session) Mend(ctx context.Context, p *Settings, run *regression.Run, found []Finding) (*doctor.Mended, error) {
	terms, err := examinedTerms(p)
	if err != nil {
		return nil, err
	}
	opt := doctorOptions(p, s.Robot, terms, -1)
	opt.State = run.State
	if asked, err := ParseTerms(p, nil); err == nil {
		opt.State = loaded(p, s.Robot, asked, run)
	}
	own := []doctor.Finding{}
	for _, f := range found {
		if own = append(own, f.Finding); !f.Tried.IsZero() {
			own = nil // an examination anew has the repairs that were declined, too
			break
		}
	}
	m, err := doctor.MendLog(ctx, s.Robot, run.Log, run.Roles, own, opt)
	if err != nil {
		return nil, err
	}
	for _, found := range [][]doctor.Finding{m.Tried, m.Left} {
		for i := range found {
			f := &found[i]
			f.Where, f.Why, f.Fix, f.Hint = NameSettings(f.Where, p.naming), NameSettings(f.Why, p.naming), NameSettings(f.Fix, p.naming), NameSettings(f.Hint, p.naming)
		}
	}
	return m, nil
}

// examinedTerms returns the terms with which the doctor examines logs: rigid bodies and friction, whatever the fit uses,
// and the springs that the project asks for. Other terms need more than the motion.
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

// checkLoops follows the loops through a run and compares measured passive joints with their positions by the loops.
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

// refused returns the findings that forbid a fit: errors that no setting repairs.
func (s *Settings) refused(found []Finding) []Finding {
	var out []Finding
	for _, f := range found {
		if f.Severity == doctor.Error && !s.leavesOut(f) {
			out = append(out, f)
		}
	}
	return out
}

// leavesOut reports whether the setting on-bad drops the rows of a finding.
func (s *Settings) leavesOut(f Finding) bool {
	return s.OnBad == "drop" && slices.Contains([]string{doctor.Dropout, doctor.Spike, doctor.ClockRepeat, doctor.ClockBackward}, f.ID)
}

// movedElsewhere makes a remark of the finding that a joint stands in a training run if another one moves it: it is not locked, and its
// rows there are known to be at rest.
func movedElsewhere(found []Finding, training []regression.Run) {
	stands := func(f *Finding) bool {
		return f.ID == doctor.Dead && f.Severity == doctor.Warning && slices.ContainsFunc(training, func(r regression.Run) bool {
			return r.Name == f.Log && slices.Contains(r.Roles.Q, f.Channel)
		})
	}
	in := map[string]int{} // runs in which a joint stands
	for i := range found {
		if f := &found[i]; stands(f) {
			in[f.Joint]++
		}
	}
	for i := range found {
		if f := &found[i]; stands(f) && in[f.Joint] < len(training) {
			f.Severity, f.Repair, f.Tried, f.Fix = doctor.Info, doctor.Repair{}, doctor.Trial{}, ""
			f.Hint = "nothing, if it stood there: another log moves it; otherwise {map} names the right channel"
		}
	}
}

// settled reports whether the settings already answer a finding: its rows are dropped, or its velocities are not used.
func (s *Settings) settled(f Finding, runs []regression.Run) bool {
	at := slices.IndexFunc(runs, func(r regression.Run) bool { return r.Name == f.Log })
	return s.leavesOut(f) || s.Velocity == "position" && at >= 0 && f.Channel != "" && slices.Contains(runs[at].Roles.DQ, f.Channel)
}

// AdvisedCutoff returns the cut-off that the check of a training log derived from its motion, and the reason. It returns
// 0 if the log is too short or too damaged.
func AdvisedCutoff(found []Finding) (hz float64, why string) {
	for _, f := range found {
		if f.ID == doctor.Aliasing && f.Severity == doctor.Info {
			return f.Value, f.Why
		}
	}
	return 0, ""
}

// adviseCutoff sets the cut-off that the check advises if none is given and the default is too low, and says so.
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
		note(NameSettings(fmt.Sprintf("{cutoff} auto: %.4g Hz; %s", hz, why), s.naming))
	}
}

// elasticJoints reports which independent joints are elastic by the robot file.
func elasticJoints(r *robot.Robot) []bool {
	var out []bool
	for _, l := range r.Independent() {
		out = append(out, r.Links[l].Joint.Elastic)
	}
	return out
}

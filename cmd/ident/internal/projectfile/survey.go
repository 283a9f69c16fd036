// Package projectfile writes ident.yaml: the commented file of a robot and a log, and the settings that findings
// ask for, merged into a file that somebody has written.
package projectfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ident/datasets"
	"ident/doctor"
	"ident/identify/project"
	"ident/internal/rowlist"
	"ident/observation"
	"ident/robot"
)

// Survey is a robot and a log as a fit would take them.
type Survey struct {
	p         *project.Settings
	robot     *robot.Robot
	log       *datasets.Log
	Session   *project.Session // nil where the channels could not be mapped
	names     []string         // joints as the log numbers them
	gains     []float64
	NeedGains bool // the log has currents, and no gain is known
	cutoff    float64
	// Findings of the doctor about the log.
	Findings []project.Finding
	// Guessed lists roles that no channel name fits, with the channels whose units and values do.
	Guessed [][2]string
	// Unmapped says why the channels could not be mapped; the file then has lines to fill in. Otherwise it is nil.
	Unmapped error

	found   [][2]string // roles and channels of the first look, before the findings
	repairs []Repair    // settings that findings ask for, in the order in which they were found
	opt     Options
}

// Options of a look at a log.
type Options struct {
	Report func(stage string, done, total int) // nil for none
	// Declined reports whether the user does not want a setting that findings ask for; name is that of an entry of a map,
	// or the element of a list. nil declines none.
	Declined func(key, name string) bool
}

// mostLooks bounds how often a log is read again by what was found in it: units hide wrong signs, and those an exchange of joints.
const mostLooks = 5

// Look maps the channels of the log at path as a fit would, and has the doctor read it. It applies the settings that
// findings ask for and reads the log again, until nothing further is found: a wrong clock or unit hides other findings,
// and the cut-off follows from the clock. The caller must close the survey.
func Look(ctx context.Context, p *project.Settings, r *robot.Robot, path string, opt Options) (*Survey, error) {
	if err := project.RequireNumeric(r); err != nil {
		return nil, err
	}
	b, report := &Survey{p: p, robot: r, names: p.Joints, gains: p.Gains, opt: opt}, opt.Report
	if len(b.names) == 0 {
		b.names = project.JointNames(r)
	}
	with := p.Clone()
	if err := b.open(ctx, with, path); err != nil {
		return nil, err
	}
	err := b.look(ctx, with, report)
	if err != nil && b.guess(with) {
		err = b.look(ctx, with, report)
	}
	switch {
	case err != nil && !nameless(err):
		b.Close()
		return nil, err
	case err != nil:
		b.Unmapped, b.Session, b.Findings = err, nil, nil
		return b, nil
	}
	b.found = b.channels()
	for range mostLooks - 1 {
		asked := b.add(b.asked())
		if len(asked) == 0 {
			break
		}
		earlier := slices.DeleteFunc(b.Findings, func(f project.Finding) bool { return !asksFor(f, asked) })
		if err := apply(with, asked); err != nil {
			break // a value that no option takes stands in the file only
		}
		b.log.Close()
		if err := b.open(ctx, with, path); err != nil {
			return nil, err
		}
		if err := b.look(ctx, with, report); err != nil {
			b.Close()
			return nil, err
		}
		b.Findings = append(earlier, b.Findings...)
	}
	b.add(b.asked())
	return b, nil
}

// Close closes the log.
func (b *Survey) Close() { b.log.Close() }

// Log returns the log that was looked at.
func (b *Survey) Log() *datasets.Log { return b.log }

// Found lists the errors and warnings of the check in one line each, with the channels that they are about.
func (b *Survey) Found() []string {
	var out []string
	for _, group := range project.GroupFindings(b.Findings) {
		if group[0].Severity == doctor.Info {
			continue
		}
		var names []string
		for _, f := range group {
			if name := cmp.Or(f.Channel, f.Joint); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		line := group[0].ID
		if len(names) > 0 {
			line += " of " + strings.Join(names, ", ")
		}
		out = append(out, line+": "+group[0].Why)
	}
	return out
}

// degrees declares the column of an error about the unit Grad in degrees, and reports whether it did: the file says that it may be π/200.
func (b *Survey) degrees(with *project.Settings, err error) bool {
	var at *datasets.FileError
	if !errors.Is(err, datasets.ErrUnit) || !errors.As(err, &at) {
		return false
	}
	i := strings.LastIndexAny(at.Column, "([")
	if i < 0 {
		return false
	}
	name, unit := strings.TrimSpace(at.Column[:i]), strings.Trim(at.Column[i:], "[]() ")
	suffix, grad := strings.CutPrefix(strings.ToLower(unit), "grad")
	if _, known := with.Units[name]; !grad || known {
		return false
	}
	if with.Units = maps.Clone(with.Units); with.Units == nil {
		with.Units = map[string]string{}
	}
	with.Units[name] = "deg" + suffix
	b.repairs = append(b.repairs, Repair{Key: "units", Names: []string{name}, Of: map[string]string{name: with.Units[name]},
		Why: []string{"Grad is the degree in German; where it is π/200, give a scale of 0.01570796 instead"}})
	return true
}

// mostDropped is the largest part of a log's rows that the file leaves out: more is no matter of single rows, and the user's decision.
const mostDropped = 0.01

// open opens the log. Few rows that cannot be read are left out, and the file says how many.
func (b *Survey) open(ctx context.Context, with *project.Settings, path string) error {
	logs, err := project.OpenLogs(ctx, with, []string{path})
	for b.degrees(with, err) {
		logs, err = project.OpenLogs(ctx, with, []string{path})
	}
	if err != nil && with.OnBad == "" && (errors.Is(err, datasets.ErrNumber) || errors.Is(err, datasets.ErrFields)) && !errors.Is(err, datasets.ErrForm) {
		first, trial := err, *with
		trial.OnBad = "drop"
		if logs, err = project.OpenLogs(ctx, &trial, []string{path}); err != nil {
			return err
		}
		n := logs[0].DroppedRows()
		if float64(n) > mostDropped*float64(logs[0].Rows()+n) {
			project.CloseLogs(logs)
			return first
		}
		b.repairs = append(b.repairs, Repair{Key: "on-bad", Value: "drop", Why: []string{rowlist.Plural(n, "row") + " that cannot be read"}})
		with.OnBad = "drop"
	}
	if err != nil {
		return err
	}
	b.log = logs[0]
	return nil
}

// look maps the channels by the settings, and has the doctor read the log.
func (b *Survey) look(ctx context.Context, with *project.Settings, report func(stage string, done, total int)) error {
	roles, _, err := datasets.MapChannels(b.log, b.names, datasets.PresetChannels(with.Preset, with.Map, b.log))
	if err != nil {
		return err
	}
	trial := *with
	if len(with.Gains) == 0 {
		b.NeedGains = currentWithoutGain(b.robot, roles, b.names)
	}
	if b.NeedGains {
		trial.Gains = slices.Repeat([]float64{1}, len(b.names))
	}
	if b.Session, err = project.Prepare(ctx, &trial, b.robot, []*datasets.Log{b.log}, project.ToFit); err != nil {
		return err
	}
	if err := project.CheckRows(with, b.Session.Runs); err != nil {
		return err
	}
	if with.Cutoff != nil {
		b.cutoff = *with.Cutoff
	} else if with.Decimate <= 1 {
		b.cutoff = observation.DefaultCutoff(observation.Rate(b.log, roles.T))
	}
	b.Findings = nil
	if !b.NeedGains { // torques of gains that are made up would have findings of their own
		b.Findings, err = project.CheckRuns(ctx, &trial, b.Session.Robot, b.Session.Runs, report, 1)
		if hz, _ := project.AdvisedCutoff(b.Findings); hz > 0 && with.Cutoff == nil && with.Decimate <= 1 {
			b.cutoff = hz
		}
	}
	return err
}

// nameless reports whether an error says that the names fit no joint or no clock, which the setting map can cure.
func nameless(err error) bool {
	for _, kind := range []error{datasets.ErrNoJoint, datasets.ErrNoClock, datasets.ErrAmbiguous} {
		if errors.Is(err, kind) {
			return true
		}
	}
	var h *project.HintError
	return errors.As(err, &h) && h.Setting == "map"
}

// asked returns the settings that the findings of this look ask for, roles by number. Where joints are taken as locked
// at zero, because the log does not hold them, findings about torques may be those of the wrong pose: the channels' own
// alone count then.
func (b *Survey) asked() []Repair {
	repairs := Repairs(slices.DeleteFunc(slices.Clone(b.Findings), b.dropsMany))
	if b.poseAssumed() {
		channels := []string{"on-bad", "velocity", "acceleration", "trim", "rows", "units", "scale", "zero"}
		repairs = slices.DeleteFunc(repairs, func(r Repair) bool { return !slices.Contains(channels, r.Key) })
	}
	for i := range repairs {
		if repairs[i].Key == "map" {
			repairs[i].byNumber(b.names)
		}
	}
	if declined := b.opt.Declined; declined != nil {
		for i := range repairs {
			r := &repairs[i]
			if len(r.Names) > 0 {
				r.Names = slices.DeleteFunc(r.Names, func(name string) bool { return declined(r.Key, name) })
				r.gone = len(r.Names) == 0
			} else {
				r.gone = declined(r.Key, "")
			}
		}
		repairs = slices.DeleteFunc(repairs, func(r Repair) bool { return r.gone })
	}
	return repairs
}

// dropsMany reports whether a finding counts rows, asks for their being left out, and has too many of them for that.
func (b *Survey) dropsMany(f project.Finding) bool {
	counted := f.ID == doctor.Dropout || f.ID == doctor.ClockRepeat
	return counted && asksFor(f, []Repair{{Key: "on-bad"}}) && f.Value > mostDropped*float64(b.log.Rows())
}

// byNumber names the roles of a map by the numbers of the joints, as the other lines of the file do.
func (r *Repair) byNumber(joints []string) {
	of := map[string]string{}
	for i, name := range r.Names {
		if role, joint, ok := strings.Cut(name, "_"); ok && slices.Contains(joints, joint) {
			r.Names[i] = fmt.Sprintf("%s%d", role, slices.Index(joints, joint)+1)
		}
		of[r.Names[i]] = r.Of[name]
	}
	r.Of = of
}

// add keeps what no earlier look has asked for, and returns it.
func (b *Survey) add(asked []Repair) []Repair {
	var fresh []Repair
	for _, r := range asked {
		at := slices.IndexFunc(b.repairs, func(old Repair) bool { return old.Key == r.Key })
		if at < 0 {
			b.repairs, fresh = append(b.repairs, r), append(fresh, r)
			continue
		}
		more := r
		more.Names = nil
		for _, name := range r.Names {
			if old := &b.repairs[at]; !slices.Contains(old.Names, name) {
				more.Names = append(more.Names, name)
				old.Names = append(old.Names, name)
				if r.Of != nil {
					old.Of[name] = r.Of[name]
				}
			}
		}
		if len(more.Names) > 0 {
			b.repairs[at].Why = append(b.repairs[at].Why, r.Why...)
			fresh = append(fresh, more)
		}
	}
	return fresh
}

// asksFor reports whether a finding asks for a setting of repairs.
func asksFor(f project.Finding, repairs []Repair) bool {
	return f.Severity != doctor.Info && slices.ContainsFunc(f.Repair.Settings, func(s doctor.Setting) bool {
		return slices.ContainsFunc(repairs, func(r Repair) bool { return r.Key == s.Key })
	})
}

// apply writes repairs into settings, as options of the command line would.
func apply(with *project.Settings, repairs []Repair) error {
	for _, r := range repairs {
		t, ok := project.Lookup(r.Key)
		if !ok {
			return fmt.Errorf("no setting %q", r.Key)
		}
		var texts []string
		switch {
		case r.Of != nil:
			sep := "="
			if t.Form == project.Colon {
				sep = ":"
			}
			for _, name := range r.Names {
				texts = append(texts, name+sep+r.Of[name])
			}
		case len(r.Names) > 0:
			texts = append(slices.Clone(with.Couplings), r.Names...)
		default:
			texts = []string{strings.Trim(r.Value, "[]")}
		}
		if err := t.Set(with, texts...); err != nil {
			return err
		}
	}
	return nil
}

// currentWithoutGain reports whether some joint has a current only, and a drive
// of unknown gain.
func currentWithoutGain(r *robot.Robot, roles datasets.Roles, names []string) bool {
	for k, name := range names {
		if i, ok := project.JointIndex(r, name); ok && roles.Q[k] != "" && roles.Tau[k] == "" && roles.Current[k] != "" && r.Links[i].Joint.Gain == 0 && r.Links[i].Joint.Actuator == "" {
			return true
		}
	}
	return false
}

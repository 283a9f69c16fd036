package opening

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ident/cmd/ident/internal/projectfile"
	"ident/datasets"
	"ident/doctor"
	"ident/identify"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/output"
	"ident/internal/rowlist"
	"ident/internal/textfile"
	"ident/observation"
	"ident/report"
	"ident/report/scene"
	"ident/robot"
)

// Options say what is opened.
type Options struct {
	// Logs are files; the first is looked at, and a fit takes all. Robot is a robot file, or "" for that of the settings.
	Logs  []string
	Robot string
	// File is the project file that is proposed, Settings those that hold before it is: the file's, where there is one,
	// and the command line's. Settings is called again for each look, so that a file that changes on disk counts.
	File     string
	Settings func() (*project.Settings, error)
	// Command is the command line, for the page of a fit.
	Command string
	// Name returns how the user writes a setting, for messages.
	Name func(key string) string
}

// A Session is an opened log with the user's edits. Its methods can be called by several goroutines.
type Session struct {
	opt Options
	ctx context.Context // ends with the command

	mu      sync.Mutex
	doc     Document
	changed chan struct{} // closed when doc changes
	cancel  context.CancelFunc
	round   int // of looks: a look of an earlier round says nothing any more
	text    string
	disk    string // sum of the project file that the text was made from
	before  string // sum under which the text was shown before it was written
	drawn   *report.Drawn
	robot   *Moving
	page    string // report of the latest fit
	looks   int    // that go on, of which earlier ones are about to end
	cores   int    // before the first of them
}

// Moving is the robot in the motion of the log.
type Moving struct {
	Figure string       `json:"figure"`
	Scene  *scene.Scene `json:"scene"`
}

// NewSession opens a log. The work goes on until ctx is done.
func NewSession(ctx context.Context, opt Options) *Session {
	s := &Session{opt: opt, ctx: ctx, changed: make(chan struct{}), cancel: func() {}}
	s.doc = Document{Edits: []Edit{}, Declined: []Edit{}, Channels: []Channel{}, Findings: []Finding{}, Roles: []Role{},
		Units: []string{"rad", "deg", "rev", "rad/s", "deg/s", "rpm", "N.m", "mN.m", "Nm", "A", "mA", "m", "mm", "s", "ms", "us", "ns"}}
	for _, t := range project.Table() {
		if offered[t.Group] && t.Key != "robot" {
			s.doc.Settings = append(s.doc.Settings, Setting{t.Key, project.NameSettings(t.Help, func(key string) string { return key }), t.Choices, slices.Contains(mapKeys, t.Key)})
		}
	}
	s.doc.File.Path = opt.File
	s.Change([]Edit{}, []Edit{})
	return s
}

// mapKeys are the settings whose entries have names: NAME=VALUE on a command line, NAME:VALUE of rows.
var mapKeys = []string{"map", "units", "scale", "zero", "rows", "lock", "weights", "known", "joint-terms", "set", "args", "packages"}

// parted returns edits as they are typed with the names of their entries apart.
func parted(edits []Edit) []Edit {
	out := []Edit{}
	for _, e := range edits {
		if e.Name == "" && slices.Contains(mapKeys, e.Key) {
			if at := strings.LastIndexAny(e.Value, "=:"); at > 0 {
				e.Name, e.Value = e.Value[:at], e.Value[at+1:]
			}
		}
		if e.Key == "scale" || e.Key == "zero" {
			e.Value = quotient(e.Value)
		}
		out = slices.DeleteFunc(out, func(o Edit) bool { return o.Key == e.Key && o.Name == e.Name })
		out = append(out, e)
	}
	return out
}

// quotient returns the value of a quotient with π, as 2π/4096 for the size of a count; any other text as it is.
func quotient(text string) string {
	parts := strings.Split(strings.ReplaceAll(text, "pi", "π"), "/")
	value := 0.0
	for i, part := range parts {
		part = strings.TrimSpace(part)
		number, turn := strings.CutSuffix(part, "π")
		factor := 1.0
		if turn {
			factor = math.Pi
		}
		if number = strings.TrimSpace(number); number != "" || !turn {
			v, err := strconv.ParseFloat(number, 64)
			if err != nil {
				return text
			}
			factor *= v
		}
		if i == 0 {
			value = factor
		} else {
			value /= factor
		}
	}
	if len(parts) == 1 && !strings.Contains(parts[0], "π") || math.IsInf(value, 0) || math.IsNaN(value) {
		return text
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}

// update changes the document unless the look that asks is out of date, and tells those who wait.
func (s *Session) update(round int, change func(d *Document)) bool {
	s.mu.Lock()
	fresh := round == s.round
	if fresh {
		change(&s.doc)
		s.doc.Version++
		close(s.changed)
		s.changed = make(chan struct{})
	}
	s.mu.Unlock()
	if runtime.GOOS == "js" {
		time.Sleep(time.Millisecond) // a browser's only thread hears requests while the program sleeps
	}
	return fresh
}

// Document waits until the document is newer than a version, or ctx is done, and returns it.
func (s *Session) Document(ctx context.Context, since int) Document {
	for {
		s.mu.Lock()
		d, changed := s.doc, s.changed
		s.mu.Unlock()
		if d.Version > since {
			return d
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return d
		}
	}
}

// Curves returns the curves of the log as it is read now; nil if there are none.
func (s *Session) Curves() *report.Drawn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drawn
}

// Robot returns the robot in the motion of the log; nil if there is none.
func (s *Session) Robot() *Moving {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.robot
}

// Page returns the report of the latest fit; "" if there is none.
func (s *Session) Page() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.page
}

// Change looks at the log again, with other edits and declined repairs. A look that goes on is cancelled. It returns the
// version of the document from which on it holds them.
func (s *Session) Change(edits, declined []Edit) (version int) {
	edits = parted(edits)
	s.mu.Lock()
	s.cancel()
	s.round++
	round := s.round
	ctx, cancel := context.WithCancel(s.ctx)
	s.cancel = cancel
	s.mu.Unlock()
	s.update(round, func(d *Document) {
		d.Edits, d.Declined, d.Stage, d.Done, d.Total, d.Problem, d.Near, d.Setting, d.Value, d.Fit = edits, declined, "reading", 0, 0, "", nil, "", "", nil
		s.text, s.before, d.File.Sum, d.File.Written = "", "", "", false // what was shown is out of date
		version = d.Version + 1
	})
	go func() {
		defer cancel()
		if err := s.look(ctx, round, edits, declined); err != nil && ctx.Err() == nil {
			cure, _ := project.CureOf(err)
			s.update(round, func(d *Document) {
				d.Problem, d.Near, d.Setting, d.Value, d.Stage = s.Words(err), near(err), cure.Setting, cure.Value, ""
			})
		}
	}()
	return version
}

// leaveCore leaves one core to the browser until the function that it returns is called, so that curves are redrawn at once
// while the doctor reads the log. A fit, for which the user waits, takes all cores.
func (s *Session) leaveCore() (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.looks++; s.looks == 1 {
		s.cores = runtime.GOMAXPROCS(0)
		runtime.GOMAXPROCS(max(1, s.cores-1))
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.looks--; s.looks == 0 {
			runtime.GOMAXPROCS(s.cores)
		}
	}
}

// Words returns an error with settings as keys of the project file.
func (s *Session) Words(err error) string {
	return project.Describe(err, func(key string) string { return key })
}

// settings returns the settings with the edits, and the project file as it is on disk.
func (s *Session) settings(edits []Edit) (p *project.Settings, old string, err error) {
	text, err := textfile.ReadDocument(s.opt.File, 16<<20)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	if p, err = s.opt.Settings(); err != nil {
		return nil, "", err
	}
	p = p.Clone()
	if s.opt.Robot != "" {
		p.Robot = s.opt.Robot
	}
	texts := map[string][]string{}
	for _, e := range edits {
		t, ok := project.Lookup(e.Key)
		switch {
		case !ok:
			return nil, "", fmt.Errorf("no setting %q", e.Key)
		case e.Name != "" && t.Form == project.Colon:
			texts[e.Key] = append(texts[e.Key], e.Name+":"+e.Value)
		case e.Name != "":
			texts[e.Key] = append(texts[e.Key], e.Name+"="+e.Value)
		default:
			texts[e.Key] = append(texts[e.Key], e.Value)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		t, _ := project.Lookup(key)
		if err := t.Set(p, texts[key]...); err != nil {
			return nil, "", fmt.Errorf("%s: %w", key, err)
		}
	}
	return p, string(text), project.CheckAll(p)
}

// look reads the log, draws it, has the doctor look at it, and proposes the project file. It leaves a core to the browser once there are
// curves to look at.
func (s *Session) look(ctx context.Context, round int, edits, declined []Edit) error {
	blank := s.Curves() == nil
	if !blank {
		defer s.leaveCore()()
	}
	p, old, err := s.settings(edits)
	if err != nil {
		return err
	}
	path := s.opt.Logs[0]
	logs, err := project.OpenLogs(ctx, p, []string{path})
	if err != nil && p.OnBad == "" && (errors.Is(err, datasets.ErrNumber) || errors.Is(err, datasets.ErrFields)) {
		first, trial := err, p.Clone() // curves of the rows that can be read, while the look says how many cannot
		trial.OnBad = "drop"
		if logs, err = project.OpenLogs(ctx, trial, []string{path}); err != nil {
			return first
		}
	}
	if err != nil {
		return err
	}
	defer project.CloseLogs(logs)
	clock := clockOf(logs[0], p)
	s.update(round, func(d *Document) {
		d.Log = s.logOf(logs[0], clock)
		d.Channels = channelsOf(logs[0], p, datasets.Roles{T: clock}, nil, nil, edits)
	})
	if _, err := s.draw(ctx, round, logs[0], clock, nil, nil, nil); err != nil {
		return err
	}
	if blank {
		defer s.leaveCore()()
	}
	r, err := project.FindRobot(p, s.opt.Robot != "", logs...)
	if err != nil {
		return err
	}
	joints := p.Joints
	if len(joints) == 0 {
		joints = project.JointNames(r)
	}
	s.update(round, func(d *Document) {
		d.Robot = Robot{Name: r.Name, File: p.Robot, Joints: project.JointNames(r)}
		d.Roles = rolesOf(joints)
	})
	b, err := projectfile.Look(ctx, p, r, path, projectfile.Options{
		Report: func(stage string, done, total int) {
			s.update(round, func(d *Document) { d.Stage, d.Done, d.Total = stage, done, total })
		},
		Declined: func(key, name string) bool {
			return slices.ContainsFunc(declined, func(e Edit) bool { return e.Key == key && e.Name == name })
		},
	})
	if err != nil {
		return err
	}
	defer b.Close()
	log, roles := b.Log(), datasets.Roles{T: clock}
	var locked, positions []string
	if b.Session != nil {
		roles, locked = b.Session.Runs[0].Roles, slices.Sorted(maps.Keys(b.Session.Locked))
		positions = roles.Q
	}
	file, text, err := s.propose(b, p, old, edits)
	if err != nil {
		file = File{Path: s.opt.File, Old: old != "", Problem: s.Words(err)}
	}
	fresh := s.update(round, func(d *Document) {
		s.text, s.disk = text, sum(old)
		d.File, d.Log, d.Stage = file, s.logOf(log, roles.T), ""
		d.Channels = channelsOf(log, p, roles, b, joints, edits)
		d.Findings = findingsOf(b.Findings, declined)
		d.Robot.Locked = locked
		switch {
		case b.Unmapped != nil:
			d.Problem, d.Setting = s.Words(b.Unmapped), "map"
		case b.NeedGains:
			d.Problem, d.Setting = "the log holds motor currents, and neither the robot file nor the settings have gains (N·m/A) that make torques of them", "gains"
		}
	})
	if !fresh {
		return ctx.Err()
	}
	motion, err := s.draw(ctx, round, log, roles.T, labelsOf(log, roles, joints), b.Findings, positions)
	if err != nil || b.Session == nil {
		return err
	}
	return s.move(round, b.Session.Robot, motion)
}

// draw draws the curves of the log, and returns the motion of positions, the channels of the joints.
func (s *Session) draw(ctx context.Context, round int, log *datasets.Log, clock string, labels map[string]string, found []project.Finding, positions []string) (scene.Run, error) {
	curves, motion, err := identify.LogCurves(ctx, log, clock, labels, found, positions)
	if err != nil {
		return motion, err
	}
	drawn, err := curves.Draw("What the log holds", "findings", []report.Mark{{Class: "p", Text: "as the log is read now"}, {Class: "none", Text: "✗ error  ! warning  i remark, where they lie"}})
	if err != nil {
		return motion, err
	}
	s.update(round, func(d *Document) { s.drawn = drawn; d.Curves++ })
	return motion, nil
}

// move draws the robot in the motion of the log.
func (s *Session) move(round int, r *robot.Robot, motion scene.Run) error {
	drawn, err := scene.New(r)
	if err != nil {
		return nil // a robot that cannot be drawn is no reason to stop
	}
	if err := drawn.Play([]scene.Run{motion}); err != nil {
		return nil
	}
	figure, err := drawn.Figure()
	if err != nil {
		return err
	}
	s.update(round, func(d *Document) { s.robot = &Moving{string(figure), drawn}; d.Scene++ })
	return nil
}

// clockOf returns the clock of a log before its channels are assigned: that of the settings, or the one of the usual names.
func clockOf(log *datasets.Log, p *project.Settings) string {
	if t := p.Map["t"]; log.Has(t) {
		return t
	}
	roles, _, err := datasets.MapChannels(log, []string{"1"}, nil)
	if err == nil && log.Has(roles.T) {
		return roles.T
	}
	for _, name := range []string{"t", "time", "timestamp"} {
		if log.Has(name) {
			return name
		}
	}
	return ""
}

// logOf describes a log.
func (s *Session) logOf(log *datasets.Log, clock string) Log {
	l := Log{Name: log.Name(), Path: log.Path(), Rows: log.Rows(), Clock: clock, Further: s.opt.Logs[1:]}
	if clock != "" {
		if hz := observation.Rate(log, clock); hz > 0 && hz < 1e9 {
			l.RateHz, l.Seconds = hz, float64(log.Rows())/hz
		}
	}
	if bad, n := log.Dropped(), log.DroppedRows(); n > 0 && len(bad) > 0 {
		l.Left = fmt.Sprintf("%s that cannot be read, the first in line %d: %s", rowlist.Plural(n, "row"), bad[0].Line, bad[0].Why)
	}
	for _, n := range log.Notes() {
		l.Notes = append(l.Notes, n.String())
	}
	return l
}

// roleKinds are the kinds of roles with their words.
var roleKinds = [...]Role{{"q", "position"}, {"dq", "velocity"}, {"ddq", "acceleration"}, {"tau", "torque"}, {"i", "current"}}

// rolesOf returns what channels can be.
func rolesOf(joints []string) []Role {
	out := []Role{{"t", "time"}}
	for _, kind := range roleKinds {
		for j, name := range joints {
			out = append(out, Role{fmt.Sprintf("%s%d", kind.Name, j+1), kind.Text + " of " + name})
		}
	}
	return out
}

// rolesBy returns the roles of channels by name. roles are those of the joints of a session, joints the log's.
func rolesBy(roles datasets.Roles, session, joints []string) map[string]string {
	of := map[string]string{roles.T: "t"}
	for kind, names := range map[string][]string{"q": roles.Q, "dq": roles.DQ, "ddq": roles.DDQ, "tau": roles.Tau, "i": roles.Current} {
		for k, channel := range names {
			if k < len(session) && channel != "" {
				of[channel] = fmt.Sprintf("%s%d", kind, slices.Index(joints, session[k])+1)
			}
		}
	}
	return of
}

// channelsOf describes the channels of a log. b is nil before the look.
func channelsOf(log *datasets.Log, p *project.Settings, roles datasets.Roles, b *projectfile.Survey, joints []string, edits []Edit) []Channel {
	var session []string
	guessed := map[string]bool{}
	if b != nil {
		if b.Session != nil {
			session = project.JointNames(b.Session.Robot)
		}
		for _, g := range b.Guessed {
			guessed[g[1]] = true
		}
	}
	by := rolesBy(roles, session, joints)
	out := []Channel{}
	for _, ch := range log.Channels() {
		if ch.Assumed {
			continue
		}
		c := Channel{Name: ch.Name, Unit: ch.Unit, Role: by[ch.Name], Set: map[string]string{}}
		if _, size, err := datasets.SI(ch.Unit); ch.Unit != "" && err == nil {
			c.SI = size
		}
		asked := b.Asked(ch.Name)
		maps.Copy(c.Set, asked)
		for key, values := range map[string]map[string]string{"units": p.Units, "scale": texts(p.Scale), "zero": texts(p.Zero)} {
			if v, ok := values[ch.Name]; ok {
				c.Set[key] = v
			}
		}
		switch own := slices.ContainsFunc(edits, func(e Edit) bool { return e.Key == "map" && (e.Value == ch.Name || e.Name == c.Role && c.Role != "") }); {
		case own:
			c.Why = "by you"
		case guessed[ch.Name]:
			c.Why = "guessed by its unit and the numbers in its name"
		case len(asked) > 0:
			c.Why = "by what the check found"
		case c.Role != "":
			c.Why = "by its name"
			if p.Map[c.Role] == ch.Name {
				c.Why = "by " + project.File
			}
		case b != nil:
			c.Why = "not used"
		}
		out = append(out, c)
	}
	return out
}

// texts returns numbers as texts.
func texts(m map[string]float64) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[k] = fmt.Sprint(v)
	}
	return out
}

// labelsOf says of channels what they are, for the curves.
func labelsOf(log *datasets.Log, roles datasets.Roles, joints []string) map[string]string {
	out := map[string]string{}
	for _, list := range [][]string{roles.Q, roles.DQ, roles.DDQ, roles.Tau, roles.Current} {
		for k, channel := range list {
			if k < len(joints) && channel != "" {
				out[channel] = joints[k]
			}
		}
	}
	return out
}

// findingsOf describes findings, the gravest first.
func findingsOf(found []project.Finding, declined []Edit) []Finding {
	out := []Finding{}
	for _, group := range project.GroupFindings(found) {
		f := group[0]
		x := Finding{ID: f.ID, Severity: string(f.Severity), Where: f.Where, Why: f.Why, Advice: f.Advice(), On: true, Tried: f.Tried.Outcome, Before: finite(f.Tried.ErrorBefore), After: finite(f.Tried.ErrorAfter)}
		x.Advice = project.NameSettings(x.Advice, func(key string) string { return key })
		var subjects []string
		for _, f := range group {
			subject := f.Channel
			if subject == "" {
				subject = f.Joint
			}
			if subject != "" && !slices.Contains(subjects, subject) {
				subjects = append(subjects, subject)
			}
			if f.Severity == doctor.Info {
				continue
			}
			for _, set := range f.Repair.Settings {
				e := Edit{Key: set.Key, Name: set.Name, Value: set.Value}
				if set.Key == "couplings" {
					e.Name, e.Value = set.Value, ""
				}
				if !slices.Contains(x.Repair, e) {
					x.Repair = append(x.Repair, e)
				}
				x.On = x.On && !slices.ContainsFunc(declined, func(d Edit) bool { return d.Key == e.Key && d.Name == e.Name })
			}
		}
		x.Subject = strings.Join(subjects, ", ")
		out = append(out, x)
	}
	return out
}

// finite returns a number that JSON can hold.
func finite(v float64) float64 {
	if v != v || v > 1e300 || v < -1e300 {
		return 0
	}
	return v
}

// propose returns the project file that the guesses, the repairs and the edits make of the old one, "" for none.
func (s *Session) propose(b *projectfile.Survey, p *project.Settings, old string, edits []Edit) (File, string, error) {
	f := File{Path: s.opt.File, Old: old != ""}
	robotPath, err := pathFrom(filepath.Dir(s.opt.File), p.Robot)
	if err != nil {
		return f, "", err
	}
	text := old
	if old == "" {
		if text, _, err = b.Text(robotPath); err != nil {
			return f, "", err
		}
	} else if text, err = b.MergeInto(old, robotPath); err != nil {
		return f, "", err
	}
	if text, err = projectfile.Merge(text, byHand(edits)); err != nil {
		return f, "", err
	}
	if old == "" {
		f.Lines = keys(text)
		text = output.Seal(text)
	} else {
		f.Lines = difference(old, text)
	}
	f.Sum = sum(old + "\x00" + text)
	return f, text, nil
}

// byHand returns the edits as entries of a project file.
func byHand(edits []Edit) []projectfile.Repair {
	var out []projectfile.Repair
	for _, e := range edits {
		i := slices.IndexFunc(out, func(r projectfile.Repair) bool { return r.Key == e.Key })
		if i < 0 {
			i = len(out)
			out = append(out, projectfile.Repair{Key: e.Key, By: "ident open", Why: []string{"by hand"}})
		}
		r := &out[i]
		if e.Name == "" {
			r.Value = projectfile.Value(e.Key, e.Value)
			continue
		}
		if r.Of == nil {
			r.Of = map[string]string{}
		}
		name := projectfile.Flow(e.Name)
		r.Names = append(slices.DeleteFunc(r.Names, func(n string) bool { return n == name }), name)
		r.Of[name] = projectfile.Value(e.Key, e.Value)
	}
	return out
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:16])
}

// pathFrom returns a file as it is named in a project file that lies in dir; "" for "".
func pathFrom(dir, path string) (string, error) {
	if path == "" {
		return "", nil
	}
	d, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	f, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(d, f); err == nil {
		return filepath.ToSlash(rel), nil
	}
	return f, nil
}

// ErrChanged reports that the project file changed on disk, or that another text was shown.
var ErrChanged = errors.New("the file changed on disk, or the settings changed, since the difference was shown: look at it again")

// Write writes the project file that was shown under a sum. A file that changed on disk is not replaced.
func (s *Session) Write(shown string) error {
	s.mu.Lock()
	round, text, disk, file := s.round, s.text, s.disk, s.doc.File
	s.mu.Unlock()
	if text == "" || shown != file.Sum {
		return ErrChanged
	}
	now, err := os.ReadFile(file.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if sum(string(now)) != disk {
		return ErrChanged
	}
	if err := output.Write(file.Path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		return err
	}
	s.update(round, func(d *Document) {
		s.disk, s.before = sum(text), file.Sum
		d.File.Written, d.File.Sum = true, sum(text+"\x00"+text)
	})
	return nil
}

// Fit fits the logs with the project file that was shown under a sum, as ident fit does where it is written. The sum may be the one before the
// file was written: the text is the same, and requests of one page may overtake each other.
func (s *Session) Fit(shown string) error {
	s.mu.Lock()
	round, text, before, file := s.round, s.text, s.before, s.doc.File
	s.mu.Unlock()
	if text == "" || shown == "" || shown != file.Sum && shown != before {
		return ErrChanged
	}
	p, err := project.ReadText([]byte(text), file.Path)
	if err != nil {
		return err
	}
	dir := folder.Default(s.opt.Logs[0])
	if err := folder.Check(dir, false); err != nil {
		return err
	}
	if !s.update(round, func(d *Document) { d.Stage, d.Done, d.Total, d.Fit = "fitting", 0, 0, nil }) {
		return ErrChanged
	}
	s.mu.Lock()
	ctx, cancel := context.WithCancel(s.ctx)
	s.cancel = cancel
	s.mu.Unlock()
	go func() {
		defer cancel()
		out, page, err := s.fit(ctx, round, p, dir)
		if err != nil {
			out = &Fit{Problem: s.Words(err)}
		}
		s.update(round, func(d *Document) { s.page = page; d.Fit, d.Stage = out, "" })
	}()
	return nil
}

// fit fits and writes the result.
func (s *Session) fit(ctx context.Context, round int, p *project.Settings, dir string) (*Fit, string, error) {
	job := identify.New(p, false, s.opt.Logs...)
	job.Observer = project.Observer{Progress: func(stage string, done, total int) {
		s.update(round, func(d *Document) { d.Stage, d.Done, d.Total = stage, done, total })
	}}
	fit, err := job.Fit(ctx, identify.FitOptions{})
	if err != nil {
		return nil, "", err
	}
	if err := fit.Write(ctx, dir, identify.WriteOptions{Command: s.opt.Command}); err != nil {
		return nil, "", err
	}
	out := &Fit{Folder: dir}
	if fit.Result != nil {
		var text bytes.Buffer
		report.Summary(&text, fit.Result, 0)
		out.Grade, out.Text = string(fit.Result.Grade.Value), text.String()
	}
	page, err := os.ReadFile(filepath.Join(dir, folder.ReportFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	return out, string(page), nil
}

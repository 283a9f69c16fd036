package identify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"ident/identify/project"
	"ident/identify/regression"
	"ident/internal/hint"
	"ident/observation"
	"ident/regressor"
	"ident/result"
	"ident/robot"
	"ident/simulate/plant"
	"ident/simulate/replay"
)

// ReplayDocument is a replay as validations show it.
type ReplayDocument struct {
	Joints     []string         `json:"joints"`
	Units      []string         `json:"units"` // units of the positions
	Identified []ReplayHorizon  `json:"identified"`
	File       []ReplayHorizon  `json:"file,omitempty"`       // errors of the file's own bodies; nil if the file has none
	Controller string           `json:"controller,omitempty"` // controller that drives the model; "" if the logged torques do
	Tracking   []ReplayTracking `json:"tracking,omitempty"`
	Verdicts   []result.Verdict `json:"verdicts"`
	Notes      []string         `json:"notes,omitempty"`

	drawn *drawnReplay // of the identified robot, for the page; nil where it could not be simulated
}

// ReplayHorizon is the error of the simulated positions after a time without correction.
type ReplayHorizon struct {
	HorizonS  float64   `json:"horizon_s"`
	RMS       []float64 `json:"rms"`       // by joint, rad or m
	Displaced []float64 `json:"displaced"` // root mean square of the displacement over the horizon, by joint
	Percent   float64   `json:"percent"`   // error as percent of the displacement, all joints together
	// PercentOfLaw is the error as percent of the controller's tracking error; 0 for a replay without a controller.
	PercentOfLaw float64 `json:"percent_of_law,omitempty"`
	Starts       int     `json:"starts"`
	Lost         int     `json:"lost,omitempty"` // number of starts whose simulation diverged
}

// ReplayTracking is the error of a law that follows the log's motion.
type ReplayTracking struct {
	Law string    `json:"law"`
	RMS []float64 `json:"rms"` // by joint, rad or m
	All float64   `json:"all"` // root mean square over all joints
}

// ReplayOptions are the options of a replay.
type ReplayOptions struct {
	Track     bool
	Bandwidth float64 // bandwidth of the position loops that track, rad/s; 0 for the default
	// Controller is the known law that moved the robot, made for the identified robot and the log's rate, Hz; nil for a replay
	// under the logged torques, and of a result without torques for the law that it has found.
	Controller func(r *robot.Robot, rate float64) (plant.Control, error)
	Text       string   // text of the controller
	Reference  []string // channels of the commands; nil to find them by their usual names
}

// errReplayTerms is wrapped by the error of a result with terms that no plant has.
var errReplayTerms = errors.New("a replay needs the terms links, Ia, Fv, Fs and Fo alone")

// replayLogs replays logs with a fitted result: the identified robot and the robot of the file run forward under the logged torques or
// the known controller (package replay), and follow the motion with either as feed-forward.
//
// The robot of the file has the file's bodies. Drives of which the file says nothing, friction above all, have the
// identified parameters: otherwise the comparison would be about friction alone.
func replayLogs(ctx context.Context, f *project.Fitted, paths []string, opt ReplayOptions) (*ReplayDocument, error) {
	for _, t := range f.Terms {
		if !slices.Contains([]regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs, regressor.Fo}, t) {
			return nil, hint.Errorf("terms", "links,Ia,Fv,Fs,Fo", "%w; the result has %s: fit it again with these ({terms})", errReplayTerms, t)
		}
	}
	if len(f.Settings.Known) > 0 || f.Robot.Closed() {
		return nil, fmt.Errorf("a replay needs a robot without loops and with all parameters identified")
	}
	law := replayLawOf(f, opt)
	records, err := readRecords(ctx, f, paths, law)
	if err != nil {
		return nil, err
	}
	d := &ReplayDocument{Joints: f.Result.Joints}
	if law != nil {
		d.Controller = law.text
	}
	for _, u := range f.Result.JointUnits {
		if u == "N" {
			d.Units = append(d.Units, "m")
		} else {
			d.Units = append(d.Units, "rad")
		}
	}
	own, err := project.Lock(f.Identified().Robot, f.Settings.Lock)
	if err != nil {
		return nil, err
	}
	d.Notes = withoutGivingPower(own)
	file := d.fileRobot(f, own)
	run := horizonsOfRobot(replayHorizons)
	if law != nil {
		if run, err = law.horizons(own, records); err != nil {
			return nil, err
		}
	}
	drawn := newDrawnReplay(records)
	if d.Identified, err = run(ctx, own, records, replay.Options{Visit: drawn.visit}); err != nil {
		var loose *plant.UnstableError
		if errors.As(err, &loose) {
			d.Verdicts = append(d.Verdicts, result.Verdict{ID: "replay", Value: math.MaxFloat64, Limit: replayLimit, Makes: result.Doubtful,
				Why: "under the declared controller the identified model is unstable: " + loose.Error(), Fix: "the log's own gains, rate and delay in {controller}"})
			return d, nil
		}
		var singular *plant.InertiaError
		if !errors.As(err, &singular) {
			return nil, err
		}
		d.Verdicts = append(d.Verdicts, result.Verdict{ID: "replay", Value: math.MaxFloat64, Limit: replayLimit, Makes: result.Doubtful,
			Why: "the identified parameters have no forward dynamics: their inertia matrix is not positive definite", Fix: "a feasible estimate ({physically-consistent}), or a motion that excites the robot more"})
		return d, nil
	}
	drawn.finish()
	d.drawn = drawn
	if file != nil {
		if d.File, err = run(ctx, file, records, replay.Options{}); err != nil {
			d.Notes, d.File = append(d.Notes, "the robot file's parameters could not be replayed: "+err.Error()), nil
		}
	}
	if law == nil {
		d.judge()
	} else {
		d.judgeUnderLaw()
	}
	if opt.Track {
		return d, d.track(ctx, own, file, records[0], opt)
	}
	return d, nil
}

// fileRobot returns the robot file's, with drives of which it says nothing as identified; nil where it has no bodies.
func (d *ReplayDocument) fileRobot(f *project.Fitted, own *robot.Robot) *robot.Robot {
	r := f.Robot.Clone()
	for j := range r.Links {
		if l := &r.Links[j]; l.Joint.Kind != robot.Fixed && (!l.HasInertial || l.Inertial.Mass() == 0) {
			return nil
		}
		joint, found := &r.Links[j].Joint, own.Links[j].Joint
		for _, v := range []struct{ to, from *float64 }{{&joint.Ia, &found.Ia}, {&joint.Fv, &found.Fv}, {&joint.Fs, &found.Fs}, {&joint.Fo, &found.Fo}} {
			if *v.to == 0 {
				*v.to = *v.from
			}
		}
	}
	return r
}

// withoutGivingPower sets friction that gives power to zero, and says so: no plant moves with it.
func withoutGivingPower(r *robot.Robot) (notes []string) {
	for _, l := range r.Moving() {
		j := &r.Links[l].Joint
		if j.Fv < 0 || j.Fs < 0 {
			notes = append(notes, fmt.Sprintf("the identified friction of joint %q (Fv %.3g, Fs %.3g) gives power; the replay sets negative coefficients to zero", j.Name, j.Fv, j.Fs))
			j.Fv, j.Fs = math.Max(j.Fv, 0), math.Max(j.Fs, 0)
		}
	}
	return notes
}

// horizonsOfRobot returns the errors of a robot by horizon.
type horizonsOfRobot func(context.Context, *robot.Robot, []*replay.Record, replay.Options) ([]ReplayHorizon, error)

// replayHorizons is that under the logged torques.
func replayHorizons(ctx context.Context, r *robot.Robot, records []*replay.Record, opt replay.Options) ([]ReplayHorizon, error) {
	errs, err := replay.Forward(ctx, r, records, opt)
	return horizonsOf(errs), err
}

func horizonsOf(errs []replay.Error) (out []ReplayHorizon) {
	for _, e := range errs {
		out = append(out, ReplayHorizon{HorizonS: e.Horizon, RMS: e.Joints, Displaced: e.Moved, Percent: e.Percent, PercentOfLaw: e.OfLaw, Starts: e.Starts, Lost: e.Lost})
	}
	return out
}

// The verdict looks at a fifth of a second: the time that a joint's controller takes to correct, and short enough
// for noise of the starting velocity to matter little. An error of a fifth of the displacement is that of a
// torque error of some ten per cent of the torques that accelerate. It is advice: without a controller, noise and
// friction of the torques count as errors of the model.
const (
	judgedHorizon = 0.2
	replayLimit   = 20
)

// judge adds the verdict.
func (d *ReplayDocument) judge() {
	for i, h := range d.Identified {
		if h.HorizonS != judgedHorizon {
			continue
		}
		worst := 0
		for k := range h.RMS {
			if h.RMS[k]*h.Displaced[worst] > h.RMS[worst]*h.Displaced[k] {
				worst = k
			}
		}
		v := result.Verdict{ID: "replay", Pass: h.Percent <= replayLimit && h.Lost == 0, Value: h.Percent, Limit: replayLimit,
			Why: fmt.Sprintf("run forward under the logged torques, the identified model is off by %.3g %% of the motion after %g s, most at %s", h.Percent, h.HorizonS, d.Joints[worst])}
		if d.File != nil {
			v.Why += fmt.Sprintf("; the robot file by %.3g %%", d.File[i].Percent)
		}
		if !v.Pass {
			v.Fix = "record a motion that accelerates that joint more: its inertia is small or little known, so noise of the torque moves it far"
		}
		d.Verdicts = append(d.Verdicts, v)
	}
}

// track adds the errors of tracking.
func (d *ReplayDocument) track(ctx context.Context, own, file *robot.Robot, rec *replay.Record, opt ReplayOptions) error {
	laws := []replay.Candidate{{Name: "PD alone"}, {Name: "PD + gravity, identified", Robot: own, Gravity: true}}
	if file != nil {
		laws = append(laws, replay.Candidate{Name: "PD + feed-forward, file", Robot: file})
	}
	laws = append(laws, replay.Candidate{Name: "PD + feed-forward, identified", Robot: own})
	got, err := replay.Track(ctx, own, rec, replay.Loop{Bandwidth: opt.Bandwidth}, laws)
	for _, t := range got {
		d.Tracking = append(d.Tracking, ReplayTracking{Law: t.Law, RMS: t.Joints, All: t.RMS})
	}
	return err
}

// readRecords reads the filtered motion and the torques of logs, segment by segment, and the commands where there is a law.
func readRecords(ctx context.Context, f *project.Fitted, paths []string, law *replayLaw) ([]*replay.Record, error) {
	ses, closeLogs, err := f.Sessions(ctx, paths)
	if err != nil {
		return nil, err
	}
	defer closeLogs()
	model, err := regressor.NewDynamic(ses.Robot, []regressor.Term{regressor.Links})
	if err != nil {
		return nil, err
	}
	var out []*replay.Record
	for i := range ses.Runs {
		run := &ses.Runs[i]
		segments, _, err := observation.Segments(i, run, run.Channels(true, true), f.Settings.OnBad == "drop")
		if err != nil {
			return nil, err
		}
		set := motionSettings(f.Result.Processing.Path, f.Settings.TrimSeconds())
		choice, err := observation.Choose(ctx, set, run, &segments[0])
		if err != nil {
			return nil, err
		}
		set.VelocityLag = choice.VelocityLag
		layout := observation.NewLayout(run, choice)
		for k := range segments {
			rec, err := readRecord(ctx, run, &segments[k], layout, set, model, project.LinksOf(ses.Robot, f.Settings.Unactuated))
			if err != nil {
				return nil, err
			}
			if float64(rec.Samples())*rec.Interval <= 2 {
				continue
			}
			if law != nil {
				if err := law.commands(rec, run, f.Result.Joints, channelNumbers(f, ses)); err != nil {
					return nil, err
				}
			}
			out = append(out, rec)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no log has two seconds without a gap, which a replay needs")
	}
	return out, nil
}

// motionSettings returns the settings for a motion alone, without rows, by the filters of a path; what it leaves open is chosen.
func motionSettings(p observation.Path, trim float64) observation.Settings {
	p.Cutoff, p.Decimate, p.VelocityLag, p.Trim = 0, 0, nil, trim
	p.Velocity, p.Acceleration, p.Order = observation.Auto, observation.Auto, cmp.Or(p.Order, regression.DefaultOrder)
	p.Differentiator = cmp.Or(p.Differentiator, observation.Central)
	return observation.Settings{Model: observation.Dynamic, Path: p, RemoveLag: true}
}

// readRecord reads one stretch without gaps.
func readRecord(ctx context.Context, run *observation.Run, seg *observation.Segment, layout observation.Layout, set observation.Settings, model *regressor.Model, unactuated []int) (*replay.Record, error) {
	filters, err := observation.NewFilters(set, seg.DT)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.Name, err)
	}
	source := observation.Source{Run: run, Segment: seg, Layout: layout, Filters: filters, Plan: filters.Plan(1<<15, 0, 0)}
	observer := observation.NewObserver(model, observation.Known{}, unactuated)
	rec := &replay.Record{Name: run.Name, Interval: seg.DT}
	err = observation.Pass(ctx, []observation.Source{source}, 1, func(_ int, c *observation.Chunk) (*replay.Record, error) {
		v, err := observer.Observe(c)
		if err != nil {
			return nil, err
		}
		cut := func(x [][]float64) (out [][]float64) {
			for _, col := range x {
				out = append(out, slices.Clone(col[v.Lo:v.Hi]))
			}
			return out
		}
		return &replay.Record{Start: c.Time(v.Lo), Q: cut(v.Motion.Q), DQ: cut(v.Motion.DQ), DDQ: cut(v.Motion.DDQ), Tau: cut(v.Torque)}, nil
	}, func(part *replay.Record) error {
		if rec.Q == nil {
			rec.Start = part.Start
		}
		for _, g := range []struct {
			to   *[][]float64
			from [][]float64
		}{{&rec.Q, part.Q}, {&rec.DQ, part.DQ}, {&rec.DDQ, part.DDQ}, {&rec.Tau, part.Tau}} {
			if *g.to == nil {
				*g.to = make([][]float64, len(g.from))
			}
			for k, x := range g.from {
				(*g.to)[k] = append((*g.to)[k], x...)
			}
		}
		return nil
	})
	return rec, err
}

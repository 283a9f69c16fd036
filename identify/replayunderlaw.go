package identify

import (
	"context"
	"fmt"
	"slices"

	"ident/filter"
	"ident/identify/project"
	"ident/internal/hint"
	"ident/observation"
	"ident/result"
	"ident/robot"
	"ident/simulate/plant"
	"ident/simulate/replay"
)

// replayLaw is the known controller of a replay.
type replayLaw struct {
	text      string
	reference []string
	build     func(r *robot.Robot, rate float64) (plant.Control, error)
}

// replayLawOf returns the law of the options, or the one that a result without torques has found; nil where there is none.
func replayLawOf(f *project.Fitted, opt ReplayOptions) *replayLaw {
	switch c := f.Result.Commanded; {
	case opt.Controller != nil:
		return &replayLaw{opt.Text, opt.Reference, opt.Controller}
	case c != nil:
		return &replayLaw{c.Controller, c.Commands, func(*robot.Robot, float64) (plant.Control, error) {
			return project.FoundLaw(c, len(f.Result.Joints))
		}}
	}
	return nil
}

// replayHorizons returns the errors of a robot by horizon, under the law made for the identified one.
func (l *replayLaw) horizons(own *robot.Robot, records []*replay.Record) (horizonsOfRobot, error) {
	c, err := l.build(own, 1/records[0].Interval)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *robot.Robot, records []*replay.Record, opt replay.Options) ([]ReplayHorizon, error) {
		errs, err := replay.UnderLaw(ctx, r, records, c, opt)
		return horizonsOf(errs), err
	}, nil
}

// channelNumbers returns, for each joint of ses.Robot, the number (from 1) that it has in channel names, 0 if it has none.
func channelNumbers(f *project.Fitted, ses *project.Session) []int {
	names := f.Settings.Joints
	if len(names) == 0 {
		names = project.JointNames(f.Robot)
	}
	var out []int
	for _, name := range project.JointNames(ses.Robot) {
		out = append(out, slices.Index(names, name)+1)
	}
	return out
}

// commands adds the commanded positions at the samples of a record.
func (l *replayLaw) commands(rec *replay.Record, run *observation.Run, joints []string, numbers []int) error {
	channels, err := project.CommandChannels(run.Log, numbers, joints, l.reference)
	if err != nil {
		return hint.Errorf("reference", "", "%w; name the channels with {reference}", err)
	}
	t, err := run.Log.Column(run.Roles.T)
	if err != nil {
		return err
	}
	cols, err := run.Log.Columns(channels...)
	if err != nil {
		return err
	}
	for _, x := range cols {
		r := make([]float64, rec.Samples())
		at := 0
		for i := range r {
			now := rec.Start + float64(i)*rec.Interval
			for at < len(t)-2 && t[at+1] < now {
				at++
			}
			part := (now - t[at]) / (t[at+1] - t[at])
			r[i] = x[at] + part*(x[at+1]-x[at])
		}
		dr, ddr := make([]float64, len(r)), make([]float64, len(r))
		filter.Differentiate4(dr, r, rec.Interval)
		filter.Differentiate4(ddr, dr, rec.Interval)
		rec.QR, rec.DQR, rec.DDQR = append(rec.QR, r), append(rec.DQR, dr), append(rec.DDQR, ddr)
	}
	return nil
}

// judgedUnderLaw, s, is the longest horizon: noise of the starting velocity has gone by then.
const judgedUnderLaw = 1

// judgeUnderLaw adds the verdict of a replay under a law: an error of a fifth of the law's own is that of a torque error of a fifth.
func (d *ReplayDocument) judgeUnderLaw() {
	for i, h := range d.Identified {
		if h.HorizonS != judgedUnderLaw {
			continue
		}
		v := result.Verdict{ID: "replay", Pass: h.PercentOfLaw <= replayLimit && h.Lost == 0, Value: h.PercentOfLaw, Limit: replayLimit,
			Why: fmt.Sprintf("run forward under the declared controller, the identified model misses the measured positions by %.3g %% of the controller's position error after %g s", h.PercentOfLaw, h.HorizonS)}
		if d.File != nil {
			v.Why += fmt.Sprintf("; the robot file by %.3g %%", d.File[i].PercentOfLaw)
		}
		if !v.Pass {
			v.Fix = "the log's own gains, rate and delay in {controller}; or a motion that excites the robot more"
		}
		d.Verdicts = append(d.Verdicts, v)
	}
}

package identify

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"ident/doctor"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/digits"
	"ident/internal/output"
	"ident/internal/rowlist"
	"ident/report"
	"ident/report/scene"
)

// WritePage writes an HTML page about the check to path: the channels of the joints over time with the findings where
// they lie, the robot in the motion of the logs, what each finding says, and the friction of the joints. command is printed as it is; "" for none.
func (c *Checked) WritePage(ctx context.Context, path, command string) error {
	curves, motions, err := c.Curves(ctx)
	if err != nil {
		return err
	}
	robot := c.Session.Robot
	p := &report.ScenePage{Title: "Check of " + c.Session.Runs[0].Name, Version: project.Version, Command: command, Date: folder.Today().Format("2 Jan 2006"),
		CurvesTitle: "What the log holds, and the findings in it", Curves: curves, Moments: "findings", Findings: c.lines()}
	if n := len(c.Session.Runs); n > 1 {
		p.Title = fmt.Sprintf("Check of %d logs", n)
	}
	p.Legend = []report.Mark{{Class: "m", Text: "motion"}, {Class: "p", Text: "torque, current"}, {Class: "none", Text: "✗ error  ! warning  i remark, where they lie"}}
	p.About = cmp.Or(robot.Name, "robot") + " · " + rowlist.Plural(robot.DOF(), "joint")
	if p.Scene, err = scene.New(robot); err == nil {
		err = p.Scene.Play(motions)
	}
	if err != nil {
		p.Scene, p.Missing = nil, "The robot is not drawn: "+err.Error()
	}
	count := map[doctor.Severity]int{}
	for _, f := range c.Findings {
		count[f.Severity]++
	}
	for i := range c.Session.Runs {
		run := &c.Session.Runs[i]
		p.Headlines = append(p.Headlines, report.Headline{Name: run.Name, Value: rowlist.Plural(run.Log.Rows(), "row")})
	}
	p.Headlines = append(p.Headlines, report.Headline{Name: "findings", Value: fmt.Sprintf("%s, %s, %s",
		rowlist.Plural(count[doctor.Error], "error"), rowlist.Plural(count[doctor.Warning], "warning"), rowlist.Plural(count[doctor.Info], "remark"))})
	friction, err := c.friction(ctx)
	if err != nil {
		return err
	}
	p.Sections = []report.Section{friction}
	return output.Write(path, func(w io.Writer) error { return report.Scene(w, p) })
}

// friction returns the section on the friction that a free fit of the logs identifies. Its gist says why if there is none.
func (c *Checked) friction(ctx context.Context) (report.Section, error) {
	none := func(why string) report.Section {
		return report.Section{Title: "Friction by joint", Gist: "not known: " + why}
	}
	o, err := project.FreeFit(ctx, c.settings, c.Session)
	switch {
	case ctx.Err() != nil:
		return report.Section{}, ctx.Err()
	case err != nil:
		return none("the free fit of the logs failed: " + project.Describe(err, c.settings.NameOf)), nil
	case o == nil:
		return none("the logs have no torques, or the robot stands on feet whose forces were not logged"), nil
	}
	s, ok := report.FrictionSection(&o.Result, o.Residuals)
	if !ok {
		return none("the model has no friction term that depends on velocity alone, or no joint moves"), nil
	}
	s.Open = true
	s.Gist = fmt.Sprintf("by a free fit of all rows, which does not explain %s %% of the torques", digits.Number(o.Result.Fit.RelativeError.Stacked, 3))
	return s, nil
}

// lines returns the findings, those of one kind as one.
func (c *Checked) lines() (lines []report.SceneFinding) {
	for _, group := range project.GroupFindings(c.Findings) {
		f := group[0]
		l := report.SceneFinding{Severity: string(f.Severity), Where: cmp.Or(f.Channel, f.Joint), Text: f.ID + ": " + f.Why, Fix: f.Advice()}
		if len(c.Session.Runs) > 1 {
			l.Where = f.Log + " " + l.Where
		}
		if len(group) > 1 {
			l.Where += fmt.Sprintf(" and %d more", len(group)-1)
		}
		if f.Tried.ErrorBefore > 0 {
			l.Fix += fmt.Sprintf(" [%s: on rows left out a free fit leaves %.3g %% of the changes of a torque without the repair, and %.3g %% with it]", f.Tried.Outcome, 100*f.Tried.ErrorBefore, 100*f.Tried.ErrorAfter)
		}
		lines = append(lines, l)
	}
	return lines
}

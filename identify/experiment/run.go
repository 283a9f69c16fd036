package experiment

import (
	"context"
	"errors"
	"fmt"

	"ident/datasets"
	"ident/identify/design"
	"ident/identify/elastic"
	"ident/identify/project"
	"ident/simulate"
)

// Run runs an experiment and writes its log.
func Run(ctx context.Context, s *project.Settings, opt Options) (*Document, error) {
	if opt.Output == "" {
		return nil, project.NewOptionError("no place for the log: give {output} FILE with .parquet, .csv, .csv.gz or .arrow")
	}
	v, err := Open(ctx, s, opt)
	if err != nil {
		return nil, err
	}
	doc := &Document{Schema: "ident.simulate/1", Robot: design.RobotOf(v.Robot), Trajectory: opt.Motion + opt.Torques, Output: opt.Output, Notes: append(v.Notes, notInFile(s)...)}
	if v.Elastic() {
		return doc, v.runElastic(ctx, doc)
	}
	x, err := v.Prepare(v.Run)
	if err != nil {
		return nil, err
	}
	stage, err := v.Stage(ctx, x)
	if err != nil {
		return nil, err
	}
	e := x.Outline()
	doc.Samples, doc.Joints, doc.Options = x.Samples(), e.Joints, e.Options
	channels, _ := e.Channels()
	for _, c := range channels {
		doc.Channels = append(doc.Channels, c.Name)
	}
	var load project.MeanSquares
	var control following
	var drive needed
	err = datasets.Write(opt.Output, channels, carriedRobot(v.Source, e.Meta()), func(w *datasets.Writer) error {
		return x.Blocks(ctx, func(e *simulate.Record) error {
			load.Add(e.Exact.Tau)
			control.add(e)
			drive.add(e)
			if stage != nil {
				e = stage.Apply(e)
				doc.Rows += len(e.T)
			}
			_, cols := e.Channels()
			return w.Append(cols)
		})
	})
	doc.RMSTorque = load.Roots()
	doc.Notes = append(doc.Notes, drive.beyond(v.Robot)...)
	doc.Tracking, doc.Limited = control.rms(), control.limited
	return doc, err
}

// runElastic records a robot whose motors and links move apart.
func (v *Virtual) runElastic(ctx context.Context, doc *Document) error {
	opt := &v.opt
	if len(opt.Payloads) > 0 || opt.Controller != "" || opt.VelocityLag != 0 || opt.TorqueLag != 0 || opt.Velocity != nil {
		return project.NewOptionError("a robot with elastic joints is simulated without {payload}, {controller}, {velocity-noise} and lags: its motors follow the motion by a law of their own")
	}
	found, err := elastic.SimulateLog(ctx, v.Robot, v.Motion, v.Run, opt.Ideal, carriedRobot(v.Source, map[string]string{}), opt.Output)
	var missing *elastic.MissingError
	if errors.As(err, &missing) {
		return fmt.Errorf("robot %q: %w", v.Robot.Name, err)
	}
	if err != nil {
		return err
	}
	doc.Joints, doc.Channels, doc.Samples, doc.RMSTorque, doc.Springs = found.Joints, found.Channels, found.Samples, found.RMSTorque, found.Springs
	doc.Options = v.Run
	doc.Options.Duration = float64(found.Samples-1) / v.Run.Rate
	doc.Notes = append(doc.Notes, "the joints are elastic: qm are positions of motors, q those of links, tauj the springs' torques")
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/elastictable"
	"ident/cmd/ident/internal/experiment"
	"ident/elastic"
	"ident/project"
	"ident/project/elasticjoints"
	"ident/robot"
	"ident/simulate"
)

// elasticFlags are the options of a fit of elastic joints.
type elasticFlags struct {
	on            bool
	cubic, windUp bool
}

func (e *elasticFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.BoolVar(&e.on, "elastic", false, "fit stiffness and damping of the joints between motors and links, from logs with qm1 … beside q1 …, or tauj1 … (default: where the robot file says joint: {elastic: true}; --elastic=false for a rigid fit)")
	fl.BoolVar(&e.cubic, "elastic-cubic", false, "a stiffness that grows with the cube of the deflection, too")
	fl.BoolVar(&e.windUp, "elastic-hysteresis", false, "friction within the gears, by which the deflection lags the torque, too")
}

// fit carries out a fit of elastic joints where one is asked for, or the robot has them; false otherwise.
func (e *elasticFlags) fit(c *cobra.Command, s streams, p *project.Settings, paths []string, opt fitOptions, asJSON bool) (bool, error) {
	given := c.Flags().Changed("elastic")
	if given && !e.on {
		if e.cubic || e.windUp {
			return true, usagef("--elastic=false contradicts --elastic-cubic and --elastic-hysteresis")
		}
		return false, nil
	}
	ctx := c.Context()
	r, err := elasticjoints.Wanted(ctx, p, opt.robotGiven, paths)
	switch {
	case given || e.cubic || e.windUp:
		if err == nil && r == nil {
			r, err = project.FindRobot(p, opt.robotGiven)
		}
		if err != nil {
			return true, err
		}
		r = elasticjoints.Stiffen(r)
	case err != nil || r == nil || !elasticjoints.Has(r):
		return false, nil // the rigid fit tells of errors
	}
	folder := opt.out
	if folder == "" {
		folder = project.DefaultFolder(paths[0])
	}
	var found *elasticjoints.Identified
	if err := s.during("fitting motors and links", func() error {
		terms := elastic.Terms{Cubic: e.cubic, WindUp: e.windUp}
		found, err = elasticjoints.Fit(ctx, p, r, paths, elastic.Options{Terms: terms})
		return err
	}); err != nil {
		return true, err
	}
	if err := found.Write(folder); err != nil {
		return true, err
	}
	return true, elastictable.Print(s.out, s.data, found.Result, folder, asJSON, errVerdict)
}

// validateElastic holds a result of elastic joints against logs.
func validateElastic(ctx context.Context, s streams, f *flags, args []string) (err error) {
	var p project.Settings
	var got *elasticjoints.Validation
	if err = f.apply(&p); err == nil {
		err = s.during("predicting motors and links", func() error { got, err = elasticjoints.Validate(ctx, &p, args[0], args[1:]); return err })
	}
	if err != nil {
		return err
	}
	return elastictable.PrintValidation(s.out, s.data, got, f.json, errVerdict)
}

// simulateElastic records a robot whose motors and links move apart.
func simulateElastic(ctx context.Context, r *robot.Robot, motion simulate.Sampler, run simulate.Options, opt simulateOptions, meta map[string]string, doc *experiment.Document) error {
	if len(opt.payload) > 0 || opt.controller != "" || opt.velocityLag != 0 || opt.torqueLag != 0 || opt.velocity != nil {
		return usagef("a robot with elastic joints is simulated without --payload, --controller, --velocity-noise and lags: its motors follow the motion by a law of their own")
	}
	found, err := elasticjoints.Simulate(ctx, r, motion, run, opt.ideal, meta, opt.out)
	var missing *elastic.MissingError
	if errors.As(err, &missing) {
		return fmt.Errorf("robot %q: %w", r.Name, err)
	}
	if err != nil {
		return err
	}
	doc.Joints, doc.Channels, doc.Samples, doc.RMSTorque, doc.Springs = found.Joints, found.Channels, found.Samples, found.RMSTorque, found.Springs
	doc.Options = run
	doc.Options.Duration = float64(found.Samples-1) / run.Rate
	doc.Notes = append(doc.Notes, "the joints are elastic: qm are positions of motors, q those of links, tauj the springs' torques")
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"

	"ident/cmd/ident/internal/experiment"
	"ident/identify/elastic"
	"ident/robot"
	"ident/simulate"
)

// simulateElastic records a robot whose motors and links move apart.
func simulateElastic(ctx context.Context, r *robot.Robot, motion simulate.Sampler, run simulate.Options, opt simulateOptions, meta map[string]string, doc *experiment.Document) error {
	if len(opt.payload) > 0 || opt.controller != "" || opt.velocityLag != 0 || opt.torqueLag != 0 || opt.velocity != nil {
		return usagef("a robot with elastic joints is simulated without --payload, --controller, --velocity-noise and lags: its motors follow the motion by a law of their own")
	}
	found, err := elastic.SimulateLog(ctx, r, motion, run, opt.ideal, meta, opt.out)
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

// toYAML adds to an error about elastic joints how to convert a robot file to YAML, the only format that describes them.
func toYAML(err error) error {
	if errors.As(err, new(*elastic.NoElasticJointError)) || errors.As(err, new(*elastic.MissingError)) {
		return fmt.Errorf("%w\nident robot FILE --to yaml -o arm.yaml writes that form of any robot file", err)
	}
	return err
}

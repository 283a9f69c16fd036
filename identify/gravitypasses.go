package identify

import (
	"context"
	"fmt"

	"ident/baseparams"
	"ident/identify/gravity"
	"ident/identify/project"
	"ident/regressor"
)

// Gravity estimates the parameters that torques at rest determine, from logs of slow passes in both directions. Its
// document can be the prior (setting prior) of a fit with the same robot, terms and locked joints. The doctor does not
// check these logs, because its criteria for excitation are for fast motions. If there are too few passes, the error is
// a [*gravity.FewPairsError]; if a row cannot be used, an observation.RowError.
func (p *Project) Gravity(ctx context.Context) (*gravity.Document, error) {
	s, paths := p.Settings, p.logs
	if err := project.CheckPaths(paths); err != nil {
		return nil, err
	}
	opened, err := project.OpenLogs(ctx, s, paths)
	if err != nil {
		return nil, err
	}
	defer project.CloseLogs(opened)
	ses, terms, err := project.OpenSession(ctx, s, p.robotGiven, opened...)
	if err != nil {
		return nil, err
	}
	r := ses.Robot
	if r.Closed() {
		return nil, fmt.Errorf("robot %q has closed loops; slow passes can be evaluated for open chains only", r.Name)
	}
	full, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	if needs := full.Needs(); needs != 0 {
		return nil, fmt.Errorf("one of the terms %v needs channels that the fit of gravity does not use: leave it out here, and add it to the terms of the later fit", terms)
	}
	set, err := baseparams.QRContext(ctx, full, baseparams.Options{Seed: s.Seed})
	if err != nil {
		return nil, err
	}
	var logs []gravity.Log
	var counts []gravity.LogPairs
	for i := range ses.Runs {
		run := &ses.Runs[i]
		parts, err := gravity.LogsOf(run)
		if err != nil {
			return nil, err
		}
		pairs := 0
		for k := range parts {
			pairs += len(parts[k].Pairs())
		}
		logs, counts = append(logs, parts...), append(counts, gravity.LogPairs{Log: run.Name, Pairs: pairs})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	found, err := gravity.Fit(full.Select(set.Base), set, logs)
	if err != nil {
		return nil, err
	}
	return found.Document(set, r.Name, project.JointNames(r), terms, counts), nil
}

package gravityfit

import (
	"context"
	"fmt"

	"ident/baseparams"
	"ident/identify/gravity"
	"ident/project"
	"ident/regressor"
)

// Fit finds the robot of the logs, maps their channels to it and estimates the parameters that torques at rest tell. robotGiven
// tells that the setting robot wins over a robot in a log. Too few passes are a *[gravity.FewPairsError], a row that cannot
// be used is an observation.RowError.
func Fit(ctx context.Context, s *project.Settings, robotGiven bool, paths []string) (*gravity.Document, error) {
	if err := project.CheckPaths(paths); err != nil {
		return nil, err
	}
	opened, err := project.OpenLogs(ctx, s, paths)
	if err != nil {
		return nil, err
	}
	defer project.CloseLogs(opened)
	ses, terms, err := project.OpenSession(ctx, s, robotGiven, opened...)
	if err != nil {
		return nil, err
	}
	r := ses.Robot
	if r.Closed() {
		return nil, fmt.Errorf("robot %q has closed loops; passes at rest are told apart of open chains", r.Name)
	}
	full, err := regressor.NewDynamic(r, terms)
	if err != nil {
		return nil, err
	}
	if needs := full.Needs(); needs != 0 {
		return nil, fmt.Errorf("a term of %v needs channels beside the motion, which rows at rest are made without; leave it to the second stage", terms)
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

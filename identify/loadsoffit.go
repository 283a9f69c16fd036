package identify

import (
	"context"
	"fmt"
	"slices"

	"ident/identify/project"
	"ident/identify/regression"
	"ident/mechanics/loads"
	"ident/regressor"
	"ident/robot"
)

// longestRun bounds the rows of a run whose loads a fit computes: its motion is in memory, 8 bytes for each of four
// quantities a joint and row.
const longestRun = 1 << 21

// declaresLoads reports whether a robot file has motors or sections, whose use a report should show.
func declaresLoads(r *robot.Robot) bool {
	return slices.ContainsFunc(r.Links, func(l robot.Link) bool { return l.Joint.Motor != "" || l.Section != "" })
}

// loadsOfFit computes the loads of a fit's motions, of the logs that train and then of those that validate, each by the
// identified model and as the fit filtered it. The outcome is to be complete (see [project.Job.Complete]). A motion
// without loads is told in missing; an error is that of ctx, or of the result.
func loadsOfFit(ctx context.Context, j *project.Job, outcome *regression.Outcome) (all []*loads.Report, missing []string, err error) {
	res := &outcome.Result
	used := *j.Settings
	used.Lock, used.Model, used.Terms = j.Session.Locked, res.Model, res.Terms
	ft := &project.Fitted{Result: res, Settings: &used, Source: j.Session.Source, Robot: j.Session.Robot, Set: outcome.Base}
	if ft.Terms, err = project.ParseTerms(&used, regressor.DefaultTerms()); err != nil {
		return nil, nil, err
	}
	for _, b := range res.BaseParameters {
		ft.X = append(ft.X, b.Value)
	}
	s, err := loadedRobotOf("this fit", ft)
	if err != nil {
		return nil, nil, fmt.Errorf("loads: %w", err)
	}
	for _, run := range slices.Concat(j.Train, j.Validate) {
		if n := run.Last - run.First; n > longestRun {
			missing = append(missing, fmt.Sprintf("loads of %s are not computed: it has %d rows, and the limit is %d", run.Name, n, longestRun))
			continue
		}
		m := &loadsMotion{}
		err := m.read(ctx, s, &run, s.model.model, s.model.values, 0)
		var r *loads.Report
		if err == nil {
			r, err = s.of(ctx, m, loads.Options{})
		}
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil:
			missing = append(missing, fmt.Sprintf("loads of %s are not computed: %v", run.Name, err))
			continue
		}
		r.Motion = run.Name
		all = append(all, r)
	}
	return all, missing, nil
}

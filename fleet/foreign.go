package fleet

import (
	"fmt"

	"ident/estimate/summary"
	"ident/fleet/intake"
)

// fewLogs is the number of runs up to which one of another robot may turn the parameters of all so far that other runs no longer fit: with
// motions of like energy it has then a weight of a thirtieth.
const fewLogs = 32

// fittingOthers returns a summary without the runs of which the parameters of the others leave more than misfit, one after another: first
// the one without which the fewest misfits remain. x are the parameters of all, solve returns those of other summaries, nil if these do
// not determine them. If misfits remain after a half of the runs, or there are many runs, fitting decides.
func fittingOthers(s *summary.Summary, x []float64, solve func(*summary.Summary) []float64, leave func(log, reason string, err error)) *summary.Summary {
	if len(s.Runs) > fewLogs {
		return fitting(s, x, leave)
	}
	type foreign struct {
		log     string
		percent float64
	}
	var found []foreign
	kept, at := s, x
	for len(misfits(kept, at)) > 0 {
		if 2*(len(found)+1) > len(s.Runs) {
			return fitting(s, x, leave)
		}
		var best *summary.Summary
		var bestAt []float64
		var worst foreign
		fewest := len(kept.Runs)
		for i := range kept.Runs {
			name := kept.Runs[i].Name
			rest := without(kept, func(r *summary.Run) bool { return r.Name == name })
			y := solve(rest)
			if y == nil {
				continue
			}
			l, w := errorOf(&kept.Runs[i], kept.Model.Masks, y)
			if p := percent(l, w); !(p <= misfit) {
				if n := len(misfits(rest, y)); n < fewest || n == fewest && p > worst.percent {
					best, bestAt, worst, fewest = rest, y, foreign{name, p}, n
				}
			}
		}
		if best == nil {
			return fitting(s, x, leave)
		}
		kept, at, found = best, bestAt, append(found, worst)
	}
	for _, f := range found {
		leave(f.log, intake.Misfit, fmt.Errorf("the parameters of the robot's other logs leave %.0f %% of its torques", f.percent))
	}
	return kept
}

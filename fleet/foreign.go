package fleet

import (
	"fmt"

	"ident/estimate/summary"
	"ident/fleet/intake"
)

// fewLogs is the number of runs up to which a single run of another robot is sought. Among so few it can pull the parameters of all runs
// so far that sound runs no longer fit; among more, with motions of like energy, its weight is below a thirtieth.
const fewLogs = 32

// fittingOthers returns a summary without the runs that do not fit the parameters of the others: of those the error is above misfit. It
// leaves out one run after another, each time the one without which the fewest runs misfit. x are the parameters of all runs; solve returns
// those of another summary, nil if its runs do not determine them. If half of the runs would go, or there are more than fewLogs, the
// decision is that of fitting.
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

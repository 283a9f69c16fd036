package project

import (
	"context"
	"fmt"
	"strconv"

	"ident/identify/regression"
	"ident/observation"
)

// period reads the setting periodic: seconds, or 0 for auto.
func (p *Settings) period() (seconds float64, err error) {
	if p.Periodic == "auto" {
		return 0, nil
	}
	seconds, err = strconv.ParseFloat(p.Periodic, 64)
	if err != nil || !(seconds > 0 && seconds < 1e9) {
		return 0, wrong("periodic", p.Periodic, "{periodic} %q: must be auto or a time in seconds", p.Periodic)
	}
	return seconds, nil
}

func checkPeriodic(s *Settings) error {
	if s.Periodic == "" {
		return nil
	}
	_, err := s.period()
	return err
}

// periodic holds the averages of a job's runs over their periods.
type periodic struct {
	first *observation.Averaged // of the first run
	rows  int                   // of the training runs, as logged
}

// averagePeriods replaces the runs by their averages over the periods of the motion and differentiates these. It trims
// only if a trim is given: a whole period has no ends.
func (j *Job) averagePeriods(cfg *regression.Config) error {
	s := j.Settings
	if s.Periodic == "" {
		return nil
	}
	seconds, err := s.period()
	if err != nil {
		return err
	}
	first := j.Train[0]
	rate := observation.Rate(first.Log, first.Roles.T)
	a := observation.Averaging{Period: seconds, Measured: s.Velocity == observation.Measured, Band: max(cfg.MotionCutoff, 0)}
	if cfg.Cutoff > 0 {
		// Pad by six periods of the cut-off: the slowest poles of a second order decay to exp(-6·2π·sin 45°), 3e-12.
		a.Pad = 6 / cfg.Cutoff
	}
	if cfg.Decimate > 1 && rate > 0 {
		a.Pad = 12 * float64(cfg.Decimate) / rate // beyond half the taps of its filter
	}
	if s.Rest != regression.RestKeep && !s.Plain {
		rule, err := observation.RestOf(context.Background(), j.Train, max(cfg.Cutoff, 0))
		if err != nil {
			return err
		}
		cfg.RestRule = &rule
	}
	for _, runs := range [][]regression.Run{j.Train, j.Validate} {
		for i := range runs {
			if s.Trim != nil && *s.Trim > 0 {
				runs[i] = trimmed(runs[i], *s.Trim, rate)
			}
			done, err := observation.AveragePeriods(&runs[i], a)
			if err != nil {
				return remedy("periodic", "", "{periodic}: %w", err)
			}
			if i < len(j.Train) && &runs[0] == &j.Train[0] {
				j.averaged.rows += runs[i].Log.Rows()
			}
			if j.averaged.first == nil {
				j.averaged.first = done
			}
			j.Session.Notes = append(j.Session.Notes, fmt.Sprintf("%s: the average of %d periods of %.6g s, with harmonics up to %.3g Hz", runs[i].Name, done.Periods, done.Period, done.Band))
			runs[i] = done.Run
			a.Period, a.Band = done.Period, done.Band // those of the first run count for all
		}
	}
	cfg.Velocity, cfg.Acceleration, cfg.MotionCutoff = observation.Measured, observation.Measured, regression.NoFilter
	if cfg.Trim = j.averaged.first.Pad; cfg.Trim == 0 {
		cfg.Trim = regression.NoTrim
	}
	return nil
}

// trimmed returns the run without the given seconds at both ends.
func trimmed(run regression.Run, seconds, rate float64) regression.Run {
	cut := min(int(seconds*rate+0.5), run.Log.Rows()/2)
	run.Log = run.Log.Slice(cut, run.Log.Rows()-cut)
	run.First, run.Last = run.First+cut, run.Last-cut
	return run
}

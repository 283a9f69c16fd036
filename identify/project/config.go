package project

import (
	"ident/datasets"
	"ident/identify/regression"
	"ident/observation"
)

// ConfigOf returns the settings as the configuration of an identification.
func ConfigOf(p *Settings, l *datasets.Log, clock string) regression.Config {
	cfg := regression.Config{Path: observation.Path{Trim: p.TrimSeconds(), Order: p.FilterOrder, Decimate: p.Decimate, Velocity: p.Velocity, Acceleration: p.Acceleration, Differentiator: p.Differentiator}, KeepRows: p.KeepRows,
		Plain: p.Plain, Rest: p.Rest, DropBad: p.OnBad == "drop", MinimumNorm: p.MinimumNorm, Seed: p.Seed, Window: p.Window}
	switch {
	case p.Cutoff != nil:
		cfg.Cutoff = cutoffOf(*p.Cutoff)
	case p.Decimate > 1:
	default:
		cfg.Cutoff = observation.DefaultCutoff(observation.Rate(l, clock))
	}
	if p.MotionCutoff != nil {
		cfg.MotionCutoff = cutoffOf(*p.MotionCutoff)
	}
	if cfg.Trim == 0 {
		cfg.Trim = regression.NoTrim
	}
	return cfg
}

// cutoffOf returns a cut-off for a Config; in settings and results 0 means no filter.
func cutoffOf(hz float64) float64 {
	if hz == 0 {
		return regression.NoFilter
	}
	return hz
}

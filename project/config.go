package project

import (
	"ident/datasets"
	"ident/identify"
)

// ConfigOf turns the project's settings into those of an identification.
func ConfigOf(p *Settings, l *datasets.Log, clock string) identify.Config {
	cfg := identify.Config{Trim: p.TrimSeconds(), Order: p.FilterOrder, Decimate: p.Decimate, Velocity: p.Velocity, Acceleration: p.Acceleration, Differentiator: p.Differentiator,
		DropBad: p.OnBad == "drop", MinimumNorm: p.MinimumNorm, Seed: p.Seed, Window: p.Window}
	switch {
	case p.Cutoff != nil:
		cfg.Cutoff = *p.Cutoff
	case p.Decimate > 1:
	default:
		cfg.Cutoff = identify.DefaultCutoff(RateOf(l, clock))
	}
	cfg.MotionAuto = p.MotionCutoff == nil
	if p.MotionCutoff != nil {
		cfg.MotionCutoff = *p.MotionCutoff
	}
	return cfg
}

// RateOf is the rate of the first rows of a log, in hertz.
func RateOf(l *datasets.Log, clock string) float64 {
	rate := 0.0
	part := l.Slice(0, min(l.Rows(), 4096))
	t, err := part.Column(clock)
	if err == nil && len(t) > 1 && t[len(t)-1] > t[0] {
		rate = float64(len(t)-1) / (t[len(t)-1] - t[0])
	}
	return rate
}

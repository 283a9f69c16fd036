package regression

import (
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
)

// Auto takes measured velocities and accelerations where they are the
// derivatives of the positions, and gives a reason where they are late, early, in
// other units, of another joint, of the wrong sign or dead.
func TestAuto(t *testing.T) {
	r := arm(3)
	late := func(x []float64, samples int) {
		if samples > 0 {
			copy(x[samples:], slices.Clone(x))
		} else {
			copy(x, x[-samples:])
		}
	}
	for name, c := range map[string]struct {
		spoil        func(rec *record)
		velocity     string
		acceleration string
	}{
		"as they should be":  {func(*record) {}, "measured", "measured"},
		"late by one sample": {func(x *record) { late(x.dq[1], 1); late(x.ddq[1], 1) }, "measured", "velocity"},
		"late by 3 samples":  {func(x *record) { late(x.dq[1], 3) }, "measured", "velocity"},
		"early by 3 samples": {func(x *record) { late(x.dq[0], -3) }, "measured", "velocity"},
		"late by 0.4 s":      {func(x *record) { late(x.dq[2], 80) }, "measured", "velocity"},
		"late by 0.8 s":      {func(x *record) { late(x.dq[2], 160) }, "position", "velocity"},
		"in degrees": {func(x *record) {
			for i := range x.dq[2] {
				x.dq[2][i] *= 57.3
			}
		}, "position", "velocity"},
		"of another joint": {func(x *record) { x.dq[0], x.dq[1] = x.dq[1], x.dq[0] }, "position", "velocity"},
		"of the wrong sign": {func(x *record) {
			for i := range x.dq[2] {
				x.dq[2][i] *= -1
			}
		}, "position", "velocity"},
		"dead":              {func(x *record) { clear(x.dq[1]) }, "position", "velocity"},
		"late acceleration": {func(x *record) { late(x.ddq[1], 4) }, "measured", "velocity"},
		"dead acceleration": {func(x *record) { clear(x.ddq[0]) }, "measured", "velocity"},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "early") || strings.HasPrefix(name, "dead") || strings.HasSuffix(name, "3 samples") || strings.HasPrefix(name, "of ") {
				long.Only(t, "the other delays and faults")
			}
			rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(200, 20))
			c.spoil(rec)
			for _, cfg := range []Config{{Path: observation.Path{Cutoff: 10, MotionCutoff: 20, Trim: 0.5}}, {Path: observation.Path{Cutoff: NoFilter, MotionCutoff: NoFilter, Trim: NoTrim}}}[:long.Of(2, 1)] {
				out := fit(t, r, cfg, rec.run("a"))
				p := out.Result.Processing
				if p.Velocity != c.velocity || p.Acceleration != c.acceleration {
					t.Errorf("velocity from %s, acceleration from %s: %q", p.Velocity, p.Acceleration, p.Reasons)
				}
				if len(p.Reasons) == 0 || !strings.Contains(p.Reasons[0], "velocity from "+p.Velocity) {
					t.Errorf("reasons %q", p.Reasons)
				}
				// A shifted copy repeats its first or last samples, and cubics interpolate it.
				if e := distance(estimates(out), truth(out, r)); (p.Velocity == "position" || p.VelocityLag != nil) && !(e < 1e-3) {
					t.Errorf("off by %g", e)
				}
			}
		})
	}
}

// A missing channel is an error that names the mapping to give.
func TestChannelsAskedFor(t *testing.T) {
	r := arm(2)
	whole := simulate(t, r, newTrajectory(2, 1, 0.1), steady(100, 10)).run("a")
	bare := positionsOnly(whole)
	bare.Name = "bare"
	for want, c := range map[string]struct {
		cfg  Config
		runs []Run
	}{
		"map dq1=":  {Config{Path: observation.Path{Velocity: "measured"}}, []Run{bare}},
		"map ddq1=": {Config{Path: observation.Path{Acceleration: "measured"}}, []Run{bare}},
		"bare: it lacks velocity or acceleration channels that a has": {Config{}, []Run{whole, bare}},
		`velocity "smoothed"`:           {Config{Path: observation.Path{Velocity: "smoothed"}}, []Run{whole}},
		`acceleration "none"`:           {Config{Path: observation.Path{Acceleration: "none"}}, []Run{whole}},
		`estimator "huber"`:             {Config{Weighting: "huber"}, []Run{whole}},
		"a trim must be 0 or positive":  {Config{Path: observation.Path{Trim: -2}}, []Run{whole}},
		"must be 0 or positive, not -2": {Config{Path: observation.Path{Cutoff: -2}}, []Run{whole}},
		"no log to fit":                 {Config{}, nil},
	} {
		_, err := Fit(t.Context(), r, regressor.DefaultTerms(), c.runs, nil, c.cfg)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

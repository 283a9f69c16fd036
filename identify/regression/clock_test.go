package regression

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/datasets"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// sampleRows returns 0 … n−1.
func sampleRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// smooth is an arm without Coulomb friction, whose torques have no steps.
func smooth(joints int) *robot.Robot {
	r := arm(joints)
	for j := range r.Links {
		r.Links[j].Joint.Fs = 0
	}
	return r
}

// A clock that jitters by up to half an interval is resampled, and the
// parameters come back. Measured at 200 Hz for motion up to 0.5 Hz without
// Coulomb friction: 4e-8 from positions, 2e-9 from exact motion. With it 0.007 to
// 0.038 for eight seeds of the jitter (0.002 to 0.041 on a grid of the median
// interval): the torque's step at a reversal is interpolated over an interval and
// the model's is not, so the error follows where the grid falls beside the rows.
func TestJitteredClock(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	times := steady(200, 30)
	for i := range times {
		times[i] += 0.5 / 200 * rng.Float64()
	}
	for _, c := range []struct {
		robot *robot.Robot
		limit float64
	}{{smooth(3), 1e-6}, {arm(3), 5e-2}}[:long.Of(2, 1)] {
		rec := simulate(t, c.robot, newTrajectory(3, 1, 0.1), times)
		for _, cfg := range []Config{
			{Path: observation.Path{Cutoff: 10}},
			{Path: observation.Path{Velocity: "measured", Acceleration: "measured", Cutoff: 10, MotionCutoff: NoFilter}},
		} {
			run := rec.run("jitter")
			if cfg.Velocity == "" {
				run = positionsOnly(run)
			}
			out := fit(t, c.robot, cfg, run)
			if !out.Result.Processing.Resampled {
				t.Error("the log was not resampled")
			}
			e := distance(estimates(out), truth(out, c.robot))
			t.Logf("%s velocity: error %.2g", out.Result.Processing.Velocity, e)
			if !(e < c.limit) {
				t.Errorf("off by %.3g, limit %g", e, c.limit)
			}
		}
	}
}

// Long gaps cut a log into stretches, none of which sees the others; with exact
// motion nothing is lost. Short gaps are bridged by resampling.
func TestGaps(t *testing.T) {
	r := arm(3)
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 30))
	cut := func(gaps ...[2]int) *record {
		rows := sampleRows(len(rec.t))
		return rec.keep(slices.DeleteFunc(rows, func(i int) bool {
			for _, g := range gaps {
				if i >= g[0] && i < g[1] {
					return true
				}
			}
			return false
		}))
	}
	for name, c := range map[string]struct {
		rec  *record
		want int // stretches
	}{
		"whole":                 {rec, 1},
		"two":                   {cut([2]int{1000, 1100}), 2},
		"three":                 {cut([2]int{1000, 1100}, [2]int{2000, 2500}), 3},
		"a stretch of 5 rows":   {cut([2]int{1000, 1100}, [2]int{1105, 1300}), 2},
		"rows at the very ends": {cut([2]int{3, 100}, [2]int{2900, 2998}), 1},
	} {
		if !long.Set() && name != "three" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			run := c.rec.run("gaps")
			segments, bad, err := observation.Segments(0, &run, []string{"t", "q1"}, false)
			if err != nil || bad != 0 {
				t.Fatal(bad, err)
			}
			if len(segments) != c.want {
				t.Fatalf("%d stretches, want %d", len(segments), c.want)
			}
			total := 0
			for _, s := range segments {
				if !s.Uniform || math.Abs(s.DT-0.01) > 1e-12 || s.N != s.Last-s.First || s.T0 != c.rec.t[s.First] {
					t.Errorf("stretch %+v", s)
				}
				total += s.N
			}
			for _, cfg := range []Config{exact(), {Path: observation.Path{Velocity: "measured", Acceleration: "measured", Cutoff: 8, MotionCutoff: NoFilter}}} {
				out := fit(t, r, cfg, run)
				if e := away(estimates(out), truth(out, r)); !(e < 1e-8) {
					t.Errorf("off by %g", e)
				}
				if used := out.Result.Samples.Used; cfg.Trim == NoTrim && used != total {
					t.Errorf("%d rows used of %d", used, total)
				}
				if noted := slices.ContainsFunc(out.Result.Notes, func(s string) bool { return strings.Contains(s, "gaps") }); noted != (c.want > 1) {
					t.Errorf("notes %q", out.Result.Notes)
				}
			}
		})
	}
	short := cut([2]int{1000, 1005}).run("short")
	segments, _, err := observation.Segments(0, &short, []string{"t"}, false)
	if err != nil || len(segments) != 1 || segments[0].Uniform || segments[0].N != 3000 {
		t.Errorf("a gap of 50 ms: %d stretches, %v", len(segments), err)
	}
	out := fit(t, r, exact(), short)
	if e := distance(estimates(out), truth(out, r)); !(e < 1e-3) {
		t.Errorf("off by %g with a gap of 50 ms", e)
	}
}

// A gap of some tens of milliseconds in a fast log of positions and noisy torques costs the rows beside it and nothing else: no parameter moves by more
// than one standard deviation. If gaps are so frequent that cutting would cost the log, they are bridged.
func TestGapsOfFastLogs(t *testing.T) {
	const rate, seconds = 1000, 40
	for seed := range uint64(long.Of(20, 3)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		r := arm(2 + rng.IntN(2))
		rec := simulate(t, r, newTrajectory(len(r.Moving()), seed, 0.1), steady(rate, seconds))
		for k := range rec.q {
			for i := range rec.t {
				rec.q[k][i] = math.Round(rec.q[k][i]*1e5) / 1e5
				rec.tau[k][i] += 0.3 * rng.NormFloat64()
			}
		}
		cut := func(period, length int) Run {
			from := 2000 + rng.IntN(rate*seconds-5000)
			return positionsOnly(rec.keep(slices.DeleteFunc(sampleRows(len(rec.t)), func(i int) bool {
				return i >= from && i < from+length || period > 0 && i%period < length
			})).run("gaps"))
		}
		whole := fit(t, r, Config{}, positionsOnly(rec.run("whole")))
		gap := fit(t, r, Config{}, cut(0, 11+rng.IntN(88)))
		if a, b := whole.Result.Fit.RelativeError.Stacked, gap.Result.Fit.RelativeError.Stacked; !(b < 1.05*a) {
			t.Errorf("%d: %g %% without a gap, %g %% with it", seed, a, b)
		}
		x := estimates(gap)
		for i, v := range estimates(whole) {
			if s := whole.Result.BaseParameters[i].Sigma; !(math.Abs(x[i]-v) < s) {
				t.Errorf("%d: %s moves by %g standard deviations", seed, whole.Result.BaseParameters[i].Name, math.Abs(x[i]-v)/s)
			}
		}
		run := cut(500, 12)
		if segments, _, err := observation.Segments(0, &run, []string{"t", "q1"}, false); err != nil || len(segments) > 2 {
			t.Errorf("%d: %d stretches, %v", seed, len(segments), err)
		}
	}
}

// Rows that cannot be used are an error with their number, also when the log is
// part of a longer one, or are left out and counted.
func TestBadRows(t *testing.T) {
	r := arm(3)
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 30))
	for name, c := range map[string]struct {
		spoil   func(rec *record)
		row     int // from 1
		channel string
		dropped int
	}{
		"NaN position":    {func(x *record) { x.q[1][99] = math.NaN() }, 100, "q2", 1},
		"infinite torque": {func(x *record) { x.tau[2][2000] = math.Inf(-1) }, 2001, "tau3", 1},
		"NaN time":        {func(x *record) { x.t[500] = math.NaN() }, 501, "t", 1},
		"repeated time":   {func(x *record) { x.t[500] = x.t[499] }, 501, "t", 1},
		"time far ahead":  {func(x *record) { x.t[500] = 1e154 }, 502, "t", 1},
		"backward time":   {func(x *record) { x.t[500], x.t[501] = x.t[496], x.t[497] }, 501, "t", 2},
		"several":         {func(x *record) { x.t[700] = x.t[699]; x.dq[0][12] = math.NaN(); x.ddq[0][2999] = math.NaN() }, 13, "dq1", 3},
		"first row":       {func(x *record) { x.q[0][0] = math.NaN() }, 1, "q1", 1},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "NaN position" && name != "backward time" && name != "several" {
				long.Only(t, "the other kinds of rows")
			}
			bad := rec.keep(sampleRows(len(rec.t)))
			c.spoil(bad)
			run := bad.run("broken")
			_, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, exact())
			var row *RowError
			if !errors.As(err, &row) || !errors.Is(err, ErrBadRow) {
				t.Fatalf("error %v", err)
			}
			if row.Log != "broken" || row.Row != c.row || row.Channel != c.channel || !strings.Contains(err.Error(), "on-bad drop") {
				t.Errorf("%v", err)
			}
			cfg := exact()
			cfg.DropBad = true
			out := fit(t, r, cfg, run)
			if out.Dropped != c.dropped {
				t.Errorf("%d rows dropped, want %d", out.Dropped, c.dropped)
			}
			if e := distance(estimates(out), truth(out, r)); !(e < 1e-3) {
				t.Errorf("off by %g without the bad rows", e)
			}
			if c.row > 100 {
				// The same rows as part of the log.
				part := run
				part.Log, part.First, part.Last = run.Log.Slice(100, 3000), 100, 3000
				_, err = Fit(t.Context(), r, regressor.DefaultTerms(), []Run{part}, nil, exact())
				if !errors.As(err, &row) || row.Row != c.row {
					t.Errorf("in a part of the log: %v", err)
				}
			}
		})
	}
	// A channel that the fit does not read may hold anything.
	bad := rec.keep(sampleRows(len(rec.t)))
	bad.dq[0][5] = math.NaN()
	out := fit(t, r, Config{Path: observation.Path{Velocity: "position", Cutoff: NoFilter, MotionCutoff: NoFilter, Trim: NoTrim}}, bad.run("a"))
	if e := distance(estimates(out), truth(out, r)); !(e < 1e-6) {
		t.Errorf("off by %g", e)
	}
}

// A value beyond the bound of its channel makes its row a bad one.
func TestBounds(t *testing.T) {
	r := arm(2)
	rec := simulate(t, r, newTrajectory(2, 1, 0.1), steady(100, 30))
	rec.q[1][700] = 1e259
	run := rec.run("broken")
	run.Bounds = map[string]float64{"q2": 100}
	_, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, exact())
	var row *RowError
	if !errors.As(err, &row) || row.Row != 701 || row.Channel != "q2" {
		t.Fatalf("error %v", err)
	}
	cfg := exact()
	cfg.DropBad = true
	out := fit(t, r, cfg, run)
	if e := distance(estimates(out), truth(out, r)); out.Dropped != 1 || !(e < 1e-3) {
		t.Errorf("%d rows dropped, and off by %g", out.Dropped, e)
	}
}

// Dropped rows are never read by mistake: a huge value in a bad row, at any
// place with respect to chunks, has the effect of a missing row and no other.
func TestDroppedRowsAreUnread(t *testing.T) {
	r := smooth(2)
	rec := simulate(t, r, newTrajectory(2, 1, 0.1), steady(100, 30))
	rng := rand.New(rand.NewPCG(2, 2))
	for range 40 {
		i := rng.IntN(len(rec.t))
		rec.q[0][i], rec.tau[1][i] = math.NaN(), 1e9
	}
	for _, chunk := range []int{1, 100, 8192} {
		cfg := exact()
		cfg.DropBad, cfg.chunk = true, chunk
		out := fit(t, r, cfg, rec.run("a"))
		if e := distance(estimates(out), truth(out, r)); !(e < 1e-3) {
			t.Errorf("off by %g", e)
		}
	}
}

// Logs that are too short, or too gappy, or wholly trimmed away, are errors.
func TestTooShort(t *testing.T) {
	r := arm(2)
	rec := simulate(t, r, newTrajectory(2, 1, 0.1), steady(100, 20))
	sparse := rec.keep([]int{0, 1, 2, 300, 301, 302, 600, 601, 602, 900, 901, 902, 1300, 1301, 1302})
	for name, c := range map[string]struct {
		rec  *record
		cfg  Config
		want string
	}{
		"no rows":         {rec.keep(nil), exact(), "0 usable rows"},
		"one row":         {rec.keep([]int{0}), exact(), "1 usable rows"},
		"eleven rows":     {rec.keep(sampleRows(11)), exact(), "at least 12"},
		"gaps everywhere": {sparse, exact(), "gaps"},
		"trimmed away":    {rec, Config{Path: observation.Path{Velocity: "measured", Acceleration: "measured", Trim: 10, Cutoff: NoFilter, MotionCutoff: NoFilter}}, "trim 10 s: cut from both ends it leaves nothing"},
		"filter too fast": {rec, Config{Path: observation.Path{Cutoff: 60, MotionCutoff: NoFilter, Trim: NoTrim}}, "a: the filter does not fit"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{c.rec.run("a")}, nil, c.cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
	// A validation log that is trimmed away is named too.
	cfg := exact()
	cfg.Trim = 0.5
	_, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{rec.run("a")}, []Run{rec.keep(sampleRows(90)).run("short")}, cfg)
	if err == nil || !strings.Contains(err.Error(), "short") {
		t.Errorf("%v", err)
	}
	noTime := rec.run("a")
	noTime.Roles.T = ""
	if _, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{noTime}, nil, exact()); err == nil || !strings.Contains(err.Error(), "t=CHANNEL") {
		t.Errorf("no time channel: %v", err)
	}
	missing := rec.run("a")
	missing.Roles.Tau[1] = "absent"
	if _, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{missing}, nil, exact()); !errors.Is(err, datasets.ErrNoChannel) {
		t.Errorf("absent channel: %v", err)
	}
}

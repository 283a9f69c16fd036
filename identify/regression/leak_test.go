package regression

import (
	"errors"
	"path/filepath"
	"testing"

	"ident/datasets"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/result"
)

// copied writes a run's channels to a file, in another order of rows' beginning,
// and opens it again.
func copied(t *testing.T, run Run, name string, first, last int) Run {
	t.Helper()
	names := run.Log.Names()
	cols, err := run.Log.Columns(names...)
	if err != nil {
		t.Fatal(err)
	}
	var channels []datasets.Channel
	for i, n := range names {
		channels = append(channels, datasets.Channel{Name: n})
		cols[i] = cols[i][first:last]
	}
	path := filepath.Join(t.TempDir(), name)
	if err := datasets.Write(path, channels, nil, func(w *datasets.Writer) error { return w.Append(cols) }); err != nil {
		t.Fatal(err)
	}
	l, err := datasets.Open(path, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	out := run
	out.Name, out.Log, out.First, out.Last = name, l, 0, l.Rows()
	return out
}

// Samples that two runs have in common are refused: the same rows, rows that
// overlap, and copies in another file and format, from wherever they begin. Runs of
// one motion with their own noise are not the same.
func TestLeaks(t *testing.T) {
	long.Only(t, "TestTrained has the parts of a log")
	for _, joints := range []int{1, 3} {
		r := arm(joints)
		a := noisy(t, r, 100, 20, true)
		file := copied(t, a, "whole.parquet", 0, 2000)
		rec := simulate(t, r, newTrajectory(joints, 1, 0.1), steady(100, 20))
		for k := range rec.tau {
			for i := range rec.tau[k] {
				rec.tau[k][i] += 1e-3 * float64(i%7) // the same motion, other torques
			}
		}
		part := func(run Run, first, last int) Run {
			run.Log, run.First, run.Last = run.Log.Slice(first, last), first, last
			return run
		}
		for _, c := range []struct {
			name            string
			train, validate []Run
			leak            *LeakError
		}{
			{"the same rows", []Run{file, file}, nil, &LeakError{}},
			{"rows that overlap", []Run{part(file, 0, 1200)}, []Run{part(file, 1100, 2000)}, &LeakError{Rows: 100, Validates: true}},
			{"rows that follow", []Run{part(file, 0, 1200)}, []Run{part(file, 1200, 2000)}, nil},
			{"a copy that trains", []Run{file, copied(t, a, "copy.parquet", 0, 2000)}, nil, &LeakError{Copied: true}},
			{"a copy in text that validates", []Run{file}, []Run{copied(t, a, "copy.csv", 400, 1900)}, &LeakError{Copied: true, Validates: true}},
			{"a stretch of a copy", []Run{part(file, 0, 1000)}, []Run{copied(t, a, "stretch.csv", 900, 2000)}, &LeakError{Copied: true, Validates: true}},
			{"two validation runs", []Run{rec.run("other")}, []Run{file, copied(t, a, "again.csv", 0, 2000)}, nil},
			{"the same motion", []Run{file, rec.run("other")}, nil, nil},
		} {
			_, err := Fit(t.Context(), r, regressor.DefaultTerms(), c.train, c.validate, Config{Path: observation.Path{Cutoff: 10, Trim: 0.5, Velocity: "position"}})
			var leak *LeakError
			switch {
			case c.leak == nil && err != nil:
				t.Errorf("%d joints, %s: %v", joints, c.name, err)
			case c.leak != nil && (!errors.As(err, &leak) || leak.Copied != c.leak.Copied || leak.Validates != c.leak.Validates || c.leak.Rows > 0 && leak.Rows != c.leak.Rows):
				t.Errorf("%d joints, %s: %v", joints, c.name, err)
			}
		}
	}
}

// A result recognises the samples that trained it, in a copy and in a part of one,
// and no others.
func TestTrained(t *testing.T) {
	r := arm(3)
	a := noisy(t, r, 100, 20, true)
	out := fit(t, r, Config{Path: observation.Path{Cutoff: 10, Trim: 0.5}}, a)
	other := simulate(t, r, newTrajectory(3, 2, 0.1), steady(100, 20)).run("other")
	for _, c := range []struct {
		run  Run
		want int
	}{{a, 1}, {copied(t, a, "copy.csv", 0, 2000), 1}, {copied(t, a, "part.parquet", 700, 900), 1}, {other, 0}} {
		got, err := Trained(t.Context(), out.Result.Logs, &c.run)
		if err != nil || len(got) != c.want || c.want > 0 && got[0] != "noisy" {
			t.Errorf("%s: %q, %v", c.run.Name, got, err)
		}
	}
	if n := len(out.Result.Logs[0].EncodedFingerprints); n != 5464 { // 512 hashes of eight bytes
		t.Errorf("%d characters of fingerprints", n)
	}
	bad := result.LogInfo{EncodedFingerprints: "#"}
	if p := bad.Fingerprints(); p != nil {
		t.Errorf("from nonsense: %v", p)
	}
}

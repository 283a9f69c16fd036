package regression

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/datasets"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/result"
	"ident/robot"
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
	if n := len(out.Result.Logs[0].EncodedFingerprints) + len(out.Result.Logs[0].EncodedRowPrints); n != 2*5464 { // 512 hashes of eight bytes
		t.Errorf("%d characters of fingerprints", n)
	}
	bad := result.LogInfo{EncodedFingerprints: "#"}
	if p, q := bad.Fingerprints(); p != nil || q != nil {
		t.Errorf("from nonsense: %v, %v", p, q)
	}
}

// A log whose rows are training rows is recognised: thinned, cut, in another order, with numbers of single precision or with few
// digits; a log of the same motion with its own noise is not, coarse as its channels may be.
func TestTrainedByRowsOfALog(t *testing.T) {
	outer := t
	r := arm(2)
	a := noisy(t, r, 100, 20, true)
	names := a.Log.Names()
	whole, err := a.Log.Columns(names...)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		every := rapid.IntRange(1, 40).Draw(t, "one row in")
		first := rapid.IntRange(0, 1000).Draw(t, "first")
		form := rapid.SampledFrom([]string{"exact", "float32", "9 digits"}).Draw(t, "form")
		turned := rapid.Bool().Draw(t, "backward")
		cols := make([][]float64, len(whole))
		for c := range whole {
			for i := first; i < len(whole[c]); i += every {
				v := whole[c][i]
				switch form {
				case "float32":
					v = float64(float32(v))
				case "9 digits":
					v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 9, 64), 64)
				}
				cols[c] = append(cols[c], v)
			}
			if turned && names[c] != "t" {
				slices.Reverse(cols[c])
			}
		}
		run := a
		run.Name, run.Log, run.First, run.Last = "rows", datasets.FromColumns("rows", a.Log.Channels(), cols, nil), 0, len(cols[0])
		logs := trainedLogs(outer, r, a)
		got, err := Trained(outer.Context(), logs, &run)
		if err != nil || len(got) != 1 {
			t.Fatalf("%d rows, %s: %q, %v", len(cols[0]), form, got, err)
		}
		// The same motion with other noise.
		other := run
		noise := rand.New(rand.NewPCG(uint64(every), uint64(first)))
		moved := slices.Clone(cols)
		for c, name := range names {
			if strings.HasPrefix(name, "tau") {
				moved[c] = slices.Clone(cols[c])
				for i := range moved[c] {
					moved[c][i] += 0.01 * noise.NormFloat64()
				}
			}
		}
		other.Log = datasets.FromColumns("other", a.Log.Channels(), moved, nil)
		if got, err := Trained(outer.Context(), logs, &other); err != nil || len(got) != 0 {
			t.Fatalf("other noise: %q, %v", got, err)
		}
	})
}

// trainedLogs returns a run's log as a result holds it.
func trainedLogs(t *testing.T, r *robot.Robot, run Run) []result.LogInfo {
	t.Helper()
	successive, single, err := observation.Leaks(t.Context(), []Run{run}, 1)
	if err != nil {
		t.Fatal(err)
	}
	l := result.LogInfo{Name: run.Name, Role: "train"}
	l.SetFingerprints(successive[0], single[0])
	return []result.LogInfo{l}
}

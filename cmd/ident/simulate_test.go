package main

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ident/datasets"
	"ident/excite"
	"ident/identify/project"
	"ident/internal/long"
	"ident/result"
	"ident/robot"
	"ident/robot/format"
)

// exampleFiles puts the example robot and its trajectory into a folder.
func exampleFiles(t *testing.T) (dir, arm, motion string) {
	t.Helper()
	dir = t.TempDir()
	arm, motion = filepath.Join(dir, "puma560.urdf"), filepath.Join(dir, "puma560.json")
	copyFile(t, filepath.Join(exampleFolder, "puma560.urdf"), arm)
	copyFile(t, filepath.Join(exampleFolder, "puma560.json"), motion)
	return dir, arm, motion
}

func fitted58(t *testing.T, args ...string) *result.Result {
	t.Helper()
	res := new(result.Result)
	if err := json.Unmarshal([]byte(ident(t, append([]string{"fit", "--json"}, args...)...)), res); err != nil {
		t.Fatal(err)
	}
	if len(res.BaseParameters) != 58 {
		t.Fatalf("%d base parameters", len(res.BaseParameters))
	}
	return res
}

// TestSimulateFitExact: the parameters of an ideal experiment come back.
func TestSimulateFitExact(t *testing.T) {
	long.Only(t, "package regression recovers the parameters of simulated motions")
	dir, arm, motion := exampleFiles(t)
	for _, name := range []string{"exact.parquet", "exact.csv.gz"} {
		log := filepath.Join(dir, name)
		ident(t, "simulate", arm, "--trajectory", motion, "--ideal", "--rate", "100", "-o", log)
		res := fitted58(t, log, "--cutoff", "0", "--trim", "0", "-o", log+".ident")
		for _, p := range res.BaseParameters {
			if d := math.Abs(p.Value - p.Prior); d > 1e-6 {
				t.Errorf("%s: %s = %.9g, true %.9g", name, p.Name, p.Value, p.Prior)
			}
		}
		if e := res.Fit.RelativeError.Stacked; e > 1e-6 {
			t.Errorf("%s: relative error %g %%", name, e)
		}
	}
}

// TestSimulateFitNoise: with noise the truth lies within the deviations that
// the fit states, over several seeds.
func TestSimulateFitNoise(t *testing.T) {
	long.Only(t, "TestReadmeCommands fits a simulated log")
	dir, arm, motion := exampleFiles(t)
	for _, c := range []struct {
		name     string
		simulate []string
		fit      []string
		least    float64 // share within three deviations
		worst    float64
	}{
		{"torque", []string{"--torque-noise", "0.5,0.8,0.4,0.1,0.1,0.1", "--velocity-noise", "0", "--encoder", "0", "--acceleration"}, []string{"--cutoff", "0", "--trim", "0"}, 0.985, 5},
		{"usual", nil, nil, 0.97, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "usual" {
				long.Only(t, "project.TestExampleCoverage has the same arm with sensors' errors")
			}
			total, within, worst := 0, 0, 0.0
			for seed := range long.Of(4, 0) {
				log := filepath.Join(dir, c.name+strconv.Itoa(seed)+".parquet")
				ident(t, append([]string{"simulate", arm, "--trajectory", motion, "--rate", "200", "--repeat", "2", "--seed", strconv.Itoa(seed), "-o", log}, c.simulate...)...)
				res := fitted58(t, append([]string{log}, c.fit...)...)
				n, w := withinSigmas(res, 3)
				total, within, worst = total+len(res.BaseParameters), within+n, max(worst, w)
			}
			t.Logf("%d of %d within three deviations, worst %.2f", within, total, worst)
			if float64(within) < c.least*float64(total) || worst > c.worst {
				t.Errorf("%d of %d within three deviations, worst %.2f", within, total, worst)
			}
		})
	}
}

// TestTrajectoryFiles: coefficients and samples of the same design give the
// same log.
func TestTrajectoryFiles(t *testing.T) {
	dir, arm, motion := exampleFiles(t)
	text, err := os.ReadFile(motion)
	if err != nil {
		t.Fatal(err)
	}
	tr := new(excite.Trajectory)
	if err := json.Unmarshal(text, tr); err != nil {
		t.Fatal(err)
	}
	r, err := format.Open(arm, robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// Samples at the log's own rate: the motion between them does not matter.
	for _, name := range []string{"traj.csv", "traj.parquet", "traj.arrow"} {
		path := filepath.Join(dir, name)
		if err := project.WriteTrajectory(path, tr, r, 100, nil); err != nil {
			t.Fatal(err)
		}
		var logs [2]*datasets.Log
		for k, from := range []string{motion, path} {
			out := filepath.Join(dir, strconv.Itoa(k)+name+".parquet")
			ident(t, "simulate", arm, "--trajectory", from, "--ideal", "--rate", "100", "--repeat", "2", "-o", out)
			if logs[k], err = datasets.Open(out, datasets.Options{}); err != nil {
				t.Fatal(err)
			}
			defer logs[k].Close()
		}
		if logs[0].Rows() != 2001 || logs[1].Rows() != 2001 {
			t.Fatalf("%s: %d and %d rows", name, logs[0].Rows(), logs[1].Rows())
		}
		for _, c := range logs[0].Names() {
			a, errA := logs[0].Column(c)
			b, errB := logs[1].Column(c)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			// At rest the sign of a velocity, and with it friction, is that of
			// a rounding error.
			for i := range a {
				if i%1000 != 0 && math.Abs(a[i]-b[i]) > 1e-7 {
					t.Fatalf("%s: %s in row %d is %g from coefficients, %g from samples", name, c, i+1, a[i], b[i])
				}
			}
		}
	}
}

// TestDesignInterrupted: a search that is stopped gives the best so far, or
// writes nothing.
func TestDesignInterrupted(t *testing.T) {
	dir, arm, _ := exampleFiles(t)
	out := filepath.Join(dir, "traj.json")
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	var text, errs strings.Builder
	code := run(ctx, []string{"design-trajectory", arm, "--starts", "100000", "-o", out}, streams{out: &text, err: &errs})
	switch {
	case code == exitDone:
		if !fileExists(out) || !strings.Contains(errs.String(), "stopped early") {
			t.Errorf("exit 0, but\n%s%s", text.String(), errs.String())
		}
	case fileExists(out):
		t.Errorf("exit %d and a file", code)
	}
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	none := filepath.Join(dir, "none.json")
	if code := run(ctx, []string{"design-trajectory", arm, "-o", none}, streams{out: &text, err: &errs}); code != exitFailed || fileExists(none) {
		t.Errorf("exit %d, file %v\n%s", code, fileExists(none), errs.String())
	}
}

// TestDemoInterrupted: an interrupted demonstration leaves nothing behind.
func TestDemoInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var text, errs strings.Builder
	if code := run(ctx, []string{"demo"}, streams{out: &text, err: &errs}); code != exitFailed || !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("exit %d: %s", code, errs.String())
	}
	if err := os.Mkdir("mine", 0o755); err != nil {
		t.Fatal(err)
	}
	if code := run(ctx, []string{"demo", "-o", "mine"}, streams{out: &text, err: &errs}); code != exitFailed {
		t.Errorf("exit %d", code)
	}
	entries, err := os.ReadDir(".")
	if err != nil || len(entries) != 1 || entries[0].Name() != "mine" {
		t.Errorf("left behind: %v %v", entries, err)
	}
	if inside, err := os.ReadDir("mine"); err != nil || len(inside) != 0 {
		t.Errorf("left behind in a folder that was there: %v %v", inside, err)
	}
}

// TestUnwritable: where a file cannot be put, nothing is left of the attempt.
func TestUnwritable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("the superuser writes everywhere")
	}
	dir, arm, motion := exampleFiles(t)
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"design-trajectory", arm, "--starts", "1", "--harmonics", "2", "-o", filepath.Join(locked, "t.csv")},
		{"design-trajectory", arm, "--starts", "1", "--harmonics", "2", "-o", filepath.Join(locked, "t.json")},
		{"simulate", arm, "--trajectory", motion, "--rate", "50", "-o", filepath.Join(locked, "l.parquet")},
		{"demo", "-o", filepath.Join(locked, "demo")},
	} {
		var text, errs strings.Builder
		if code := run(context.Background(), args, streams{out: &text, err: &errs}); code != exitFailed || errs.Len() == 0 {
			t.Errorf("%v: exit %d: %s", args, code, errs.String())
		}
	}
	if entries, err := os.ReadDir(locked); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}

package identify

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"ident/datasets"
	"ident/estimate/summary"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/internal/long"
)

// parts writes the example robot and its log in so many pieces.
func parts(t *testing.T, n int) (arm string, logs []string) {
	t.Helper()
	dir := t.TempDir()
	recorded, err := datasets.ExampleLog()
	if err != nil {
		t.Fatal(err)
	}
	arm = filepath.Join(dir, "arm.urdf")
	if err := os.WriteFile(arm, datasets.ExampleRobot(), 0o644); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("log%d.parquet", i))
		if err := datasets.Copy(t.Context(), path, recorded.Slice(i*recorded.Rows()/n/2, (i+1)*recorded.Rows()/n/2), nil); err != nil {
			t.Fatal(err)
		}
		logs = append(logs, path)
	}
	return arm, logs
}

// reduced are the summaries of logs, each apart, by the path of the first.
func reduced(t *testing.T, s project.Settings, logs []string, opt ReduceOptions) []*summary.Summary {
	t.Helper()
	var out []*summary.Summary
	for _, log := range logs {
		own := s
		part, err := New(&own, true, log).Reduce(t.Context(), opt)
		if err != nil {
			t.Fatal(err)
		}
		if opt.Like == nil {
			opt.Like = part
		}
		var file bytes.Buffer // as files have them
		if err := summary.Encode(&file, part); err != nil {
			t.Fatal(err)
		}
		if part, err = summary.Decode(bytes.NewReader(file.Bytes()), int64(file.Len())); err != nil {
			t.Fatal(err)
		}
		out = append(out, part)
	}
	return out
}

// direct is the fit of logs by the path of a summary.
func direct(t *testing.T, s project.Settings, logs []string, like *summary.Summary) *regression.Outcome {
	t.Helper()
	job, err := project.OpenJob(t.Context(), &s, logs, project.JobOptions{RobotGiven: true, Unexamined: true})
	if err != nil {
		t.Fatal(err)
	}
	defer job.Close()
	cfg := job.Config
	cfg.Fixed = regression.PathOf(like)
	outcome, err := regression.Fit(t.Context(), job.Session.Robot, job.Terms, job.Train, job.Validate, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

// Summaries of parts of a log, from their files and merged in any order, give the estimates of the logs together to the last
// bit, by every estimator that needs no rows again.
func TestFitsAsLogs(t *testing.T) {
	long.Only(t, "the Example fits merged summaries, and TestSummariesFitAsLogs of package regression compares them with logs")
	arm, logs := parts(t, 3)
	rng := rand.New(rand.NewPCG(2, 2))
	of := reduced(t, project.Settings{Robot: arm}, logs, ReduceOptions{})
	settings := []project.Settings{{}, {Estimator: "ridge"}, {Estimator: "map"}, {Estimator: "ols"}, {Estimator: "essential"}, {Estimator: "tls"}, {Estimator: "sequential"}, {Estimator: "recursive"},
		{Estimator: "wls", Consistent: project.Yes}, {Estimator: "wls", Bootstrap: 20}}
	for _, s := range settings[:long.Of(len(settings), 1)] {
		rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		some, err := summary.Merge(of[0], of[1])
		if err != nil {
			t.Fatal(err)
		}
		all, err := summary.Merge(of[2], some)
		if err != nil {
			t.Fatal(err)
		}
		s.Robot = arm
		want := direct(t, s, logs, all)
		got, err := FitSummary(t.Context(), all, &s)
		if err != nil {
			t.Errorf("%s: %v", s.Estimator, err)
			continue
		}
		want.Result.MotionNoise.Widen(got.Solution) // for the noise of the motion, which only rows tell
		if !reflect.DeepEqual(got.Solution.X, want.Solution.X) || !reflect.DeepEqual(got.Solution.Covariance, want.Solution.Covariance) {
			t.Errorf("%s: %v…, of logs %v…", s.Estimator, got.Solution.X[:3], want.Solution.X[:3])
		}
		if a, b := got.Result.Estimator, want.Result.Estimator; a != b || !reflect.DeepEqual(got.Result.Terms, want.Result.Terms) {
			t.Errorf("%s with %v, of logs %s with %v", a, got.Result.Terms, b, want.Result.Terms)
		}
		a, b := got.Result.Diagnosis, want.Result.Diagnosis
		if !reflect.DeepEqual(a.CrossValidation, b.CrossValidation) || !reflect.DeepEqual(a.Bootstrap, b.Bootstrap) {
			t.Errorf("%s: judged by %+v, of logs %+v", s.Estimator, a.CrossValidation, b.CrossValidation)
		}
	}
}

// Logs of two folders with one name have those of their folders too, and their own hashes; the fit is that of logs with other names.
func TestLogsOfOneName(t *testing.T) {
	long.Only(t, "TestRefusals reduces logs")
	arm, logs := parts(t, 2)
	var same []string
	for i, folder := range []string{"a", "b"} {
		path := filepath.Join(filepath.Dir(logs[0]), folder, "log.parquet")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(logs[i], path); err != nil {
			t.Fatal(err)
		}
		same = append(same, path)
	}
	s := project.Settings{Robot: arm}
	got, err := New(&s, true, same...).Reduce(t.Context(), ReduceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s = project.Settings{Robot: arm}
	want, err := New(&s, true, logs...).Reduce(t.Context(), ReduceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a/log.parquet", "b/log.parquet"} {
		if got.Runs[i].Name != name || got.Runs[i].SHA256 != want.Runs[i].SHA256 || got.Runs[i].SHA256 == "" {
			t.Errorf("%s with the hash %.8s, %s has %.8s", got.Runs[i].Name, got.Runs[i].SHA256, want.Runs[i].Name, want.Runs[i].SHA256)
		}
		got.Runs[i].Name = want.Runs[i].Name
	}
	if !reflect.DeepEqual(got.Runs, want.Runs) {
		t.Error("the runs are not those of the same logs with other names")
	}
}

func TestRefusals(t *testing.T) {
	arm, logs := parts(t, 2)
	of := reduced(t, project.Settings{Robot: arm}, logs[:1], ReduceOptions{})[0]
	var rows *regression.RowsError
	for i, s := range []project.Settings{{Estimator: "irls"}, {Estimator: "gls"}, {Estimator: "wls-cross"}, {Estimator: "iv"}, {Periodic: "auto"}, {TrainFraction: 0.5}, {Validate: logs[1:]}} {
		if i%long.Of(1, 4) != 0 {
			continue
		}
		if _, err := FitSummary(t.Context(), of, &s); !errors.As(err, &rows) {
			t.Errorf("%+v: %v", s.Estimator, err)
		}
	}
	cutoff := 4.0
	var differs *summary.DifferenceError
	for i, s := range []project.Settings{{Cutoff: &cutoff}, {Gravity: []float64{0, 0, -1.62}}, {Terms: []string{"links", "Fv", "Fs"}}} {
		if i%long.Of(1, 3) != 0 {
			continue
		}
		s.Robot = arm
		other := reduced(t, s, logs[1:], ReduceOptions{Force: true})[0] // of a wrong gravity the check is right
		if _, err := summary.Merge(of, other); !errors.As(err, &differs) {
			t.Errorf("%+v: %v", s.Terms, err)
		}
	}
	again := reduced(t, project.Settings{Robot: arm}, logs[:1], ReduceOptions{Like: of})[0]
	var common *summary.OverlapError
	if _, err := summary.Merge(of, again); !errors.As(err, &common) {
		t.Errorf("the same log twice: %v", err)
	}
}

// A log of a million rows has a hundred blocks as the signal path makes them, of which 13 are left. Its summary is then a
// hundredth of its positions, velocities and torques as doubles, or less, with the columns of all friction terms, where every block
// has rows at rest and all fingerprints are kept. docs/summaries.md has the size of one that was simulated.
func TestSize(t *testing.T) {
	long.Only(t, "the Example and TestRefusals read and merge such summaries")
	arm, logs := parts(t, 1)
	of := reduced(t, project.Settings{Robot: arm}, logs, ReduceOptions{})[0]
	var file bytes.Buffer
	if err := summary.Encode(&file, of); err != nil {
		t.Fatal(err)
	}
	run := &of.Runs[0]
	short := len(run.Blocks)
	blocks := make([]summary.Block, 100)
	for i := range blocks {
		blocks[i] = run.Blocks[0]
		blocks[i].AtRest = blocks[i].Joints
	}
	run.Blocks = blocks
	for len(run.Prints) < maxPrints {
		run.Prints = append(run.Prints, run.Prints[len(run.Prints)-1]+1)
	}
	long := of.Coarsen(summary.FewestBlocks)
	var million bytes.Buffer
	if err := summary.Encode(&million, long); err != nil {
		t.Fatal(err)
	}
	const rows, channels = 1_000_000, 19
	t.Logf("%d bytes of a log of %d rows in %d blocks; %d of a million rows in %d, which are %d in the log", file.Len(), of.Runs[0].Last, short, million.Len(), len(long.Runs[0].Blocks), 8*channels*rows)
	if million.Len() > 8*channels*rows/100 {
		t.Errorf("the summary of a million rows has %d bytes, more than a hundredth of the log", million.Len())
	}
}

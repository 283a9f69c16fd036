package identify_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"ident/datasets"
	"ident/excite"
	"ident/identify"
	"ident/identify/project"
	"ident/internal/long"
	"ident/robot"
	"ident/robot/format"
	"ident/simulate"
)

// Ten periods of the example's designed motion, with noise that differs from one to the
// next: averages and their Fourier derivatives bring the parameters to half the distance
// from the truth at least, and the intervals hold. docs/excitation.md states the figures.
func TestPeriodicGain(t *testing.T) {
	long.Only(t, "observation's tests have the average over periods")
	arm, motion, files := exampleExperiment(t)
	run, err := simulate.Run(t.Context(), arm, motion, simulate.Options{Rate: 100, Duration: 10 * motion.Duration(), Seed: 7,
		Noise: simulate.Noise{Position: []float64{1e-4}, Torque: []float64{0.4, 0.6, 0.3, 0.06, 0.05, 0.05}}})
	if err != nil {
		t.Fatal(err)
	}
	log := run.Log("log")
	if err := datasets.Copy(t.Context(), files[1], log, nil); err != nil {
		t.Fatal(err)
	}
	away := func(change func(*project.Settings)) (distance, worst float64) {
		p, err := identify.Open(files[0], files[1])
		if err != nil {
			t.Fatal(err)
		}
		change(p.Settings)
		id, err := p.Fit(t.Context(), identify.FitOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var off, all, z float64
		for _, b := range id.Result.BaseParameters {
			e := b.Value - b.Prior
			off, all, z = off+e*e, all+b.Prior*b.Prior, z+(e/b.Sigma)*(e/b.Sigma)
		}
		n := float64(len(id.Result.BaseParameters))
		t.Logf("%s: %.3f %% of the parameters, %.2f deviations", p.Settings.Periodic, 100*math.Sqrt(off/all), math.Sqrt(z/n))
		return math.Sqrt(off / all), math.Sqrt(z / n)
	}
	whole, _ := away(func(s *project.Settings) { s.Velocity, s.Rest = "position", "keep" })
	kept, _ := away(func(s *project.Settings) { s.Periodic, s.Rest = "auto", "keep" })
	found, z := away(func(s *project.Settings) { s.Periodic = "auto" })
	given := found // the period is given in the gate
	if long.Set() {
		given, _ = away(func(s *project.Settings) { s.Periodic = "10" })
	}
	if !(kept < whole/2) || !(found < kept/2) || found != given {
		t.Errorf("off by %.3g %% averaged over a period that was found, %.3g %% over the given one, with rest %.3g %% averaged and %.3g %% not", 100*found, 100*given, 100*kept, 100*whole)
	}
	// The root mean square of 58 correlated deviations.
	if !(z < 1.5) {
		t.Errorf("the estimate is %.2f standard deviations away", z)
	}
}

// exampleExperiment returns the example's robot and its designed motion, the robot's file in a
// new folder, and the path of a log beside it.
func exampleExperiment(t *testing.T) (*robot.Robot, excite.Motion, []string) {
	t.Helper()
	arm, err := format.Read(datasets.ExampleRobot(), "urdf", "puma560.urdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../datasets/example/puma560.json")
	if err != nil {
		t.Fatal(err)
	}
	motion, err := excite.ReadMotion(text)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "log.parquet")}
	if err := os.WriteFile(files[0], datasets.ExampleRobot(), 0o644); err != nil {
		t.Fatal(err)
	}
	return arm, motion, files
}

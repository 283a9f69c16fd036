package candidates_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ident/datasets"
	"ident/identify"
	"ident/project"
	"ident/project/candidates"
)

// A fit, and the candidates that it did not choose.
func Example() {
	dir, err := os.MkdirTemp("", "arm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx, arm, logs := context.Background(), filepath.Join(dir, "arm.urdf"), []string{filepath.Join(dir, "log.parquet")}
	recorded, err := datasets.ExampleLog()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(arm, datasets.ExampleRobot(), 0o644); err != nil {
		log.Fatal(err)
	}
	if err := datasets.Copy(ctx, logs[0], recorded, nil); err != nil {
		log.Fatal(err)
	}

	job, err := project.OpenFit(ctx, &project.Settings{Robot: arm, Velocity: "measured", Rest: "keep", Terms: []string{"links", "Ia", "Fv", "Fs", "Fo"}, TrainFraction: 0.6}, logs, true)
	if err != nil {
		log.Fatal(err)
	}
	defer job.Close()
	cfg, err := job.Config()
	if err != nil {
		log.Fatal(err)
	}
	outcome, err := identify.Fit(ctx, job.Session.Robot, job.Terms, job.Train, job.Validate, cfg)
	if err != nil {
		log.Fatal(err)
	}
	c, err := candidates.Compare(ctx, job, outcome, logs, true, func(string, int, int) {})
	if err != nil {
		log.Fatal(err)
	}
	for i, side := range c.Sides {
		fmt.Printf("%s: %.1f %%\n", side.Name, c.Logs[0].Errors[i].RelativeError.Stacked)
	}
	// Output:
	// chosen: 2.6 %
	// physically-consistent: physically consistent: 2.6 %
}

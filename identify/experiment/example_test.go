package experiment_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ident/datasets"
	"ident/identify/design"
	"ident/identify/experiment"
	"ident/identify/project"
)

// A controlled arm whose drives are weak: how far it stays behind its reference.
func Example() {
	dir, err := os.MkdirTemp("", "experiment")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	arm, motion := filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "motion.json")
	if err := os.WriteFile(arm, datasets.ExampleRobot(), 0o644); err != nil {
		log.Fatal(err)
	}
	s := &project.Settings{Robot: arm, Lock: map[string]float64{"elbow": 0.5, "wrist_roll": 0, "wrist_bend": 0, "flange_turn": 0}}
	d, err := design.Run(context.Background(), s, design.Options{Harmonics: 2, Period: 4, Starts: 1, Outputs: []string{motion}})
	if err != nil {
		log.Fatal(err)
	}
	if err := d.Write(nil); err != nil {
		log.Fatal(err)
	}
	doc, err := experiment.Run(context.Background(), s, experiment.Options{Motion: motion, Rate: 100, Controller: "pd+gravity kp=4000 kd=400", Output: filepath.Join(dir, "log.parquet")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d samples; joints at their limit in %v samples; below 0.1 rad behind: %t\n", doc.Samples, doc.Limited, doc.Tracking[0] < 0.1 && doc.Tracking[1] < 0.1)
	// Output:
	// 401 samples; joints at their limit in [0 0] samples; below 0.1 rad behind: true
}

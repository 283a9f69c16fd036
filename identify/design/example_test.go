package design_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ident/datasets"
	"ident/identify/design"
	"ident/identify/project"
)

// What an engineer asks of a motion before it runs: which limit is nearest, and which parameters it shows least.
func Example() {
	dir, err := os.MkdirTemp("", "design")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	arm := filepath.Join(dir, "arm.urdf")
	if err := os.WriteFile(arm, datasets.ExampleRobot(), 0o644); err != nil {
		log.Fatal(err)
	}
	s := &project.Settings{Robot: arm, Lock: map[string]float64{"elbow": 0.5, "wrist_roll": 0, "wrist_bend": 0, "flange_turn": 0}}
	d, err := design.Run(context.Background(), s, design.Options{Static: 3, Outputs: []string{filepath.Join(dir, "slow.csv")}})
	if err != nil {
		log.Fatal(err)
	}
	if err := d.Write(nil); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d poses for %d gravity parameters, %d limits exceeded\n", len(d.Document.Poses), d.Document.Parameters, d.Document.Violations)
	// Output:
	// 3 poses for 4 gravity parameters, 0 limits exceeded
}

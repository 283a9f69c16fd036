package identify_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ident/identify"
	"ident/identify/project"
)

// An exciting motion of the first three joints, and its files.
func ExampleDesign() {
	dir := exampleFiles()
	defer os.RemoveAll(dir)
	s := &project.Settings{Robot: filepath.Join(dir, "arm.urdf"), Lock: map[string]float64{"wrist_roll": 0, "wrist_bend": 0, "flange_turn": 0}}
	d, err := identify.Design(context.Background(), s, identify.DesignOptions{Harmonics: 2, Period: 5, Starts: 1,
		Outputs: []string{filepath.Join(dir, "motion.json"), filepath.Join(dir, "motion.csv")}})
	if err != nil {
		log.Fatal(err)
	}
	if err := d.Write(nil); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d base parameters, condition number below 100: %t, limits exceeded: %d\n", d.Document.Parameters, *d.Document.Condition.Scaled < 100, d.Document.Violations)
	// Output:
	// 25 base parameters, condition number below 100: true, limits exceeded: 0
}

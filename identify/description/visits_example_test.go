package description_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ident/identify/description"
	"ident/robot"
)

// The states of a plane arm at two positions of its hand.
func ExampleStatesOfPoses() {
	arm := robot.FromMDH("arm", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}})
	dir, err := os.MkdirTemp("", "poses")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "poses.txt")
	if err := os.WriteFile(file, []byte("# x y z, m\n0.4 0.5 0\n0.3 0.6 0\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	visits, err := description.ReadPoses(file)
	if err != nil {
		log.Fatal(err)
	}
	states, err := description.StatesOfPoses(context.Background(), arm, description.Tip{At: &[3]float64{0.4, 0, 0}}, visits, 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, q := range states {
		fmt.Printf("%.4f %.4f rad\n", q[0], q[1])
	}
	// Output:
	// 0.2213 1.5708 rad
	// 0.4720 1.4706 rad
}

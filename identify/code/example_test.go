package code_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"ident/datasets"
	"ident/identify/code"
	"ident/identify/project"
)

// The models that a robot has, with their numbers of operations.
func Example() {
	dir, err := os.MkdirTemp("", "code")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	arm := filepath.Join(dir, "arm.urdf")
	if err := os.WriteFile(arm, datasets.ExampleRobot(), 0o644); err != nil {
		log.Fatal(err)
	}
	s := &project.Settings{Robot: arm, Lock: map[string]float64{"wrist_roll": 0, "wrist_bend": 0, "flange_turn": 0}}
	g, err := code.Run(context.Background(), s, code.Options{Models: []string{"inverse-dynamics", "inertia-matrix"}, Bake: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range g.Document.Models {
		fmt.Printf("%s(%v): %d multiplications\n", m.Function, m.Arguments, m.Counts.Mul)
	}
	// Output:
	// inertia_matrix([q]): 33 multiplications
	// inverse_dynamics([q dq ddq]): 127 multiplications
}

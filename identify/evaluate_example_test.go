package identify_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"ident/datasets"
	"ident/identify"
	"ident/identify/project"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// The torque that holds the forearm of the example level, and its energy.
func ExampleEvaluator_Evaluate() {
	r, err := format.Read(datasets.ExampleRobot(), "urdf", "puma560.urdf", robot.ReadOptions{})
	if err != nil {
		panic(err)
	}
	s := new(project.Settings)
	subject, err := identify.NewEvaluator(r, regressor.DefaultTerms(), s)
	if err != nil {
		panic(err)
	}
	var channels []datasets.Channel
	var values [][]float64
	for _, kind := range []string{"q", "dq", "ddq"} {
		for j := range 6 {
			channels = append(channels, datasets.Channel{Name: fmt.Sprint(kind, j+1)})
			values = append(values, []float64{0})
		}
	}
	dir, err := os.MkdirTemp("", "states")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	states := datasets.FromColumns("rest", channels, values, nil)
	doc, err := subject.Evaluate(context.Background(), s, states, []identify.Quantity{identify.EvaluateInverseDynamics}, filepath.Join(dir, "tau.npz"))
	if err != nil {
		panic(err)
	}
	fmt.Println(doc.Rows, "state of", len(doc.Joints), "joints,", doc.Channels[1].Name, "in", doc.Channels[1].Unit)
	// Output: 1 state of 6 joints, tau_shoulder in N.m
}

package elastic_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"ident/identify/elastic"
	"ident/identify/project"
	"ident/robot"
	"ident/robot/format"
	"ident/simulate"
)

// swing is two harmonics of one joint.
type swing struct{}

func (swing) DOF() int { return 1 }

func (swing) Duration() float64 { return 4 }

func (swing) Periodic() bool { return false }

func (swing) Eval(t float64, q, dq, ddq []float64) {
	q[0], dq[0], ddq[0] = 0.6*math.Sin(2*t)+0.2*math.Cos(5*t), 1.2*math.Cos(2*t)-math.Sin(5*t), -2.4*math.Sin(2*t)-5*math.Cos(5*t)
}

// A virtual experiment with an elastic gear, and the fit of its log.
func ExampleFitLogs() {
	r, err := format.Read([]byte(`
gravity: [0, -9.81, 0]
links:
  - name: arm
    joint: {name: shoulder, elastic: true, stiffness: 2000, damping: 1, drive: {ia: 0.2, fv: 1, fs: 0.5, fo: 0.1}}
    inertial: {mass: 2, com: [0.3, 0.01, 0], inertia: {ixx: 0.01, ixy: 0, ixz: 0, iyy: 0.02, iyz: 0, izz: 0.02}}
`), "yaml", "pendulum", robot.ReadOptions{})
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "elastic")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	log := filepath.Join(dir, "log.csv")
	ctx := context.Background()
	if _, err := elastic.SimulateLog(ctx, r, swing{}, simulate.Options{Rate: 500}, true, nil, log); err != nil {
		panic(err)
	}
	found, err := elastic.FitLogs(ctx, new(project.Settings), r, []string{log}, elastic.Options{})
	if err != nil {
		panic(err)
	}
	j := found.Joints[0]
	fmt.Printf("stiffness %.4g, damping %.3g, rotor %.3g: %s\n", j.Stiffness.Value, j.Damping.Value, j.Rotor.Value, found.Grade.Value)
	// Output: stiffness 2000, damping 1, rotor 0.2: sound
}

package identify_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"ident/datasets"
	"ident/identify"
	"ident/identify/elastic"
	"ident/identify/project"
	"ident/robot"
	"ident/robot/format"
	"ident/simulate"
)

// Several models of the same rows: each has a result, and the agreements say how far each is from the first.
func ExampleProject_Fit_severalModels() {
	dir := exampleFiles()
	defer os.RemoveAll(dir)
	p, err := identify.Open(filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "log.parquet"))
	if err != nil {
		log.Fatal(err)
	}
	p.Settings.Model = "dynamic,filtered"
	fit, err := p.Fit(context.Background(), identify.FitOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range fit.Models {
		fmt.Printf("%s: %.0f %%\n", m.Result.Model, m.Result.Fit.RelativeError.Stacked)
	}
	fmt.Println("agree:", fit.Agreements[0].Agree)
	// Output:
	// dynamic: 1 %
	// filtered: 1 %
	// agree: true
}

// The loads of the logs' motions: what bearings and motors bear, by the identified model.
func ExampleProject_Fit_loads() {
	dir := exampleFiles()
	defer os.RemoveAll(dir)
	p, err := identify.Open(filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "log.parquet"))
	if err != nil {
		log.Fatal(err)
	}
	fit, err := p.Fit(context.Background(), identify.FitOptions{Loads: project.Yes})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(fit.Loads), "motion,", len(fit.Loads[0].Drives), "drives")
	// Output: 1 motion, 6 drives
}

// swing is two harmonics of one joint.
type swing struct{}

func (swing) DOF() int { return 1 }

func (swing) Duration() float64 { return 8 }

func (swing) Periodic() bool { return false }

func (swing) Eval(t float64, q, dq, ddq []float64) {
	q[0], dq[0], ddq[0] = 0.6*math.Sin(2*t)+0.2*math.Cos(5*t), 1.2*math.Cos(2*t)-math.Sin(5*t), -2.4*math.Sin(2*t)-5*math.Cos(5*t)
}

// A joint whose gear bends between an encoder at the motor and one at the link.
func ExampleProject_Fit_elasticJoints() {
	dir, err := os.MkdirTemp("", "elastic")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	arm, file := filepath.Join(dir, "arm.yaml"), filepath.Join(dir, "log.csv")
	text := []byte(`
gravity: [0, -9.81, 0]
links:
  - name: arm
    joint: {name: shoulder, elastic: true, stiffness: 2000, damping: 1, drive: {ia: 0.2, fv: 1, fs: 0.5, fo: 0.1}}
    inertial: {mass: 2, com: [0.3, 0.01, 0], inertia: {ixx: 0.01, ixy: 0, ixz: 0, iyy: 0.02, iyz: 0, izz: 0.02}}
`)
	r, err := format.Read(text, "yaml", "pendulum", robot.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(arm, text, 0o644); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if _, err := elastic.SimulateLog(ctx, r, swing{}, simulate.Options{Rate: 500}, true, nil, file); err != nil {
		log.Fatal(err)
	}
	p, err := identify.Open(arm, file)
	if err != nil {
		log.Fatal(err)
	}
	fit, err := p.Fit(ctx, identify.FitOptions{}) // elastic, as the robot file says so
	if err != nil {
		log.Fatal(err)
	}
	j := fit.Elastic.Joints[0]
	fmt.Printf("stiffness %.4g N·m/rad, rotor %.3g kg·m²\n", j.Stiffness.Value, j.Rotor.Value)
	// Output: stiffness 2000 N·m/rad, rotor 0.2 kg·m²
}

// A log without torque: commands, positions, and the law of the controller, whose gain is known.
func ExampleProject_Fit_noTorque() {
	dir, err := os.MkdirTemp("", "torquefree")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	arm, file := filepath.Join(dir, "arm.yaml"), filepath.Join(dir, "log.csv")
	if err := os.WriteFile(arm, []byte("name: pendulum\nlinks:\n  - name: bob\n    joint: {name: hinge}\n    origin: {rpy: [Pi/2, 0, 0]}\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	if err := writeCommanded(file); err != nil {
		log.Fatal(err)
	}
	p, err := identify.Open(arm, file)
	if err != nil {
		log.Fatal(err)
	}
	p.Settings.Torque, p.Settings.Controller = project.NoTorque, "pd kp=20 kd=3 rate=100"
	p.Settings.Terms = []string{"links", "Fv"} // without dry friction, as the pendulum is
	fit, err := p.Fit(context.Background(), identify.FitOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(fit.Result.BaseParameters), "base parameters without a torque")
	// Output: 4 base parameters without a torque
}

// writeCommanded records a pendulum of 0.1 kg·m² and 0.5 kg·m under a law of kp = 20 and kd = 3, which holds its torque between samples.
func writeCommanded(path string) error {
	const h, sub, inertia, first = 0.01, 20, 0.1, 0.5
	var t, q, ref []float64
	x, v := 0.0, 0.0
	rate := func(s float64) float64 {
		return 0.77*math.Cos(1.1*s) + 1.48*math.Cos(3.7*s) + 1.26*math.Cos(6.3*s)
	}
	for k := range 1500 {
		s := float64(k) * h
		r := 0.7*math.Sin(1.1*s) + 0.4*math.Sin(3.7*s) + 0.2*math.Sin(6.3*s)
		t, q, ref = append(t, s), append(q, math.Round(x/1e-5)*1e-5), append(ref, r) // an encoder of 20 bits
		tau := 20*(r-x) + 3*(rate(s)-v)                                              // held between samples
		for range sub {
			a := (tau - 9.81*first*math.Cos(x) - 0.3*v) / inertia
			x, v = x+h/sub*v+a*h/sub*h/sub/2, v+a*h/sub
		}
	}
	return datasets.Copy(context.Background(), path, datasets.FromColumns("log", []datasets.Channel{{Name: "t"}, {Name: "q1"}, {Name: "q_ref1"}}, [][]float64{t, q, ref}, nil), nil)
}

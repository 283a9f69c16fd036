package identify_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"ident/identify"
	"ident/identify/project"
)

// A pendulum that is moved slowly up and down past eight angles, with dry friction of 2 N·m: its first moments and its offset.
func ExampleProject_Gravity() {
	dir, err := os.MkdirTemp("", "gravity")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	arm, path := filepath.Join(dir, "pendulum.yaml"), filepath.Join(dir, "slow.csv")
	text := "name: pendulum\nlinks:\n  - name: bob\n    joint: {name: hinge}\n    origin: {rpy: [Pi/2, 0, 0]}\n"
	var log strings.Builder
	log.WriteString("t,q1,tau1\n")
	const dt, speed, first, offset, friction = 0.01, 0.1, 0.8, 0.3, 2 // s, rad/s, kg·m, N·m
	t := 0.0
	add := func(samples int, from, v float64) {
		for i := range samples {
			q := from + v*dt*float64(i)
			tau := 9.81*first*math.Cos(q) + offset
			if v != 0 {
				tau += math.Copysign(friction, v)
			}
			fmt.Fprintf(&log, "%.2f,%.6f,%.6f\n", t, q, tau)
			t += dt
		}
	}
	for pose := range 8 {
		at := -1.5 + 0.4*float64(pose)
		add(30, at, 0)
		add(101, at, speed)
		add(30, at+0.1, 0)
		add(101, at+0.1, -speed)
	}
	for name, content := range map[string]string{arm: text, path: log.String()} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			fmt.Println(err)
			return
		}
	}
	doc, err := identify.New(&project.Settings{Robot: arm}, true, path).Gravity(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(doc.Pairs, "pairs")
	for _, p := range doc.Parameters {
		fmt.Printf("%s %.2f %s\n", p.Name, math.Abs(p.Value), p.Unit)
	}
	// Output:
	// 8 pairs
	// MX1 0.80 kg·m
	// MY1 0.00 kg·m
	// Fo1 0.30 N·m
}

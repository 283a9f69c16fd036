package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/project/trials"
	"ident/simulate/sensors"
)

// The table of docs/benchmark.md: IDENT_BENCHMARK is the number of trials of each robot, class of sensors and
// estimator. It prints the table; nothing is asserted but that every call works.
func TestBenchmark(t *testing.T) {
	n := os.Getenv("IDENT_BENCHMARK")
	if n == "" {
		t.Skip("IDENT_BENCHMARK gives no number of trials")
	}
	estimators := []string{"wls", "ols", "irls", "tls"}
	dir := t.TempDir()
	t.Logf("| robot | sensors | %s |", strings.Join(estimators, " | "))
	for _, r := range benchmarkRobots() {
		file, motion := filepath.Join(dir, r.name+".yaml"), filepath.Join(dir, r.name+".json")
		for path, text := range map[string]string{file: r.text, motion: benchmarkMotion(r.joints)} {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, class := range sensors.Presets() {
			var out, errs bytes.Buffer
			args := []string{"simulate", file, "--trajectory", motion, "--repeat", "2", "--sensors", class.Name, "--trials", n, "--estimators", strings.Join(estimators, ","), "--json"}
			if code := run(context.Background(), args, streams{out: &out, err: &errs}); code != exitDone {
				t.Fatalf("%s, %s: %s", r.name, class.Name, errs.String())
			}
			var doc trials.Report
			if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
				t.Fatal(err)
			}
			cells := []string{r.name, class.Name}
			for _, e := range doc.Estimators {
				if e.Fits < 2 {
					cells = append(cells, "no fit")
					t.Logf("%s, %s, %s: %s", r.name, class.Name, e.Name, e.Reason)
					continue
				}
				cells = append(cells, fmt.Sprintf("%.0f (%.1f)", e.Coverage, e.BiasInStated))
			}
			t.Logf("| %s |", strings.Join(cells, " | "))
		}
	}
}

type benchmarkRobot struct {
	name   string
	joints []string
	text   string
}

// benchmarkRobots are five robots of one to six joints.
func benchmarkRobots() []benchmarkRobot {
	link := func(i int, kind, origin string, mass, length float64) string {
		return fmt.Sprintf("  - name: link%d\n    joint: {name: j%d, kind: %s, drive: {ia: %g, fv: %g, fs: %g, gear_ratio: 100}}\n    origin: {%s}\n    inertial: {mass: %g, com: [%g, 0.02, 0.01], inertia: {ixx: %g, iyy: %g, izz: %g}}\n",
			i, i, kind, 0.1*mass, 0.5*mass, 0.7*mass, origin, mass, length/2, 0.004*mass, 0.02*mass, 0.022*mass)
	}
	var out []benchmarkRobot
	for _, r := range []struct {
		name  string
		links []string
	}{
		{"pendulum", []string{link(1, "revolute", "rpy: [Pi/2, 0, 0]", 2, 0.5)}},
		{"two-link", []string{link(1, "revolute", "rpy: [Pi/2, 0, 0]", 4, 0.5), link(2, "revolute", "xyz: [0.5, 0, 0]", 2, 0.4)}},
		{"scara", []string{link(1, "revolute", "xyz: [0, 0, 0.3]", 5, 0.4), link(2, "revolute", "xyz: [0.4, 0, 0]", 3, 0.3), link(3, "prismatic", "xyz: [0.3, 0, 0]", 1, 0.1)}},
		{"elbow", []string{link(1, "revolute", "xyz: [0, 0, 0.3]", 6, 0.1), link(2, "revolute", "rpy: [Pi/2, 0, 0]", 5, 0.5), link(3, "revolute", "xyz: [0.5, 0, 0]", 3, 0.4)}},
		{"six-axis", []string{link(1, "revolute", "xyz: [0, 0, 0.3]", 6, 0.1), link(2, "revolute", "rpy: [Pi/2, 0, 0]", 5, 0.5), link(3, "revolute", "xyz: [0.5, 0, 0]", 3, 0.1),
			link(4, "revolute", "xyz: [0.1, -0.4, 0], rpy: [Pi/2, 0, 0]", 1.5, 0.1), link(5, "revolute", "rpy: [-Pi/2, 0, 0]", 1, 0.1), link(6, "revolute", "rpy: [Pi/2, 0, 0]", 0.5, 0.1)}},
	} {
		b := benchmarkRobot{name: r.name, text: "name: " + r.name + "\nlinks:\n" + strings.Join(r.links, "")}
		for i := range r.links {
			b.joints = append(b.joints, fmt.Sprintf("j%d", i+1))
		}
		out = append(out, b)
	}
	return out
}

// benchmarkMotion is a Fourier series of 10 s of five harmonics, drawn and not designed.
func benchmarkMotion(joints []string) string {
	rng := rand.New(rand.NewPCG(21, 3))
	draw := func() string {
		var v []string
		for range 5 {
			v = append(v, fmt.Sprintf("%.3f", 0.5*rng.NormFloat64()))
		}
		return strings.Join(v, ", ")
	}
	var list []string
	for _, j := range joints {
		list = append(list, fmt.Sprintf(`{"name": %q, "q0": 0.2, "a": [%s], "b": [%s]}`, j, draw(), draw()))
	}
	return `{"schema": "ident.trajectory/1", "form": "", "period_s": 10, "joints": [` + strings.Join(list, ", ") + `]}`
}

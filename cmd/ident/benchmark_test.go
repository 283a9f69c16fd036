package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ident/identify"
	"ident/simulate/sensors"
)

// The tables of docs/benchmark.md: IDENT_BENCHMARK is the number of trials of each robot and class of sensors. Robots under a controller, for the
// estimators that simulate them, have two thirds of it, that of six axes a third. It prints the tables; nothing is asserted but that every call works.
func TestBenchmark(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("IDENT_BENCHMARK"))
	if err != nil {
		t.Skip("IDENT_BENCHMARK gives no number of trials")
	}
	for _, part := range []struct {
		name       string
		estimators []string
		robots     []benchmarkRobot
		controlled bool
		trials     int
	}{
		{"followed", []string{"ols", "wls", "wls-cross", "gls", "irls", "tls", "ridge", "map", "essential", "sequential"}, benchmarkRobots(), false, n},
		{"controlled", []string{"wls", "iv", "didim", "clie", "ml", "cloe"}, benchmarkRobots(), true, max(2, n*2/3)},
	} {
		t.Run(part.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Logf("| robot | sensors | %s |", strings.Join(part.estimators, " | "))
			for _, r := range part.robots {
				repeats := part.trials
				if part.controlled && len(r.joints) > 3 {
					repeats = max(2, n/3)
				}
				for _, class := range sensors.Presets() {
					t.Run(r.name+"/"+class.Name, func(t *testing.T) {
						file, motion := r.write(t, dir)
						args := []string{"simulate", file, "--trajectory", motion, "--sensors", class.Name, "--trials", strconv.Itoa(repeats), "--estimators", strings.Join(part.estimators, ","), "--json"}
						if part.controlled {
							args = append(args, "--controller", "pd kp="+r.kp+" kd="+r.kd+" rate=1000")
						} else {
							args = append(args, "--repeat", "2")
						}
						benchmarkRow(t, r.name, class.Name, args)
					})
				}
			}
		})
	}
}

// The table of saturating drives in docs/controller.md: IDENT_BENCHMARK is the number of trials of the two links, 3/8 of it that of the six
// axes, and five times that of a pendulum with five times the noise.
func TestSaturatingDrives(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("IDENT_BENCHMARK"))
	if err != nil {
		t.Skip("IDENT_BENCHMARK gives no number of trials")
	}
	robots := benchmarkRobots()
	for _, c := range []struct {
		robot  benchmarkRobot
		limit  string
		noise  string // of positions, rad
		trials int
	}{{robots[0], "6", "0.005", 5 * n}, {robots[1], "35,8", "0.001", max(2, n)}, {robots[4], "26,70,25,6,4,2", "0.001", max(2, n*3/8)}} {
		file, motion := c.robot.write(t, t.TempDir())
		benchmarkRow(t, c.robot.name, "limit "+c.limit, []string{"simulate", file, "--trajectory", motion, "--rate", "200", "--position-noise", c.noise,
			"--controller", "pd kp=" + c.robot.kp + " kd=" + c.robot.kd + " rate=1000 limit=" + c.limit, "--trials", strconv.Itoa(c.trials), "--estimators", "wls,iv,didim", "--json"})
	}
}

// benchmarkRow prints a row: of each estimator the coverage in per cent, bias and scatter in stated deviations (root mean squares over the
// parameters), and how many fits failed.
func benchmarkRow(t *testing.T, name, class string, args []string) {
	var out, errs bytes.Buffer
	if code := run(context.Background(), args, streams{out: &out, err: &errs}); code != exitDone {
		t.Fatalf("%s, %s: %s", name, class, errs.String())
	}
	var doc identify.TrialsReport
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	cells := []string{name, class}
	for _, e := range doc.Estimators {
		if e.Failed > 0 {
			t.Logf("%s, %s, %s, %d of %d: %s", name, class, e.Name, e.Failed, doc.Trials, e.Reason)
		}
		if e.Fits < 2 {
			cells = append(cells, "no fit")
			continue
		}
		scatter := 0.0
		for _, p := range e.Parameters {
			scatter += p.Scatter * p.Scatter / (p.Stated * p.Stated) / float64(len(e.Parameters))
		}
		cell := fmt.Sprintf("%.0f, %.1f, %.1f", e.Coverage, e.BiasInStated, math.Sqrt(scatter))
		if e.Failed > 0 {
			cell += fmt.Sprintf(" (%d failed)", e.Failed)
		}
		cells = append(cells, cell)
	}
	t.Logf("| %s |", strings.Join(cells, " | "))
}

type benchmarkRobot struct {
	name   string
	joints []string
	text   string
	kp, kd string // of a loop of some 20 rad/s, by joint
}

// write puts the robot and its motion into files.
func (r *benchmarkRobot) write(t *testing.T, dir string) (file, motion string) {
	t.Helper()
	file, motion = filepath.Join(dir, r.name+".yaml"), filepath.Join(dir, r.name+".json")
	for path, text := range map[string]string{file: r.text, motion: benchmarkMotion(r.joints)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return file, motion
}

// benchmarkRobots are five robots of one to six joints.
func benchmarkRobots() []benchmarkRobot {
	type body struct {
		kind, origin string
		mass, length float64
	}
	link := func(i int, b body) string {
		kind, origin, mass, length := b.kind, b.origin, b.mass, b.length
		return fmt.Sprintf("  - name: link%d\n    joint: {name: j%d, kind: %s, drive: {ia: %g, fv: %g, fs: %g, gear_ratio: 100}}\n    origin: {%s}\n    inertial: {mass: %g, com: [%g, 0.02, 0.01], inertia: {ixx: %g, iyy: %g, izz: %g}}\n",
			i, i, kind, 0.1*mass, 0.5*mass, 0.7*mass, origin, mass, length/2, 0.004*mass, 0.02*mass, 0.022*mass)
	}
	var out []benchmarkRobot
	for _, r := range []struct {
		name  string
		links []body
	}{
		{"pendulum", []body{{"revolute", "rpy: [Pi/2, 0, 0]", 2, 0.5}}},
		{"two-link", []body{{"revolute", "rpy: [Pi/2, 0, 0]", 4, 0.5}, {"revolute", "xyz: [0.5, 0, 0]", 2, 0.4}}},
		{"scara", []body{{"revolute", "xyz: [0, 0, 0.3]", 5, 0.4}, {"revolute", "xyz: [0.4, 0, 0]", 3, 0.3}, {"prismatic", "xyz: [0.3, 0, 0]", 1, 0.1}}},
		{"elbow", []body{{"revolute", "xyz: [0, 0, 0.3]", 6, 0.1}, {"revolute", "rpy: [Pi/2, 0, 0]", 5, 0.5}, {"revolute", "xyz: [0.5, 0, 0]", 3, 0.4}}},
		{"six-axis", []body{{"revolute", "xyz: [0, 0, 0.3]", 6, 0.1}, {"revolute", "rpy: [Pi/2, 0, 0]", 5, 0.5}, {"revolute", "xyz: [0.5, 0, 0]", 3, 0.1},
			{"revolute", "xyz: [0.1, -0.4, 0], rpy: [Pi/2, 0, 0]", 1.5, 0.1}, {"revolute", "rpy: [-Pi/2, 0, 0]", 1, 0.1}, {"revolute", "rpy: [Pi/2, 0, 0]", 0.5, 0.1}}},
	} {
		b := benchmarkRobot{name: r.name, text: "name: " + r.name + "\nlinks:\n"}
		for i, l := range r.links {
			b.text += link(i+1, l)
			b.joints = append(b.joints, fmt.Sprintf("j%d", i+1))
			if i > 0 {
				b.kp, b.kd = b.kp+",", b.kd+","
			}
			b.kp, b.kd = b.kp+fmt.Sprint(300*l.mass), b.kd+fmt.Sprint(30*l.mass)
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

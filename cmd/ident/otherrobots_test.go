package main

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ident/datasets"
	"ident/doctor"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/result"
	"ident/robot"
	"ident/robot/format/yaml"
)

// otherLog is a simulated log of a robot that no measured log is of.
type otherLog struct {
	robot   string  // of the shared cases, or "pendulum"
	rate    float64 // Hz
	seconds float64
	moves   bool // from point to point, with rests; else Fourier series
	single  bool // the same, one joint after the other
	fault   string
	ids     []string // of findings or reasons that name the fault; nil for a clean log
	do      func(c map[string][]float64, n int)
	args    []string
	bare    bool // the robot file has no bodies
	noSpeed bool // positions only
}

// otherRobot is one with bodies, friction and rotors drawn at random.
func otherRobot(t *testing.T, name string, rng *rand.Rand) *robot.Robot {
	t.Helper()
	r := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1, Alpha: math.Pi / 2}})
	if name != "pendulum" {
		r = testrobot.CaseOf(t, name).Robot(t)
	}
	for k := range r.Links {
		l := &r.Links[k]
		l.Inertial, l.HasInertial = testrobot.Body(rng), true
		l.Own = l.Inertial
		j := &l.Joint
		j.Ia, j.Fv, j.Fs, j.Fo = 0.1+0.2*rng.Float64(), 1+rng.Float64(), 1+2*rng.Float64(), 0.3
		j.Velocity, j.Effort = 5, 2000
		j.Lower, j.Upper = -3, 3
	}
	return r
}

// record has the robot move and its sensors measure.
func (o otherLog) record(t *testing.T, r *robot.Robot, rng *rand.Rand) (names []string, c map[string][]float64) {
	t.Helper()
	n, rows := r.DOF(), int(o.rate*o.seconds)
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	type wave struct{ size, rate, phase float64 }
	waves := make([][]wave, n)
	points := make([][]float64, n)
	const move, rest = 1.1, 0.4 // s
	for j := range n {
		size := 0.5
		if r.Links[r.Moving()[j]].Joint.Kind == robot.Prismatic {
			size = 0.15
		}
		for h := range 4 {
			waves[j] = append(waves[j], wave{size * (0.5 + rng.Float64()) / float64(1+h), 2 * math.Pi * 0.13 * float64(1+h) * (1 + 0.1*rng.Float64()), 2 * math.Pi * rng.Float64()})
		}
		for range int(o.seconds/(move+rest)) + 2 {
			points[j] = append(points[j], 2.2*size*(2*rng.Float64()-1))
		}
	}
	if o.single {
		for j := range n {
			for k := 1; k < len(points[j]); k++ {
				if k%n != j {
					points[j][k] = points[j][k-1]
				}
			}
		}
	}
	path := func(j int, at float64) float64 {
		if o.moves || o.single {
			k := int(max(at, 0) / (move + rest))
			s := min(max(at-float64(k)*(move+rest)-rest, 0)/move, 1)
			return points[j][k] + (points[j][k+1]-points[j][k])*s*s*s*(10+s*(6*s-15))
		}
		sum := 0.0
		for _, w := range waves[j] {
			sum += w.size * math.Sin(w.rate*at+w.phase)
		}
		return sum
	}
	c = map[string][]float64{"t": make([]float64, rows)}
	names = []string{"t"}
	for _, p := range []string{"q", "dq", "tau"} {
		for j := range n {
			name := fmt.Sprint(p, j+1)
			c[name] = make([]float64, rows)
			if p != "dq" || !o.noSpeed {
				names = append(names, name)
			}
		}
	}
	q, dq, ddq, tau, color := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	held := make([]float64, n) // friction at rest, of the last move
	const step = 1e-4
	for k := range rows {
		at := float64(k) / o.rate
		c["t"][k] = at
		for j := range n {
			before, now, after := path(j, at-step), path(j, at), path(j, at+step)
			q[j], dq[j], ddq[j] = now, (after-before)/(2*step), (after-2*now+before)/(step*step)
		}
		tree.InverseDynamics(tau, q, dq, ddq)
		for j := range n {
			d := r.Links[r.Moving()[j]].Joint
			// Noise of half a percent, correlated over some 10 ms, and friction that follows reversals at once.
			a := math.Exp(-100 / o.rate)
			color[j] = a*color[j] + math.Sqrt(1-a*a)*rng.NormFloat64()
			quantum := 2 * math.Pi / (1 << 19)
			c[fmt.Sprint("q", j+1)][k] = math.Round(q[j]/quantum) * quantum
			c[fmt.Sprint("dq", j+1)][k] = dq[j] + 5e-4*rng.NormFloat64()
			friction := d.Fv*dq[j] + d.Fo
			if math.Abs(dq[j]) > 1e-6 {
				friction += math.Copysign(d.Fs, dq[j])
				held[j] = math.Copysign(0.7*d.Fs, dq[j])
			} else if o.single {
				friction += held[j]
			}
			c[fmt.Sprint("tau", j+1)][k] = tau[j] + d.Ia*ddq[j] + friction + 0.1*color[j] + 0.1*rng.NormFloat64()
		}
	}
	return names, c
}

// logsOfOtherRobots are clean logs and logs with faults, of kinds that the measured logs are not.
func logsOfOtherRobots() []otherLog {
	by := func(channel string, factor float64) func(c map[string][]float64, n int) {
		return func(c map[string][]float64, n int) { scale(c[channel], factor) }
	}
	epoch := func(c map[string][]float64, n int) {
		for i := range c["t"] {
			c["t"][i] += 1.7e9
		}
	}
	return []otherLog{
		{robot: "planar2r_vertical", rate: 50, seconds: 20, noSpeed: true},
		{robot: "scara_rrpr", rate: 4000, seconds: 6},
		{robot: "gantry_ppp", rate: 250, seconds: 25, moves: true},
		{robot: "cylindrical_rpp", rate: 100, seconds: 20, do: epoch},
		{robot: "pendulum", rate: 200, seconds: 10},
		{robot: "rx90", rate: 1000, seconds: 8, moves: true},
		{robot: "stanford", rate: 500, seconds: 15, noSpeed: true},
		{robot: "wam7", rate: 2000, seconds: 12, moves: true},
		{robot: "puma560_akb", rate: 125, seconds: 30, do: func(c map[string][]float64, n int) { // an irregular clock
			for i := range c["t"] {
				c["t"][i] += 1e-4 * math.Sin(float64(i*i))
			}
		}},
		{robot: "ur10", rate: 1000, seconds: 20, bare: true},
		{robot: "rx90", rate: 200, seconds: 15, bare: true},
		{robot: "stanford", rate: 100, seconds: 20, moves: true, noSpeed: true, bare: true},
		{robot: "rx90", rate: 100, seconds: 60, single: true, noSpeed: true},
		{robot: "scara_rrpr", rate: 1000, seconds: 25, single: true},
		{robot: "cylindrical_rpp", rate: 200, seconds: 30, single: true, bare: true, noSpeed: true},

		{robot: "scara_rrpr", rate: 1000, seconds: 12, fault: "sign of velocity 2", ids: []string{doctor.Sign}, do: by("dq2", -1)},
		{robot: "rx90", rate: 250, seconds: 15, fault: "joint 3 in degrees", ids: []string{doctor.Units}, do: func(c map[string][]float64, n int) {
			scale(c["q3"], 180/math.Pi)
			scale(c["dq3"], 180/math.Pi)
		}},
		{robot: "gantry_ppp", rate: 250, seconds: 15, fault: "joint 2 in mm", ids: []string{doctor.Units}, do: func(c map[string][]float64, n int) {
			scale(c["q2"], 1000)
			scale(c["dq2"], 1000)
		}},
		{robot: "cylindrical_rpp", rate: 100, seconds: 20, fault: "every twentieth stamp repeated", ids: []string{doctor.ClockRepeat}, do: func(c map[string][]float64, n int) {
			epoch(c, n)
			for i := 20; i < len(c["t"]); i += 20 {
				c["t"][i] = c["t"][i-1]
			}
		}},
		{robot: "stanford", rate: 500, seconds: 15, fault: "position 5 frozen", ids: []string{doctor.Stuck}, do: func(c map[string][]float64, n int) { frozen(c["q5"]) }},
		{robot: "wam7", rate: 500, seconds: 20, fault: "torque 2 clipped", ids: []string{doctor.Saturated}, do: func(c map[string][]float64, n int) {
			x := c["tau2"]
			lo, hi := slices.Min(x), slices.Max(x)
			for i, v := range x {
				x[i] = min(max(v, lo+0.15*(hi-lo)), hi-0.15*(hi-lo))
			}
		}},
		{robot: "puma560_akb", rate: 125, seconds: 20, fault: "outliers", ids: []string{doctor.Spike}, do: func(c map[string][]float64, n int) {
			for i := 50; i < len(c["t"]); i += 331 {
				c["tau3"][i] += 400
			}
		}},
		{robot: "planar2r_vertical", rate: 50, seconds: 20, noSpeed: true, fault: "torque 2 by 0.5", ids: []string{doctor.GearRatio}, do: by("tau2", 0.5)},
		{robot: "pendulum", rate: 200, seconds: 10, fault: "sign of the torque", ids: []string{doctor.Sign}, do: by("tau1", -1)},
		{robot: "ur10", rate: 500, seconds: 20, bare: true, fault: "joints 2 and 3 swapped", ids: []string{doctor.JointOrder}, do: func(c map[string][]float64, n int) { swapJoints(c, 2, 3, "q", "dq", "tau") }},
		{robot: "rx90", rate: 1000, seconds: 10, moves: true, fault: "time in ms", ids: []string{doctor.ClockRate}, do: by("t", 1000)},
		{robot: "gantry_ppp", rate: 250, seconds: 20, fault: "torques 40 ms late", ids: []string{doctor.LagTorque}, do: func(c map[string][]float64, n int) {
			for j := 1; j <= n; j++ {
				late(c, effort(c, j), 0.04)
			}
		}},
		{robot: "gantry_ppp", rate: 250, seconds: 20, moves: true, fault: "sign of torque 2", ids: []string{doctor.Sign}, do: by("tau2", -1)},
		{robot: "stanford", rate: 250, seconds: 20, fault: "base tilted by 20°", ids: []string{doctor.Gravity}, args: tiltedGravity(math.Pi / 9)},
		{robot: "rx90", rate: 250, seconds: 20, bare: true, fault: "base tilted by 90°", ids: []string{doctor.Gravity, doctor.JointOrder, doctor.Offset, doctor.RobotMismatch}, args: tiltedGravity(math.Pi / 2)},
		{robot: "wam7", rate: 200, seconds: 20, noSpeed: true, fault: "zero of joint 4 by 0.3 rad", ids: []string{doctor.Offset}, do: func(c map[string][]float64, n int) {
			for i := range c["q4"] {
				c["q4"][i] += 0.3
			}
		}},
		{robot: "rx90", rate: 500, seconds: 20, moves: true, fault: "torque 1 by 0.5", ids: []string{doctor.GearRatio}, do: by("tau1", 0.5)},
		{robot: "cylindrical_rpp", rate: 400, seconds: 20, fault: "sign of all torques", ids: []string{doctor.Sign}, do: func(c map[string][]float64, n int) {
			for j := 1; j <= n; j++ {
				scale(c[fmt.Sprint("tau", j)], -1)
			}
		}},
		{robot: "puma560_akb", rate: 250, seconds: 25, moves: true, fault: "friction that falls to nothing", ids: []string{doctor.Drift}, do: faultsOfParts()[14].do},
		{robot: "rx90", rate: 100, seconds: 60, single: true, fault: "one joint at a time, sign of torque 2", ids: []string{doctor.Sign}, do: by("tau2", -1)},
		{robot: "wam7", rate: 250, seconds: 60, single: true, fault: "one joint at a time, torque 2 by 0.5", ids: []string{doctor.GearRatio}, do: by("tau2", 0.5)},
		{robot: "scara_rrpr", rate: 50, seconds: 30, fault: "positions 3 and 4 exchanged", ids: []string{doctor.JointOrder, doctor.RobotMismatch}, do: func(c map[string][]float64, n int) { swapJoints(c, 3, 4, "q", "dq") }},
		{robot: "rx90", rate: 1000, seconds: 12, fault: "encoders of 12 bits, sign of torque 3", ids: []string{doctor.Sign}, do: func(c map[string][]float64, n int) {
			const step = 2 * math.Pi / (1 << 12)
			for j := range n {
				for i, q := range c[fmt.Sprint("q", j+1)] {
					c[fmt.Sprint("q", j+1)][i] = step * math.Round(q/step)
				}
			}
			scale(c["tau3"], -1)
		}},
	}
}

// Logs of robots, rates and conventions that the measured ones do not have: a clean one is called sound and told of
// no fault, and a fault is named, by a refusal, a finding or a reason of the grade.
func TestLogsOfOtherRobots(t *testing.T) {
	long.Only(t, "TestFaultMatrix has a fault of two measured logs, and package doctor's TestCleanCases clean logs of other robots")
	caught, seeded := 0, 0
	logs := logsOfOtherRobots()
	for i, o := range logs {
		name := fmt.Sprintf("%s at %g Hz, %s", o.robot, o.rate, cmp.Or(o.fault, "clean"))
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(i), 31))
			r := otherRobot(t, o.robot, rng)
			names, c := o.record(t, r, rng)
			if o.do != nil {
				o.do(c, r.DOF())
			}
			if o.bare {
				for k := range r.Links {
					l := &r.Links[k]
					l.Inertial, l.Own, l.HasInertial = robot.Inertial{}, robot.Inertial{}, false
				}
			}
			for k := range r.Links {
				j := &r.Links[k].Joint
				j.Ia, j.Fv, j.Fs, j.Fo = 0, 0, 0, 0
			}
			dir := t.TempDir()
			file, path := filepath.Join(dir, "robot.yaml"), filepath.Join(dir, "log.parquet")
			var text bytes.Buffer
			if err := yaml.Write(&text, r); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			var channels []datasets.Channel
			var cols [][]float64
			for _, n := range names {
				channels, cols = append(channels, datasets.Channel{Name: n}), append(cols, c[n])
			}
			if err := datasets.Write(path, channels, nil, func(w *datasets.Writer) error { return w.Append(cols) }); err != nil {
				t.Fatal(err)
			}
			if keep := os.Getenv("OTHER_LOGS"); keep != "" {
				to := filepath.Join(keep, strings.ReplaceAll(name, " ", "_"))
				if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
					t.Fatal(err)
				}
			}
			j := judge(t, append([]string{path, "--robot", file}, o.args...)...)
			ids := append(slices.Clone(j.reasons), j.findings...)
			line := fmt.Sprintf("| %s | exit %d %s %.2f %% | %s |", name, j.code, j.grade, j.error, strings.Join(ids, " "))
			if o.fault == "" {
				t.Log(line)
				// A short log may leave parameters open: that is no fault of it.
				if j.code != 0 || j.torques.Value != result.Sound || len(j.findings) > 0 {
					t.Errorf("clean: exit %d, %s for %v: %s", j.code, j.grade, ids, j.message)
				}
				return
			}
			seeded++
			ok := (j.code != 0 || j.grade != string(result.Sound)) && slices.ContainsFunc(o.ids, func(id string) bool { return slices.Contains(ids, id) })
			if ok {
				caught++
			}
			t.Log(line, ok)
		})
	}
	t.Logf("%d of %d faults named", caught, seeded)
	if 10*(seeded-caught) > seeded {
		t.Errorf("%d of %d faults named", caught, seeded)
	}
}

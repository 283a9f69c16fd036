package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"ident/excite"
	"ident/internal/long"
	"ident/internal/mujocotest"
	robots "ident/robot"
	"ident/robot/format"
)

// parsed are the points of a program with their times, rad; the first is that of the joint move.
type parsed struct {
	t []float64
	q [][]float64
}

// numbersIn reads all numbers of a text.
func numbersIn(t *testing.T, text string) []float64 {
	t.Helper()
	var out []float64
	for _, s := range regexp.MustCompile(`[-+]?\d+\.\d+|[-+]?\d+`).FindAllString(text, -1) {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// parseProgram reads a program back by the grammar of its language.
func parseProgram(t *testing.T, language, text string) (p parsed, lead float64) {
	t.Helper()
	add := func(at float64, q []float64, scale float64) {
		if len(q) != 6 {
			t.Fatalf("%s: point %d has %d joints", language, len(p.t), len(q))
		}
		for i := range q {
			q[i] *= scale
		}
		p.t, p.q = append(p.t, at), append(p.q, q)
	}
	last := func() float64 { return p.t[len(p.t)-1] }
	const degree = math.Pi / 180
	switch language {
	case "urscript":
		for _, m := range regexp.MustCompile(`(?m)^  (movej|servoj)\(\[(.*?)\], (.*)\)$`).FindAllStringSubmatch(text, -1) {
			if m[1] == "movej" {
				add(0, numbersIn(t, m[2]), 1)
				continue
			}
			add(last()+numbersIn(t, m[3])[2], numbersIn(t, m[2]), 1)
		}
	case "krl":
		axis := regexp.MustCompile(`A\d `)
		total := numbersIn(t, regexp.MustCompile(`TIME_BLOCK END = (.*)`).FindStringSubmatch(text)[1])[0]
		part, points := 0.0, regexp.MustCompile(`(?m)^ +(S?PTP) \{(.*)\}$`).FindAllStringSubmatch(text, -1)
		parts := regexp.MustCompile(`TIME_BLOCK PART = (.*)`).FindAllStringSubmatch(text, -1)
		if len(parts) != len(points)-2 { // all but the first move and the last segment
			t.Fatalf("%d parts of %d points", len(parts), len(points))
		}
		for k, m := range points {
			if k > 0 && k <= len(parts) {
				part += numbersIn(t, parts[k-1][1])[0] / 100
			} else if k > 0 {
				part = 1
			}
			add(part*total, numbersIn(t, axis.ReplaceAllString(m[2], "")), degree)
		}
	case "rapid":
		for k, m := range regexp.MustCompile(`(?m)MoveAbsJ \[\[(.*?)\],\[9E9(?:,9E9){5}\]\]\\NoEOffs, (\w+)(?:\\T:=([\d.]+))?, (\w+), tool0;$`).FindAllStringSubmatch(text, -1) {
			if k == 0 {
				if m[2] != "slow" || m[4] != "fine" {
					t.Fatalf("the first move is %q", m[0])
				}
				add(0, numbersIn(t, m[1]), degree)
				continue
			}
			add(last()+numbersIn(t, m[3])[0], numbersIn(t, m[1]), degree)
		}
	case "ros2":
		var doc struct {
			Points []struct {
				Positions, Velocities []float64
				Time                  struct{ Sec, Nanosec float64 } `yaml:"time_from_start"`
			}
		}
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		for _, x := range doc.Points {
			at := x.Time.Sec + 1e-9*x.Time.Nanosec
			if len(p.t) == 0 {
				lead = at
			}
			add(at-lead, x.Positions, 1)
		}
		for _, v := range append(doc.Points[0].Velocities, doc.Points[len(doc.Points)-1].Velocities...) {
			if math.Abs(v) > 1e-9 {
				t.Errorf("ros2: begins or ends with a velocity of %g", v)
			}
		}
	}
	return p, lead
}

// columns reads the positions of a simulated log.
func columns(t *testing.T, path string) (q [][]float64) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reader := csv.NewReader(strings.NewReader(string(text)))
	reader.Comment, reader.FieldsPerRecord = '#', -1
	rows, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var at []int
	for k, name := range rows[0] {
		if strings.HasPrefix(name, "q") && len(at) < 6 {
			at = append(at, k)
		}
	}
	for _, row := range rows[1:] {
		var x []float64
		for _, k := range at {
			v, err := strconv.ParseFloat(row[k], 64)
			if err != nil {
				break // a line of units
			}
			x = append(x, v)
		}
		if len(x) == 6 {
			q = append(q, x)
		}
	}
	return q
}

// Each program, read back, has the positions of the design at its times, keeps its limits, and is followed by the simulated robot as the
// design is.
func TestProgramsReadBack(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const robot = "../../datasets/example/puma560.urdf"
	ident(t, "design-trajectory", robot, "--period", "6", "--harmonics", "2", "--starts", "1", "-o", at("design.json"))
	text, err := os.ReadFile(at("design.json"))
	if err != nil {
		t.Fatal(err)
	}
	m := new(excite.Trajectory)
	if err := m.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	ident(t, "simulate", robot, "--trajectory", at("design.json"), "--rate", "50", "--ideal", "-o", at("design.csv"))
	want := columns(t, at("design.csv"))
	var followed []mujocotest.Question
	for _, l := range excite.ProgramLanguages()[:long.Of(len(excite.ProgramLanguages()), 2)] {
		ident(t, "design-trajectory", robot, "--judge", at("design.json"), "--to", l.Name, "--rate", "100", "-o", at("program"))
		text, err := os.ReadFile(at("program"))
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range []string{"Not tried on a robot", "limit of velocity: ", "controller: ", "at a tenth of the limits"} {
			if !strings.Contains(string(text), words) {
				t.Errorf("%s: the header lacks %q", l.Name, words)
			}
		}
		p, lead := parseProgram(t, l.Name, string(text))
		if l.Name == "ros2" && lead < 1 {
			t.Errorf("ros2: %g s for the way to the first point", lead)
		}
		n, d := len(p.t), m.Duration()
		if p.t[n-1] < d-1e-6 || p.t[n-1] > d+1/l.Rate(100) {
			t.Errorf("%s: ends at %g s of %g", l.Name, p.t[n-1], d)
		}
		q, dq, ddq := make([]float64, 6), make([]float64, 6), make([]float64, 6)
		off, fast := 0.0, 0.0
		for k, x := range p.q {
			m.Eval(min(p.t[k], d), q, dq, ddq)
			for i := range x {
				off = max(off, math.Abs(x[i]-q[i]))
				if k > 0 {
					fast = max(fast, math.Abs(x[i]-p.q[k-1][i])/(p.t[k]-p.t[k-1])/m.Bound(i, 1))
				}
			}
		}
		if off > 2e-6 {
			t.Errorf("%s: %g rad from the design", l.Name, off)
		}
		if fast > 1.001 {
			t.Errorf("%s: %g of the design's bound of velocity", l.Name, fast)
		}

		var replay strings.Builder
		replay.WriteString("t")
		for i := range 6 {
			fmt.Fprintf(&replay, ",q%d", i+1)
		}
		replay.WriteByte('\n')
		for k := range p.t {
			fmt.Fprintf(&replay, "%.9f", p.t[k])
			for _, v := range p.q[k] {
				fmt.Fprintf(&replay, ",%.9f", v)
			}
			replay.WriteByte('\n')
		}
		if err := os.WriteFile(at("replay.csv"), []byte(replay.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		ident(t, "simulate", robot, "--trajectory", at("replay.csv"), "--rate", "50", "--ideal", "-o", at("replayed.csv"))
		got := columns(t, at("replayed.csv"))
		if len(got) < len(want)-1 || len(want) < 200 {
			t.Fatalf("%s: %d rows replayed, %d of the design", l.Name, len(got), len(want))
		}
		apart := 0.0
		for k := range min(len(got), len(want)) {
			for i := range 6 {
				apart = max(apart, math.Abs(got[k][i]-want[k][i]))
			}
		}
		// Between points the replay is a spline of its own: with h between them it is off by the fourth derivative times h⁴/384.
		bound := 1e-5
		for i := range 6 {
			bound = max(bound, 1e-5+m.Bound(i, 4)*math.Pow(1/l.Rate(100), 4)/24)
		}
		t.Logf("%s: %d points, %.2g rad from the design, %.2g rad in simulation (bound %.2g)", l.Name, n, off, apart, bound)
		if apart > bound {
			t.Errorf("%s: the simulated robot is %g rad away from the design, bound %g", l.Name, apart, bound)
		}
		if !long.Set() {
			continue // what follows is for MuJoCo
		}
		ident(t, "simulate", robot, "--trajectory", at("replay.csv"), "--rate", "1000", "--ideal", "-o", at("fine.csv"))
		followed = append(followed, pursuit(columns(t, at("fine.csv")), 1e-3))
	}

	t.Run("in MuJoCo", func(t *testing.T) {
		long.Only(t, "the simulation above")
		ident(t, "robot", robot, "--to", "mjcf", "-o", at("puma.xml"))
		model, err := os.ReadFile(at("puma.xml"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range followed {
			followed[i].Model = string(model)
		}
		r, err := format.Open(robot, robots.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for k, a := range mujocotest.Inverse(t, followed) {
			name, aims := excite.ProgramLanguages()[k].Name, followed[k].Replay.Follow
			if a.Error != "" || len(a.Path) != len(aims) {
				t.Fatalf("%s: %s, %d states of %d", name, a.Error, len(a.Path), len(aims))
			}
			apart := 0.0
			for s := range len(aims) - 1 {
				for i, v := range a.Path[s].Q { // a state is reached when the next one is aimed at
					apart = max(apart, math.Abs(v-aims[s+1].Q[i]))
				}
			}
			for i, j := range r.Moving() {
				l := r.Links[j].Joint
				for s := range a.Path {
					if v := a.Path[s].Q[i]; v < l.Lower || v > l.Upper || math.Abs(a.Path[s].DQ[i]) > 1.001*l.Velocity || math.Abs(a.Torques[s][i]) > l.Effort {
						t.Fatalf("%s: joint %d leaves its limits at row %d: %g rad of %g to %g, %g rad/s of %g, %g N·m of %g", name, i+1, s, v, l.Lower, l.Upper, a.Path[s].DQ[i], l.Velocity, a.Torques[s][i], l.Effort)
					}
				}
			}
			t.Logf("%s: MuJoCo's robot is %.2g rad away from the program", name, apart)
			if apart > 1e-4 {
				t.Errorf("%s: MuJoCo's robot is %g rad away from the program", name, apart)
			}
		}
	})
}

// pursuit asks MuJoCo to follow positions that are a step apart, s. Torques are held over a step, which leaves step·jerk/(2·servo²) of error:
// 1e-5 rad at the 1000 rad/s³ of such a motion.
func pursuit(q [][]float64, step float64) mujocotest.Question {
	r := &mujocotest.Replay{Q: q[0], DQ: make([]float64, len(q[0])), Servo: 200, Step: step, Steps: 1}
	for k := 1; k < len(q)-1; k++ {
		s := mujocotest.State{Q: q[k]}
		for i := range q[k] {
			s.DQ = append(s.DQ, (q[k+1][i]-q[k-1][i])/(2*step))
			s.DDQ = append(s.DDQ, (q[k+1][i]-2*q[k][i]+q[k-1][i])/(step*step))
		}
		r.Follow = append(r.Follow, s)
	}
	return mujocotest.Question{Replay: r}
}

// Formats that do not exist, or contradict a name, are refused before the search.
func TestProgramFormats(t *testing.T) {
	const robot = "../../datasets/example/puma560.urdf"
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		why  string
	}{
		{[]string{"--to", "urscrpt"}, "unknown format urscrpt; did you mean urscript?"},
		{[]string{"--to", "npz", "-o", filepath.Join(dir, "a.csv")}, "contradict each other"},
		{[]string{"--to", "krl", "-o", filepath.Join(dir, "a.src"), "-o", filepath.Join(dir, "b.csv")}, "give one -o"},
		{[]string{"--to", "krl", "-o", "-"}, "-o - is CSV"},
	} {
		if code, text := failing(t, append([]string{"design-trajectory", robot}, c.args...)...); code != exitUsage || !strings.Contains(text, c.why) {
			t.Errorf("%v: %d %s", c.args, code, text)
		}
	}
}

// failing runs the program and returns its code and what it says of the error.
func failing(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out, errs strings.Builder
	code := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &errs})
	return code, errs.String()
}

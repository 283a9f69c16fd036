package identify

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/identify/folder"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/internal/testrobot"
	"ident/mechanics/loads"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/yaml"
	"ident/simulate"
)

// circling moves all joints as sines of different frequencies.
type circling int

func (c circling) DOF() int { return int(c) }

func (circling) Duration() float64 { return 4 }

func (circling) Periodic() bool { return false }

func (c circling) Eval(t float64, q, dq, ddq []float64) {
	for i := range q {
		w := 1 + 0.7*float64(i)
		sin, cos := math.Sincos(w * t)
		q[i], dq[i], ddq[i] = 0.8*sin, 0.8*w*cos, -0.8*w*w*sin
	}
}

// A log without noise gives the loads of its exact motion: peaks within the differences' error, which the
// low-pass at 50 Hz and five points at 500 Hz keep below 1e-6 of motions of some 3 rad/s.
func TestLogGivesItsMotion(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	r := testrobot.Random(rng, 3, false)
	for j := range r.Links {
		r.Links[j].Joint.Ia = 0.1
	}
	e, err := simulate.Run(context.Background(), r, circling(3), simulate.Options{Rate: 500})
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "log.csv")
	columns := []loads.Column{}
	for i, x := range e.Exact.Q {
		columns = append(columns, loads.Column{Name: "q" + string(rune('1'+i)), Unit: "", Values: x}, loads.Column{Name: "tau" + string(rune('1'+i)), Unit: "", Values: e.Exact.Tau[i]})
	}
	if err := writeLoadsSeries(log, "arm", e.T, columns); err != nil {
		t.Fatal(err)
	}
	trim := 0.5
	cutoff := 50.0
	s, err := NewLoadedRobot("r", r, &project.Settings{Trim: &trim, MotionCutoff: &cutoff})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Loads(context.Background(), LoadsQuery{Motion: log})
	if err != nil {
		t.Fatal(err)
	}
	exact := loads.Series{T: e.T[250:1751], Q: part(e.Exact.Q), DQ: part(e.Exact.DQ), DDQ: part(e.Exact.DDQ)}
	want, err := loads.Of(t.Context(), r, exact, loads.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Samples != want.Samples {
		t.Fatalf("%d samples, want %d", got.Samples, want.Samples)
	}
	for i, d := range want.Drives {
		for _, x := range [][2]float64{{got.Drives[i].Torque.Value, d.Torque.Value}, {got.Drives[i].RMS, d.RMS}, {got.Drives[i].Given, d.Given}} {
			if math.Abs(x[0]-x[1]) > 1e-6*math.Abs(d.Torque.Value) {
				t.Errorf("drive %d: %v, want %v", i+1, got.Drives[i], d)
			}
		}
	}
	for i, b := range want.Bearings {
		if g := got.Bearings[i]; math.Abs(g.Radial.Value-b.Radial.Value) > 1e-6*b.Radial.Value {
			t.Errorf("bearing %d: %v, want %v", i+1, g.Radial, b.Radial)
		}
	}
}

func part(x [][]float64) (out [][]float64) {
	for _, col := range x {
		out = append(out, col[250:1751])
	}
	return out
}

// The deviation of a torque is √(φᵀ·C·φ) with φ the change of the torque by each parameter, of which it is a
// linear function.
func TestDeviation(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	r := testrobot.Random(rng, 3, false)
	model, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	n := len(model.Columns())
	m := &torqueModel{model: model.Compiled(), values: make([]float64, n), covariance: make([][]float64, n)}
	root := make([][]float64, n)
	for i := range root {
		m.covariance[i], root[i] = make([]float64, n), make([]float64, n)
		for k := range root[i] {
			root[i][k] = rng.NormFloat64()
		}
	}
	for i := range root {
		for k := range root {
			for l := range root {
				m.covariance[i][k] += root[i][l] * root[k][l]
			}
		}
	}
	q, dq, ddq := []float64{0.3, -0.4, 0.9}, []float64{1, 2, -1}, []float64{-2, 1, 3}
	joints := model.Joints()
	torques := func(chi []float64) [][]float64 {
		tau := make([][]float64, joints)
		for i := range tau {
			tau[i] = []float64{0}
		}
		in := regressor.Batch{}
		for i := range q {
			in.Q, in.DQ, in.DDQ = append(in.Q, q[i:i+1]), append(in.DQ, dq[i:i+1]), append(in.DDQ, ddq[i:i+1])
		}
		if err := regressor.NewTorques(model).Eval(tau, in, chi); err != nil {
			t.Fatal(err)
		}
		return tau
	}
	for joint := range joints {
		phi := make([]float64, n)
		for c := range phi {
			chi := make([]float64, n)
			chi[c] = 1
			phi[c] = torques(chi)[joint][0]
		}
		want := 0.0
		for l := range n { // ‖φᵀ·root‖²
			sum := 0.0
			for i := range n {
				sum += phi[i] * root[i][l]
			}
			want += sum * sum
		}
		if got := m.deviation(joint, q, dq, ddq); math.Abs(got-math.Sqrt(want)) > 1e-10*math.Sqrt(want) {
			t.Errorf("joint %d: %g, want %g", joint+1, got, math.Sqrt(want))
		}
	}
}

// A payload's place is in the link's own frame, wherever frame j is.
func TestPayloadFrame(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(5, 6)), 2, false)
	r.Links[1].UserFrame = robot.Transform{R: [3][3]float64{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, P: [3]float64{0.1, 0.2, 0.3}}
	s := &LoadedRobot{Robot: r}
	p, err := s.payload("link2=2,0.5,0,0")
	if err != nil {
		t.Fatal(err)
	}
	if com, _ := p.Body.CentreOfMass(); math.Abs(com[0]-0.1) > 1e-15 || math.Abs(com[1]-0.7) > 1e-15 || p.Point != [3]float64{0.1, 0.2, 0.3} {
		t.Errorf("%v %v", com, p.Point)
	}
}

// Measured accelerations of a log go through the filters too: taken as they are, their noise makes 390 N·m of the
// second joint's 33.
func TestMeasuredLog(t *testing.T) {
	dir := filepath.Join(testrobot.DataDir(t), "data", "kuka_lwr4")
	r, err := format.Open(filepath.Join(dir, "model", "kuka_lwr4_gaz.urdf"), robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewLoadedRobot("kuka", r, new(project.Settings))
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Loads(context.Background(), LoadsQuery{Motion: filepath.Join(dir, "measurements_1.csv.gz")})
	if err != nil {
		t.Fatal(err)
	}
	if v := math.Abs(out.Drives[1].Torque.Value); v < 30 || v > 36 {
		t.Errorf("peak torque of %s: %g N·m", out.Drives[1].Joint, v)
	}
}

// The loads that a fit computes are those of its folder and log by the command, but for the digits of result.json.
func TestLoadsOfFit(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(7, 8)), 2, false)
	for j := range r.Links {
		r.Links[j].Joint.Ia = 0.1
	}
	dir := t.TempDir()
	var text strings.Builder
	if err := yaml.Write(&text, r); err != nil {
		t.Fatal(err)
	}
	file, log := filepath.Join(dir, "arm.yaml"), filepath.Join(dir, "log.csv")
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := simulate.Run(t.Context(), r, circling(2), simulate.Options{Rate: 200})
	if err != nil {
		t.Fatal(err)
	}
	columns := []loads.Column{}
	for i, x := range e.Exact.Q {
		columns = append(columns, loads.Column{Name: "q" + string(rune('1'+i)), Values: x}, loads.Column{Name: "tau" + string(rune('1'+i)), Values: e.Exact.Tau[i]})
	}
	if err := writeLoadsSeries(log, "arm", e.T, columns); err != nil {
		t.Fatal(err)
	}
	job, err := project.OpenJob(t.Context(), &project.Settings{Robot: file, Plain: true}, []string{log}, project.JobOptions{RobotGiven: true, Unexamined: true})
	if err != nil {
		t.Fatal(err)
	}
	defer job.Close()
	outcome, err := regression.Fit(t.Context(), job.Session.Robot, job.Terms, job.Train, job.Validate, job.Config)
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Complete(t.Context(), outcome); err != nil {
		t.Fatal(err)
	}
	all, missing, err := loadsOfFit(t.Context(), job, outcome)
	if err != nil || len(all) != 1 || len(missing) > 0 {
		t.Fatalf("%d loads, missing %q, %v", len(all), missing, err)
	}
	result := filepath.Join(dir, "r")
	if err := folder.WriteResult(t.Context(), result, outcome, job.Session.Source, folder.Drawing{Loads: all}); err != nil {
		t.Fatal(err)
	}
	s, err := OpenLoadedRobot(result, folder.Seals{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.Loads(t.Context(), LoadsQuery{Motion: log})
	if err != nil {
		t.Fatal(err)
	}
	got := all[0]
	got.Motion, got.Torques = want.Motion, want.Torques
	a, b := new(bytes.Buffer), new(bytes.Buffer)
	if err := errors.Join(folder.WriteJSON(a, got), folder.WriteJSON(b, want)); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Errorf("the fit has\n%.2000s\nthe command\n%.2000s", a, b)
	}
}

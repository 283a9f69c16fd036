package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ident/excite"
	"ident/identify"
	"ident/identify/design"
	"ident/identify/project"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/result"
)

const twoJoints = `<robot name="arm"><link name="base"/>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.5" rpy="-1.5707963267948966 0 0"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="1" velocity="1.5" effort="100"/><dynamics damping="2" friction="3"/></joint>
<link name="upper"><inertial><origin xyz="0.2 0 0.01"/><mass value="6"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
<limit lower="-2.5" upper="2.5" velocity="2" effort="50"/><dynamics damping="0.5" friction="1"/></joint>
<link name="lower"><inertial><origin xyz="0.15 0.02 0"/><mass value="2"/><inertia ixx="0.005" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link></robot>`

// The library designs what the command designs: the same coefficients, byte for byte, for options in texts and in a struct.
func TestLibraryDesignsAsTheCommand(t *testing.T) {
	dir := t.TempDir()
	arm, by, own := filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "command.json"), filepath.Join(dir, "library.json")
	if err := os.WriteFile(arm, []byte(twoJoints), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		words []string
		opt   identify.DesignOptions
	}{
		"few numbers":           {[]string{"--period", "4", "--harmonics", "2", "--starts", "1"}, identify.DesignOptions{Period: 4, Harmonics: 2, Starts: 1}},
		"numbers that are zero": {[]string{"--margin", "0", "--uncertainty", "0", "--clearance", "0", "--self-collision", "--harmonics", "2", "--starts", "1"}, identify.DesignOptions{Margin: -1, Uncertainty: -1, Clearance: -1, SelfCollision: true, Harmonics: 2, Starts: 1}},
		"a spline with noise":   {[]string{"--shape", "spline", "--pieces", "7", "--criterion", "E", "--noise", "1,2", "--prior", "30", "--repeat", "2", "--tip", "upper:0.5,0,0", "--tip-speed", "0.9", "--starts", "1"}, identify.DesignOptions{Shape: excite.Spline, Pieces: 7, Criterion: excite.EOptimal, Noise: []float64{1, 2}, Prior: 30, Repeats: 2, Tip: design.Tip{Link: "upper", At: &[3]float64{0.5, 0, 0}, Speed: 0.9}, Starts: 1}},
		"slow poses":            {[]string{"--static", "3"}, identify.DesignOptions{Static: 3}},
	} {
		ident(t, append([]string{"design-trajectory", arm, "--seed", "5", "-o", by}, c.words...)...)
		c.opt.Outputs = []string{own}
		d, err := identify.Design(t.Context(), &project.Settings{Robot: arm, Seed: 5}, c.opt)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := d.Write(nil); err != nil {
			t.Fatal(err)
		}
		a, errA := os.ReadFile(by)
		b, errB := os.ReadFile(own)
		if errA != nil || errB != nil || !bytes.Equal(a, b) || len(a) < 200 {
			t.Errorf("%s: %d bytes of the command, %d of the library, %v %v", name, len(a), len(b), errA, errB)
		}
	}
}

// TestDesignPredictsTheFit: the predicted deviations are the scatter of fits of
// simulated logs, through the whole of the processing, and those that the fits state. The sign of a velocity
// that was sampled is not that of the velocity, and the errors that this makes at reversals recur in every period. They
// are no part of the prediction, but of the deviations that a fit states: up to a quarter of them with a noise of 0.3 and 0.1 N·m,
// by the motion, a sixteenth with ten times as much.
func TestDesignPredictsTheFit(t *testing.T) {
	long.Only(t, "excite.TestPredictedDeviations has the scatter of least squares, project.TestExampleCoverage that of fits")
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("arm.urdf"), []byte(twoJoints), 0o644); err != nil {
		t.Fatal(err)
	}
	var doc design.Document
	text := ident(t, "design-trajectory", at("arm.urdf"), "--period", "5", "--harmonics", "3", "--starts", "1", "--terms", "links,Fv,Fs,Fo",
		"--noise", "3,1", "--log-rate", "200", "--repeat", "6", "--json", "-o", at("traj.json"))
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	const fits = 20
	sum, bias, stated := make([]float64, len(doc.Predicted)), make([]float64, len(doc.Predicted)), make([]float64, len(doc.Predicted))
	for seed := range fits {
		ident(t, "simulate", at("arm.urdf"), "--trajectory", at("traj.json"), "--repeat", "6", "--rate", "200", "--torque-noise", "3,1",
			"--velocity-noise", "0", "--encoder", "0", "--seed", strconv.Itoa(seed), "-o", at("log.parquet"))
		res := new(result.Result)
		text := ident(t, "fit", at("log.parquet"), "--terms", "links,Fv,Fs,Fo", "--json", "-o", at("log.ident"))
		if err := json.Unmarshal([]byte(text), res); err != nil {
			t.Fatal(err)
		}
		for i, b := range res.BaseParameters {
			if b.Name != doc.Predicted[i].Name {
				t.Fatalf("parameter %d is %s, predicted %s", i+1, b.Name, doc.Predicted[i].Name)
			}
			x := (b.Value - b.Prior) / *doc.Predicted[i].Sigma
			sum[i] += x * x / (fits - 1)
			bias[i] += x / fits
			// Without what errors of the model add that residuals may show by chance: a prediction knows no residuals.
			sigma := b.Sigma
			if e := res.ModelErrors; e != nil && math.Abs(e.Shift[i]) > result.WidenFrom {
				sigma /= math.Hypot(1, e.Shift[i])
			}
			if e := res.ModelErrors; e != nil && e.Allowance != nil {
				sigma /= e.Allowance[i]
			}
			stated[i] += sigma / *doc.Predicted[i].Sigma / fits
		}
	}
	all, mean := 0.0, 0.0
	for i, p := range doc.Predicted {
		sum[i] -= bias[i] * bias[i] * fits / (fits - 1)
		t.Logf("%s: scatter of the fits %.2f of the prediction, their own deviation %.2f, bias %.2f", p.Name, math.Sqrt(sum[i]), stated[i], bias[i])
		all += sum[i] / float64(len(sum))
		mean += stated[i] / float64(len(sum))
		// The deviation of twenty fits is known to 16 %.
		if r := math.Sqrt(sum[i]); r < 0.5 || r > 1.5 {
			t.Errorf("%s: scatter of the fits is %.2f of the prediction", p.Name, r)
		}
	}
	t.Logf("all: %.3f, the fits' own deviations %.3f", math.Sqrt(all), mean)
	if r := math.Sqrt(all); r < 0.9 || r > 1.1 {
		t.Errorf("over all parameters the scatter is %.3f of the prediction", r)
	}
	if mean < 0.9 || mean > 1.1 {
		t.Errorf("the fits' own deviations are %.3f of the prediction", mean)
	}
}

// TestDesignSway: a robot that stands sways on its feet, its samples hold the base and the legs, and what cannot be is refused
// with the option that helps.
func TestDesignSway(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	// The limits of one joint differ: the same ones on all are placeholders.
	dog := strings.Replace(testrobot.QuadrupedURDF(nil), `lower="-3"`, `lower="-2"`, 1)
	if err := os.WriteFile(at("dog.urdf"), []byte(dog), 0o644); err != nil {
		t.Fatal(err)
	}
	const feet, start = "fl_calf=0/0/-0.2,fr_calf=0/0/-0.2,rl_calf=0/0/-0.2,rr_calf=0/0/-0.2:0.02", "0,0.9,-1.7,0,0.9,-1.7,0,0.9,-1.7,0,0.9,-1.7"
	sway := func(more ...string) []string {
		return append([]string{"design-trajectory", at("dog.urdf"), "--standing", "--feet", feet, "--starts", "1", "--period", "12"}, more...)
	}
	var doc design.Document
	text := ident(t, sway("--start", start, "--json", "-o", at("sway.csv"), "-o", at("sway.ros.yaml"), "-o", at("sway.md"))...)
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Shape != "sway" || doc.Violations != 0 || len(doc.Margins) != 12 || len(doc.Distances) != 8 || doc.Parameters != 130 {
		t.Errorf("shape %q, %d violations, margins of %d joints, %d loads of feet, %d parameters", doc.Shape, doc.Violations, len(doc.Margins), len(doc.Distances), doc.Parameters)
	}
	for name, want := range map[string]string{"sway.csv": "q_base.x", "sway.ros.yaml": "fl_hip", "sway.html": "Record it", "sway.md": "a sway on feet that stick"} {
		if b, err := os.ReadFile(at(name)); err != nil || !bytes.Contains(b, []byte(want)) {
			t.Errorf("%s has no %q: %v", name, want, err)
		}
	}
	if b, _ := os.ReadFile(at("sway.ros.yaml")); bytes.Contains(b, []byte("base.x")) {
		t.Error("the program of a controller of joints moves the base")
	}
	for want, words := range map[string][]string{
		"--start has 0 numbers":      sway(),
		"not stand on level ground":  sway("--start", "0,0.5"+start[5:]),
		"leave out --harmonics":      sway("--start", start, "--harmonics", "3"),
		"standing at rest":           sway("--start", start, "--torque-limits", strings.Repeat("1,", 17)+"1"),
		"name its feet with --feet":  {"design-trajectory", at("dog.urdf"), "--standing", "--start", start},
		"--floor-friction is of a r": {"design-trajectory", at("dog.urdf"), "--floor-friction", "0.5"},
		"--lift is of a robot":       {"design-trajectory", at("dog.urdf"), "--lift"},
		"give 63 s or more":          sway("--start", start, "--lift"),
		"needs a friction of":        sway("--start", start, "--floor-friction", "0.0001"),
	} {
		var out, errs strings.Builder
		if code := run(t.Context(), words, streams{in: strings.NewReader(""), out: &out, err: &errs}); code == exitDone || !strings.Contains(errs.String(), want) {
			t.Errorf("%v: code %d, %s; want %q", words, code, errs.String(), want)
		}
	}
}

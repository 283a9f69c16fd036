package main

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ident/datasets"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// commandLine runs ident and returns its output; it fails the test
// unless the exit code is the one wanted.
func commandLine(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &errs}); code != want {
		t.Fatalf("ident %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), code, want, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

// reopen reads an exported robot with the settings of the fit.
func reopen(t *testing.T, ft *project.Fitted, path string) *robot.Robot {
	t.Helper()
	p := *ft.Settings
	p.Robot = path
	r, err := project.FindRobot(&p, true)
	if err != nil {
		t.Fatal(err)
	}
	if r, err = project.Lock(r, p.Lock); err != nil {
		t.Fatal(err)
	}
	return r
}

// rotorsInBodies is the note of the rotors that the bodies of a file contain.
var rotorsInBodies = regexp.MustCompile(`note: rotor inertias that the bodies of the URDF contain, .*?:( .*)`)

// sameTorques holds the exported robot to the fit at random states: its
// Newton-Euler torques, with those of the drives but for the terms that the
// file itself says, against the base regressor times the base estimate. The two
// share no code.
//
// By the notes of the export, bodies may contain rotors; those are no drives any more.
func sameTorques(t *testing.T, ft *project.Fitted, r *robot.Robot, notes string, said ...regressor.Term) {
	t.Helper()
	contained := ""
	if m := rotorsInBodies.FindStringSubmatch(notes); m != nil {
		contained = m[1]
	}
	full, err := regressor.NewDynamic(ft.Robot, ft.Terms)
	if err != nil {
		t.Fatal(err)
	}
	base := full.Select(ft.Set.Base)
	n, samples := base.Joints(), 50
	rng := rand.New(rand.NewPCG(7, 7))
	motion := make([][][]float64, 3)
	for d, spread := range []float64{3, 2, 5} {
		for range n {
			x := make([]float64, samples)
			for i := range x {
				x[i] = spread * (2*rng.Float64() - 1)
			}
			motion[d] = append(motion[d], x)
		}
	}
	torque := func(m *regressor.Model, chi []float64) [][]float64 {
		tau := make([][]float64, n)
		for k := range tau {
			tau[k] = make([]float64, samples)
		}
		b := m.NewBlock(samples)
		m.Eval(b, motion[0], motion[1], motion[2], m.NewWorkspace())
		m.Predict(tau, b, chi)
		return tau
	}
	chi := standardOf(ft) // of the bodies that are written
	want := torque(base, ft.Set.FromStandard(chi))
	moving := r.Clone()
	for i, c := range ft.Set.Columns {
		here := slices.Contains(said, c.Term) && c.Drive == 0
		switch {
		case c.Term == regressor.Links, c.Term == regressor.Ia && (here || strings.Contains(contained, " "+c.Name+" = ")):
			chi[i] = 0 // Newton-Euler has it
		case here:
			chi[i], _ = regressor.ValueOf(r, c)
		case c.Term == regressor.Ia && c.Drive == 0:
			moving.Links[c.Link].Joint.Ia = 0
		}
	}
	got := torque(full, chi)
	tree, err := dynamics.New(moving)
	if err != nil {
		t.Fatal(err)
	}
	tau, state := make([]float64, n), [3][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
	worst, largest := 0.0, 0.0
	for i := range samples {
		for d := range state {
			for k := range n {
				state[d][k] = motion[d][k][i]
			}
		}
		tree.InverseDynamics(tau, state[0], state[1], state[2])
		for k := range n {
			worst = math.Max(worst, math.Abs(got[k][i]+tau[k]-want[k][i]))
			largest = math.Max(largest, math.Abs(want[k][i]))
		}
	}
	t.Logf("torques up to %.3g agree to %.2g", largest, worst)
	if !(worst <= 1e-9*math.Max(1, largest)) {
		t.Errorf("torques up to %.3g differ by %.3g", largest, worst)
	}
}

// sameBase compares the base parameters that no drive enters.
func sameBase(t *testing.T, ft *project.Fitted, r *robot.Robot) {
	t.Helper()
	chi := make([]float64, len(ft.Set.Columns))
	for i, c := range ft.Set.Columns {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	compared, x := 0, ft.Set.FromStandard(standardOf(ft))
	for k, v := range ft.Set.FromStandard(chi) {
		scale := math.Abs(chi[ft.Set.Base[k]])
		links := ft.Set.Columns[ft.Set.Base[k]].Term == regressor.Links
		for d, b := range ft.Set.Beta[k] {
			links = links && (b == 0 || ft.Set.Columns[ft.Set.Dependent[d]].Term == regressor.Links)
			scale = math.Max(scale, math.Abs(b*chi[ft.Set.Dependent[d]]))
		}
		if !links {
			continue
		}
		compared++
		if !(math.Abs(v-x[k]) <= 1e-9*scale) {
			t.Errorf("%s is %.15g in the exported robot, %.15g in the result", ft.Set.Name(k), v, x[k])
		}
	}
	t.Logf("%d base parameters compared", compared)
}

var inertialElement = regexp.MustCompile(`(?s)\s*<inertial>.*?</inertial>`)

// earlierOrigin is an origin before another of one joint, which the reader passes over and the export leaves out.
var earlierOrigin = regexp.MustCompile(`<origin [^>]*/>(\s*<origin )`)

// markComment is the comment by which a later command knows the file as one of ident's.
var markComment = regexp.MustCompile(`\s*<!-- written by ident[^>]*-->`)

var dynamicsElement = regexp.MustCompile(`\s*<dynamics [^>]*/>`)

// untouched holds a text to another outside of <inertial> and <dynamics> elements, of the mark, and of the end of the line before it.
func untouched(t *testing.T, before, after []byte) {
	t.Helper()
	rest := func(text []byte) []byte {
		text = markComment.ReplaceAll(text, nil)
		return bytes.TrimRight(dynamicsElement.ReplaceAll(inertialElement.ReplaceAll(text, nil), nil), "\r\n")
	}
	if !bytes.Equal(rest(before), rest(after)) {
		t.Error("the exported URDF differs from the user's outside of <inertial> and <dynamics>, and of the mark")
	}
}

func TestExportMeasured(t *testing.T) {
	long.Only(t, "TestExportHandmade and package project export as well")
	data := filepath.Join(testrobot.DataDir(t), "data")
	for _, c := range []struct{ name, robot, args string }{
		{"kuka", "kuka_lwr4/model/kuka_lwr4.urdf", "data:kuka_lwr4/measurements_2.csv.gz data:kuka_lwr4/measurements_3.csv.gz --cutoff 8"},
		{"kuka, wrist locked", "kuka_lwr4/model/kuka_lwr4.urdf", "data:kuka_lwr4/measurements_3.csv.gz --cutoff 8 --lock lwr_4_joint=0.3 --lock lwr_6_joint=-0.2"},
		{"ur10e", "ur10e/model/ur10e.urdf", "data:ur10e/identification/ur-20_02_10-30sec_12harm.csv.gz --gains 10,10.6956,8.4566,9.0029,9.48,10.1232 --rows ur-20_02_10-30sec_12harm:635-3510"},
		{"tx40", "tx40/model/tx40_mdh_modified.urdf", "data:tx40/tx40_joint_side_5kHz.csv.gz --coupling joint_6=joint_5+joint_6 --cutoff 20"},
		{"emps", "emps/model/emps.urdf", "data:emps/emps_training.csv.gz --map tau1=force --motion-cutoff 100 --decimate 100"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "kuka" || c.name == "tx40" {
				long.Only(t, "the KUKA with a locked wrist, the UR10e and EMPS are exported")
			}
			dir := filepath.Join(t.TempDir(), "result")
			model := filepath.Join(data, c.robot)
			line := []string{"fit", "--plain"} // other standard parameters than the file's would be in drives, which a URDF lacks
			for _, a := range strings.Fields(c.args) {
				line = append(line, strings.ReplaceAll(a, "data:", data+"/"))
			}
			commandLine(t, exitDone, append(line, "--robot", model, "-o", dir)...)
			ft, err := project.OpenFitted(dir, folder.Seals{})
			if err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(t.TempDir(), "robot.urdf")
			_, notes := commandLine(t, exitDone, "export", dir, "--to", "urdf", "--allow-nonphysical", "-o", out)
			before, err := os.ReadFile(model)
			if err != nil {
				t.Fatal(err)
			}
			doubled := earlierOrigin.Match(before)
			if strings.Contains(notes, "<origin>") != doubled {
				t.Errorf("a joint with two origins: %v; notes:\n%s", doubled, notes)
			}
			before = earlierOrigin.ReplaceAll(before, []byte("$1"))
			after, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			untouched(t, before, after)
			r := reopen(t, ft, out)
			sameTorques(t, ft, r, notes, regressor.Fv, regressor.Fs)
			sameBase(t, ft, r)

			whole := filepath.Join(t.TempDir(), "robot.yaml")
			commandLine(t, exitDone, "export", dir, "--to", "yaml", "--allow-nonphysical", "-o", whole)
			// The file says gravity and couplings itself.
			ft.Settings.Couplings, ft.Settings.Gravity = nil, nil
			sameTorques(t, ft, reopen(t, ft, whole), "", regressor.DefaultTerms()...)
		})
	}
}

const handmadeURDF = `<?xml version="1.0"?>
<!-- An arm with everything that makes an export hard. -->
<robot name="handmade" xmlns:other="http://example.org/other">
  <link name="floor"/>
  <joint name="j1" type="revolute">
    <parent link="floor"/><child link="one"/>
    <origin xyz="0 0 0.3" rpy="0.4 0 0"/><axis xyz="1 0 0"/>
    <limit lower="-3" upper="3" effort="50" velocity="3"/>
    <dynamics damping="0.7" friction="0.2"/>
  </joint>
  <link name="one">
    <!-- a rotated inertial -->
    <inertial>
      <origin xyz="0.05 0.02 -0.1" rpy="0.3 -0.5 1.1"/>
      <mass value="4"/>
      <inertia ixx="0.05" ixy="0.002" ixz="-0.003" iyy="0.06" iyz="0.001" izz="0.04"/>
    </inertial>
    <visual><geometry><box size="1 1 1"/></geometry></visual>
  </link>
  <joint name="weld" type="fixed">
    <parent link="one"/><child link="counterweight"/><origin xyz="-0.1 0.2 0" rpy="0 0.7 0.2"/>
  </joint>
  <link name="counterweight">
    <inertial><origin xyz="0 0.01 0" rpy="0.2 0 0"/><mass value="1.5"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.015"/></inertial>
  </link>
  <joint name="j2" type="revolute">
    <parent link="counterweight"/><child link="two"/>
    <origin xyz="0.3 0 0.1" rpy="0 0.2 0"/><axis xyz="0 -1 0"/>
    <limit lower="-3" upper="3" effort="50" velocity="3"/>
  </joint>
  <link name="two"><inertial><mass value="2"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.02"/></inertial></link>
  <joint name="j3" type="continuous">
    <parent link="two"/><child link="three"/>
    <origin xyz="0 0.25 0" rpy="0 0 0.5"/><axis xyz="0 0.6 0.8"/>
  </joint>
  <link name="three" other:mark="keep me"/>
  <joint name="j4" type="prismatic">
    <parent link="three"/><child link="four"/>
    <origin xyz="0 0 0.2"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="90" velocity="2"/>
  </joint>
  <link name="four">
    <inertial><origin xyz="0 0.03 0.1"/><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.002"/></inertial>
  </link>
  <joint name="flange" type="fixed"><parent link="four"/><child link="tool"/><origin xyz="0 0 0.15" rpy="1 0 0"/></joint>
  <link name="tool"><inertial><origin xyz="0.01 0 0"/><mass value="0.5"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial></link>
</robot>
`

// handmadeLog writes the motion and the torques of the handmade robot with
// other bodies than its file says, and joint 3 standing still if it is locked.
func handmadeLog(t *testing.T, dir, urdf string, locked bool) string {
	t.Helper()
	r, err := format.Read([]byte(urdf), "urdf", "handmade", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Links {
		s := 1 + 0.1*float64(i+1)
		r.Links[i].Inertial = r.Links[i].Inertial.Add(robot.InertialFromCentral(0.4*s, [3]float64{0.05, -0.1 * s, 0.08}, [3][3]float64{{0.02, 0.001, 0}, {0.001, 0.02 * s, 0}, {0, 0, 0.03}}))
	}
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	const samples, rate = 3000, 200.0
	n := tree.DOF()
	channels := []datasets.Channel{{Name: "t"}}
	cols := [][]float64{make([]float64, samples)}
	for _, role := range []string{"q", "dq", "ddq", "tau"} {
		for k := range n {
			channels = append(channels, datasets.Channel{Name: role + strconv.Itoa(k+1)})
			cols = append(cols, make([]float64, samples))
		}
	}
	state := [4][]float64{}
	for d := range state {
		state[d] = make([]float64, n)
	}
	for i := range samples {
		now := float64(i) / rate
		cols[0][i] = now
		for k := range n {
			state[0][k], state[1][k], state[2][k] = 0, 0, 0
			for h := range 4 {
				w := 0.9*float64(h+1) + 0.17*float64(k)
				a, ph := 0.4/float64(h+1), float64(h*(k+2))
				state[0][k] += a * math.Sin(w*now+ph)
				state[1][k] += a * w * math.Cos(w*now+ph)
				state[2][k] -= a * w * w * math.Sin(w*now+ph)
			}
			if k == 2 && locked {
				state[0][k], state[1][k], state[2][k] = 0.3, 0, 0
			}
		}
		tree.InverseDynamics(state[3], state[0], state[1], state[2])
		for k := range n {
			state[3][k] += 0.3*state[1][k] + 0.1*math.Copysign(1, state[1][k]) + 0.05
			for d := range state {
				cols[1+d*n+k][i] = state[d][k]
			}
		}
	}
	path := filepath.Join(dir, "handmade.parquet")
	if err := datasets.Write(path, channels, nil, func(w *datasets.Writer) error { return w.Append(cols) }); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExportHandmade(t *testing.T) {
	long.Only(t, "TestExportImpossible and package project export as well")
	for _, c := range []struct {
		name, newline string
		lock          []string
	}{{"free", "\n", nil}, {"locked", "\r\n", []string{"--lock", "j3=0.3"}}} {
		t.Run(c.name, func(t *testing.T) {
			if c.lock != nil {
				long.Only(t, "the free one")
			}
			dir := t.TempDir()
			urdf := strings.ReplaceAll(handmadeURDF, "\n", c.newline)
			model := filepath.Join(dir, "handmade.urdf")
			if err := os.WriteFile(model, []byte(urdf), 0o644); err != nil {
				t.Fatal(err)
			}
			log := handmadeLog(t, dir, urdf, c.lock != nil)
			result := filepath.Join(dir, "result")
			commandLine(t, exitDone, append([]string{"fit", log, "--robot", model, "--cutoff", "0", "-o", result, "--force"}, c.lock...)...)
			ft, err := project.OpenFitted(result, folder.Seals{})
			if err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(dir, "out.urdf")
			_, notes := commandLine(t, exitDone, "export", result, "--to", "urdf", "--allow-nonphysical", "-o", out)
			said := notes
			after, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			r := reopen(t, ft, out)
			sameTorques(t, ft, r, notes, regressor.Fv, regressor.Fs)
			sameBase(t, ft, r)
			kept := filepath.Join(dir, "kept.urdf")
			_, notes = commandLine(t, exitDone, "export", result, "--to", "urdf", "--friction", "none", "--allow-nonphysical", "-o", kept)
			if text, err := os.ReadFile(kept); err != nil || !bytes.Contains(text, []byte(`<dynamics damping="0.7" friction="0.2"/>`)) || bytes.Count(text, []byte("<dynamics")) != 1 || !strings.Contains(notes, "the file keeps its friction): Fv1 = ") {
				t.Errorf("%v\n%s\n%s", err, notes, text)
			}
			sameTorques(t, ft, reopen(t, ft, kept), notes)
			for _, name := range []string{"counterweight", "tool"} {
				body := regexp.MustCompile(`(?s)<link name="` + name + `">.*?</link>`)
				if lighter := strings.Contains(said, `the mass of "`+name+`"`); !lighter && !bytes.Equal(body.Find([]byte(urdf)), body.Find(after)) {
					t.Errorf("the body of %s, which a fixed joint carries, was changed", name)
				}
			}
			if c.lock != nil {
				untouched(t, []byte(urdf), after)
				if !bytes.Contains(after, []byte(`<link name="three" other:mark="keep me"/>`)) {
					t.Error("the locked link was changed")
				}
			}
			whole := filepath.Join(dir, "whole.yaml")
			commandLine(t, exitDone, "export", result, "--to", "yaml", "--allow-nonphysical", "-o", whole)
			sameTorques(t, ft, reopen(t, ft, whole), "", regressor.DefaultTerms()...)
			if c.lock == nil { // a .par has no joint names to lock by, and no offsets
				opened := regexp.MustCompile(`(<link name="three" other:mark="keep me")>\s*(?s:<inertial>.*?</inertial>)\s*</link>`)
				untouched(t, []byte(urdf), opened.ReplaceAll(after, []byte("$1/>")))
				par := filepath.Join(dir, "whole.par")
				commandLine(t, exitDone, "export", result, "--to", "par", "--allow-nonphysical", "-o", par)
				sameTorques(t, ft, reopen(t, ft, par), "", regressor.Ia, regressor.Fv, regressor.Fs)
			}
		})
	}
}

// TestExportImpossible takes a body's inertia away: the export names the body
// and writes nothing unless it is told to.
func TestExportImpossible(t *testing.T) {
	long.Only(t, "result.TestImpossible has parameters of no body")
	dir := t.TempDir()
	model := filepath.Join(dir, "handmade.urdf")
	if err := os.WriteFile(model, []byte(handmadeURDF), 0o644); err != nil {
		t.Fatal(err)
	}
	result := filepath.Join(dir, "result")
	commandLine(t, exitDone, "fit", handmadeLog(t, dir, handmadeURDF, false), "--robot", model, "--cutoff", "0", "-o", result, "--force")
	document := filepath.Join(result, folder.ResultFile)
	edit(t, document, func(text []byte) []byte {
		return regexp.MustCompile(`("name": "ZZ4R?",(?s:.*?)"value": )[^,]*`).ReplaceAll(text, []byte("${1}-3"))
	})
	edit(t, document, member(t, func(d map[string]any) { delete(d, "seal") }))
	out := filepath.Join(dir, "out.urdf")
	_, errs := commandLine(t, exitFailed, "export", result, "--to", "urdf", "-o", out)
	if !strings.Contains(errs, `link "four": principal inertia`) || !strings.Contains(errs, "--allow-nonphysical") {
		t.Error(errs)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a refused export left a file")
	}
	_, errs = commandLine(t, exitDone, "export", result, "--to", "urdf", "--allow-nonphysical", "-o", out)
	if !strings.Contains(errs, `physically impossible: link "four"`) {
		t.Error(errs)
	}
}

// standardOf are the standard parameters of a result's bodies.
func standardOf(ft *project.Fitted) []float64 {
	out := make([]float64, len(ft.Set.Columns))
	for i := range out {
		out[i] = ft.Result.StandardParameters[i].Value
	}
	return out
}

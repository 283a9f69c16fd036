package format_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"ident/mechanics/dynamics"
	"ident/robot"
	"ident/robot/format/mjcf"
	"ident/robot/format/urdf"
)

// engineRobot is a question to the engines.
type engineRobot struct {
	URDF   string         `json:"urdf"`
	MJCF   string         `json:"mjcf"`
	Joints []string       `json:"joints"`
	States [][3][]float64 `json:"states"`
}

// Ten robots that we write give MuJoCo, Pinocchio, Drake and iDynTree the torques that they give us: inertia and gravity in all, armature in MuJoCo, damping
// in MuJoCo and Drake. Dry friction is in none of these torques. IDENT_ENGINES=$(.ci/venv engines) names a Python with the engines.
func TestEngines(t *testing.T) {
	python := os.Getenv("IDENT_ENGINES")
	if python == "" {
		t.Skip("IDENT_ENGINES names no Python with mujoco, pin, drake and idyntree: IDENT_ENGINES=$(.ci/venv engines)")
	}
	rng := rand.New(rand.NewPCG(4, 44))
	var asked []engineRobot
	var want []map[string][][]float64
	for k := range 10 {
		n := 2 + k%6
		var frames []robot.MDHFrame
		for j := range n {
			f := robot.MDHFrame{Antecedent: j - 1, Alpha: []float64{0, -math.Pi / 2, math.Pi / 2, math.Pi / 2}[(j+k)%4]}
			if j > 0 {
				f.D, f.R = 0.3*rng.Float64(), 0.3*rng.Float64()
			}
			frames = append(frames, f)
		}
		r := robot.FromMDH("arm", frames)
		r.BaseName, r.Gravity = "base", [3]float64{0, 0, -9.81}
		if k > 4 {
			r.Links[1].Joint.Kind = robot.Prismatic
		}
		for j := range r.Links {
			l := &r.Links[j]
			var sum robot.Inertial
			for range 8 {
				sum = sum.Add(robot.InertialFromCentral(0.1+rng.Float64(), [3]float64{0.2 * rng.NormFloat64(), 0.2 * rng.NormFloat64(), 0.2 * rng.NormFloat64()}, [3][3]float64{}))
			}
			l.Own, l.Inertial, l.HasInertial = sum, sum, true
			l.Joint.Ia, l.Joint.Fv, l.Joint.Fs = rng.Float64(), rng.Float64(), rng.Float64()
			l.Joint.Lower, l.Joint.Upper, l.Joint.Velocity, l.Joint.Effort = -3, 3, 5, 100
		}
		var u, m bytes.Buffer
		if err := urdf.Write(&u, r); err != nil {
			t.Fatal(err)
		}
		if err := mjcf.Write(&m, r); err != nil {
			t.Fatal(err)
		}
		q := engineRobot{URDF: u.String(), MJCF: m.String(), Joints: r.JointNames()}
		answer := map[string][][]float64{}
		for range 20 {
			var s [3][]float64
			for i := range s {
				for range n {
					s[i] = append(s[i], 2*rng.NormFloat64())
				}
			}
			q.States = append(q.States, s)
			rigid := make([]float64, n)
			bare := r.Clone()
			for j := range bare.Links {
				bare.Links[j].Joint.Ia, bare.Links[j].Joint.Fv, bare.Links[j].Joint.Fs = 0, 0, 0
			}
			tree, err := dynamics.New(bare)
			if err != nil {
				t.Fatal(err)
			}
			tree.InverseDynamics(rigid, s[0], s[1], s[2])
			damped, whole := make([]float64, n), make([]float64, n)
			for j := range n {
				damped[j] = rigid[j] + r.Links[j].Joint.Fv*s[1][j]
				whole[j] = damped[j] + r.Links[j].Joint.Ia*s[2][j]
			}
			answer["pinocchio"], answer["idyntree"] = append(answer["pinocchio"], rigid), append(answer["idyntree"], rigid)
			answer["drake"], answer["mujoco"] = append(answer["drake"], damped), append(answer["mujoco"], whole)
		}
		asked, want = append(asked, q), append(want, answer)
	}
	in, err := json.Marshal(map[string]any{"robots": asked})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "testdata/engines.py")
	cmd.Stdin = bytes.NewReader(in)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var answers map[string]struct {
		Torques [][][]float64 `json:"torques"`
		Error   string        `json:"error"`
	}
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, errs.String())
	}
	for _, engine := range []string{"mujoco", "pinocchio", "drake", "idyntree"} {
		a := answers[engine]
		if a.Error != "" {
			t.Errorf("%s: %s", engine, a.Error)
			continue
		}
		worst := 0.0
		for k := range want {
			for s, row := range want[k][engine] {
				size := 1.0
				for _, v := range row {
					size = max(size, math.Abs(v))
				}
				for j, v := range row {
					worst = max(worst, math.Abs(a.Torques[k][s][j]-v)/size)
				}
			}
		}
		t.Logf("%s: %d robots, torques agree to %.1g", engine, len(want), worst)
		if !(worst < 1e-9) { // files print 17 digits; principal axes of MuJoCo's bodies lose some
			t.Errorf("%s: torques differ by %.2g of the largest", engine, worst)
		}
	}
}

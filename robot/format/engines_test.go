package format_test

import (
	"bytes"
	"encoding/json"
	"errors"
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

// engineQuestion is a question to the engines: torques of states, and speeds under torques on the first joint, which are held for a step each.
type engineQuestion struct {
	Robots      []engineRobot `json:"robots"`
	Constraints bool          `json:"constraints"` // MuJoCo's: dry friction and limits
	Torques     []float64     `json:"torques"`
	Step        float64       `json:"step"` // s
}

type engineAnswer struct {
	Torques  [][][]float64 `json:"torques"`
	Speeds   [][]float64   `json:"speeds"`
	Friction [][]float64   `json:"friction"`
	Error    string        `json:"error"`
}

// askEngines returns the answers by engine. IDENT_ENGINES=$(.ci/venv engines) names a Python with the engines.
func askEngines(t *testing.T, q engineQuestion) map[string]engineAnswer {
	t.Helper()
	python := os.Getenv("IDENT_ENGINES")
	if python == "" {
		t.Skip("IDENT_ENGINES names no Python with mujoco, pin, drake, idyntree and newton: IDENT_ENGINES=$(.ci/venv engines)")
	}
	in, err := json.Marshal(q)
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
	var answers map[string]engineAnswer
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, errs.String())
	}
	return answers
}

type engineRobot struct {
	URDF   string         `json:"urdf"`
	MJCF   string         `json:"mjcf"`
	Joints []string       `json:"joints"`
	States [][3][]float64 `json:"states"`
}

// Ten robots that we write give MuJoCo, Pinocchio, Drake and iDynTree the torques that they give us: inertia and gravity in all, armature in MuJoCo, damping
// in MuJoCo and Drake. Dry friction is in none of these torques. Newton, in single precision, reads the bodies and joints that we write.
func TestEngines(t *testing.T) {
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
		for _, armature := range []float64{1, 0} { // MJCF, URDF
			for j := range r.Links {
				l := &r.Links[j]
				c, _ := l.Own.CentreOfMass()
				i, _ := l.Own.Central()
				answer["newton"] = append(answer["newton"], []float64{armature * l.Joint.Ia, l.Joint.Fv, l.Joint.Fs, l.Own.Mass(), c[0], c[1], c[2], i[0][0], i[0][1], i[0][2], i[1][1], i[1][2], i[2][2]})
			}
		}
		asked, want = append(asked, q), append(want, answer)
	}
	answers := askEngines(t, engineQuestion{Robots: asked, Step: 0.001})
	for _, engine := range []string{"mujoco", "pinocchio", "drake", "idyntree", "newton"} {
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
		t.Logf("%s: %d robots agree to %.1g", engine, len(want), worst)
		most := 1e-9 // files print 17 digits; principal axes of MuJoCo's bodies lose some
		if engine == "newton" {
			most = 1e-6
		}
		if !(worst < most) {
			t.Errorf("%s: differs by %.2g of the largest", engine, worst)
		}
	}
}

// The dry friction of a joint that we write, in the engines: MuJoCo has ours at constant speed, and a viscous one near rest, which creeps where Coulomb friction holds;
// Drake, Pinocchio and iDynTree have none, and the last two keep its number. Figures of docs/simulators.md: -v.
func TestEnginesDryFriction(t *testing.T) {
	const fs, fv, step = 3.0, 2.0, 0.002
	r := robot.FromMDH("one", []robot.MDHFrame{{Antecedent: -1}}) // an upright axis: no weight
	r.BaseName, r.Gravity = "base", [3]float64{0, 0, -9.81}
	l := &r.Links[0]
	l.Own = robot.InertialFromCentral(1, [3]float64{0.2, 0, 0}, [3][3]float64{{0.004, 0, 0}, {0, 0.004, 0}, {0, 0, 0.004}})
	l.Inertial, l.HasInertial = l.Own, true
	l.Joint.Ia, l.Joint.Fv, l.Joint.Fs = 0.3, fv, fs
	l.Joint.Lower, l.Joint.Upper, l.Joint.Velocity, l.Joint.Effort = -300, 300, 50, 100
	var u, m bytes.Buffer
	if err := errors.Join(urdf.Write(&u, r), mjcf.Write(&m, r)); err != nil {
		t.Fatal(err)
	}
	q := engineQuestion{Constraints: true, Step: step, Robots: []engineRobot{{URDF: u.String(), MJCF: m.String(), Joints: r.JointNames()}}}
	speeds := []float64{1, -1, 0.1, 0.01, 0.001, -0.001, 0.0001}
	for _, v := range speeds {
		q.Robots[0].States = append(q.Robots[0].States, [3][]float64{{0}, {v}, {0}})
	}
	for k := range 1000 {
		q.Torques = append(q.Torques, 6*math.Sin(2*math.Pi*float64(k)*step))
	}
	// Coulomb friction under the same torques; a URDF has no armature.
	coulomb := func(armature float64) (out []float64) {
		const parts = 1000
		h, j, v := step/parts, armature+0.004+0.04, 0.0
		for _, tau := range q.Torques {
			for range parts {
				free := v + h*(tau-fv*v)/j
				v = math.Copysign(max(math.Abs(free)-h*fs/j, 0), free)
			}
			out = append(out, v)
		}
		return out
	}
	for engine, a := range askEngines(t, q) {
		if engine == "newton" {
			continue // what it reads is in TestEngines
		}
		if a.Error != "" {
			t.Errorf("%s: %s", engine, a.Error)
			continue
		}
		damping := fv
		if engine == "pinocchio" || engine == "idyntree" {
			damping = 0
		}
		var dry []float64
		for k, v := range speeds {
			dry = append(dry, a.Torques[0][k][0]-damping*v)
		}
		jump := dry[4] - dry[5] // ours is 2·Fs
		peak, differ, creep, still := 0.0, 0.0, 0.0, 0
		if len(a.Speeds[0]) > 0 {
			armature := 0.3
			if engine == "drake" {
				armature = 0
			}
			for k, v := range coulomb(armature) {
				peak, differ = max(peak, math.Abs(v)), max(differ, math.Abs(a.Speeds[0][k]-v))
				if v == 0 {
					creep = max(creep, math.Abs(a.Speeds[0][k]))
					still++
				}
			}
		}
		t.Logf("%s: dry friction %.4f at %g rad/s; %.4f from -1 to 1 mrad/s; speeds differ by %.3g of %.3g rad/s, at rest (%d of %d steps) up to %.3g; kept %g", engine, dry, speeds, jump, differ, peak, still, len(q.Torques), creep, a.Friction[0])
		if engine == "mujoco" {
			if math.Abs(dry[0]-fs) > 1e-9 || math.Abs(dry[1]+fs) > 1e-9 || math.Abs(dry[3]-fs) > 1e-9 || !(dry[4] < fs/5) || math.Abs(dry[4]-10*dry[6]) > 1e-9 {
				t.Errorf("mujoco: dry friction %g at %g rad/s", dry, speeds)
			}
			if !(differ < 0.06*peak) || !(creep > 1e-3 && creep < 0.06) || still < 100 {
				t.Errorf("mujoco: speeds differ by %g of %g rad/s, %g in %d steps at rest", differ, peak, creep, still)
			}
			continue
		}
		for k, v := range dry {
			if math.Abs(v) > 1e-12 {
				t.Errorf("%s: dry friction %g at %g rad/s", engine, v, speeds[k])
			}
		}
		if engine == "drake" && !(differ > 0.5*peak) {
			t.Errorf("drake: speeds differ by %g of %g rad/s", differ, peak)
		}
		if engine != "drake" && math.Abs(a.Friction[0][0]-fs) > 1e-12 {
			t.Errorf("%s keeps a dry friction of %g", engine, a.Friction[0])
		}
	}
}

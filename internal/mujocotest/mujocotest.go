// Package mujocotest asks MuJoCo, built for WebAssembly and run by node, for the torques of motions. It is for tests.
//
// IDENT_MUJOCO names a folder in which "npm install @mujoco/mujoco" has run; without it tests that ask skip.
package mujocotest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

//go:embed inverse.mjs
var inverse []byte

// State is a motion at an instant, by MuJoCo's coordinates.
type State struct {
	Q   []float64 `json:"q"`
	DQ  []float64 `json:"dq"`
	DDQ []float64 `json:"ddq"`
}

// Question is a model as XML, MJCF or URDF, and its motions.
type Question struct {
	Model  string  `json:"model"`
	States []State `json:"states"`
	// Applied are torques by state, whose accelerations are asked for; nil for none.
	Applied [][]float64 `json:"applied,omitempty"`
	// Bodies are body_mass, body_ipos, body_iquat and body_inertia by name, which take the places of the model's.
	Bodies map[string][]float64 `json:"bodies,omitempty"`
	Replay *Replay              `json:"replay,omitempty"`
	// Equalities asks by how much the equalities are open at each state.
	Equalities bool `json:"equalities,omitempty"`
}

// Replay moves a model, by MuJoCo's steps of Runge and Kutta's fourth order: by torques, or after states by computed torques with a servo,
// whose torques are then in the answer.
type Replay struct {
	Q       []float64   `json:"q"` // at the start
	DQ      []float64   `json:"dq"`
	Torques [][]float64 `json:"torques,omitempty"` // each held for Steps steps
	Follow  []State     `json:"follow,omitempty"`  // each aimed at for Steps steps
	Servo   float64     `json:"servo,omitempty"`   // its double pole, rad/s
	Step    float64     `json:"step"`              // s
	Steps   int         `json:"steps"`
}

// Answer has the torques by state, or MuJoCo's error.
type Answer struct {
	Torques       [][]float64 `json:"torques"`
	Accelerations [][]float64 `json:"accelerations"`
	Path          []State     `json:"path"` // of a replay, after each of its torques
	Gaps          [][]float64 `json:"gaps"` // by state: efc_pos of the equalities, m and rad, then efc_vel
	Error         string      `json:"error"`
}

// Inverse asks for the torques of all motions in one run of node.
func Inverse(t testing.TB, questions []Question) []Answer {
	t.Helper()
	folder := os.Getenv("IDENT_MUJOCO")
	if folder == "" {
		t.Skip("IDENT_MUJOCO names no folder with @mujoco/mujoco in node_modules")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is missing")
	}
	script := filepath.Join(t.TempDir(), "inverse.mjs")
	if err := os.WriteFile(script, inverse, 0o644); err != nil {
		t.Fatal(err)
	}
	in, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, script, folder)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &errs
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, errs.Bytes())
	}
	var out []Answer
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	return out
}

package dynamics_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// holds compares the torques of a robot with published ones, which double precision
// computed in another order: some thousand operations, each of 1e-16 of the largest term.
func holds(t *testing.T, r *robot.Robot, q, dq, ddq, want []float64) {
	t.Helper()
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	of := func(frames []float64) []float64 { // fixed ones have no coordinate
		var out []float64
		for _, l := range r.Independent() {
			out = append(out, frames[l])
		}
		return out
	}
	q, dq, ddq, want = of(q), of(dq), of(ddq), of(want)
	got, size := make([]float64, len(want)), 0.0
	tree.InverseDynamics(got, q, dq, ddq)
	for k := range want {
		size = max(size, math.Abs(want[k]))
	}
	for k := range want {
		if e := math.Abs(got[k] - want[k]); !(e < 1e-12*(1+size)) {
			t.Errorf("%s, joint %d: %.15g N·m, published %.15g", r.Name, k+1, got[k], want[k])
		}
	}
}

// The torques that Corke's toolbox computes for the Puma 560 of Armstrong, Khatib and
// Burdick.
func TestPumaOfCorke(t *testing.T) {
	text, err := os.ReadFile("testdata/puma560_corke.json")
	if err != nil {
		t.Fatal(err)
	}
	var pub struct {
		Q      []float64 `json:"q"`
		DQ     []float64 `json:"qd"`
		DDQ    []float64 `json:"qdd"`
		Params []float64 `json:"params"`
		Tau    []float64 `json:"tau"`
	}
	if err := json.Unmarshal(text, &pub); err != nil {
		t.Fatal(err)
	}
	for _, c := range testrobot.Cases(t) {
		if c.Name != "puma560_akb" {
			continue
		}
		r := c.Robot(t)
		for j := range r.Links {
			copy(r.Links[j].Inertial[:], pub.Params[10*j:])
			r.Links[j].HasInertial = true
		}
		holds(t, r, pub.Q, pub.DQ, pub.DDQ, pub.Tau)
		return
	}
	t.Fatal("no case of the robot")
}

// The torques that OpenSYMORO's equations of the RX90 give: they leave gravity out.
func TestRX90OfOpenSYMORO(t *testing.T) {
	text, err := testrobot.Published("pub_rx90_opensymoro.json")
	if err != nil {
		t.Fatal(err)
	}
	var pub struct {
		Params  map[string]float64 `json:"torque_params"`
		Vectors []struct {
			Q      []float64 `json:"q"`
			DQ     []float64 `json:"qd"`
			DDQ    []float64 `json:"qdd"`
			Torque []float64 `json:"gamma"`
		} `json:"torque_vectors"`
	}
	if err := json.Unmarshal(text, &pub); err != nil {
		t.Fatal(err)
	}
	r := testrobot.CaseOf(t, "rx90").Robot(t)
	r.Gravity = [3]float64{}
	for j := range r.Links {
		l := &r.Links[j]
		for k, name := range robot.InertialNames {
			l.Inertial[k] = pub.Params[fmt.Sprint(name, j+1)]
		}
		l.HasInertial, l.Joint.Ia = true, pub.Params[fmt.Sprint("Ia", j+1)]
	}
	if len(pub.Vectors) != 5 {
		t.Fatalf("%d vectors, want 5", len(pub.Vectors))
	}
	for _, v := range pub.Vectors {
		holds(t, r, v.Q, v.DQ, v.DDQ, v.Torque)
	}
}

// Torques of every reference robot, by an implementation of its own in another language.
func TestReferenceTorques(t *testing.T) {
	tried := 0
	for _, c := range testrobot.Cases(t) {
		r := c.Robot(t)
		for j := range r.Links {
			l := &r.Links[j]
			for k, name := range robot.InertialNames {
				l.Inertial[k] = c.InverseDynamics.Params[fmt.Sprint(name, j+1)]
			}
			l.HasInertial, l.Joint.Ia = true, c.InverseDynamics.Params[fmt.Sprint("Ia", j+1)]
		}
		for _, v := range c.InverseDynamics.Vectors {
			tried++
			holds(t, r, v.Q, v.DQ, v.DDQ, v.Tau)
		}
	}
	if tried < 30 {
		t.Errorf("only %d vectors", tried)
	}
}

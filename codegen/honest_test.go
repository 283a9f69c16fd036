package codegen

import (
	"errors"
	"strings"
	"testing"

	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

const oneJoint = `name: one
links:
  - name: a
    joint: {name: j, ELASTIC}
    mdh: {alpha: 1.2, d: 0.3}
    inertial: {mass: 3, com: [0.15, 0.01, 0], inertia: {ixx: 0.01, ixy: 0, ixz: 0, iyy: 0.05, iyz: 0, izz: 0.05}}
`

func oneJointRobot(t *testing.T, joint string) *robot.Robot {
	t.Helper()
	r, err := format.Read([]byte(strings.ReplaceAll(oneJoint, "ELASTIC", joint)), "yaml", "one.yaml", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A robot of one joint has vectors and matrices of one entry, not numbers.
func TestOneJointKeepsItsAxes(t *testing.T) {
	r := oneJointRobot(t, "kind: revolute")
	opt := Options{Terms: []regressor.Term{regressor.Links}}
	for model, vector := range map[Model]bool{InverseDynamics: true, InertiaMatrix: false} {
		p, err := Build(t.Context(), model, r, opt)
		if err != nil {
			t.Fatal(err)
		}
		if o := &p.Outputs[0]; o.Scalar() || o.Vector() != vector {
			t.Errorf("%s: %s is a scalar %t, a vector %t", model, o.Name, o.Scalar(), o.Vector())
		}
	}
	p, err := Build(t.Context(), InverseDynamics, r, opt)
	if err != nil {
		t.Fatal(err)
	}
	if one, err := p.Select(t.Context(), []string{"tau1"}); err != nil || !one.Outputs[0].Scalar() {
		t.Errorf("an entry that is selected is a number: %v", err)
	}
}

// The rigid model of an elastic robot would be wrong without a word.
func TestElasticJointsAreRefused(t *testing.T) {
	r := oneJointRobot(t, "kind: revolute, elastic: true, stiffness: 2500")
	for _, model := range Models() {
		_, err := Build(t.Context(), model, r, Options{Terms: []regressor.Term{regressor.Links}})
		if refused := errors.Is(err, ErrElastic); refused == model.Kinematic() {
			t.Errorf("%s: %v", model, err)
		}
	}
}

// The head of a text says along which axes and about which point an external wrench is.
func TestWrenchesNameTheirFrame(t *testing.T) {
	p, err := Build(t.Context(), InverseDynamics, oneJointRobot(t, "kind: revolute"), Options{Terms: []regressor.Term{regressor.Links}, External: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(p.Doc, "\n"); !strings.Contains(text, "along the axes of the frame of joint j") || !strings.Contains(text, "about its origin") {
		t.Error(text)
	}
}

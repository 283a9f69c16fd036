package excite

import (
	"context"
	"math"
	"testing"

	"ident/baseparams"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// arm returns the base model of a robot file of the shared data.
func arm(t testing.TB, path string) (*robot.Robot, *regressor.Model) {
	t.Helper()
	r, err := robot.Open(testrobot.DataDir(t)+"/data/"+path, robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := regressor.NewDynamic(r, regressor.AllTerms())
	if err != nil {
		t.Fatal(err)
	}
	return r, m.Select(baseparams.QR(m, baseparams.Options{}).Base)
}

var panda = []Limits{
	{Lower: -2.8973, Upper: 2.8973, Velocity: 2.175, Accel: 15}, {Lower: -1.7628, Upper: 1.7628, Velocity: 2.175, Accel: 7.5},
	{Lower: -2.8973, Upper: 2.8973, Velocity: 2.175, Accel: 10}, {Lower: -3.0718, Upper: -0.0698, Velocity: 2.175, Accel: 12.5},
	{Lower: -2.8973, Upper: 2.8973, Velocity: 2.61, Accel: 15}, {Lower: -0.0175, Upper: 3.7525, Velocity: 2.61, Accel: 20},
	{Lower: -2.8973, Upper: 2.8973, Velocity: 2.61, Accel: 20},
}

func TestPanda(t *testing.T) {
	_, m := arm(t, "panda/model/panda_mdh_kinematics.urdf")
	r, err := Design(context.Background(), Problem{Model: m, Limits: panda, Progress: func(p Progress) { t.Logf("%+v", p) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(len(m.Columns()), r.ConditionScaled, r.ConditionRaw, r.Violations, r.Evaluations, r.Seconds)
	t.Logf("%+v", r.Margins)
	_ = math.Pi
}

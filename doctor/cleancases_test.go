package doctor_test

import (
	"math/rand/v2"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
	"ident/internal/testrobot"
	"ident/robot"
)

// Sound logs of every robot of the shared cases that has no closed loop, with bodies drawn at random:
// prismatic joints, branches and mobile bases among them.
func TestCleanCases(t *testing.T) {
	draws.Only(t, "TestCleanLogs has clean logs of three robots")
	logs, warnings := 0, 0
	for i, c := range testrobot.Cases(t) {
		if i%draws.Of(1, 9) != 0 {
			continue // some, all with IDENT_LONG
		}
		r := c.Robot(t)
		if len(r.Loops) > 0 || len(r.Mimics) > 0 || len(r.Unset) > 0 || r.DOF() < 2 || r.DOF() > 12 {
			continue
		}
		rng := rand.New(rand.NewPCG(uint64(i), 21))
		for k := range r.Links {
			l := &r.Links[k]
			l.Inertial, l.HasInertial = testrobot.Body(rng), true
			l.Joint.Ia, l.Joint.Fv, l.Joint.Fs, l.Joint.Fo = 0.2, 1+rng.Float64(), 1+rng.Float64(), 0.3
			if l.Joint.Kind == robot.Revolute {
				l.Joint.Lower, l.Joint.Upper = -2.9, 2.9
			}
			l.Joint.Effort = 5000
		}
		e := run(r, rng, 250, 16).measure(rng, 1e-6, 1e-3, 0.01)
		logs++
		for _, f := range e.findings(t) {
			if f.Severity != doctor.Info {
				warnings++
				t.Logf("%s: %s", r.Name, show(f))
			}
		}
	}
	t.Logf("%d clean logs: %d warnings or errors", logs, warnings)
	if warnings > logs/20 {
		t.Errorf("%d warnings or errors in %d clean logs", warnings, logs)
	}
}

package doctor_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
	"ident/robot"
)

// fourteen is a chain of more joints than are exchanged in all pairs.
func fourteen(rng *rand.Rand) *robot.Robot {
	frames := []robot.MDHFrame{{Antecedent: -1}}
	for j := 1; j < 14; j++ {
		f := robot.MDHFrame{Antecedent: j - 1, Alpha: half * float64(1-j%3), R: 0.2}
		if j%3 == 1 {
			f.D = 0.3
		}
		frames = append(frames, f)
	}
	return arm("fourteen", rng, frames)
}

// Of a long chain the same arrangements are tried as of an arm, but for exchanges of joints that are not neighbours,
// and the finding says so.
func TestLongChain(t *testing.T) {
	draws.Only(t, "takes a second")
	for _, c := range []struct {
		name  string
		fault func(e *experiment)
		id    string
		joint int
	}{
		{"clean", func(*experiment) {}, "", 0},
		{"positions 9 and 10 exchanged", func(e *experiment) {
			for _, x := range [][][]float64{e.q, e.dq} {
				x[8], x[9] = x[9], x[8]
			}
		}, doctor.JointOrder, 9},
		{"zero of 12 a quarter turn off", func(e *experiment) {
			for k := range e.q[11] {
				e.q[11][k] += half
			}
		}, doctor.Offset, 12},
		{"joint 6 turned", func(e *experiment) {
			for _, x := range [][]float64{e.q[5], e.dq[5], e.tau[5]} {
				for k := range x {
					x[k] = -x[k]
				}
			}
		}, doctor.Sign, 6},
	}[:draws.Of(4, 1)] {
		rng := rand.New(rand.NewPCG(3, 14))
		e := run(fourteen(rng), rng, 200, 30).measure(rng, 1e-6, 1e-3, 0.005)
		c.fault(e)
		said, found := false, 0
		for _, f := range e.findings(t) {
			said = said || f.ID == doctor.Skipped && strings.Contains(f.Why, "neighbours")
			if f.Severity == doctor.Info {
				continue
			}
			found++
			if f.ID != c.id || c.joint == 0 || f.Joint != e.robot.Links[c.joint-1].Joint.Name {
				t.Errorf("%s: %s", c.name, show(f))
			}
		}
		if !said {
			t.Errorf("%s: nothing said of exchanges that were not tried", c.name)
		}
		if (c.id == "") != (found == 0) {
			t.Errorf("%s: %d findings", c.name, found)
		}
	}
}

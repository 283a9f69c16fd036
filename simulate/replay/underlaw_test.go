package replay

import (
	"context"
	"errors"
	"math"
	"testing"

	"ident/internal/long"
	"ident/mechanics/dynamics"
	"ident/robot"
	"ident/simulate/plant"
	"ident/simulate/servo"
)

// bar is a pendulum whose torques are in proportion to its mass.
func bar(mass float64) *robot.Robot {
	r := pendulum(mass)
	r.Links[0].Joint.Ia, r.Links[0].Joint.Fv = 0, 0
	return r
}

// swinging is a command.
type swinging struct{}

func (swinging) Eval(t float64, q, dq, ddq []float64) {
	sin, cos := math.Sincos(3 * t)
	q[0], dq[0], ddq[0] = 0.7*sin, 2.1*cos, -6.3*sin
}

// A model under the law that moved the robot: the robot itself is where the record is, but for the commands between its rows,
// cubic polynomials, and a bar that is a tenth heavier is a tenth of the law's own error away, because both errors obey the loop's equation with
// torques in that proportion; the change of the torques with the position, 0.3·2·9.81 N·m/rad beside 300, changes 2 % of it.
// A delay that is not declared shows, and one that the loop does not stand is refused.
func TestUnderLaw(t *testing.T) {
	long.Only(t, "TestTrack and TestWrongMass run records forward")
	truth := bar(2)
	p, err := plant.New(truth, plant.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := dynamics.New(truth)
	if err != nil {
		t.Fatal(err)
	}
	one := []float64{1}
	c := plant.Control{Law: servo.PD([]float64{300}, []float64{20}, one), Period: 1e-3, Delay: 1.5e-3}
	rec := &Record{Name: "log", Interval: 5e-3, Q: [][]float64{nil}, DQ: [][]float64{nil}, DDQ: [][]float64{nil}, Tau: [][]float64{nil}, QR: [][]float64{nil}, DQR: [][]float64{nil}, DDQR: [][]float64{nil}}
	err = p.Follow(context.Background(), swinging{}, c, plant.Run{Every: 5, Samples: 601}, func(row plant.Row) error {
		tau := []float64{0}
		tree.InverseDynamics(tau, row.Q, row.DQ, row.DDQ)
		rec.Q[0], rec.DQ[0], rec.DDQ[0] = append(rec.Q[0], row.Q[0]), append(rec.DQ[0], row.DQ[0]), append(rec.DDQ[0], row.DDQ[0])
		rec.Tau[0], rec.QR[0], rec.DQR[0], rec.DDQR[0] = append(rec.Tau[0], tau[0]), append(rec.QR[0], row.QR[0]), append(rec.DQR[0], row.DQR[0]), append(rec.DDQR[0], row.DDQR[0])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	late := c
	late.Delay = 12e-3
	for _, x := range []struct {
		name        string
		mass        float64
		c           plant.Control
		least, most float64
	}{{"the robot", 2, c, 0, 0.02}, {"a tenth heavier", 2.2, c, 9.5, 10.5}, {"another delay", 2, late, 1, 20}} {
		got, err := UnderLaw(context.Background(), bar(x.mass), []*Record{rec}, x.c, Options{Starts: 5})
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		if e := got[len(got)-1]; e.OfLaw < x.least || e.OfLaw > x.most || e.Starts != 5 {
			t.Errorf("%s: off by %.4g %% of the law's error after %g s, want %g to %g", x.name, e.OfLaw, e.Horizon, x.least, x.most)
		}
	}
	late.Delay = 0.05
	var loose *plant.UnstableError
	if _, err := UnderLaw(context.Background(), truth, []*Record{rec}, late, Options{Starts: 1}); !errors.As(err, &loose) {
		t.Errorf("a delay of 50 ms: %v", err)
	}
}

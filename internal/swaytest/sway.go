// Package swaytest makes exact logs of robots that sway on feet that stick, for tests.
package swaytest

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/excite/sway"
	"ident/regressor"
	"ident/robot"
)

// Sway is a motion with the torques that carry the robot.
type Sway struct {
	*sway.Sway
	Torque [][]float64 // of the joints
	Chi    []float64   // parameters of the columns of the model
}

// Options of New. The zero value of a field is its default.
type Options struct {
	DT, Seconds float64
	Size        float64   // of the motion, 1 is a trunk that moves by 4 cm and 10°
	Start       []float64 // of the joints
	Swing       float64   // rad or m: how far joints move that carry no foot
}

// New returns a sway of a robot with a floating base. Torques hold a model's columns at chi, with contact forces of least norm
// that carry the robot.
func New(t testing.TB, r *robot.Robot, feet []regressor.Foot, m *regressor.Model, chi []float64, seed uint64, opt Options) *Sway {
	t.Helper()
	if opt.DT == 0 {
		opt.DT = 0.002
	}
	if opt.Size == 0 {
		opt.Size = 1
	}
	stance, err := sway.NewStance(r, feet, opt.Start)
	if err != nil {
		t.Fatal(err)
	}
	out := &Sway{Sway: stance.Follow(waves(seed, opt, len(opt.Start)), opt.DT, int(math.Round(opt.Seconds/opt.DT))), Chi: chi}
	if _, out.Torque, err = out.Forces(m, chi); err != nil {
		t.Fatal(err)
	}
	return out
}

// waves returns a path of five waves a coordinate, 0.15 to 1 Hz: of the base, then of as many joints as may carry no foot.
func waves(seed uint64, opt Options, joints int) sway.Path {
	rng := rand.New(rand.NewPCG(seed, 0x5a11))
	type wave struct{ a, w, p float64 }
	all := make([][]wave, 6+joints)
	for k := range all {
		size := opt.Swing
		if k < 6 {
			size = []float64{0.05, 0.05, 0.03, 0.2, 0.2, 0.2}[k] * opt.Size
		}
		for range 5 {
			f := 0.15 + 0.85*rng.Float64()
			all[k] = append(all[k], wave{size * (0.5 + 0.5*rng.Float64()) / 3.2 / (0.5 + f), 2 * math.Pi * f, 2 * math.Pi * rng.Float64()})
		}
	}
	return func(t float64) (x, dx, ddx []float64) {
		x, dx, ddx = make([]float64, len(all)), make([]float64, len(all)), make([]float64, len(all))
		for k, of := range all {
			for _, o := range of {
				sin, cos := math.Sincos(o.w*t + o.p)
				x[k] += o.a * sin
				dx[k] += o.a * o.w * cos
				ddx[k] -= o.a * o.w * o.w * sin
			}
		}
		return x, dx, ddx
	}
}

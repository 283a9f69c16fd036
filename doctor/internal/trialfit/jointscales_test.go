package trialfit_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"ident/baseparams"
	"ident/doctor/internal/trialfit"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
)

// threeJoints simulates 30 s of an arm of three joints at 200 Hz, its torques with noise of one per cent and
// friction that follows reversals over 0.05 rad, the second one times scale.
func threeJoints(t *testing.T, rng *rand.Rand, scale float64) (*trialfit.Rows, *trialfit.Stacked) {
	t.Helper()
	r := threeLinks(rng)
	model, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	const rate, rows = 200.0, 6000
	log := trialfit.Segment{Uniform: true, Q: make([][]float64, 3), Effort: make([][]float64, 3)}
	phase, state := make([]float64, 6), make([]float64, 3)
	for i := range phase {
		phase[i] = 2 * math.Pi * rng.Float64()
	}
	q, dq, ddq, tau := make([]float64, 3), make([]float64, 3), make([]float64, 3), make([]float64, 3)
	for k := range rows {
		at := float64(k) / rate
		log.T = append(log.T, at)
		for j := range q {
			q[j], dq[j], ddq[j] = 0, 0, 0
			for h, w := range []float64{2.1 + 0.3*float64(j), 4.7 - 0.4*float64(j)} {
				s, c := math.Sincos(w*at + phase[2*j+h])
				q[j], dq[j], ddq[j] = q[j]+0.5*s, dq[j]+0.5*w*c, ddq[j]-0.5*w*w*s
			}
		}
		tree.InverseDynamics(tau, q, dq, ddq)
		for j := range q {
			state[j] += (math.Copysign(1, dq[j]) - state[j]) * -math.Expm1(-math.Abs(dq[j])/rate/0.05)
			y := tau[j] + 0.5*dq[j] + 2*state[j]
			if j == 1 {
				y *= scale
			}
			log.Q[j], log.Effort[j] = append(log.Q[j], q[j]), append(log.Effort[j], y*(1+0.01*rng.NormFloat64())+0.05*rng.NormFloat64())
		}
	}
	base := baseparams.QR(model, baseparams.Options{}).Base
	joint := trialfit.JointSignals{Moves: true, Gain: 1}
	tr := trialfit.NewRows(context.Background(), trialfit.Signals{Model: model.Select(base), Base: base, Interval: 1 / rate, Joints: []trialfit.JointSignals{joint, joint, joint}, Segments: []trialfit.Segment{log}})
	fits := []*trialfit.Joint{trialfit.NewJoint(tr, 0), trialfit.NewJoint(tr, 1), trialfit.NewJoint(tr, 2)}
	return tr, trialfit.NewStacked(context.Background(), tr, fits)
}

// threeLinks is an arm with random bodies.
func threeLinks(rng *rand.Rand) *robot.Robot {
	r := robot.FromMDH("three", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: math.Pi / 2}, {Antecedent: 1, D: 0.5}})
	for i := range r.Links {
		r.Links[i].Inertial, r.Links[i].HasInertial = testrobot.Body(rng), true
	}
	return r
}

// The scales of all torques are found together, with deviations that hold the truth: of 24 draws of two scales none
// beyond 4.5 deviations, which Gaussian ones are in one of 3000 such tests. The first joint takes no gravity, and shares
// only inertia with the others.
func TestScales(t *testing.T) {
	long.Only(t, "dozens of trial fits")
	sum, n := 0.0, 0
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 5))
		truth := 0.8 + 0.1*float64(seed%5)
		tr, st := threeJoints(t, rng, truth)
		var memory [][]float64
		for k := range st.Joints {
			col := make([]float64, st.Basis.Rows)
			st.Put(col, k, tr.Memory(k, 0.05))
			memory = append(memory, col)
		}
		for _, s := range st.Scales(2, memory, nil) {
			want := []float64{1, truth}[s.K]
			z := math.Log(s.Scale/want) / s.SD
			sum, n = sum+z*z, n+1
			if math.Abs(z) > 4.5 {
				t.Errorf("seed %d: scale of torque %d is %.4g ± %.2g, want %.4g", seed, s.K+1, s.Scale, s.Scale*s.SD, want)
			}
			if s.K == 1 && s.SD > 0.05 {
				t.Errorf("seed %d: deviation %.2g of a scale that gravity shows", seed, s.SD)
			}
		}
	}
	t.Logf("RMS of %d normalised errors %.2f", n, math.Sqrt(sum/float64(n)))
}

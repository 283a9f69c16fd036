package project

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/result"
)

// sharedRun returns a run of four joints, each on a motion of its own unless together, with white residuals and those that add makes.
func sharedRun(seed uint64, together bool, add func(dq, ddq []float64, e []float64)) result.ResidualRun {
	const joints, n, dt = 4, 6000, 0.005
	rng := rand.New(rand.NewPCG(seed, 3))
	r := result.ResidualRun{Log: "a", Role: "train"}
	freq, phase := make([]float64, joints), make([]float64, joints)
	for k := range joints {
		freq[k], phase[k] = 1+2*rng.Float64(), 6*rng.Float64()
		if together {
			freq[k], phase[k] = freq[0], phase[0]
		}
		r.Position, r.Measured, r.Predicted = append(r.Position, make([]float64, n)), append(r.Measured, make([]float64, n)), append(r.Predicted, make([]float64, n))
	}
	dq, ddq, e := make([]float64, joints), make([]float64, joints), make([]float64, joints)
	for i := range n {
		t := float64(i) * dt
		r.T = append(r.T, t)
		for k := range joints {
			s, c := math.Sincos(freq[k]*t + phase[k])
			s2, c2 := math.Sincos(1.7*freq[k]*t + 2*phase[k])
			r.Position[k][i], dq[k], ddq[k] = s+0.5*s2, freq[k]*c+0.85*freq[k]*c2, -freq[k]*freq[k]*(s+1.445*s2)
			e[k] = 0.1 * rng.NormFloat64()
		}
		add(dq, ddq, e)
		for k := range joints {
			r.Predicted[k][i] = 10 * math.Sin(float64(k)+t)
			r.Measured[k][i] = r.Predicted[k][i] + e[k]
		}
	}
	return r
}

// A motor that turns with two joints is told by the residuals of both. Friction of one joint that no term has, a gain that is off, a force at
// one joint, a torque that reads another joint's, and noise are no shared motor, nor are joints that move as one.
func TestSharedMotor(t *testing.T) {
	sign := func(v float64) float64 { return math.Copysign(1, v) }
	for _, c := range []struct {
		name     string
		together bool
		add      func(dq, ddq, e []float64)
		first    int // -1 for none
		second   int
	}{
		{"motor of 2 and 3", false, func(dq, ddq, e []float64) {
			own := 0.4*(ddq[2]+ddq[1]) + 0.5*(dq[2]+dq[1]) + sign(dq[2]+dq[1])
			e[1], e[2] = e[1]+own-0.4*ddq[1]-0.5*dq[1], e[2]+own-0.4*ddq[2]-0.5*dq[2]
		}, 1, 2},
		{"motor of 1 and 4 that turns with the difference", false, func(dq, ddq, e []float64) {
			own := 0.4*(ddq[0]-ddq[3]) + 0.5*(dq[0]-dq[3]) + sign(dq[0]-dq[3])
			e[0], e[3] = e[0]+own-0.4*ddq[0]-0.5*dq[0], e[3]-own-0.4*ddq[3]-0.5*dq[3]
		}, 0, 3},
		{"noise", false, func(_, _, _ []float64) {}, -1, 0},
		{"friction of one joint", false, func(dq, _, e []float64) { e[1] += dq[1]*math.Abs(dq[1]) - 2*dq[1] }, -1, 0},
		{"a joint that reads another's motion", false, func(dq, ddq, e []float64) { e[1] += ddq[2] + dq[2] + sign(dq[2]) }, -1, 0},
		{"a force", false, func(_, _, e []float64) { e[1], e[2] = e[1]+3, e[2]+2 }, -1, 0},
		{"joints that move as one", true, func(dq, _, e []float64) { e[1], e[2] = e[1]+math.Abs(dq[1]), e[2]+math.Abs(dq[2]) }, -1, 0},
	} {
		for seed := range uint64(20) {
			runs := []result.ResidualRun{sharedRun(seed, c.together, c.add), {Role: "validate"}}
			first, second, ok := sharedMotor(runs, 4)
			if ok != (c.first >= 0) || ok && (first != c.first || second != c.second) {
				t.Errorf("%s, seed %d: joints %d and %d, %v", c.name, seed, first+1, second+1, ok)
			}
		}
	}
}

// The opposite of a coupling turns the sign of the drive's own joint, and its opposite is the coupling.
func TestOppositeCoupling(t *testing.T) {
	for coupling, want := range map[string]string{"b=a+b": "b=a-b", "joint-2=joint-1-joint-2": "joint-2=joint-1+joint-2"} {
		if got := opposite(coupling); got != want || opposite(got) != coupling {
			t.Errorf("%s: %s, and back %s", coupling, got, opposite(got))
		}
	}
}

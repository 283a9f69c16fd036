package simulate

import (
	"math"
	"math/rand/v2"
)

// noise draws the errors of every channel, from a random stream of its own that
// runs on from block to block.
type noise struct {
	options *Options
	streams []*rand.Rand // 3i, 3i+1, 3i+2 for position, velocity and torque of joint i
}

func newNoise(o *Options, joints int) *noise {
	n := &noise{options: o}
	for k := range 3 * joints {
		n.streams = append(n.streams, rand.New(rand.NewPCG(o.Seed, uint64(k))))
	}
	return n
}

// sense adds noise and rounding to the channels of a block.
func (n *noise) sense(m *Motion) {
	o := n.options
	for i := range m.Q {
		disturb(m.Q[i], each(o.Noise.Position, i), each(o.Encoder, i), n.streams[3*i])
		disturb(m.DQ[i], each(o.Noise.Velocity, i), 0, n.streams[3*i+1])
	}
	n.torques(m.Tau)
}

// read makes measured positions and velocities of one moment out of true ones.
func (n *noise) read(q, dq []float64) {
	o := n.options
	for i := range q {
		disturb(q[i:i+1], each(o.Noise.Position, i), each(o.Encoder, i), n.streams[3*i])
		disturb(dq[i:i+1], each(o.Noise.Velocity, i), 0, n.streams[3*i+1])
	}
}

// torques adds noise and rounding to the torques of a block.
func (n *noise) torques(tau [][]float64) {
	for i, x := range tau {
		disturb(x, each(n.options.Noise.Torque, i), each(n.options.TorqueQuantum, i), n.streams[3*i+2])
	}
}

// disturb adds Gaussian noise of deviation sigma to a channel and rounds it to
// multiples of step; zero stands for none of either.
func disturb(x []float64, sigma, step float64, stream *rand.Rand) {
	if sigma > 0 {
		for k := range x {
			x[k] += sigma * stream.NormFloat64()
		}
	}
	if step > 0 {
		for k, v := range x {
			x[k] = math.Round(v/step) * step
		}
	}
}

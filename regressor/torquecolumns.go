package regressor

import (
	"fmt"
	"math"

	"ident/filter"
)

// TorqueColumn is a column that reads the torque τ̂ that an estimate predicts. Beside the columns of a model, its parameter says how
// much of a fault or of an effect that multiplies torques the rows show. It is exact to first order: τ̂ should be close to the torque.
type TorqueColumn struct {
	Kind  TorqueKind
	Joint int // the equation that has the column
	Of    int // the joint whose torque it reads
}

// TorqueKind is what a TorqueColumn makes of τ̂.
type TorqueKind int

// The kinds. v is the velocity of the equation's own joint, t the time.
const (
	Scaled      TorqueKind = iota // τ̂: a scale or a drive gain; of another joint, cross-talk
	LoadedSlip                    // |τ̂|·sign v: friction that grows with the load
	Fading                        // t·τ̂: a scale that changes in time
	Late                          // τ̂′: less the delay of the torque, s
	LaterStill                    // t·τ̂′: less a delay that grows, s/s
	Smeared                       // τ̂″: a torque that was averaged over a time
	Rectified                     // max(τ̂, 0): another scale in one direction
	Magnitude                     // |τ̂|: a torque without its sign
	Cubed                         // τ̂³: a torque that bends at large values
	torqueKinds                   // their number
)

// TorqueKinds returns all kinds.
func TorqueKinds() []TorqueKind {
	out := make([]TorqueKind, torqueKinds)
	for i := range out {
		out[i] = TorqueKind(i)
	}
	return out
}

// String returns the formula, with tau for τ̂.
func (k TorqueKind) String() string {
	names := [...]string{"tau", "|tau|*sign(v)", "t*tau", "tau'", "t*tau'", "tau''", "max(tau,0)", "|tau|", "tau^3"}
	if k < 0 || int(k) >= len(names) {
		return fmt.Sprintf("TorqueKind(%d)", int(k))
	}
	return names[k]
}

// String returns a name that no other column has: the formula with the numbers of both joints, from 1.
func (c TorqueColumn) String() string {
	if c.Of == c.Joint {
		return fmt.Sprintf("%v of %d", c.Kind, c.Joint+1)
	}
	return fmt.Sprintf("%v of %d in %d", c.Kind, c.Of+1, c.Joint+1)
}

// TorqueSamples are the samples that TorqueColumn.Eval reads: consecutive ones, Interval seconds apart. It also is the scratch
// memory of Eval, so that only one goroutine at a time may use it.
type TorqueSamples struct {
	Interval float64
	Time     []float64   // s
	DQ       [][]float64 // velocity, rad/s or m/s, by joint
	Torque   [][]float64 // τ̂, N·m or N, by joint

	slope []float64
}

// Eval stores the column at the samples in dst, in the units of Torque, Time and their products. It allocates nothing once the samples
// have had as many. Derivatives are those of five samples: see filter.Differentiate4.
func (c TorqueColumn) Eval(dst []float64, in *TorqueSamples) {
	tau := in.Torque[c.Of]
	switch c.Kind {
	case Scaled:
		copy(dst, tau)
	case LoadedSlip:
		for i, v := range in.DQ[c.Joint] {
			dst[i] = math.Abs(tau[i]) * sign(v)
		}
	case Fading:
		for i, t := range in.Time {
			dst[i] = t * tau[i]
		}
	case Late:
		filter.Differentiate4(dst, tau, in.Interval)
	case LaterStill:
		filter.Differentiate4(dst, tau, in.Interval)
		for i, t := range in.Time {
			dst[i] *= t
		}
	case Smeared:
		if cap(in.slope) < len(tau) {
			in.slope = make([]float64, len(tau))
		}
		slope := in.slope[:len(tau)]
		filter.Differentiate4(slope, tau, in.Interval)
		filter.Differentiate4(dst, slope, in.Interval)
	case Rectified:
		for i, x := range tau {
			dst[i] = max(x, 0)
		}
	case Magnitude:
		for i, x := range tau {
			dst[i] = math.Abs(x)
		}
	case Cubed:
		for i, x := range tau {
			dst[i] = x * x * x
		}
	default:
		panic(fmt.Sprintf("regressor: %v is no kind of column", c.Kind))
	}
}

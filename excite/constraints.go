package excite

import (
	"fmt"
	"math"
)

// coupled is a constraint on the joints together. The excess of a constrained
// value at a sample is
//
//	value/limit - (1 - margin - tightening)
//
// positive where it is violated; the tightening is a reserve for the motion
// between the samples of the search.
type coupled interface {
	// clone returns the constraint with its own working memory and a shared tightening.
	clone() coupled
	// tightening returns the reserve, one entry for each constrained value.
	tightening() []float64
	// penalty returns the mean over the samples of max(0, excess + onset)², summed over the constrained values, and the
	// largest excess (any number below -onset if all are). If weight is positive, it adds weight times the derivative of
	// the mean to the evaluator's derivatives.
	penalty(e *evaluator, weight float64) (sum float64, worst Excess)
	// proof returns a function for the final check that raises worst by the excesses over the full limits, proven
	// between the samples too. It must be called with consecutive samples: t [sample], motion [order][joint][sample].
	proof(b *motionBounds, worst excesses) func(t []float64, motion *[3][][]float64)
}

// onset is the distance from a limit at which the penalty starts: if it started at the limit, its minimum would lie a
// little beyond.
const onset = 0.005

// Excess is the distance of a constrained value from its limit at the worst time of a motion. The constraint is violated
// if Relative is positive.
type Excess struct {
	Constraint string // "torque", "power", "distance", "speed"; "position" … "jerk" for a joint's own
	Of         string // the joint, the pair of bodies or the frame
	Value      float64
	Limit      float64
	Unit       string
	Relative   float64 // excess as a fraction of the limit; of unitLength for distances
	At         float64 // time, s
	index      int     // of the constrained value in the tightening
}

// String returns the excess as a sentence for an error message.
func (x Excess) String() string {
	return fmt.Sprintf("%s of %s: %.4g %s at %.2f s, allowed %.4g %s", x.Constraint, x.Of, x.Value, x.Unit, x.At, x.Limit, x.Unit)
}

// excesses are the worst so far, one a constrained value of a constraint.
type excesses []Excess

func newExcesses(n int) excesses {
	out := make(excesses, n)
	for i := range out {
		out[i].Relative, out[i].index = math.Inf(-1), i
	}
	return out
}

func (w excesses) raise(x Excess) {
	if x.Relative > w[x.index].Relative {
		w[x.index] = x
	}
}

// constraintsOf returns the coupled constraints of a problem, the keep-outs taken into account, and notes on the others.
func constraintsOf(p *Problem, axes []axis) (all []coupled, keepOuts []KeepOut, notes []string, err error) {
	torque, limited := newTorqueLimits(p, axes)
	switch {
	case len(limited) == 0:
	case torque == nil:
		notes = append(notes, fmt.Sprintf("torque and power limits of %v are not kept: the robot's parameters are not known", limited))
	default:
		all = append(all, torque)
	}
	if p.Robot == nil {
		return all, nil, notes, nil
	}
	if p.Model.Loops() != nil {
		joints := passiveOf(p.Robot)
		all = append(all, newPassiveLimits(joints, p.Model, p.Margin, make([]float64, 2*len(joints)+1)))
	}
	f := treeOf(p.Robot)
	if p.KeepOuts != nil || p.SelfCollision {
		pairs, skipped, err := bodyPairs(p, f, axes)
		if err != nil {
			return nil, nil, nil, err
		}
		notes = append(notes, skipped...)
		for k := range p.KeepOuts {
			for i := range pairs {
				if pairs[i].out == &p.KeepOuts[k] {
					keepOuts = append(keepOuts, p.KeepOuts[k])
					break
				}
			}
		}
		if len(pairs) > 0 {
			all = append(all, newSeparation(f, p.Capsules, pairs, p.Clearance, make([]float64, len(pairs))))
		}
	}
	if t := p.Tip; t != nil {
		all = append(all, &tipSpeed{f.NewSamplePose(), t.Name, t.Link, t.At, t.Speed, p.Margin, make([]float64, 1)})
	}
	return all, keepOuts, notes, nil
}

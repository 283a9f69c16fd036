package identify

import (
	"context"
	"fmt"
)

// StateValues evaluates one quantity at a few states at a time, for a caller that has many single states. It allocates
// nothing per state. Only one goroutine at a time may use it.
type StateValues struct {
	// Columns is the number of values of a joint: the parameters of a regressor, 1 for torques.
	Columns int

	part   evaluatedPart
	at     []int // places of the part's channels among the values of a state
	in     stateBatch
	motion [3][][]float64
}

// States returns the values of torques, of the regressor or of the base regressor for up to rows states at a time. Other quantities
// are an error.
func (e *Evaluator) States(ctx context.Context, q Quantity, rows int) (*StateValues, error) {
	v := new(StateValues)
	switch q {
	case EvaluateInverseDynamics:
		v.Columns = 1
	case EvaluateRegressor:
		v.Columns = len(e.full.Columns())
	case EvaluateBaseRegressor:
		if err := e.findBase(ctx); err != nil {
			return nil, err
		}
		v.Columns = len(e.set.Base)
	default:
		return nil, fmt.Errorf("%s cannot be computed at given states; what can be is %s, %s or %s", q, EvaluateInverseDynamics, EvaluateRegressor, EvaluateBaseRegressor)
	}
	parts, err := e.parts(ctx, []Quantity{q}, true)
	if err != nil {
		return nil, err
	}
	v.part = parts[0]
	for _, c := range v.part.channels() {
		v.at = append(v.at, c.Joint*v.Columns+max(c.Parameter, 0))
	}
	for k := range v.motion {
		v.motion[k] = sizedColumns(nil, len(e.jointNames()), rows)
	}
	v.batch(rows)
	_, err = v.part.eval(&v.in) // memory for the longest batch
	return v, err
}

// Joints returns the number of joints, n in Eval.
func (v *StateValues) Joints() int { return len(v.motion[0]) }

// Eval writes the values of the states to out: n × Columns numbers a state, joint after joint. Values that are zero in every state are
// not written, so out must hold zeros there. A state is 3n numbers: q, dq and ddq of all joints, in rad or m, rad/s or m/s, and
// rad/s² or m/s². The number of states must be at most the rows of States. If the loops of a robot do not close at a state, the error is a *regressor.SampleError.
func (v *StateValues) Eval(out, states []float64) error {
	n := v.Joints()
	rows := len(states) / (3 * n)
	v.batch(rows)
	for k, group := range v.motion {
		for j, x := range group {
			for i := range rows {
				x[i] = states[(3*i+k)*n+j]
			}
		}
	}
	values, err := v.part.eval(&v.in)
	if err != nil {
		return err
	}
	if rows == 1 {
		for c, at := range v.at {
			out[at] = values[c][0]
		}
		return nil
	}
	size := n * v.Columns
	for c, at := range v.at {
		for i, x := range values[c][:rows] {
			out[i*size+at] = x
		}
	}
	return nil
}

// batch sets the states that the next evaluation reads to the first rows of the memory.
func (v *StateValues) batch(rows int) {
	for k := range v.motion {
		for j, x := range v.motion[k] {
			v.motion[k][j] = x[:rows]
		}
	}
	v.in.Q, v.in.DQ, v.in.DDQ, v.in.rows = v.motion[0], v.motion[1], v.motion[2], rows
}

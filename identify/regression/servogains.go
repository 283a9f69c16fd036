package regression

import (
	"context"

	"ident/estimate"
	"ident/simulate/servo"
)

// gainStep is the relative change of a drive's gain for the central difference: a compromise between its square and the
// rounding of the simulation divided by it.
const gainStep = 1e-4

// servoGainChanges returns the change of an estimate x that compares simulated with measured outputs, by a standard
// deviation sigma of each drive's gain. A wrong gain is in the torque that is measured with it and in the torque that
// the drive makes of its controller's command:
//
//	∂s/∂x·δx = δg·(∂y/∂g - ∂s/∂g)
//
// by the last Gauss-Newton step's rows. The derivative of the simulated outputs s is a central difference.
func servoGainChanges(ctx context.Context, e *experiment, method ServoMethod, x, sigma []float64) ([][]float64, error) {
	loop, err := newServoLoop(ctx, e)
	if err != nil {
		return nil, err
	}
	motions, err := loop.simulate(x, true)
	if err != nil {
		return nil, err
	}
	scales := loop.deviations(method, motions)
	var changes [][]float64
	for k, s := range sigma {
		if s == 0 {
			continue
		}
		var moved [2][]*servoMotion
		for i, sign := range []float64{1, -1} {
			if moved[i], err = loop.withGain(k, 1+sign*gainStep, x); err != nil {
				return nil, err
			}
		}
		sum, err := loop.linearised(ctx, method, motions, len(x), scales, func(track, g int) []float64 {
			y, _, _ := motions[track].outputs(method)
			_, up, _ := moved[0][track].outputs(method)
			_, down, _ := moved[1][track].outputs(method)
			out := make([]float64, len(y[g]))
			for i := range out {
				out[i] = -(up[g][i] - down[g][i]) / (2 * gainStep)
				if method != CLOE && g == k { // torques are the first groups
					out[i] += y[g][i]
				}
				out[i] *= s
			}
			return out
		})
		if err != nil {
			return nil, err
		}
		sol, err := sum.Solve(estimate.OLS, false)
		if err != nil {
			return nil, err
		}
		changes = append(changes, sol.X)
	}
	return changes, nil
}

// withGain simulates every track with one drive's gain multiplied by factor.
func (l *servoLoop) withGain(joint int, factor float64, x []float64) ([]*servoMotion, error) {
	law := l.e.cfg.Servo
	loop, err := servo.New(l.e.model, law.Controller.WithGain(joint, factor), servo.Options{Smooth: law.Smooth})
	if err != nil {
		return nil, err
	}
	o := *l
	o.loop = loop
	return o.simulate(x, false)
}

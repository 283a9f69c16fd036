package standing

import (
	"ident/estimate"
	"ident/internal/triangle"
	"ident/regressor"
)

// tiltSigma is the standard deviation, m/s², of the specific force along an axis of the base before torques are asked: that of an
// accelerometer without calibration, 10 mg. Torques find it to a hundredth of that, so its size hardly matters.
const tiltSigma = 0.1

// pull returns the torques that a specific force of 1 m/s² along the axis x of the base, or y, makes with the parameters x in the poses of a
// batch: by axis, row and sample.
// Those of the robot file will do: if all masses are wrong by one factor, the tilt that is found is, and its torques are right. The block and
// the workspace must be the model's, and are overwritten.
func (f *fitting) pull(of regressor.Batch, x []float64, b *regressor.Block, ws *regressor.Workspace) (out [2][][]float64) {
	n, count := f.model.Joints(), len(of.Q[0])
	for axis := range out {
		motion := regressor.BaseMotion{Rate: [3][]float64(channels(3, count)), Acceleration: [3][]float64(channels(3, count)), SpecificForce: [3][]float64(channels(3, count))}
		for i := range count {
			motion.SpecificForce[axis][i] = 1
		}
		in := regressor.Batch{Q: channels(n, count), DQ: channels(n, count), DDQ: channels(n, count), PayloadAttached: of.PayloadAttached}
		copy(in.Q[6:], of.Q[6:])
		f.base.Fill(&in, &motion)
		f.model.EvalBatch(b, in, ws)
		out[axis] = channels(n, count)
		for k := range n {
			for m, c := range f.model.Mask(k) {
				for i, v := range b.Joint[k][m] {
					out[axis][k][i] += x[c] * v
				}
			}
		}
	}
	return out
}

// together solves for parameters and tilts, with what is known beforehand of both, and keeps the tilts.
func (f *fitting) together(r *estimate.Reduction) (*estimate.Solution, error) {
	var err error
	if f.weighs, err = r.Solve(estimate.OLS, false); err != nil {
		return nil, err
	}
	sol, err := withKnown(r, f.weighs, f.priorOfAll()).Solve(estimate.OLS, false)
	if err != nil {
		return nil, err
	}
	f.keep(sol.X)
	return sol, nil
}

// parameters returns the parameters that together finds, without their covariance.
func (f *fitting) parameters(r *estimate.Reduction) ([]float64, error) {
	if f.weighs == nil {
		var err error
		if f.weighs, err = r.Solve(estimate.OLS, false); err != nil {
			return nil, err
		}
	}
	sol, err := withKnown(r, f.weighs, f.priorOfAll()).WithoutCovariance(estimate.OLS, false)
	if err != nil {
		return nil, err
	}
	f.keep(sol.X)
	return sol.X[:len(f.set.Base)], nil
}

// priorOfAll returns what is known beforehand of parameters and tilts.
func (f *fitting) priorOfAll() []known {
	columns, rows := len(f.set.Base), f.prior()
	for k := range 2 * len(f.tilt) {
		weights := make([]float64, columns+k+1)
		weights[columns+k] = 1
		rows = append(rows, known{weights, 0, tiltSigma})
	}
	return rows
}

// keep keeps the tilts of a solution of parameters and tilts.
func (f *fitting) keep(x []float64) {
	for run := range f.tilt {
		f.tilt[run] = [2]float64(x[len(f.set.Base)+2*run:])
	}
}

// withoutTilts returns a reduction of the parameters alone, with the torques of the tilts that were found taken from those measured.
func (f *fitting) withoutTilts(r *estimate.Reduction) *estimate.Reduction {
	columns := len(f.set.Base)
	all := make([]int, columns)
	for c := range all {
		all[c] = c
	}
	out := estimate.NewReduction(columns, [][]int{all})
	for _, b := range r.Blocks() {
		from, to := b.Joints[0], triangle.New(columns)
		to.RSS, to.YY, to.Rows = from.RSS, from.YY, from.Rows
		for i, z := range from.Z {
			for run, tilt := range f.tilt {
				for axis, v := range tilt {
					if c := columns + 2*run + axis; c >= i {
						z -= v * from.R[i*from.N+c]
					}
				}
			}
			if i >= columns {
				to.RSS += z * z
				continue
			}
			copy(to.R[i*columns+i:(i+1)*columns], from.R[i*from.N+i:])
			to.Z[i] = z
		}
		out.Append(estimate.TimeBlock{Run: b.Run, Joints: []*triangle.Factor{to}})
	}
	return out
}

// widen gives a solution for tilts that were found the uncertainty of one in which they are unknown.
func widen(s, together *estimate.Solution) {
	n := len(s.X)
	s.Covariance, s.DegreesOfFreedom = make([][]float64, n), together.DegreesOfFreedom[:n]
	for i := range s.Covariance {
		s.Covariance[i] = together.Covariance[i][:n:n]
	}
}

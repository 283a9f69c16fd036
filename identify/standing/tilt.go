package standing

import (
	"math"

	"ident/estimate"
	"ident/filter"
	"ident/regressor"
)

// tiltSigma is the standard deviation, m/s², of the specific force along an axis of the base before torques are asked: that of an
// accelerometer without calibration, 10 mg. Torques find it to a hundredth of that, so its size hardly matters.
const tiltSigma = 0.1

// pull holds the torques of a log by a specific force of 1 m/s² along the axes x and y of the base: axis, row, sample of the track.
type pull struct {
	torque [2][][]float64
	dt     float64 // of the track
}

// at returns the torque of a row at a sample.
func (p *pull) at(s *sample, axis, row int) float64 {
	return p.torque[axis][row][int(math.Round(s.t/p.dt))]
}

// pulls returns the torques of a specific force under parameters x.
func (f *fitting) pulls(t *track, x []float64) (pull, error) {
	out := pull{dt: t.dt}
	low, err := filter.Butterworth(f.settings.Order, f.settings.Cutoff, 1/t.dt)
	if err != nil {
		return out, err
	}
	n, count := f.model.Joints(), len(t.in.Q[0])
	var work filter.Work
	for axis := range out.torque {
		motion := regressor.BaseMotion{Rate: [3][]float64(channels(3, count)), Acceleration: [3][]float64(channels(3, count)), SpecificForce: [3][]float64(channels(3, count))}
		for i := range count {
			motion.SpecificForce[axis][i] = 1
		}
		in := regressor.Batch{Q: channels(n, count), DQ: channels(n, count), DDQ: channels(n, count), PayloadAttached: t.in.PayloadAttached}
		copy(in.Q[6:], t.in.Q[6:])
		f.base.Fill(&in, &motion)
		b := f.model.NewBlock(count)
		f.model.EvalBatch(b, in, f.model.NewWorkspace())
		torque := channels(n, count)
		for k := range n {
			for m, c := range f.model.Mask(k) {
				for i, v := range b.Joint[k][m] {
					torque[k][i] += x[c] * v
				}
			}
		}
		low.ZeroPhaseColumns(torque, &work)
		out.torque[axis] = torque
	}
	return out, nil
}

// tilted is an estimate of parameters and tilts together.
type tilted struct {
	found      [][2]float64
	covariance [][]float64 // of the parameters, beside unknown tilts
	freedom    []float64
}

// widen gives a solution for tilts that were found the uncertainty of one with unknown tilts.
func (t *tilted) widen(s *estimate.Solution) {
	n := len(s.X)
	s.Covariance, s.DegreesOfFreedom = make([][]float64, n), t.freedom[:n]
	for i := range s.Covariance {
		s.Covariance[i] = t.covariance[i][:n:n]
	}
}

// tilts finds the tilts of all logs together with the parameters, and sets their torques in the samples. The torque of a tilt depends on
// the parameters, so it is taken under those of the round before, x. Nothing is found in the first round.
func (f *fitting) tilts(variance, x []float64, tracks []*track) (*tilted, error) {
	if x == nil {
		return nil, nil
	}
	pulls := make([]pull, len(tracks))
	for run, t := range tracks {
		var err error
		if pulls[run], err = f.pulls(t, x); err != nil {
			return nil, err
		}
	}
	for i := range f.samples {
		f.samples[i].tilt = nil
	}
	r := f.reduce(variance, pulls)
	rows := f.prior()
	for k := range 2 * len(pulls) {
		weights := make([]float64, len(x)+k+1)
		weights[len(x)+k] = 1
		rows = append(rows, known{weights, 0, tiltSigma})
	}
	// The deviation of rows, which weighs what is known beforehand, is that of the logs that hardly show a tilt, too.
	of, err := r.Solve(estimate.OLS, false)
	if err != nil {
		return nil, err
	}
	_, sol, err := withKnown(r, of, rows)
	if err != nil {
		return nil, err
	}
	out := &tilted{covariance: sol.Covariance, freedom: sol.DegreesOfFreedom}
	for run := range pulls {
		out.found = append(out.found, [2]float64(sol.X[len(x)+2*run:]))
	}
	for i := range f.samples {
		s := &f.samples[i]
		s.tilt = make([]float64, len(s.y))
		for k := range s.tilt {
			for axis, v := range out.found[s.run] {
				s.tilt[k] += v * pulls[s.run].at(s, axis, k)
			}
		}
	}
	return out, nil
}

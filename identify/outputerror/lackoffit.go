package outputerror

import (
	"math"
	"slices"

	"ident/internal/triangle"
)

// explainedBy returns, by joint, the part of the power of the residuals that signals of the commands explain, in per cent
// and beyond chance: of a law and a robot as declared there is none, for noise knows nothing of the commands. The signals
// are the commanded position of each joint, its square, the velocity with and without its magnitude, its sign and
// the acceleration, averaged as the outputs are. Residuals are not whitened here: an autoregression would take the
// errors of a wrong law, at the frequencies of the motion, for colour. Noise within a loop is small at these, so that chance is less.
//
// Power below that of simulationError is not counted: logs of little noise show the simulation's own error.
func (f *fit) explainedBy(outs []*output) []float64 {
	signals := make([][][]float64, len(f.runs)) // run, signal, window
	for i, run := range f.runs {
		w := f.window(run)
		for j := range f.joints {
			s := table(6, w.count)
			for win := range w.count {
				for a := range w.length {
					at := run.first + win*w.length + a
					r, dr := run.run.Command[j][at], run.rate[j][at]
					next := run.rate[j][min(at+1, len(run.rate[j])-1)]
					sign := 0.0
					if dr != 0 {
						sign = math.Copysign(1, dr)
					}
					for k, v := range [...]float64{r, r * r, dr, dr * math.Abs(dr), sign, (next - dr) / run.run.Interval} {
						s[k][win] += v / float64(w.length)
					}
				}
			}
			signals[i] = append(signals[i], s...)
		}
	}
	out := make([]float64, f.joints)
	for k := range out {
		sum := triangle.New(len(signals[0]) + 1)
		var work triangle.Work
		mean, count := 0.0, 0
		var ys [][]float64
		for _, o := range outs {
			y := o.residual[k]
			for _, v := range y {
				mean += v
			}
			count += len(y)
			ys = append(ys, y)
		}
		mean /= float64(count)
		power := 0.0
		for i, y := range ys {
			cols := slices.Clone(signals[i])
			ones := make([]float64, len(y))
			for t := range ones {
				ones[t] = 1
				power += (y[t] - mean) * (y[t] - mean)
			}
			sum.Add(append(cols, ones), y, &work)
		}
		free := float64(count - len(signals[0]) - 1)
		if power > 0 && free > 0 {
			power /= float64(count - 1)
			out[k] = math.Max(0, 100*(1-(sum.RSS/free+simulationError(f.runs, k))/power))
		}
	}
	return out
}

// simulatedTo is the error of a simulated position that is not compared with a law, as a part of the law's position error. At the
// true parameters the simulation is off by 1e-5 to 2e-4 of it (TestSimulationsOwnError; times of reversals are known to a part of a
// period), and the estimate of a log without noise ends 5e-4 from the truth, where the sum of squares is too rough to fall
// further. A delay that is wrong by some tenths of a millisecond leaves as much.
const simulatedTo = 5e-4

// simulationError returns the mean square error of the simulated positions of joint k by the simulation itself.
func simulationError(runs []*clocked, k int) float64 {
	sum, count := 0.0, 0
	for _, run := range runs {
		for i := run.first; i < run.last; i++ {
			e := run.run.Command[k][i] - run.run.Position[k][i]
			sum += e * e
		}
		count += run.last - run.first
	}
	return simulatedTo * simulatedTo * sum / float64(count)
}

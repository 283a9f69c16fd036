package watch

import (
	"math"
	"slices"
)

// Disturbed is the stretch of the quiet logs in which the external torque of a joint is largest beside its usual size, if that is too much for
// noise: somebody touched the robot, or it carried something.
type Disturbed struct {
	Joint int     `json:"joint"`
	Piece int     `json:"piece"`  // number of the piece, in the order of [Calibrator.Add]
	From  float64 `json:"from_s"` // on the clock of the log
	To    float64 `json:"to_s"`
	Times float64 `json:"times"` // the largest mean of a quarter of a second, in those that are usual
}

// disturbedSeconds is the length of the means that are compared: a touch is longer, and the noise of a mean is that of the slow part, which
// thresholds depend on.
const disturbedSeconds = 0.25

// disturbedTimes is how many times the median of the means' deviations the largest may be. Of 31 measured quiet logs, each beside the fit of one of its
// robot, it was at most 27.5 (a UR10e of which one joint moves), in the median 7; 6 N·m for a second on an arm whose observer has 0.06 N·m of noise made it 425.
const disturbedTimes = 40

// disturbed returns the largest disturbance of quiet logs, nil if there is none.
func (c *Calibrator) disturbed(n *Noise, traces []trace) (out *Disturbed) {
	type mean struct {
		piece    int
		from, to float64
		value    float64
	}
	for j := range n.RestRate {
		var means []mean
		for i, run := range c.runs {
			sum, count, from := 0.0, 0, math.Inf(-1)
			for k := n.settling(); k < len(run.T); k++ {
				if run.T[k] >= from+disturbedSeconds {
					if count > 0 {
						means = append(means, mean{i, from, run.T[k], sum / float64(count)})
					}
					sum, count, from = 0, 0, run.T[k]
				}
				sum += beyond(traces[i].r[j][k], traces[i].bound[j][k]) / (n.floorAt(j, run.DQ[j][k]) * traces[i].pose[j][k])
				count++
			}
		}
		if len(means) < disturbedMeans {
			continue
		}
		of := make([]float64, len(means))
		for i := range means {
			of[i] = means[i].value
		}
		middle := median(of)
		worst := 0
		for i := range means {
			means[i].value = math.Abs(means[i].value - middle)
			if of[i] = means[i].value; of[i] > means[worst].value {
				worst = i
			}
		}
		usual := median(of)
		times := means[worst].value / usual
		if !(times > disturbedTimes) || usual == 0 || out != nil && out.Times >= times {
			continue
		}
		first, last := worst, worst
		much := func(i int) bool {
			return i >= 0 && i < len(means) && means[i].piece == means[worst].piece && means[i].value > disturbedTimes/4*usual
		}
		for much(first - 1) {
			first--
		}
		for much(last + 1) {
			last++
		}
		out = &Disturbed{Joint: j, Piece: means[worst].piece, From: means[first].from, To: means[last].to, Times: times}
	}
	return out
}

// disturbedMeans is the number of means below which their median says nothing about the largest: five seconds.
const disturbedMeans = 20

// median returns the upper median of values, which it sorts.
func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

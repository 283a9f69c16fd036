package observation

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"ident/filter"
)

// Where the acceleration of a joint steps, as at the corners of a trapezoidal velocity, the torques of all joints step
// with it. Sampled torques know the instant of the step to a sample only: a step at a sample is before or behind it as a whole,
// half a sample early or late. Differences of positions know it better, so both sides differ by one sample of
// unknown size. Half a sample at 200 Hz moves the viscous friction of a two-joint arm by three deviations. The unknown is eliminated:
// with g the response of the rows to one sample at the step,
//
//	W ← W - g·(gᵀW)/(gᵀg)
//
// for every column and the measurement vector alike, as if every step had a parameter of its own in every equation.

// StepRule detects from the logged positions when joint accelerations step. The zero value detects no step.
type StepRule struct {
	Seconds []float64 // time on either side of a step that is used to detect it, by joint; zero detects none
	Least   []float64 // the smallest step, rad/s² or m/s²
}

// Limits of the rule.
const (
	// stepNoise is the least step in deviations of its noise: among 10⁵ samples of seven joints without a step, one log
	// in three hundred exceeds it.
	stepNoise = 6
	// stepShare is the least step relative to the root mean square of the joint's acceleration. Half a sample of a
	// smaller one moves no parameter by a deviation.
	stepShare = 0.4
	// clearShare is the noise, relative to that root mean square, below which a wider detector is no better.
	clearShare = 0.05
	// outstanding is the least step in quartiles of the detector's output for the moving joint; smooth motion stays
	// below ten. 3.8 deviations of normal outputs are 12 quartiles of their magnitude.
	outstanding = 12
	// longestStep bounds the time on either side, in seconds: a quarter of a quick move.
	longestStep = 0.25
	// leastHalf is the least half width of a detector in samples: it fits time and its cube, in addition to a step, to
	// the odd part of the positions.
	leastHalf = 4
	// stepTail is the part of the response to a step's sample that is not eliminated.
	stepTail = 1e-3
	// separate is the correlation of the responses to two steps below which both are eliminated.
	separate = 0.2
)

// StepsOf returns the rule for a run from the noise of its joints.
func StepsOf(noise []JointNoise) StepRule {
	var rule StepRule
	for k := range noise {
		rule.Seconds, rule.Least = append(rule.Seconds, noise[k].stepSeconds), append(rule.Least, noise[k].leastStep)
	}
	return rule
}

// measureSteps sets the detector width for the positions of a joint, dt seconds apart, and its least step.
func (n *JointNoise) measureSteps(q []float64, dt float64) {
	sigma, a := n.Position.Sigma, n.Acceleration
	longest := (len(q) - 1) / 2
	if samples := longestStep / dt; samples < float64(longest) {
		longest = int(samples)
	}
	if a <= 0 || longest < leastHalf {
		return
	}
	half := leastHalf
	d := newStepDetector(half, dt)
	for half < longest && sigma*d.noise() > clearShare*a {
		half = min(half+half/3+1, longest)
		d = newStepDetector(half, dt)
	}
	var size []float64
	for p := half; p < len(q)-half; p += d.stride() {
		// At rest there is no motion to compare a step with.
		if math.Abs(q[p+half]-q[p-half]) > max(restRange*sigma, exactRange) {
			size = append(size, math.Abs(d.at(q, p)))
		}
	}
	if len(size) == 0 {
		return
	}
	slices.Sort(size)
	n.stepSeconds = float64(half) * dt
	n.leastStep = max(stepShare*a, stepNoise*sigma*d.noise(), outstanding*size[len(size)/4])
}

// stepDetector estimates the step of an acceleration at a sample from the odd part of the positions beside it.
type stepDetector struct {
	taps  []float64 // of positions i samples behind the step less those as many before it, i from 1; 1/s²
	least float64   // the smallest step
}

// newStepDetector fits time, its cube and half of ½·t·|t| (made by a unit step) over half samples on either side.
func newStepDetector(half int, dt float64) stepDetector {
	var column [3][]float64 // the step last, orthogonal to the others
	for i := 1; i <= half; i++ {
		t := float64(i) / float64(half)
		column[0], column[1], column[2] = append(column[0], t), append(column[1], t*t*t), append(column[2], t*t/2)
	}
	for c := 1; c < 3; c++ {
		for b := range c {
			part := dot(column[b], column[c]) / dot(column[b], column[b])
			for i, v := range column[b] {
				column[c][i] -= part * v
			}
		}
	}
	d := stepDetector{taps: column[2]}
	// The odd part is half the difference; its step is half that of the acceleration, in units of the window.
	window := float64(half) * dt
	scale := 1 / (dot(d.taps, d.taps) * window * window)
	for i := range d.taps {
		d.taps[i] *= scale
	}
	return d
}

// noise returns the noise of the estimated step for positions of unit deviation.
func (d stepDetector) noise() float64 { return math.Sqrt(2 * dot(d.taps, d.taps)) }

// stride returns the distance in samples at which no step is missed: an eighth of the window away the output is still
// 0.7 of the step.
func (d stepDetector) stride() int { return max(len(d.taps)/4, 1) }

func (d stepDetector) at(q []float64, p int) float64 {
	sum := 0.0
	for i, c := range d.taps {
		sum += c * (q[p+1+i] - q[p-1-i])
	}
	return sum
}

// stepStage finds and eliminates steps at one sampling rate.
type stepStage struct {
	detectors []stepDetector // by joint; without taps where none is looked for
	response  []float64      // of the rows to one sample, from the sample on; even
	apart     int            // samples from the largest step within which no other is eliminated
}

// newStepStage returns the stage for rows behind their low-pass and, if not nil, that of the torque.
func newStepStage(rule StepRule, torque, rows *filter.SOS, dt float64) *stepStage {
	if len(rule.Seconds) == 0 || rows == nil {
		return nil
	}
	s := &stepStage{response: responseOf(torque, rows)}
	for k, t := range rule.Seconds {
		var d stepDetector
		if t > 0 {
			d = newStepDetector(max(int(math.Round(t/dt)), leastHalf), dt)
			d.least = rule.Least[k]
		}
		s.detectors = append(s.detectors, d)
	}
	g := s.response
	own := correlation(g, 0)
	for s.apart = len(g); s.apart > 1 && math.Abs(correlation(g, s.apart-1)) < separate*own; s.apart-- {
	}
	// A detector also responds to other steps in its window, with half the size and opposite sign.
	for _, d := range s.detectors {
		s.apart = max(s.apart, len(d.taps))
	}
	return s
}

// responseOf returns the zero-phase response of both filters to a unit sample, from that sample on.
func responseOf(torque, rows *filter.SOS) []float64 {
	filters := []*filter.SOS{rows}
	if torque != nil {
		filters = append(filters, torque)
	}
	half := 0
	for _, f := range filters {
		half += f.Tail(stepTail * stepTail)
	}
	x := make([]float64, 2*half+1)
	x[half] = 1
	columns, work := [][]float64{x}, new(filter.Work)
	for _, f := range filters {
		f.ZeroPhaseColumns(columns, work)
	}
	g := x[half:]
	n := len(g)
	for n > 1 && math.Abs(g[n-1]) < stepTail*g[0] {
		n--
	}
	return slices.Clone(g[:n])
}

// correlation returns the correlation of an even response with itself, lag samples apart.
func correlation(g []float64, lag int) float64 {
	sum := 0.0
	for i := 1 - len(g); i < len(g); i++ {
		if j := max(i-lag, lag-i); j < len(g) {
			sum += g[max(i, -i)] * g[j]
		}
	}
	return sum
}

// reach returns the number of samples on either side on which a row depends through steps, and the larger number from
// which these steps are detected.
func (s *stepStage) reach() (rows, told int) {
	if s == nil {
		return 0, 0
	}
	rows = 2 * len(s.response)
	for _, d := range s.detectors {
		told = max(told, len(d.taps))
	}
	return rows, len(s.response) + s.apart + 2*told
}

// stepWork is the memory of find.
type stepWork struct {
	size  []float64 // step over the least one, by sample; the largest of the joints
	found []int
}

// find returns the samples at which accelerations step, in order. first is the segment's sample at position 0.
func (s *stepStage) find(positions [][]float64, first int, w *stepWork) []int {
	if s == nil {
		return nil
	}
	n := len(positions[0])
	w.size = grown(w.size, n)
	clear(w.size)
	w.found = w.found[:0]
	any := false
	for k, d := range s.detectors {
		half, q := len(d.taps), positions[k]
		if half == 0 {
			continue
		}
		every := d.stride()
		for p := half + (every-(first+half)%every)%every; p < n-half; p += every {
			if math.Abs(d.at(q, p)) < 0.7*d.least {
				continue
			}
			for at := max(p-every+1, half); at < min(p+every, n-half); at++ {
				if size := math.Abs(d.at(q, at)) / d.least; size >= 1 {
					w.size[at], any = max(w.size[at], size), true
				}
			}
		}
	}
	if !any {
		return nil
	}
	for p, size := range w.size {
		if size == 0 {
			continue
		}
		largest := true
		for at := max(p-s.apart, 0); at < min(p+s.apart+1, n); at++ {
			if other := w.size[at]; other > size || other == size && at < p {
				largest = false
				break
			}
		}
		if largest {
			w.found = append(w.found, p)
		}
	}
	return w.found
}

// eliminate removes the samples at the steps from filtered columns as long as the chunk. Rows at rest have no steps. All
// columns are changed alike.
func (s *stepStage) eliminate(columns [][]float64, steps []int, x Extent, atRest []bool) {
	if len(steps) == 0 {
		return
	}
	type part struct {
		response []float64 // of the rows that are changed, zero at rest
		from     int       // its first row
		squares  float64
		multiple float64 // in the present column
	}
	var parts []part
	for _, p := range steps {
		all := 0.0
		for i := 1 - len(s.response); i < len(s.response); i++ {
			all += s.response[max(i, -i)] * s.response[max(i, -i)]
		}
		own := part{from: max(p+1-len(s.response), x.Begin, 0)}
		for at := own.from; at < min(p+len(s.response), x.End, len(columns[0])); at++ {
			g := s.response[max(at-p, p-at)]
			if atRest != nil && atRest[at] {
				g = 0
			}
			own.response = append(own.response, g)
			own.squares += g * g
		}
		// A tail alone looks like any slow torque.
		if own.squares > 0.05*all {
			parts = append(parts, own)
		}
	}
	rows := func(column []float64, p *part) (response, rows blas64.Vector) {
		n := len(p.response)
		return blas64.Vector{N: n, Inc: 1, Data: p.response}, blas64.Vector{N: n, Inc: 1, Data: column[p.from : p.from+n]}
	}
	for _, column := range columns {
		for i := range parts {
			parts[i].multiple = blas64.Dot(rows(column, &parts[i])) / parts[i].squares
		}
		for i := range parts {
			g, x := rows(column, &parts[i])
			blas64.Axpy(-parts[i].multiple, g, x)
		}
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

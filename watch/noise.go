package watch

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Noise is what quiet logs say of a robot under a model: plain numbers, which a Calibrator measures.
type Noise struct {
	RateHz    float64     `json:"rate_hz"`
	Jitter    float64     `json:"jitter"`    // part of a step by which a tenth of the steps are off the rate
	Seconds   float64     `json:"seconds"`   // length of the quiet logs, s
	LeftOut   int         `json:"left_out"`  // rows of the quiet logs that are not sound
	Bandwidth float64     `json:"bandwidth"` // bandwidth of the observer, rad/s
	RestRate  []float64   `json:"rest_rate"` // by joint: speed below which it is at rest, rad/s or m/s
	Jolt      []float64   `json:"jolt"`      // by joint: second difference of velocities beyond which rows do not resolve a motion
	Step      []float64   `json:"step"`      // by joint: change of the measured torque between rows beyond which rows do not resolve a motion
	Held      [3][]int    `json:"held"`      // of positions, velocities and torques, by joint: the most times in a row that a value was repeated while the joint moved
	Still     int         `json:"still"`     // the most times in a row that all values of a row were repeated
	Edges     [][]float64 `json:"edges"`     // by joint: the largest speed of each bin but the last
	Fastest   []float64   `json:"fastest"`   // by joint: largest speed of the logs
	Floor     [][]float64 `json:"floor"`     // by joint and bin of speed: standard deviation of the observer, N·m or N
	Share     []float64   `json:"share"`     // by joint: the model's largest variance over that of the noise
	Density   []float64   `json:"density"`   // by joint: spectral density of the noise at low frequencies, without the errors of parameters, in units of its variance, s
	Inertial  Inertial    `json:"inertial"`  // how the noise goes with the pose
	Bounds    Bounds      `json:"bounds"`    // what a sound row does not exceed
	Tests     []Test      `json:"tests"`
	Tail      *Tail       `json:"tail,omitempty"` // nil of logs shorter than ten minutes
	Disturbed *Disturbed  `json:"disturbed,omitempty"`
}

// Test is one sequential test of a joint.
type Test struct {
	Joint     int     `json:"joint"`
	Window    float64 `json:"window"`          // bandwidth of the test, rad/s; 0 means that of the observer
	Signed    bool    `json:"signed"`          // e is multiplied by the sign of the velocity: tests friction
	Drift     bool    `json:"drift"`           // the alarms of the test mean drift
	Gain      float64 `json:"gain"`            // standard deviation of E on the quiet logs
	Values    float64 `json:"values"`          // number of independent values that Gain was measured from
	Crossings float64 `json:"crossings"`       // upward zero crossings per second
	Peak      float64 `json:"peak"`            // level above which peaks are used for the tail
	Excess    float64 `json:"excess"`          // mean excess of these peaks (upper 95 % bound); 0 if there are too few
	PeakRate  float64 `json:"peak_rate"`       // peaks above the level, per second
	Level     float64 `json:"level"`           // level of the [Tail]
	Unfit     string  `json:"unfit,omitempty"` // why the test is not used
}

// The windows of the tests, rad/s; 0 is the observer itself.
var windows = []struct {
	k             float64
	signed, drift bool
}{{0, false, false}, {15, false, false}, {2, false, false}, {0.2, false, true}, {0.2, true, true}}

// leastValues is the number of independent values below which no tail can be stated for a test.
const leastValues = 6

// student returns the level that the test passes rate times a second if its values are Gaussian, of a deviation that is known by Values of them.
func (t *Test) student(rate float64) float64 {
	if x := 2 * t.Crossings / rate; x > 1 {
		return math.Sqrt(t.Values * (math.Pow(x, 2/(t.Values+1)) - 1))
	}
	return 0
}

// threshold returns the level that the test passes at most rate times a second on a quiet robot: see the package comment.
func (t *Test) threshold(rate float64) float64 {
	level := t.student(rate)
	if t.Excess > 0 && t.PeakRate > rate {
		level = max(level, t.Peak+t.Excess*math.Log(t.PeakRate/rate))
	}
	return max(level, 3)
}

// floorAt returns the noise of a joint at a velocity; beyond the speeds of the quiet logs it grows with the speed.
func (n *Noise) floorAt(joint int, v float64) float64 {
	v = math.Abs(v)
	bin := 0
	for bin < len(n.Edges[joint]) && v > n.Edges[joint][bin] {
		bin++
	}
	f := n.Floor[joint][bin]
	if v > n.Fastest[joint] && n.Fastest[joint] > 0 {
		f *= v / n.Fastest[joint]
	}
	return f
}

// settling returns the number of rows in which the observer forgets how the robot moved before the first.
func (n *Noise) settling() int { return int(5 / n.Bandwidth * n.RateHz) }

// contactRatio and driftRatio are how many times its threshold h the mean of a window of a contact, and of drift, may be at most: more would be remembered
// after the event.
const contactRatio, driftRatio = 1.05, 2.0

// heldSeconds is the time in which the mean of a window of a contact falls to h where noise of three deviations holds it there, h − 3: half of the time
// that tests are below their thresholds before an end is told.
const heldSeconds = 0.05

// heldRatio returns how many times its threshold the value of a test may be. A mean of bandwidth k that is held at a·h falls from a·h − (h − 3) to 3 in the
// time ln(1 + (a − 1)·h/3)/k.
func (t *Test) heldRatio(threshold float64) float64 {
	switch {
	case t.Drift:
		return driftRatio
	case t.Window > 0:
		return min(contactRatio, 1+math.Expm1(t.Window*heldSeconds)*3/threshold)
	}
	return math.Inf(1)
}

// bank holds the windows of all joints.
type bank struct {
	noise *Noise
	alpha []float64 // by window
	E, V  [][]float64
	e     []float64
}

func newBank(n *Noise) *bank {
	b := &bank{noise: n, e: make([]float64, len(n.RestRate))}
	for _, w := range windows {
		a := 1.0
		if w.k > 0 {
			a = 1 - math.Exp(-w.k/n.RateHz)
		}
		b.alpha = append(b.alpha, a)
		b.E, b.V = append(b.E, make([]float64, len(b.e))), append(b.V, make([]float64, len(b.e)))
	}
	return b
}

func (b *bank) reset() {
	for s := range b.E {
		clear(b.E[s])
		clear(b.V[s])
	}
}

// add takes in joint j's value r with the bound, the noise f and the model's variance m at a velocity; held windows of drift stay as they are.
func (b *bank) add(j int, r, bound, f, m, v float64, held bool) {
	e := beyond(r, bound) / f
	b.e[j] = e
	share, side := m/(f*f), max(-1, min(1, v/b.noise.RestRate[j]))
	for s := range windows {
		w := &windows[s]
		if held && w.drift {
			continue
		}
		x := e
		if w.signed {
			x *= side
		}
		a := b.alpha[s]
		b.E[s][j] += a * (x - b.E[s][j])
		b.V[s][j] += a * (share - b.V[s][j])
	}
}

// z returns the value of a test.
func (b *bank) z(s, j int, gain float64) float64 {
	return b.E[s][j] / math.Sqrt(gain*gain+b.V[s][j])
}

// beyond returns what of a value lies outside of ±bound.
func beyond(r, bound float64) float64 {
	switch {
	case r > bound:
		return r - bound
	case r < -bound:
		return r + bound
	}
	return 0
}

// Columns are rows of a log: times in s, and one slice per joint.
type Columns struct {
	T          []float64
	Q, DQ, Tau [][]float64
}

// Calibrator measures the noise of a robot on quiet logs: without contacts, payloads and faults, at the rate of the
// robot that will be watched, read in the same way. The training logs of the model will do.
type Calibrator struct {
	model Model
	k     float64
	runs  []Columns
}

// NewCalibrator begins without rows. bandwidth is that of the observer, rad/s; 0 takes [DefaultBandwidth], or as many
// rad/s as the rows have Hz where these are fewer.
func NewCalibrator(m Model, bandwidth float64) *Calibrator {
	return &Calibrator{model: m, k: bandwidth}
}

// DefaultBandwidth is the bandwidth of the observer, rad/s: after 20 ms it shows 86 % of a step.
const DefaultBandwidth = 100

// Add takes in a gap-free piece of a quiet log. The slices are kept.
func (c *Calibrator) Add(rows Columns) { c.runs = append(c.runs, rows) }

// trace is the observer's output over a run.
type trace struct {
	r, bound, m [][]float64
	pieces      *pieces
	pose        [][]float64 // square of the momentum that the noise of velocities is taken for, then the factor of the noise
}

// Noise measures. The rows must hold at least two seconds.
func (c *Calibrator) Noise() (*Noise, error) {
	n := &Noise{Bandwidth: c.k}
	var steps []float64
	for _, r := range c.runs {
		for k := 1; k < len(r.T); k++ {
			steps = append(steps, r.T[k]-r.T[k-1])
		}
		if len(r.T) > 0 {
			n.Seconds += r.T[len(r.T)-1] - r.T[0]
		}
	}
	if len(steps) < 100 || n.Seconds < 2 {
		return nil, fmt.Errorf("the quiet logs have %d rows in %.3g s: the noise of a robot takes two seconds at least, and a minute for slow changes", len(steps), n.Seconds)
	}
	step, off := steady(steps)
	n.RateHz, n.Jitter = 1/step, off
	if n.Bandwidth == 0 {
		n.Bandwidth = min(DefaultBandwidth, n.RateHz)
	}
	if n.Bandwidth > n.RateHz {
		return nil, fmt.Errorf("an observer of %.3g rad/s needs rows faster than the log's %.3g Hz", n.Bandwidth, n.RateHz)
	}
	if settled := 5 / n.Bandwidth; !(settled <= n.Seconds/2) {
		return nil, fmt.Errorf("an observer of %.3g rad/s forgets how the motion began in %.3g s, which is more than half of the quiet logs' %.3g s: give a larger bandwidth or longer logs", n.Bandwidth, settled, n.Seconds)
	}
	o, err := newObserver(c.model, n.Bandwidth)
	if err != nil {
		return nil, err
	}
	n.Bounds = BoundsOf(c.model.Linear(), n.RateHz, c.runs...)
	c.speeds(n, o.joints)
	o.restRate, o.jolt.limit, o.torqueStep = n.RestRate, n.Jolt, n.Step
	o.pose.Velocity, o.pose.every = n.Inertial.Velocity, n.poseRows()
	traces, err := c.trace(n, o)
	if err != nil {
		return nil, err
	}
	c.floors(n, traces, nil)
	c.inertial(n, traces)
	c.floors(n, traces, func(i, j, k int) float64 { return traces[i].pose[j][k] })
	for _, w := range windows {
		for j := range o.joints {
			n.Tests = append(n.Tests, Test{Joint: j, Window: w.k, Signed: w.signed, Drift: w.drift})
		}
	}
	c.tails(n, traces)
	c.tail(n, traces)
	c.densities(n, o, traces)
	n.Disturbed = c.disturbed(n, traces)
	return n, nil
}

// speeds measures the speeds of the joints: where they are at rest, and how fast they go.
func (c *Calibrator) speeds(n *Noise, joints int) {
	for j := range joints {
		fastest, most := 0.0, [3]int{}
		var second, steps []float64
		for _, r := range c.runs {
			v, tau := r.DQ[j], r.Tau[j]
			for k := range v {
				if k >= 1 {
					steps = append(steps, math.Abs(tau[k]-tau[k-1]))
				}
				fastest = max(fastest, math.Abs(v[k]))
				if k >= 2 {
					second = append(second, math.Abs(v[k]-2*v[k-1]+v[k-2]))
				}
			}
		}
		slices.Sort(second)
		slices.Sort(steps)
		n.Jolt, n.Step = append(n.Jolt, resolved(second)), append(n.Step, resolved(steps))
		// The median of the second difference of white noise is 0.6745·√6 of its standard deviation.
		noise := second[len(second)/2] / (0.6745 * math.Sqrt(6))
		n.Inertial.Velocity = append(n.Inertial.Velocity, noise)
		rest := max(5*noise, 0.005*fastest, 1e-6)
		n.RestRate = append(n.RestRate, rest)
		var held repeats
		for _, r := range c.runs {
			held.begin()
			for k := range r.T {
				held.add(r.Q[j][k], r.DQ[j][k], r.Tau[j][k], r.T[k], rest)
				for g, n := range held.n {
					most[g] = max(most[g], n)
				}
			}
		}
		n.Fastest = append(n.Fastest, fastest)
		for g := range most {
			n.Held[g] = append(n.Held[g], most[g])
		}
		edges := []float64{rest}
		for _, part := range []float64{0.1, 0.3, 0.6} {
			if e := part * fastest; e > edges[len(edges)-1] {
				edges = append(edges, e)
			}
		}
		n.Edges = append(n.Edges, edges)
	}
	for _, r := range c.runs {
		all := 0
		for k := 1; k < len(r.T); k++ {
			if all++; !r.repeats(k) {
				all = 0
			}
			n.Still = max(n.Still, all)
		}
	}
}

// repeats reports whether row k has all values of the row before.
func (c *Columns) repeats(k int) bool {
	for j := range c.Q {
		if c.Q[j][k] != c.Q[j][k-1] || c.DQ[j][k] != c.DQ[j][k-1] || c.Tau[j][k] != c.Tau[j][k-1] {
			return false
		}
	}
	return true
}

// resolved returns the largest change that rows resolve, by those of quiet logs, sorted: twice the bound of 99 %. The
// largest hundredth may be a stop of the controller, which a log ends with. Held values and rest, changes of zero, say
// nothing.
func resolved(changes []float64) float64 {
	changes = changes[sort.SearchFloat64s(changes, math.SmallestNonzeroFloat64):]
	if len(changes) == 0 {
		return math.MaxFloat64
	}
	return 2 * changes[len(changes)*99/100]
}

// trace runs the observer over all runs.
func (c *Calibrator) trace(n *Noise, o *observer) ([]trace, error) {
	var list []trace
	for _, run := range c.runs {
		var tr trace
		for range o.joints {
			tr.r, tr.bound, tr.m = append(tr.r, make([]float64, len(run.T))), append(tr.bound, make([]float64, len(run.T))), append(tr.m, make([]float64, len(run.T)))
			tr.pose = append(tr.pose, make([]float64, len(run.T)))
		}
		o.reset()
		tr.pieces = newPieces(o, n.RateHz)
		err := o.add(run.T, run.Q, run.DQ, run.Tau, func(k int) {
			for j := range o.joints {
				tr.r[j][k], tr.bound[j][k], tr.m[j][k], tr.pose[j][k] = o.R[j], o.bound[j], o.M[j], o.pose.sum[j]
			}
			tr.pieces.add(o)
		})
		if err != nil {
			return nil, err
		}
		list = append(list, tr)
	}
	return list, nil
}

// floors measures the standard deviation of the observer by joint and speed. A bin with few rows leans on all speeds,
// with the weight of one second. pose is the factor of the noise of a row, nil for 1.
func (c *Calibrator) floors(n *Noise, traces []trace, pose func(run, joint, row int) float64) {
	skip := n.settling()
	n.Floor, n.Share = nil, nil
	for j := range n.RestRate {
		bins := len(n.Edges[j]) + 1
		sum, count := make([]float64, bins), make([]float64, bins)
		all, rows := 0.0, 0.0
		for i, run := range c.runs {
			for k := skip; k < len(run.T); k++ {
				bin, v := 0, math.Abs(run.DQ[j][k])
				for bin < len(n.Edges[j]) && v > n.Edges[j][bin] {
					bin++
				}
				e := beyond(traces[i].r[j][k], traces[i].bound[j][k])
				if pose != nil {
					e /= pose(i, j, k)
				}
				sum[bin] += e * e
				count[bin]++
				if bin > 0 {
					all, rows = all+e*e, rows+1
				}
			}
		}
		if rows == 0 { // the joint was at rest throughout
			all, rows = sum[0], count[0]
		}
		mean := all / rows
		floor := make([]float64, bins)
		for b := range bins {
			floor[b] = math.Sqrt((sum[b] + n.RateHz*mean) / (count[b] + n.RateHz))
		}
		// At rest the uncertainty of friction hides the noise, so the noise of slow motion is used there.
		floor[0] = max(floor[0], floor[min(1, bins-1)])
		for b := range floor {
			floor[b] = max(floor[b], 1e-9)
		}
		n.Floor = append(n.Floor, floor)
		share := 0.0
		for i, run := range c.runs {
			for k := range run.T {
				f := n.floorAt(j, run.DQ[j][k])
				if pose != nil {
					f *= pose(i, j, k)
				}
				share = max(share, traces[i].m[j][k]/(f*f))
			}
		}
		n.Share = append(n.Share, share)
	}
}

// tails measures the standard deviation of each test, and its peaks.
func (c *Calibrator) tails(n *Noise, traces []trace) {
	b := newBank(n)
	joints := len(n.RestRate)
	for s, w := range windows {
		k := w.k
		if k == 0 {
			k = n.Bandwidth
		}
		skip := n.settling() + int(3/k*n.RateHz)
		for j := range joints {
			test := &n.Tests[s*joints+j]
			sum, rows := 0.0, 0
			var values []float64
			var starts []int
			for i, run := range c.runs {
				b.reset()
				starts = append(starts, len(values))
				for q := n.settling(); q < len(run.T); q++ {
					b.add(j, traces[i].r[j][q], traces[i].bound[j][q], n.floorAt(j, run.DQ[j][q])*traces[i].pose[j][q], 0, run.DQ[j][q], false)
					if q < skip {
						continue
					}
					x := b.E[s][j]
					sum += x * x
					rows++
					values = append(values, x)
				}
			}
			seconds := float64(rows) / n.RateHz
			test.Values = seconds * k
			if test.Values < leastValues || sum == 0 {
				test.Unfit = fmt.Sprintf("%.3g s of quiet logs are too short for a window of %.2g s", n.Seconds, 1/k)
				continue
			}
			test.Gain = math.Sqrt(sum / float64(rows))
			test.peaks(values, starts, seconds, max(leastLevel, 2*tailPeaks/(contactWindows()*joints)))
		}
	}
}

// peaks measures the crossings of zero of a test, and the tail of its peaks; level of them pass its level.
func (t *Test) peaks(values []float64, starts []int, seconds float64, level int) {
	var peaks []float64
	peak, up := 0.0, 0
	for i, x := range values {
		fresh := slices.Contains(starts, i)
		if i > 0 && (fresh || x*values[i-1] <= 0) {
			if peak > 0 {
				peaks = append(peaks, peak/t.Gain)
			}
			peak = 0
			if !fresh && x > 0 {
				up++
			}
		}
		peak = max(peak, math.Abs(x))
	}
	peaks = append(peaks, peak/t.Gain)
	t.Crossings = float64(max(up, 1)) / seconds
	slices.Sort(peaks)
	t.Level = peaks[max(0, len(peaks)-level)]
	beyond := peaks[len(peaks)-min(max(len(peaks)/5, 10), 50, len(peaks)):]
	if len(beyond) < 10 {
		return
	}
	t.Peak = beyond[0]
	sum := 0.0
	for _, p := range beyond {
		sum += p - t.Peak
	}
	count := float64(len(beyond) - 1)
	// The upper 95 % bound of an exponential mean: χ² by Wilson and Hilferty.
	q := 1 - 1/(9*count) - 1.645/(3*math.Sqrt(count))
	t.Excess = sum / count / (q * q * q)
	t.PeakRate = float64(len(beyond)) / seconds
}

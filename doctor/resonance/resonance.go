package resonance

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/datasets"
	"ident/doctor"
	"ident/filter"
)

// ID is that of the finding.
const ID = "resonance"

// Limits of the check.
const (
	lowest     = 3.0   // Hz: above the motion of most robots
	highest    = 100.0 // Hz
	ofRate     = 0.125 // highest frequency over the rate: fourth differences are right to a percent below
	leastRate  = 80.0  // Hz
	mostRows   = 40_000
	leastShare = 0.02 // of the torque's root mean square in the band
	leftByRest = 0.2  // least part of the band's power that a rigid joint leaves
	explained  = 0.6  // least part of that which the elastic columns explain
	beyond     = 0.3  // least part that they explain of noise in the band; noise has a twentieth, two simulated arms 0.58 and 0.63
)

// Mode is a resonance of a joint.
type Mode struct {
	Joint     int
	Frequency float64 // Hz, with the other joints held
	Left      float64 // part of the torque's power in the band that a rigid joint leaves
	Explained float64 // part of that by the elasticity
	Band      [2]float64
}

// explainedOtherwise tells whether a log has faults that leave a residual of their own.
func explainedOtherwise(found []doctor.Finding) bool {
	for _, f := range found {
		switch f.ID {
		case doctor.EdgeTransient, doctor.Quantised, doctor.Aliasing, doctor.ClockJitter, doctor.ExcitationSmall, doctor.ExcitationCollinear:
		default:
			if f.Severity != doctor.Info {
				return true
			}
		}
	}
	return false
}

// Check looks for the resonance that stands out most in a log without other faults.
func Check(l *datasets.Log, roles datasets.Roles, joints []string, found []doctor.Finding) ([]doctor.Finding, error) {
	if explainedOtherwise(found) || roles.T == "" || len(roles.Q) != len(joints) || len(roles.Tau) != len(joints) {
		return nil, nil
	}
	part := l.Slice(0, min(l.Rows(), mostRows))
	t, err := part.Column(roles.T)
	if err != nil {
		return nil, err
	}
	clock := filter.AnalyseClock(t)
	if !clock.Uniform || len(t) < 1000 || 1/clock.Period < leastRate {
		return nil, nil
	}
	read := func(names []string) ([][]float64, error) {
		out := make([][]float64, len(names))
		for i, name := range names {
			if name == "" {
				continue
			}
			if out[i], err = part.Column(name); err != nil {
				return nil, err
			}
			for _, v := range out[i] {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					out[i] = nil
					break
				}
			}
		}
		return out, nil
	}
	q, err := read(roles.Q)
	if err != nil {
		return nil, err
	}
	tau, err := read(roles.Tau)
	if err != nil {
		return nil, err
	}
	m, ok := Find(q, tau, 1/clock.Period)
	if !ok {
		return nil, nil
	}
	return []doctor.Finding{{ID: ID, Severity: doctor.Warning, Joint: joints[m.Joint], Channel: roles.Tau[m.Joint], Value: m.Frequency, Limit: m.Band[1], Where: "the whole log",
		Why: fmt.Sprintf("a resonance at %.3g Hz, with the other joints held: of the torque's power between %.3g and %.3g Hz a rigid joint leaves %.0f %%, and an elastic one explains %.0f %% of that", m.Frequency, m.Band[0], m.Band[1], 100*m.Left, 100*m.Explained),
		Fix: "describe the joint as elastic in the robot file, joint: {elastic: true}, and fit it from the positions of motor and link, or of the motor and a joint torque sensor; a rigid model holds far below this frequency only"}}, nil
}

// Find returns the mode with the largest explained part, of positions and torques of joints on a uniform clock, nil for
// those without a channel.
func Find(q, tau [][]float64, rate float64) (Mode, bool) {
	top := math.Min(highest, ofRate*rate)
	low, err := filter.Butterworth(4, lowest, rate)
	if err != nil || top < 2*lowest {
		return Mode{}, false
	}
	high, err := filter.Butterworth(4, top, rate)
	if err != nil {
		return Mode{}, false
	}
	b := &bands{low: low, high: high, dt: 1 / rate, keep: max(1, int(rate/(2.5*top))), tail: low.Tail(1e-3)}
	var best Mode
	var d []*derivatives
	for _, x := range q {
		d = append(d, b.derivatives(x))
	}
	for j := range q {
		if d[j] == nil || tau[j] == nil {
			continue
		}
		if m, ok := b.fit(d, j, tau[j], top); ok && m.Left*m.Explained > best.Left*best.Explained {
			best = m
		}
	}
	return best, best.Frequency > 0
}

// bands passes the frequencies between the motion and the highest.
type bands struct {
	low, high  filter.SOS
	dt         float64
	keep, tail int
	work       filter.Work
}

// derivatives of a position below the highest frequency, of order 0 to 4.
type derivatives [5][]float64

func (b *bands) derivatives(x []float64) *derivatives {
	if x == nil {
		return nil
	}
	var d derivatives
	d[0] = make([]float64, len(x))
	b.high.ZeroPhase(d[0], x, &b.work)
	for i := 1; i < len(d); i++ {
		d[i] = make([]float64, len(x))
		filter.Differentiate4(d[i], d[i-1], b.dt)
	}
	return &d
}

// pass is the part of a column above the motion, at the rows.
func (b *bands) pass(x []float64) []float64 {
	slow := make([]float64, len(x))
	b.low.ZeroPhase(slow, x, &b.work)
	var out []float64
	for k := b.tail; k < len(x)-b.tail; k += b.keep {
		out = append(out, x[k]-slow[k])
	}
	return out
}

// fit holds a rigid joint against an elastic one.
func (b *bands) fit(d []*derivatives, j int, torque []float64, top float64) (Mode, bool) {
	n := len(torque)
	if n-2*b.tail < 200*b.keep {
		return Mode{}, false
	}
	smooth := make([]float64, n)
	b.high.ZeroPhase(smooth, torque, &b.work)
	y := b.pass(smooth)
	mean, all := 0.0, 0.0
	for _, v := range smooth {
		mean += v / float64(n)
	}
	for _, v := range smooth {
		all += (v - mean) * (v - mean) / float64(n)
	}
	own := norm2(y) / float64(len(y))
	if all == 0 || own < leastShare*leastShare*all {
		return Mode{}, false
	}
	product := func(f func(k int) float64) []float64 {
		x := make([]float64, n)
		for k := range x {
			x[k] = f(k)
		}
		return b.pass(x)
	}
	var columns [][]float64
	inertia, factors := []int{}, []float64{} // columns of the joint's own acceleration, and the mean of their factors
	for k, of := range d {
		if of == nil {
			continue
		}
		if k == j {
			inertia, factors = append(inertia, len(columns)), append(factors, 1)
		}
		columns = append(columns, b.pass(of[2]))
		// The next joint changes the inertia that this one feels.
		for _, next := range []int{j + 1} {
			if next >= len(d) || d[next] == nil || k != j && k != next {
				continue
			}
			for _, f := range [2]func(float64) float64{math.Cos, math.Sin} {
				average := 0.0
				for _, v := range d[next][0] {
					average += f(v) / float64(n)
				}
				if k == j {
					inertia, factors = append(inertia, len(columns)), append(factors, average)
				}
				columns = append(columns, product(func(i int) float64 { return f(d[next][0][i]) * of[2][i] }))
			}
		}
	}
	columns = append(columns, b.pass(d[j][0]), b.pass(d[j][1]), product(func(k int) float64 { return sign(d[j][1][k]) }))
	_, rigid := least(columns, y)
	second := make([]float64, n)
	filter.Differentiate4(second, smooth, b.dt)
	third := make([]float64, n)
	filter.Differentiate4(third, second, b.dt)
	// Noise in a band is much like its own second derivative, the opposite way: that column alone takes (∫f²)²/(∫1·∫f⁴) of white
	// noise, 71 % between 3 and 12.5 Hz. Only what the positions' fourth derivatives take beyond it is elastic.
	_, narrow := least(append(columns[:len(columns):len(columns)], b.pass(third)), y)
	at := len(columns)
	columns = append(columns, b.pass(d[j][4]), b.pass(third))
	for k, of := range d { // the links' inertial torques bend the joint as well
		if of != nil && k != j {
			columns = append(columns, b.pass(of[4]))
		}
	}
	x, elastic := least(columns, y)
	if x == nil {
		return Mode{}, false
	}
	sum := 0.0
	for i, c := range inertia {
		sum += factors[i] * x[c]
	}
	m := Mode{Joint: j, Left: rigid / norm2(y), Explained: 1 - elastic/rigid, Band: [2]float64{lowest, top}}
	if m.Left < leftByRest || m.Explained < explained || 1-elastic/narrow < beyond || !(sum > 0 && x[at] > 0) {
		return Mode{}, false
	}
	m.Frequency = math.Sqrt(sum/x[at]) / (2 * math.Pi)
	return m, m.Frequency > lowest && m.Frequency < 1.2*top
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func norm2(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v
	}
	return s
}

// least solves least squares of scaled columns and returns the sum of squared residuals; nil where they are dependent.
func least(columns [][]float64, y []float64) ([]float64, float64) {
	w := mat.NewDense(len(y), len(columns), nil)
	scale := make([]float64, len(columns))
	for c, col := range columns {
		if scale[c] = math.Sqrt(norm2(col)); scale[c] == 0 {
			scale[c] = 1
		}
		for k, v := range col {
			w.Set(k, c, v/scale[c])
		}
	}
	var qr mat.QR
	qr.Factorize(w)
	var x mat.VecDense
	if err := qr.SolveVecTo(&x, false, mat.NewVecDense(len(y), y)); err != nil {
		return nil, norm2(y)
	}
	var fit mat.VecDense
	fit.MulVec(w, &x)
	rest := 0.0
	for k, v := range y {
		rest += (v - fit.AtVec(k)) * (v - fit.AtVec(k))
	}
	out := make([]float64, len(columns))
	for c := range out {
		out[c] = x.AtVec(c) / scale[c]
	}
	return out, rest
}

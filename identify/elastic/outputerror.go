package elastic

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/estimate"
	"ident/filter"
	"ident/observation"
	"ident/regressor"
)

// motorSide fits logs without encoders at the links by the output-error method: it simulates the links' motion behind
// that of the motors with the present parameters, and compares the torques of motors and sensors.
type motorSide struct {
	m       *Machine
	f       *Fit
	columns []regressor.Column
	tracks  []*track
	cutoff  float64
	timed   bool // the drives' delay is the last of the unknowns
	// tolerance of an integration step. roughTolerance is a thousandth of a deflection of some microradians, below the
	// resolution of any encoder. For logs of exact derivatives the last iterations use fineTolerance.
	tolerance float64
}

const (
	roughTolerance = 1e-8
	fineTolerance  = 1e-13
)

// track is one prepared log.
type track struct {
	log    *Log
	x      [3][][]float64 // filtered motion of x: motors measured, links simulated
	tau    [][]float64    // by motor, through the motion's filter
	sensor [][]float64    // by spring, likewise; nil without sensors
	rest   [][]bool       // samples of motors
	turns  []turns        // of motors, where the log has exact derivatives
	motion *observation.MotionFilter
	rows   *observation.RowFilter
	wide   bool
	extent observation.Extent
	work   observation.MotionWork
	rwork  observation.RowWork
}

// state holds the unknowns: the parameters of the model's columns, and the initial state of each log.
type state struct {
	p    []float64
	init [][2][]float64 // by log: q, q̇
	late []float64      // the drives' delay, s; empty where it is no unknown
}

func (s *state) clone() *state {
	c := &state{p: slices.Clone(s.p), late: slices.Clone(s.late)}
	for _, i := range s.init {
		c.init = append(c.init, [2][]float64{slices.Clone(i[0]), slices.Clone(i[1])})
	}
	return c
}

// move adds a step to the unknowns.
func (s *state) move(step []float64) {
	for i := range s.p {
		s.p[i] += step[i]
	}
	at := len(s.p)
	for _, init := range s.init {
		for d := range init {
			for i := range init[d] {
				init[d][i] += step[at]
				at++
			}
		}
	}
	for i := range s.late {
		s.late[i] += step[at+i]
	}
}

// delay returns the drives' delay, s.
func (s *state) delay() float64 {
	if len(s.late) == 0 {
		return 0
	}
	return s.late[0]
}

// unknowns returns the number of unknowns.
func (b *motorSide) unknowns() int {
	n := len(b.columns) + 2*b.m.Links*len(b.tracks)
	if b.timed {
		n++
	}
	return n
}

// newMotorSide prepares the logs.
func newMotorSide(m *Machine, f *Fit, logs []*Log, opt Options) (*motorSide, error) {
	b := &motorSide{m: m, f: f, columns: f.Model.Columns(), cutoff: opt.Cutoff, tolerance: roughTolerance, timed: m.timed(logs)}
	if len(m.Springs) != m.Links || m.Motors() != m.Links {
		return nil, &ChannelError{logs[0].Name, m.rigidJoint(), "encoder at its link beside elastic joints",
			"without encoders at the links every moving joint has to be elastic and driven; lock the others, or log the links"}
	}
	if b.cutoff == 0 {
		b.cutoff = m.cutoff(logs[0].Rate)
	}
	for _, l := range logs {
		t, err := b.prepare(l)
		if err != nil {
			return nil, err
		}
		b.tracks = append(b.tracks, t)
	}
	return b, nil
}

// rigidJoint returns the name of the first joint that is not elastic or has no motor.
func (m *Machine) rigidJoint() string {
	for _, j := range m.Robot.Moving() {
		if n := &m.Robot.Links[j].Joint; !n.Elastic || n.Passive {
			return n.Name
		}
	}
	return ""
}

func (b *motorSide) prepare(l *Log) (*track, error) {
	n, samples, dt := b.m.Links, l.Samples(), 1/l.Rate
	t := &track{log: l, wide: l.DDX == nil}
	wide := 0.0
	if t.wide {
		wide = math.Min(motionReach*b.cutoff, 0.45*l.Rate)
	}
	var err error
	if t.motion, err = observation.NewMotionFilter(wide, 4, observation.Central, dt); err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	if t.rows, err = observation.NewRowFilter(observation.Settings{Model: observation.Dynamic, Path: observation.Path{Order: 2, Cutoff: b.cutoff}, KeepRate: 4 * b.cutoff}, dt); err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	in := observation.Measurement{Q: copies(l.X[n:])}
	if !t.wide {
		in.DQ, in.DDQ = copies(l.DX[n:]), copies(l.DDX[n:])
	}
	x := t.motion.Apply(in, &t.work)
	for d, of := range [3][][]float64{x.Q, x.DQ, x.DDQ} {
		t.x[d] = append(grid(n, samples), copies(of)...)
	}
	t.tau, t.sensor = copies(l.Tau[n:]), copies(l.Sensor)
	if b.f.Sensors != MotorAndTorque {
		t.sensor = nil
	}
	for i := range n {
		rest := l.atRest(n+i, b.cutoff)
		if t.wide {
			markReversals(rest, t.x[1][n+i])
		}
		t.rest = append(t.rest, rest)
		var own turns
		if !t.wide && hasFriction(b.f.Model, n+i) {
			own = turnsOf(t.x[0][n+i], t.x[1][n+i], t.x[2][n+i], dt)
		}
		t.turns = append(t.turns, own)
	}
	if t.wide {
		t.motion.Smooth(append(slices.Clone(t.tau), t.sensor...), &t.work)
	}
	tail := t.rows.Tail(1e-6)
	if t.wide {
		tail *= 2
	}
	t.extent = observation.Extent{Lo: tail, Hi: samples - tail, Begin: tail, End: samples - tail}
	if t.extent.Empty() || (samples-2*tail)/t.rows.Every() < len(b.columns) {
		return nil, fmt.Errorf("%s: %d samples, of which filters at %.3g Hz need %d; give a longer log or a higher cut-off", l.Name, samples, b.cutoff, 2*tail)
	}
	return t, nil
}

// equations linearises all logs about a state: rows (J, r + J·unknowns) of motors, and of sensors.
func (b *motorSide) equations(ctx context.Context, at *state) ([]*equations, error) {
	r := b.f.withValues(at.p)
	var out []*equations
	for i, t := range b.tracks {
		m, err := newLinkMotion(b.m, r, t.x, t.turns, 1/t.log.Rate, b.tolerance)
		if err != nil {
			return nil, err
		}
		n := b.m.Links
		if err := m.run(ctx, at.init[i][0], at.init[i][1], [3][][]float64{t.x[0][:n], t.x[1][:n], t.x[2][:n]}); err != nil {
			return nil, err
		}
		e, err := b.rows(t, i, at)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// rows returns the rows of one simulated track.
func (b *motorSide) rows(t *track, index int, at *state) (*equations, error) {
	n, samples, all := b.m.Links, t.log.Samples(), b.unknowns()
	groups := 1
	if t.sensor != nil {
		groups = 2
	}
	e := &equations{rate: t.log.Rate / float64(t.rows.Every())}
	mask := make([]int, all)
	for i := range mask {
		mask[i] = i
	}
	springs := make([]Spring, n)
	r := b.f.withValues(at.p)
	for i, s := range b.m.Springs {
		springs[i] = s
		springs[i].Elasticity = r.Links[s.Link].Joint.Elasticity
	}
	jacobian := make([][][]float64, groups*n)
	for k := range jacobian {
		jacobian[k] = grid(all, samples)
	}
	lin := newLinearised(b.f.Model, springs, at.p)
	offset := len(b.columns) + 2*n*index
	err := lin.sensitivities(t.x, 1/t.log.Rate, func(k int, s, v *mat.Dense) {
		lane := k % samplesAtOnce * lin.lanes()
		for i, sp := range springs {
			d := sp.deflection2(t.x[0], k)
			slope, rate := sp.Stiffness+3*sp.Cubic*d*d, sp.rateSlope(t.x[1], k)
			sq, sv := s.RawRowView(sp.Q), v.RawRowView(sp.Q)
			for g := range groups {
				to := jacobian[g*n+i]
				for c := range b.columns {
					to[c][k] = -slope*sq[c] - rate*sv[c]
				}
				for c := range 2 * n {
					to[offset+c][k] = -slope*sq[len(b.columns)+c] - rate*sv[len(b.columns)+c]
				}
				for c, col := range b.f.Model.Mask(sp.Motor) {
					if g == 0 || b.columns[col].Drive > 0 {
						to[col][k] += lin.block.Joint[sp.Motor][c][lane]
					}
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	block := b.f.Model.NewBlock(samples)
	block.Resize(samples)
	b.f.Model.Eval(block, t.x[0], t.x[1], t.x[2], b.f.Model.NewWorkspace())
	values := at.values()
	for g := range groups {
		for i, sp := range springs {
			y := make([]float64, samples)
			if g == 0 {
				acting(y, t.tau[i], at.delay(), t.log.Rate)
				if b.timed {
					filter.Differentiate4(jacobian[i][all-1], y, 1/t.log.Rate)
				}
			} else {
				copy(y, t.sensor[i])
			}
			for c, col := range b.f.Model.Mask(sp.Motor) {
				if g > 0 && b.columns[col].Drive == 0 {
					continue
				}
				own := block.Joint[sp.Motor][c]
				if t.wide && (b.columns[col].Term == regressor.Fs || b.columns[col].Term == regressor.WindUp) {
					own = slices.Clone(own)
					t.motion.Smooth([][]float64{own}, &t.work)
					for k := range own {
						jacobian[g*n+i][col][k] += own[k] - block.Joint[sp.Motor][c][k]
					}
				}
				for k := range y {
					y[k] -= own[k] * at.p[col]
				}
			}
			for c, v := range values {
				if v == 0 {
					continue
				}
				for k, j := range jacobian[g*n+i][c] {
					y[k] += j * v
				}
			}
			e.add(mask, jacobian[g*n+i], y)
			if g == 0 && hasFriction(b.f.Model, sp.Motor) {
				e.rest = append(e.rest, t.rest[i])
			} else {
				e.rest = append(e.rest, nil)
			}
		}
	}
	t.filter(e)
	return e, nil
}

// filter passes the rows through the low-pass of both sides, and thins them.
func (t *track) filter(e *equations) {
	leak := restLeak
	if !t.wide {
		leak = exactLeak
	}
	e.through(t.rows, t.extent, leak, t.wide, &t.rwork)
}

// values returns the unknowns in the order of the columns.
func (s *state) values() []float64 {
	out := slices.Clone(s.p)
	for _, i := range s.init {
		out = append(append(out, i[0]...), i[1]...)
	}
	return append(out, s.late...)
}

// rateSlope returns the derivative of a spring's torque by its rate of deflection; for hysteresis, the secant of
// slipStep.
func (s *Spring) rateSlope(velocity [][]float64, k int) float64 {
	if s.Hysteresis == 0 {
		return s.Damping
	}
	at, half := s.deflection2(velocity, k), slipStep{s.Q, s.Motor}.halfStep(velocity, k)
	return s.Damping + s.Hysteresis*(math.Tanh((at+half)/regressor.SlipSpeed)-math.Tanh((at-half)/regressor.SlipSpeed))/(2*half)
}

func (s *Spring) deflection2(x [][]float64, k int) float64 { return x[s.Motor][k] - x[s.Q][k] }

// Limits of the iteration.
const (
	maxSteps  = 60
	maxDamped = 12   // attempts of one step
	restStep  = 0.05 // of a standard deviation: below it the iteration has converged
	nearStep  = 1e-6 // of the values: only rounding and the Jacobian's error keep steps from being smaller
	exactStep = 1e-10
)

// solve runs the Levenberg-Marquardt iteration from a start.
func (b *motorSide) solve(ctx context.Context, at *state) (*state, *estimate.Reduction, *estimate.Solution, error) {
	all, err := b.equations(ctx, at)
	if err != nil {
		return nil, nil, nil, err
	}
	sum := reduce(b.unknowns(), all)
	weights := b.weights(all, at.values())
	cost := costOf(all, at.values(), weights)
	damping, last := 1e-3, math.Inf(1)
	for range maxSteps {
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		moments := sum.Moments(weights)
		held := mat.NewSymDense(moments.SymmetricDim(), nil)
		held.CopySym(moments)
		b.holdInitial(held)
		variance, regular := variances(held)
		moved, rests := false, false
		var change float64
		attempts := maxDamped
		if last < nearStep {
			attempts = 2 // the steps left are those of rounding
		}
		for range attempts {
			x, ok := damped(moments, at.values(), damping)
			if !ok {
				damping *= 10
				continue
			}
			next := at.clone()
			step := make([]float64, len(x))
			for i, v := range at.values() {
				step[i] = x[i] - v
			}
			if rests = regular && damping < 1e-2 && withinDeviations(step, variance); rests {
				break
			}
			next.move(step)
			rows, err := b.equations(ctx, next)
			if err != nil {
				damping *= 10
				continue
			}
			if c := costOf(rows, next.values(), weights); c < cost {
				moved, change = true, largestChange(step, at.values())
				at, all, cost = next, rows, c
				damping = math.Max(damping/10, 1e-12)
				break
			}
			damping *= 10
		}
		if !moved || rests {
			break
		}
		sum = reduce(b.unknowns(), all)
		fresh := b.weights(all, at.values())
		weights, cost = fresh, costOf(all, at.values(), fresh)
		if last = change; change < exactStep {
			break
		}
	}
	// Initial velocities that hysteresis stops at once appear in no row, and do not matter.
	sol, err := sum.SolveWeighted(weights, true)
	if err != nil {
		return nil, nil, nil, err
	}
	return at, sum, sol, nil
}

// initialRidge, relative to their moments, is added for initial states that no row determines.
const initialRidge = 1e-9

// holdInitial adds initialRidge to the moments of the initial states.
func (b *motorSide) holdInitial(moments *mat.SymDense) {
	for i := len(b.columns); i < b.unknowns(); i++ {
		moments.SetSym(i, i, moments.At(i, i)*(1+initialRidge))
	}
}

// withinDeviations reports whether a step is a small fraction of the standard deviation of every unknown.
func withinDeviations(step, variance []float64) bool {
	for i, v := range step {
		if math.Abs(v) > restStep*math.Sqrt(variance[i]) {
			return false
		}
	}
	return true
}

// largestChange returns the largest relative change by a step. Each change is divided by its value, or by a thousandth
// of the largest value if that is more.
func largestChange(step, x []float64) float64 {
	largest, worst := 0.0, 0.0
	for _, v := range x {
		largest = math.Max(largest, math.Abs(v))
	}
	for i, v := range step {
		worst = math.Max(worst, math.Abs(v)/math.Max(math.Abs(x[i]), 1e-6*largest))
	}
	return worst
}

// damped solves the normal equations with the diagonal raised by a damping (Levenberg and Marquardt).
func damped(moments *mat.SymDense, x []float64, damping float64) ([]float64, bool) {
	n := len(x)
	g := mat.NewSymDense(n+1, nil)
	g.CopySym(moments)
	for i := range n {
		d := damping * g.At(i, i)
		if d == 0 {
			d = 1 // no row knows the unknown, which stays
		}
		g.SetSym(i, n, g.At(i, n)+d*x[i])
		g.SetSym(i, i, g.At(i, i)+d)
	}
	return estimate.SolveMoments(g)
}

// weights returns, by equation, the inverse standard deviation of the residuals. The standard deviation is at least
// noiseFloor times the torque's own.
func (b *motorSide) weights(all []*equations, x []float64) []float64 {
	var out []float64
	for k := range all[0].y {
		var squares, own, n float64
		for _, e := range all {
			r, y, rows := e.squares(k, x)
			squares, own, n = squares+r, own+y, n+rows
		}
		out = append(out, 1/math.Max(math.Sqrt(squares/math.Max(n, 1)), 1e-12*math.Sqrt(own/math.Max(n, 1))))
	}
	return out
}

func costOf(all []*equations, x, weights []float64) float64 {
	sum := 0.0
	for _, e := range all {
		for k := range e.y {
			r, _, _ := e.squares(k, x)
			sum += weights[k] * weights[k] * r
		}
	}
	return sum
}

// squares returns the sum of squared residuals of an equation, that of its right-hand side, and the number of its rows.
func (e *equations) squares(k int, x []float64) (residual, own, rows float64) {
	for i, v := range e.residual(k, x) {
		if !e.left(k, i) {
			residual, own, rows = residual+v*v, own+e.y[k][i]*e.y[k][i], rows+1
		}
	}
	return residual, own, rows
}

// residual returns y − W·x for all rows of an equation.
func (e *equations) residual(k int, x []float64) []float64 {
	r := slices.Clone(e.y[k])
	for c, at := range e.masks[k] {
		v := x[at]
		if v == 0 {
			continue
		}
		for i, j := range e.columns[k][c] {
			r[i] -= j * v
		}
	}
	return r
}

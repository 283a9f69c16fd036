package elastic

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/estimate"
	"ident/filter"
	"ident/regressor"
)

// motorSide fits logs without encoders at the links by the output-error method: it simulates the links' motion behind
// that of the motors with the present parameters, and compares the torques of motors and sensors.
type motorSide struct {
	m       *Machine
	f       *Fit // whose cut-off is that of both sides
	columns []regressor.Column
	tracks  []*track
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
	*path
	x      [3][][]float64 // filtered motion of x: motors measured, links simulated
	tau    [][]float64    // by motor, through the motion's filter
	sensor [][]float64    // by spring, likewise; nil without sensors
	rest   [][]bool       // samples of motors
	turns  []turns        // of motors, where the log has exact derivatives
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

// newMotorSide prepares the logs, for rows behind the cut-off of the fit.
func newMotorSide(m *Machine, f *Fit, logs []*Log) (*motorSide, error) {
	b := &motorSide{m: m, f: f, columns: f.Model.Columns(), tolerance: roughTolerance, timed: m.timed(logs)}
	if len(m.Springs) != m.Links || m.Motors() != m.Links {
		return nil, &ChannelError{logs[0].Name, m.rigidJoint(), "encoder at its link beside elastic joints",
			"without encoders at the links every moving joint has to be elastic and driven; lock the others, or log the links"}
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
	p, err := newPath(l, b.f.Cutoff, len(b.columns))
	if err != nil {
		return nil, err
	}
	t := &track{path: p, tau: copies(l.Tau[b.m.Links:])}
	n := b.m.Links
	var dx, ddx [][]float64
	if !p.smooth {
		dx, ddx = l.DX[n:], l.DDX[n:]
	}
	x := p.filtered(l.X[n:], dx, ddx)
	for d, of := range [3][][]float64{x.Q, x.DQ, x.DDQ} {
		t.x[d] = append(grid(n, l.Samples()), copies(of)...)
	}
	if b.f.Sensors == MotorAndTorque {
		t.sensor = copies(l.Sensor)
	}
	for i := range n {
		var rest []bool
		var own turns
		if hasFriction(b.f.Model, n+i) {
			rest = p.atRest(n+i, t.x[1][n+i])
			if !p.smooth {
				own = turnsOf(t.x[0][n+i], t.x[1][n+i], t.x[2][n+i], 1/l.Rate)
			}
		}
		t.rest, t.turns = append(t.rest, rest), append(t.turns, own)
	}
	if p.smooth {
		p.Motion.Smooth(append(slices.Clone(t.tau), t.sensor...), &p.motion)
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
	springs := b.springs(at.p)
	jacobian, err := b.jacobian(t, index, at, springs)
	if err != nil {
		return nil, err
	}
	n, samples, all := b.m.Links, t.log.Samples(), b.unknowns()
	block := b.f.Model.NewBlock(samples)
	block.Resize(samples)
	b.f.Model.Eval(block, t.x[0], t.x[1], t.x[2], b.f.Model.NewWorkspace())
	e := &equations{rate: t.rate()}
	mask := make([]int, all)
	for i := range mask {
		mask[i] = i
	}
	values := at.values()
	for k, own := range jacobian {
		sp, sensor := springs[k%n], k >= n
		y := make([]float64, samples)
		var rest []bool
		if sensor {
			copy(y, t.sensor[k-n])
		} else {
			rest = t.rest[k]
			acting(y, t.tau[k], at.delay(), t.log.Rate)
			if b.timed {
				filter.Differentiate4(own[all-1], y, 1/t.log.Rate)
			}
		}
		for c, col := range b.f.Model.Mask(sp.Motor) {
			if sensor && b.columns[col].Drive == 0 {
				continue
			}
			column := block.Joint[sp.Motor][c]
			if t.smooth && b.columns[col].Term.Traits().Filtered {
				column = slices.Clone(column)
				t.Motion.Smooth([][]float64{column}, &t.motion)
				for i := range column {
					own[col][i] += column[i] - block.Joint[sp.Motor][c][i]
				}
			}
			for i := range y {
				y[i] -= column[i] * at.p[col]
			}
		}
		for c, v := range values {
			if v == 0 {
				continue
			}
			for i, j := range own[c] {
				y[i] += j * v
			}
		}
		e.add(mask, own, y, rest)
	}
	t.through(e)
	return e, nil
}

// springs returns the springs with the parameters p.
func (b *motorSide) springs(p []float64) []Spring {
	r := b.f.withValues(p)
	out := slices.Clone(b.m.Springs)
	for i := range out {
		out[i].Elasticity = r.Links[out[i].Link].Joint.Elasticity
	}
	return out
}

// jacobian returns the derivatives of the torques of the motors of a simulated track, and behind them of its sensors, by all unknowns:
// [torque][unknown][sample]. The column of the drives' delay is left at zero.
func (b *motorSide) jacobian(t *track, index int, at *state, springs []Spring) ([][][]float64, error) {
	n, parameters := b.m.Links, len(b.columns)
	out := make([][][]float64, n+len(t.sensor))
	for k := range out {
		out[k] = grid(b.unknowns(), t.log.Samples())
	}
	lin := newLinearised(b.f.Model, springs, at.p)
	offset := parameters + 2*n*index // of the initial state of the track
	err := lin.sensitivities(t.x, 1/t.log.Rate, func(k int, s, v *mat.Dense) {
		lane := k % samplesAtOnce * lin.lanes()
		for i, sp := range springs {
			d := sp.deflection2(t.x[0], k)
			slope, rate := sp.Stiffness+3*sp.Cubic*d*d, sp.rateSlope(t.x[1], k)
			sq, sv := s.RawRowView(sp.Q), v.RawRowView(sp.Q)
			for row := i; row < len(out); row += n {
				to := out[row]
				for c := range parameters {
					to[c][k] = -slope*sq[c] - rate*sv[c]
				}
				for c := range 2 * n {
					to[offset+c][k] = -slope*sq[parameters+c] - rate*sv[parameters+c]
				}
				for c, col := range b.f.Model.Mask(sp.Motor) {
					if row < n || b.columns[col].Drive > 0 {
						to[col][k] += lin.block.Joint[sp.Motor][c][lane]
					}
				}
			}
		}
	})
	return out, err
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
		variance, regular := estimate.MomentVariances(held)
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

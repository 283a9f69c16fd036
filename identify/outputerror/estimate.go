package outputerror

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ident/estimate"
	"ident/internal/hint"
	"ident/regressor"
	"ident/robot"
)

// Options of a fit. The zero value is a good default.
type Options struct {
	Trim     float64 // seconds cut from both ends of each run; 0 means 0.5
	Offsets  []int   // joints whose encoder's zero offset is unknown
	Progress func(stage string, done, total int)
}

// Estimate is the outcome of a fit.
type Estimate struct {
	Names            []string // names of the base parameters, gains, delay and offsets
	Units            []string // units of gains, delay and offsets; "" for base parameters
	Joints           []int    // joints of gains and offsets, from 0; −1 for the others
	X                []float64
	Covariance       [][]float64
	DegreesOfFreedom []float64
	Base             int   // number of base parameters, which come first
	Saturated        []int // by joint: number of samples of the law at which the simulated drive is at its limit
	Samples          int   // number of samples of the law
	Iterations       int
	Rows             int // number of windows of all joints
	// Explained is, by joint, the part in per cent of the power of y − ŷ that signals of the commands explain beyond
	// chance. It is zero if law and robot are as declared.
	Explained []float64
	// Viscous and ViscousWithout are, by joint, the viscous friction of the linear estimate under the law and under the law without
	// the velocity of the commands; nil if the law has none, or no known derivative gain.
	Viscous, ViscousWithout []float64
	// Border says that the sum of squares falls towards robots that the law could not hold: of less inertia than its gains, its delay
	// and its period allow. The estimate stands at the border of those that it can hold.
	Border    bool
	Deviation []float64 // root mean square of y − ŷ by joint, for the windows' means, rad or m
}

// NoCommandVelocity reports whether a derivative gain was found although the positions do not show that it acts on the
// commands' velocity: within three deviations it may be a hundredth of the viscous friction beside it, which includes a
// gain on the measured velocity.
func (e *Estimate) NoCommandVelocity() bool {
	for i := e.Base; i < len(e.X); i++ {
		var joint int
		if _, err := fmt.Sscanf(e.Names[i], "kd%d", &joint); err != nil {
			continue
		}
		for at, name := range e.Names[:e.Base] {
			if strings.TrimSuffix(name, "R") == fmt.Sprintf("Fv%d", joint) && e.X[i]-3*math.Sqrt(e.Covariance[i][i]) < e.X[at]/100 {
				return true
			}
		}
	}
	return false
}

// fit is the state of an estimation.
type fit struct {
	subject  *Subject
	law      *Law
	joints   int
	offsets  []int
	runs     []*clocked
	filtered []*filtered
	cone     *cone
	parts    []*limb
}

// Places of the parameters: base parameters, gains, delay, offsets.
func (f *fit) gainAt() int  { return len(f.subject.Model.Columns()) }
func (f *fit) delayAt() int { return f.gainAt() + len(f.law.Gains) }
func (f *fit) offsetAt() int {
	if f.law.Late {
		return f.delayAt() + 1
	}
	return f.delayAt()
}
func (f *fit) size() int { return f.offsetAt() + len(f.offsets) }

// windowing says how samples are averaged: count windows of length samples.
type windowing struct{ length, count int }

// windowSeconds is the length of a window: modes of controlled arms, up to some 15 Hz, lose less than 4 % in its mean,
// equally in residuals and sensitivities.
const windowSeconds = 0.01

func (f *fit) window(c *clocked) windowing {
	w := max(1, int(math.Round(windowSeconds/c.run.Interval)))
	return windowing{w, (c.last - c.first) / w}
}

// Fit estimates the parameters of a robot under a law from commands and positions.
func Fit(ctx context.Context, s *Subject, law *Law, runs []*Run, opt Options) (*Estimate, error) {
	f := &fit{subject: s, law: law, joints: s.Model.Joints(), offsets: opt.Offsets}
	if c, ok := s.Model.Differentiable(); !ok {
		return nil, fmt.Errorf("no motion can be computed with the term %s (column %s): use links, Ia, Fv, Fs and Fo", c.Term, c.Name)
	}
	if err := law.check(f.joints); err != nil {
		return nil, err
	}
	if opt.Trim == 0 {
		opt.Trim = 0.5
	}
	if opt.Progress == nil {
		opt.Progress = func(string, int, int) {}
	}
	if len(runs) == 0 {
		return nil, errors.New("no log to fit")
	}
	for _, r := range runs {
		if err := r.check(f.joints, opt.Trim); err != nil {
			return nil, err
		}
		f.runs = append(f.runs, clock(r, law.Period, opt.Trim))
	}
	if err := f.prepare(); err != nil {
		return nil, err
	}
	f.parts, f.cone = f.limbs(), f.newCone()
	starts, err := f.starts()
	if err != nil {
		return nil, err
	}
	p, motions, err := f.movable(ctx, starts)
	if err != nil {
		return nil, err
	}
	if err := f.identifiable(motions, p); err != nil {
		return nil, err
	}
	e, err := f.iterate(ctx, p, motions, opt.Progress)
	if err != nil {
		return nil, err
	}
	e.Viscous, e.ViscousWithout = f.viscous()
	return e, nil
}

// simulateAll simulates every run.
func (f *fit) simulateAll(ctx context.Context, p parameters) ([]*motion, error) {
	var out []*motion
	for _, c := range f.runs {
		m, err := f.simulate(ctx, c, p)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// outputs returns the residuals and sensitivities of every run.
func (f *fit) outputs(ctx context.Context, motions []*motion, p parameters) ([]*output, error) {
	var out []*output
	for i, c := range f.runs {
		o, err := f.sensitivities(ctx, c, motions[i], p)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// movable returns the first of the starts that can be simulated or, if none can, the nearest point on the way to the robot file's
// values that can.
func (f *fit) movable(ctx context.Context, starts []parameters) (parameters, []*motion, error) {
	own := f.subject.file()
	var first error
	for _, part := range []float64{1, 0.9, 0.5, 0} {
		for _, p := range starts {
			q := p.clone()
			for i := range q.x {
				q.x[i] = own[i] + part*(p.x[i]-own[i])
			}
			f.bound(&q)
			var m []*motion
			err := f.check(q.x, f.least(q))
			if err == nil {
				m, err = f.simulateAll(ctx, q)
			}
			if err == nil {
				return q, m, nil
			}
			if ctx.Err() != nil {
				return q, nil, ctx.Err()
			}
			if first == nil {
				first = err
			}
		}
	}
	return starts[0], nil, hint.New("no simulation can start, neither from the linear estimate nor from the robot file: %w; try %s in {controller}, {bodies} file, which holds the bodies of the robot file, or a more exciting log", first, f.nextLaw())
}

// nextLaw names the law to try after this one.
func (f *fit) nextLaw() string {
	if f.law.Forward > 0 {
		return "the law pv, whose velocity command is zero,"
	}
	return "the law pd, which has the velocity of the commands,"
}

// bound limits friction, derivative gains and the delay to meaningful values.
func (f *fit) bound(p *parameters) {
	for i := range f.delayAt() {
		if v := f.value(p, i); f.damps(i) && *v < 0 {
			*v = 0
		}
	}
	p.delay = min(max(p.delay, 0), maxDelay)
}

// damps reports whether a parameter takes energy from the robot and so cannot be negative: friction, and gains of the
// derivative alone.
func (f *fit) damps(i int) bool {
	if at := i - f.gainAt(); at >= 0 {
		return at < len(f.law.Gains) && f.law.Gains[at].P == 0
	}
	term := f.subject.Model.Columns()[i].Term
	return term == regressor.Fs || term == regressor.Fv
}

// value returns the place of a base parameter, gain or delay.
func (f *fit) value(p *parameters, i int) *float64 {
	if i == f.delayAt() {
		return &p.delay
	}
	if at := i - f.gainAt(); at >= 0 {
		return &p.gains[at]
	}
	return &p.x[i]
}

// moved returns p after a part of a step.
func (f *fit) moved(p parameters, step []float64, part float64) parameters {
	q := p.clone()
	for i := range q.x {
		q.x[i] += part * step[i]
	}
	for i := range q.gains {
		q.gains[i] += part * step[f.gainAt()+i]
	}
	if f.law.Late {
		q.delay += part * step[f.delayAt()]
	}
	for i, k := range f.offsets {
		q.bias[k] += part * step[f.offsetAt()+i]
	}
	f.bound(&q)
	return q
}

// residualsOf returns the averaged residuals of every run.
func (f *fit) residualsOf(motions []*motion, p parameters) []*output {
	var out []*output
	for i, c := range f.runs {
		w := f.window(c)
		o := &output{residual: table(f.joints, w.count)}
		for j := range f.joints {
			for win := range w.count {
				sum := 0.0
				for a := range w.length {
					at := c.first + win*w.length + a
					sum += c.run.Position[j][at] - c.position(motions[i], j, at) - p.bias[j]
				}
				o.residual[j][win] = sum / float64(w.length)
			}
		}
		out = append(out, o)
	}
	return out
}

// blockWindows is the length of a time block in windows: half a second, longer than the memory of whitened errors.
const blockWindows = 50

// step solves the linearised problem for the next step. Friction, damping and a delay that would become negative go to zero: the
// step is then that of the others, while deviations are those without the bound.
func (f *fit) step(noise *colour, outs []*output, p parameters) (*estimate.Solution, error) {
	sum := f.linearised(noise, outs)
	sol, err := sum.Solve(estimate.OLS, false)
	var open *estimate.RankError
	if errors.As(err, &open) {
		e := &NullSpaceError{Directions: [][]string{nil}}
		for _, c := range open.Undetermined {
			e.Directions[0] = append(e.Directions[0], f.names()[c])
		}
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	if !f.cone.holds(sol.X, p.x, f.least(p)) {
		return f.cone.step(f, sol, p), nil
	}
	var held []int
	for {
		before := len(held)
		for i := range f.delayAt() {
			if f.damps(i) && !slices.Contains(held, i) && *f.value(&p, i)+sol.X[i] < 0 {
				held = append(held, i)
			}
		}
		if at := f.delayAt(); f.law.Late && !slices.Contains(held, at) && p.delay+sol.X[at] < 0 {
			held = append(held, at)
		}
		if len(held) == before {
			return sol, nil
		}
		if sol, err = f.stopped(sol, p, held); err != nil {
			return nil, err
		}
	}
}

// stopped returns the step of the linearised problem that takes the held parameters to zero. With the covariance C of a
// solution it is x + C·Eᵀ·(E·C·Eᵀ)⁻¹·(s − E·x), where E selects the held parameters and s are their steps to zero.
func (f *fit) stopped(sol *estimate.Solution, p parameters, held []int) (*estimate.Solution, error) {
	n := len(held)
	among, miss := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	scale := make([]float64, n) // deviations: the matrix is one of correlations
	for a, i := range held {
		scale[a] = math.Sqrt(sol.Covariance[i][i])
	}
	for a, i := range held {
		miss.SetVec(a, (-*f.value(&p, i)-sol.X[i])/scale[a])
		for b, j := range held[:a+1] {
			among.SetSym(a, b, sol.Covariance[i][j]/(scale[a]*scale[b]))
		}
	}
	var by mat.Cholesky
	var pull mat.VecDense
	if !by.Factorize(among) || by.SolveVecTo(&pull, miss) != nil {
		return nil, errors.New("friction and damping at zero depend on each other: leave out one of the terms")
	}
	out := *sol
	out.X = slices.Clone(sol.X)
	for i := range out.X {
		for a, j := range held {
			out.X[i] += sol.Covariance[i][j] / scale[a] * pull.AtVec(a)
		}
	}
	return &out, nil
}

// names returns the names of all parameters.
func (f *fit) names() []string {
	var out []string
	for i := range f.delayAt() {
		out = append(out, f.name(i))
	}
	if f.law.Late {
		out = append(out, DelayName)
	}
	for _, k := range f.offsets {
		out = append(out, OffsetName(k))
	}
	return out
}

// linearised returns the whitened rows of the sensitivities, with the residuals as right-hand side.
func (f *fit) linearised(noise *colour, outs []*output) *estimate.Reduction {
	size, masks := f.size(), f.masks()
	sum := estimate.NewReduction(size, masks)
	var work estimate.Work
	for run, o := range outs {
		y := noise.whiten(o.residual)
		cols := make([][][]float64, f.joints) // combination, column of the limb, window
		for _, l := range f.parts {
			for c := range l.columns {
				signal := make([][]float64, len(l.joints))
				for i, k := range l.joints {
					signal[i] = o.by[k][c]
				}
				for i, x := range noise.whitenOf(l.joints, signal) {
					cols[l.joints[i]] = append(cols[l.joints[i]], x)
				}
			}
		}
		rows := noise.rows(o)
		for lo := 0; lo < rows; lo += blockWindows {
			hi := min(rows, lo+blockWindows)
			block := sum.NewBlock(run)
			for k := range f.joints {
				part := make([][]float64, len(cols[k]))
				for c := range part {
					part[c] = cols[k][c][lo:hi]
				}
				block.Joints[k].Add(part, y[k][lo:hi], &work)
			}
			sum.Append(block)
		}
	}
	return sum
}

// describe returns the converged estimate.
func (f *fit) describe(p parameters, sol *estimate.Solution, motions []*motion, outs []*output, iterations int) *Estimate {
	e := &Estimate{Covariance: sol.Covariance, DegreesOfFreedom: sol.DegreesOfFreedom, Base: len(p.x), Iterations: iterations,
		Explained: f.explainedBy(outs), Saturated: make([]int, f.joints), Deviation: make([]float64, f.joints)}
	add := func(name, unit string, joint int, x float64) {
		e.Names, e.Units, e.Joints, e.X = append(e.Names, name), append(e.Units, unit), append(e.Joints, joint), append(e.X, x)
	}
	for i := range f.subject.Set.Base {
		add(f.subject.Set.Name(i), "", -1, p.x[i])
	}
	for i, g := range f.law.Gains {
		add(g.Name, f.unit(g), g.Joint, p.gains[i])
	}
	if f.law.Late {
		add(DelayName, "s", -1, p.delay)
	}
	for _, k := range f.offsets {
		add(OffsetName(k), f.angle(k), k, p.bias[k])
	}
	for _, m := range motions {
		e.Samples += len(m.q[0])
		for k, l := range m.limited {
			for _, v := range l {
				if v {
					e.Saturated[k]++
				}
			}
		}
	}
	for k := range f.joints {
		sum, count := 0.0, 0
		for _, o := range outs {
			for _, v := range o.residual[k] {
				sum += v * v
			}
			count += len(o.residual[k])
		}
		e.Deviation[k] = math.Sqrt(sum / float64(count))
		e.Rows += count
	}
	return e
}

// angle returns the unit of a joint's position, torque that of its drive.
func (f *fit) angle(joint int) string {
	if f.slides(joint) {
		return "m"
	}
	return "rad"
}

func (f *fit) slides(joint int) bool {
	return f.subject.Robot.Links[f.subject.Model.JointLinks()[joint]].Joint.Kind == robot.Prismatic
}

// unit returns the unit of an unknown gain, if the drive gives its torque unit for one control unit.
func (f *fit) unit(g Gain) string {
	torque := "N·m"
	if f.slides(g.Joint) {
		torque = "N"
	}
	switch g.Kind {
	case "kp":
		return torque + "/" + f.angle(g.Joint)
	case "kd", "kv":
		return torque + "·s/" + f.angle(g.Joint)
	case "gain":
		return torque
	}
	return ""
}

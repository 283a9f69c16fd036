package elastic

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"ident/estimate"
	"ident/observation"
	"ident/regressor"
	"ident/simulate/plant"
)

// identifyBehind fits logs without encoders at the links.
func (m *Machine) identifyBehind(ctx context.Context, f *Fit, logs []*Log) error {
	if err := m.complete("a fit without encoders at the links"); err != nil {
		return err
	}
	b, err := newMotorSide(m, f, logs)
	if err != nil {
		return err
	}
	f.Rate = b.tracks[0].rate()
	start, err := b.start()
	if err != nil {
		return err
	}
	if start, err = b.movable(ctx, start); err != nil {
		return err
	}
	if err := b.determined(ctx, start); err != nil {
		return err
	}
	at, sum, sol, err := b.solve(ctx, start)
	if err == nil && logs[0].DDX != nil {
		b.tolerance = fineTolerance
		at, sum, sol, err = b.solve(ctx, at)
	}
	if err != nil {
		return fmt.Errorf("elastic: %w", err)
	}
	if err := b.determined(ctx, at); err != nil {
		return err
	}
	shift, err := b.motionNoise(ctx, at, sum, sol)
	if err != nil {
		return err
	}
	x := slices.Clone(at.p)
	for i := range x {
		x[i] += shift[i]
	}
	all, err := b.equations(ctx, at)
	if err != nil {
		return err
	}
	f.Condition = sol.ConditionScaled
	var freedom []float64
	if f.Covariance, freedom, err = b.covariance(at, all, sol); err != nil {
		return err
	}
	f.Parameters = f.parameters(x, f.Covariance, freedom)
	if last := b.unknowns() - 1; b.timed {
		f.Late = &Late{at.delay(), math.Sqrt(f.Covariance[last][last]), freedom[last]}
	}
	f.Covariance = leading(f.Covariance, len(f.Parameters)) // the initial states of the logs stand behind the parameters
	f.Residual = make([]float64, m.Coordinates())
	values := at.values()
	missed, given := 0.0, 0.0
	for k, s := range m.Springs {
		squares, n := 0.0, 0.0
		for _, e := range all {
			r, _, rows := e.squares(k, values)
			squares, n = squares+r, n+rows
			missed += r
		}
		for _, t := range b.tracks {
			for i := t.extent.Lo; i < t.extent.Hi; i += t.Rows.Every() {
				given += t.tau[k][i] * t.tau[k][i]
			}
		}
		f.Residual[s.Motor] = math.Sqrt(squares / math.Max(n, 1))
		f.Rows = int(n)
	}
	f.Error = 100 * math.Sqrt(missed/given)
	return nil
}

// leastEffect: all of a stiffness, or of a rotor inertia, must change the torque by this fraction of its root mean
// square in a way that no other parameter can. Model errors are of that size and do not average out over rows as noise
// does, so they would be taken for compliance. A weight bends a joint by some milliradians, which changes its torque by
// a few thousandths.
const leastEffect = 0.015

// determined returns an error if the logs do not determine a stiffness or a rotor inertia.
func (b *motorSide) determined(ctx context.Context, s *state) error {
	all, err := b.equations(ctx, s)
	if err != nil {
		return err
	}
	var weights []float64
	for k := range all[0].y {
		squares := 0.0
		for _, t := range b.tracks {
			own := t.tau[k%b.m.Links]
			if k >= b.m.Links {
				own = t.sensor[k-b.m.Links]
			}
			sum := 0.0
			for _, v := range own {
				sum += v * v
			}
			squares += sum / float64(len(own)) * float64(len(all[0].y[k]))
		}
		weights = append(weights, 1/math.Sqrt(squares))
	}
	open := &UndeterminedError{Sensors: b.f.Sensors, Why: b.why()}
	moments := reduce(b.unknowns(), all).Moments(weights)
	b.holdInitial(moments)
	variance, ok := estimate.MomentVariances(moments)
	for i, c := range b.columns {
		rotor := c.Term == regressor.Ia
		stiffness := c.Term == regressor.Elastic && c.Param == 0
		if (rotor || stiffness) && (!ok || leastEffect*math.Sqrt(variance[i]) > math.Abs(s.p[i])) {
			open.Parameters = append(open.Parameters, b.f.Base.Name(i))
		}
	}
	if len(open.Parameters) > 0 {
		return open
	}
	return nil
}

// why says what the motion lacks.
func (b *motorSide) why() string {
	modes, err := b.m.modes(b.m.standardModel(), at(b.tracks[0].x[0][b.m.Links:], 0))
	if err != nil || len(modes.AntiResonances) == 0 {
		return "the motion does not reach the resonances"
	}
	reach := 0.0
	for _, t := range b.tracks {
		for i := range b.m.Links {
			reach = math.Max(reach, band(t.x[2][b.m.Links+i], t.log.Rate))
		}
	}
	rest := "motors and links move as one, and the torques show the sum of their inertias only"
	if b.f.Sensors == MotorAndTorque {
		rest = "motors and links move as one, and no torque shows the deflection"
	}
	return fmt.Sprintf("99 %% of the accelerations' power is below %.3g Hz, the first anti-resonance at %.3g Hz by the robot file; below it %s. Shake the joints near it, or log the encoders of the links",
		reach, modes.AntiResonances[0], rest)
}

// start returns the state to begin with: stiffness, damping and rotor inertias of the robot file, and initial states at
// rest in the springs' balance. The links' parameters and friction are from least squares of the motors' rows with the
// deflection of these springs, damped towards those of the file.
func (b *motorSide) start() (*state, error) {
	f, n := b.f, b.m.Links
	s := &state{p: f.Base.FromStandard(b.m.standard(f.Base.Columns))}
	fixed := map[int]bool{}
	for i, c := range b.columns {
		fixed[i] = c.Term == regressor.Ia || c.Drive > 0
		if c.Term == regressor.Elastic && c.Param == 1 && s.p[i] == 0 {
			s.p[i] = usualDamping * math.Sqrt(b.stiffness(c.Link)*b.m.Robot.Links[c.Link].Joint.Ia)
		}
	}
	// Two rounds: with the deflection from the torques of the first, the links' motion is accurate to the square of the
	// ratio of the motion's frequency to the resonance.
	for range 2 {
		var all []*equations
		for _, t := range b.tracks {
			all = append(all, b.staticRows(t, s.p, fixed))
		}
		sum := reduce(len(b.columns), all)
		weights := make([]float64, len(b.tracks[0].tau))
		for k := range weights {
			weights[k] = 1
		}
		x, ok := damped(sum.Moments(weights), s.p, startDamping)
		if !ok {
			return nil, fmt.Errorf("elastic: no start for a fit without encoders at the links: %s", b.why())
		}
		for i := range s.p {
			if !fixed[i] {
				s.p[i] = x[i]
			}
		}
	}
	for _, t := range b.tracks {
		q0, dq0 := make([]float64, n), make([]float64, n)
		for i := range n {
			q0[i], dq0[i] = t.x[0][i][0], t.x[1][i][0]
		}
		s.init = append(s.init, [2][]float64{q0, dq0})
	}
	if b.timed {
		s.late = []float64{f.late()}
	}
	return s, nil
}

// movable returns the start or, if no link can swing with its inertias, the nearest point on the way to the robot file's values at which all can.
func (b *motorSide) movable(ctx context.Context, s *state) (*state, error) {
	own := b.f.Base.FromStandard(b.m.standard(b.f.Base.Columns))
	var first error
	for _, part := range []float64{1, 0.7, 0.4, 0.1, 0} {
		at := *s
		at.p = slices.Clone(s.p)
		for i, c := range b.columns {
			if c.Term != regressor.Ia && c.Drive == 0 {
				at.p[i] = own[i] + part*(s.p[i]-own[i])
			}
		}
		_, err := b.equations(ctx, &at)
		var massless *plant.InertiaError
		if !errors.As(err, &massless) {
			return &at, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("elastic: the links cannot swing with the inertias that the logs show, nor with those of the robot file: %w", first)
}

// startDamping keeps parameters that a log of some seconds hardly separates (such as a weight and a friction offset)
// near those of the robot file. The inertia of a link that swings behind its motor must be positive.
const startDamping = 1e-2

// usualDamping is the usual damping of gears divided by √(K·Ia).
const usualDamping = 0.05

func (b *motorSide) stiffness(link int) float64 {
	return b.m.Robot.Links[link].Joint.Elasticity.Stiffness
}

// staticRows returns the rows of the sums of motor and link equations. The links are where the springs' torques of the
// present parameters bend them to. Fixed columns go to the right-hand side. It stores the links' motion in the track.
func (b *motorSide) staticRows(t *track, p []float64, fixed map[int]bool) *equations {
	samples, model := t.log.Samples(), b.f.Model
	block, ws := model.NewBlock(samples), model.NewWorkspace()
	block.Resize(samples)
	for _, s := range b.m.Springs {
		for d := range t.x {
			copy(t.x[d][s.Q], t.x[d][s.Motor])
		}
	}
	model.Eval(block, t.x[0], t.x[1], t.x[2], ws)
	smooth, err := observation.NewMotionFilter(b.f.Cutoff/2, 2, observation.Central, 1/t.log.Rate)
	if err == nil {
		x := smooth.Apply(observation.Measurement{Q: b.bent(t, block, p)}, new(observation.MotionWork))
		for i, s := range b.m.Springs {
			floats.Sub(t.x[0][s.Q], x.Q[i])
			floats.Sub(t.x[1][s.Q], x.DQ[i])
			floats.Sub(t.x[2][s.Q], x.DDQ[i])
		}
		model.Eval(block, t.x[0], t.x[1], t.x[2], ws)
	}
	e := &equations{rate: t.rate()}
	for i, s := range b.m.Springs {
		y := slices.Clone(t.tau[i])
		own := map[int][]float64{} // columns of the sum
		for _, row := range [2]int{s.Q, s.Motor} {
			for c, col := range model.Mask(row) {
				switch {
				case b.columns[col].Drive > 0: // inner torques of the sum
				case fixed[col]:
					for k := range y {
						y[k] -= block.Joint[row][c][k] * p[col]
					}
				default:
					own[col] = slices.Clone(block.Joint[row][c])
				}
			}
		}
		mask := slices.Sorted(maps.Keys(own))
		var columns [][]float64
		for _, col := range mask {
			columns = append(columns, own[col])
		}
		e.add(mask, columns, y, t.rest[i])
	}
	t.through(e)
	return e
}

// bent returns the deflections of the springs under their torques: those of the sensors, otherwise those of the drives less what the
// motors take, by the columns of a block and the parameters p.
func (b *motorSide) bent(t *track, block *regressor.Block, p []float64) [][]float64 {
	out := copies(t.tau)
	for i, s := range b.m.Springs {
		if t.sensor != nil {
			copy(out[i], t.sensor[i])
		} else {
			for c, col := range b.f.Model.Mask(s.Motor) {
				if b.columns[col].Drive == 0 {
					for k, v := range block.Joint[s.Motor][c] {
						out[i][k] -= v * p[col]
					}
				}
			}
		}
		for k := range out[i] {
			out[i][k] /= b.stiffness(s.Link)
		}
	}
	return out
}

// motionNoise returns the change of the estimate by the moments that noise of the motors' positions adds, as in
// withoutNoise.
func (b *motorSide) motionNoise(ctx context.Context, s *state, sum *estimate.Reduction, sol *estimate.Solution) ([]float64, error) {
	logs := make([]*Log, len(b.tracks))
	for i, t := range b.tracks {
		logs[i] = t.log
	}
	x, err := withoutNoise(logs, sum, sol.Weights, b.holdInitial, func(moved []*Log) ([]*equations, error) {
		other := *b
		other.tracks = nil
		for _, l := range moved {
			t, err := b.prepare(l)
			if err != nil {
				return nil, err
			}
			other.tracks = append(other.tracks, t)
		}
		return other.equations(ctx, s)
	})
	out := make([]float64, len(s.p))
	if x == nil || err != nil {
		return out, err
	}
	for i, v := range s.values()[:len(out)] {
		out[i] = x[i] - v
	}
	return out, nil
}

// leading returns the upper left n×n block of a square matrix.
func leading(a [][]float64, n int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = a[i][:n:n]
	}
	return out
}

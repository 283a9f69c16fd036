package elastic

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/estimate"
	"ident/regressor"
	"ident/robot"
)

// Parameter is an estimated base parameter.
type Parameter struct {
	Name       string  `json:"name"`
	Owner      string  `json:"owner"` // name of the link or joint
	Unit       string  `json:"unit"`
	Value      float64 `json:"value"`
	Sigma      float64 `json:"sigma"`
	Freedom    float64 `json:"degrees_of_freedom"`
	Expression string  `json:"expression"`
}

// Low and High are the ends of the 95 % interval.
func (p Parameter) Low() float64 { return p.Value - estimate.StudentQuantile(p.Freedom)*p.Sigma }

// High returns the upper end.
func (p Parameter) High() float64 { return p.Value + estimate.StudentQuantile(p.Freedom)*p.Sigma }

// Fit is an identified machine.
type Fit struct {
	Machine    *Machine
	Sensors    Sensors
	Model      *regressor.Model // model with the base columns only
	Base       *baseparams.Set
	Parameters []Parameter
	Covariance [][]float64
	Rate       float64 // Hz, of the rows
	Cutoff     float64 // Hz; 0 where rows are those of the log
	Rows       int
	Condition  float64 // condition number of the regressor, columns scaled to unit norm
	// Residual is the root mean square of the rows of each coordinate of x, N·m or N, and Error the same of the
	// torques of the drives as percent of the torques' own, all drives together.
	Residual []float64
	Error    float64
	Late     *Late // delay of the drives' torques; nil for logs with exact derivatives
	Notes    []string
}

// Values returns the values of the parameters.
func (f *Fit) Values() []float64 {
	var out []float64
	for _, p := range f.Parameters {
		out = append(out, p.Value)
	}
	return out
}

// Identify estimates the base parameters of a machine from logs with the same sensors.
func (m *Machine) Identify(ctx context.Context, logs []*Log, opt Options) (*Fit, error) {
	sensors, err := m.sensors(logs)
	if err != nil {
		return nil, err
	}
	opt.Terms = opt.Terms.withFile(m.Springs)
	full, set, err := m.Base(ctx, opt.Terms)
	if err != nil {
		return nil, err
	}
	var notes []string
	for {
		f := &Fit{Machine: m, Sensors: sensors, Model: full.Select(set.Base).Compiled(), Base: set, Cutoff: opt.Cutoff}
		if f.Cutoff == 0 {
			f.Cutoff = m.cutoff(logs[0].Rate)
		}
		if sensors == BothEncoders {
			err = m.direct(ctx, f, logs)
		} else {
			err = m.identifyBehind(ctx, f, logs)
		}
		if err != nil {
			return nil, err
		}
		zero, why := f.unshown()
		notes = append(notes, why...)
		if len(zero) == 0 {
			f.Notes = append(f.Notes, notes...)
			if f.Late.shows() {
				f.Notes = append(f.Notes, f.Late.note())
			}
			return f, nil
		}
		full, set = less(full, set, zero)
	}
}

// sensors returns which sensors the logs have; they must be the same, so that the logs can be fitted together.
func (m *Machine) sensors(logs []*Log) (sensors Sensors, err error) {
	for i, l := range logs {
		if err := l.check(); err != nil {
			return "", err
		}
		s, err := m.Sensors(l)
		if err != nil {
			return "", err
		}
		if i > 0 && s != sensors {
			return "", fmt.Errorf("%s has %s, %s has %s: fit logs with the same sensors together", logs[0].Name, sensors, l.Name, s)
		}
		sensors = s
		if err := m.examine(l, s); err != nil {
			return "", err
		}
	}
	return sensors, nil
}

// direct fits logs with all positions: least squares over the rows of motors and links. A link's row has no measured
// torque on its other side. If it were weighted by its own residuals, which come from the encoders, noise of the
// regressor would shrink all parameters by (σ/τ)² of the motors' rows. Its weight is therefore at most linkWeight times
// that of the motor's row; the shrinking is then below a hundredth of a standard deviation.
func (m *Machine) direct(ctx context.Context, f *Fit, logs []*Log) error {
	unknowns, timed := len(f.Base.Base), m.timed(logs)
	if timed {
		unknowns++
	}
	late := 0.0
	rowsOf := func(logs []*Log) (all []*equations, err error) {
		for _, l := range logs {
			e, err := m.rows(f.Model, l, f.Cutoff, late, timed)
			if err != nil {
				return nil, err
			}
			all = append(all, e)
			f.Rate = e.rate
		}
		return all, ctx.Err()
	}
	for step := 1; ; step++ {
		all, err := rowsOf(logs)
		if err != nil {
			return err
		}
		sol, err := f.least(reduce(unknowns, all))
		if err != nil {
			return err
		}
		x, err := withoutNoise(logs, reduce(unknowns, all), sol.Weights, func(*mat.SymDense) {}, rowsOf)
		if err != nil {
			return err
		}
		if x != nil {
			copy(sol.X, x)
		}
		rests := true
		if timed {
			last := unknowns - 1
			late += sol.X[last]
			f.Late = &Late{late, math.Sqrt(sol.Covariance[last][last]), sol.DegreesOfFreedom[last]}
			rests = math.Abs(sol.X[last]) < restStep*f.Late.Sigma || step == lateSteps
		}
		if rests {
			f.take(sol)
			f.judge(all, sol.X)
			return f.exchanged(logs)
		}
	}
}

// least solves the rows of motors and links with the weights of direct.
func (f *Fit) least(sum *estimate.Reduction) (*estimate.Solution, error) {
	first, err := sum.Solve(estimate.WLS, false)
	var rank *estimate.RankError
	if errors.As(err, &rank) {
		return nil, f.undetermined(rank)
	}
	if err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	weights := append([]float64(nil), first.Weights...)
	for _, s := range f.Machine.Springs {
		if s.Motor >= 0 {
			weights[s.Q] = math.Min(weights[s.Q], linkWeight*weights[s.Motor])
		}
	}
	sol, err := sum.SolveWeighted(weights, false)
	if err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	return sol, nil
}

// exchanged returns an error if the fitted springs push against their deflection. That happens if the channels of motor
// and link are exchanged.
func (f *Fit) exchanged(logs []*Log) error {
	for _, s := range f.Machine.Springs {
		k := f.named("K", s.Link)
		if s.Motor >= 0 && k != nil && k.High() < 0 {
			return &FaultError{Log: logs[0].Name, Joint: s.Joint,
				What: fmt.Sprintf("the spring pushes against its deflection, with a stiffness of %.4g ± %.2g", k.Value, k.Sigma),
				Fix:  "the encoders of motor and link are exchanged, or the torque has the other sign: exchange the channels"}
		}
	}
	return nil
}

// named returns the parameter of the given kind of a link, or nil if it is not a base parameter.
func (f *Fit) named(kind string, link int) *Parameter {
	name := robot.ParameterName(kind, link)
	for i := range f.Parameters {
		if n := f.Parameters[i].Name; n == name || n == name+"R" {
			return &f.Parameters[i]
		}
	}
	return nil
}

// linkWeight: see direct.
const linkWeight = 1

// take copies the parameters of a solution into the fit.
func (f *Fit) take(s *estimate.Solution) {
	f.Condition = s.ConditionScaled
	f.Parameters = f.parameters(s.X, s.Covariance, s.DegreesOfFreedom)
	f.Covariance = leading(s.Covariance, len(f.Parameters)) // the drives' delay stands behind the parameters
}

func (f *Fit) parameters(x []float64, covariance [][]float64, freedom []float64) []Parameter {
	var out []Parameter
	for k, at := range f.Base.Base {
		c := f.Base.Columns[at]
		p := Parameter{Name: f.Base.Name(k), Owner: c.Owner, Unit: c.Unit, Value: x[k], Sigma: math.Sqrt(covariance[k][k]), Freedom: freedom[k]}
		p.Expression = f.Base.Relation(k).Expression
		out = append(out, p)
	}
	return out
}

// judge computes the residuals of the rows and stores them in the fit.
func (f *Fit) judge(all []*equations, x []float64) {
	n := f.Machine.Coordinates()
	f.Residual = make([]float64, n)
	var missed, given float64
	kept := make([]float64, n)
	f.Rows = 0
	for _, e := range all {
		rows := len(e.y[0])
		f.Rows += rows
		for k := range n {
			for i, y := range e.y[k] {
				if e.left(k, i) {
					continue
				}
				r := y
				for c, at := range e.masks[k] {
					r -= e.columns[k][c][i] * x[at]
				}
				kept[k]++
				f.Residual[k] += r * r
				if f.Machine.driven(k) {
					missed, given = missed+r*r, given+y*y
				}
			}
		}
	}
	for k := range f.Residual {
		f.Residual[k] = math.Sqrt(f.Residual[k] / math.Max(kept[k], 1))
	}
	f.Error = 100 * math.Sqrt(missed/given)
}

// cutoff returns the cut-off of both sides by the rule of Options.Cutoff.
func (m *Machine) cutoff(rate float64) float64 {
	own := rate / 10
	if m.complete("") != nil {
		return own
	}
	modes, err := m.modes(m.standardModel(), make([]float64, m.Links))
	if err != nil || len(modes.Resonances) == 0 {
		return own
	}
	return math.Min(own, bandOverResonance*modes.Resonances[len(modes.Resonances)-1])
}

// bandOverResonance: an octave above the resonance the multisine of Shake has no line, and the noise of
// accelerations grows with the power 2.5 of the band.
const bandOverResonance = 2

// UndeterminedError names the parameters that logs do not determine.
type UndeterminedError struct {
	Sensors    Sensors
	Parameters []string // parameters in the undetermined direction, most involved first
	Why        string
}

func (e *UndeterminedError) Error() string {
	return fmt.Sprintf("%s do not determine %s: %s", e.Sensors, list(e.Parameters), e.Why)
}

func list(names []string) string {
	switch n := len(names); {
	case n > 6:
		return fmt.Sprintf("%s, %s, %s and %d others", names[0], names[1], names[2], n-3)
	case n > 1:
		s := names[0]
		for _, x := range names[1 : n-1] {
			s += ", " + x
		}
		return s + " and " + names[n-1]
	}
	return names[0]
}

// undetermined returns the error for a rank-deficient fit.
func (f *Fit) undetermined(rank *estimate.RankError) error {
	e := &UndeterminedError{Sensors: f.Sensors, Why: "the motion does not tell them apart; move all joints, with accelerations of motors and links that differ"}
	for _, k := range rank.Undetermined {
		if k == len(f.Base.Base) {
			continue // the drives' delay
		}
		e.Parameters = append(e.Parameters, f.Base.Name(k))
	}
	return e
}

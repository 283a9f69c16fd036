package torquefree

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/datasets"
	"ident/identify/outputerror"
	"ident/identify/regression"
	"ident/internal/digits"
	"ident/regressor"
	"ident/result"
	"ident/robot"
	"ident/simulate/servo"
)

// Logs are logs of commands and positions without measured torque, opened and mapped to the joints of their robot.
// Their torques read zero.
type Logs struct {
	Robot      *robot.Robot // the robot as fitted
	Terms      []regressor.Term
	Joints     []string // the joints as fitted
	Numbers    []int    // numbers of the joints in the channels' names, from 1
	Logs       []*datasets.Log
	Runs       []regression.Run // runs of the logs, in their order
	Train      []regression.Run // the first of Runs: those from which unknown gains are found
	Controller string
	Reference  []string // channels of the commands; nil to find them by their usual names
	Options    outputerror.Options
	Base       baseparams.Options
}

// Commands are the law of a controller, with values for its unknowns.
type Commands struct {
	text     string
	law      *outputerror.Law
	offsets  []float64 // of the encoders, rad or m
	estimate *outputerror.Estimate
	channels []string // of the commands in the first log
}

// LawError says that a controller's text is not a law that computes torques from commands.
type LawError struct{ Reason string }

func (e *LawError) Error() string { return e.Reason }

// ErrRobot is the error for a robot that does not have one drive for each joint.
var ErrRobot = errors.New("the robot has closed loops, mimic joints or shared drives: a fit without torque needs a tree with one drive for each joint")

// Find finds the unknowns of the law, unless they are known from an earlier fit, and returns the logs with its torques.
func Find(ctx context.Context, in *Logs, known *result.Commanded) ([]*datasets.Log, *Commands, error) {
	c := &Commands{text: in.Controller}
	spec, err := servo.ParseOpenSpec(in.Controller, len(in.Joints))
	var bad *servo.SpecError
	if errors.As(err, &bad) {
		return nil, nil, &LawError{bad.Reason}
	}
	if err != nil {
		return nil, nil, err
	}
	step, err := interval(in.Runs[0])
	if err != nil {
		return nil, nil, err
	}
	var unknown []int
	if c.law, unknown, c.offsets, err = outputerror.LawOf(spec, step); err != nil {
		return nil, nil, &LawError{err.Error()}
	}
	channels := make([][]string, len(in.Logs))
	for i, l := range in.Logs {
		if channels[i], err = Channels(l, in.Numbers, in.Joints, in.Reference); err != nil {
			return nil, nil, err
		}
	}
	c.channels = channels[0]
	if known != nil {
		c.estimate = lawOf(known)
	} else {
		if r := in.Robot; r.Closed() || len(r.Mimics) > 0 || len(r.Couplings) > 0 {
			return nil, nil, fmt.Errorf("robot %q: %w", r.Name, ErrRobot)
		}
		var runs []*outputerror.Run
		for i, run := range in.Train {
			o, err := read(run.Log, run.Roles.T, channels[i], run.Roles.Q)
			if err != nil {
				return nil, nil, err
			}
			runs = append(runs, o)
		}
		subject, err := outputerror.NewSubject(in.Robot, in.Terms, in.Base)
		if err != nil {
			return nil, nil, err
		}
		opt := in.Options
		opt.Offsets = unknown
		if c.estimate, err = outputerror.Fit(ctx, subject, c.law, runs, opt); err != nil {
			return nil, nil, err
		}
	}
	value := valuesOf(c.estimate)
	c.law = c.law.WithValues(value)
	for _, k := range unknown {
		c.offsets[k] = value(outputerror.OffsetName(k))
	}
	out := make([]*datasets.Log, len(in.Logs))
	for i, l := range in.Logs {
		if out[i], err = withTorques(l, in.Runs[i].Roles, in.Numbers, channels[i], c.law, c.offsets); err != nil {
			return nil, nil, err
		}
	}
	return out, c, nil
}

// Blank returns logs with torques of zero for the joints whose positions all of them hold, and the setting map that
// leads to them. roles are those of each log.
func Blank(logs []*datasets.Log, roles []datasets.Roles, own map[string]string) ([]*datasets.Log, map[string]string) {
	mapped := map[string]string{}
	for k, v := range own {
		mapped[k] = v
	}
	out := slices.Clone(logs)
	for k := range roles[0].Q {
		if slices.ContainsFunc(roles, func(r datasets.Roles) bool { return r.Q[k] == "" }) {
			continue
		}
		for i, l := range out {
			out[i] = l.WithConstant(datasets.Channel{Name: channel(k + 1)}, 0)
		}
		mapped[fmt.Sprintf("tau%d", k+1)] = channel(k + 1)
	}
	return out, mapped
}

// MapOffsets adds the positions less their encoder's offsets to a setting map.
func (c *Commands) MapOffsets(mapped map[string]string, numbers []int) {
	for k, v := range c.offsets {
		if v != 0 {
			mapped[fmt.Sprintf("q%d", numbers[k])] = position(numbers[k])
		}
	}
}

// Configure sets cfg so that the fit returns the output-error estimate of c. Neither terms nor a prior are chosen by its rows.
func (c *Commands) Configure(cfg *regression.Config) {
	cfg.Estimator, cfg.Choices = Estimator(c.estimate), regression.Choices{}
}

// Describe writes the controller into a result.
func (c *Commands) Describe(res *result.Result) {
	e := c.estimate
	d := &result.Commanded{Controller: c.text, PeriodS: c.law.Period, Commands: c.channels, SaturatedSamples: e.Saturated, Samples: e.Samples, PositionError: e.Deviation, ExplainedPercent: e.Explained}
	for i := e.Base; i < len(e.Names); i++ {
		p := result.LawParameter{Name: e.Names[i], Unit: e.Units[i], Value: e.X[i], Sigma: math.Sqrt(e.Covariance[i][i])}
		if k := e.Joints[i]; k >= 0 {
			p.Joint = res.Joints[k]
		}
		d.Parameters = append(d.Parameters, p)
		res.Notes = append(res.Notes, fmt.Sprintf("%s = %s %s, found from commands and positions", strings.TrimSpace(p.Name+" "+p.Joint), digits.Measure(p.Value, p.Sigma), p.Unit))
	}
	for k, n := range e.Saturated {
		if n > 0 {
			res.Notes = append(res.Notes, fmt.Sprintf("the drive of joint %s is at its limit in %d of %d samples, which say nothing of its gains", res.Joints[k], n, e.Samples))
		}
	}
	res.Commanded = d
}

// lawOf returns the values that an earlier fit has found for a law.
func lawOf(c *result.Commanded) *outputerror.Estimate {
	e := new(outputerror.Estimate)
	for _, p := range c.Parameters {
		e.Names, e.X = append(e.Names, p.Name), append(e.X, p.Value)
	}
	return e
}

// interval returns the mean time from row to row of a run.
func interval(run regression.Run) (float64, error) {
	t, err := run.Log.Column(run.Roles.T)
	if err != nil {
		return 0, err
	}
	if len(t) < 2 {
		return 0, fmt.Errorf("%s: %d rows are too few", run.Name, len(t))
	}
	return (t[len(t)-1] - t[0]) / float64(len(t)-1), nil
}

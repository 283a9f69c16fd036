package project

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

// commandLogs are logs of commands and positions without measured torque, opened and mapped to the joints of their robot.
// Their torques read zero.
type commandLogs struct {
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
	Known      map[string]float64 // parameters that are held, by name
}

// lawCommands are the law of a controller, with values for its unknowns: they make logs of commands and positions into logs with the
// torques that the law asked for, with the gains that are known or that package outputerror finds.
//
// Such a log then goes the way of any other: its law's torques are the measurement vector of
// the rows, of the errors and of the residual tests, which tell whether the declared law and the model hold.
// The estimate itself is that of the output error (see [outputErrorEstimator]).
type lawCommands struct {
	text     string
	law      *outputerror.Law
	offsets  []float64 // of the encoders, rad or m
	estimate *outputerror.Estimate
	channels []string // of the commands in the first log
}

// lawError says that a controller's text is not a law that computes torques from commands.
type lawError struct{ Reason string }

func (e *lawError) Error() string { return e.Reason }

// errDrives is the error for a robot that does not have one drive for each joint.
var errDrives = errors.New("the robot has closed loops, mimic joints or shared drives: a fit without torque needs a tree with one drive for each joint")

// findCommands finds the unknowns of the law, unless they are known from an earlier fit, and returns the logs with its torques.
func findCommands(ctx context.Context, in *commandLogs, known *result.Commanded) ([]*datasets.Log, *lawCommands, error) {
	c := &lawCommands{text: in.Controller}
	spec, err := servo.ParseOpenSpec(in.Controller, len(in.Joints))
	var bad *servo.SpecError
	if errors.As(err, &bad) {
		return nil, nil, &lawError{bad.Reason}
	}
	if err != nil {
		return nil, nil, err
	}
	step, err := meanInterval(in.Runs[0])
	if err != nil {
		return nil, nil, err
	}
	var unknown []int
	if c.law, unknown, c.offsets, err = outputerror.LawOf(spec, step); err != nil {
		return nil, nil, &lawError{err.Error()}
	}
	channels := make([][]string, len(in.Logs))
	for i, l := range in.Logs {
		if channels[i], err = CommandChannels(l, in.Numbers, in.Joints, in.Reference); err != nil {
			return nil, nil, err
		}
	}
	c.channels = channels[0]
	if known != nil {
		c.estimate = estimateOfLaw(known)
	} else {
		if r := in.Robot; r.Closed() || len(r.Mimics) > 0 || len(r.Couplings) > 0 {
			return nil, nil, fmt.Errorf("robot %q: %w", r.Name, errDrives)
		}
		var runs []*outputerror.Run
		for i, run := range in.Train {
			o, err := readCommandRun(run.Log, run.Roles.T, channels[i], run.Roles.Q)
			if err != nil {
				return nil, nil, err
			}
			runs = append(runs, o)
		}
		subject, err := outputerror.NewSubject(in.Robot, in.Terms, in.Known, in.Base)
		if err != nil {
			return nil, nil, err
		}
		opt := in.Options
		opt.Offsets = unknown
		if c.estimate, err = outputerror.Fit(ctx, subject, c.law, runs, opt); err != nil {
			return nil, nil, err
		}
	}
	value := lawValues(c.estimate)
	c.law = c.law.WithValues(value)
	for _, k := range unknown {
		c.offsets[k] = value(outputerror.OffsetName(k))
	}
	out := make([]*datasets.Log, len(in.Logs))
	for i, l := range in.Logs {
		if out[i], err = withLawTorques(l, in.Runs[i].Roles, in.Numbers, channels[i], c.law, c.offsets); err != nil {
			return nil, nil, err
		}
	}
	return out, c, nil
}

// blankTorques returns logs with torques of zero for the joints whose positions all of them hold, and the setting map that
// leads to them. roles are those of each log.
func blankTorques(logs []*datasets.Log, roles []datasets.Roles, own map[string]string) ([]*datasets.Log, map[string]string) {
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
			out[i] = l.WithConstant(datasets.Channel{Name: lawChannel(k + 1)}, 0)
		}
		mapped[fmt.Sprintf("tau%d", k+1)] = lawChannel(k + 1)
	}
	return out, mapped
}

// MapOffsets adds the positions less their encoder's offsets to a setting map.
func (c *lawCommands) MapOffsets(mapped map[string]string, numbers []int) {
	for k, v := range c.offsets {
		if v != 0 {
			mapped[fmt.Sprintf("q%d", numbers[k])] = truePosition(numbers[k])
		}
	}
}

// Configure sets cfg so that the fit returns the output-error estimate of c. Neither terms nor a prior are chosen by its rows.
func (c *lawCommands) Configure(cfg *regression.Config) {
	cfg.Estimator, cfg.Choices = outputErrorEstimator(c.estimate), regression.Choices{}
}

// Describe writes the controller into a result.
func (c *lawCommands) Describe(res *result.Result) {
	e := c.estimate
	d := &result.Commanded{Controller: c.text, PeriodS: c.law.Period, Commands: c.channels, SaturatedSamples: e.Saturated, Samples: e.Samples, PositionError: e.Deviation, ExplainedPercent: e.Explained}
	if e.Viscous != nil {
		d.Viscous, d.ViscousWithout = finiteOrZero(e.Viscous), finiteOrZero(e.ViscousWithout)
	}
	if e.Border {
		res.Notes = append(res.Notes, "the errors of the simulated motion still fall towards robots of less inertia, which the law could not hold: the estimate stands at that border")
	}
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
			res.Notes = append(res.Notes, fmt.Sprintf("the drive of joint %s is at its limit in %d of %d samples, which do not help to determine its gains", res.Joints[k], n, e.Samples))
		}
	}
	res.Commanded = d
}

// finiteOrZero returns values with zero for those that are not finite.
func finiteOrZero(x []float64) []float64 {
	out := slices.Clone(x)
	for i, v := range out {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			out[i] = 0
		}
	}
	return out
}

// estimateOfLaw returns the values that an earlier fit has found for a law.
func estimateOfLaw(c *result.Commanded) *outputerror.Estimate {
	e := new(outputerror.Estimate)
	for _, p := range c.Parameters {
		e.Names, e.X = append(e.Names, p.Name), append(e.X, p.Value)
	}
	return e
}

// meanInterval returns the mean time from row to row of a run.
func meanInterval(run regression.Run) (float64, error) {
	t, err := run.Log.Column(run.Roles.T)
	if err != nil {
		return 0, err
	}
	if len(t) < 2 {
		return 0, fmt.Errorf("%s: %d rows are too few", run.Name, len(t))
	}
	return (t[len(t)-1] - t[0]) / float64(len(t)-1), nil
}

package standing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/identify/regression"
	"ident/observation"
	"ident/observation/feet"
	"ident/physical"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// Outcome returns a fit as the result of an identification, with tables, feasible bodies and a grade. bodies are the
// options of these, with the weighed mass of the robot if it is known.
func (f *Fit) Outcome(ctx context.Context, logs []Log, bodies physical.BodyOptions) (*regression.Outcome, error) {
	r, s := f.fitting.robot.Robot, &f.fitting.settings
	out := &regression.Outcome{Base: f.Set, Reduction: f.Reduction, Solution: f.Solution}
	res := &out.Result
	res.Schema, res.Model, res.Estimator = result.Schema, string(observation.Dynamic), "wls"
	for _, t := range f.fitting.robot.Terms {
		res.Terms = append(res.Terms, string(t))
	}
	moving := r.Independent()[6:]
	res.Robot = result.RobotInfo{Name: r.Name, DOF: len(moving), SHA256: r.Source.SHA256}
	for _, j := range moving {
		joint := &r.Links[j].Joint
		unit := "N·m"
		if joint.Kind == robot.Prismatic {
			unit = "N"
		}
		rated := joint.Effort
		if math.IsNaN(rated) {
			rated = 0
		}
		res.Joints, res.JointUnits, res.RatedTorque = append(res.Joints, joint.Name), append(res.JointUnits, unit), append(res.RatedTorque, rated)
	}
	read := 0
	for i := range logs {
		n := len(logs[i].Q[0])
		read += n
		res.Logs = append(res.Logs, result.LogInfo{Name: logs[i].Name, Role: "train", Last: n, Rows: fmt.Sprintf("1-%d", n)})
	}
	res.Processing = result.Processing{RateHz: 1 / logs[0].DT, Torque: "torque", Gravity: r.Gravity, Seed: int64(s.Seed), Path: s.Path}
	res.Samples = result.Samples{Read: read, Used: f.Samples, RateHz: 1 / s.Every}
	res.Describe(r, f.Set, f.Solution)
	// The rows are combinations of all joints' equations: what estimates say of one joint's rows they say of no joint.
	res.NoiseSigma, res.CorrelationInflation, res.RecurrenceInflation, res.EffectiveSamples = nil, nil, nil, nil
	found, err := physical.Bodies(ctx, f.Solution, r, f.Set, bodies)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, physical.ErrPartialBody):
	case err != nil:
		res.Notes = append(res.Notes, fmt.Sprintf("bodies with these base parameters were not found: %v", err))
	default:
		res.DescribePossibility(r, f.Set, found.Nearest)
		res.DescribeBodies(r, f.Set, found, f.Solution)
	}
	if cross := f.crossValidate(); cross != nil {
		res.Diagnosis = &estimate.Diagnosis{CrossValidation: cross}
	}
	out.Residuals, res.Fit = f.fitting.residuals(f.Variance(), f.Solution.X, logs)
	res.Fit.RelativeError.Stacked = f.Percent
	res.Expected = f.fitting.onOtherSways(f.tracks, f.Solution)
	res.DescribePayloads(r, f.Set, f.Solution, nil)
	res.Notes = append(res.Notes, f.hidden()...)
	for i, m := range f.Motions {
		res.Findings = append(res.Findings, Findings(logs[i].Name, f.Gates(i))...)
		res.Notes = append(res.Notes, fmt.Sprintf("%s: feet and sensor find a gravity of %.3f m/s²; biases of the gyroscope %.2g %.2g %.2g rad/s, of the accelerometer %.2g %.2g %.2g m/s²; torques find the base tilted by %.2g %.2g mrad against that", logs[i].Name, m.Gravity,
			m.GyroBias[0], m.GyroBias[1], m.GyroBias[2], m.ForceBias[0], m.ForceBias[1], m.ForceBias[2], -1000*f.Tilt[i][1]/f.fitting.gravity(), 1000*f.Tilt[i][0]/f.fitting.gravity()))
	}
	res.DoubtBounds(f.Unlike)
	res.Judge(result.DefaultLimits())
	return out, nil
}

// Findings returns the gates of a log as findings.
func Findings(log string, gates []feet.Gate) []result.Finding {
	var out []result.Finding
	for _, g := range gates {
		severity := "warning"
		switch {
		case g.Fatal:
			severity = "error"
		case g.Kind == feet.IMUMount:
			severity = "info"
		}
		out = append(out, result.Finding{ID: g.Kind, Severity: severity, Log: log, Why: g.Why, Fix: g.Fix})
	}
	return out
}

// Variance returns the variances of the rows of the model.
func (f *Fit) Variance() []float64 {
	out := make([]float64, len(f.Sigma))
	for k, s := range f.Sigma {
		out[k] = s * s
	}
	return out
}

// hidden says what the way of standing cannot show.
func (f *Fit) hidden() []string {
	var out []string
	planted := f.fitting.planted()
	points := baseparams.Hiding(f.fitting.robot.Robot, f.Set.Columns, planted)
	for i, foot := range planted {
		from := "nothing determines it"
		if slices.Contains(f.Set.Base, points[i]) {
			from = fmt.Sprintf("it is that of the robot file, within %g %% of the link's mass", 100*hiddenPart)
		}
		out = append(out, fmt.Sprintf("a point mass at %s, which never moves, is without effect: %s, and so is a part of the mass of the robot unless that is weighed", foot.Name, from))
	}
	return out
}

// otherStances is the number of random states that stand for sways other than those of the logs.
const otherStances = 400

// onOtherSways returns the error of torques, contact forces taken out, that the standard deviations of an estimate make on other
// sways as fast: at the places of some samples with the rates and accelerations of others. It is nil for a model with a
// payload.
func (f *fitting) onOtherSways(tracks []*track, sol *estimate.Solution) *result.Relative {
	if f.model.Needs() != 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(f.settings.Seed, 0x07e5))
	n, joints := otherStances, f.model.Joints()-6
	in := regressor.Batch{Q: channels(joints+6, n), DQ: channels(joints+6, n), DDQ: channels(joints+6, n)}
	var motion regressor.BaseMotion
	var up [3][]float64
	for _, v := range []*[3][]float64{&motion.Rate, &motion.Acceleration, &motion.SpecificForce, &up} {
		*v = [3][]float64(channels(3, n))
	}
	for i := range n {
		place, moves := tracks[rng.IntN(len(tracks))], tracks[rng.IntN(len(tracks))]
		a, b := rng.IntN(len(place.in.Q[0])), rng.IntN(len(moves.in.Q[0]))
		for k := 6; k < joints+6; k++ {
			in.Q[k][i], in.DQ[k][i], in.DDQ[k][i] = place.in.Q[k][a], moves.in.DQ[k][b], moves.in.DDQ[k][b]
		}
		m := &moves.motion.Base
		for k := range 3 {
			up[k][i] = place.motion.Up[k][a]
			motion.Rate[k][i], motion.Acceleration[k][i] = m.Rate[k][b], m.Acceleration[k][b]
			motion.SpecificForce[k][i] = m.SpecificForce[k][b] + f.gravity()*(up[k][i]-moves.motion.Up[k][b])
		}
	}
	f.base.Fill(&in, &motion)
	block, c := f.model.NewBlock(n), f.sticking.NewContacts(n)
	f.model.EvalBatch(block, in, f.model.NewWorkspace())
	f.sticking.Eval(c, in, up, f.sticking.NewWorkspace())
	var e regressor.Elimination
	var err2, tau2 float64
	w := make([]float64, len(sol.X))
	for i := range n {
		e.Find(joints+6, f.unknown(c, nil, nil, i))
		for _, v := range e.Basis {
			clear(w)
			for k := range v {
				for m, col := range f.model.Mask(k) {
					w[col] += v[k] * block.Joint[k][m][i]
				}
			}
			tau := 0.0
			for a, x := range w {
				tau += x * sol.X[a]
				for b, y := range w {
					err2 += x * sol.Covariance[a][b] * y
				}
			}
			tau2 += tau * tau
		}
	}
	return &result.Relative{Stacked: 100 * math.Sqrt(max(err2, 0)/tau2)}
}

// residuals returns the torques of the joints at the rows of a fit, and their errors. A torque's error is its expectation
// given the combinations of rows without contact forces.
func (f *fitting) residuals(variance, x []float64, logs []Log) ([]result.ResidualRun, result.Errors) {
	joints := len(variance) - 6
	runs := make([]result.ResidualRun, len(logs))
	for i := range runs {
		runs[i] = result.ResidualRun{Log: logs[i].Name, Role: "train", Stride: 1, Measured: make([][]float64, joints), Predicted: make([][]float64, joints)}
	}
	e := result.Errors{RMSE: make([]float64, joints), MaxAbs: make([]float64, joints), Bias: make([]float64, joints)}
	e.RelativeError.Joints = make([]float64, joints)
	torque := make([]float64, joints)
	white := whitening{variance: variance}
	for i := range f.samples {
		s := &f.samples[i]
		if !white.of(s.basis) {
			continue
		}
		e.Samples++
		left, _ := f.expected(s, &white, x)
		run := &runs[s.run]
		run.T = append(run.T, s.t)
		for k := range joints {
			run.Measured[k], run.Predicted[k] = append(run.Measured[k], s.torque[6+k]), append(run.Predicted[k], s.torque[6+k]-left[6+k])
			e.RMSE[k] += left[6+k] * left[6+k]
			e.Bias[k] += left[6+k]
			e.MaxAbs[k] = max(e.MaxAbs[k], math.Abs(left[6+k]))
			torque[k] += s.torque[6+k] * s.torque[6+k]
		}
	}
	for k := range joints {
		e.RelativeError.Joints[k] = 100 * math.Sqrt(e.RMSE[k]/max(torque[k], math.SmallestNonzeroFloat64))
		e.RMSE[k] = math.Sqrt(e.RMSE[k] / float64(max(e.Samples, 1)))
		e.Bias[k] /= float64(max(e.Samples, 1))
	}
	return runs, e
}

// Gates returns what is wrong with the stance of a log.
func (f *Fit) Gates(log int) []feet.Gate { return f.fitting.gates(f.tracks[log]) }

// gates returns what is wrong with the stance of a track.
func (f *fitting) gates(t *track) []feet.Gate {
	return append(slices.Clip(t.lies), t.motion.Check(f.sticking, func(radius float64, without int) *feet.Motion {
		sticking, moving := f.sticking, t.moving
		if !math.IsNaN(radius) {
			all := slices.Clone(f.robot.Feet)
			for i := range all {
				all[i].Radius = radius
			}
			var err error
			if sticking, err = regressor.NewSticking(f.robot.Robot, all); err != nil {
				return nil
			}
		}
		if without >= 0 {
			moving.Sticks = make([][]bool, len(f.robot.Feet))
			copy(moving.Sticks, t.moving.Sticks)
			moving.Sticks[without] = make([]bool, len(moving.Q[0]))
		}
		m, err := feet.Follow(f.base, sticking, &moving, f.robot.Sensor, f.gravity())
		if err != nil {
			return nil
		}
		return m
	}, f.gravity())...)
}

package report

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ident/observation"
	"ident/result"
	"ident/robot"
)

// fixture is a synthetic result and its residuals.
type fixture struct {
	res      *result.Result
	runs     []result.ResidualRun
	robot    *robot.Robot
	compared *result.Comparison
}

// newArm is a robot of n revolute joints a1 … with links link1 …, of which the second stands upright on the first.
func newArm(n int) *robot.Robot {
	r := &robot.Robot{Name: fmt.Sprintf("arm%d", n), BaseName: "base", Gravity: [3]float64{0, 0, -9.81}}
	for j := range n {
		m := robot.MDH{D: 0.3}
		if j == 0 {
			m = robot.MDH{R: 0.2}
		} else if j%2 == 1 {
			m.Alpha = math.Pi / 2
		}
		limit := math.NaN()
		l := robot.Link{Name: fmt.Sprintf("link%d", j+1), Antecedent: j - 1, Placement: m.Transform(), UserFrame: robot.Identity(), HasInertial: true,
			Joint: robot.Joint{Name: fmt.Sprintf("a%d", j+1), Kind: robot.Revolute, Lower: limit, Upper: limit, Velocity: limit, Accel: limit, Jerk: limit, Effort: limit}}
		l.Inertial = robot.InertialFromCentral(2, [3]float64{0.15, 0, 0.02}, [3][3]float64{{0.004, 0, 0}, {0, 0.02, 0}, {0, 0, 0.021}})
		l.Own = l.Inertial
		r.Links = append(r.Links, l)
	}
	return r
}

// newFixture makes a plausible result of n joints out of a fixed seed: two
// training logs and one validation log of samples rows each, residuals that
// went through a low-pass, a few weak parameters and one impossible link.
func newFixture(n, samples int) fixture {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	res := &result.Result{
		Schema: result.Schema, Version: "0.1.0",
		Robot: result.RobotInfo{Name: fmt.Sprintf("arm%d", n), DOF: n, SHA256: "9f2c5a7be1d04c6688a1b3c5d7e9f00112233445566778899aabbccddeeff001", File: "robot.urdf"},
		Model: "dynamic", Terms: []string{"links", "Ia", "Fv", "Fs", "Fo"}, Estimator: "wls",
		Logs: []result.LogInfo{
			{Name: "excitation_2.parquet", Role: "train", First: 500, Last: 500 + samples, SHA256: "11aa22bb33cc44dd55ee66ff77aa88bb99cc00dd11ee22ff33aa44bb55cc66dd"},
			{Name: "excitation_3.parquet", Role: "train", First: 500, Last: 500 + samples},
			{Name: "check_1.parquet", Role: "validate", First: 500, Last: 500 + samples},
		},
		Samples:    result.Samples{Read: 2*samples + 2000, Used: 2 * samples, RateHz: 100},
		Processing: result.Processing{RateHz: 100, Path: observation.Path{Cutoff: 8, MotionCutoff: 8, Order: 4, Decimate: 1, Trim: 0.5, Velocity: "position", Acceleration: "velocity"}, Torque: "torque", Gravity: [3]float64{0, 0, -9.81}, Reasons: []string{"velocity: measured channel lags by 4 ms, differentiated from position instead"}, Seed: 1},
		Condition:  result.Condition{Scaled: 87.31, Raw: 4213.5},
		Warnings:   []string{"joint a7: friction is larger than every other torque of the joint"},
		Notes:      []string{"angles within 1e-5 rad of a multiple of π/12 were snapped (12 angles)"},
	}
	for j := range n {
		res.Joints = append(res.Joints, fmt.Sprintf("a%d", j+1))
		res.JointUnits = append(res.JointUnits, "N·m")
		addParameters(res, rng, j)
	}
	res.Covariance = make([][]float64, len(res.BaseParameters))
	for i, b := range res.BaseParameters {
		res.Covariance[i] = make([]float64, len(res.BaseParameters))
		res.Covariance[i][i] = b.Sigma * b.Sigma
	}
	if n > 4 {
		res.Impossible = []result.ImpossibleBody{{Link: "link5", MinEigenvalue: -3.21e-4, Why: "principal moments of inertia break the triangle inequality: 0.0012 + 0.0031 < 0.0071"}}
	}
	res.PhysicallyConsistent = len(res.Impossible) == 0
	f := fixture{res: res, robot: newArm(n)}
	for i, l := range res.Logs {
		f.runs = append(f.runs, newRun(rng, l, n, samples, 100, float64(5*i)))
	}
	res.Fit = errorsOf(f.runs[:2])
	val := errorsOf(f.runs[2:])
	res.Validation = &result.Validation{Errors: val, Runs: []result.ValidationRun{{Log: "check_1.parquet", Errors: val}}}
	for j := range n {
		res.NoiseSigma = append(res.NoiseSigma, res.Fit.RMSE[j])
		res.CorrelationInflation = append(res.CorrelationInflation, 5.1+0.3*float64(j%4))
		res.EffectiveSamples = append(res.EffectiveSamples, float64(2*samples)/(5.1+0.3*float64(j%4)))
	}
	res.Verdicts = []result.Verdict{
		{ID: "excitation", Pass: true, Value: 87.31, Limit: 200, Why: "scaled condition number of the base regressor"},
		{ID: "validation-error", Pass: true, Value: val.RelativeError.Stacked, Limit: 10, Why: "relative error on logs that the fit has not seen"},
		{ID: "overfit", Pass: true, Value: val.RelativeError.Stacked / res.Fit.RelativeError.Stacked, Limit: 1.5, Why: "validation error over training error"},
		{ID: "weak-parameters", Pass: true, Value: float64(countWeak(res)), Limit: float64(len(res.BaseParameters)) / 2, Why: "parameters with a relative deviation above 30 %"},
		{ID: "physical", Pass: res.PhysicallyConsistent, Value: float64(len(res.Impossible)), Limit: 0, Why: "links whose parameters no body can have",
			Makes: result.Doubtful, Fix: "physically-consistent: true"},
	}
	res.Grade = result.GradeOf(res.Verdicts, nil)
	return f
}

// addParameters gives joint j its base and standard parameters.
func addParameters(res *result.Result, rng *rand.Rand, j int) {
	n := j + 1
	link, joint := fmt.Sprintf("link%d", n), res.Joints[j]
	kinds := []struct{ name, expression, unit string }{
		{"XX%dR", "XX%[1]d - YY%[1]d + d²·M%[2]d + 2·r·MZ%[2]d", "kg·m²"}, {"XY%d", "XY%[1]d", "kg·m²"}, {"XZ%dR", "XZ%[1]d - d·MZ%[2]d - d·r·M%[2]d", "kg·m²"},
		{"YZ%d", "YZ%[1]d", "kg·m²"}, {"ZZ%dR", "ZZ%[1]d + YY%[2]d + d²·M%[2]d + Ia%[1]d", "kg·m²"},
		{"MX%dR", "MX%[1]d + d·M%[2]d", "kg·m"}, {"MY%d", "MY%[1]d", "kg·m"},
		{"Fv%d", "Fv%[1]d", "N·m·s/rad"}, {"Fs%d", "Fs%[1]d", "N·m"}, {"Fo%d", "Fo%[1]d", "N·m"},
	}
	for i, k := range kinds {
		if j == 0 && i < 4 {
			continue
		}
		v := rng.NormFloat64() * math.Pow(10, float64(-j)/3+rng.Float64()-1)
		rel := math.Pow(10, rng.Float64()*2.6-0.7)
		s := math.Abs(v) * rel / 100
		res.BaseParameters = append(res.BaseParameters, result.BaseParameter{
			Name: fmt.Sprintf(k.name, n), Expression: fmt.Sprintf(k.expression+"%[3]s", n, n+1, ""), Link: link, Joint: joint, Unit: k.unit,
			Value: v, Sigma: s, RelativeSigmaPercent: rel, Low95: v - 1.96*s, High95: v + 1.96*s,
			Prior: v + s*rng.NormFloat64()*1.5, HasPrior: i < 7,
		})
	}
	for i, name := range []string{"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M", "Ia", "Fv", "Fs", "Fo"} {
		unit := []string{"kg·m²", "kg·m", "kg", "kg·m²", "N·m"}[min(4, max(0, (i-3)/3))]
		if i == 9 {
			unit = "kg"
		}
		v := rng.NormFloat64()
		res.StandardParameters = append(res.StandardParameters, result.StdParameter{
			Name: fmt.Sprintf("%s%d", name, n), Link: link, Frame: "mdh", Unit: unit, Value: v, Sigma: math.Abs(v) * 0.03, Determined: i%3 != 0,
		})
	}
}

// newRun simulates torques: a sum of harmonics, and a residual that is noise
// through a first-order low-pass plus some left-over friction.
func newRun(rng *rand.Rand, l result.LogInfo, joints, samples int, rate, start float64) result.ResidualRun {
	run := result.ResidualRun{Log: l.Name, Role: l.Role, Stride: 1, T: make([]float64, samples)}
	for k := range run.T {
		run.T[k] = start + float64(k)/rate
	}
	for j := range joints {
		amp := 40 / math.Pow(1.5, float64(j%8))
		var a, b [5]float64
		for h := range a {
			a[h], b[h] = rng.NormFloat64(), rng.NormFloat64()
		}
		measured, predicted := make([]float64, samples), make([]float64, samples)
		low := 0.0
		for k, t := range run.T {
			w := 2 * math.Pi * 0.1 * (t - start)
			p, dq := 0.0, 0.0
			for h := range a {
				s, c := math.Sincos(float64(h+1) * w)
				p += (a[h]*s + b[h]*c) / 2
				dq += a[h]*c - b[h]*s
			}
			low += 0.2 * (rng.NormFloat64() - low)
			predicted[k] = amp * (p + 0.1*math.Tanh(20*dq))
			measured[k] = predicted[k] + amp*(0.05*low+0.008*math.Sin(3*w))
		}
		run.Measured = append(run.Measured, measured)
		run.Predicted = append(run.Predicted, predicted)
		logged, file := make([]float64, samples), make([]float64, samples)
		for k := range logged {
			logged[k] = measured[k] + 0.1*amp*math.Sin(float64(k*k))
			file[k] = 0.8 * predicted[k]
		}
		run.Logged, run.File = append(run.Logged, logged), append(run.File, file)
		position := make([]float64, samples)
		for k, t := range run.T {
			position[k] = 0.8 * math.Sin(0.3*(t-start)*float64(j%5+1))
		}
		run.Position = append(run.Position, position)
	}
	return run
}

// longFixture is a result of one run of ten million rows at 1 kHz, as a fit keeps it: every 512th row, 32 768
// buckets and some rows at full rate. A second of it is a gap, and another was held.
func longFixture() fixture {
	const rows, stride, buckets, joints = 10_000_000, 512, 32_768, 7
	f := newFixture(joints, 10)
	rng := rand.New(rand.NewPCG(11, 13))
	clock := func(row int) float64 {
		t := float64(row) * 1e-3
		if row > rows/2 {
			t++
		}
		return t
	}
	curve := func(j, row int) float64 {
		return 10 / float64(j+1) * math.Sin(clock(row)*(0.01+0.002*float64(j)))
	}
	run := result.ResidualRun{Log: "a long day.parquet", Role: "train", Stride: stride, Doubtful: []result.Interval{{From: 2000, To: 2001, Why: "held"}}}
	for row := 0; row < rows; row += stride {
		run.T = append(run.T, clock(row))
	}
	l := &result.LongRun{Rows: (rows + buckets - 1) / buckets}
	const gap = rows/2 + 1 // a bucket ends there
	for row, end := 0, 0; row < rows; row = end {
		if end = min(rows, row+l.Rows); row < gap {
			end = min(end, gap)
		}
		l.From, l.To = append(l.From, clock(row)), append(l.To, clock(end-1))
	}
	for j := range joints {
		var measured, predicted []float64
		for k := range run.T {
			predicted = append(predicted, curve(j, k*stride))
			measured = append(measured, predicted[k]+0.1*rng.NormFloat64())
		}
		run.Measured, run.Predicted = append(run.Measured, measured), append(run.Predicted, predicted)
		run.Logged, run.File = append(run.Logged, measured), append(run.File, predicted)
		for i, c := range []*result.Curves{&l.Low, &l.High} {
			for _, table := range []*[][]float64{&c.Measured, &c.Predicted, &c.Residual, &c.Logged, &c.File, &c.FileResidual} {
				column := make([]float64, len(l.From))
				for b := range column {
					v := (2*float64(i) - 1) * (0.3 + 0.1*rng.Float64())
					if table != &c.Residual && table != &c.FileResidual {
						v += curve(j, b*l.Rows)
					}
					column[b] = v
				}
				*table = append(*table, column)
			}
		}
		block := result.ResidualRun{Stride: 1}
		at := 1_000_000 * (j + 1)
		for row := at; row < at+256; row++ {
			block.T = append(block.T, clock(row))
		}
		for i := range joints {
			var m, p []float64
			for k := range block.T {
				p = append(p, curve(i, at+k))
				m = append(m, p[k]+0.1*rng.NormFloat64())
			}
			m[128] += 2 * float64(j+1)
			block.Measured, block.Predicted = append(block.Measured, m), append(block.Predicted, p)
			block.Logged, block.File = append(block.Logged, m), append(block.File, p)
		}
		l.Blocks = append(l.Blocks, block)
	}
	run.Long = l
	f.runs, f.res.Logs, f.res.Validation = []result.ResidualRun{run}, f.res.Logs[:1], nil
	f.res.Logs[0].First, f.res.Logs[0].Last = 0, rows
	return f
}

// errorsOf computes the errors of runs.
func errorsOf(runs []result.ResidualRun) result.Errors {
	var e result.Errors
	var allR, allM float64
	for j := range runs[0].Measured {
		var rr, mm, sum, top float64
		n := 0
		for _, run := range runs {
			for k := range run.T {
				r := run.Measured[j][k] - run.Predicted[j][k]
				rr += r * r
				mm += run.Measured[j][k] * run.Measured[j][k]
				sum += r
				top = math.Max(top, math.Abs(r))
				n++
			}
		}
		e.RelativeError.Joints = append(e.RelativeError.Joints, 100*math.Sqrt(rr/mm))
		e.RelativeErrorRaw.Joints = append(e.RelativeErrorRaw.Joints, 130*math.Sqrt(rr/mm))
		e.RMSE = append(e.RMSE, math.Sqrt(rr/float64(n)))
		e.RMSERaw = append(e.RMSERaw, 1.3*math.Sqrt(rr/float64(n)))
		e.MaxAbs = append(e.MaxAbs, top)
		e.Bias = append(e.Bias, sum/float64(n))
		e.Samples = n
		allR += rr
		allM += mm
	}
	e.RelativeError.Stacked = 100 * math.Sqrt(allR/allM)
	e.RelativeErrorRaw.Stacked = 130 * math.Sqrt(allR/allM)
	return e
}

package main

import (
	"context"
	stderrors "errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"ident/datasets"
	"ident/excite"
	"ident/identify"
	"ident/identify/project"
	"ident/regressor"
	"ident/result"
	"ident/robot"
	"ident/robot/format/yaml"
	"ident/simulate"
	"ident/studies/arms"
)

// noise is a class of sensors.
type noise struct {
	name     string
	torque   float64 // part of a joint's root mean square
	position float64 // rad
	colour   float64 // autoregression of the torque's noise
}

var noises = []noise{{"2 %", 0.02, 0, 0}, {"10 %, positions of 0.1 mrad", 0.1, 1e-4, 0}, {"5 %, coloured", 0.05, 0, 0.9}}

// An error changes the exact torques of a record.
var errors = []struct {
	name string
	do   func(r *robot.Robot, rec *simulate.Record, rng *rand.Rand)
}{
	{"none", func(*robot.Robot, *simulate.Record, *rand.Rand) {}},
	{"harmonic of 1 %", func(r *robot.Robot, rec *simulate.Record, rng *rand.Rand) {
		for k, tau := range rec.Measured.Tau {
			size, phase := 0.01*math.Sqrt2*rms(tau), 2*math.Pi*rng.Float64()
			for i := range tau {
				tau[i] += size * math.Sin(2*rec.Exact.Q[k][i]+phase)
			}
		}
	}},
	{"presliding of 10 mrad", func(r *robot.Robot, rec *simulate.Record, _ *rand.Rand) {
		for k, tau := range rec.Measured.Tau {
			q, dq := rec.Exact.Q[k], rec.Exact.DQ[k]
			fs, z := jointOf(r, k).Fs, sign(dq[0])
			for i := range tau {
				if i > 0 {
					to := math.Copysign(1, q[i]-q[i-1])
					z = to + (z-to)*math.Exp(-math.Abs(q[i]-q[i-1])/0.01)
				}
				tau[i] += fs * (z - sign(dq[i]))
			}
		}
	}},
	{"scales of 2 %", func(_ *robot.Robot, rec *simulate.Record, rng *rand.Rand) {
		for _, tau := range rec.Measured.Tau {
			g := 1 + 0.02*rng.NormFloat64()
			for i := range tau {
				tau[i] *= g
			}
		}
	}},
	{"friction falls by a fifth", func(r *robot.Robot, rec *simulate.Record, _ *rand.Rand) {
		for k, tau := range rec.Measured.Tau {
			j := jointOf(r, k)
			for i, v := range rec.Exact.DQ[k] {
				tau[i] -= 0.2 * (1 - math.Exp(-rec.T[i]/10)) * (j.Fv*v + j.Fs*sign(v))
			}
		}
	}},
}

func jointOf(r *robot.Robot, k int) *robot.Joint { return &r.Links[r.Moving()[k]].Joint }

func sign(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

func rms(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(x)))
}

// motion draws a series of five harmonics, twice as fast as a careful user's and as wide.
func motion(r *robot.Robot, rng *rand.Rand) *excite.Trajectory {
	tr := &excite.Trajectory{Period: 10, Joints: r.JointNames()}
	for k := range tr.Joints {
		size := 0.5
		if jointOf(r, k).Kind == robot.Prismatic {
			size = 0.15
		}
		a, b := make([]float64, 5), make([]float64, 5)
		for h := range a {
			w := 2 * math.Pi / tr.Period
			a[h], b[h] = size*w*rng.NormFloat64(), size*w*rng.NormFloat64() // positions fall with the harmonic
		}
		tr.Q0, tr.A, tr.B = append(tr.Q0, rng.NormFloat64()*size), append(tr.A, a), append(tr.B, b)
	}
	return tr
}

// run makes the log and the file, fits, and compares the result with the truth.
func (f *fit) run(ctx context.Context, r *robot.Robot, n noise, e struct {
	name string
	do   func(*robot.Robot, *simulate.Record, *rand.Rand)
}) error {
	rng := rand.New(rand.NewPCG(f.Seed, 41))
	opt := simulate.Options{Rate: 200, Duration: 20, Seed: f.Seed}
	if n.position > 0 {
		opt.Noise.Position = []float64{n.position}
	}
	rec, err := simulate.Run(ctx, r, motion(r, rng), opt)
	if err != nil {
		return err
	}
	e.do(r, rec, rng)
	for k, tau := range rec.Measured.Tau {
		size, v := n.torque*rms(rec.Exact.Tau[k]), 0.0
		for i := range tau {
			v = n.colour*v + math.Sqrt(1-n.colour*n.colour)*size*rng.NormFloat64()
			tau[i] += v
		}
	}
	dir, err := os.MkdirTemp("", "worth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	logFile, robotFile := filepath.Join(dir, "log.parquet"), filepath.Join(dir, "arm.yaml")
	channels, cols := rec.Channels()
	for i := 0; i < len(channels); i++ { // velocities are derived from the positions, as most users' are
		if strings.HasPrefix(channels[i].Name, "dq") {
			channels, cols = append(channels[:i:i], channels[i+1:]...), append(cols[:i:i], cols[i+1:]...)
			i--
		}
	}
	if err := datasets.Write(logFile, channels, nil, func(w *datasets.Writer) error { return w.Append(cols) }); err != nil {
		return err
	}
	text, err := os.Create(robotFile)
	if err != nil {
		return err
	}
	if err := yaml.Write(text, arms.Kinds()[1].File(r, rng)); err != nil {
		return err
	}
	if err := text.Close(); err != nil {
		return err
	}
	p, err := identify.Open(robotFile, logFile)
	if err != nil {
		return err
	}
	got, err := p.Fit(ctx, identify.FitOptions{})
	var refused *project.FindingsError
	if stderrors.As(err, &refused) {
		f.Refused = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	f.judge(r, got)
	return nil
}

// judge compares a result with the robot that moved.
func (f *fit) judge(r *robot.Robot, got *identify.Fit) {
	set, res := got.Models[0].Base, got.Result
	chi := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	truth, sum := set.FromStandard(chi), 0.0
	for i, p := range res.BaseParameters {
		if set.Columns[set.Base[i]].Term != regressor.Links {
			continue
		}
		f.All++
		if p.Low95 <= truth[i] && truth[i] <= p.High95 {
			f.Held++
		}
		if p.Sigma > 0 {
			d := (p.Value - truth[i]) / p.Sigma
			sum += d * d
		}
	}
	f.Size = math.Sqrt(sum / float64(max(f.All, 1)))
	f.Grade, f.Doubted = res.Grade.Parts(), res.Grade.Parameters.Value != result.Sound
	for _, x := range res.Grade.Parameters.Reasons {
		f.Reasons = append(f.Reasons, x.ID)
	}
	f.Chosen = fmt.Sprintf("%s, cutoffs %g %g Hz, %v", res.Estimator, res.Processing.Cutoff, res.Processing.MotionCutoff, res.Terms)
}

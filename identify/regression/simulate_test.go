package regression

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/datasets"
	"ident/mechanics/dynamics"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// arm is a serial robot of revolute joints under gravity, with rotors and
// friction.
func arm(joints int) *robot.Robot {
	var frames []robot.MDHFrame
	for j := range joints {
		f := robot.MDHFrame{Antecedent: j - 1, Kind: robot.Revolute}
		if j > 0 {
			f.Alpha = math.Pi / 2 * float64(1-2*(j%2))
		}
		if j%2 == 0 {
			f.R = 0.4 - 0.03*float64(j)
		}
		frames = append(frames, f)
	}
	r := robot.FromMDH(fmt.Sprintf("arm%d", joints), frames)
	for j := range r.Links {
		size := 1 / float64(j+1)
		com := [3]float64{0.1, 0.03 * float64(1-2*(j%2)), 0.08}
		in := robot.InertialFromCentral(2+4*size, com, [3][3]float64{{0.08, 0.004, 0.002}, {0.004, 0.07, -0.003}, {0.002, -0.003, 0.05}})
		l := &r.Links[j]
		l.Inertial, l.Own, l.HasInertial = in, in, true
		l.Joint.Ia, l.Joint.Fv, l.Joint.Fs, l.Joint.Fo = 0.2+0.3*size, 1+size, 0.5+size, 0.2
	}
	return r
}

// trajectory is a sum of five sinusoids a joint, with exact derivatives.
type trajectory struct{ a, w, p [][]float64 }

// path is a motion of joints over time.
type path interface {
	// at stores the state at a time.
	at(t float64, q, dq, ddq []float64)
}

// newTrajectory draws one of the given lowest frequency, in hertz.
func newTrajectory(joints int, seed uint64, base float64) *trajectory {
	rng := rand.New(rand.NewPCG(seed, 7))
	x := new(trajectory)
	for range joints {
		var a, w, p []float64
		for h := 1; h <= 5; h++ {
			w = append(w, 2*math.Pi*base*float64(h))
			a = append(a, 0.6*rng.NormFloat64()/float64(h))
			p = append(p, 2*math.Pi*rng.Float64())
		}
		x.a, x.w, x.p = append(x.a, a), append(x.w, w), append(x.p, p)
	}
	return x
}

// at stores the motion at a time.
func (x *trajectory) at(t float64, q, dq, ddq []float64) {
	for k := range q {
		q[k], dq[k], ddq[k] = 0, 0, 0
		for h, w := range x.w[k] {
			s, c := math.Sincos(w*t + x.p[k][h])
			q[k] += x.a[k][h] * s
			dq[k] += x.a[k][h] * w * c
			ddq[k] -= x.a[k][h] * w * w * s
		}
	}
}

// record holds the columns of a simulated log.
type record struct {
	robot           *robot.Robot
	t               []float64
	q, dq, ddq, tau [][]float64
	gains           []float64
}

// simulate logs a robot along a trajectory at the given times: torques by
// recursive Newton-Euler, friction by its definition.
func simulate(tb testing.TB, r *robot.Robot, x path, t []float64) *record {
	tb.Helper()
	tree, err := dynamics.New(r)
	if err != nil {
		tb.Fatal(err)
	}
	n := tree.DOF()
	columns := func() [][]float64 {
		c := make([][]float64, n)
		for k := range c {
			c[k] = make([]float64, len(t))
		}
		return c
	}
	moving := r.Independent()
	rec := &record{robot: r, t: t, q: columns(), dq: columns(), ddq: columns(), tau: columns()}
	q, dq, ddq, tau := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i, at := range t {
		x.at(at, q, dq, ddq)
		tree.InverseDynamics(tau, q, dq, ddq)
		for k, j := range moving {
			l := &r.Links[j]
			friction := l.Joint.Fv*dq[k] + l.Joint.Fo
			if dq[k] > 0 {
				friction += l.Joint.Fs
			} else if dq[k] < 0 {
				friction -= l.Joint.Fs
			}
			rec.q[k][i], rec.dq[k][i], rec.ddq[k][i], rec.tau[k][i] = q[k], dq[k], ddq[k], tau[k]+friction
		}
	}
	return rec
}

// steady are the times of a uniform clock.
func steady(rate, seconds float64) []float64 {
	t := make([]float64, int(rate*seconds))
	for i := range t {
		t[i] = float64(i) / rate
	}
	return t
}

// keep returns the record with the rows of the given indices only.
func (rec *record) keep(rows []int) *record {
	pick := func(x []float64) []float64 {
		y := make([]float64, len(rows))
		for i, r := range rows {
			y[i] = x[r]
		}
		return y
	}
	out := &record{robot: rec.robot, t: pick(rec.t), gains: rec.gains}
	for k := range rec.q {
		out.q, out.dq = append(out.q, pick(rec.q[k])), append(out.dq, pick(rec.dq[k]))
		out.ddq, out.tau = append(out.ddq, pick(rec.ddq[k])), append(out.tau, pick(rec.tau[k]))
	}
	return out
}

// run makes a log of the record. Motor currents take the torques' place where
// gains are set.
func (rec *record) run(name string) Run {
	channels := []datasets.Channel{{Name: "t"}}
	cols := [][]float64{slices.Clone(rec.t)}
	run := Run{Name: name, Last: len(rec.t), State: observation.State{Gains: rec.gains}, Roles: datasets.Roles{T: "t"}}
	add := func(kind string, values [][]float64, roles *[]string, scale []float64) {
		for k, v := range values {
			channel := fmt.Sprintf("%s%d", kind, k+1)
			v = slices.Clone(v)
			if scale != nil {
				for i := range v {
					v[i] /= scale[k]
				}
			}
			channels, cols, *roles = append(channels, datasets.Channel{Name: channel}), append(cols, v), append(*roles, channel)
		}
	}
	add("q", rec.q, &run.Roles.Q, nil)
	add("dq", rec.dq, &run.Roles.DQ, nil)
	add("ddq", rec.ddq, &run.Roles.DDQ, nil)
	if rec.gains != nil {
		add("i", rec.tau, &run.Roles.Current, rec.gains)
	} else {
		add("tau", rec.tau, &run.Roles.Tau, nil)
	}
	run.Log = datasets.FromColumns(name, channels, cols, nil)
	return run
}

// positionsOnly takes the velocity and acceleration channels away.
func positionsOnly(run Run) Run {
	run.Roles.DQ, run.Roles.DDQ = make([]string, len(run.Roles.Q)), make([]string, len(run.Roles.Q))
	return run
}

// fit identifies, or fails the test.
func fit(tb testing.TB, r *robot.Robot, cfg Config, runs ...Run) *Outcome {
	tb.Helper()
	out, err := Fit(context.Background(), r, regressor.DefaultTerms(), runs, nil, cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// estimates returns the base parameters of an outcome.
func estimates(out *Outcome) []float64 {
	var x []float64
	for _, p := range out.Result.BaseParameters {
		x = append(x, p.Value)
	}
	return x
}

// truth returns the base parameters that the robot file gives.
func truth(out *Outcome, r *robot.Robot) []float64 {
	chi := make([]float64, len(out.Base.Columns))
	for i, c := range out.Base.Columns {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	return out.Base.FromStandard(chi)
}

// away is the largest error of an estimate, relative to the parameter or, for
// small ones, to a tenth.
func away(x, want []float64) float64 {
	worst := 0.0
	for i := range x {
		worst = math.Max(worst, math.Abs(x[i]-want[i])/math.Max(math.Abs(want[i]), 0.1))
	}
	return worst
}

// distance is ‖x − want‖/‖want‖.
func distance(x, want []float64) float64 {
	var d, w float64
	for i := range x {
		d += (x[i] - want[i]) * (x[i] - want[i])
		w += want[i] * want[i]
	}
	return math.Sqrt(d / w)
}

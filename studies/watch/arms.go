package main

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"ident/datasets"
	"ident/excite"
	"ident/identify"
	"ident/identify/folder"
	"ident/robot"
	"ident/robot/format/yaml"
	"ident/simulate"
	"ident/studies/arms"
	"ident/watch"
)

// class is an arm with its sensors.
type class struct {
	name, noise string
	arm         int
	rate        float64
	friction    float64 // of the arm's, that the torques show
	white       float64 // N·m, or part of a joint's root mean square
	coloured    float64 // likewise, with a corner of 5 Hz
	relative    bool
	heavy       bool // the tails of the torques' noise are those of Student's distribution with four degrees of freedom
}

func classes() []class {
	return []class{
		{"seven joints, torque sensors", "white", 0, 1000, 0.05, 0.1, 0, false, false},
		{"seven joints, torque sensors", "coloured", 0, 1000, 0.05, 0.05, 0.05, false, false},
		{"six joints, 29 kg, currents", "white", 2, 500, 1, 0.02, 0, true, false},
		{"six joints, 29 kg, currents", "coloured", 2, 500, 1, 0.01, 0.02, true, false},
		{"six joints, 23 kg, currents", "white", 4, 250, 1, 0.02, 0, true, false},
		{"six joints, 23 kg, currents", "coloured", 4, 250, 1, 0.01, 0.02, true, false},
	}
}

// period is the period of all motions, s.
const period = 10

// velocityNoise is the deviation of logged velocities, rad/s.
const velocityNoise = 0.0005

// watched is an arm with its model.
type watched struct {
	class
	robot *robot.Robot // the truth
	model watch.Model
	noise *watch.Noise
	white []float64 // N·m, by joint
	slow  []float64
	saved *identify.Saved
	logs  []string // of the training, in dir
	dir   string
}

// close removes the files of the training.
func (w *watched) close() { os.RemoveAll(w.dir) }

// motion draws a series of five harmonics; speed 1 is that of the training.
func motion(r *robot.Robot, seed uint64, speed float64) *excite.Trajectory {
	rng := rand.New(rand.NewPCG(seed, 43))
	tr := &excite.Trajectory{Period: period, Joints: r.JointNames()}
	for range tr.Joints {
		a, b := make([]float64, 5), make([]float64, 5)
		for h := range a {
			w := 2 * math.Pi / period
			a[h], b[h] = speed*0.35*w*rng.NormFloat64(), speed*0.35*w*rng.NormFloat64()
		}
		tr.Q0, tr.A, tr.B = append(tr.Q0, 0.5*rng.NormFloat64()), append(tr.A, a), append(tr.B, b)
	}
	return tr
}

// exact returns a period of a motion of a robot.
func exact(ctx context.Context, r *robot.Robot, tr *excite.Trajectory, rate float64) (watch.Columns, error) {
	rec, err := simulate.Run(ctx, r, tr, simulate.Options{Rate: rate, Duration: period - 0.5/rate})
	if err != nil {
		return watch.Columns{}, err
	}
	return watch.Columns{T: rec.T, Q: rec.Exact.Q, DQ: rec.Exact.DQ, Tau: rec.Exact.Tau}, nil
}

// sensors adds noise to copies of a period, one after the other; the coloured noise runs on.
type sensors struct {
	w    *watched
	rng  *rand.Rand
	slow []float64
	pole float64
	turn int
}

func (w *watched) sensors(seed uint64) *sensors {
	return &sensors{w: w, rng: rand.New(rand.NewPCG(seed, 44)), slow: make([]float64, len(w.white)), pole: math.Exp(-2 * math.Pi * 5 / w.rate)}
}

// white draws white noise of deviation 1.
func (s *sensors) white() float64 {
	x := s.rng.NormFloat64()
	if s.w.heavy {
		a, b := s.rng.ExpFloat64(), s.rng.ExpFloat64() // χ² of four degrees of freedom is 2·(a + b)
		x *= math.Sqrt(1 / (a + b))
	}
	return x
}

// record is what the sensors log of the next turn of a period.
func (s *sensors) record(c watch.Columns) watch.Columns {
	out := watch.Columns{Q: c.Q}
	n := len(c.T)
	for k := range n {
		out.T = append(out.T, (float64(s.turn*n+k))/s.w.rate)
	}
	s.turn++
	for j := range c.Q {
		dq, tau := make([]float64, n), make([]float64, n)
		for k := range n {
			s.slow[j] = s.pole*s.slow[j] + math.Sqrt(1-s.pole*s.pole)*s.w.slow[j]*s.rng.NormFloat64()
			dq[k] = c.DQ[j][k] + velocityNoise*s.rng.NormFloat64()
			tau[k] = c.Tau[j][k] + s.slow[j] + s.w.white[j]*s.white()
		}
		out.DQ, out.Tau = append(out.DQ, dq), append(out.Tau, tau)
	}
	return out
}

// watched fits an arm to motions of a minute each, which are its quiet logs too. Each draw has motions and noise of its own.
func (c class) watched(ctx context.Context, draw uint64, motions int) (*watched, error) {
	w := &watched{class: c, robot: arms.All()[c.arm]}
	for j := range w.robot.Links {
		x := &w.robot.Links[j].Joint
		x.Fv, x.Fs, x.Fo = c.friction*x.Fv, c.friction*x.Fs, c.friction*x.Fo
	}
	var trained []watch.Columns
	for i := range uint64(motions) {
		e, err := exact(ctx, w.robot, motion(w.robot, 100+10*draw+i, 1), c.rate)
		if err != nil {
			return nil, err
		}
		trained = append(trained, e)
	}
	for _, tau := range trained[0].Tau {
		size := 1.0
		if c.relative {
			sum := 0.0
			for _, v := range tau {
				sum += v * v
			}
			size = math.Sqrt(sum / float64(len(tau)))
		}
		w.white, w.slow = append(w.white, c.white*size), append(w.slow, c.coloured*size)
	}
	dir, err := os.MkdirTemp("", "watch")
	if err != nil {
		return nil, err
	}
	robotFile := filepath.Join(dir, "arm.yaml")
	text, err := os.Create(robotFile)
	if err != nil {
		return nil, err
	}
	if err := yaml.Write(text, w.robot); err != nil {
		return nil, err
	}
	if err := text.Close(); err != nil {
		return nil, err
	}
	var logs []string
	for i, e := range trained {
		path := filepath.Join(dir, string(rune('a'+i))+".parquet")
		if err := w.write(path, func(int) watch.Columns { return e }, 10*draw+uint64(i)); err != nil {
			return nil, err
		}
		logs = append(logs, path)
	}
	p, err := identify.Open(robotFile, logs...)
	if err != nil {
		return nil, err
	}
	fit, err := p.Fit(ctx, identify.FitOptions{Force: true})
	if err != nil {
		return nil, err
	}
	result := filepath.Join(dir, "arm.ident")
	if err := fit.Write(ctx, result, identify.WriteOptions{}); err != nil {
		return nil, err
	}
	saved, err := identify.OpenResult(result, folder.Seals{})
	if err != nil {
		return nil, err
	}
	if w.model, err = saved.WatchModel(); err != nil {
		return nil, err
	}
	w.saved, w.logs, w.dir = saved, logs, dir
	w.noise, err = saved.Noise(ctx, w.model, identify.WatchOptions{Quiet: logs})
	return w, err
}

// write logs a minute of periods.
func (w *watched) write(path string, period func(turn int) watch.Columns, seed uint64) error {
	s := w.sensors(seed)
	var channels []datasets.Channel
	names := w.robot.JointNames()
	channels = append(channels, datasets.Channel{Name: "t", Unit: "s"})
	for _, kind := range []string{"q", "dq", "tau"} {
		for _, n := range names {
			channels = append(channels, datasets.Channel{Name: kind + "_" + n})
		}
	}
	return datasets.Write(path, channels, nil, func(file *datasets.Writer) error {
		for turn := range 6 {
			c := s.record(period(turn))
			cols := append([][]float64{c.T}, c.Q...)
			cols = append(append(cols, c.DQ...), c.Tau...)
			if err := file.Append(cols); err != nil {
				return err
			}
		}
		return nil
	})
}

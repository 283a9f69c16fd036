package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"ident/datasets"
	"ident/mechanics/dynamics"
	"ident/robot"
	"ident/robot/format"
)

// run is a log in memory, with all that belongs to it: a fault may change any of it.
type run struct {
	robot      *robot.Robot
	t          []float64
	q, dq, tau [][]float64 // by joint; dq nil where the log has none
	gravity    *[3]float64 // declared by mistake
	simulated  bool
	second     *run // another log of the robot that is pooled with it
}

func (r *run) clone() *run {
	c := *r
	c.robot = r.robot.Clone()
	c.t = slices.Clone(r.t)
	c.q, c.dq, c.tau = copied(r.q), copied(r.dq), copied(r.tau)
	if r.second != nil {
		c.second = r.second.clone()
	}
	return &c
}

func copied(x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for i := range x {
		out[i] = slices.Clone(x[i])
	}
	return out
}

func (r *run) joints() int { return len(r.q) }

func (r *run) rate() float64 { return float64(len(r.t)-1) / (r.t[len(r.t)-1] - r.t[0]) }

// keep leaves the rows that are named, in that order.
func (r *run) keep(rows []int, times bool) {
	pick := func(x []float64) []float64 {
		if x == nil {
			return nil
		}
		out := make([]float64, len(rows))
		for k, i := range rows {
			out[k] = x[i]
		}
		return out
	}
	if times {
		r.t = pick(r.t)
	} else {
		r.t = r.t[:len(rows)]
	}
	for _, g := range [][][]float64{r.q, r.dq, r.tau} {
		for j := range g {
			g[j] = pick(g[j])
		}
	}
}

// log returns the run as a file would hold it.
func (r *run) log() (*datasets.Log, datasets.Roles) {
	n := r.joints()
	channels, cols := []datasets.Channel{{Name: "t", Unit: "s"}}, [][]float64{r.t}
	roles := datasets.Roles{T: "t", Q: make([]string, n), DQ: make([]string, n), DDQ: make([]string, n), Tau: make([]string, n), Current: make([]string, n)}
	for i, set := range [][][]float64{r.q, r.dq, r.tau} {
		for j, x := range set {
			if x == nil {
				continue
			}
			name := fmt.Sprintf("%s%d", []string{"q", "dq", "tau"}[i], j+1)
			[][]string{roles.Q, roles.DQ, roles.Tau}[i][j] = name
			channels, cols = append(channels, datasets.Channel{Name: name}), append(cols, x)
		}
	}
	return datasets.FromColumns("log", channels, cols, nil), roles
}

// subject is a log that is sound.
type subject struct {
	name string
	run  *run
}

// measured returns the sound logs of a folder of measured ones.
func measured(dir string) ([]subject, error) {
	gains := []float64{10, 10.6956, 8.4566, 9.0029, 9.48, 10.1232}
	var out []subject
	for _, c := range []struct {
		name, model, log string
		rows             [2]int // kept, of every so many
		every            int
	}{
		{"kuka-2", "kuka_lwr4/model/kuka_lwr4.urdf", "kuka_lwr4/measurements_2.csv.gz", [2]int{100, 4900}, 1},
		{"kuka-3", "kuka_lwr4/model/kuka_lwr4.urdf", "kuka_lwr4/measurements_3.csv.gz", [2]int{100, 4900}, 1},
		{"panda", "panda/model/panda_mdh_gaz_phat.urdf", "panda/gaz_exciting_traj_1.csv.gz", [2]int{}, 1},
		{"ur10e-30s", "ur10e/model/ur10e.urdf", "ur10e/identification/ur-20_02_10-30sec_12harm.csv.gz", [2]int{635, 3510}, 1},
		{"ur10e-50s", "ur10e/model/ur10e.urdf", "ur10e/identification/ur-20_02_12-50sec_12harm.csv.gz", [2]int{355, 5090}, 1},
		{"ur10e-20s", "ur10e/model/ur10e.urdf", "ur10e/identification/ur-20_02_05-20sec_8harm.csv.gz", [2]int{320, 2310}, 1},
		{"tx40", "tx40/model/tx40_mdh_modified.urdf", "tx40/tx40_joint_side_5kHz.csv.gz", [2]int{}, 5},
		{"emps", "emps/model/emps.urdf", "emps/emps_training.csv.gz", [2]int{}, 4},
	} {
		r, err := format.Open(filepath.Join(dir, c.model), robot.ReadOptions{})
		if err != nil {
			return nil, err
		}
		if c.name == "tx40" {
			m := r.Moving()
			r.Drives = append(r.Drives, robot.Drive{Number: m[5], Weights: map[int]float64{m[4]: 1, m[5]: 1}})
		}
		l, err := datasets.Open(filepath.Join(dir, c.log), datasets.Options{BadRows: datasets.Drop})
		if err != nil {
			return nil, err
		}
		roles, _, err := datasets.MapChannels(l, r.JointNames(), nil)
		if err != nil {
			return nil, err
		}
		from, to := c.rows[0], c.rows[1]
		if to == 0 {
			to = l.Rows()
		}
		read := func(name string) []float64 {
			if name == "" {
				return nil
			}
			x, e := l.Column(name)
			if e != nil {
				err = e
				return nil
			}
			var y []float64
			for k := from; k < to; k += c.every {
				y = append(y, x[k])
			}
			return y
		}
		d := &run{robot: r, t: read(roles.T)}
		for j := range roles.Q {
			d.q = append(d.q, read(roles.Q[j]))
			var v []float64
			if j < len(roles.DQ) {
				v = read(roles.DQ[j])
			}
			d.dq = append(d.dq, v)
			if roles.Tau != nil && roles.Tau[j] != "" && c.name[0] != 'u' {
				d.tau = append(d.tau, read(roles.Tau[j]))
			} else {
				x := read(roles.Current[j])
				for k := range x {
					x[k] *= gains[j]
				}
				d.tau = append(d.tau, x)
			}
		}
		if err != nil {
			return nil, err
		}
		l.Close()
		out = append(out, subject{c.name, d})
	}
	return out, nil
}

// body of a simulated arm: mass, centre and radii of gyration.
type body struct {
	m       float64
	c, gyro [3]float64
}

type drive struct{ ia, fv, fs, fo float64 }

func built(name string, frames []robot.MDHFrame, bodies []body, drives []drive) *robot.Robot {
	r := robot.FromMDH(name, frames)
	for i := range r.Links {
		b, d := bodies[i], drives[i]
		in := &r.Links[i].Inertial
		g, c := b.gyro, b.c
		in[robot.M] = b.m
		in[robot.MX], in[robot.MY], in[robot.MZ] = b.m*c[0], b.m*c[1], b.m*c[2]
		in[robot.XX] = b.m * (g[1]*g[1] + g[2]*g[2] + c[1]*c[1] + c[2]*c[2])
		in[robot.YY] = b.m * (g[0]*g[0] + g[2]*g[2] + c[0]*c[0] + c[2]*c[2])
		in[robot.ZZ] = b.m * (g[0]*g[0] + g[1]*g[1] + c[0]*c[0] + c[1]*c[1])
		in[robot.XY], in[robot.XZ], in[robot.YZ] = -b.m*c[0]*c[1], -b.m*c[0]*c[2], -b.m*c[1]*c[2]
		r.Links[i].HasInertial, r.Links[i].Own = true, *in
		j := &r.Links[i].Joint
		j.Ia, j.Fv, j.Fs, j.Fo = d.ia, d.fv, d.fs, d.fo
		j.Lower, j.Upper, j.Velocity, j.Effort = -2.9, 2.9, 6, 2000
	}
	return r
}

const half = math.Pi / 2

// arms returns the simulated ones, from 2 joints and 8 kg to 7 and some 90.
func arms() []*robot.Robot {
	gyro := func(x float64) [3]float64 { return [3]float64{x, 1.3 * x, 0.8 * x} }
	pair := []robot.MDHFrame{{Antecedent: -1, Alpha: half}, {Antecedent: 0, D: 0.5}}
	six := []robot.MDHFrame{
		{Antecedent: -1, R: 0.4}, {Antecedent: 0, Alpha: -half, D: 0.15}, {Antecedent: 1, D: 0.6},
		{Antecedent: 2, Alpha: -half, D: 0.12, R: 0.62}, {Antecedent: 3, Alpha: half}, {Antecedent: 4, Alpha: -half},
	}
	return []*robot.Robot{
		built("two", pair, []body{{5, [3]float64{0.22, 0.01, 0}, gyro(0.1)}, {3, [3]float64{0.2, 0, 0.02}, gyro(0.08)}},
			[]drive{{0.3, 1, 2, 0.2}, {0.2, 0.6, 1.2, -0.1}}),
		built("scara", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.4}, {Antecedent: 1, D: 0.3}, {Antecedent: 2, Kind: robot.Prismatic}},
			[]body{{9, [3]float64{0.2, 0, 0}, gyro(0.1)}, {6, [3]float64{0.15, 0.01, 0}, gyro(0.08)}, {1, [3]float64{0.01, 0, 0}, gyro(0.03)}, {1.5, [3]float64{0, 0, 0.1}, gyro(0.05)}},
			[]drive{{0.8, 3, 4, 0.2}, {0.4, 2, 2.5, 0}, {0.03, 0.2, 0.3, 0}, {2, 20, 12, 1}}),
		built("seven", []robot.MDHFrame{
			{Antecedent: -1, R: 0.333}, {Antecedent: 0, Alpha: -half}, {Antecedent: 1, Alpha: half, R: 0.316}, {Antecedent: 2, D: 0.0825, Alpha: half},
			{Antecedent: 3, D: -0.0825, Alpha: -half, R: 0.384}, {Antecedent: 4, Alpha: half}, {Antecedent: 5, D: 0.088, Alpha: half},
		}, []body{
			{4.97, [3]float64{0.004, 0.002, -0.05}, gyro(0.1)}, {3.2, [3]float64{-0.003, -0.028, 0.004}, gyro(0.07)},
			{3.2, [3]float64{0.027, 0.039, -0.066}, gyro(0.08)}, {3.5, [3]float64{-0.053, 0.104, 0.027}, gyro(0.08)},
			{1.2, [3]float64{-0.011, 0.041, -0.038}, gyro(0.1)}, {1.7, [3]float64{0.060, -0.014, -0.010}, gyro(0.05)}, {0.75, [3]float64{0.011, -0.004, 0.062}, gyro(0.06)},
		}, []drive{{0, 0.07, 0.3, 0.1}, {0, 0.1, 0.4, 0.2}, {0, 0.08, 0.25, -0.1}, {0, 0.1, 0.35, -0.2}, {0, 0.06, 0.2, 0.05}, {0, 0.04, 0.18, 0}, {0, 0.03, 0.15, -0.03}}),
		built("puma", []robot.MDHFrame{
			{Antecedent: -1}, {Antecedent: 0, Alpha: -half, R: 0.2435}, {Antecedent: 1, D: 0.4318, R: -0.0934},
			{Antecedent: 2, D: -0.0203, Alpha: half, R: 0.4331}, {Antecedent: 3, Alpha: -half}, {Antecedent: 4, Alpha: half},
		}, []body{
			{10, [3]float64{0, 0.02, -0.05}, gyro(0.1)}, {17.4, [3]float64{0.068, 0.006, -0.016}, gyro(0.14)}, {4.8, [3]float64{0, -0.070, 0.014}, gyro(0.1)},
			{0.82, [3]float64{0, 0, -0.019}, gyro(0.05)}, {0.34, [3]float64{0, -0.004, 0}, gyro(0.03)}, {0.29, [3]float64{0.01, 0, 0.052}, gyro(0.03)},
		}, []drive{{1.14, 4, 6, 0.5}, {4.7, 5, 8, -0.8}, {0.83, 2.5, 5, 0.4}, {0.2, 0.5, 1.2, 0.1}, {0.18, 0.4, 1.0, -0.1}, {0.19, 0.3, 0.9, 0.05}}),
		built("ur", []robot.MDHFrame{
			{Antecedent: -1, R: 0.1273}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, D: -0.612}, {Antecedent: 2, D: -0.5723, R: 0.1639},
			{Antecedent: 3, Alpha: half, R: 0.1157}, {Antecedent: 4, Alpha: -half, R: 0.0922},
		}, []body{
			{7.8, [3]float64{0.02, 0.004, -0.03}, gyro(0.07)}, {12.9, [3]float64{-0.24, 0.003, 0.158}, gyro(0.15)}, {3.9, [3]float64{-0.27, 0.004, 0.068}, gyro(0.14)},
			{1.96, [3]float64{0, -0.018, 0.007}, gyro(0.05)}, {1.96, [3]float64{0, 0.018, 0.007}, gyro(0.05)}, {0.9, [3]float64{0.02, 0.01, -0.026}, gyro(0.03)},
		}, []drive{{4.5, 15, 12, 0.3}, {4.5, 15, 13, -0.5}, {2.0, 9, 8, 0.4}, {0.6, 3, 3, 0.1}, {0.6, 3.2, 3.1, -0.1}, {0.5, 2.8, 2.6, 0.1}}),
		built("large", six, []body{
			{40, [3]float64{0.05, 0.02, -0.1}, gyro(0.2)}, {28, [3]float64{0.3, 0.01, 0.05}, gyro(0.25)}, {15, [3]float64{0.05, 0.02, 0.1}, gyro(0.15)},
			{6, [3]float64{0, 0.02, -0.15}, gyro(0.12)}, {3, [3]float64{0, 0.03, 0}, gyro(0.06)}, {1.5, [3]float64{0.01, 0, 0.06}, gyro(0.04)},
		}, []drive{{15, 40, 45, 2}, {20, 45, 50, -3}, {9, 20, 30, 1}, {1.5, 6, 8, 0.5}, {1.2, 5, 7, -0.4}, {0.8, 3, 5, 0.2}}),
	}
}

// simulated moves a robot along Fourier series from rest to rest and measures it, with 1e-5 rad of the encoders, 1 % of torque
// noise that is correlated over 20 ms, and a velocity channel.
func simulated(r *robot.Robot, seed uint64, seconds float64) (*run, error) {
	const harmonics, rate, step = 5, 200.0, 1e-4
	rng := rand.New(rand.NewPCG(seed, 36))
	n, rows := r.DOF(), int(seconds*rate)
	a, b := make([][harmonics]float64, n), make([][harmonics]float64, n)
	for j := range n {
		for h := range harmonics {
			a[j][h], b[j][h] = 0.35*rng.NormFloat64(), 0.35*rng.NormFloat64()
		}
	}
	base := 2 * math.Pi * 0.12
	path := func(j int, t float64) float64 {
		edge := math.Min(t, seconds-t) - 0.8
		w := math.Min(math.Max(edge/2, 0), 1)
		w = w * w * w * (10 + w*(6*w-15))
		s := 0.0
		for h := range harmonics {
			s += a[j][h]*math.Sin(base*float64(h+1)*t) + b[j][h]*math.Cos(base*float64(h+1)*t)
		}
		if r.Links[r.Moving()[j]].Joint.Kind == robot.Prismatic {
			s *= 0.1
		}
		return 0.3*float64(j%3) + w*s*0.6
	}
	tree, err := dynamics.New(r)
	if err != nil {
		return nil, err
	}
	d := &run{robot: r, t: make([]float64, rows), simulated: true}
	for range n {
		d.q, d.dq, d.tau = append(d.q, make([]float64, rows)), append(d.dq, make([]float64, rows)), append(d.tau, make([]float64, rows))
	}
	q, dq, ddq, tau := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range rows {
		t := float64(k) / rate
		d.t[k] = t
		for j := range n {
			before, now, after := path(j, t-step), path(j, t), path(j, t+step)
			q[j], dq[j], ddq[j] = now, (after-before)/(2*step), (after-2*now+before)/(step*step)
		}
		tree.InverseDynamics(tau, q, dq, ddq)
		for j := range n {
			m := r.Links[r.Moving()[j]].Joint
			sign := math.Tanh(dq[j] / 1e-3)
			d.q[j][k], d.dq[j][k] = q[j], dq[j]
			d.tau[j][k] = tau[j] + m.Ia*ddq[j] + m.Fv*dq[j] + m.Fs*sign + m.Fo
		}
	}
	for j := range n {
		noise, size := 0.0, 0.0
		for _, v := range d.tau[j] {
			size += v * v / float64(rows)
		}
		size = math.Sqrt(size)
		for k := range rows {
			noise = 0.78*noise + 0.63*rng.NormFloat64()
			d.tau[j][k] += 0.01 * size * noise
			d.q[j][k] = math.Round(d.q[j][k]/1e-5) * 1e-5
			d.dq[j][k] += 2e-3 * rng.NormFloat64()
		}
	}
	return d, nil
}

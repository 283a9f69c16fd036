package doctor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// sound describes a clean log of one of the corpus' robots.
type sound struct {
	name   string
	make   func() *robot.Robot
	rate   float64
	angle  float64 // encoder step, rad
	torque float64 // noise of the torques, of their RMS
}

// The robots of the corpus, with the noise of their kind: a geared arm with currents for torques, a light
// arm with torque sensors, and a collaborative arm at a low rate.
var subjects = []sound{
	{"puma", puma, 250, 2 * math.Pi / (1 << 19), 0.01},
	{"seven", panda7, 500, 2 * math.Pi / (1 << 20), 0.005},
	{"ur10", ur10, 200, 2 * math.Pi / (1 << 19), 0.01},
}

const corpusSeconds = 16

// log simulates the subject; change alters the robot that moves, but not the one given to the doctor.
func (s sound) log(seed uint64, change func(r *robot.Robot)) *experiment {
	told := s.make()
	moved := told.Clone()
	if change != nil {
		change(moved)
	}
	rng := rand.New(rand.NewPCG(seed, 11))
	e := run(moved, rng, s.rate, corpusSeconds)
	e.measure(rng, s.angle, 1e-3, s.torque)
	e.robot = told
	return e
}

func (e *experiment) clone() *experiment {
	c := *e
	c.t = slices.Clone(e.t)
	for _, p := range []*[][]float64{&c.q, &c.dq, &c.ddq, &c.tau} {
		x := make([][]float64, len(*p))
		for j := range x {
			x[j] = slices.Clone((*p)[j])
		}
		*p = x
	}
	c.unit, c.skip = map[string]string{}, map[string]bool{}
	c.robot = e.robot.Clone()
	return &c
}

func times(x []float64, f float64) {
	for k := range x {
		x[k] *= f
	}
}

// late delays a signal by a number of rows, by a cubic through the samples where it is not whole.
func late(x []float64, rows float64) {
	old := slices.Clone(x)
	at := func(k int) float64 { return old[min(max(k, 0), len(old)-1)] }
	for k := range x {
		s := float64(k) - rows
		i := int(math.Floor(s))
		f := s - float64(i)
		a, b, c, d := at(i-1), at(i), at(i+1), at(i+2)
		x[k] = -f*(f-1)*(f-2)/6*a + (f+1)*(f-1)*(f-2)/2*b - (f+1)*f*(f-2)/2*c + (f+1)*f*(f-1)/6*d
	}
}

// injected is one fault of the corpus.
type injected struct {
	name    string
	inject  func(e *experiment, rng *rand.Rand)
	change  func(r *robot.Robot) // alters the robot that moves instead
	id      string
	channel func(n int) string // nil: no channel is named
	value   float64            // of Value, 0 where it is not looked at
	within  float64
	info    bool // a remark is enough
}

func on(kind string, joint func(n int) int) func(n int) string {
	return func(n int) string { return fmt.Sprintf("%s%d", kind, joint(n)+1) }
}

func fixed(j int) func(n int) int   { return func(int) int { return j } }
func fromEnd(j int) func(n int) int { return func(n int) int { return n - j } }
func clockOf(int) string            { return "t" }
func wrist(e *experiment) int       { return len(e.q) - 2 }

// hold repeats the row before on a part of the rows, alone ones, of the given signals.
func hold(rng *rand.Rand, share float64, rows int, signals ...[]float64) {
	for range int(share * float64(rows)) {
		k := 200 + rng.IntN(rows-400)
		for _, x := range signals {
			x[k] = x[k-1]
		}
	}
}

func corpus() []injected {
	tau, q, dq := "tau", "q", "dq"
	all := func(e *experiment) [][]float64 { return slices.Concat(e.q, e.dq, e.tau) }
	return []injected{
		// Clocks.
		{name: "declared rate 10 % off", inject: func(e *experiment, _ *rand.Rand) { e.opt.Rate = 1.1 / (e.t[1] - e.t[0]) }, id: doctor.ClockRate, channel: clockOf},
		{name: "time in ms", inject: func(e *experiment, _ *rand.Rand) { times(e.t, 1000) }, id: doctor.ClockRate, channel: clockOf, value: 0.35, within: 0.16}, // 0.2 to 0.5 Hz
		{name: "rate 1.5 times too high", inject: func(e *experiment, _ *rand.Rand) { times(e.t, 1/1.5) }, id: doctor.ClockRate, channel: clockOf, value: 1 / 1.5, within: 0.01},
		{name: "one repeated time", inject: func(e *experiment, _ *rand.Rand) { e.t[1234] = e.t[1233] }, id: doctor.ClockRepeat, channel: clockOf, value: 1, within: 0},
		{name: "one backward time", inject: func(e *experiment, _ *rand.Rand) { e.t[1234] -= 0.1 }, id: doctor.ClockBackward, channel: clockOf},
		{name: "gap of 80 ms", inject: func(e *experiment, _ *rand.Rand) {
			n := int(0.08 / (e.t[1] - e.t[0]))
			e.cut(2000, 2000+n)
		}, id: doctor.ClockGap, channel: clockOf, value: 0.08, within: 0.01},
		{name: "jitter of a third of an interval", inject: func(e *experiment, rng *rand.Rand) {
			dt := e.t[1] - e.t[0]
			for k := range e.t {
				e.t[k] += dt / 3 * (2*rng.Float64() - 1)
			}
		}, id: doctor.ClockJitter, channel: clockOf, info: true},
		{name: "two clocks 50 ms apart merged", inject: func(e *experiment, _ *rand.Rand) {
			for k := 3; k < len(e.t); k += 4 {
				e.t[k] -= 0.05
			}
		}, id: doctor.ClockBackward, channel: clockOf, value: 0.25, within: 0.02},
		{name: "torques from a source at half the rate", inject: func(e *experiment, _ *rand.Rand) {
			for _, x := range e.tau {
				for k := 1; k < len(x); k += 2 {
					x[k] = x[k-1]
				}
			}
		}, id: doctor.ClockJitter, channel: on(tau, fixed(0)), value: 0.5, within: 0.02},
		// Rows and values.
		{name: "one missing value", inject: func(e *experiment, _ *rand.Rand) { e.tau[2][777] = math.NaN() }, id: doctor.Dropout, channel: on(tau, fixed(2)), value: 1},
		{name: "one damaged value", inject: func(e *experiment, _ *rand.Rand) { e.q[1][1777] = 3e200 }, id: doctor.Spike, channel: on(q, fixed(1))},
		{name: "one bit error in a position", inject: func(e *experiment, _ *rand.Rand) { e.q[1][1777] += 3 }, id: doctor.Spike, channel: on(q, fixed(1)), value: 3, within: 0.1},
		{name: "0.5 % of the rows lost and held", inject: func(e *experiment, rng *rand.Rand) { hold(rng, 0.005, len(e.t), all(e)...) }, id: doctor.Dropout, channel: clockOf, value: 0.005, within: 0.001},
		{name: "0.5 % of a torque's samples held", inject: func(e *experiment, rng *rand.Rand) { hold(rng, 0.005, len(e.t), e.tau[1]) }, id: doctor.Dropout, channel: on(tau, fixed(1)), value: 0.005, within: 0.001, info: true}, // without harm
		{name: "0.5 % of a torque's samples zero", inject: func(e *experiment, rng *rand.Rand) {
			for range len(e.t) / 200 {
				e.tau[1][rng.IntN(len(e.t))] = 0
			}
		}, id: doctor.Dropout, channel: on(tau, fixed(1)), value: 0.005, within: 0.001},
		{name: "torque stuck for 0.2 s", inject: func(e *experiment, _ *rand.Rand) {
			n := int(0.2 / (e.t[1] - e.t[0]))
			for k := range n {
				e.tau[1][len(e.t)/2+k] = e.tau[1][len(e.t)/2]
			}
		}, id: doctor.Stuck, channel: on(tau, fixed(1)), value: 0.2, within: 0.02},
		{name: "torque stuck from the middle on", inject: func(e *experiment, _ *rand.Rand) {
			for k := len(e.t) / 2; k < len(e.t); k++ {
				e.tau[1][k] = e.tau[1][len(e.t)/2]
			}
		}, id: doctor.Stuck, channel: on(tau, fixed(1))},
		{name: "position stuck from the fastest row on", inject: func(e *experiment, _ *rand.Rand) {
			at := len(e.t) / 4
			for k := at; k < len(e.t)*3/4; k++ {
				if math.Abs(e.dq[1][k]) > math.Abs(e.dq[1][at]) {
					at = k
				}
			}
			for k := at; k < len(e.t); k++ {
				e.q[1][k] = e.q[1][at]
			}
		}, id: doctor.Stuck, channel: on(q, fixed(1))},
		{name: "torque of another joint", inject: func(e *experiment, _ *rand.Rand) { copy(e.tau[2], e.tau[1]) }, id: doctor.Copied, channel: on(tau, fixed(2))},
		{name: "position of another joint", inject: func(e *experiment, _ *rand.Rand) { copy(e.q[2], e.q[1]); copy(e.dq[2], e.dq[1]) }, id: doctor.Copied, channel: on(q, fixed(2))},
		{name: "torque saturated at 70 % of its peak", inject: func(e *experiment, _ *rand.Rand) {
			lo, hi := slices.Min(e.tau[1]), slices.Max(e.tau[1])
			for k, v := range e.tau[1] {
				e.tau[1][k] = math.Min(math.Max(v, lo+0.15*(hi-lo)), hi-0.15*(hi-lo))
			}
		}, id: doctor.Saturated, channel: on(tau, fixed(1))},
		{name: "dead torque", inject: func(e *experiment, _ *rand.Rand) { times(e.tau[3], 0) }, id: doctor.Dead, channel: on(tau, fixed(3))},
		{name: "dead velocity", inject: func(e *experiment, _ *rand.Rand) { times(e.dq[3], 0) }, id: doctor.Dead, channel: on(dq, fixed(3))},
		{name: "positions printed with two decimals", inject: func(e *experiment, _ *rand.Rand) {
			for k, v := range e.q[2] {
				e.q[2][k] = math.Round(v*100) / 100
			}
		}, id: doctor.Quantised, channel: on(q, fixed(2)), value: 0.01, within: 1e-4, info: true},
		{name: "filter edge in the last 0.3 s of a velocity", inject: func(e *experiment, _ *rand.Rand) {
			n := len(e.t)
			for k := n - int(0.3/(e.t[1]-e.t[0])); k < n; k++ {
				e.dq[2][k] += 0.5 * (1 - (e.t[n-1]-e.t[k])/0.3)
			}
		}, id: doctor.EdgeTransient, channel: on(dq, fixed(2))},
		// Lags.
		{name: "velocity one sample late", inject: func(e *experiment, _ *rand.Rand) { late(e.dq[3], 1) }, id: doctor.LagVelocity, channel: on(dq, fixed(3)), value: 1, within: 0.1},
		{name: "one torque one sample late", inject: func(e *experiment, _ *rand.Rand) { late(e.tau[1], 1) }, id: doctor.LagTorque, channel: on(tau, fixed(1)), value: 1, within: 0.1},
		{name: "all torques one sample late", inject: func(e *experiment, _ *rand.Rand) {
			for _, x := range e.tau {
				late(x, 1)
			}
		}, id: doctor.LagTorque, channel: on(tau, fixed(2)), value: 1, within: 0.1},
		{name: "wrist torque 2.5 samples early", inject: func(e *experiment, _ *rand.Rand) { late(e.tau[wrist(e)], -2.5) }, id: doctor.LagTorque, channel: on(tau, fromEnd(2)), value: -2.5, within: 0.1},
		{name: "torque 18 samples late", inject: func(e *experiment, _ *rand.Rand) { late(e.tau[2], 18) }, id: doctor.LagTorque, channel: on(tau, fixed(2)), value: 18, within: 0.1},
		// Signs.
		{name: "sign of one wrist torque", inject: func(e *experiment, _ *rand.Rand) { times(e.tau[wrist(e)], -1) }, id: doctor.Sign, channel: on(tau, fromEnd(2))},
		{name: "sign of the last torque", inject: func(e *experiment, _ *rand.Rand) { times(e.tau[len(e.tau)-1], -1) }, id: doctor.Sign, channel: on(tau, fromEnd(1))},
		{name: "sign of the shoulder's torque", inject: func(e *experiment, _ *rand.Rand) { times(e.tau[1], -1) }, id: doctor.Sign, channel: on(tau, fixed(1))},
		{name: "sign of all torques", inject: func(e *experiment, _ *rand.Rand) {
			for _, x := range e.tau {
				times(x, -1)
			}
		}, id: doctor.Sign, channel: on(tau, fixed(2))},
		{name: "sign of a velocity", inject: func(e *experiment, _ *rand.Rand) { times(e.dq[2], -1) }, id: doctor.Sign, channel: on(dq, fixed(2)), value: -1, within: 0.01},
		{name: "direction of a joint", inject: func(e *experiment, _ *rand.Rand) { times(e.q[2], -1); times(e.dq[2], -1) }, id: doctor.Sign, channel: on(q, fixed(2))},
		// Scales and units.
		{name: "velocity 5 % off", inject: func(e *experiment, _ *rand.Rand) { times(e.dq[2], 1.05) }, id: doctor.GearRatio, channel: on(dq, fixed(2)), value: 1.05, within: 0.005},
		{name: "gear ratio of a torque 5 % off", inject: func(e *experiment, _ *rand.Rand) { times(e.tau[1], 1.05) }, id: doctor.GearRatio, channel: on(tau, fixed(1)), value: 1.05, within: 0.015},
		{name: "gear ratio of a forearm torque 5 % off", inject: func(e *experiment, _ *rand.Rand) { times(e.tau[2], 0.95) }, id: doctor.GearRatio, channel: on(tau, fixed(2)), value: 0.95, within: 0.015},
		// A free fit absorbs the factor of a motion but for a third of a per cent of its error: it is named, as a remark.
		{name: "gear ratio of a motion 5 % off", inject: func(e *experiment, _ *rand.Rand) { times(e.q[2], 1.05); times(e.dq[2], 1.05) }, id: doctor.GearRatio, channel: on(q, fixed(2)), value: 1.05, within: 0.015, info: true},
		{name: "velocity in rpm", inject: func(e *experiment, _ *rand.Rand) { times(e.dq[2], 30/math.Pi) }, id: doctor.Units, channel: on(dq, fixed(2))},
		{name: "positions in degrees", inject: func(e *experiment, _ *rand.Rand) {
			for _, x := range e.q {
				times(x, 180/math.Pi)
			}
		}, id: doctor.Units, channel: on(q, fixed(2))},
		{name: "one position in degrees", inject: func(e *experiment, _ *rand.Rand) { times(e.q[2], 180/math.Pi) }, id: doctor.Units, channel: on(q, fixed(2))},
		{name: "torques in N·mm", inject: func(e *experiment, _ *rand.Rand) {
			for _, x := range e.tau {
				times(x, 1000)
			}
		}, id: doctor.Units, channel: on(tau, fixed(1))},
		{name: "currents without gains", inject: func(e *experiment, _ *rand.Rand) { e.current = true }, id: doctor.CurrentAsTorque, channel: on("i", fixed(1))},
		{name: "currents taken for torques", inject: func(e *experiment, _ *rand.Rand) {
			for j, x := range e.tau {
				times(x, 1/[]float64{10, 10.7, 8.5, 9, 9.5, 10.1, 9.8}[j])
			}
		}, id: doctor.CurrentAsTorque},
		// Robot and log at odds.
		{name: "zero of a joint 0.1 rad off", inject: func(e *experiment, _ *rand.Rand) {
			for k := range e.q[1] {
				e.q[1][k] += 0.1
			}
		}, id: doctor.Offset, channel: on(q, fixed(1)), value: 0.1, within: 0.02},
		{name: "zero of a joint a quarter turn off", inject: func(e *experiment, _ *rand.Rand) {
			for k := range e.q[1] {
				e.q[1][k] += math.Pi / 2
			}
		}, id: doctor.Offset, channel: on(q, fixed(1))},
		{name: "two joints exchanged", inject: func(e *experiment, _ *rand.Rand) {
			for _, x := range [][][]float64{e.q, e.dq, e.tau} {
				x[1], x[2] = x[2], x[1]
			}
		}, id: doctor.JointOrder, channel: on(q, fixed(1))},
		{name: "torques of two joints exchanged", inject: func(e *experiment, _ *rand.Rand) { e.tau[1], e.tau[2] = e.tau[2], e.tau[1] }, id: doctor.JointOrder, channel: on(tau, fixed(1))},
		{name: "base tilted by 4 degrees", change: func(r *robot.Robot) {
			s, c := math.Sincos(4 * math.Pi / 180)
			r.Gravity = [3]float64{9.81 * s, 0, -9.81 * c}
		}, id: doctor.Gravity, value: 4 * math.Pi / 180, within: 0.015},
		{name: "robot on the ceiling", change: func(r *robot.Robot) { r.Gravity = [3]float64{0, 0, 9.81} }, id: doctor.Gravity},
		{name: "robot on the wall", change: func(r *robot.Robot) { r.Gravity = [3]float64{0, -9.81, 0} }, id: doctor.Gravity},
		{name: "motors of the wrist coupled", inject: func(e *experiment, _ *rand.Rand) {
			j := wrist(e)
			size := norm(e.tau[j])
			fv := 0.05 * size / norm(e.dq[j+1])
			for k := range e.t {
				s := e.dq[j][k] + e.dq[j+1][k]
				e.tau[j][k] += 0.2*fv*e.ddq[j+1][k] + fv*e.dq[j+1][k] + 0.05*size*math.Copysign(1, s)
			}
		}, id: doctor.Coupling, channel: on(tau, fromEnd(2))},
		{name: "friction compensated twice", inject: func(e *experiment, _ *rand.Rand) {
			d := e.robot.Links[1].Joint
			for k := range e.t {
				e.tau[1][k] -= 1.5 * (d.Fv*e.dq[1][k] + d.Fs*math.Copysign(1, e.dq[1][k]))
			}
		}, id: doctor.FrictionNotDissipative, channel: on(tau, fixed(1))},
		{name: "torque offset drifts by 5 % of the torque's RMS", inject: func(e *experiment, _ *rand.Rand) {
			size := norm(e.tau[2])
			for k := range e.t {
				e.tau[2][k] += 0.05 * size * float64(k) / float64(len(e.t))
			}
		}, id: doctor.Drift, channel: on(tau, fixed(2))},
		{name: "torque offset changes by 15 % of the torque's RMS halfway", inject: func(e *experiment, _ *rand.Rand) {
			size := norm(e.tau[2])
			for k := len(e.t) / 2; k < len(e.t); k++ {
				e.tau[2][k] += 0.15 * size
			}
		}, id: doctor.Drift, channel: on(tau, fixed(2))},
		{name: "torque 20 % larger from the middle on", inject: func(e *experiment, _ *rand.Rand) { times(e.tau[2][len(e.t)/2:], 1.2) }, id: doctor.Drift, channel: on(tau, fixed(2))},
		{name: "friction falls by 30 % as the drive warms up", inject: func(e *experiment, _ *rand.Rand) {
			d := e.robot.Links[wrist(e)].Joint
			for k := range e.t {
				e.tau[wrist(e)][k] -= 0.3 * (d.Fv*e.dq[wrist(e)][k] + d.Fs*math.Copysign(1, e.dq[wrist(e)][k])) * float64(k) / float64(len(e.t))
			}
		}, id: doctor.Drift, channel: on(tau, fromEnd(2))},
		{name: "a line of 1 % of the torque, aliased", inject: func(e *experiment, _ *rand.Rand) {
			size := norm(e.tau[1])
			rate := 1 / (e.t[1] - e.t[0])
			for k := range e.t {
				e.tau[1][k] += 0.01 * math.Sqrt2 * size * math.Sin(2*math.Pi*1.37*rate*e.t[k])
			}
		}, id: doctor.Aliasing, channel: on(tau, fixed(1))},
		// Motions that say too little.
		{name: "all joints along one line", inject: func(e *experiment, rng *rand.Rand) {
			for j := range e.q {
				for k := range e.t {
					f := 0.3 + 0.1*float64(j)
					e.q[j][k], e.dq[j][k], e.ddq[j][k] = 0.2*float64(j)+f*e.q[0][k], f*e.dq[0][k], f*e.ddq[0][k]
				}
			}
			e.torques()
		}, id: doctor.ExcitationCollinear},
		{name: "joint that moves by 0.3 degrees", inject: func(e *experiment, _ *rand.Rand) { times(e.q[3], 2e-3); times(e.dq[3], 2e-3) }, id: doctor.ExcitationSmall, channel: on(q, fixed(3))},
	}
}

// torques computes those of the robot for the motion of the experiment.
func (e *experiment) torques() {
	tree, err := dynamics.New(e.robot)
	if err != nil {
		panic(err)
	}
	n := len(e.q)
	q, dq, ddq, tau := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range e.t {
		for j := range n {
			q[j], dq[j], ddq[j] = e.q[j][k], e.dq[j][k], e.ddq[j][k]
		}
		tree.InverseDynamics(tau, q, dq, ddq)
		for j := range n {
			d := e.robot.Links[j].Joint
			e.tau[j][k] = tau[j] + d.Ia*ddq[j] + d.Fv*dq[j] + d.Fs*math.Copysign(1, dq[j]) + d.Fo
		}
	}
}

// cut removes rows.
func (e *experiment) cut(from, to int) {
	e.t = slices.Delete(e.t, from, to)
	for _, set := range [][][]float64{e.q, e.dq, e.tau} {
		for j := range set {
			set[j] = slices.Delete(set[j], from, to)
		}
	}
}

// The corpus: every fault, put alone into a sound log of each robot, is named and located. The test logs
// the findings beside it.
func TestCorpus(t *testing.T) {
	draws.Only(t, "TestFaults stands for it")
	faults := corpus()
	tried, found, others := 0, 0, 0
	for si, s := range subjects {
		clean := s.log(uint64(40+si), nil)
		n := len(clean.q)
		for fi, c := range faults {
			if only := os.Getenv("CORPUS"); only != "" && !strings.Contains(s.name+" "+c.name, only) {
				continue
			}
			// In the gate every fault on one of the robots in turn, otherwise a part of them; with IDENT_LONG=all all on all.
			if !draws.All() && os.Getenv("CORPUS") == "" && (fi%len(subjects) != si || fi/len(subjects)%draws.Of(1, 18) != 0) {
				continue
			}
			tried++
			rng := rand.New(rand.NewPCG(uint64(fi), uint64(si)))
			e := clean.clone()
			if c.change != nil && c.inject == nil {
				e = s.log(uint64(40+si), c.change)
			}
			if c.inject != nil {
				c.inject(e, rng)
			}
			want := ""
			if c.channel != nil {
				want = c.channel(n)
			}
			hit := false
			f := e.findings(t)
			beside := 0
			for _, x := range f {
				ok := x.ID == c.id && x.Channel == want && (c.info || x.Severity != doctor.Info)
				if ok && c.within > 0 {
					v := x.Value
					if x.ID == doctor.LagTorque || x.ID == doctor.LagVelocity {
						v *= s.rate
					}
					ok = math.Abs(v-c.value) <= c.within
				}
				hit = hit || ok
				if !ok && x.Severity != doctor.Info && x.ID != c.id {
					beside++
				}
			}
			others += beside
			if hit {
				found++
			} else {
				t.Errorf("%s, %s: no %s of %q", s.name, c.name, c.id, want)
			}
			if !hit || testing.Verbose() && beside > 0 {
				for _, x := range f {
					if x.Severity != doctor.Info {
						t.Logf("   %s, %s: %s", s.name, c.name, show(x))
					}
				}
			}
		}
	}
	t.Logf("%d faults on %d robots: %d of %d found and located; %d other warnings or errors beside them", len(faults), len(subjects), found, tried, others)
}

// Sound logs of the corpus' robots, with friction that is not Coulomb's, in other motions and with other
// noise: nothing is wrong with them, and at most one warning in twenty may say so.
func TestCorpusClean(t *testing.T) {
	draws.Only(t, "TestCleanLogs stands for it")
	logs, warnings := 0, 0
	for si, s := range subjects {
		for seed := range uint64(draws.Of(8, 4)) {
			if !draws.Set() && int(seed)%len(subjects) != si {
				continue // each kind on one robot
			}
			kind := []string{"as modelled", "friction that falls at first (Stribeck)", "friction that grows with the load", "three times the noise"}[seed%4]
			s := s
			if seed%4 == 3 {
				s.torque *= 3
				s.angle *= 8
			}
			e := s.log(100+10*uint64(si)+seed, nil)
			for j := range e.tau {
				d := e.robot.Links[j].Joint
				for k := range e.t {
					v := e.dq[j][k]
					switch seed % 4 {
					case 1:
						e.tau[j][k] += 0.2 * d.Fs * math.Exp(-math.Abs(v)/0.1) * math.Copysign(1, v)
					case 2:
						e.tau[j][k] += 0.02 * math.Abs(e.tau[j][k]) * math.Copysign(1, v)
					}
				}
			}
			logs++
			for _, f := range e.findings(t) {
				if f.Severity != doctor.Info {
					warnings++
					t.Logf("%s, seed %d, %s: %s", s.name, seed, kind, show(f))
				}
			}
		}
	}
	t.Logf("%d clean logs: %d warnings or errors", logs, warnings)
	if warnings > logs/20 {
		t.Errorf("%d warnings or errors in %d clean logs", warnings, logs)
	}
}

package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ident/excite"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// wave is a motion of n joints at rest at both ends.
func wave(n int) *excite.Trajectory {
	tr := &excite.Trajectory{Period: 2}
	for i := range n {
		x := float64(i + 1)
		tr.Q0 = append(tr.Q0, 0.1*x)
		tr.A = append(tr.A, []float64{0.3 * x, 0.2, -0.3*x - 0.2})
		tr.B = append(tr.B, []float64{0.5, -0.7, 0.3})
	}
	return tr
}

// withFriction gives every joint friction and an offset.
func withFriction(r *robot.Robot) *robot.Robot {
	for j := range r.Links {
		if n := &r.Links[j].Joint; n.Kind != robot.Fixed {
			n.Fv, n.Fs, n.Fo = 2+float64(j), 1.5, -0.3*float64(j)
		}
	}
	return r
}

// The recursive torques with friction against the regressor times the
// robot's own parameters, two derivations that share no code, on random trees
// with a joint that mimics another.
func TestTorquesAreTheRegressorsTimesTheParameters(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		r := withFriction(testrobot.Random(rng, rapid.IntRange(1, 5).Draw(rt, "links"), true))
		if moving := r.Moving(); len(moving) > 1 && rapid.Bool().Draw(rt, "mimic") {
			r.Mimics = []robot.Mimic{{Joint: moving[len(moving)-1], Of: moving[0], Multiplier: -1.7, Offset: 0.4}}
		}
		m, err := regressor.NewDynamic(r, regressor.DefaultTerms())
		if err != nil {
			rt.Fatal(err)
		}
		e, err := Run(t.Context(), r, wave(m.Joints()), Options{Rate: 20})
		if err != nil {
			rt.Fatal(err)
		}
		chi := make([]float64, len(m.Columns()))
		for c, col := range m.Columns() {
			chi[c], _ = regressor.ValueOf(r, col)
		}
		n := len(e.T)
		b := m.NewBlock(n)
		m.Eval(b, e.Exact.Q, e.Exact.DQ, e.Exact.DDQ, m.NewWorkspace())
		tau := make([][]float64, m.Joints())
		for k := range tau {
			tau[k] = make([]float64, n)
		}
		m.Predict(tau, b, chi)
		for k := range tau {
			for i := range tau[k] {
				if d := math.Abs(tau[k][i] - e.Exact.Tau[k][i]); d > 1e-10*(1+math.Abs(tau[k][i])) {
					rt.Fatalf("joint %d, sample %d: simulated %g, regressor %g", k+1, i, e.Exact.Tau[k][i], tau[k][i])
				}
			}
		}
		if d := cmp.Diff(e.Exact, e.Measured); d != "" {
			rt.Fatalf("perfect sensors differ from the truth: %s", d)
		}
	})
}

func arm() *robot.Robot {
	return withFriction(testrobot.Random(rand.New(rand.NewPCG(2, 2)), 3, false))
}

func run(t *testing.T, opt Options) *Record {
	t.Helper()
	e, err := Run(t.Context(), arm(), wave(3), opt)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// moments returns mean, standard deviation and lag-one correlation of y - x.
func moments(x, y []float64) (mean, sigma, lag1 float64) {
	n := float64(len(x))
	for k := range x {
		mean += (y[k] - x[k]) / n
	}
	for k := range x {
		d := y[k] - x[k] - mean
		sigma += d * d
		if k > 0 {
			lag1 += d * (y[k-1] - x[k-1] - mean)
		}
	}
	return mean, math.Sqrt(sigma / n), lag1 / sigma
}

func TestNoiseStatistics(t *testing.T) {
	opt := Options{Rate: 10000, Duration: float64(long.Of(4, 1)), Seed: 11,
		Noise: Noise{Position: []float64{1e-4}, Velocity: []float64{1e-3, 2e-3, 0}, Torque: []float64{0.1, 0.2, 0.3}}}
	e := run(t, opt)
	check := func(what string, x, y []float64, want float64) {
		mean, sigma, lag1 := moments(x, y)
		root := math.Sqrt(float64(len(x)))
		if math.Abs(mean) > 4*want/root || math.Abs(sigma-want) > 4*want/root/math.Sqrt2 || want > 0 && math.Abs(lag1) > 4/root {
			t.Errorf("%s: mean %g, sigma %g (wanted %g), correlation %g", what, mean, sigma, want, lag1)
		}
	}
	for i := range 3 {
		check(fmt.Sprintf("q%d", i+1), e.Exact.Q[i], e.Measured.Q[i], 1e-4)
		check(fmt.Sprintf("dq%d", i+1), e.Exact.DQ[i], e.Measured.DQ[i], opt.Noise.Velocity[i])
		check(fmt.Sprintf("tau%d", i+1), e.Exact.Tau[i], e.Measured.Tau[i], opt.Noise.Torque[i])
	}
	// Channels have streams of their own: another torque noise leaves the
	// positions as they were, and joints are not alike.
	opt.Noise.Torque = []float64{1}
	other := run(t, opt)
	if !cmp.Equal(e.Measured.Q, other.Measured.Q) || !cmp.Equal(e.Measured.DQ, other.Measured.DQ) {
		t.Error("the torque's noise changes the positions' or velocities'")
	}
	cross := 0.0
	for k := range e.T {
		cross += (other.Measured.Tau[0][k] - e.Exact.Tau[0][k]) * (other.Measured.Tau[1][k] - e.Exact.Tau[1][k]) / float64(len(e.T))
	}
	if math.Abs(cross) > 4/math.Sqrt(float64(len(e.T))) {
		t.Errorf("noise of joints 1 and 2 correlated by %g", cross)
	}
}

func TestSameSeedSameRecord(t *testing.T) {
	opt := Options{Rate: 100, Seed: 3, Noise: Noise{Position: []float64{1e-3}, Torque: []float64{1}}, Encoder: []float64{1e-4}}
	a, b := run(t, opt), run(t, opt)
	if d := cmp.Diff(a, b, cmpopts.IgnoreUnexported(Record{})); d != "" {
		t.Error(d)
	}
	opt.Seed = 4
	if c := run(t, opt); cmp.Equal(a.Measured.Tau, c.Measured.Tau) {
		t.Error("another seed gives the same noise")
	}
}

func TestQuantisation(t *testing.T) {
	const count, quantum = 2 * math.Pi / 4096, 0.25
	e := run(t, Options{Encoder: []float64{count}, TorqueQuantum: []float64{quantum}})
	for i := range 3 {
		for k := range e.T {
			for _, c := range []struct{ x, y, step float64 }{
				{e.Exact.Q[i][k], e.Measured.Q[i][k], count}, {e.Exact.Tau[i][k], e.Measured.Tau[i][k], quantum},
			} {
				if n := c.y / c.step; math.Abs(n-math.Round(n)) > 1e-9 || math.Abs(c.x-c.y) > c.step/2*(1+1e-9) {
					t.Fatalf("joint %d, sample %d: %g became %g in steps of %g", i+1, k, c.x, c.y, c.step)
				}
			}
		}
	}
}

// A channel that is late by three samples repeats the exact one, three rows on.
func TestLag(t *testing.T) {
	e := run(t, Options{Rate: 1000, VelocityLag: 0.003, TorqueLag: 0.003})
	for i := range 3 {
		for k := 3; k < len(e.T); k++ {
			if math.Abs(e.Measured.DQ[i][k]-e.Exact.DQ[i][k-3]) > 1e-12 || math.Abs(e.Measured.Tau[i][k]-e.Exact.Tau[i][k-3]) > 1e-9 {
				t.Fatalf("joint %d, sample %d is not that of three samples before", i+1, k)
			}
		}
	}
}

func TestLog(t *testing.T) {
	r := arm()
	r.Source = robot.Source{Text: []byte("a robot"), SHA256: "its hash"}
	e, err := Run(t.Context(), r, wave(3), Options{Rate: 50, Acceleration: true})
	if err != nil {
		t.Fatal(err)
	}
	l := e.Log("run")
	var names []string
	for _, c := range l.Channels() {
		names = append(names, c.Name)
	}
	want := []string{"t", "q1", "q2", "q3", "dq1", "dq2", "dq3", "ddq1", "ddq2", "ddq3", "tau1", "tau2", "tau3"}
	if d := cmp.Diff(want, names); d != "" {
		t.Error(d)
	}
	meta := e.Meta()
	if meta["ident.robot"] != "a robot" || meta["ident.robot.sha256"] != "its hash" || meta["ident.simulation"] == "" {
		t.Errorf("metadata %v", meta)
	}
}

func TestRefusals(t *testing.T) {
	massless := arm()
	for j := range massless.Links {
		massless.Links[j].HasInertial = false
	}
	recorded, err := NewRecorded([]float64{0, 1, 2, 3}, [][]float64{{0, 1, 2, 3}, {0, 0, 0, 0}, {0, 0, 0, 0}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		r   *robot.Robot
		s   Sampler
		opt Options
	}{
		"too few joints":    {arm(), wave(2), Options{}},
		"no masses":         {massless, wave(3), Options{}},
		"negative rate":     {arm(), wave(3), Options{Rate: -1}},
		"NaN duration":      {arm(), wave(3), Options{Duration: math.NaN()}},
		"endless":           {arm(), wave(3), Options{Duration: 1e9}},
		"past the record":   {arm(), recorded, Options{Duration: 3.5}},
		"two noises":        {arm(), wave(3), Options{Noise: Noise{Torque: []float64{1, 2}}}},
		"negative noise":    {arm(), wave(3), Options{Noise: Noise{Position: []float64{-1}}}},
		"infinite quantum":  {arm(), wave(3), Options{TorqueQuantum: []float64{math.Inf(1)}}},
		"lag from tomorrow": {arm(), wave(3), Options{TorqueLag: -0.1}},
	} {
		if _, err := Run(t.Context(), c.r, c.s, c.opt); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	r := withFriction(testrobot.Random(rand.New(rand.NewPCG(2, 2)), 7, false))
	for b.Loop() {
		if _, err := Run(b.Context(), r, wave(7), Options{Rate: 1000, Duration: 2, Noise: Noise{Torque: []float64{1}}}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2001, "ns/sample")
}

package regression

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/datasets"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/mechanics/loops"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// fourBar turns its crank fully round.
func fourBar() *robot.Robot {
	r := testrobot.Weigh(testrobot.FourBar(1, 0.35, 0.9, 0.7, 0, math.Pi/2), rand.New(rand.NewPCG(1, 3)))
	r.Assembly = map[string]float64{"J1": 0, "J2": 1, "J3": 1.5}
	return r
}

func sr400(t testing.TB) *robot.Robot {
	r := testrobot.Weigh(testrobot.SR400(t), rand.New(rand.NewPCG(2, 3)))
	r.Assembly = map[string]float64{"J2": 0.2, "J7": -1.3, "J3": math.Pi/2 - 1.5, "J8": 1.5}
	return r
}

// akr3000 begins with its slides near the middle of their reach.
func akr3000(t testing.TB) *robot.Robot {
	r := testrobot.Weigh(testrobot.AKR3000(t), rand.New(rand.NewPCG(3, 3)))
	c, err := loops.NewClosure(r)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		m, err := c.Assemble(rng)
		if err != nil {
			t.Fatal(err)
		}
		if at := c.Named(m.Q); math.Abs(at["J5"]-1.1) < 0.02 && math.Abs(at["J6"]-0.3) < 0.04 {
			r.Assembly = at
			return r
		}
	}
	t.Fatal("no assembly with the slides in the middle")
	return nil
}

// loopTrajectory swings the driven joints around the robot's assembly: those of
// the loops by so much that they stay far from singular states.
func loopTrajectory(t testing.TB, r *robot.Robot, seed uint64, base float64) *trajectory {
	t.Helper()
	c, err := loops.NewClosure(r)
	if err != nil {
		t.Fatal(err)
	}
	at, err := c.Assembled(r.Assembly)
	if err != nil {
		t.Fatal(err)
	}
	x := newTrajectory(len(c.Active()), seed, base)
	for i, k := range c.Active() {
		most := 1.5
		switch j := r.Links[r.Moving()[k]].Joint; {
		case r.Name == "four-bar":
			most = 2
		case j.Name == "J5" && j.Kind == robot.Prismatic:
			most = 0.04 // longer or shorter, and some place of the other slide is out of reach
		case j.Kind == robot.Prismatic:
			most = 0.17
		case r.Name == "sr400" && (k == 1 || k == 6):
			most = 0.45
		}
		sum := 0.0
		for _, a := range x.a[i] {
			sum += math.Abs(a)
		}
		for h := range x.a[i] {
			x.a[i][h] *= most / sum
		}
		// A sinusoid that stands still is the place to swing around.
		x.a[i], x.w[i], x.p[i] = append(x.a[i], at.Q[k]), append(x.w[i], 0), append(x.p[i], math.Pi/2)
	}
	return x
}

// simulateClosed logs the driven joints of a closed robot: loops by the singular
// values of their constraints, torques by Newton-Euler and Gᵀ. passive are the
// positions of the passive joints.
func simulateClosed(t testing.TB, r *robot.Robot, x *trajectory, at []float64) (rec *record, passive map[string][]float64) {
	t.Helper()
	c, err := loops.NewClosure(r)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	start, err := c.Assembled(r.Assembly)
	if err != nil {
		t.Fatal(err)
	}
	n := len(c.Active())
	columns := func() [][]float64 {
		cols := make([][]float64, n)
		for k := range cols {
			cols[k] = make([]float64, len(at))
		}
		return cols
	}
	rec, passive = &record{robot: r, t: at, q: columns(), dq: columns(), ddq: columns(), tau: columns()}, map[string][]float64{}
	q, dq, ddq := make([]float64, n), make([]float64, n), make([]float64, n)
	state := start.Q
	for i, s := range at {
		x.at(s, q, dq, ddq)
		for j, k := range c.Active() {
			state[k] = q[j]
		}
		if state, err = c.Close(state, c.Active()); err != nil {
			t.Fatal(err)
		}
		m, err := c.Motion(state)
		if err != nil {
			t.Fatal(err)
		}
		full := make([]float64, c.DOF())
		rates := m.Rates(dq)
		tree.InverseDynamics(full, state[:c.DOF()], rates, m.Accelerations(dq, ddq))
		for k := range full {
			j := r.Links[k].Joint
			full[k] += j.Fv*rates[k] + j.Fo
			if rates[k] > 0 {
				full[k] += j.Fs
			} else if rates[k] < 0 {
				full[k] -= j.Fs
			}
			if j.Passive {
				passive[j.Name] = append(passive[j.Name], state[k])
			}
		}
		for j := range n {
			rec.q[j][i], rec.dq[j][i], rec.ddq[j][i] = q[j], dq[j], ddq[j]
			for k := range full {
				rec.tau[j][i] += m.G.At(k, j) * full[k]
			}
		}
	}
	return rec, passive
}

// Logs of the driven joints alone, without noise, give the base parameters back,
// those of passive joints' friction among them.
func TestClosedRobotsRecovered(t *testing.T) {
	long.Only(t, "TestMechanismsRecovered stands for it")
	bennett := testrobot.Weigh(testrobot.Bennett(), rand.New(rand.NewPCG(4, 3)))
	for _, r := range []*robot.Robot{fourBar(), bennett, sr400(t), akr3000(t)}[:long.Of(4, 2)] {
		t.Run(r.Name, func(t *testing.T) {
			rec, _ := simulateClosed(t, r, loopTrajectory(t, r, 1, 0.2), steady(100, float64(long.Of(20, 10))))
			cfg := exact()
			cfg.chunk = 256 // several chunks, each of which begins from a cached state
			out := fit(t, r, cfg, rec.run("a"))
			e := away(estimates(out), truth(out, r))
			t.Logf("%d base parameters, condition %.3g, off by %.2g", len(out.Base.Base), out.Result.Condition.Scaled, e)
			// G near the limits of the slides leaves some 1e-12 of the torques, which
			// the condition number multiplies.
			if limit := math.Max(1e-8, 1e-11*out.Result.Condition.Scaled); !(e < limit) {
				t.Errorf("parameters are off by %g, limit %g", e, limit)
			}
			cfg.Workers = 1
			again := fit(t, r, cfg, rec.run("a"))
			for k, v := range estimates(again) {
				if v != estimates(out)[k] {
					t.Fatalf("%s differs with the number of workers", out.Base.Name(k))
				}
			}
		})
	}
}

// The machines of the reference cases that are trees with joints of their own kind:
// lumped elasticity, and a base that drives about.
func TestMechanismsRecovered(t *testing.T) {
	long.Only(t, "TestModelsAgreeWithoutNoise and TestBaseInFlight recover parameters")
	found := 0
	for _, c := range testrobot.Cases(t) {
		r := c.Robot(t)
		if c.Name != "highspeed_2axis_elastic" && c.Name != "mobile_planar" {
			continue
		}
		found++
		testrobot.Weigh(r, rand.New(rand.NewPCG(5, 3)))
		out := fit(t, r, exact(), simulate(t, r, newTrajectory(len(r.Independent()), 1, 0.1), steady(100, 40)).run(c.Name))
		e := away(estimates(out), truth(out, r))
		t.Logf("%s: %d base parameters, condition %.3g, off by %.2g", c.Name, len(out.Base.Base), out.Result.Condition.Scaled, e)
		if !(e < 1e-8) {
			t.Errorf("%s: parameters are off by %g", c.Name, e)
		}
	}
	if found != 2 {
		t.Errorf("%d of two reference cases found", found)
	}
}

// With 1 % of noise on the torque every parameter of a four-bar is within three
// predicted deviations of the truth, as nearly all of a normal law are; over
// many draws their squares must average to one.
func TestFourBarWithNoise(t *testing.T) {
	long.Only(t, "TestMechanismsRecovered has closed robots without noise")
	r := fourBar()
	rec, _ := simulateClosed(t, r, loopTrajectory(t, r, 2, 0.2), steady(200, 20))
	clean := rec.tau[0]
	power := 0.0
	for _, v := range clean {
		power += v * v
	}
	sigma := 0.01 * math.Sqrt(power/float64(len(clean)))
	draws, count, beyond, squares := 20, 0, 0, 0.0
	for d := range draws {
		rng := rand.New(rand.NewPCG(uint64(d), 11))
		rec.tau[0] = make([]float64, len(clean))
		for i, v := range clean {
			rec.tau[0][i] = v + sigma*rng.NormFloat64()
		}
		out := fit(t, r, exact(), rec.run("a"))
		want := truth(out, r)
		for k, p := range out.Result.BaseParameters {
			z := (p.Value - want[k]) / p.Sigma * math.Sqrt(grown(&out.Result, k))
			count++
			squares += z * z
			if math.Abs(z) > 3 {
				if beyond++; d == 0 {
					t.Errorf("%s = %.4g, true %.4g: %.1f predicted deviations", p.Name, p.Value, want[k], z)
				}
			}
		}
	}
	ratio := math.Sqrt(squares / float64(count))
	t.Logf("%d estimates, %d beyond three deviations, observed over predicted deviation %.3f", count, beyond, ratio)
	// Estimates of one draw are correlated: some forty are independent, whose
	// root mean square is within a third of one.
	if beyond > count/20 || ratio < 0.67 || ratio > 1.5 {
		t.Errorf("%d of %d estimates are beyond three deviations, observed over predicted is %.3f", beyond, count, ratio)
	}
}

// Rows at which the loops cannot be closed are named, and passive joints that
// are measured are compared with the loops.
func TestCheckLoops(t *testing.T) {
	long.Only(t, "TestClosedRobotsRecovered fits closed robots")
	r := sr400(t)
	rec, passive := simulateClosed(t, r, loopTrajectory(t, r, 1, 0.2), steady(100, 5))
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		t.Fatal(err)
	}
	run := rec.run("a")
	channels, cols := run.Log.Channels(), [][]float64{}
	for _, c := range channels {
		x, err := run.Log.Column(c.Name)
		if err != nil {
			t.Fatal(err)
		}
		cols = append(cols, x)
	}
	off := make([]float64, len(passive["J3"]))
	for i, v := range passive["J3"] {
		off[i] = v + 0.1 + 2*math.Pi
	}
	off[70] += 0.5
	channels = append(channels, datasets.Channel{Name: "p3"}, datasets.Channel{Name: "p8"})
	run.Log = datasets.FromColumns("a", channels, append(cols, off, passive["J8"]), nil)
	check, err := CheckLoops(t.Context(), m.Loops(), &run, map[string]string{"J3": "p3", "J8": "p8"})
	if err != nil || check.Rows != 500 || len(check.Deviation) != 2 {
		t.Fatalf("%+v, %v", check, err)
	}
	if d := check.Deviation[0]; d.Joint != "J3" || d.Row != 71 || math.Abs(d.Worst-0.6) > 1e-9 || math.Abs(d.Mean-0.101) > 1e-9 {
		t.Errorf("J3 off by 0.1, in one row by 0.6: %+v", d)
	}
	if d := check.Deviation[1]; !(d.Worst < 1e-9) {
		t.Errorf("J8 as it is: %+v", d)
	}
	slide := akr3000(t)
	rec, _ = simulateClosed(t, slide, loopTrajectory(t, slide, 1, 0.2), steady(100, 3))
	rec.q[1][123] = 3
	_, err = Fit(t.Context(), slide, regressor.DefaultTerms(), []Run{rec.run("a")}, nil, exact())
	var lost *LoopError
	if !errors.As(err, &lost) || lost.Row != 124 || !errors.Is(err, ErrBadRow) || !strings.Contains(err.Error(), "frame 11 meets frame 13") {
		t.Errorf("a slide of 3 m in row 124: %v", err)
	}
}

// A drive more than motions: the elbow of the SR400 is driven as well, and the
// log has the torques of both drives.
func TestRedundantDrives(t *testing.T) {
	long.Only(t, "fits of the SR400")
	plain := sr400(t)
	r := plain.Clone()
	elbow := &r.Links[2].Joint
	elbow.Redundant, elbow.Ia, elbow.Fo = true, 0.3, -0.4
	rec, _ := simulateClosed(t, r, loopTrajectory(t, r, 1, 0.2), steady(100, 20))
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Ia})
	if err != nil {
		t.Fatal(err)
	}
	// The torque of the drive at the elbow is arbitrary, and the others make up for it.
	help := make([]float64, len(rec.t))
	less := make([]float64, len(rec.t))
	for i, at := range rec.t {
		help[i] = 20*math.Sin(3*at) + 5
		less[i] = -help[i]
	}
	ws := m.NewWorkspace()
	m.Share(rec.tau, [][]float64{less}, rec.q, ws)
	if ws.Err() != nil {
		t.Fatal(ws.Err())
	}
	run := rec.run("a")
	channels, cols := append(run.Log.Channels(), datasets.Channel{Name: "help"}), [][]float64{}
	for _, c := range run.Log.Channels() {
		x, err := run.Log.Column(c.Name)
		if err != nil {
			t.Fatal(err)
		}
		cols = append(cols, x)
	}
	run.Log = datasets.FromColumns("a", channels, append(cols, help), nil)
	if _, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, exact()); err == nil || !strings.Contains(err.Error(), "redundant") {
		t.Errorf("without the torque of the redundant drive: %v", err)
	}
	run.Redundant = []string{"help"}
	out := fit(t, r, exact(), run)
	if e := away(estimates(out), truth(out, r)); !(e < 1e-8) {
		t.Errorf("off by %g", e)
	}
	// Its rotor and offset are among the parameters, alone or with others.
	found := 0
	for _, c := range out.Base.Columns {
		if c.Link == 2 && (c.Term == regressor.Ia || c.Term == regressor.Fo) {
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d columns of the redundant drive", found)
	}
	cfg := Config{Path: observation.Path{Velocity: "measured", Cutoff: 20, Trim: 0.5, MotionCutoff: NoFilter}, Model: Momentum}
	if out := fit(t, r, cfg, run); !(distance(estimates(out), truth(out, r)) < 1e-2) {
		t.Errorf("by momenta off by %g", distance(estimates(out), truth(out, r)))
	}
}

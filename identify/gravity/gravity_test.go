package gravity

import (
	"errors"
	"flag"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/baseparams"
	"ident/datasets"
	"ident/estimate"
	"ident/excite"
	"ident/excite/poses"
	"ident/identify/regression"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
	"ident/simulate"
	"ident/simulate/sensors"
)

var seeds = flag.Uint64("gravity-seeds", 0, "designs and logs of the test on the virtual laboratory's industrial arm; 0 for a few")

// lab is the embedded Puma with a design of slow passes.
type lab struct {
	robot *robot.Robot
	model *regressor.Model
	set   *baseparams.Set
	truth []float64 // base parameters
	space *excite.Space
}

func newLab(t *testing.T) *lab {
	t.Helper()
	r, err := format.Read(datasets.ExampleRobot(), "urdf", "puma560.urdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{robot: r, set: baseparams.QR(full, baseparams.Options{})}
	chi := make([]float64, len(full.Columns()))
	for c, col := range full.Columns() {
		chi[c], _ = regressor.ValueOf(r, col)
	}
	l.truth, l.model = l.set.FromStandard(chi), full.Select(l.set.Base)
	if l.space, err = excite.NewSpace(excite.Problem{Model: l.model, Limits: excite.LimitsOf(r), Robot: r}); err != nil {
		t.Fatal(err)
	}
	return l
}

// record is the log of a design by sensors with the faults of a class of arms, and with noise of the torque.
func (l *lab) record(t *testing.T, d *poses.Design, class string, noise float64, seed uint64) Log {
	t.Helper()
	p, err := sensors.PresetOf(class)
	if err != nil {
		t.Fatal(err)
	}
	x, err := simulate.New(l.robot, d.Motion, simulate.Options{Rate: p.Rate, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	e, err := x.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rms := make([]float64, len(e.Joints))
	for k, tau := range e.Exact.Tau {
		rms[k] = norm(tau) / math.Sqrt(float64(len(tau)))
	}
	noisy := simulate.Options{Rate: p.Rate, Seed: seed}
	for k := range rms {
		noisy.Noise.Torque = append(noisy.Noise.Torque, noise*rms[k])
	}
	faults, err := sensors.Parse(p.Faults, e.Joints)
	if err != nil {
		t.Fatal(err)
	}
	// The ripple's phase at q = 0 is that of the motor's mounting, another on each arm: a fault of one phase would give all designs whose
	// poses lie at the same limits the same errors.
	waves := 0.0
	faults = slices.DeleteFunc(faults, func(f sensors.Fault) bool {
		if f.Name != "ripple" {
			return false
		}
		waves = f.Size
		return true
	})
	if x, err = simulate.New(l.robot, d.Motion, noisy); err != nil {
		t.Fatal(err)
	}
	s, err := sensors.NewStage(l.robot, x, faults, rms, seed)
	if err != nil {
		t.Fatal(err)
	}
	if e, err = x.All(t.Context()); err != nil {
		t.Fatal(err)
	}
	e = s.Apply(e)
	rng := rand.New(rand.NewPCG(seed, 0x72_6970_706c65))
	for k, tau := range e.Measured.Tau {
		phase := 2 * math.Pi * rng.Float64()
		for i, q := range e.Exact.Q[k] {
			tau[i] += waves * rms[k] * math.Sin(motorTurns*q+phase)
		}
	}
	return Log{DT: 1 / p.Rate, Q: e.Measured.Q, Tau: e.Measured.Tau}
}

// motorTurns is the ratio of the gears whose torque ripples, that of the sensors' ripple where the robot file gives none.
const motorTurns = 50

// deviations are the distances of an estimate from the truth in its own deviations.
func (l *lab) deviations(e *Estimate) []float64 {
	var out []float64
	for i, c := range e.Columns {
		want := l.truth[c]
		for d, at := range e.Dependent {
			want += e.Beta[i][d] * l.truth[at]
		}
		out = append(out, (e.X[i]-want)/math.Sqrt(e.Covariance.At(i, i)))
	}
	return out
}

// On the industrial arm of the virtual laboratory, with torques that are late, rounded, noisy and rippled, gears that warm and friction
// that no term describes, gravity parameters come out within three of their deviations.
func TestIndustrialArm(t *testing.T) {
	long.Only(t, "TestDocument and the tests of passes")
	n := *seeds
	if n == 0 {
		n = 4
	}
	l := newLab(t)
	checked, beyond, most := 0, 0, 0.0
	mean, square, worst := map[string]float64{}, map[string]float64{}, ""
	for seed := range n {
		d, err := poses.Choose(t.Context(), poses.Problem{Space: l.space, Model: l.model, Seed: seed, Count: 40})
		if err != nil {
			t.Fatal(err)
		}
		log := l.record(t, d, "industrial", 0.01, seed)
		if got := len(log.Pairs()); got != len(d.Passes) {
			t.Fatalf("seed %d: %d pairs found, the design has %d", seed, got, len(d.Passes))
		}
		e, err := Fit(l.model, l.set, []Log{log})
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Columns) != len(d.Columns) {
			t.Fatalf("%d parameters at rest, the design has %d", len(e.Columns), len(d.Columns))
		}
		for i, z := range l.deviations(e) {
			checked++
			mean[e.Names[i]], square[e.Names[i]] = mean[e.Names[i]]+z/float64(n), square[e.Names[i]]+z*z/float64(n)
			if math.Abs(z) > most {
				most, worst = math.Abs(z), e.Names[i]
			}
			if math.Abs(z) > 3 {
				beyond++
				t.Logf("seed %d: %s is %.1f deviations off", seed, e.Names[i], z)
			}
		}
		if seed == 0 {
			t.Logf("condition number %.2f, noise of a pair %.3g N·m", e.Condition, e.Noise)
			for i := range e.Columns {
				t.Logf("%-8s %9.4f ± %.4f", e.Names[i], e.X[i], math.Sqrt(e.Covariance.At(i, i)))
			}
		}
	}
	// 0.27 % of normal errors are beyond three deviations, 0.5 % of those of variances from forty pairs (Student): four
	// deviations of a binomial of twice that.
	if limit := 0.01*float64(checked) + 4*math.Sqrt(0.01*float64(checked)) + 1; float64(beyond) > limit {
		t.Errorf("%d of %d parameters are beyond three deviations, the limit is %.1f", beyond, checked, limit)
	}
	t.Logf("%d designs: %d of %d parameters beyond 3 deviations, the largest distance %.2f (%s)", n, beyond, checked, most, worst)
	for _, name := range slices.Sorted(maps.Keys(mean)) {
		t.Logf("%-6s mean distance %5.2f, root mean square %.2f", name, mean[name], math.Sqrt(square[name]))
	}
}

// A log without passes in both directions is refused.
func TestFewPairs(t *testing.T) {
	l := newLab(t)
	log := Log{DT: 0.01}
	for k := range l.model.Joints() {
		log.Q, log.Tau = append(log.Q, make([]float64, 300)), append(log.Tau, make([]float64, 300))
		for i := range log.Q[k] {
			log.Q[k][i] = 0.001 * float64(i)
		}
	}
	var few *FewPairsError
	if _, err := Fit(l.model, l.set, []Log{log}); !errors.As(err, &few) {
		t.Errorf("a motion in one direction: %v", err)
	}
}

// The first stage is the prior of the second: with it the fit of the embedded log knows every gravity parameter at least as well
// as without, the worst of them several times better, and parameters stay within their deviations of the truth.
func TestPriorOfTheSecondStage(t *testing.T) {
	long.Only(t, "TestIndustrialArm stands for it")
	l := newLab(t)
	d, err := poses.Choose(t.Context(), poses.Problem{Space: l.space, Model: l.model, Seed: 1, Count: 20})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(l.model, l.set, []Log{l.record(t, d, "industrial", 0.01, 1)})
	if err != nil {
		t.Fatal(err)
	}
	log, err := datasets.ExampleLog()
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var joints []string
	for _, i := range l.robot.Independent() {
		joints = append(joints, l.robot.Links[i].Joint.Name)
	}
	roles, _, err := datasets.MapChannels(log, joints, nil)
	if err != nil {
		t.Fatal(err)
	}
	run := regression.Run{Name: "example", Log: log, Roles: roles, Last: log.Rows()}
	sigmas := func(cfg regression.Config) ([]float64, []float64) {
		out, err := regression.Fit(t.Context(), l.robot, regressor.DefaultTerms(), []regression.Run{run}, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		var sigma, off []float64
		for k, p := range out.Result.BaseParameters {
			sigma, off = append(sigma, p.Sigma), append(off, math.Abs(p.Value-l.truth[k])/p.Sigma)
		}
		return sigma, off
	}
	cfg := regression.Config{Path: observation.Path{Cutoff: 10}, Plain: true}
	before, _ := sigmas(cfg)
	cfg.Estimator = func(_ *robot.Robot, set *baseparams.Set) (estimate.Estimator, error) {
		return e.Posterior(set.Count(), nil), nil
	}
	after, off := sigmas(cfg)
	best := 1.0
	for _, c := range e.Columns {
		if !(after[c] <= 1.01*before[c]) {
			t.Errorf("%s: deviation %.3g with the first stage, %.3g without", l.set.Name(c), after[c], before[c])
		}
		best = min(best, after[c]/before[c])
	}
	beyond := 0
	for _, z := range off {
		if z > 3 {
			beyond++
		}
	}
	t.Logf("deviations of gravity parameters fall to %.2g of those without the first stage; %d of %d beyond three deviations", best, beyond, len(off))
	if best > 0.5 || beyond > 2 {
		t.Errorf("the first stage tells little, or wrongly: %.2g, %d beyond", best, beyond)
	}
}

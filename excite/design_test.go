package excite

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ident/internal/long"
	"ident/regressor"
	"ident/robot"
)

// small is a problem that takes a fraction of a second.
func small(t testing.TB) Problem {
	r := elbow()
	return Problem{Model: base(t, r, regressor.Links, regressor.Fv), Limits: LimitsOf(r), Harmonics: 4, Period: 6, Starts: 2, Seed: 5}
}

func TestDesignBeatsRandomDraws(t *testing.T) {
	p := small(t)
	random := bestOfDraws(spaceOf(t, p), 1000)
	d, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("condition number %.3f, best of 1000 draws %.3f, %d evaluations", d.ConditionScaled, random, d.Evaluations)
	if d.ConditionScaled > 0.75*random {
		t.Errorf("condition number %.3f, the best of 1000 draws has %.3f", d.ConditionScaled, random)
	}
	// The limits again at 10 kHz, from the sampled trajectory.
	_, q, dq, ddq := Sample(d.Trajectory, 10000, d.Trajectory.Duration())
	for i, l := range p.Limits {
		for k := range q[i] {
			if q[i][k] < l.Lower || q[i][k] > l.Upper || math.Abs(dq[i][k]) > l.Velocity || math.Abs(ddq[i][k]) > l.Accel {
				t.Fatalf("joint %d breaks a limit at sample %d: %g, %g, %g", i+1, k, q[i][k], dq[i][k], ddq[i][k])
			}
		}
		m := d.Margins[i]
		if free := min(m.Position, m.Velocity, m.Acceleration); free < DefaultMargin-1e-12 || free > 1-0.9*leastUse {
			t.Errorf("joint %d: margins %+v, wanted one between %g and about %g", i+1, m, DefaultMargin, 1-leastUse)
		}
	}
	if d.Violations != 0 {
		t.Errorf("%d violations", d.Violations)
	}
	if want := []string{"margin 0.05 of every limit"}; !cmp.Equal(d.Defaults, want) {
		t.Errorf("defaults %q, want %q", d.Defaults, want)
	}
}

func TestDesignIsTheSameOnAnyNumberOfCores(t *testing.T) {
	p := small(t)
	var got [2]*Result
	for i := range got {
		old := runtime.GOMAXPROCS(i + 1)
		d, err := Design(context.Background(), p)
		runtime.GOMAXPROCS(old)
		if err != nil {
			t.Fatal(err)
		}
		got[i] = d
	}
	if d := cmp.Diff(got[0], got[1], cmpopts.IgnoreFields(Result{}, "Seconds"), cmpopts.EquateNaNs()); d != "" {
		t.Error(d)
	}
	p.Seed++
	d, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if cmp.Equal(d.Trajectory, got[0].Trajectory) {
		t.Error("another seed gives the same trajectory")
	}
}

func TestDesignStopsWithTheBestSoFar(t *testing.T) {
	p := small(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p.Progress = func(g Progress) {
		if g.Stage == "descend" {
			cancel()
		}
	}
	d, err := Design(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	if !d.Stopped || d.Violations != 0 || math.IsInf(d.ConditionScaled, 0) {
		t.Errorf("stopped %v, %d violations, condition number %g", d.Stopped, d.Violations, d.ConditionScaled)
	}
	if _, err := Design(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended gives %v", err)
	}
}

func TestMissingLimits(t *testing.T) {
	p := small(t)
	p.Limits[0].Upper = math.NaN()
	p.Limits[2].Lower, p.Limits[2].Upper, p.Limits[2].Velocity = math.NaN(), math.NaN(), math.NaN()
	_, err := Design(context.Background(), p)
	var missing *MissingLimitsError
	if !errors.As(err, &missing) {
		t.Fatalf("got %v", err)
	}
	if d := cmp.Diff([]MissingLimit{{Joint: "joint1", Position: true}, {Joint: "joint3", Position: true, Velocity: true}}, missing.Missing); d != "" {
		t.Error(d)
	}
	if !strings.Contains(err.Error(), "limits.velocity") || !strings.Contains(missing.Naming(func(key string) string { return "<" + key + ">" }).Error(), "<limits.position>") {
		t.Errorf("%q does not say how to give them", err)
	}
}

func TestDefaultLimits(t *testing.T) {
	p := small(t)
	p.Limits[0].Lower, p.Limits[0].Upper, p.Limits[0].Continuous = math.NaN(), math.NaN(), true
	p.Limits[1].Accel = math.NaN()
	d, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"margin 0.05 of every limit", `joint "joint1": position within ±π, as it turns without end`,
		`joint "joint2": acceleration limit 12 rad/s², which reaches the top speed in 0.25 s`}
	if diff := cmp.Diff(want, d.Defaults); diff != "" {
		t.Error(diff)
	}
}

func TestContradictingLimits(t *testing.T) {
	for name, change := range map[string]func(l *Limits){
		"crossed":     func(l *Limits) { l.Lower, l.Upper = 1, -1 },
		"no speed":    func(l *Limits) { l.Velocity = 0 },
		"backward":    func(l *Limits) { l.Accel = -3 },
		"infinite":    func(l *Limits) { l.Upper = math.Inf(1) },
		"speed limit": func(l *Limits) { l.Velocity = math.Inf(1) },
	} {
		p := small(t)
		change(&p.Limits[1])
		_, err := Design(context.Background(), p)
		var bad *LimitError
		if !errors.As(err, &bad) || bad.Joint != "joint2" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestBadProblems(t *testing.T) {
	for name, change := range map[string]func(p *Problem){
		"one harmonic":         func(p *Problem) { p.Harmonics = 1 },
		"negative time":        func(p *Problem) { p.Period = -1 },
		"NaN period":           func(p *Problem) { p.Period = math.NaN() },
		"all margin":           func(p *Problem) { p.Margin = 1 },
		"NaN margin":           func(p *Problem) { p.Margin = math.NaN() },
		"slow sampling":        func(p *Problem) { p.SampleRate = 0.5 },
		"known without noise":  func(p *Problem) { p.PriorRows = grid(1, len(p.Model.Columns())) },
		"noise without rate":   func(p *Problem) { p.Noise = []float64{1, 1, 1} },
		"no noise at a joint":  func(p *Problem) { p.Noise, p.LogRate = []float64{1, 0, 1}, 100 },
		"a log that is slow":   func(p *Problem) { p.LogRate = 1 },
		"unknown shape":        func(p *Problem) { p.Shape = "zigzag" },
		"few pieces":           func(p *Problem) { p.Shape, p.Pieces = Spline, 6 },
		"one segment":          func(p *Problem) { p.Shape, p.Pieces = Points, 1 },
		"end of a series":      func(p *Problem) { p.Start, p.End = make([]float64, 3), make([]float64, 3) },
		"end without a start":  func(p *Problem) { p.Shape, p.End = Spline, make([]float64, 3) },
		"keep-outs of nothing": func(p *Problem) { p.KeepOuts = []KeepOut{{Normal: [3]float64{1, 0, 0}}} },
		"flat box": func(p *Problem) {
			p.Robot, p.Capsules = elbow(), []Capsule{{Radius: 0.1}}
			p.KeepOuts = []KeepOut{{Name: "flat", Max: [3]float64{1, 1, 0}}}
		},
		"a tip at no speed":   func(p *Problem) { p.Robot, p.Tip = elbow(), &Tip{} },
		"start out of limits": func(p *Problem) { p.Start = []float64{0, 9, 0} },
		"base of another time": func(p *Problem) {
			p.Base = &Trajectory{Period: 2, Q0: make([]float64, 3), A: grid(3, 2), B: grid(3, 2)}
		},
		"base too fast": func(p *Problem) {
			p.Base = &Trajectory{Period: p.Period, Q0: make([]float64, 3), A: [][]float64{{0, 0}, {9, -9}, {0, 0}}, B: grid(3, 2)}
		},
		"all held still": func(p *Problem) { p.Limits = []Limits{{}, {}, {}} },
		"standard parameters": func(p *Problem) {
			m, err := regressor.NewDynamic(elbow(), []regressor.Term{regressor.Links})
			if err != nil {
				t.Fatal(err)
			}
			p.Model = m
		},
	} {
		p := small(t)
		change(&p)
		if d, err := Design(context.Background(), p); err == nil {
			t.Errorf("%s: no error, condition number %g", name, d.ConditionScaled)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}

func TestHeldJoint(t *testing.T) {
	p := small(t)
	p.Limits[1] = Limits{Joint: "joint2", Lower: 0.7, Upper: 0.7, Velocity: math.NaN(), Accel: math.NaN()}
	d, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	_, q, dq, _ := Sample(d.Trajectory, 100, p.Period)
	for k := range q[1] {
		if q[1][k] != 0.7 || dq[1][k] != 0 {
			t.Fatalf("joint 2 moves: %g, %g", q[1][k], dq[1][k])
		}
	}
	if !strings.Contains(strings.Join(d.Defaults, "\n"), `"joint2": held still at 0.7 rad`) {
		t.Errorf("defaults %q do not say that the joint is held", d.Defaults)
	}
	found := false
	for _, c := range d.Unexcited {
		found = found || c == "Fv2"
	}
	if !found || d.Violations != 0 || math.IsInf(d.ConditionScaled, 0) {
		t.Errorf("unexcited %v, %d violations, condition number %g", d.Unexcited, d.Violations, d.ConditionScaled)
	}
}

func TestMimicTightensLimits(t *testing.T) {
	r := elbow()
	r.Mimics = append(r.Mimics, robot.Mimic{Joint: 2, Of: 1, Multiplier: -2, Offset: 0.5})
	l := LimitsOf(r)
	if len(l) != 2 {
		t.Fatalf("%d limits for two independent joints", len(l))
	}
	// Joint 3 = -2·joint 2 + 0.5 within [-1.4, 2.5]: joint 2 within [-1, 0.95].
	if math.Abs(l[1].Lower+1) > 1e-15 || math.Abs(l[1].Upper-0.95) > 1e-15 || l[1].Velocity != 2 || l[1].Accel != 4.5 {
		t.Errorf("limits %+v", l[1])
	}
}

// The design for a whole arm against the best of a thousand random trajectories, each
// scaled to its tightest limit, with all limits on: torque too where the file has
// inertials, for parameters off by a tenth.
func TestArms(t *testing.T) {
	long.Only(t, "the Examples and TestGradient stand for it")
	for _, c := range []struct{ name, file string }{
		{"kuka_lwr4", "kuka_lwr4/model/kuka_lwr4.urdf"},
		{"panda", "panda/model/panda_mdh_gaz_phat.urdf"},
		{"ur10", "ur10e/model/ur10e.urdf"},
		{"tx40", "tx40/model/tx40_mdh_modified.urdf"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "ur10" {
				long.Only(t, "a motion of the UR10 is designed")
			}
			r, limits := shared(t, c.name, c.file)
			m, values := baseOf(t, r, regressor.DefaultTerms()...)
			p := Problem{Model: m, Limits: limits, Robot: r, Values: values}
			for _, v := range values {
				p.Uncertainty = append(p.Uncertainty, 0.1*math.Abs(v))
			}
			random := bestOfDraws(spaceOf(t, p), 1000)
			d, err := Design(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d columns: condition number %.3f (raw %.1f), best of 1000 draws %.3f, ratio %.2f; %d evaluations, %.1f s",
				len(p.Model.Columns()), d.ConditionScaled, d.ConditionRaw, random, d.ConditionScaled/random, d.Evaluations, d.Seconds)
			for _, m := range d.Margins {
				if m.Torque != nil {
					t.Logf("%s: torque margin %.1f %%", m.Joint, 100**m.Torque)
				}
			}
			if d.Violations != 0 || d.ConditionScaled > 0.75*random {
				t.Errorf("%d violations, ratio %.3f", d.Violations, d.ConditionScaled/random)
			}
		})
	}
}

// One gradient of the criterion for a six-joint arm.
func BenchmarkGradient(b *testing.B) {
	r, limits := shared(b, "ur10", "ur10e/model/ur10e.urdf")
	e := spaceOf(b, Problem{Model: base(b, r, regressor.DefaultTerms()...), Limits: limits})
	z := make([]float64, e.s.vars)
	for v := range z {
		z[v] = 0.1 * math.Sin(float64(v+1))
	}
	grad := make([]float64, len(z))
	for b.Loop() {
		e.smooth(grad, z, 16, 1, true)
	}
}

// A motion through poses rests at each, and keeps the limits.
func TestVia(t *testing.T) {
	p := small(t)
	p.Shape, p.Starts, p.Period = Points, 1, 4
	p.Via = [][]float64{{0.3, -0.2, 0.1}, {-0.4, 0.5, 0}, {0.1, 0.1, 0.1}}
	d, err := DesignSequence(context.Background(), p, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d.Violations != 0 || math.Abs(d.Trajectory.Duration()-8) > 1e-12 {
		t.Fatalf("%d violations, %g s", d.Violations, d.Trajectory.Duration())
	}
	q, dq, ddq := make([]float64, 3), make([]float64, 3), make([]float64, 3)
	for k, want := range p.Via {
		d.Trajectory.Eval(4*float64(k), q, dq, ddq)
		for i := range q {
			if math.Abs(q[i]-want[i]) > 1e-12 || math.Abs(dq[i]) > 1e-9 || math.Abs(ddq[i]) > 1e-8 {
				t.Errorf("pose %d, joint %d: %g rad, %g rad/s, %g rad/s²; want %g at rest", k+1, i+1, q[i], dq[i], ddq[i], want[i])
			}
		}
	}
	p.Via = p.Via[:1]
	if _, err := DesignSequence(context.Background(), p, 1); err == nil {
		t.Error("one pose is accepted")
	}
}

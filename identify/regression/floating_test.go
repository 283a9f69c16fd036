package regression

import (
	"slices"
	"testing"

	"ident/baseparams"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// satellite is a body that floats, with an arm of two joints.
func satellite(t testing.TB) *robot.Robot {
	t.Helper()
	r, err := format.Read([]byte(`links:
  - name: bus
    joint: {name: base, kind: floating}
    inertial: {mass: 20, com: [0.02, -0.01, 0.03], inertia: {ixx: 0.6, iyy: 0.7, izz: 0.8, ixy: 0.01, ixz: -0.02, iyz: 0.03}}
  - name: upper
    joint: {name: j1, drive: {ia: 0.05, fv: 0.3, fs: 0.2, fo: 0.1}}
    origin: {xyz: [0.2, 0, 0.1], rpy: [0.3, 0.1, 0]}
    axis: [0, 1, 0]
    inertial: {mass: 3, com: [0.2, 0.01, 0], inertia: {ixx: 0.01, iyy: 0.03, izz: 0.03}}
  - name: fore
    joint: {name: j2, drive: {ia: 0.02, fv: 0.2, fs: 0.1, fo: -0.2}}
    origin: {xyz: [0.4, 0, 0]}
    axis: [0, 0, 1]
    inertial: {mass: 2, com: [0.15, 0, 0.02], inertia: {ixx: 0.008, iyy: 0.02, izz: 0.02}}
`), "yaml", "satellite.yaml", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A base whose motion and wrench are measured: 7n + 10 parameters of bodies, with
// the drives' besides, are given back.
func TestMovingBaseRecovered(t *testing.T) {
	r := satellite(t)
	out := fit(t, r, exact(), simulate(t, r, newTrajectory(8, 1, 0.1), steady(100, 20)).run("a"))
	links := 0
	for _, c := range out.Base.Base {
		if out.Base.Columns[c].Term == regressor.Links {
			links++
		}
	}
	if e := away(estimates(out), truth(out, r)); !(e < 1e-8) || links != 7*2+10 {
		t.Errorf("%d parameters of bodies, off by %g", links, e)
	}
}

// An arm on a sensor of force and moment: its base stands still, and six more
// rows determine parameters that the torques of its joints do not.
func TestBaseOnASensor(t *testing.T) {
	r := satellite(t)
	x := newTrajectory(8, 2, 0.1)
	still := []int{0, 1, 2, 3, 4, 5}
	for _, k := range still {
		clear(x.a[k])
	}
	run := simulate(t, r, x, steady(100, 20)).run("a")
	cfg := exact()
	cfg.Immobile = still
	out := fit(t, r, cfg, run)
	if e := away(estimates(out), truth(out, r)); !(e < 1e-8) {
		t.Errorf("off by %g", e)
	}
	// The joints' torques alone determine fewer, the base's rows alone all but rotors,
	// friction and offsets of the joints.
	fixed := r
	for _, k := range still {
		var err error
		if fixed, err = fixed.Lock(r.Links[k].Joint.Name, 0); err != nil {
			t.Fatal(err)
		}
	}
	full, err := regressor.NewDynamic(fixed, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	alone := baseparams.QR(full, baseparams.Options{})
	if len(alone.Base) >= len(out.Base.Base) {
		t.Errorf("%d parameters with the sensor, %d without", len(out.Base.Base), len(alone.Base))
	}
	// A base taken for a moving one has more parameters than the log determines.
	if _, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, exact()); err == nil {
		t.Error("a base that stands still shows all that a moving one does")
	}
	if !slices.Contains(out.Base.Names(), "M6R") {
		t.Errorf("the weight of the whole is not among %v", out.Base.Names())
	}
}

// The other models see the same through the loops: energies of the tree, momenta
// projected with the rates of G.
func TestClosedRobotsByEveryModel(t *testing.T) {
	long.Only(t, "TestMechanismsRecovered and TestModelsAgreeWithoutNoise stand for it")
	r := fourBar()
	rec, _ := simulateClosed(t, r, loopTrajectory(t, r, 3, 0.2), steady(500, 20))
	for kind, limit := range map[Kind]float64{Energy: 1e-5, Power: 1e-5, Filtered: 1e-6, Momentum: 1e-5} {
		if !long.Set() && kind != Momentum {
			continue
		}
		cfg := Config{Path: observation.Path{Velocity: "measured", Cutoff: 20, Trim: 0.5, MotionCutoff: NoFilter}, Model: kind}
		out, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{rec.run("a")}, nil, cfg)
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		e := distance(estimates(out), truth(out, r))
		t.Logf("%s: off by %.2g", kind, e)
		if !(e < limit) {
			t.Errorf("%s: off by %g", kind, e)
		}
	}
}

// An arm on a vehicle whose motion is measured and whose forces are not: the
// rows of the base are excluded, whatever its channels hold, and those of the arm
// determine the parameters that the motion of the base excites.
func TestBaseMovedByOthers(t *testing.T) {
	r := satellite(t)
	rec := simulate(t, r, newTrajectory(8, 3, 0.1), steady(100, 20))
	for k := range 6 {
		for i := range rec.tau[k] {
			rec.tau[k][i] = 1e3 * float64(i%7)
		}
	}
	run := rec.run("a")
	for _, kind := range []Kind{Dynamic, Momentum} {
		cfg := exact()
		cfg.Unactuated, cfg.Model = []int{0, 1, 2, 3, 4, 5}, kind
		if kind == Momentum {
			cfg.Window = 0.1
		}
		out := fit(t, r, cfg, run)
		limit := 1e-8
		if kind == Momentum {
			limit = 1e-4 // integrals between samples
		}
		if e := away(estimates(out), truth(out, r)); !(e < limit) {
			t.Errorf("%s: off by %g", kind, e)
		}
		if e := out.Result.Fit.RelativeError.Stacked; !(e < 1e-2) {
			t.Errorf("%s: %g %% of the torques are left", kind, e)
		}
		for _, c := range out.Base.Base {
			if col := out.Base.Columns[c]; col.Link == 5 {
				t.Errorf("%s: %s of the base's body is told from torques of the arm alone", kind, col.Name)
			}
		}
	}
	cfg := exact()
	cfg.Unactuated, cfg.Model = []int{0, 1, 2, 3, 4, 5}, Power
	if _, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, cfg); err == nil {
		t.Error("the power of an unknown force is taken as known")
	}
}

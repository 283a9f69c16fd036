package doctor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/doctor"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// weighedUnder replaces the torques by those of the same motion under another gravity.
func (e *experiment) weighedUnder(g [3]float64) {
	for _, by := range []struct {
		gravity [3]float64
		sign    float64
	}{{e.robot.Gravity, -1}, {g, 1}} {
		r := e.robot.Clone()
		r.Gravity = by.gravity
		tree, err := dynamics.New(r)
		if err != nil {
			panic(err)
		}
		n := len(e.q)
		q, rest, tau := make([]float64, n), make([]float64, n), make([]float64, n)
		for k := range e.t {
			for j := range n {
				q[j] = e.q[j][k]
			}
			tree.InverseDynamics(tau, q, rest, rest)
			for j := range n {
				e.tau[j][k] += by.sign * tau[j]
			}
		}
	}
}

// A base that is tilted about two axes: the check proposes the direction of gravity, and with it has nothing to say.
func TestObliqueGravity(t *testing.T) {
	for seed, degrees := range []float64{12} {
		rng := rand.New(rand.NewPCG(uint64(seed), 51))
		r := arm("three", rng, []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, D: 0.4}})
		e := run(r, rng, 100, 16)
		s, c := math.Sincos(degrees * math.Pi / 180)
		truth := [3]float64{9.81 * s * 0.6, 9.81 * s * 0.8, -9.81 * c}
		e.weighedUnder(truth)
		e.measure(rng, 0, 1e-4, 0.01)
		var g [3]float64
		for _, f := range e.findings(t) {
			if f.ID == doctor.Gravity && f.Fix != "" {
				if _, err := fmt.Sscanf(strings.ReplaceAll(f.Fix, ",", " "), "{gravity} %g %g %g", &g[0], &g[1], &g[2]); err != nil {
					t.Error(show(f))
				}
			}
		}
		cos := (g[0]*truth[0] + g[1]*truth[1] + g[2]*truth[2]) / 9.81 / 9.81
		if !(math.Acos(min(cos, 1)) < 1.5*math.Pi/180) {
			t.Errorf("%g°: gravity %v, want %v", degrees, g, truth)
			continue
		}
		e.opt.Gravity = &g
		for _, f := range e.findings(t) {
			if f.Severity != doctor.Info {
				t.Errorf("%g°, with its fix: %s", degrees, show(f))
			}
		}
	}
}

// Velocities with a fault are left out only if the positions give a better motion.
func TestPositionsAreTried(t *testing.T) {
	for _, coarse := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(52, 0))
		e := run(planar(rng), rng, 100, 14).measure(rng, 0, 1e-4, 0.01)
		if coarse {
			e.round(0.03)
		}
		for k := range e.t { // a part that is no motion, of a joint of two
			e.dq[1][k] += 0.3 * norm(e.dq[1]) * math.Sin(9*e.t[k])
		}
		said := false
		for _, f := range e.findings(t) {
			if f.ID == doctor.LagVelocity && f.Channel == "dq2" && f.Severity != doctor.Info {
				said = true
				if fix := strings.Contains(f.Fix, "{velocity} position"); fix == coarse || strings.Contains(f.Hint, "{velocity}") {
					t.Errorf("coarse %v: %s, tried %+v", coarse, show(f), f.Tried)
				}
			}
		}
		if !said {
			t.Errorf("coarse %v: the velocity is not told", coarse)
		}
	}
}

// What a fit of all joints leaves above noise is told, with or without a name; a sound log leaves nothing, and a name without an excess is
// marked as one.
func TestUnexplained(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func(e *experiment)
		trace bool
	}{
		{"a load from the middle on", func(e *experiment) {
			for k := len(e.t) / 2; k < len(e.t); k++ {
				e.tau[0][k] += 0.5 * norm(e.tau[0]) * math.Cos(e.q[0][k])
				e.tau[1][k] += 0.5 * norm(e.tau[1]) * math.Cos(e.q[1][k])
			}
		}, true},
		{"sound", func(*experiment) {}, false},
		{"all signs", func(e *experiment) { times(e.tau[0], -1); times(e.tau[1], -1); times(e.tau[2], -1) }, false},
	} {
		e := soundArm(53)
		c.make(e)
		for _, nameless := range []bool{false, true} {
			e.opt.Nameless = nameless
			found := e.findings(t)
			trace := slices.ContainsFunc(found, func(f doctor.Finding) bool {
				return f.ID == doctor.Unexplained || f.Excess == doctor.ExcessMeasured && f.Severity != doctor.Info
			})
			if trace != c.trace {
				t.Errorf("%s, nameless %v: a trace %v", c.name, nameless, trace)
			}
		}
	}
}

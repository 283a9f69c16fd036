package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/physical"
	"ident/result"
	"ident/robot"
)

// From a short, noisy log every file, and none, leads to bodies whose total is near the truth and said with its deviation; standard
// parameters are theirs, whether or not the estimate itself is.
func TestBodiesOfFits(t *testing.T) {
	true3 := arm(3)
	truth := 0.0
	for j := range true3.Links {
		truth += true3.Links[j].Inertial.Mass()
	}
	rec := simulate(t, true3, newTrajectory(3, 4, 0.1), steady(100, 8))
	rng := rand.New(rand.NewPCG(3, 3))
	for k := range rec.tau {
		for i := range rec.tau[k] {
			rec.tau[k][i] += 0.2 * rng.NormFloat64()
		}
	}
	for _, c := range []struct {
		name       string
		bodies     func(l *robot.Link)
		consistent *physical.BodyOptions
		from       result.MassSource
		within     float64
	}{
		{"own bodies", func(*robot.Link) {}, nil, result.FromFile, 1.25},
		{"own bodies, feasible", func(*robot.Link) {}, new(physical.BodyOptions), result.FromFile, 1.25},
		{"three times as heavy", func(l *robot.Link) {
			for p := range l.Inertial {
				l.Inertial[p] *= 3
			}
			l.Own = l.Inertial
		}, nil, result.FromFile, 1.6},
		{"no bodies, and the total", func(l *robot.Link) { l.Inertial, l.Own, l.HasInertial = robot.Inertial{}, robot.Inertial{}, false },
			&physical.BodyOptions{Total: truth, TotalDeviation: truth / 20}, result.FromBounds, 1.1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := true3.Clone()
			for j := range r.Links {
				c.bodies(&r.Links[j])
			}
			out := fit(t, r, Config{Consistent: c.consistent}, rec.run("a"))
			b := out.Result.Bodies
			if b == nil {
				t.Fatalf("no bodies: %q", out.Result.Notes)
			}
			t.Logf("%+v, true is %.3g; factor %.2g, weight %g, %.1f of %d, torque +%.2g %%", b.Total, truth, b.Factor, b.Weight, b.Determined, b.Of, b.TorqueExcess)
			if ratio := b.Total.Kg / truth; b.Total.From != c.from || !(ratio < c.within && ratio > 1/c.within) || !(b.Total.Sigma > 0) {
				t.Errorf("%+v, true is %.3g", b.Total, truth)
			}
			if !(b.TorqueExcess < 2) {
				t.Errorf("torques are %g %% worse", b.TorqueExcess)
			}
			if (out.Result.Consistency != nil) != (c.consistent != nil) || len(out.Result.Impossible) > 0 {
				t.Errorf("%+v", out.Result.Impossible)
			}
			for _, p := range out.Result.StandardParameters {
				if p.Name == "M3" && p.Frame == "mdh" && !(math.Abs(p.Value-b.Links[2].Kg) < 1e-6) {
					t.Errorf("M3 is %g in the table, %g", p.Value, b.Links[2].Kg)
				}
			}
		})
	}
}

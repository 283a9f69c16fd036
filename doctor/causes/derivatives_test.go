package causes

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/spatial"
	"ident/robot"
)

// TestDerivatives holds the derivatives of torques against differences of them, by robots that are changed: arms with all kinds of
// joints, of which one branches.
func TestDerivatives(t *testing.T) {
	const rows = 5
	rng := rand.New(rand.NewPCG(5, 6))
	frames := []robot.MDHFrame{
		{Antecedent: -1, R: 0.3}, {Antecedent: 0, Alpha: -1.2, D: 0.1}, {Antecedent: 1, D: 0.4, R: -0.1, Theta: 0.3},
		{Antecedent: 2, Alpha: 1.5, Kind: robot.Prismatic}, {Antecedent: 1, Alpha: 0.7, R: 0.2}, {Antecedent: 3, Alpha: -1.5},
	}
	r := robot.FromMDH("branched", frames)
	r.Gravity = [3]float64{1, -2, -9}
	for i := range r.Links {
		r.Links[i].HasInertial = true
		for k := range r.Links[i].Inertial {
			r.Links[i].Inertial[k] = rng.NormFloat64()
		}
	}
	models, err := NewModels(r, 1)
	if err != nil {
		t.Fatal(err)
	}
	f := &trial{opt: Options{Gravity: r.Gravity, models: models}, bodies: models.bodies, links: models.file, rows: make([]row, rows)}
	draw := func() (out [][]float64) {
		for range models.bodies.joints {
			x := make([]float64, rows)
			for k := range x {
				x[k] = rng.NormFloat64()
			}
			out = append(out, x)
		}
		return out
	}
	f.motion = motion{draw(), draw(), draw()}
	const step = 1e-5
	central := func(of func(by float64) [][]float64) [][]float64 {
		a, b := of(step), of(-step)
		for j := range a {
			for k := range a[j] {
				a[j][k] = (a[j][k] - b[j][k]) / (2 * step)
			}
		}
		return a
	}
	ofRobot := func(change func(l *robot.Transform, by float64), link int) [][]float64 {
		return central(func(by float64) [][]float64 {
			c := r.Clone()
			change(&c.Links[link].Placement, by)
			return f.predict(c, f.motion, r.Gravity)
		})
	}
	var asked []change
	var want [][][]float64
	for j, link := range models.bodies.links {
		shape := path{f.motion.v[j], f.motion.a[j], f.motion.q[j]}
		asked = append(asked, change{kind: zeroChange, link: link}, change{kind: pathChange, link: link, path: &shape})
		want = append(want, central(func(by float64) [][]float64 {
			m := f.motion.clone()
			for k := range m.q[j] {
				m.q[j][k] += by
			}
			return f.predict(nil, m, r.Gravity)
		}), central(func(by float64) [][]float64 {
			m := f.motion.clone()
			for k := range m.q[j] {
				m.q[j][k], m.v[j][k], m.a[j][k] = m.q[j][k]+by*shape.q[k], m.v[j][k]+by*shape.v[k], m.a[j][k]+by*shape.a[k]
			}
			return f.predict(nil, m, r.Gravity)
		}))
		for axis := range 3 {
			asked = append(asked, change{kind: shiftChange, link: link, axis: axis})
			want = append(want, ofRobot(func(p *robot.Transform, by float64) { p.P[axis] += by }, link))
		}
		for axis, turn := range []func(float64) spatial.Mat{spatial.RotX, spatial.RotY, spatial.RotZ} {
			asked = append(asked, change{kind: turnChange, link: link, axis: axis})
			want = append(want, ofRobot(func(p *robot.Transform, by float64) { p.R = spatial.Mul(p.R, turn(by)) }, link))
		}
	}
	for i, got := range f.derivatives(asked) {
		for j := range got {
			for k, v := range got[j] {
				if w := want[i][j][k]; math.Abs(v-w) > 1e-6*(1+math.Abs(w)) {
					t.Errorf("%+v, joint %d, row %d: %g, differences of torques %g", asked[i], j+1, k+1, v, w)
				}
			}
		}
	}
}

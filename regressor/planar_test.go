package regressor

import (
	"math"
	"testing"

	"ident/robot"
)

// The worked example of a planar arm with two joints from a textbook's chapter on
// manipulators: links of 10 and 20 kg with 4 and 9 kg·m² about their centres, 0.4
// and 0.3 m from the joints, which are 0.8 m apart, and g = 10 m/s². The book
// rounds every step; the figures are those of its own formulas, carried to nine
// digits, so 1e-6 relative is far above their rounding and far below a wrong
// term.
func TestPlanarExample(t *testing.T) {
	body := func(m, i, l float64) robot.Inertial {
		return robot.Inertial{robot.ZZ: i + m*l*l, robot.MX: m * l, robot.M: m}
	}
	link := func(name string, ant int, x float64, in robot.Inertial) robot.Link {
		p := robot.Identity()
		p.P[0] = x
		return robot.Link{Name: name, Antecedent: ant, Placement: p, UserFrame: robot.Identity(), Inertial: in, Own: in, HasInertial: true,
			Joint: robot.Joint{Name: name}}
	}
	r := &robot.Robot{Name: "planar", Gravity: [3]float64{0, -10, 0},
		Links: []robot.Link{link("1", -1, 0, body(10, 4, 0.4)), link("2", 0, 0.8, body(20, 9, 0.3))}}
	m, err := NewDynamic(r, []Term{Links})
	if err != nil {
		t.Fatal(err)
	}
	rad := math.Pi / 180
	sample := func(v ...float64) [][]float64 { return [][]float64{{v[0]}, {v[1]}} }
	in := Batch{Q: sample(30*rad, -10*rad), DQ: sample(15, 5), DDQ: sample(-20, 8)}
	chi, ws := parameters(r, m), m.NewWorkspace()
	b, d1, d2, h := m.NewBlock(1), m.NewBlock(1), m.NewBlock(1), m.NewEnergyBlock(1)
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
			t.Errorf("%s = %.9g, want %.9g", what, got, want)
		}
	}
	tau := sample(0, 0)
	m.EvalBatch(b, in, ws)
	m.Predict(tau, b, chi)
	near("τ1", tau[0][0], -273.415364)
	near("τ2", tau[1][0], -355.300019)
	near("τ·ω", tau[0][0]*15+tau[1][0]*5, -5877.730549)

	energy := func(in Batch) float64 {
		m.EvalEnergy(h, in, ws)
		sum := 0.0
		for c, v := range chi {
			sum += v * h.Joint[0][c][0]
		}
		return sum
	}
	still := in
	still.DQ = sample(0, 0)
	near("K", energy(in)-energy(still), 5648.123164)
	near("U", energy(still), 120.521209)
	const dt = 1e-5 // the rate of the energy changes by 1e-9 of itself over it
	near("d/dt(K+U)", (energy(in.at(dt))-energy(in.at(-dt)))/(2*dt), -5877.730549)

	// The momentum of unit rates is the inertia matrix.
	for k, rates := range [][][]float64{sample(1, 0), sample(0, 1)} {
		unit := in
		unit.DQ = rates
		m.EvalMomentum(d1, d2, unit, ws)
		p := sample(0, 0)
		m.Predict(p, d1, chi)
		near("I*1", p[0][0], []float64{38.654154, 15.527077}[k])
		near("I*2", p[1][0], []float64{15.527077, 10.8}[k])
	}
}

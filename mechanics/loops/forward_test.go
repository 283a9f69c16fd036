package loops

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// Torques that inverse dynamics and Gᵀ give for accelerations cause those
// accelerations, at the driven joints of every mechanism.
func TestForwardIsTheInverseOfGTau(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for _, mech := range closedMechanisms(t) {
		r := mech.Robot
		for j := range r.Links {
			r.Links[j].Inertial = testrobot.Body(rng)
		}
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		c := closureOf(t, r)
		at := startOf(t, c, rng)
		v, a := make([]float64, len(c.Active())), make([]float64, len(c.Active()))
		for i := range v {
			v[i], a[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		tau, full := make([]float64, c.DOF()), make([]float64, len(at.Q))
		want := at.Accelerations(v, a)
		tree.InverseDynamics(tau, at.Q[:c.DOF()], at.Rates(v), want)
		for i, k := range c.Active() {
			for l := range tau {
				full[k] += at.G.At(l, i) * tau[l]
			}
		}
		dq := slices.Clone(at.full(v))
		f, err := c.ForwardDynamics(at.Q, dq, full, 0)
		if err != nil {
			t.Fatal(err)
		}
		for k := range want {
			if math.Abs(f.Accelerations[k]-want[k]) > 1e-8*(1+math.Abs(want[k])) {
				t.Errorf("%s: coordinate %d accelerates at %.12g, want %.12g", r.Name, k+1, f.Accelerations[k], want[k])
			}
		}
		// The forces at the cuts do no work on any motion that keeps them closed,
		// and make up for the torques that the motion of the cut tree would need.
		for k := range tau {
			tau[k] -= full[k]
		}
		size := norm(tau)
		poses := c.tree.Poses(at.Q)
		res := make([]float64, 6*len(c.loops))
		c.mismatch(res, at.Q, poses)
		j := c.jacobian(poses, res)
		for k := range at.Q {
			got := 0.0
			for i, cf := range f.Forces {
				for x := range 3 {
					got += (j.At(6*i+x, k)*c.length*cf.Force[x] + j.At(6*i+3+x, k)*cf.Moment[x]) / c.unit[k]
				}
			}
			wantTau := 0.0
			if k < c.DOF() {
				wantTau = tau[k]
			}
			if math.Abs(got-wantTau) > 1e-9*(1+size) {
				t.Errorf("%s: forces at the cuts act as %.12g on coordinate %d, want %.12g", r.Name, got, k+1, wantTau)
			}
		}
	}
}

// A table of two posts and a board that lies on them: half its weight is on the
// post at the cut.
func TestForceAtTheCut(t *testing.T) {
	r := testrobot.FourBar(1, 0.5, 1, 0.5, 0, math.Pi/2) // in a vertical plane
	r.Links[2].Placement = robot.MDH{Alpha: math.Pi / 2, D: 1}.Transform()
	r.Links[1].Inertial = robot.InertialFromCentral(6, [3]float64{0.5, 0, 0}, [3][3]float64{{0.1, 0, 0}, {0, 0.2, 0}, {0, 0, 0.3}})
	c := closureOf(t, r)
	q, err := c.Close([]float64{math.Pi / 2, -math.Pi / 2, math.Pi / 2, math.Pi / 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.ForwardDynamics(q, make([]float64, 4), make([]float64, 4), 0)
	if err != nil {
		t.Fatal(err)
	}
	// On the board, by the post.
	got := f.Forces[0].Force
	if math.Abs(got[2]-3*9.81) > 1e-9 || math.Abs(got[0]) > 1e-9 || math.Abs(got[1]) > 1e-9 {
		t.Errorf("force on the board %v, want 29.43 upwards", got)
	}
	for k, a := range f.Accelerations {
		if math.Abs(a) > 1e-9 {
			t.Errorf("coordinate %d accelerates at %g in equilibrium", k+1, a)
		}
	}
}

// A four-bar that swings freely for a quarter of a minute keeps its energy, and with
// stabilisation its loop as well; without, the loop opens.
func TestStabilisation(t *testing.T) {
	long.Only(t, "TestClosedRobotsKeepTheirEnergy of package plant stands for it")
	r := testrobot.Weigh(testrobot.FourBar(1, 0.35, 0.9, 0.7, 0, math.Pi/2), rand.New(rand.NewPCG(43, 44)))
	c := closureOf(t, r)
	at, err := c.Assembled(map[string]float64{"J1": 0.3, "J2": 1, "J3": 1.5})
	if err != nil {
		t.Fatal(err)
	}
	energy := func(q, dq []float64) float64 { return c.tree.KineticEnergy(q, dq) + c.tree.PotentialEnergy(q) }
	swing := func(omega float64) (open, lost float64) {
		q, dq := slices.Clone(at.Q), at.full([]float64{1})
		n := len(q)
		begin, zero := energy(q, dq), make([]float64, n)
		scale := c.tree.KineticEnergy(q, dq) + 10
		const h = 1e-2
		deriv := func(q, dq []float64) ([]float64, []float64) {
			f, err := c.ForwardDynamics(q, dq, zero, omega)
			if err != nil {
				t.Fatal(err)
			}
			return dq, f.Accelerations
		}
		add := func(x []float64, f float64, d []float64) []float64 {
			y := slices.Clone(x)
			for k := range y {
				y[k] += f * d[k]
			}
			return y
		}
		for range 1500 {
			k1, a1 := deriv(q, dq)
			k2, a2 := deriv(add(q, h/2, k1), add(dq, h/2, a1))
			k3, a3 := deriv(add(q, h/2, k2), add(dq, h/2, a2))
			k4, a4 := deriv(add(q, h, k3), add(dq, h, a3))
			for k := range n {
				q[k] += h / 6 * (k1[k] + 2*k2[k] + 2*k3[k] + k4[k])
				dq[k] += h / 6 * (a1[k] + 2*a2[k] + 2*a3[k] + a4[k])
			}
			open, lost = max(open, c.Residual(q)), max(lost, math.Abs(energy(q, dq)-begin)/scale)
		}
		q, dq, err := c.Project(q, dq)
		if err != nil || c.Residual(q) > 1e-11 {
			t.Errorf("after settling the loop is open by %g: %v", c.Residual(q), err)
		}
		if d := math.Abs(energy(q, dq)-begin) / scale; d > 1e-4 {
			t.Errorf("after settling %g of the energy is lost", d)
		}
		return open, lost
	}
	free, lostFree := swing(0)
	held, lostHeld := swing(20)
	t.Logf("open by %.2g without and %.2g with stabilisation; energy lost %.2g and %.2g", free, held, lostFree, lostHeld)
	if !(held < free/10) || held > 5e-6 || lostHeld > 1e-4 {
		t.Errorf("open by %g without and %g with stabilisation; energy lost %g", free, held, lostHeld)
	}
	weightless := testrobot.FourBar(1, 0.35, 0.9, 0.7, 0, 0)
	if _, err := closureOf(t, weightless).ForwardDynamics(at.Q, make([]float64, 4), make([]float64, 4), 0); !errors.Is(err, dynamics.ErrSingular) {
		t.Errorf("bars without mass: %v", err)
	}
}

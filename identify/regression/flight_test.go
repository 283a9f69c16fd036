package regression

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/internal/long"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
)

// flight moves the joints of a satellite as given and lets its base go where no
// force on it takes it, from a start that spins.
func flight(tb testing.TB, r *robot.Robot, seed uint64, spin float64, t []float64) *record {
	tb.Helper()
	tree, err := dynamics.New(r)
	if err != nil {
		tb.Fatal(err)
	}
	const base = 6
	n := tree.DOF()
	arm := newTrajectory(n-base, seed, 0.1)
	// The base's six accelerations are those that leave its six forces zero.
	free := func(at float64, q, dq, ddq []float64) {
		arm.at(at, q[base:], dq[base:], ddq[base:])
		clear(ddq[:base])
		tau, m := make([]float64, n), make([]float64, n*n)
		tree.InverseDynamics(tau, q, dq, ddq)
		tree.InertiaMatrix(m, q)
		var x mat.VecDense
		if err := x.SolveVec(mat.NewDense(n, n, m).Slice(0, base, 0, base), mat.NewVecDense(base, tau[:base])); err != nil {
			tb.Fatal(err)
		}
		for k := range base {
			ddq[k] = -x.AtVec(k)
		}
	}
	// Runge and Kutta's fourth-order step of the base.
	const steps = 4
	q, dq, ddq := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range base {
		dq[k] = spin * float64(k-2)
	}
	step := func(at, h float64) {
		q0, v0 := append([]float64(nil), q[:base]...), append([]float64(nil), dq[:base]...)
		var dx, dv [base]float64
		for i, s := range [4]float64{0, 0.5, 0.5, 1} {
			if i > 0 {
				for k := range base {
					v, a := dq[k], ddq[k]
					q[k], dq[k] = q0[k]+s*h*v, v0[k]+s*h*a
				}
			}
			free(at+s*h, q, dq, ddq)
			w := [4]float64{1, 2, 2, 1}[i] / 6
			for k := range base {
				dx[k] += w * dq[k]
				dv[k] += w * ddq[k]
			}
		}
		for k := range base {
			q[k], dq[k] = q0[k]+h*dx[k], v0[k]+h*dv[k]
		}
	}
	rec := &record{robot: r, t: t}
	for _, p := range []*[][]float64{&rec.q, &rec.dq, &rec.ddq, &rec.tau} {
		for range n {
			*p = append(*p, make([]float64, len(t)))
		}
	}
	tau := make([]float64, n)
	for i, at := range t {
		if i > 0 {
			h := (at - t[i-1]) / steps
			for s := range steps {
				step(t[i-1]+float64(s)*h, h)
			}
		}
		free(at, q, dq, ddq)
		tree.InverseDynamics(tau, q, dq, ddq)
		for k, l := range r.Links {
			rec.q[k][i], rec.dq[k][i], rec.ddq[k][i] = q[k], dq[k], ddq[k]
			if k >= base {
				rec.tau[k][i] = tau[k] + l.Joint.Fv*dq[k] + l.Joint.Fo + l.Joint.Fs*sign(dq[k])
			}
		}
	}
	return rec
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// A base that floats freely, its motion logged and no force on it: the torques of
// the joints give the scale, and all 7n + 10 parameters of bodies are found with the
// drives' besides, from rest, spinning, and in free fall.
func TestBaseInFlight(t *testing.T) {
	long.Only(t, "TestBaseOnASensor")
	for name, c := range map[string]struct {
		spin    float64
		gravity float64
	}{"from rest": {}, "spinning": {spin: 0.03}, "free fall": {spin: 0.03, gravity: -9.81}} {
		r := satellite(t)
		r.Gravity = [3]float64{2: c.gravity}
		rec := flight(t, r, 3, c.spin, steady(50, 20))
		out := fit(t, r, exact(), rec.run("a"))
		links := 0
		for _, b := range out.Base.Base {
			if out.Base.Columns[b].Term == regressor.Links {
				links++
			}
		}
		if e := away(estimates(out), truth(out, r)); !(e < 1e-8) || links != 7*2+10 {
			t.Errorf("%s: %d parameters of bodies, off by %g", name, links, e)
		}
	}
}

// The base's six rows of a flight have a measurement vector of zero: they determine
// the parameters of bodies up to one common factor.
func TestFlightAloneShowsRatios(t *testing.T) {
	long.Only(t, "TestBaseInFlight stands for it")
	r := satellite(t)
	r.Gravity = [3]float64{}
	rec := flight(t, r, 3, 0.03, steady(50, 20))
	full, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(full, baseparams.Options{})
	m := full.Select(set.Base)
	b, n := m.NewBlock(len(rec.t)), len(rec.t)
	m.Eval(b, rec.q, rec.dq, rec.ddq, m.NewWorkspace())
	rows := mat.NewDense(6*n, len(set.Base), nil)
	for k := range 6 {
		for c, col := range m.Mask(k) {
			for i, v := range b.Joint[k][c] {
				rows.Set(k*n+i, col, v)
			}
		}
	}
	var svd mat.SVD
	svd.Factorize(rows, mat.SVDThin)
	s, last := svd.Values(nil), len(set.Base)-1
	// Accelerations are exact to rounding, so zeros are zero to 1e-13.
	if !(s[last] < 1e-10*s[0]) || !(s[last-1] > 1e-4*s[0]) {
		t.Fatalf("singular values %.3g: one of them is to vanish", s)
	}
	var v mat.Dense
	svd.VTo(&v)
	chi := make([]float64, len(full.Columns()))
	for c, col := range full.Columns() {
		chi[c], _ = regressor.ValueOf(r, col)
	}
	want := set.FromStandard(chi)
	scale := want[0] / v.At(0, last)
	for i, w := range want {
		if got := scale * v.At(i, last); !(math.Abs(got-w) < 1e-8*(1+math.Abs(w))) {
			t.Errorf("%s = %.12g up to the factor, want %.12g", set.Names()[i], got, w)
		}
	}
}

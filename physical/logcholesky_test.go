package physical

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"pgregory.net/rapid"

	"ident/baseparams"
	"ident/internal/estimatortest"
	"ident/regressor"
	"ident/robot"
)

func drawLogCholesky(t *rapid.T) (l LogCholesky) {
	for k := range l {
		l[k] = rapid.Float64Range(-3, 3).Draw(t, "number")
	}
	return l
}

// Whatever the numbers, the body is possible, and gives them back.
func TestLogCholeskyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLogCholesky(t)
		p := l.Inertial()
		if least := LeastEigenvalue(p); !(least > -1e-12*p.Mass()*1e4) {
			t.Fatalf("%v has an eigenvalue of %g", l, least)
		}
		back, ok := LogCholeskyOf(p)
		if !ok {
			return // thinner than rounding
		}
		tolerance, ok := l.roundTripError()
		if !ok {
			return // the factorisation of the rounded body may be any
		}
		for k := range l {
			if !(math.Abs(back[k]-l[k]) < tolerance[k]) {
				t.Errorf("number %d: %g became %g, tolerance %g", k, l[k], back[k], tolerance[k])
			}
		}
	})
}

// roundTripError bounds the rounding errors of a body's numbers taken from its
// ten parameters: false where the bound has no meaning.
//
// The product U·Uᵀ, the two changes between tensor and second moments, and the
// factorisation each leave J + E with ‖E‖ ≤ 8 eps·‖J‖ or so, 32 eps together; to
// first order ‖ΔU‖ ≤ κ(J)·‖E‖/‖J‖·‖U‖ (Sun 1991), which needs κ(J)·‖E‖/‖J‖ < 1/2.
// A logarithm divides the error of its diagonal entry by the entry.
func (l *LogCholesky) roundTripError() (out LogCholesky, ok bool) {
	u := l.factor()
	var inverse [4][4]float64 // of an upper triangle
	for c := range 4 {
		inverse[c][c] = 1 / u[c][c]
		for r := c - 1; r >= 0; r-- {
			for k := r + 1; k <= c; k++ {
				inverse[r][c] -= u[r][k] * inverse[k][c] / u[r][r]
			}
		}
	}
	norm := func(a *[4][4]float64) (n float64) {
		for _, row := range a {
			for _, v := range row {
				n = math.Hypot(n, v)
			}
		}
		return n
	}
	condition := norm(&u) * norm(&inverse)
	relative := 32 * 0x1p-52 * condition * condition
	for k := range out {
		out[k] = relative * norm(&u)
	}
	for d, k := range [3]int{lcD1, lcD2, lcD3} {
		out[k] /= u[d][d]
	}
	return out, relative < 0.5
}

// The closed forms of Rucker and Wensing (2022).
func TestLogCholeskyClosedForm(t *testing.T) {
	l := LogCholesky{lcA: 0.3, lcD1: -0.2, lcD2: 0.1, lcD3: -0.5, lcS12: 0.4, lcS23: -0.3, lcS13: 0.2, lcT1: 0.15, lcT2: -0.25, lcT3: 0.35}
	p := l.Inertial()
	m := math.Exp(2 * l[lcA])
	sq := func(v float64) float64 { return v * v }
	s12, s23, s13, t1, t2, t3 := l[lcS12], l[lcS23], l[lcS13], l[lcT1], l[lcT2], l[lcT3]
	e1, e2, e3 := math.Exp(l[lcD1]), math.Exp(l[lcD2]), math.Exp(l[lcD3])
	want := robot.Inertial{
		robot.XX: m * (sq(s23) + sq(t2) + sq(t3) + sq(e2) + sq(e3)),
		robot.YY: m * (sq(s12) + sq(s13) + sq(t1) + sq(t3) + sq(e1) + sq(e3)),
		robot.ZZ: m * (sq(s12) + sq(s13) + sq(s23) + sq(t1) + sq(t2) + sq(e1) + sq(e2)),
		robot.XY: -m * (s12*e2 + s13*s23 + t1*t2), robot.XZ: -m * (s13*e3 + t1*t3), robot.YZ: -m * (s23*e3 + t2*t3),
		robot.MX: m * t1, robot.MY: m * t2, robot.MZ: m * t3, robot.M: m}
	for k := range p {
		if !(math.Abs(p[k]-want[k]) < 1e-14) {
			t.Errorf("%s: %g, want %g", robot.InertialNames[k], p[k], want[k])
		}
	}
}

func TestPhysicalMap(t *testing.T) {
	r := estimatortest.Arm()
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(full, baseparams.Options{})
	m, err := NewPhysicalMap(set)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	theta := make([]float64, len(set.Columns))
	for i := range theta {
		theta[i] = 0.5 * rng.NormFloat64()
	}
	chi := m.Standard(theta)
	allPossible(t, set, chi)
	back, ok := m.Free(chi)
	if !ok {
		t.Fatal("a possible robot was refused")
	}
	for i := range theta {
		if !(math.Abs(back[i]-theta[i]) < 1e-9) {
			t.Errorf("%s: %g became %g", set.Columns[i].Name, theta[i], back[i])
		}
	}
	// Derivatives against differences.
	weights := make([]float64, len(theta))
	for i := range weights {
		weights[i] = rng.NormFloat64()
	}
	want := fd.Gradient(nil, func(x []float64) float64 {
		sum := 0.0
		for i, v := range m.Standard(x) {
			sum += weights[i] * v
		}
		return sum
	}, theta, &fd.Settings{Formula: fd.Central})
	got := append([]float64(nil), weights...)
	m.Pull(got, theta)
	for i := range got {
		if !(math.Abs(got[i]-want[i]) < 1e-6*(1+math.Abs(want[i]))) {
			t.Errorf("derivative by number %d: %g, %g by differences", i, got[i], want[i])
		}
	}
	chi[len(chi)-2] = -1 // Fs
	if _, ok := m.Free(chi); ok {
		t.Error("a negative friction was accepted")
	}
	if _, err := NewPhysicalMap(&baseparams.Set{Columns: set.Columns[1:]}); !errors.Is(err, ErrPartialBody) {
		t.Errorf("a link without XX: %v", err)
	}
}

package physical

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/internal/estimatortest"
	"ident/regressor"
	"ident/robot"
)

func pendulumPrior(t *testing.T) (*robot.Robot, *baseparams.Set, *Prior) {
	t.Helper()
	r := pendulum()
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(full, baseparams.Options{})
	return r, set, NewPrior(r, set.Columns, "robot")
}

// One deviation of a body is a relative change by one: the squared Mahalanobis
// distance between χ₀ and s·χ₀ is 4·(s−1)², that of the metric tr((J₀⁻¹·δJ)²).
func TestPriorBodyMetric(t *testing.T) {
	_, _, p := pendulumPrior(t)
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	b := p.Blocks[0]
	n := len(b.Columns)
	d := mat.NewVecDense(n, nil)
	for a, i := range b.Columns {
		d.SetVec(a, 0.5*p.Mean[i])
	}
	var chol mat.Cholesky
	chol.Factorize(b.Covariance)
	var x mat.VecDense
	if err := chol.SolveVecTo(&x, d); err != nil {
		t.Fatal(err)
	}
	if got := mat.Dot(d, &x); !(math.Abs(got-1) < 1e-9) {
		t.Errorf("half as heavy again is √%g deviations away", got)
	}
}

// The base parameters' covariance is K·C·Kᵀ.
func TestPriorBase(t *testing.T) {
	r := estimatortest.Arm()
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(full, baseparams.Options{})
	p := NewPrior(r, set.Columns, "robot")
	mean, cov := p.Base(set)
	n := len(set.Columns)
	whole := mat.NewDense(n, n, nil)
	for _, b := range p.Blocks {
		for a, i := range b.Columns {
			for o, j := range b.Columns {
				whole.Set(i, j, b.Covariance.At(a, o))
			}
		}
	}
	k := mat.NewDense(len(set.Base), n, nil)
	for i, row := range baseMatrix(set) {
		k.SetRow(i, row)
	}
	var half, want mat.Dense
	half.Mul(k, whole)
	want.Mul(&half, k.T())
	for i := range mean {
		for j := range mean {
			if scale := math.Sqrt(want.At(i, i) * want.At(j, j)); !(math.Abs(cov.At(i, j)-want.At(i, j)) <= 1e-13*scale) {
				t.Errorf("covariance of %s and %s: %g, want %g", set.Name(i), set.Name(j), cov.At(i, j), want.At(i, j))
			}
		}
	}
	for i, v := range set.FromStandard(p.Mean) {
		if mean[i] != v {
			t.Errorf("%s: mean %g, want %g", set.Name(i), mean[i], v)
		}
	}
}

func TestPriorRefuses(t *testing.T) {
	for what, spoil := range map[string]func(*Prior){
		"negative variance": func(p *Prior) { p.Blocks[1].Covariance.SetSym(0, 0, -1) },
		"infinite variance": func(p *Prior) { p.Blocks[1].Covariance.SetSym(0, 0, math.Inf(1)) },
		"not a mean":        func(p *Prior) { p.Mean[3] = math.NaN() },
		"indefinite": func(p *Prior) {
			c := p.Blocks[0].Covariance
			c.SetSym(0, 9, 2*math.Sqrt(c.At(0, 0)*c.At(9, 9)))
		},
		"twice":    func(p *Prior) { p.Blocks[2].Columns[0] = p.Blocks[1].Columns[0] },
		"missing":  func(p *Prior) { p.Blocks = p.Blocks[1:] },
		"no block": func(p *Prior) { p.Blocks[1].Covariance = nil },
	} {
		_, _, p := pendulumPrior(t)
		spoil(p)
		if err := p.Validate(); !errors.Is(err, ErrPrior) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A body of a millimetre ten metres away has a prior all the same.
func TestPriorOfAThinBodyFarAway(t *testing.T) {
	r := pendulum()
	l := &r.Links[0]
	l.Inertial = robot.InertialFromCentral(1, [3]float64{10, 5, -7}, [3][3]float64{{1e-6, 0, 0}, {0, 1e-6, 0}, {0, 0, 1e-6}})
	set := setOf(t, r)
	p := NewPrior(r, set.Columns, "robot")
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	s := invented(rand.New(rand.NewPCG(1, 1)), r, set, 0.1)
	if _, err := Consistent(s, r, set, Options{}); err != nil {
		t.Error(err)
	}
}

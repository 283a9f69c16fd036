package excite

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/internal/triangle"
	"ident/regressor"
	"ident/robot"
)

// slope8 is the derivative of f at 0 by differences of the eighth order.
func slope8(h float64, f func(x float64) float64) (d float64) {
	for k, w := range [...]float64{4. / 5, -1. / 5, 4. / 105, -1. / 280} {
		d += w * (f(h*float64(k+1)) - f(-h*float64(k+1))) / h
	}
	return d
}

// checkGradient compares the gradient through constraints, regressor, spectrum
// and limits at variables z with differences, to 1e-6 of its largest entry. The logarithm of a condition number of 200
// is rounded to 200² of a double, 1e-11, its slope to 1e-11/4e-4, a quarter of that of the smallest gradient, a tenth.
func checkGradient(t *testing.T, e *evaluator, z []float64, objective bool) {
	t.Helper()
	const order, gauge, weight = 16, 32, 50
	y, grad := make([]float64, e.s.vars), make([]float64, e.s.vars)
	f := func(z []float64) float64 {
		e.limits.feasible(y, z, gauge)
		v, _ := e.smooth(grad, y, order, weight, objective)
		return v
	}
	f(z)
	e.limits.pullback(grad, z, gauge)
	got := append([]float64(nil), grad...)
	worst, size := 0.0, 0.0
	for v := range z {
		old := z[v]
		want := slope8(4e-4*math.Max(1, math.Abs(old)), func(x float64) float64 {
			z[v] = old + x
			defer func() { z[v] = old }()
			return f(z)
		})
		worst, size = max(worst, math.Abs(got[v]-want)), max(size, math.Abs(want))
	}
	t.Logf("gradient %.3g, largest error %.2g of it", size, worst/size)
	if !(worst <= 1e-6*size) || size == 0 {
		t.Errorf("gradient off by %g of its largest entry, %g", worst/size, size)
	}
}

// The gradient for arms with prismatic joints and all terms, inside and far outside
// the limits, for every criterion and shape.
func TestGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 8 {
		r := testrobot.Random(rng, 4, false)
		if trial%long.Of(1, 3) != 0 {
			continue // every third
		}
		r.Gravity = robot.StandardGravity
		limits := LimitsOf(r)
		for i := range limits {
			limits[i].Lower, limits[i].Upper, limits[i].Velocity, limits[i].Accel = -1.5, 2, 3, 12
			if trial%2 == 1 {
				limits[i].Jerk = 60
			}
		}
		p := Problem{Model: base(t, r, regressor.DefaultTerms()...), Limits: limits, Harmonics: 3, Period: 5,
			Criterion: []Criterion{ConditionNumber, DOptimal, AOptimal, EOptimal}[trial%4], Shape: []Shape{Fourier, Spline, Points}[trial%3]}
		n := p.Model.Joints()
		if trial >= 4 {
			p.Noise, p.LogRate = make([]float64, n), 100
			for i := range p.Noise {
				p.Noise[i] = 0.5 + rng.Float64()
			}
			p.PriorRows = grid(3, len(p.Model.Columns()))
			for _, row := range p.PriorRows {
				for c := range row {
					row[c] = 10 * rng.NormFloat64()
				}
			}
		}
		if trial >= 6 {
			p.Start = make([]float64, n)
			for i := range p.Start {
				p.Start[i] = rng.Float64() - 0.5
			}
		}
		if trial == 7 {
			p.End = make([]float64, n)
		}
		e := spaceOf(t, p)
		z := e.s.draw(rng, e.limits)
		for v := range z {
			z[v] *= []float64{0.3, 1, 2, 10}[trial%4]
		}
		checkGradient(t, e, z, true)
	}
}

// The gradient of every coupled constraint alone, where it is violated.
func TestConstraintGradients(t *testing.T) {
	r := elbow()
	r.Mimics = append(r.Mimics, robot.Mimic{Joint: 2, Of: 1, Multiplier: -0.7, Offset: 0.1})
	capsules := []Capsule{{Name: "base", Link: -1, A: [3]float64{0.3, 0, 0}, B: [3]float64{0.3, 0, 1}, Radius: 0.1},
		{Name: "upper", Link: 1, B: [3]float64{0.4, 0, 0}, Radius: 0.08}, {Name: "lower", Link: 2, B: [3]float64{0.4, 0.1, 0}, Radius: 0.06}}
	for name, change := range map[string]func(p *Problem){
		"torque": func(p *Problem) { p.Limits[0].Effort, p.Limits[1].Effort = 8, 6 },
		"power":  func(p *Problem) { p.Limits[0].Power, p.Limits[1].Power = 3, 2 },
		"box": func(p *Problem) {
			p.KeepOuts = []KeepOut{{Name: "box", Min: [3]float64{0.1, 0.1, 0.1}, Max: [3]float64{0.5, 0.3, 0.4}}}
		},
		"plane": func(p *Problem) { p.KeepOuts = []KeepOut{{Name: "wall", Normal: [3]float64{1, 2, 0.5}, Offset: -0.3}} },
		"self":  func(p *Problem) { p.SelfCollision = true },
		"tip":   func(p *Problem) { p.Tip = &Tip{"tip", 2, [3]float64{0.4, 0.1, -0.2}, 0.2} },
	} {
		t.Run(name, func(t *testing.T) {
			m := base(t, r, regressor.DefaultTerms()...)
			rng := rand.New(rand.NewPCG(5, 6))
			p := Problem{Model: m, Limits: LimitsOf(r), Harmonics: 3, Period: 4, Robot: r, Capsules: capsules, Clearance: 0.3}
			for range m.Columns() {
				p.Values, p.Uncertainty = append(p.Values, rng.NormFloat64()), append(p.Uncertainty, 0.1*rng.Float64())
			}
			change(&p)
			e := spaceOf(t, p)
			if len(e.coupled) != 1 {
				t.Fatalf("%d coupled constraints", len(e.coupled))
			}
			y := e.s.draw(rng, e.limits)
			checkGradient(t, e, slices.Clone(y), false)
			e.fine = true
			checkGradient(t, e, y, false)
		})
	}
}

// The sensitivity of every criterion to the rows where singular values repeat,
// nearly repeat, and are apart.
func TestRepeatedSingularValues(t *testing.T) {
	const rows, n, order = 12, 4, 16
	rng := rand.New(rand.NewPCG(8, 9))
	for _, apart := range []float64{0, 1e-12, 1e-8, 1e-4, 0.3} {
		var qr mat.QR
		a := mat.NewDense(rows, n, nil)
		for i := range rows {
			for k := range n {
				a.Set(i, k, rng.NormFloat64())
			}
		}
		qr.Factorize(a)
		var q mat.Dense
		qr.QTo(&q)
		// Orthonormal columns: all singular values are one.
		w := grid(n, rows)
		for c := range w {
			for i := range rows {
				w[c][i] = q.At(i, c) + apart*rng.NormFloat64()
			}
		}
		for _, crit := range []Criterion{ConditionNumber, DOptimal, AOptimal, EOptimal} {
			e := &spectrum{w: w, norms: make([]float64, n), cols: grid(n, rows), y: make([]float64, rows), factor: triangle.New(n), part: grid(n, n), scale: make([]float64, n), all: []int{0, 1, 2, 3}[:n]}
			if crit != ConditionNumber {
				e.fixed = []float64{1, 2, 0.5, 1}
			}
			slope, inner := make([]float64, n), mat.NewDense(n, n, nil)
			f := func() float64 {
				if !e.decompose(true) {
					t.Fatal("no spectrum")
				}
				return crit.smooth(slope, e.sigma, order)
			}
			f()
			e.sensitivity(inner, slope)
			worst, size := 0.0, 0.0
			for c := range w {
				for i := range rows {
					got := 0.0
					for d := range w {
						got += w[d][i] * inner.At(d, c)
					}
					old := w[c][i]
					want := slope8(1e-3, func(x float64) float64 {
						w[c][i] = old + x
						defer func() { w[c][i] = old }()
						return f()
					})
					worst, size = max(worst, math.Abs(got-want)), max(size, math.Abs(want))
				}
			}
			// Where all singular values are one the condition number is at its
			// minimum, and its gradient zero.
			if !(worst <= 1e-6*max(size, 1e-3)) {
				t.Errorf("%s, %g apart: off by %g of %g", crit, apart, worst, size)
			}
		}
	}
}

// Every smoothed criterion tends to the criterion from above.
func TestSmoothBoundsTheCriterion(t *testing.T) {
	r := elbow()
	e := spaceOf(t, Problem{Model: base(t, r, regressor.Links), Limits: LimitsOf(r)})
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		z := e.s.draw(rng, e.limits)
		e.at(z)
		for _, crit := range []Criterion{ConditionNumber, DOptimal, AOptimal, EOptimal} {
			exact, last := math.Log(crit.Of(e.sigma)), math.Inf(1)
			for _, p := range []int{8, 32, 128, 512} {
				f := crit.smooth(make([]float64, len(e.sigma)), e.sigma, p)
				if f < exact-1e-9 || f > last+1e-12 || f-exact > 2*math.Log(float64(len(e.sigma)))/float64(p)+1e-9 {
					t.Fatalf("%s, order %d: %g for ln %g", crit, p, f, exact)
				}
				last = f
			}
		}
	}
}

// The quick spectrum is that of the singular value decomposition, and gives way to it
// where columns nearly depend on each other.
func TestQuickSpectrum(t *testing.T) {
	r := elbow()
	e := spaceOf(t, Problem{Model: base(t, r, regressor.DefaultTerms()...), Limits: LimitsOf(r)})
	rng := rand.New(rand.NewPCG(5, 5))
	for _, shrink := range []float64{1, 1e-7} {
		z := e.s.draw(rng, e.limits)
		e.rowsAt(z)
		// Two columns that differ by little.
		for row := range e.w[0] {
			e.w[1][row] = e.w[0][row] + shrink*e.w[1][row]
		}
		if !e.decompose(true) {
			t.Fatal("no decomposition")
		}
		sigma, v := slices.Clone(e.sigma), mat.DenseCopyOf(&e.v)
		if !e.decomposeQuickly(true) {
			t.Fatal("no quick decomposition")
		}
		n := len(sigma)
		for i, s := range sigma {
			if math.Abs(e.sigma[i]-s) > 1e-8*s {
				t.Errorf("singular value %d: %.12g, quickly %.12g", i+1, s, e.sigma[i])
			}
		}
		along := 0.0
		for c := range n {
			along += v.At(c, n-1) * e.v.At(c, n-1)
		}
		if math.Abs(math.Abs(along)-1) > 1e-7 {
			t.Errorf("the weakest direction has a cosine of %g with itself", along)
		}
	}
}

// Criteria of order two by the inverse of the columns' products, and their sensitivities, are those of singular values, to the
// error that both may have; the value with means is the criterion's or less. Columns that nearly depend on each other are refused.
func TestCriterionByInverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, crit := range []Criterion{ConditionNumber, DOptimal, AOptimal, EOptimal} {
		e := spaceOf(t, Problem{Model: base(t, elbow(), regressor.DefaultTerms()...), Limits: LimitsOf(elbow()), Criterion: crit})
		n := len(e.use)
		for range 5 {
			e.rowsAt(e.s.draw(rng, e.limits))
			quick, full, slope := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), make([]float64, n)
			if !crit.byInverse(2) || !e.products() {
				t.Fatal("no products")
			}
			f, value, ok := e.smoothByInverse(quick, crit)
			if !ok || !e.decomposeProducts(true) {
				t.Fatalf("%s: no inverse", crit)
			}
			want := crit.smooth(slope, e.sigma, 2)
			e.sensitivity(full, slope)
			if math.Abs(f-want) > 2*squareError*max(1, math.Abs(want)) || value > crit.Of(e.sigma)*(1+2*squareError) {
				t.Errorf("%s: %.12g, want %.12g; means %g of %g", crit, f, want, value, crit.Of(e.sigma))
			}
			var off mat.Dense
			if off.Sub(quick, full); mat.Norm(&off, 2) > 2*squareError*mat.Norm(full, 2) {
				t.Errorf("%s: sensitivities differ by %g of %g", crit, mat.Norm(&off, 2), mat.Norm(full, 2))
			}
		}
		for row := range e.w[0] {
			e.w[1][row] = e.w[0][row] + 1e-7*e.w[1][row]
		}
		if !e.products() {
			t.Fatal("no products")
		}
		if _, _, ok := e.smoothByInverse(mat.NewDense(n, n, nil), crit); ok {
			t.Errorf("%s: an inverse where columns depend on each other", crit)
		}
	}
}

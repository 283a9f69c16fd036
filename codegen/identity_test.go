package codegen

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// slope is the five-point derivative at 0 of a function of time. Its error is
// the fifth derivative times h⁴/30 and rounding over h: with rates of the
// order of 1 both are below 1e-9 of the values' size.
func slope(f func(t float64) []float64) []float64 {
	const h = 1e-3
	a, b, c, d := f(-2*h), f(-h), f(h), f(2*h)
	out := make([]float64, len(a))
	for i := range out {
		out[i] = (a[i] - 8*b[i] + 8*c[i] - d[i]) / (12 * h)
	}
	return out
}

// at returns the motion at a time near 0 that has the state's accelerations.
func (s state) at(t float64) state {
	moved := s
	moved.q, moved.dq = make([]float64, len(s.q)), make([]float64, len(s.q))
	for i := range s.q {
		moved.q[i] = s.q[i] + t*s.dq[i] + t*t/2*s.ddq[i]
		moved.dq[i] = s.dq[i] + t*s.ddq[i]
	}
	return moved
}

// d/dt(D1) + D2 = D and dh/dt = dqᵀ·D, for every tree.
func TestModelsAreOneModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 11))
		r := testrobot.RandomSpecial(rng, rapid.IntRange(1, 6).Draw(t, "links"), true)
		if len(r.Moving()) == 0 {
			return
		}
		terms := []regressor.Term{regressor.Links, regressor.Ia}
		numeric, err := regressor.NewDynamic(r, terms)
		if err != nil {
			t.Fatal(err)
		}
		s := randomState(rng, r, numeric.Columns())
		run := func(m Model) func(s state) [][]float64 {
			p, err := Build(t.Context(), m, r, Options{Terms: terms})
			if err != nil {
				t.Fatal(err)
			}
			return func(s state) [][]float64 { return p.Eval(s.inputs(t, r, p, nil)) }
		}
		d := run(DynamicRegressor)(s)[0]
		filtered, energy := run(FilteredRegressor), run(EnergyRegressor)
		size := 0.0
		for _, v := range d {
			size = max(size, v, -v)
		}
		near := func(what string, got, want []float64) {
			for i := range want {
				if e := got[i] - want[i]; !(max(e, -e) <= 1e-7*(1+size)) {
					t.Fatalf("%s: entry %d is %.12g, want %.12g", what, i, got[i], want[i])
				}
			}
		}
		sum := slope(func(x float64) []float64 { return filtered(s.at(x))[0] })
		for i, v := range filtered(s)[1] {
			sum[i] += v
		}
		near("d/dt(D1) + D2", sum, d)
		near("dh/dt", slope(func(x float64) []float64 { return energy(s.at(x))[0] }), run(PowerRegressor)(s)[0])
	})
}

// Smooth friction is the law's at rates far above, by the error that is stated, and zero at rest.
func TestSmoothReversals(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	r := testrobot.Random(rng, 2, false)
	terms := []regressor.Term{regressor.Fs}
	const width = 0.1
	sharp, smooth := build(t, Bias, r, Options{Terms: terms}), build(t, Bias, r, Options{Terms: terms, Smooth: width})
	for _, c := range []struct{ rate, least, most float64 }{{0, 0, 0}, {5 * width, 0.0190, 0.0195}, {10 * width, 0.0049, 0.0051}} {
		torque := func(p *symbolic.Program) float64 {
			in := make([]float64, len(p.Inputs))
			for i, x := range p.Inputs {
				switch {
				case x.Kind == symbolic.Parameter:
					in[i] = 1
				case x.Group == "dq":
					in[i] = c.rate
				}
			}
			return p.Eval(in)[0][0]
		}
		if less := torque(sharp) - torque(smooth); !(less >= c.least && less <= c.most) {
			t.Errorf("at %g: smooth friction is less by %g, stated %g … %g", c.rate, less, c.least, c.most)
		}
	}
}

// The observer's step is the discrete filter of the momenta and of the other torques, written out with the sample before.
func TestObserverStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	robots := append(closedRobots(t), testrobot.Random(rng, 3, false))
	for range 8 {
		robots = append(robots, testrobot.RandomSpecial(rng, 6, true))
	}
	for _, r := range robots {
		if len(r.Independent()) > 0 {
			testObserverStep(t, rng, r)
		}
	}
}

func testObserverStep(t *testing.T, rng *rand.Rand, r *robot.Robot) {
	t.Helper()
	p, f := build(t, ObserverStep, r, Options{Terms: allTerms}), build(t, MomentumRegressor, r, Options{Terms: allTerms})
	const k, period = 50.0, 2e-3
	const pole, gain, slope = (1 - k*period/2) / (1 + k*period/2), k * period / 2 / (1 + k*period/2), k / (1 + k*period/2)
	numeric, err := regressor.NewDynamic(r, allTerms)
	if err != nil {
		t.Fatal(err)
	}
	s := randomState(rng, r, numeric.Columns())
	if r.Closed() {
		s = closedState(t, rng, r, numeric)
	}
	n := len(s.q)
	z, want, lastP, lastU := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for step := range 6 {
		m := s.at(float64(step) * period)
		now := f.Eval(m.inputs(t, r, f, nil))
		in := make([]float64, len(p.Inputs))
		tau := make([]float64, n)
		for i := range tau {
			tau[i] = rng.NormFloat64()
		}
		known := m.inputs(t, r, f, nil)
		at := map[string]float64{}
		for i, x := range f.Inputs {
			at[x.Name] = known[i]
		}
		for i, x := range p.Inputs {
			switch {
			case x.Name == "k":
				in[i] = k
			case x.Name == "T":
				in[i] = period
			case x.Group == "z":
				in[i] = z[x.Index]
			case x.Group == "tau":
				in[i] = tau[x.Index]
			case x.Kind == symbolic.Parameter:
				in[i] = s.chi[x.Index]
			default:
				in[i] = at[x.Name]
			}
		}
		out := p.Eval(in)
		for i := range n {
			momentum, u := 0.0, -tau[i]
			for c, x := range s.chi {
				momentum += now[0][i*len(s.chi)+c] * x
				u += now[1][i*len(s.chi)+c] * x
			}
			if step > 0 {
				want[i] = pole*want[i] + gain*(u+lastU[i]) + slope*(momentum-lastP[i])
			} else {
				want[i] = gain*u + slope*momentum // the state before is zero
			}
			lastP[i], lastU[i] = momentum, u
			if d := out[0][i] - want[i]; !(max(d, -d) <= 1e-9*(1+max(want[i], -want[i]))) {
				t.Fatalf("%s, step %d, joint %d: %.15g, written out %.15g", r.Name, step, i, out[0][i], want[i])
			}
		}
		copy(z, out[1])
	}
}

// The step of the filtered model is the discrete filter of D1 and D2, written
// out with the samples before.
func TestFilteredStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	r := testrobot.Random(rng, 3, false)
	p, f := build(t, FilteredStep, r, Options{Terms: allTerms}), build(t, FilteredRegressor, r, Options{Terms: allTerms})
	const a, period = 20.0, 1e-3
	const kappa = 2 / period
	const pole, gain = (kappa - a) / (kappa + a), a * a / (kappa + a) / (kappa + a)
	var z []float64
	for _, o := range p.Outputs {
		if o.Name == "z_next" {
			z = make([]float64, len(o.Entries))
		}
	}
	numeric, err := regressor.NewDynamic(r, allTerms)
	if err != nil {
		t.Fatal(err)
	}
	s := randomState(rng, r, numeric.Columns())
	n := f.Outputs[0].Rows * f.Outputs[0].Cols
	d1, d2, y := make([][3]float64, n), make([][3]float64, n), make([][3]float64, n)
	for k := range 12 {
		m := s.at(float64(k) * period)
		now := f.Eval(m.inputs(t, r, f, nil))
		want := make([]float64, n)
		for i := range n {
			d1[i] = [3]float64{now[0][i], d1[i][0], d1[i][1]}
			d2[i] = [3]float64{now[1][i], d2[i][0], d2[i][1]}
			want[i] = 2*pole*y[i][0] - pole*pole*y[i][1] + gain*(kappa*(d1[i][0]-d1[i][2])+d2[i][0]+2*d2[i][1]+d2[i][2])
			y[i] = [3]float64{want[i], y[i][0], y[i][1]}
		}
		in := make([]float64, len(p.Inputs))
		for i, x := range p.Inputs {
			switch x.Group {
			case "filter":
				in[i] = [2]float64{a, period}[x.Index]
			case "z":
				in[i] = z[x.Index]
			case "q":
				in[i] = m.q[x.Index]
			case "dq":
				in[i] = m.dq[x.Index]
			}
		}
		out := p.Eval(in)
		compare(t, "W", out[0], want)
		z = out[1]
	}
}

// Programs carry names, units and kinds of their inputs, and Bind bakes values
// in.
func TestProgramDescribesItself(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	r := testrobot.Random(rng, 2, false)
	p := build(t, InverseDynamics, r, Options{Terms: allTerms, Gravity: true})
	seen := map[string]int{}
	values := map[string]float64{}
	for _, in := range p.Inputs {
		if in.Index != seen[in.Group] {
			t.Errorf("input %s is number %d of %s, want %d", in.Name, in.Index, in.Group, seen[in.Group])
		}
		seen[in.Group]++
		if in.Doc == "" || in.Unit == "" {
			t.Errorf("input %s has no description or unit", in.Name)
		}
		if in.Kind == symbolic.Parameter || in.Kind == symbolic.Gravity {
			values[in.Name] = in.Value
		}
	}
	for group, n := range map[string]int{"q": 2, "dq": 2, "ddq": 2, "K": 48, "g": 3} {
		if seen[group] != n {
			t.Errorf("%d inputs in group %s, want %d", seen[group], group, n)
		}
	}
	numeric, err := regressor.NewDynamic(r, allTerms)
	if err != nil {
		t.Fatal(err)
	}
	s := randomState(rng, r, numeric.Columns())
	own := make([]float64, len(numeric.Columns()))
	for i, c := range numeric.Columns() {
		own[i], _ = regressor.ValueOf(r, c)
	}
	baked, err := p.Bind(t.Context(), values)
	if err != nil {
		t.Fatal(err)
	}
	if len(baked.Inputs) != 6 {
		t.Errorf("%d inputs are left", len(baked.Inputs))
	}
	compare(t, "baked in", baked.Eval(s.inputs(t, r, baked, nil))[0], p.Eval(s.inputs(t, r, p, own))[0])
}

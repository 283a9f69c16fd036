package judge

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/filter"
	"ident/internal/triangle"
)

func draw(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = rng.NormFloat64()
	}
	return x
}

// The residual that ridge regression leaves of a fold is that of a regression to the rows of the other folds.
func TestLeftOutIsRefitted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 59))
	const n, lambda = 24, 0.3
	from := []int{0, 5, 5, 14, 24} // one fold has no rows
	var features [][]float64
	for range 30 {
		features = append(features, draw(rng, n))
	}
	k := linear(features...)
	var without [][]float64
	for range len(from) - 1 {
		without = append(without, draw(rng, n))
	}
	s := newInverse(n)
	if !s.of(k, lambda) {
		t.Fatal("not positive")
	}
	got := s.leftOut(from, [][][]float64{without})[0]
	for f := range len(from) - 1 {
		var rest []int
		for i := range n {
			if i < from[f] || i >= from[f+1] {
				rest = append(rest, i)
			}
		}
		a, b := square(len(rest)), make([]float64, len(rest))
		for x, i := range rest {
			for y, l := range rest {
				a[x][y] = k[i][l]
			}
			a[x][x] += lambda
			b[x] = without[f][i]
		}
		coef := slices.Clone(b)
		if !triangle.Cholesky(a, make([]float64, len(a))) {
			t.Fatal("not positive")
		}
		triangle.SolveCholesky(a, coef)
		for i := from[f]; i < from[f+1]; i++ {
			want := without[f][i]
			for x, l := range rest {
				want -= k[i][l] * coef[x]
			}
			if math.Abs(got[i]-want) > 1e-9 {
				t.Errorf("row %d: %.12g, refitted %.12g", i, got[i], want)
			}
		}
	}
	if s.of(k, -1e6) {
		t.Error("a matrix that is not positive")
	}
}

// The floor by differences is the squared error left out of the true model: that of its noise, behind the low-pass.
func TestFloorIsTheNoise(t *testing.T) {
	const rate, cutoff, n = 200.0, 5.0, 120000
	sos, err := filter.Butterworth(2, cutoff, rate)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		ar   float64
	}{{"white", 0}, {"AR(.8)", 0.8}} {
		rng := rand.New(rand.NewPCG(2, 59))
		x := draw(rng, n)
		for k := 1; k < n; k++ {
			x[k] += c.ar * x[k-1]
		}
		var work filter.Work
		sos.ZeroPhaseColumns([][]float64{x}, &work)
		const lag = int(Lag / cutoff * rate)
		truth := Squares(x, nil)
		// A slow error of the model, three times the noise, hardly adds to it.
		slow := 3 * math.Sqrt(truth)
		for k := range x {
			x[k] += slow * math.Sin(2*math.Pi*0.05*float64(k)/rate)
		}
		if f := Floor(x[:n-lag], x[lag:]) / truth; !(math.Abs(f-1) < 0.1) {
			t.Errorf("%s noise: floor %.3f of the noise", c.name, f)
		}
		if s := Squares(x, nil) / truth; !(s > 5) {
			t.Errorf("%s noise: the squares, %.3f of the noise, lack the slow error", c.name, s)
		}
	}
	if !math.IsNaN(Floor([]float64{1}, []float64{math.NaN()})) {
		t.Error("no pair of rows has a floor")
	}
}

// A row of leverage ½ counts two thirds if all rows are independent, and half if two rows are one.
func TestWeightsOfLeverage(t *testing.T) {
	w := Weights([]float64{0, 0.5, -1e-18}, 1)
	if w[0] != 1 || math.Abs(w[1]-2.0/3) > 1e-15 || w[2] != 1 {
		t.Errorf("%v", w)
	}
	if w := Weights([]float64{0.5}, 2)[0]; w != 0.5 {
		t.Errorf("%v", w)
	}
	if s := Squares([]float64{1, 2}, []float64{1, 0.5}); math.Abs(s-2) > 1e-15 {
		t.Errorf("squares %v, by hand 2", s)
	}
}

// bench is a fit of one joint without columns: rows of two seconds in eight folds, whose states repeat every second.
type bench struct {
	rows  Rows
	joint Joint
	n     int
	slow  []float64 // a pattern of the state, of unit mean square
	quick []float64 // orthogonal to it in every fold, a column of the fit's equation
	noise []float64
}

func newBench(seconds float64) *bench {
	const folds, blocks, each = 8, 24, 8
	b := &bench{n: blocks * each}
	rng := rand.New(rand.NewPCG(3, 59))
	b.rows.From = []int{0}
	var q, v, a, sign []float64
	for f := range folds {
		for block := f; block < blocks; block += folds {
			for i := range each {
				at := float64(block*each+i) / float64(b.n) * seconds
				b.rows.Time = append(b.rows.Time, at)
				w := 2 * math.Pi * float64(i) / each
				q, v, a = append(q, math.Sin(w)), append(v, math.Cos(w)), append(a, -math.Sin(w))
				sign = append(sign, math.Copysign(1, math.Cos(w)))
				b.slow = append(b.slow, math.Sqrt2*math.Sin(w))
				b.quick = append(b.quick, math.Sqrt2*math.Cos(2*w))
			}
		}
		b.rows.From = append(b.rows.From, len(q))
	}
	b.noise = draw(rng, b.n)
	b.rows.States = States{[][]float64{q}, [][]float64{v}, [][]float64{a}, [][]float64{sign}, []bool{true}}
	b.joint = Joint{Independent: float64(b.n), Velocity: v, Sign: sign, Columns: [][]float64{b.quick}}
	return b
}

// of returns the reference of a residual with some noise.
func (b *bench) of(noise float64, residual func(k int) float64) *Reference {
	j := b.joint
	x := make([]float64, b.n)
	for k := range x {
		x[k] = residual(k) + noise*b.noise[k]
	}
	j.Torque = x
	for range len(b.rows.From) - 1 {
		j.Without = append(j.Without, x)
	}
	return NewReference(b.rows, []Joint{j})
}

// Of two orthogonal effects of unequal size, one in a column of the equation and one not, the equation's own columns take the first.
func TestTwoOrthogonalColumns(t *testing.T) {
	b := newBench(40)
	none := make([]float64, b.n)
	j := b.joint
	j.Velocity, j.Sign = none, none
	b.rows.States = States{[][]float64{none}, [][]float64{none}, [][]float64{none}, [][]float64{none}, []bool{false}} // only the column is known
	x := make([]float64, b.n)
	for k := range x {
		x[k] = 2*b.quick[k] + b.slow[k]
	}
	j.Torque = x
	for range len(b.rows.From) - 1 {
		j.Without = append(j.Without, x)
	}
	r := NewReference(b.rows, []Joint{j})
	// Sums of squares by hand: 5, then 1.
	if want := math.Log(5); !(math.Abs(r.Flexible()[0]-want) < 1e-3) {
		t.Errorf("its own column removes %.5f, by hand %.5f", r.Flexible()[0], want)
	}
	if !(math.Abs(r.Squares[0]-1) < 1e-12) {
		t.Errorf("squares %v of the torque's own", r.Squares[0])
	}
	// A cause that takes one of them: ln 5 and ln 5/4 of what is there; the other half of the sum.
	if v := r.Attest([]float64{1.0 / 5}); !(math.Abs(v.Explains-1) < 1e-3) {
		t.Errorf("the cause explains %.4f", v.Explains)
	}
	if v, want := r.Attest([]float64{4.0 / 5}), math.Log(5.0/4)/math.Log(5); !(math.Abs(v.Explains-want) < 1e-3) || v.Attested {
		t.Errorf("the other explains %.4f, by hand %.4f", v.Explains, want)
	}
}

// What follows the state is static, what follows the time is not, and noise is neither. If no state comes back, nothing tells.
func TestClass(t *testing.T) {
	b := newBench(40)
	static := b.of(0.3, func(k int) float64 { return b.slow[k] })
	drift := b.of(0.3, func(k int) float64 { return 0.2 * (b.rows.Time[k] - 20) })
	noise := b.of(1, func(int) float64 { return 0 })
	if static.Class() != Static || drift.Class() != InTime {
		t.Errorf("%s, %s: %.2f %.2f, %.2f %.2f", static.Class(), drift.Class(), static.static, static.inTime, drift.static, drift.inTime)
	}
	if g := noise.Flexible()[0]; !(g < 0.1) {
		t.Errorf("kernels learn %.3f of noise", g)
	}
	if g := static.Flexible()[0]; !(g > 2) {
		t.Errorf("kernels learn %.3f of a function of the state", g)
	}
	for k := range b.rows.States.Q[0] { // a joint that goes on and on
		b.rows.States.Q[0][k], b.rows.States.V[0][k], b.rows.States.A[0][k], b.rows.States.Sign[0][k] = b.rows.Time[k], b.rows.Time[k], 0, 1
	}
	b.rows.States.Revolute[0] = false
	if c := b.of(0.3, func(k int) float64 { return 0.2 * (b.rows.Time[k] - 20) }).Class(); c != Unclear {
		t.Errorf("%s, though no state comes back", c)
	}
}

// A cause is attested if it removes enough at the worst joint, of every joint, and of what a flexible model removes.
func TestAttest(t *testing.T) {
	r := &Reference{Squares: []float64{0.1, 0.01}, Floor: []float64{0.001, 0.01 / math.E}, best: []float64{math.Log(100), 0.1}, Independent: []float64{50, 50}}
	for _, c := range []struct {
		name    string
		squares []float64
		want    bool
	}{
		{"the true one", []float64{0.001, 0.01 / math.E}, true},
		{"nothing", []float64{0.1, 0.01}, false},
		{"the worst joint alone", []float64{0.001, 0.01}, true},
		{"the worst joint, and spoils the other", []float64{0.001, 0.1}, false},
		{"half of the worst joint", []float64{0.0095, 0.01}, false},
		{"most of it", []float64{0.002, 0.01}, true},
	} {
		if v := r.Attest(c.squares); v.Attested != c.want {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
	// A cause that takes something fast, which differences do not see, shows a lower floor by itself.
	fast := &Reference{Squares: []float64{0.1}, Floor: []float64{0.09}, best: []float64{0}, Independent: []float64{50}}
	if v := fast.Attest([]float64{0.01}); !v.Attested || math.Abs(v.Before-math.Log(10)) > 1e-12 {
		t.Errorf("a fast error: %+v", v)
	}
	// Where no joint has an excess, the flexible model alone tells.
	small := &Reference{Squares: []float64{0.1}, Floor: []float64{0.04}, best: []float64{0.5}, Independent: []float64{50}}
	if v := small.Attest([]float64{0.066}); !v.Attested {
		t.Errorf("four fifths of what a flexible model removes: %+v", v)
	}
	if v := small.Attest([]float64{0.08}); v.Attested {
		t.Errorf("less than half of it: %+v", v)
	}
	if !fast.Healthy() || r.Healthy() {
		t.Error("four and a half above a floor, or a tenth, is healthy")
	}
	// A joint at which a flexible model learns more than of any sound log asks for its part, also if it has no excess over its floor.
	blind := &Reference{Squares: []float64{0.1, 0.01}, Floor: []float64{0.001, 0.01 / 1.5}, best: []float64{math.Log(100), learned + 0.1}, Independent: []float64{50, 50}}
	if v := blind.Attest([]float64{0.001, 0.01}); v.Attested {
		t.Errorf("one of two joints that a flexible model explains: %+v", v)
	}
	if v := blind.Attest([]float64{0.001, 0.01 / math.E / 1.2}); !v.Attested {
		t.Errorf("both joints: %+v", v)
	}
	// What a flexible model finds below a floor is noise.
	low := &Reference{Squares: []float64{0.1, 0.05}, Floor: []float64{0.003, 0.002}, best: []float64{5.5, 5}, Independent: []float64{50, 50}}
	if v := low.Attest([]float64{0.0029, 0.0021}); !v.Attested {
		t.Errorf("at both floors: %+v", v)
	}
	if v := low.Attest([]float64{0.0029, 0.02}); v.Attested {
		t.Errorf("at one of two floors: %+v", v)
	}
	// A joint whose error is of the size of what models leave asks for nothing, however much of it is learned.
	minor := &Reference{Squares: []float64{0.1, 0.9 * matters * matters}, Floor: []float64{0.003, 0.0001}, best: []float64{3.5, 4}, Independent: []float64{50, 500}}
	if v := minor.Attest([]float64{0.004, 0.9 * matters * matters}); !v.Attested {
		t.Errorf("beside a minor error: %+v", v)
	}
	if !(&Reference{Squares: []float64{0.1}, Floor: []float64{0.06}, best: []float64{0.1}, Independent: []float64{50}}).Blind() || r.Blind() {
		t.Error("a reference is blind without an excess and with less than 20 nats")
	}
	// A third of a torque's changes is no noise, whatever else goes.
	large := &Reference{Squares: []float64{2}, Floor: []float64{1.9}, best: []float64{0.1}, Independent: []float64{50}}
	if v := large.Attest([]float64{0.2}); v.Attested {
		t.Errorf("a fifth of the torque's variance stays: %+v", v)
	}
}

// An excess is one that no sound log has: far above the floor, or above it and learned by a flexible model; and no error of a small part
// of the torque.
func TestExcess(t *testing.T) {
	of := func(squares, ln, learns float64) bool {
		r := &Reference{Squares: []float64{squares}, Floor: []float64{squares / math.Exp(ln)}, best: []float64{learns}, Independent: []float64{50}}
		return r.Excess()
	}
	if r := (&Reference{Squares: []float64{0.08}, Floor: []float64{0.0044}, best: []float64{2.3}, Independent: []float64{50}}); !r.Excess() || r.Large() {
		t.Error("the wrist of a UR10e from point to point has no excess, or one that no sound log has")
	}
	if !of(0.01, 3.1, 0) || !of(0.01, 2.1, 2.1) || of(0.01, 2.5, 1.8) || of(0.01, 1.9, 4) || of(0.002, 5, 5) {
		t.Error(of(0.01, 3.1, 0), of(0.01, 2.1, 2.1), of(0.01, 2.5, 1.8), of(0.01, 1.9, 4), of(0.002, 5, 5))
	}
}

// Left-out residuals a little above their floors are noise, as far as chance goes: three standard deviations 2/√n of the logarithm of the ratio.
func TestNoise(t *testing.T) {
	for _, c := range []struct {
		over, rows float64
		noise      bool
	}{{0, 10, true}, {0.29, 400, true}, {0.31, 400, false}, {1.8, 10, true}, {2, 10, false}, {0.31, 300, true}} {
		r := &Reference{Squares: []float64{0.5, 0.5 * math.Exp(c.over)}, Floor: []float64{0.5, 0.5}, Independent: []float64{100, c.rows}}
		if r.Noise() != c.noise {
			t.Errorf("%+v", c)
		}
	}
}

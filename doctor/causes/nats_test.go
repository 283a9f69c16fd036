package causes

import (
	"math"
	"testing"
)

// byHand is a trial of one joint whose rows are patterns of eight, orthogonal in every fold: a constant that is fitted, and beside it
// slow and alternating parts of the torque. All sums are then known: those of squares are the rows times the squares of the amplitudes.
type byHand struct {
	*trial
	slow, quick, other []float64 // patterns of unit mean square
}

func newByHand(slow, quick, other float64) byHand {
	const blocks = 80
	var rows []row
	for b := range blocks {
		for i := range 8 {
			rows = append(rows, row{at: 8*b + i, block: b, fold: b % folds})
		}
	}
	n := len(rows)
	p := byHand{trial: &trial{joints: []int{0}, desk: new(desk), neff: []float64{50}}, slow: make([]float64, n), quick: make([]float64, n), other: make([]float64, n)}
	ones, y := make([]float64, n), make([]float64, n)
	p.rows, p.order = newOrder(rows)
	for k := range n {
		i := p.rows[k].at % 8
		ones[k] = 1
		p.slow[k], p.quick[k], p.other[k] = sign(i < 4), sign(i%2 == 0), sign(i%4 < 2)
		y[k] = 3 + slow*p.slow[k] + quick*p.quick[k] + other*p.other[k]
	}
	p.y = [][]float64{y}
	p.design = newDesign(&p.order, p.desk, columns{{ones}}, p.joints, nil)
	p.factors = p.design.factor([]float64{1}, nil)
	p.left = p.factors.residuals(p.y)
	p.share = shares(p.left, p.y)
	return p
}

func sign(up bool) float64 {
	if up {
		return 1
	}
	return -1
}

// Evidence in nats is half the independent rows times the fall of the logarithm of the squared error on rows left out, less half a nat a
// column and the logarithm of the number of hypotheses of the kind.
func TestNatsByHand(t *testing.T) {
	const slow, quick, other = 2.0, 1.0, 0.5
	whole := slow*slow + quick*quick + other*other
	for _, c := range []struct {
		name   string
		cols   func(p byHand) [][]float64
		left   float64 // squared amplitude that remains
		number float64
		rows   float64 // independent ones
		coef   []float64
	}{
		// Less than a fifth of the logarithm: the rows are those of the fit without the cause, which is told 50.
		{"a small part", func(p byHand) [][]float64 { return [][]float64{p.other} }, whole - other*other, 1, 50, []float64{other}},
		{"one of many", func(p byHand) [][]float64 { return [][]float64{p.other} }, whole - other*other, 40, 50, []float64{other}},
		// What alternates has no correlation above zero: every row counts.
		{"two orthogonal columns", func(p byHand) [][]float64 { return [][]float64{p.slow, p.other} }, quick * quick, 1, 640, []float64{slow, other}},
		{"two of seven", func(p byHand) [][]float64 { return [][]float64{p.slow, p.other} }, quick * quick, 7, 640, []float64{slow, other}},
	} {
		p := newByHand(slow, quick, other)
		h := &hypothesis{Cause: Cause{Kind: c.name}}
		for _, x := range c.cols(p) {
			h.cols = append(h.cols, [][]float64{x})
		}
		p.judge([]*hypothesis{h}, map[string]float64{c.name: c.number})
		want := c.rows/2*math.Log(whole/c.left) - float64(len(h.cols))/2 - math.Log(c.number)
		// The ridges take a millionth of the amplitudes.
		if !(math.Abs(h.nats-want) < 1e-5*c.rows) {
			t.Errorf("%s: %.6f nats, %.6f by hand", c.name, h.nats, want)
		}
		if gain := 1 - c.left/whole; !(math.Abs(h.gain-gain) < 1e-5 && math.Abs(h.weighed-gain) < 1e-5) {
			t.Errorf("%s: gains %.6f, %.6f, %.6f by hand", c.name, h.gain, h.weighed, gain)
		}
		for i, v := range c.coef {
			if !(math.Abs(h.coef[i]-v) < 1e-5) {
				t.Errorf("%s: coefficient %d is %.6f, %.6f by hand", c.name, i+1, h.coef[i], v)
			}
		}
	}
}

// The evidence of two orthogonal effects of one torque adds up but for the price, if the rows count alike.
func TestNatsOfOrthogonalColumns(t *testing.T) {
	p := newByHand(0, 1, 0.2)
	of := func(cols ...[]float64) float64 {
		h := &hypothesis{Cause: Cause{Kind: "x"}}
		for _, x := range cols {
			h.cols = append(h.cols, [][]float64{x})
		}
		p.judge([]*hypothesis{h}, map[string]float64{"x": 1})
		return h.nats
	}
	// A column without any part of the torque costs half a nat and brings none.
	if with, without := of(p.other, p.slow), of(p.other); !(math.Abs(without-with-0.5) < 1e-4) {
		t.Errorf("%.6f nats beside a useless column, %.6f without", with, without)
	}
	if nothing := of(p.slow); !(math.Abs(nothing+0.5) < 1e-4) {
		t.Errorf("a useless column has %.6f nats, want -0.5", nothing)
	}
}

// A row of two neighbours that are alike counts half, and rows that alternate count whole.
func TestEffectiveRows(t *testing.T) {
	pairs, quick := make([]float64, 4000), make([]float64, 4000)
	starts := make([]bool, len(pairs))
	starts[0] = true
	state := uint64(7)
	for k := range pairs {
		if k%2 == 0 {
			state = state*6364136223846793005 + 1442695040888963407
		}
		pairs[k] = float64(state>>11)/(1<<53) - 0.5
		quick[k] = sign(k%2 == 0)
	}
	// The correlation of neighbours is a half, then none: rows over 1 + 2·½. Its error is some two per cent, 1/√n.
	if got := effective(pairs, starts) / float64(len(pairs)); !(math.Abs(got-0.5) < 0.05) {
		t.Errorf("pairs count %.3f", got)
	}
	if got := effective(quick, starts); got != float64(len(quick)) {
		t.Errorf("%g of %d alternating rows", got, len(quick))
	}
}

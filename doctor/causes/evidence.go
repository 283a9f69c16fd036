package causes

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"ident/internal/lanes"
	"ident/internal/triangle"
)

// hypothesis is a cause, as columns in addition to those of the fit. Each column has a part for each joint, nil for
// none.
type hypothesis struct {
	Cause
	cols     [][][]float64
	place    int  // in the list of linear
	nuisance bool // an effect that is no fault: it is never named if another hypothesis has most of its evidence
	drives   bool // of a shift: friction drives the robot after it
	need     float64
	rows     func(t *trial) changedRows // of a change of motion or torques that is no column; nil for others
	evidence
}

// evidence is how much better rows left out are predicted with a hypothesis.
type evidence struct {
	nats, gain, weighed float64
	left                float64   // part of the columns that the fit does not have
	coef                []float64 // of all rows
	gamma               [folds][]float64
	at                  []int       // its columns in the pool
	after               [][]float64 // residuals left out, by equation
	shares, ratios      []float64   // their sums of squares over that of the torque, and over those of the fit without it
}

// pool holds all columns under test, with those of the fit projected out.
type pool struct {
	t      *trial
	cols   [][][]float64 // unique, by joint
	scale  []float64
	on     [folds]matrix // coefficients on the fit's columns by the other folds, a row for each
	inner  [folds]func(a, b int) float64
	moment [folds][]float64 // C⊥ᵀy of the other folds
	all    func(a, b int) float64
	raw    func(a, b int) float64
	allY   []float64
}

// judge computes the evidence of all hypotheses. number counts the tested hypotheses of each kind.
func (t *trial) judge(hyps []*hypothesis, number map[string]float64) {
	p := &pool{t: t}
	index := map[*float64]int{}
	for _, h := range hyps {
		for _, col := range h.cols {
			var key *float64
			for _, x := range col {
				if x != nil {
					key = &x[0]
					break
				}
			}
			if key == nil {
				continue
			}
			i, ok := index[key]
			if !ok || !same(p.cols[i], col) {
				i = len(p.cols)
				index[key] = i
				p.cols = append(p.cols, col)
			}
			h.at = append(h.at, i)
		}
	}
	if len(p.cols) == 0 {
		return
	}
	p.project()
	for _, h := range hyps {
		p.judge(h, number[h.Kind])
	}
}

func same(a, b [][]float64) bool {
	for j := range a {
		if (a[j] == nil) != (b[j] == nil) || a[j] != nil && &a[j][0] != &b[j][0] {
			return false
		}
	}
	return true
}

// faint: a column smaller than this, in standard deviations of the torques' errors, is rounding error and is ignored.
const faint = 1e-6

// project makes all columns orthogonal to those of the fit, once for each fold with that fold's rows left out.
func (p *pool) project() {
	t := p.t
	n, m := len(t.rows), len(p.cols)
	p.scale = make([]float64, m)
	which := make([][]int, len(t.joints))
	parts := make([][][]float64, len(t.joints))
	for i, col := range p.cols {
		s := 0.0
		for e, j := range t.joints {
			if col[j] != nil {
				s += lanes.SumSquares(col[j]) * t.factors.weights[e] * t.factors.weights[e]
			}
		}
		p.scale[i] = math.Sqrt(s)
		if !(p.scale[i] > faint*math.Sqrt(float64(n))) || math.IsInf(p.scale[i], 0) {
			p.scale[i] = 0
		}
	}
	for e, j := range t.joints {
		for i, col := range p.cols {
			if col[j] != nil && p.scale[i] > 0 {
				which[e] = append(which[e], i)
				parts[e] = append(parts[e], col[j])
			}
		}
	}
	s, d := t.factors, t.design
	var bc [folds]matrix // products with the columns of the fit, a row for each column here
	var turned matrix
	total := newMatrix(m, d.columns)
	var cy [folds][]float64
	p.allY = make([]float64, m)
	widest := 0
	for e := range d.equations {
		widest = max(widest, len(which[e])*max(len(d.equations[e].cols), 1))
	}
	out := make([]float64, widest)
	for f := range folds {
		bc[f], cy[f] = newMatrix(m, d.columns), make([]float64, m)
		from, to := t.order.from[f], t.order.from[f+1]
		for e := range d.equations {
			eq, w := &d.equations[e], s.weights[e]*s.weights[e]
			if len(which[e]) == 0 || from == to {
				continue
			}
			own := cut(&d.desk.a, parts[e], from, to)
			if k := len(eq.cols); k > 0 {
				d.desk.work.Dots(out, k, own, cut(&d.desk.b, eq.x, from, to))
				for a, i := range which[e] {
					row, by := bc[f].row(i), w/p.scale[i]
					for b, c := range eq.cols {
						row[c] += by * out[a*k+b]
					}
				}
			}
			d.desk.work.Dots(out, 1, own, [][]float64{t.y[e][from:to]})
			for a, i := range which[e] {
				cy[f][i] += w / p.scale[i] * out[a]
			}
		}
		lanes.Axpy(total.data, 1, bc[f].data)
		lanes.Axpy(p.allY, 1, cy[f])
	}
	// products are the weighted raw products of two columns, by fold and in all.
	known := map[[2]int]*[folds + 1]float64{}
	products := func(a, b int) *[folds + 1]float64 {
		if a > b {
			a, b = b, a
		}
		if v := known[[2]int{a, b}]; v != nil {
			return v
		}
		v := new([folds + 1]float64)
		known[[2]int{a, b}] = v
		if p.scale[a] == 0 || p.scale[b] == 0 {
			return v
		}
		for e, j := range t.joints {
			x, y := p.cols[a][j], p.cols[b][j]
			if x == nil || y == nil {
				continue
			}
			w := s.weights[e] * s.weights[e] / (p.scale[a] * p.scale[b])
			for f := range folds {
				from, to := t.order.from[f], t.order.from[f+1]
				sum := w * dot(x[from:to], y[from:to])
				v[f] += sum
				v[folds] += sum
			}
		}
		return v
	}
	py := s.project(one(t.y))
	// solved are the coefficients of the columns on those of the fit, a row for each column here.
	solved := func(u *upper, products matrix) matrix {
		turned = products.transposed(turned)
		u.solve(turned)
		return turned.transposed(matrix{})
	}
	x := solved(s.ofAll(), total)
	ball := s.solve(py)
	p.raw = func(a, b int) float64 { return products(a, b)[folds] }
	p.all = func(a, b int) float64 { return products(a, b)[folds] - dot(total.row(a), x.row(b)) }
	moments := p.allY
	p.allY = make([]float64, m)
	for i := range m {
		p.allY[i] = moments[i] - dot(total.row(i), ball.data)
	}
	if t.whole {
		p.on[0], p.inner[0], p.moment[0] = x, p.all, p.allY
		return
	}
	beta := s.solutions(py)
	for f := range folds {
		train := bc[f]
		for i, v := range total.data {
			train.data[i] = v - train.data[i]
		}
		x := solved(&s.without[f], train)
		p.on[f] = x
		p.inner[f] = func(a, b int) float64 {
			both := products(a, b)
			return both[folds] - both[f] - dot(train.row(a), x.row(b))
		}
		p.moment[f] = make([]float64, m)
		for i := range m {
			p.moment[f][i] = moments[i] - cy[f][i] - dot(train.row(i), beta[f].data)
		}
	}
}

func dot(x, y []float64) float64 {
	return blas64.Dot(blas64.Vector{N: len(x), Inc: 1, Data: x}, blas64.Vector{N: len(y), Inc: 1, Data: y})
}

// columnRidge is added to the diagonal of a hypothesis' normal matrix, whose columns have unit norm, to keep it regular.
const columnRidge = 1e-6

// judge sets the evidence of one hypothesis. number is the count of hypotheses of its kind.
func (p *pool) judge(h *hypothesis, number float64) {
	t, k := p.t, len(h.at)
	if k == 0 {
		return
	}
	kept, whole := 0.0, 0.0
	for _, i := range h.at {
		if p.scale[i] > 0 {
			kept += max(p.all(i, i), 0)
			whole += p.raw(i, i)
		}
	}
	if whole > 0 {
		h.left = kept / whole
	}
	h.coef = solveSmall(k, func(a, b int) float64 { return p.all(h.at[a], h.at[b]) }, func(a int) float64 { return p.allY[h.at[a]] })
	for f := range folds {
		if p.inner[f] == nil {
			continue
		}
		h.gamma[f] = solveSmall(k, func(a, b int) float64 { return p.inner[f](h.at[a], h.at[b]) }, func(a int) float64 { return p.moment[f][h.at[a]] })
	}
	for a, i := range h.at {
		if p.scale[i] > 0 {
			h.coef[a] /= p.scale[i]
		}
	}
	if h.Kind == Saturated && h.coef[0] > 0 { // a torque that grows more and more towards its peak has no name
		h.nuisance = true
	}
	if h.left < notTestable {
		return
	}
	after := make([][]float64, len(t.joints))
	for e := range after {
		after[e] = p.residual(h, e)
	}
	h.after = after
	h.take(t, shares(after, t.y), after, float64(k)/2+math.Log(number))
}

// notTestable: if less than this part of a hypothesis' columns is orthogonal to the fit, the fit absorbs the cause, and the log
// cannot test it.
const notTestable = 1e-5

// whiter: if a hypothesis lowers the logarithm of a torque's squared error by more than this, the number of independent
// rows is taken from the residual that remains with the hypothesis.
const whiter = 0.2

// take computes nats and gains from the residuals with the hypothesis.
func (v *evidence) take(t *trial, share []float64, after [][]float64, cost float64) {
	v.nats, v.shares, v.ratios = -cost, share, nil
	logs, before, now := 0.0, 0.0, 0.0
	for e, s := range share {
		v.ratios = append(v.ratios, s/t.share[e])
		l := math.Log(t.share[e] / s)
		neff := t.neff[e]
		if l > whiter && len(after[e]) == len(t.rows) {
			// A wrong model leaves slow errors, which hold few independent rows. With the right model only noise
			// remains.
			neff = max(neff, effective(t.order.inTime(after[e]), t.order.starts))
		}
		v.nats += neff / 2 * l
		logs += l
		a, b := rms(t.left[e]), rms(after[e])
		before += a * a
		now += b * b
	}
	v.gain = 1 - math.Exp(-logs/float64(len(share)))
	v.weighed = 1 - now/max(before, math.SmallestNonzeroFloat64)
}

// residual returns the residual of an equation with a hypothesis, on rows left out: C⊥ = C − B·x there, where x·γ is
// computed first.
func (p *pool) residual(h *hypothesis, e int) []float64 {
	t := p.t
	out := append([]float64(nil), t.left[e]...)
	eq := &t.design.equations[e]
	sum, coef := make([]float64, t.design.columns), make([]float64, len(eq.cols))
	for f := range folds {
		from, to := t.order.from[f], t.order.from[f+1]
		if from == to {
			continue
		}
		clear(sum)
		for a, i := range h.at {
			g := h.gamma[f][a]
			if p.scale[i] == 0 {
				continue
			}
			lanes.Axpy(sum, g, p.on[f].row(i))
			if x := p.cols[i][t.joints[e]]; x != nil {
				lanes.Axpy(out[from:to], -g/p.scale[i], x[from:to])
			}
		}
		for a, c := range eq.cols {
			coef[a] = sum[c]
		}
		lanes.CombineFrom(out[from:to], coef, eq.x, from)
	}
	return out
}

// solveSmall solves a small symmetric system, regular by columnRidge.
func solveSmall(k int, a func(i, j int) float64, b func(i int) float64) []float64 {
	rows, x := make([][]float64, k), make([]float64, k)
	for i := range k {
		rows[i], x[i] = make([]float64, i+1), b(i)
		for j := range i {
			rows[i][j] = a(j, i)
		}
		rows[i][i] = max(a(i, i), 0) + columnRidge
	}
	triangle.Lower(rows, func(_ int, square float64) float64 { return math.Sqrt(max(square, columnRidge)) })
	triangle.SolveLower(rows, x)
	return x
}

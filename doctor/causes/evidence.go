package causes

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// hypothesis is a cause as columns beside those of the fit. Each column has a part for each joint, nil for none.
type hypothesis struct {
	Cause
	cols     [][][]float64
	nuisance bool // no fault: it never leads where another has most of its evidence
	need     float64
	evidence
}

// evidence of a hypothesis on rows that were left out.
type evidence struct {
	nats, gain, weighed float64
	left                float64   // part of the columns that the fit does not have
	coef                []float64 // of all rows
	gamma               [folds][]float64
	at                  []int       // its columns in the pool
	after               [][]float64 // residuals left out, by equation
}

// pool are all columns that are asked for, without those of the fit.
type pool struct {
	t      *trial
	cols   [][][]float64 // unique, by joint
	scale  []float64
	rest   sides // C⊥ on rows left out, by equation
	inner  [folds]func(a, b int) float64
	moment [folds][]float64 // C⊥ᵀy of the other folds
	all    func(a, b int) float64
	raw    func(a, b int) float64
	allY   []float64
}

// judge gives all hypotheses their evidence.
func (t *trial) judge(hyps []*hypothesis) {
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
	number := map[string]float64{}
	for _, h := range hyps {
		number[h.Kind]++
	}
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
	n, m := len(t.order.rows), len(p.cols)
	p.scale = make([]float64, m)
	c := make(sides, len(t.joints))
	which := make([][]int, len(t.joints))
	for i, col := range p.cols {
		s := 0.0
		for e, j := range t.joints {
			if col[j] != nil {
				r := rms(col[j]) * t.factors.weights[e]
				s += r * r
			}
		}
		p.scale[i] = math.Sqrt(s * float64(n))
		if !(p.scale[i] > faint*math.Sqrt(float64(n))) || math.IsInf(p.scale[i], 0) {
			p.scale[i] = 0
		}
	}
	for e, j := range t.joints {
		for i, col := range p.cols {
			if col[j] != nil && p.scale[i] > 0 {
				which[e] = append(which[e], i)
			}
		}
		c[e] = blas64.General{Rows: n, Cols: len(which[e]), Stride: max(len(which[e]), 1), Data: make([]float64, n*max(len(which[e]), 1))}
		for a, i := range which[e] {
			x, by := p.cols[i][j], 1/p.scale[i]
			for k, r := range t.order.rows {
				c[e].Data[k*c[e].Stride+a] = by * x[r]
			}
		}
	}
	s, d := t.factors, t.design
	dense := func() blas64.General {
		return blas64.General{Rows: d.columns, Cols: m, Stride: m, Data: make([]float64, d.columns*m)}
	}
	var bc [folds]blas64.General
	total := dense()
	var cy [folds][]float64
	allY := make([]float64, m)
	for f := range folds {
		bc[f] = dense()
		cy[f] = make([]float64, m)
		for e := range d.equations {
			eq, w := &d.equations[e], s.weights[e]*s.weights[e]
			if len(which[e]) == 0 || t.order.from[f] == t.order.from[f+1] {
				continue
			}
			part := c.part(&t.order, e, f)
			if len(eq.cols) > 0 {
				out := blas64.General{Rows: len(eq.cols), Cols: part.Cols, Stride: part.Cols, Data: make([]float64, len(eq.cols)*part.Cols)}
				blas64.Gemm(blas.Trans, blas.NoTrans, w, eq.part(&t.order, f), part, 0, out)
				for a, col := range eq.cols {
					for b, i := range which[e] {
						bc[f].Data[col*m+i] += out.Data[a*part.Cols+b]
					}
				}
			}
			y := t.y[e][t.order.from[f]:t.order.from[f+1]]
			for k := range y {
				row := part.Data[k*part.Stride : k*part.Stride+part.Cols]
				for b, i := range which[e] {
					cy[f][i] += w * row[b] * y[k]
				}
			}
		}
		for i, v := range bc[f].Data {
			total.Data[i] += v
		}
		for i, v := range cy[f] {
			allY[i] += v
		}
	}
	position := make([]map[int]int, len(t.joints))
	for e := range which {
		position[e] = map[int]int{}
		for a, i := range which[e] {
			position[e][i] = a
		}
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
		for e := range c {
			x, ok := position[e][a]
			y, both := position[e][b]
			if !ok || !both {
				continue
			}
			part, st, w := c[e].Data, c[e].Stride, s.weights[e]*s.weights[e]
			for f := range folds {
				sum := 0.0
				for k := t.order.from[f]; k < t.order.from[f+1]; k++ {
					sum += part[k*st+x] * part[k*st+y]
				}
				v[f] += w * sum
				v[folds] += w * sum
			}
		}
		return v
	}
	py := s.project(one(t.y))
	beta := s.solutions(py)
	p.rest = newSides(len(c), n, m)
	for f := range folds {
		train := dense()
		for i, v := range total.Data {
			train.Data[i] = v - bc[f].Data[i]
		}
		x := dense()
		copy(x.Data, train.Data)
		solveColumns(s.without[f], x)
		from, to := t.order.from[f], t.order.from[f+1]
		p.inner[f] = func(a, b int) float64 {
			both := products(a, b)
			v := both[folds] - both[f]
			for r := range d.columns {
				v -= train.Data[r*m+a] * x.Data[r*m+b]
			}
			return v
		}
		p.moment[f] = make([]float64, m)
		for i := range m {
			p.moment[f][i] = allY[i] - cy[f][i]
		}
		for r := range d.columns {
			b := beta[f].Data[r]
			for i, v := range train.Data[r*m : (r+1)*m] {
				p.moment[f][i] -= v * b
			}
		}
		for e := range d.equations {
			eq := &d.equations[e]
			if from == to {
				continue
			}
			part := p.rest.part(&t.order, e, f)
			own := c.part(&t.order, e, f)
			for k := range to - from {
				for a, i := range which[e] {
					part.Data[k*m+i] = own.Data[k*own.Stride+a]
				}
			}
			if len(eq.cols) > 0 {
				coef := blas64.General{Rows: len(eq.cols), Cols: m, Stride: m, Data: make([]float64, len(eq.cols)*m)}
				for a, col := range eq.cols {
					copy(coef.Data[a*m:(a+1)*m], x.Data[col*m:(col+1)*m])
				}
				blas64.Gemm(blas.NoTrans, blas.NoTrans, -1, eq.part(&t.order, f), coef, 1, part)
			}
		}
	}
	x := dense()
	copy(x.Data, total.Data)
	solveColumns(s.all, x)
	ball := s.solve(py)
	p.raw = func(a, b int) float64 { return products(a, b)[folds] }
	p.all = func(a, b int) float64 {
		v := products(a, b)[folds]
		for r := range d.columns {
			v -= total.Data[r*m+a] * x.Data[r*m+b]
		}
		return v
	}
	p.allY = allY
	for r := range d.columns {
		b := ball.Data[r]
		for i, v := range total.Data[r*m : (r+1)*m] {
			p.allY[i] -= v * b
		}
	}
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
		h.gamma[f] = solveSmall(k, func(a, b int) float64 { return p.inner[f](h.at[a], h.at[b]) }, func(a int) float64 { return p.moment[f][h.at[a]] })
	}
	for a, i := range h.at {
		if p.scale[i] > 0 {
			h.coef[a] /= p.scale[i]
		}
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

// whiter: if a hypothesis lowers the logarithm of a torque's squared error by more than this, the number of independent rows is taken
// from the residual with the hypothesis.
const whiter = 0.2

// take sets nats and gains by the residuals with the hypothesis.
func (v *evidence) take(t *trial, share []float64, after [][]float64, cost float64) {
	v.nats = -cost
	logs, before, now := 0.0, 0.0, 0.0
	for e, s := range share {
		l := math.Log(t.share[e] / s)
		neff := t.neff[e]
		if l > whiter && len(after[e]) == len(t.rows) {
			// The error of a wrong model is slow, and has few independent rows; noise is what the right one leaves.
			neff = max(neff, effective(t.inTime(after[e]), t.starts))
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

// residual of an equation with a hypothesis, on rows left out.
func (p *pool) residual(h *hypothesis, e int) []float64 {
	t := p.t
	out := append([]float64(nil), t.left[e]...)
	g := p.rest[e]
	for f := range folds {
		for k := t.order.from[f]; k < t.order.from[f+1]; k++ {
			row := g.Data[k*g.Stride : (k+1)*g.Stride]
			for a, i := range h.at {
				out[k] -= h.gamma[f][a] * row[i]
			}
		}
	}
	return out
}

// solveColumns solves with a Cholesky factor for many right-hand sides.
func solveColumns(t blas64.Triangular, x blas64.General) {
	if x.Cols == 1 {
		v := blas64.Vector{N: x.Rows, Inc: 1, Data: x.Data}
		blas64.Trsv(blas.Trans, t, v)
		blas64.Trsv(blas.NoTrans, t, v)
		return
	}
	blas64.Trsm(blas.Left, blas.Trans, 1, t, x)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, t, x)
}

// solveSmall solves a small symmetric system, regular by columnRidge.
func solveSmall(k int, a func(i, j int) float64, b func(i int) float64) []float64 {
	m := make([]float64, k*k)
	x := make([]float64, k)
	for i := range k {
		x[i] = b(i)
		for j := i; j < k; j++ {
			v := a(i, j)
			m[i*k+j], m[j*k+i] = v, v
		}
		m[i*k+i] = max(m[i*k+i], 0) + columnRidge
	}
	for i := range k { // Cholesky, in the lower triangle
		for j := range i + 1 {
			s := m[i*k+j]
			for l := range j {
				s -= m[i*k+l] * m[j*k+l]
			}
			if i == j {
				m[i*k+i] = math.Sqrt(max(s, columnRidge))
			} else {
				m[i*k+j] = s / m[j*k+j]
			}
		}
	}
	for i := range k {
		for l := range i {
			x[i] -= m[i*k+l] * x[l]
		}
		x[i] /= m[i*k+i]
	}
	for i := k - 1; i >= 0; i-- {
		for l := i + 1; l < k; l++ {
			x[i] -= m[l*k+i] * x[l]
		}
		x[i] /= m[i*k+i]
	}
	return x
}

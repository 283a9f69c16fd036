package causes

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// ridge keeps the normal matrix regular, as a part of its diagonal.
const ridge = 1e-7

// factors are those of the normal matrices of a design under some weights: without each fold, and of all rows.
type factors struct {
	of      *design
	weights []float64 // of the equations
	without [folds]blas64.Triangular
	all     blas64.Triangular
	diag    []float64
}

// factor prepares fits with weights by equation.
func (d *design) factor(weights []float64) *factors {
	s := &factors{of: d, weights: weights, diag: make([]float64, d.columns)}
	var fold [folds][]float64
	p := d.columns
	total := make([]float64, p*p)
	for f := range folds {
		fold[f] = make([]float64, p*p)
		for i := range d.equations {
			e := &d.equations[i]
			w := weights[i] * weights[i]
			g := e.gram[f]
			for a, ca := range e.cols {
				to := fold[f][ca*p:]
				for b := a; b < len(e.cols); b++ {
					to[e.cols[b]] += w * g.Data[a*g.Stride+b]
				}
			}
		}
		for i, v := range fold[f] {
			total[i] += v
		}
	}
	for c := range p {
		s.diag[c] = total[c*p+c]
		if s.diag[c] == 0 {
			s.diag[c] = 1
		}
	}
	of := func(less []float64) blas64.Triangular {
		m := blas64.Symmetric{N: p, Stride: max(p, 1), Uplo: blas.Upper, Data: make([]float64, max(p*p, 1))}
		copy(m.Data, total)
		for i, v := range less {
			m.Data[i] -= v
		}
		for c := range p {
			m.Data[c*p+c] += ridge * s.diag[c]
			if total[c*p+c] == 0 {
				m.Data[c*p+c] = 1
			}
		}
		t, ok := lapack64.Potrf(m)
		for more := 1e-5; !ok && more < 1; more *= 100 {
			copy(m.Data, total)
			for i, v := range less {
				m.Data[i] -= v
			}
			for c := range p {
				m.Data[c*p+c] += more * s.diag[c]
			}
			t, ok = lapack64.Potrf(m)
		}
		return t
	}
	for f := range folds {
		s.without[f] = of(fold[f])
	}
	s.all = of(nil)
	return s
}

// sides are right-hand sides: a matrix for each equation, with a column each and the rows in the order of the folds.
type sides []blas64.General

func newSides(equations, rows, columns int) sides {
	s := make(sides, equations)
	for i := range s {
		s[i] = blas64.General{Rows: rows, Cols: columns, Stride: max(columns, 1), Data: make([]float64, rows*max(columns, 1))}
	}
	return s
}

// one makes right-hand sides of one column from those of each equation.
func one(y [][]float64) sides {
	s := make(sides, len(y))
	for i, x := range y {
		s[i] = blas64.General{Rows: len(x), Cols: 1, Stride: 1, Data: x}
	}
	return s
}

func (y sides) part(o *order, i, f int) blas64.General {
	from, to := o.from[f], o.from[f+1]
	g := y[i]
	return blas64.General{Rows: to - from, Cols: g.Cols, Stride: g.Stride, Data: g.Data[from*g.Stride : to*g.Stride]}
}

// projected are the weighted products of a design and right-hand sides: of each fold, and their sum.
type projected struct {
	fold [folds]blas64.General
	all  blas64.General
}

func (s *factors) project(y sides) *projected {
	d, k := s.of, y[0].Cols
	p := &projected{}
	zero := func() blas64.General {
		return blas64.General{Rows: d.columns, Cols: k, Stride: max(k, 1), Data: make([]float64, max(d.columns*k, 1))}
	}
	p.all = zero()
	buffer := make([]float64, d.columns*k)
	for f := range folds {
		p.fold[f] = zero()
		for i := range d.equations {
			e := &d.equations[i]
			if len(e.cols) == 0 || d.order.from[f+1] == d.order.from[f] {
				continue
			}
			w := s.weights[i] * s.weights[i]
			out := blas64.General{Rows: len(e.cols), Cols: k, Stride: k, Data: buffer[:len(e.cols)*k]}
			multiply(blas.Trans, w, e.part(d.order, f), y.part(d.order, i, f), 0, out)
			for a, c := range e.cols {
				to := p.fold[f].Data[c*k : (c+1)*k]
				for b, v := range out.Data[a*k : (a+1)*k] {
					to[b] += v
				}
			}
		}
		for i, v := range p.fold[f].Data {
			p.all.Data[i] += v
		}
	}
	return p
}

// multiply is c = alpha·op(a)·b + beta·c, of a single column as a vector.
func multiply(t blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	if b.Cols == 1 {
		blas64.Gemv(t, alpha, a, blas64.Vector{N: b.Rows, Inc: 1, Data: b.Data}, beta, blas64.Vector{N: c.Rows, Inc: 1, Data: c.Data})
		return
	}
	blas64.Gemm(t, blas.NoTrans, alpha, a, b, beta, c)
}

// solutions are coefficients: without each fold.
func (s *factors) solutions(p *projected) (out [folds]blas64.General) {
	for f := range folds {
		x := blas64.General{Rows: p.all.Rows, Cols: p.all.Cols, Stride: p.all.Stride, Data: make([]float64, len(p.all.Data))}
		for i, v := range p.all.Data {
			x.Data[i] = v - p.fold[f].Data[i]
		}
		solveColumns(s.without[f], x)
		out[f] = x
	}
	return out
}

// solve are the coefficients of all rows.
func (s *factors) solve(p *projected) blas64.General {
	x := blas64.General{Rows: p.all.Rows, Cols: p.all.Cols, Stride: p.all.Stride, Data: append([]float64(nil), p.all.Data...)}
	solveColumns(s.all, x)
	return x
}

// leftOut are the residuals of rows by the coefficients of the other folds.
func (s *factors) leftOut(y sides, x [folds]blas64.General) sides {
	d := s.of
	out := newSides(len(y), len(d.order.rows), y[0].Cols)
	for i := range d.equations {
		e := &d.equations[i]
		copy(out[i].Data, y[i].Data)
		if len(e.cols) == 0 {
			continue
		}
		k := y[0].Cols
		own := blas64.General{Rows: len(e.cols), Cols: k, Stride: k, Data: make([]float64, len(e.cols)*k)}
		for f := range folds {
			if d.order.from[f+1] == d.order.from[f] {
				continue
			}
			for a, c := range e.cols {
				copy(own.Data[a*k:(a+1)*k], x[f].Data[c*k:(c+1)*k])
			}
			multiply(blas.NoTrans, -1, e.part(d.order, f), own, 1, out.part(d.order, i, f))
		}
	}
	return out
}

// residuals are those of one right-hand side, on rows left out.
func (s *factors) residuals(y [][]float64) [][]float64 {
	r := s.leftOut(one(y), s.solutions(s.project(one(y))))
	left := make([][]float64, len(r))
	for i := range r {
		left[i] = r[i].Data
	}
	return left
}

// reweighted fits one right-hand side twice more with the weights of its left-out residuals.
func (d *design) reweighted(y [][]float64, weights []float64) (s *factors, left [][]float64) {
	for range 2 {
		s = d.factor(weights)
		left = s.residuals(y)
		weights = make([]float64, len(y))
		for i := range y {
			weights[i] = 1 / max(rms(left[i]), 1e-6*rms(y[i]), math.SmallestNonzeroFloat64*1e20)
		}
	}
	return s, left
}

// effective is the number of independent rows in a residual, in the order of the log: rows over 1 + 2Σρ up to the first
// correlation below 0.05. starts are the rows at which a track begins.
func effective(r []float64, starts []bool) float64 {
	n := len(r)
	if n == 0 {
		return 0
	}
	mu := mean(r)
	total := 0.0
	for _, v := range r {
		total += (v - mu) * (v - mu)
	}
	if total == 0 {
		return float64(n)
	}
	// begun[k] is the track of row k.
	begun := make([]int, n)
	at := 0
	for k := range n {
		if starts[k] {
			at = k
		}
		begun[k] = at
	}
	sum := 1.0
	for lag := 1; lag < n/2; lag++ {
		s, count := 0.0, 0
		for k := lag; k < n; k++ {
			if begun[k] != begun[k-lag] {
				continue
			}
			s += (r[k] - mu) * (r[k-lag] - mu)
			count++
		}
		if count == 0 {
			break
		}
		rho := s / total
		if rho < 0.05 {
			break
		}
		sum += 2 * rho
	}
	return float64(n) / sum
}

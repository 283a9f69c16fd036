package causes

import (
	"math"
	"slices"

	"ident/internal/lanes"
)

// ridge, times the diagonal, is added to the normal matrix to keep it regular.
const ridge = 1e-7

// factors are the triangular factors of a design's normal matrices under given weights: one without each fold, and one
// of all rows. Normal equations square the condition number of the columns. With columns of unit norm it is some
// hundred at random states, and thousands in a motion that excites little. Its square leaves six digits or more of a
// residual; evidence needs three. For still larger condition numbers, the ridge limits the effect of rounding.
type factors struct {
	of      *design
	weights []float64 // of the equations
	without [folds]upper
	all     upper            // of total; see ofAll
	stale   bool             // all is not yet the factor of total
	fold    [folds][]float64 // the normal matrices' parts
	total   []float64
}

// factor prepares fits with one weight per equation. It reuses the memory of s if that is not nil.
func (d *design) factor(weights []float64, s *factors) *factors {
	p, m := d.columns, strideOf(d.columns)
	if s == nil || s.all.n != p {
		s = new(factors)
		for f := range folds {
			s.fold[f], s.without[f] = make([]float64, p*m), newUpper(p)
		}
		s.total, s.all = make([]float64, p*m), newUpper(p)
	}
	s.of, s.weights = d, weights
	clear(s.total)
	d.desk.trained.addNormal(s.total, p)
	for f := range folds {
		fold := s.fold[f]
		clear(fold)
		if d.order.from[f] == d.order.from[f+1] {
			continue
		}
		d.normal(fold, f, weights)
		for c := range p {
			lanes.Axpy(s.total[c*m+c:(c+1)*m], 1, fold[c*m+c:(c+1)*m])
		}
	}
	for f := range folds {
		s.without[f].regular(s.total, s.fold[f])
	}
	s.stale = true
	return s
}

// ofAll returns the factor of all rows, which most refits do not need.
func (s *factors) ofAll() *upper {
	if s.stale {
		s.all.regular(s.total, nil)
		s.stale = false
	}
	return &s.all
}

// normal adds the normal matrix of a fold's rows to one whose rows have strideOf(columns) entries.
func (d *design) normal(to []float64, f int, weights []float64) {
	m := strideOf(d.columns)
	for i := range d.equations {
		e := &d.equations[i]
		if e.gram[f] == nil {
			continue
		}
		w, n := weights[i]*weights[i], len(e.cols)
		for a, ca := range e.cols {
			to, g := to[ca*m:(ca+1)*m], e.gram[f][a*n:(a+1)*n]
			for _, r := range e.runs {
				if from := max(r[0], a); from < r[1] {
					at := e.cols[from]
					lanes.Axpy(to[at:at+r[1]-from], w, g[from:r[1]])
				}
			}
		}
	}
}

// sides are right-hand sides: by equation and column.
type sides [][][]float64

// one returns right-hand sides with one column from those of each equation.
func one(y [][]float64) sides {
	s := make(sides, len(y))
	for i, x := range y {
		s[i] = [][]float64{x}
	}
	return s
}

// matrix stores its rows one after another.
type matrix struct {
	rows, cols int
	data       []float64
}

func newMatrix(rows, cols int) matrix { return matrix{rows, cols, make([]float64, rows*cols)} }

// resized returns a matrix in the memory of m, with any values.
func (m matrix) resized(rows, cols int) matrix {
	if cap(m.data) < rows*cols {
		return newMatrix(rows, cols)
	}
	return matrix{rows, cols, m.data[:rows*cols]}
}

// zeroed returns a matrix of zeros in the memory of m.
func (m matrix) zeroed(rows, cols int) matrix {
	m = m.resized(rows, cols)
	clear(m.data)
	return m
}

func (m matrix) row(i int) []float64 { return m.data[i*m.cols : (i+1)*m.cols] }

// transposed returns the transpose in the memory of out.
func (m matrix) transposed(out matrix) matrix {
	out = out.resized(m.cols, m.rows)
	for i := range m.rows {
		for j, v := range m.row(i) {
			out.data[j*m.rows+i] = v
		}
	}
	return out
}

// projected holds the weighted products of a design with right-hand sides, one row for each column of the design: of
// each fold, and their sum.
type projected struct {
	fold [folds]matrix
	all  matrix
}

// project returns the products with right-hand sides, in memory of the desk: they are valid until the next call.
func (s *factors) project(y sides) *projected {
	d, k := s.of, len(y[0])
	p := &d.desk.projected
	p.all = p.all.zeroed(d.columns, k)
	d.desk.dots = d.desk.dots.resized(d.columns, k)
	buffer := d.desk.dots.data
	for f := range folds {
		p.fold[f] = p.fold[f].zeroed(d.columns, k)
		from, to := d.order.from[f], d.order.from[f+1]
		for i := range d.equations {
			e := &d.equations[i]
			if len(e.cols) == 0 || to == from {
				continue
			}
			w := s.weights[i] * s.weights[i]
			if k == 1 {
				for a, c := range e.cols {
					p.fold[f].data[c] += w * dot(e.x[a][from:to], y[i][0][from:to])
				}
				continue
			}
			d.desk.work.Dots(buffer, k, cut(&d.desk.a, e.x, from, to), cut(&d.desk.b, y[i], from, to))
			for a, c := range e.cols {
				lanes.Axpy(p.fold[f].row(c), w, buffer[a*k:(a+1)*k])
			}
		}
		lanes.Axpy(p.all.data, 1, p.fold[f].data)
	}
	d.desk.trained.addMoments(p.all)
	return p
}

// solutions returns coefficients fitted without each fold, in memory of the desk: they are valid until the next call.
func (s *factors) solutions(p *projected) [folds]matrix {
	out := &s.of.desk.solutions
	for f := range folds {
		x := out[f].resized(p.all.rows, p.all.cols)
		for i, v := range p.all.data {
			x.data[i] = v - p.fold[f].data[i]
		}
		s.without[f].solve(x)
		out[f] = x
	}
	return *out
}

// solve returns the coefficients fitted to all rows.
func (s *factors) solve(p *projected) matrix {
	x := newMatrix(p.all.rows, p.all.cols)
	copy(x.data, p.all.data)
	s.ofAll().solve(x)
	return x
}

// leftOut returns the residuals of the rows of each fold, by the coefficients fitted to the other folds.
func (s *factors) leftOut(y sides, x [folds]matrix) sides {
	d := s.of
	out := make(sides, len(y))
	coef := make([]float64, d.columns)
	for i := range d.equations {
		e := &d.equations[i]
		for k, from := range y[i] {
			r := slices.Clone(from)
			for f := range folds {
				if d.order.from[f] == d.order.from[f+1] {
					continue
				}
				for a, c := range e.cols {
					coef[a] = -x[f].data[c*x[f].cols+k]
				}
				lanes.CombineFrom(r[d.order.from[f]:d.order.from[f+1]], coef[:len(e.cols)], e.x, d.order.from[f])
			}
			out[i] = append(out[i], r)
		}
	}
	return out
}

// residuals returns the residuals of one right-hand side on rows left out.
func (s *factors) residuals(y [][]float64) [][]float64 {
	r := s.leftOut(one(y), s.solutions(s.project(one(y))))
	left := make([][]float64, len(r))
	for i := range r {
		left[i] = r[i][0]
	}
	return left
}

// weightsOf returns the weights of equations from their residuals.
func weightsOf(left, y [][]float64) []float64 {
	weights := make([]float64, len(y))
	for i := range y {
		weights[i] = 1 / max(rms(left[i]), 1e-6*rms(y[i]), math.SmallestNonzeroFloat64*1e20)
	}
	return weights
}

// reweighted fits one right-hand side with weights, then again with weights from its residuals on rows left out.
func (d *design) reweighted(y [][]float64, weights []float64) (s *factors, left [][]float64) {
	s = d.factor(weights, nil)
	left = s.residuals(y)
	s = d.factor(weightsOf(left, y), s)
	return s, s.residuals(y)
}

// effective returns the number of independent rows in a residual, given in the order of the log: rows over 1 + 2Σρ up to
// the first correlation below 0.05. starts marks the rows at which a track begins.
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
	// begun[k] is the index of row k's track.
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

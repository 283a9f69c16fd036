package eigen

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"ident/internal/lanes"
)

// reflections are Householder's, which make a symmetric matrix A tridiagonal: A = Q·T·Qᵀ with Q = H₀·H₁·… and
// H_k = I - τ_k·v_k·v_kᵀ. A itself stays as it is: after k steps the rest of it is A - V·Wᵀ - W·Vᵀ (Dongarra, Sorensen and
// Hammarling, Journal of Computational and Applied Mathematics 27, 1989), so that all work is sums of multiples of rows, which
// stay in vector registers from the first row to the last. Rows and columns are counted from the last of the matrix: the
// iteration converges from the other end, and fails where the first numbers of T are far larger than the last.
type reflections struct {
	n, stride int
	tau       []float64
	a         [][]float64 // the matrix, both triangles, [row][column]
	wv        [][]float64 // w₀, v₀, w₁, v₁, …, [vector][row]
	vw        [][]float64 // their transpose with v before w: row i holds v₀[i], w₀[i], v₁[i], …
	v         [][]float64 // v₀, v₁, …
	factors   [][]float64 // columns of the triangular T with Q = I - V·T·Vᵀ
	products  [][]float64 // rows of Tᵀ·Vᵀ
	coef      []float64
	dots      []float64 // of v_k with v₀, w₀, v₁, …
}

// matrix returns rows of zeros that share one memory.
func matrix(rows, columns int) [][]float64 {
	memory, out := make([]float64, rows*columns), make([][]float64, rows)
	for i := range out {
		out[i] = memory[i*columns:][:columns:columns]
	}
	return out
}

func (h *reflections) resize(n, stride int) {
	double := whole(2 * n)
	*h = reflections{n: n, stride: stride, tau: make([]float64, n), a: matrix(n, stride), wv: matrix(2*n, stride), vw: matrix(n, double),
		factors: matrix(n, stride), products: matrix(n, stride), coef: make([]float64, 2*n), dots: make([]float64, double)}
	for k := range n {
		h.v = append(h.v, h.wv[2*k+1])
	}
}

// whole returns the number of entries, from a multiple of the lanes on, that hold the first k of a vector.
func whole(k int) int { return (k + together - 1) / together * together }

// tridiagonalize stores the diagonal of T in d and its n-1 neighbours in e, first rows first, of the matrix whose upper
// triangle is in upper. Without vectors the factors of Q are left out.
func (h *reflections) tridiagonalize(d, e, upper []float64, vectors bool) {
	n := h.n
	for i := range n {
		for j := i; j < n; j++ {
			x := upper[i*n+j]
			h.a[n-1-i][n-1-j], h.a[n-1-j][n-1-i] = x, x
		}
		clear(h.vw[i])
	}
	for k := range n {
		// Row k of the rest; entries before the diagonal are not read.
		from := k / together * together
		row, coef := h.products[0][from:], h.coef[:2*k]
		copy(row, h.a[k][from:])
		for j, x := range h.vw[k][:2*k] {
			coef[j] = -x
		}
		combine(row, coef, h.wv[:2*k], from)
		d[n-1-k] = row[k-from]
		w, v := h.wv[2*k], h.v[k]
		clear(w)
		clear(v)
		h.tau[k] = 0
		if k == n-1 {
			break
		}
		x := row[k+1-from : n-from]
		alpha, below := x[0], floats.Norm(x[1:], 2)
		e[n-2-k] = alpha
		if below == 0 {
			clear(h.factors[k])
			continue
		}
		beta := -math.Copysign(math.Hypot(alpha, below), alpha)
		e[n-2-k], h.tau[k] = beta, (beta-alpha)/beta
		for i, y := range x[1:] {
			v[k+2+i] = y / (alpha - beta)
		}
		v[k+1] = 1
		h.second(k, vectors)
	}
}

// second finds w_k of a reflector: w = p - τ/2·(pᵀv)·v with p = τ·(A - V·Wᵀ - W·Vᵀ)·v.
func (h *reflections) second(k int, vectors bool) {
	n, v, w := h.n, h.v[k], h.wv[2*k]
	from := (k + 1) / together * together
	combine(w[from:], v[k+1:n], h.a[k+1:n], from)
	dots := h.dots[:whole(2*k)]
	clear(dots)
	for i, x := range v[k+1 : n] {
		h.coef[i] = -x
	}
	combine(dots, h.coef[:n-k-1], h.vw[k+1:n], 0)
	combine(w[from:], dots[:2*k], h.wv[:2*k], from)
	clear(w[:k+1])
	floats.Scale(h.tau[k], w[k+1:n])
	floats.AddScaled(w[k+1:n], -h.tau[k]/2*floats.Dot(w[k+1:n], v[k+1:n]), v[k+1:n])
	for i := k + 1; i < n; i++ {
		h.vw[i][2*k], h.vw[i][2*k+1] = v[i], w[i]
	}
	if !vectors {
		return
	}
	// Column k of the triangle: -τ·T·Vᵀ·v above, τ on the diagonal. The products with the vectors before are in dots,
	// negative.
	column := h.factors[k]
	clear(column)
	for j := range k {
		h.coef[j] = h.tau[k] * dots[2*j]
	}
	combine(column[:whole(k)], h.coef[:k], h.factors[:k], 0)
	column[k] = h.tau[k]
}

// transposed stores the columns of Q in rows of the given stride, first columns and entries first, and overwrites A.
func (h *reflections) transposed(rows []float64) {
	n := h.n
	last := max(n-2, 0) // reflections that are not the identity
	for j := range last {
		clear(h.products[j])
		combine(h.products[j], h.factors[j][:j+1], h.v[:j+1], 0)
	}
	for i := range n {
		row := h.a[i]
		clear(row)
		row[i] = 1
		coef := h.coef[:min(i, last)]
		for j := range coef {
			coef[j] = -h.v[j][i]
		}
		combine(row, coef, h.products, 0)
		to := rows[(n-1-i)*h.stride:][:n]
		for j, x := range row[:n] {
			to[n-1-j] = x
		}
	}
}

// combine adds to dst the multiples of vectors, from one of their entries on.
func combine(dst, coef []float64, vectors [][]float64, from int) {
	lanes.CombineFrom(dst, coef, vectors[:len(coef)], from)
}

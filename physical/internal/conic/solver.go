package conic

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Limits of the iteration.
const (
	maxSteps    = 200
	refinements = 2
	// minStep: five shorter steps in a row end the iteration.
	minStep = 1e-6
)

// blockScaling is a block at the present point: the scalings of its cones, and the
// Hessian of prior and barrier in the coordinates in which S and Z of the bound are
// diagonal.
type blockScaling struct {
	bound, prior scaledPSD // of a matrix: X − εI with its dual, X with w·X⁻¹
	low, log     nonnegative
	congruence   [10][10]float64 // d ↦ G·d·Gᵀ of the bound, for matrices
	n            [4][4]float64   // G⁻¹ of the prior times G of the bound
	hessian      [10][10]float64
	chol         [10][10]float64 // lower Cholesky factor of hessian
	reducedRows  [][10]float64   // rows of C in these coordinates times chol⁻ᵀ
	rhs          [10]float64     // the block's part of the step's right-hand side
	q            [10]float64
	step         [10]float64 // of the block's variables, in these coordinates
}

// Solver is the state of the interior-point method.
type Solver struct {
	p         *Program
	Z         []float64
	affine    []float64 // (C;S)·z + (c₀;s₀)
	scalings  []blockScaling
	nonneg    []nonnegative     // constraints of one row
	cones     []secondOrderCone // constraints of four rows
	coneIndex []int             // by constraint: its place in nonneg or cones

	dz, dAffine []float64
	y           []float64 // multipliers of the rows; for constraints, minus their duals
	yNext       []float64 // y after a full step
	rhs         []float64
	residual    []float64
	unit        []float64
	newton      *mat.SymDense
	Steps       int
}

// NewSolver returns the solver of a program at its start, before the first step.
func NewSolver(p *Program) *Solver {
	n := len(p.Offset)
	h := &Solver{p: p, Z: p.start(), affine: make([]float64, n), scalings: make([]blockScaling, len(p.Blocks)), dz: make([]float64, p.Size),
		dAffine: make([]float64, n), y: make([]float64, n), yNext: make([]float64, n), rhs: make([]float64, n), residual: make([]float64, n), unit: make([]float64, n), newton: mat.NewSymDense(n, nil)}
	rows := 0
	for k := range p.Blocks {
		rows += len(p.Blocks[k].Rows)
	}
	all := make([][10]float64, rows)
	for k := range p.Blocks {
		n := len(p.Blocks[k].Rows)
		h.scalings[k].reducedRows, all = all[:n:n], all[n:]
	}
	for _, s := range p.Constraints {
		if s.Size == 1 {
			h.coneIndex = append(h.coneIndex, len(h.nonneg))
			h.nonneg = append(h.nonneg, nonnegative{})
		} else {
			h.coneIndex = append(h.coneIndex, len(h.cones))
			h.cones = append(h.cones, secondOrderCone{})
		}
	}
	p.AffineMap(h.affine, h.Z)
	// μ of the size of the objective at the prior, for each degree of the cones.
	h.initialiseDuals(max(1, p.Gradient(h.y, h.affine)/max(p.degree, 1)))
	return h
}

// initialiseDuals sets the duals to the central path's μ·S⁻¹.
func (h *Solver) initialiseDuals(mu float64) {
	for k := range h.p.Blocks {
		b, c := &h.p.Blocks[k], &h.scalings[k]
		switch b.Kind {
		case Semidefinite:
			s := Sym4(b.Variables(h.Z))
			c.prior.z = ShiftedInverse(&s, 0, mu+b.Weight)
			c.bound.z = ShiftedInverse(&s, h.p.Margin, mu)
		case Nonnegative:
			c.log.z = (mu + b.Weight) / h.Z[b.At]
			c.low.z = mu / h.Z[b.At]
		}
	}
	for k, s := range h.p.Constraints {
		if s.Size == 1 {
			p := &h.nonneg[h.coneIndex[k]]
			p.s = max(h.affine[s.At], 1)
			p.z = mu / p.s
			continue
		}
		p := &h.cones[h.coneIndex[k]]
		p.s = vec4(h.affine[s.At : s.At+4])
		if n := math.Sqrt(p.s[1]*p.s[1] + p.s[2]*p.s[2] + p.s[3]*p.s[3]); !(p.s[0] > 1.1*n) {
			p.s[0] = 1.1*n + 1
		}
		d := p.s.determinant()
		p.z = vec4{mu * p.s[0] / d, -mu * p.s[1] / d, -mu * p.s[2] / d, -mu * p.s[3] / d}
	}
}

// Minimise iterates until the duality gap is below tolerance times max(1, objective), and returns gap and objective.
// Long steps usually end far below the tolerance. If the condition number of the data is high, the scalings then lose
// their accuracy. So an iteration that fails is repeated from the start with a barrier weight that stops at half the
// tolerance.
func (h *Solver) Minimise(tolerance float64) (gap, value float64, err error) {
	if gap, value, err = h.iterate(tolerance, 0); err == nil {
		return gap, value, nil
	}
	again := NewSolver(h.p)
	if gap, value, second := again.iterate(tolerance, tolerance/2); second == nil {
		again.Steps += h.Steps
		*h = *again
		return gap, value, nil
	}
	return 0, 0, err
}

// iterate is Minimise where the complementarity aimed at is at least the part least of
// max(1, objective).
func (h *Solver) iterate(tolerance, least float64) (gap, value float64, err error) {
	short, after := 0, 0
	for limit := h.Steps + maxSteps; ; h.Steps++ {
		h.p.AffineMap(h.affine, h.Z)
		if err := h.updateScalings(); err != nil {
			return 0, 0, err
		}
		if gap, value = h.dualityGap(); gap <= tolerance*max(1, value) {
			return gap, value, nil
		}
		if h.Steps == limit {
			return 0, 0, fmt.Errorf("%d steps were not enough: a gap of %.3g at an objective of %.6g", maxSteps, gap, value)
		}
		if err := h.factorise(); err != nil {
			return 0, 0, err
		}
		mu := h.Barrier()
		// The complementarity is below the tolerance: the rest of the gap is rounding.
		if mu*h.p.degree < 0.1*tolerance*max(1, value) {
			if after++; after > 8 {
				if math.IsInf(gap, 1) {
					return 0, 0, errors.New("the search for feasible bodies found no bound, because the data hardly determine some bodies")
				}
				return 0, 0, fmt.Errorf("the search for feasible bodies stops %.3g short of its end, of %.6g", gap, value)
			}
		}
		h.computeStep(0, 0, 0)
		a := min(1, h.stepLength())
		sigma := min(1, math.Pow(h.barrier(a)/mu, 3))
		h.computeStep(max(sigma*mu, least*max(1, value)/max(h.p.degree, 1)), a*a, refinements)
		step := h.stepLength()
		if math.IsNaN(step) || math.IsNaN(sigma) {
			return 0, 0, fmt.Errorf("a step is not a number at barrier weight %.3g", mu)
		}
		// Close to the boundary only after a long affine step.
		step = min(1, (0.9+0.09*a)*step)
		if short++; step > minStep {
			short = 0
		}
		if short == 5 {
			return 0, 0, fmt.Errorf("no step along the Newton direction stays inside: barrier weight %.3g", mu)
		}
		h.update(step)
	}
}

// barrier returns the barrier weight μ after a times the last step: the sum of ⟨S, Z⟩
// over all cones, less its end value w for each degree of a prior, over the degree.
func (h *Solver) barrier(a float64) float64 {
	sum, degree := 0.0, h.p.degree
	for k := range h.p.Blocks {
		b, c := &h.p.Blocks[k], &h.scalings[k]
		switch b.Kind {
		case Nonnegative:
			sum += c.low.complementarity(a)
			if b.Quadratic == nil {
				sum += max(0, c.log.complementarity(a)-b.Weight)
				degree++
			}
		case Semidefinite:
			sum += c.bound.complementarity(a)
			if b.Quadratic == nil {
				sum += max(0, c.prior.complementarity(a)-4*b.Weight)
				degree += 4
			}
		}
	}
	for i := range h.nonneg {
		sum += h.nonneg[i].complementarity(a)
	}
	for i := range h.cones {
		sum += h.cones[i].complementarity(a)
	}
	return sum / max(degree, 1)
}

// Barrier returns the barrier weight μ of the present point.
func (h *Solver) Barrier() float64 { return h.barrier(0) }

func (h *Solver) update(a float64) {
	floats.AddScaled(h.Z, a, h.dz)
	for i := range h.y {
		h.y[i] += a * (h.yNext[i] - h.y[i])
	}
	for k := range h.p.Blocks {
		c := &h.scalings[k]
		switch h.p.Blocks[k].Kind {
		case Nonnegative:
			c.low.z += a * c.low.dz
			c.log.z += a * c.log.dz
		case Semidefinite:
			c.bound.update(a)
			if h.p.Blocks[k].Quadratic == nil {
				c.prior.update(a)
			}
		}
	}
	for i := range h.nonneg {
		v := &h.nonneg[i]
		v.s, v.z = v.s+a*v.ds, v.z+a*v.dz
	}
	for i := range h.cones {
		h.cones[i].update(a)
	}
}

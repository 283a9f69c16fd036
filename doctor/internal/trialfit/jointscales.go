package trialfit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/doctor/internal/projection"
	"ident/internal/triangle"
)

// Scale is the factor of one torque relative to the torque of the reference joint, which counts as right.
type Scale struct {
	K     int     // index into the joints of the stack
	Scale float64 // logged torque over true torque
	SD    float64 // standard deviation of the scale's logarithm; +Inf if the equations do not determine it
}

// Reference returns the joint of the stack whose own fit leaves the least part of its torque.
func (t *Stacked) Reference() int {
	best := 0
	for k, o := range t.Joints {
		if o.Sigma*t.Joints[best].Size() < t.Joints[best].Sigma*o.Size() {
			best = k
		}
	}
	return best
}

// Scales estimates the scales of all torques at once, with the stacked columns beside for other faults that scales
// could be mistaken for: with the own fit's prediction ŷ_j as column j, its coefficient is 1 - 1/s_j. A torque whose
// relation to the others the equations leave open cannot pull at the scales of others so. The covariance is A⁻¹·(Σ_j
// c_j·Vⱼᵀ·Vⱼ)·A⁻¹ with A = Vᵀ·V, V the columns as the model and those beside leave them, and c_j the residual variance
// of joint j's rows times the inflation for their correlation (White, Econometrica 48, 1980, with one variance a
// joint). Residuals that known has are taken from it; nil has none.
func (t *Stacked) Scales(reference int, beside [][]float64, known *Beside) []Scale {
	// The residuals of the columns after projection extend the basis to the space of both.
	wide := projection.Basis{Rows: t.Basis.Rows}
	var further [][]float64
	for i, v := range known.residuals(t, beside) {
		if projection.Norm(v) > projection.Dependent*projection.Norm(beside[i]) {
			further = append(further, v)
		}
	}
	wide.Offer(further...)
	n := len(t.Equations.T)
	columns := [][]float64{t.Rest}
	for k := range t.Joints {
		columns = append(columns, t.Predicted(k))
	}
	lefts := wide.Residuals(append([][]float64{t.Rest}, known.residuals(t, columns[1:])...)...)
	rest := lefts[0]
	noise := t.noiseWithin(&wide, beside)
	var out []Scale
	var v [][]float64
	for k := range t.Joints {
		left := lefts[k+1]
		if k == reference || projection.Norm(left) < 1e-3*projection.Norm(columns[k+1]) {
			continue // the others say nothing of it
		}
		if projection.Dot(left, left) < aboveNoise*noise[k] {
			continue // but noise
		}
		out, v = append(out, Scale{K: k}), append(v, left)
	}
	m := len(v)
	if m == 0 {
		return nil
	}
	products := t.products(v) // joint by joint
	a, b := mat.NewSymDense(m, nil), mat.NewVecDense(m, nil)
	for i := range m {
		b.SetVec(i, projection.Dot(v[i], rest))
	}
	for _, p := range products {
		a.AddSym(a, p)
	}
	for i, o := range out {
		a.SetSym(i, i, a.At(i, i)-noise[o.K])
		b.SetVec(i, b.AtVec(i)-noise[o.K])
	}
	var chol mat.Cholesky
	if !chol.Factorize(a) {
		return nil
	}
	var x mat.VecDense
	var inv mat.SymDense
	if chol.SolveVecTo(&x, b) != nil || chol.InverseTo(&inv) != nil {
		return nil
	}
	for i := range m {
		for r, w := range v[i] {
			rest[r] -= x.AtVec(i) * w
		}
	}
	middle := mat.NewSymDense(m, nil)
	share := float64(t.Rows-t.Basis.Rank()-wide.Rank()-m) / float64(t.Rows)
	for k, o := range t.Joints {
		part := rest[k*n : (k+1)*n]
		c := projection.Dot(part, part) / (share * float64(o.Rows)) * projection.Inflation(part)
		products[k].ScaleSym(c, products[k])
		middle.AddSym(middle, products[k])
	}
	var half, cov mat.Dense
	half.Mul(&inv, middle)
	cov.Mul(&half, &inv)
	for i := range out {
		out[i].SD = math.Inf(1)
		if s := 1 / (1 - x.AtVec(i)); s > 0 {
			out[i].Scale, out[i].SD = s, s*math.Sqrt(max(cov.At(i, i), 0))
		}
	}
	return out
}

// products returns, by joint, the inner products of stacked columns over the rows of the joint.
func (t *Stacked) products(cols [][]float64) []*mat.SymDense {
	n, m := len(t.Equations.T), len(cols)
	at, part := make([]int, m), make([][]float64, m)
	for i := range at {
		at[i] = i
	}
	var work triangle.Work
	var out []*mat.SymDense
	for k := range t.Joints {
		for i, c := range cols {
			part[i] = c[k*n : (k+1)*n]
		}
		g := make([]float64, m*m)
		work.Gram(g, m, at, part)
		out = append(out, mat.NewSymDense(m, g)) // those on and above the diagonal
	}
	return out
}

// Memory returns the friction of a joint that follows reversals over a distance, rad or m: Dahl's model (1968),
// whose state goes to the sign of the velocity as 1 - exp(-|Δq|/distance).
func (tr *Rows) Memory(j int, distance float64) []float64 {
	out := make([]float64, len(tr.T))
	state := 0.0
	for k := 1; k < len(out); k++ {
		d := tr.Q[j][k] - tr.Q[j][k-1]
		state += (projection.Sign(d) - state) * -math.Expm1(-math.Abs(d)/distance)
		out[k] = state
	}
	return out
}

// aboveNoise: the part of a prediction that the equations of all joints do not explain must exceed the prediction's
// noise by this factor.
const aboveNoise = 2.0

// noiseShifts is the number of shifted residuals from which noise is measured.
const noiseShifts = 2

// noiseWithin returns, for each joint of the stack, the squared noise of its own fit's prediction, as far as the
// equations of all joints and wide (which holds the columns beside) do not explain it. The noise is measured from the
// joint's own residual, shifted circularly in time: so it keeps its spectrum, and no motion can cause it.
func (t *Stacked) noiseWithin(wide *projection.Basis, beside [][]float64) []float64 {
	n := len(t.Equations.T)
	var cols [][]float64
	for k, o := range t.Joints {
		var own [][]float64
		for _, c := range beside {
			if part := c[k*n : (k+1)*n]; projection.Norm(part) > 0 {
				own = append(own, part)
			}
		}
		other := projection.Basis{Rows: n}
		for i, v := range o.Basis.Residuals(own...) {
			if projection.Norm(v) > projection.Dependent*projection.Norm(own[i]) {
				other.Offer(v)
			}
		}
		rest := other.Residual(o.Rest)
		for i := range noiseShifts {
			at := (i + 1) * n / (noiseShifts + 1)
			turned := o.Masked(slices.Concat(rest[at:], rest[:at]))
			left := o.Basis.Residual(turned)
			for r := range turned {
				turned[r] -= left[r]
			}
			col := make([]float64, t.Basis.Rows)
			t.Put(col, k, turned)
			cols = append(cols, col)
		}
	}
	out := make([]float64, len(t.Joints))
	for i, v := range wide.Residuals(t.Basis.Residuals(cols...)...) {
		k := i / noiseShifts
		o := t.Joints[k]
		out[k] += projection.Dot(v, v) / noiseShifts * float64(o.Rows) / float64(max(o.Rows-o.Basis.Rank(), 1))
	}
	return out
}

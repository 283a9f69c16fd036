package doctor

import (
	"math"
	"slices"

	"ident/baseparams"
	"ident/internal/triangle"
	"ident/regressor"
)

// searchRows is the number of rows of each joint by which an arrangement is judged.
const searchRows = 160

// arrangedEquations are the joints' equations in the base parameters under an arrangement, each joint's
// divided by the norm of its torque.
type arrangedEquations struct {
	columns int
	joints  []arrangedJoint // base to tip
}

// arrangedJoint is the equation of one joint.
type arrangedJoint struct {
	mask []int       // columns that can be non-zero
	cols [][]float64 // those of the mask
	y    []float64
}

// arranged evaluates the equations under an arrangement. Velocity, acceleration and Coulomb friction are
// filtered, their products are not: the motion is well below the low-pass.
func (s *arrangementSearch) arranged(a arrangement) *arrangedEquations {
	tr := s.fit.tr
	n := len(s.joints)
	every := max(1, len(tr.t)/searchRows)
	rows := (len(tr.t) + every - 1) / every
	take := func(x []float64, f func(v float64) float64) []float64 {
		y := make([]float64, 0, rows)
		for k := 0; k < len(x); k += every {
			y = append(y, f(x[k]))
		}
		return y
	}
	var q, dq, ddq, sign [][]float64
	for j := range n {
		i, s, d := a.from[j], a.sign[j], a.shift[j]
		times := func(v float64) float64 { return s * v }
		q = append(q, take(tr.q[i], func(v float64) float64 { return s*v + d }))
		dq, ddq = append(dq, take(tr.fdq[i], times)), append(ddq, take(tr.fddq[i], times))
		sign = append(sign, take(tr.fsgn[i], times))
	}
	model := tr.model
	if a.gravity != nil {
		full := s.withGravity(*a.gravity)
		model = full.Select(baseparams.QR(full, baseparams.Options{Seed: s.opt.Seed}).Base)
	}
	block := model.NewBlock(rows)
	model.Eval(block, q, dq, ddq, model.NewWorkspace())
	fits := map[int]*jointFit{}
	for _, o := range s.fit.joints {
		fits[o.joint] = o
	}
	eq := &arrangedEquations{columns: len(model.Columns())}
	for j := range n {
		o, ok := fits[a.effort[j]]
		if !ok {
			continue
		}
		// Rows are scaled apart from the sign, which is the torque's alone.
		scale := a.turn[j] / (rms(o.y) * math.Sqrt(float64(rows)))
		e := arrangedJoint{mask: model.Mask(j), y: take(o.y, func(v float64) float64 { return scale * v })}
		scale = 1 / (rms(o.y) * math.Sqrt(float64(rows)))
		for i, c := range e.mask {
			src := block.Joint[j][i]
			if col := model.Columns()[c]; col.Term == regressor.Fs && col.Drive == 0 && s.joints[j].link == col.Link {
				src = sign[j]
			}
			v := make([]float64, rows)
			for k, x := range src {
				if !o.lost[k*every] {
					v[k] = scale * x
				}
			}
			e.cols = append(e.cols, v)
		}
		eq.joints = append(eq.joints, e)
	}
	return eq
}

// residual is the sum of squares that the base parameters leave of the torques, each joint's as a part of
// its own.
func (eq *arrangedEquations) residual() float64 {
	var y []float64
	for _, e := range eq.joints {
		y = append(y, e.y...)
	}
	b := basis{rows: len(y)}
	for c := range eq.columns {
		v := make([]float64, 0, len(y))
		for _, e := range eq.joints {
			if i, ok := slices.BinarySearch(e.mask, c); ok {
				v = append(v, e.cols[i]...)
			} else {
				v = append(v, make([]float64, len(e.y))...)
			}
		}
		b.offer(v)
	}
	r := b.residual(y)
	return dot(r, r)
}

// boundDoubt is the error of a bound on the norm of a residual, as a part of the torques' norm: rounding of
// columns at 1e-15 of their norm, times coefficients of up to 1e6 for columns that are just independent (see
// dependent), times some ten columns at most that are so. Residuals that matter are far larger.
const boundDoubt = 1e-7

// exceed tells whether the residual is above a limit, without computing it. Rows are added from the tip to
// the base, where few columns are not zero: the residual only grows with further rows, and a wrong
// arrangement shows in the first joint or two. All columns count here, so the residual of independent ones
// alone is no smaller. False is no proof that it is below.
func (eq *arrangedEquations) exceed(limit float64) bool {
	size := 0.0
	for _, e := range eq.joints {
		size += dot(e.y, e.y)
	}
	limit = math.Sqrt(limit) + boundDoubt*math.Sqrt(size)
	f := triangle.New(eq.columns)
	var work triangle.Work
	cols := make([][]float64, eq.columns)
	for _, e := range slices.Backward(eq.joints) {
		zero := make([]float64, len(e.y))
		for c := range cols {
			cols[c] = zero
		}
		for i, c := range e.mask {
			cols[c] = e.cols[i]
		}
		f.Add(cols, e.y, &work)
		if math.Sqrt(f.RSS) > limit {
			return true
		}
	}
	return false
}

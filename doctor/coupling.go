package doctor

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/doctor/internal/trialfit"
)

// Limits on couplings between drives.
const (
	// Couplings must explain more than half of the residual: four columns follow any structure a little.
	couplingShare = 0.5
	// The least contribution of a coupling to the torque, as a part of the torque's RMS.
	couplingEffect = 0.015
)

// couplings returns hypotheses that the drive also turns with another joint: columns for that joint's acceleration,
// velocity and friction of the sum. It skips pairs already coupled.
func couplings(rec *recording, tr *trialfit.Rows, o *trialfit.Joint, coupled map[trialfit.Pair]bool) []hypothesis {
	var out []hypothesis
	me := rec.joints[o.Index]
	for i, other := range rec.joints {
		if i == o.Index || rec.isStill(other) || rec.isStill(me) {
			continue
		}
		both := trialfit.PairOf(o.Index, i, 0)
		if coupled[both] {
			continue
		}
		for _, sign := range []float64{1, -1} {
			sum := tr.Sums[trialfit.PairOf(o.Index, i, sign)]
			if sum == nil {
				continue
			}
			out = append(out, hypothesis{
				cols:    [][]float64{tr.FDDQ[i], tr.FDQ[i], sum},
				share:   couplingShare,
				least:   couplingEffect,
				couples: both,
				finding: func(g trialfit.Gain) Finding {
					f := rec.about(Coupling, Warning, me.effort)
					f.Value, f.Limit = g.Effect/o.Size(), couplingEffect
					f.Where = "the whole log"
					f.couples = trialfit.PairOf(o.Index, i, sign)
					op := pick(sign > 0, "+", "-")
					f.Why = fmt.Sprintf("acceleration, velocity and friction of joint %s explain %.0f %% of what the model leaves of %s, %.2g %% of that torque: the motor of joint %s turns with both joints",
						other.name, 100*g.Share, me.effort.name, 100*f.Value, me.name)
					later := rec.joints[both.B].name
					first := rec.joints[both.A].name
					f.Fix = fmt.Sprintf("{couplings} \"%s=%s%s%s\"", later, first, op, later)
					f.Repair = Repair{Settings: []Setting{{Key: "couplings", Value: fmt.Sprintf("%s=%s%s%s", later, first, op, later)}}}
					columns := [][]float64{tr.FDDQ[i], tr.FDQ[i], sum}
					f.Tried = Trial{figure(ownLeftOut(tr, o, nil)), figure(ownLeftOut(tr, o, columns)), written}
					if !(f.Tried.ErrorAfter > 0) || f.Tried.ErrorAfter >= muchBetter*f.Tried.ErrorBefore {
						f.refute(f.Tried, fmt.Sprintf("on stretches left out the joint's equation leaves %.3g %% with it and %.3g %% without", 100*f.Tried.ErrorAfter, 100*f.Tried.ErrorBefore))
					}
					return f
				},
			})
		}
	}
	return out
}

// ownFolds is the number of stretches of a joint's own equation of which each is left out once.
const ownFolds = 8

// ownLeftOut returns the error of a joint's own equation with more columns on stretches left out, relative to its torque. It is +Inf if the
// rows do not determine it.
func ownLeftOut(tr *trialfit.Rows, o *trialfit.Joint, more [][]float64) float64 {
	var cols [][]float64
	for _, c := range append(append([][]float64{}, tr.W[o.Index]...), more...) {
		if m := o.Masked(c); mat.Norm(mat.NewVecDense(len(m), m), 2) > 0 {
			cols = append(cols, m)
		}
	}
	n, p := len(o.Y), len(cols)
	if p == 0 || n < ownFolds {
		return math.Inf(1)
	}
	var normal [ownFolds]*mat.SymDense
	var right [ownFolds]*mat.VecDense
	all, sum := mat.NewSymDense(p, nil), mat.NewVecDense(p, nil)
	for f := range ownFolds {
		from, to := f*n/ownFolds, (f+1)*n/ownFolds
		normal[f], right[f] = mat.NewSymDense(p, nil), mat.NewVecDense(p, nil)
		for a := range p {
			for b := a; b < p; b++ {
				normal[f].SetSym(a, b, mat.Dot(mat.NewVecDense(to-from, cols[a][from:to]), mat.NewVecDense(to-from, cols[b][from:to])))
			}
			right[f].SetVec(a, mat.Dot(mat.NewVecDense(to-from, cols[a][from:to]), mat.NewVecDense(to-from, o.Y[from:to])))
		}
		all.AddSym(all, normal[f])
		sum.AddVec(sum, right[f])
	}
	left, whole := 0.0, 0.0
	for f := range ownFolds {
		others, its := mat.NewSymDense(p, nil), mat.NewVecDense(p, nil)
		for a := range p {
			for b := a; b < p; b++ {
				others.SetSym(a, b, all.At(a, b)-normal[f].At(a, b))
			}
			others.SetSym(a, a, others.At(a, a)+rounding*all.At(a, a)) // columns that are combinations of others
			its.SetVec(a, sum.AtVec(a)-right[f].AtVec(a))
		}
		var factor mat.Cholesky
		var x mat.VecDense
		if !factor.Factorize(others) || factor.SolveVecTo(&x, its) != nil {
			return math.Inf(1)
		}
		for k := f * n / ownFolds; k < (f+1)*n/ownFolds; k++ {
			r := o.Y[k]
			for a := range p {
				r -= x.AtVec(a) * cols[a][k]
			}
			left, whole = left+r*r, whole+o.Y[k]*o.Y[k]
		}
	}
	return math.Sqrt(left / max(whole, math.SmallestNonzeroFloat64))
}

// rounding, of a column's square, is far below what a column that is known adds, and far above the rounding of the sums.
const rounding = 1e-9

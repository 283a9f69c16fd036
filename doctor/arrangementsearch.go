package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/regressor"
)

// Limits on the search for another arrangement of joints.
const (
	// The search is made where the joints' equations together leave this many times the residual of each
	// alone, or where one alone leaves this part of its torque.
	searchAgainst = 2
	searchOwn     = 0.25
	// Rows that it looks at.
	searchRows = 160
	// Part of the sum of squares that another arrangement may leave at most. The parameters are fitted anew
	// in each of a hundred, and where a poor model meets a thin motion one of them halves it by chance; the
	// right one leaves noise only, a hundredth and less.
	searchLeaves = 0.2
	// Of more joints only neighbours are exchanged, and beyond that no search is made: its cost grows with
	// the fifth power of their number.
	manyJoints = 8
	mostJoints = 12
)

// arrangementSearch looks for a joint order, a zero, a direction or a gravity that the robot file does not
// have but the log does.
type arrangementSearch struct {
	*recording
	fit *stackedFit
}

// leaves is the residual sum of squares of the base parameters under an arrangement, each joint's as a part
// of its torque's. Velocity, acceleration and Coulomb friction are filtered, their products are not: the
// motion is well below the low-pass.
func (s *arrangementSearch) leaves(a arrangement) float64 {
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
	ys, lost := map[int][]float64{}, map[int][]bool{}
	for _, o := range s.fit.joints {
		ys[o.joint], lost[o.joint] = o.y, o.lost
	}
	var with []int // joints with an equation
	var y []float64
	for j := range n {
		x, ok := ys[a.effort[j]]
		if !ok {
			continue
		}
		with = append(with, j)
		w := a.turn[j] / (rms(x) * math.Sqrt(float64(rows)))
		y = append(y, take(x, func(v float64) float64 { return w * v })...)
	}
	b := basis{rows: len(y)}
	for c, col := range model.Columns() {
		v := make([]float64, len(y))
		for at, j := range with {
			i, ok := slices.BinarySearch(model.Mask(j), c)
			if !ok {
				continue
			}
			src := block.Joint[j][i]
			if col.Term == regressor.Fs && col.Drive == 0 && s.joints[j].link == col.Link {
				src = sign[j]
			}
			w := 1 / (rms(ys[a.effort[j]]) * math.Sqrt(float64(rows)))
			for k, x := range src {
				if !lost[a.effort[j]][k*every] {
					v[at*rows+k] = w * x
				}
			}
		}
		b.offer(v)
	}
	r := b.residual(y)
	return dot(r, r)
}

// mirrored reports a position with the wrong sign, if that explains the friction that drives joint k of the
// stack.
func (s *arrangementSearch) mirrored(k int) (Finding, bool) {
	j := s.fit.joints[k].joint
	turned := s.asInFile()
	turned.turn[j] = -1
	flipped := s.flip(j, false)
	left, plain := s.leaves(flipped), s.leaves(s.asInFile())
	if left > searchLeaves*plain || left > 0.5*s.leaves(turned) {
		return Finding{}, false
	}
	return s.finding(flipped, left, plain), true
}

// best searches all arrangements, where the joints' equations are far from fitting.
func (s *arrangementSearch) best() (Finding, bool) {
	needed := false
	for k, o := range s.fit.joints {
		needed = needed || s.fit.misfit(k) > searchAgainst || o.sigma > searchOwn*o.size()
	}
	if n := len(s.fit.joints); !needed || n < 2 || n > mostJoints {
		return Finding{}, false
	}
	plain := s.leaves(s.asInFile())
	best, least := arrangement{}, searchLeaves*plain
	for _, a := range s.arrangements() {
		if left := s.leaves(a); left < least {
			best, least = a, left
		}
	}
	if best.id == "" {
		return Finding{}, false
	}
	return s.finding(best, least, plain), true
}

// finding reports an arrangement with its residual sum of squares and that of the robot file's.
func (s *arrangementSearch) finding(a arrangement, leaves, plain float64) Finding {
	f := Finding{ID: a.id, Severity: Error, Value: math.Sqrt(leaves / plain), Limit: math.Sqrt(searchLeaves), Where: "the whole log", Fix: a.fix, Repair: a.repair}
	if len(a.joints) > 0 {
		j := s.joints[a.joints[0]]
		f.Joint, f.Channel = j.name, j.q.name
	}
	f.Why = fmt.Sprintf("%s: the model then leaves %.2g of what it leaves now", a.text, f.Value)
	return f
}

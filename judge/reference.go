package judge

import (
	"math"
	"slices"
)

// Rows are the rows of a fit, fold after fold and in the order of time within each.
type Rows struct {
	From   []int     // fold f has the rows [From[f], From[f+1])
	Time   []float64 // s
	States States
}

// Joint is what a fit leaves of the equation of one joint.
type Joint struct {
	Torque   []float64   // by row
	Without  [][]float64 // by fold: residuals of all rows by the coefficients fitted without the fold
	Later    []float64   // residuals left out Lag/f_c after each row; NaN where the log has no such sample. nil: no floor by differences
	Leverage []float64   // of each row against the other folds' rows; nil for none
	// Independent is the number of independent rows.
	Independent float64
	Columns     [][]float64 // of the fit, those of this joint
	Velocity    []float64
	Sign        []float64
}

// left returns the residuals left out.
func (j *Joint) left(from []int) []float64 {
	out := make([]float64, len(j.Torque))
	for f := range len(from) - 1 {
		copy(out[from[f]:from[f+1]], j.Without[f][from[f]:from[f+1]])
	}
	return out
}

// Reference is how much there is to remove from what a fit leaves, by joint. All squares are parts of the torque's own variance.
type Reference struct {
	Squares []float64 // S⁰, left out
	Floor   []float64 // F, at most S⁰
	// Independent rows of each joint.
	Independent []float64

	static, inTime, best []float64 // ln S⁰/R that kernels of the state, of time, and the best of these and their sums remove
	class                Class
	rows                 Rows
	joints               []Joint // nil once the flexible model is known
	weights              [][]float64
	variance             []float64
}

// Class says what the excess of a residual follows.
type Class string

// Classes.
const (
	Static  Class = "static"  // the state: robot file, zeros, scales, couplings, friction law
	InTime  Class = "in-time" // the time: load, contact, drift, clock
	Unclear Class = "unclear" // the state does not come back, or both do as well
)

const (
	// mostRows is the largest number of rows of the flexible model: its cost grows with their cube.
	mostRows = 200
	// clearly is the ratio of the evidence of both kinds of kernels from which one is told.
	clearly = 1.5
	// much, in parts of the log, is how far in time a row must lie that shows a state again; comes is the part of the rows with such
	// a row from which a state counts as one that comes back.
	much, comes = 0.1, 0.5
)

// lambdas are the variances of the noise, in units of the kernel's mean diagonal, of which the best is taken.
var lambdas = [...]float64{0.03, 0.3, 3}

// NewReference returns the reference of a fit. The flexible model, whose cost grows with the cube of the rows, is made when it is first
// needed. A Reference must not be used by two goroutines at once.
func NewReference(rows Rows, joints []Joint) *Reference {
	n := len(joints)
	r := &Reference{Squares: make([]float64, n), Floor: make([]float64, n), Independent: make([]float64, n), rows: rows, joints: joints}
	for i := range joints {
		j := &joints[i]
		v := spread(j.Torque)
		r.variance = append(r.variance, max(v*v, math.SmallestNonzeroFloat64*1e20))
		r.Independent[i] = j.Independent
		var w []float64
		if j.Leverage != nil {
			w = Weights(j.Leverage, float64(len(j.Torque))/max(j.Independent, 1))
		}
		r.weights = append(r.weights, w)
		left := j.left(rows.From)
		r.Squares[i] = r.squares(i, left)
		r.Floor[i] = r.Squares[i]
		if j.Later != nil {
			if f := Floor(left, j.Later) / r.variance[i]; !math.IsNaN(f) {
				r.Floor[i] = min(f, r.Squares[i])
			}
		}
	}
	return r
}

// exact is the part of a torque's variance below which a residual is rounding.
const exact = 1e-10

// squares returns the mean square of a residual of joint i.
func (r *Reference) squares(i int, left []float64) float64 {
	return max(Squares(left, r.weights[i])/r.variance[i], exact)
}

// learn sets what kernels remove, and the class, once.
func (r *Reference) learn() {
	if r.joints == nil {
		if r.best == nil { // no rows to learn from
			r.best, r.class = make([]float64, len(r.Squares)), Unclear
		}
		return
	}
	rows, joints := r.rows, r.joints
	n := len(joints)
	r.rows, r.joints = Rows{}, nil
	r.static, r.inTime, r.best = make([]float64, n), make([]float64, n), make([]float64, n)
	at, from := some(rows.From)
	pick := func(x []float64) []float64 {
		y := make([]float64, len(at))
		for i, k := range at {
			y[i] = x[k]
		}
		return y
	}
	each := func(x [][]float64) (out [][]float64) {
		for _, y := range x {
			out = append(out, pick(y))
		}
		return out
	}
	t := pick(rows.Time)
	s := States{each(rows.States.Q), each(rows.States.V), each(rows.States.A), each(rows.States.Sign), rows.States.Revolute}
	without := make([][][]float64, len(joints))
	own := make([][][]float64, len(joints))
	var all [][]float64
	for i := range joints {
		without[i] = each(joints[i].Without)
		own[i] = each(joints[i].Columns)
		all = append(all, own[i]...)
	}
	before := make([]float64, len(joints))
	part := func(i int, left []float64) float64 {
		var w []float64
		if r.weights[i] != nil {
			w = pick(r.weights[i])
		}
		return max(Squares(left, w)/r.variance[i], exact)
	}
	for i := range joints {
		left := make([]float64, len(at))
		for f := range len(from) - 1 {
			copy(left[from[f]:from[f+1]], without[i][f][from[f]:from[f+1]])
		}
		before[i] = part(i, left)
	}
	solve := newInverse(len(at))
	// removed tries a kernel on some joints and keeps the best.
	removed := func(k [][]float64, which []int, to ...[]float64) {
		for _, l := range lambdas {
			if !solve.of(k, l) {
				continue
			}
			var those [][][]float64
			for _, i := range which {
				those = append(those, without[i])
			}
			for n, left := range solve.leftOut(from, those) {
				i := which[n]
				gain := math.Log(before[i] / part(i, left))
				for _, x := range to {
					x[i] = max(x[i], gain)
				}
			}
		}
	}
	d, median := distances(s.features())
	state := near(d, median)
	long := t[slices.Index(t, slices.Max(t))] - slices.Min(t)
	slow, quick := later(t, max(long/2, math.SmallestNonzeroFloat64*1e20)), later(t, max(long/10, math.SmallestNonzeroFloat64*1e20))
	every := make([]int, len(joints))
	for i := range every {
		every[i] = i
	}
	removed(state, every, r.static, r.best)
	if len(all) > 0 {
		removed(white(all), every, r.static, r.best)
	}
	for i := range joints {
		one := []int{i}
		ones := slices.Repeat([]float64{1}, len(at))
		friction := linear(ones, pick(joints[i].Velocity), pick(joints[i].Sign))
		drifts := product(friction, slow)
		removed(drifts, one, r.inTime, r.best)
		removed(product(friction, quick), one, r.inTime, r.best)
		static := state
		if len(own[i]) > 0 {
			w := white(own[i])
			static = half(w, state)
			removed(w, one, r.static, r.best)
			removed(static, one, r.static, r.best)
			removed(product(w, slow), one, r.inTime, r.best)
		}
		removed(half(static, drifts), one, r.best)
	}
	r.class = r.classed(back(d, median, t, long))
}

// some returns at most mostRows of the rows, evenly over each fold, and where the folds lie in them.
func some(from []int) (at, first []int) {
	n := from[len(from)-1]
	stride := (n + mostRows - 1) / mostRows
	first = []int{0}
	for f := range len(from) - 1 {
		for k := from[f]; k < from[f+1]; k += stride {
			at = append(at, k)
		}
		first = append(first, len(at))
	}
	return at, first
}

// back reports whether states come back: enough rows have one that is far in time and as near in state as the kernel reaches.
func back(d [][]float64, median float64, t []float64, long float64) bool {
	n := 0
	for i := range t {
		for k := range t {
			if d[i][k] < width*median/2 && math.Abs(t[i]-t[k]) > much*long {
				n++
				break
			}
		}
	}
	return float64(n) >= comes*float64(len(t))
}

// nats returns half the independent rows times a gain in ln S, summed over the joints.
func (r *Reference) nats(gain []float64) float64 {
	s := 0.0
	for i, g := range gain {
		s += r.Independent[i] / 2 * g
	}
	return s
}

// classed returns the class of the excess.
func (r *Reference) classed(back bool) Class {
	s, t := r.nats(r.static), r.nats(r.inTime)
	switch {
	case !back:
		return Unclear
	case s > clearly*t:
		return Static
	case t > clearly*s:
		return InTime
	}
	return Unclear
}

// Class says what the excess of the residual follows.
func (r *Reference) Class() Class {
	r.learn()
	return r.class
}

// Flexible returns ln S⁰/R of each joint, what the flexible model removes. The caller must not change it.
func (r *Reference) Flexible() []float64 {
	r.learn()
	return r.best
}

// Foreign reports whether the residual has so little to do with the state of the robot that kernels of it remove less than half.
func (r *Reference) Foreign() bool {
	r.learn()
	rows := 0.0
	for _, n := range r.Independent {
		rows += n
	}
	return r.nats(r.static) < math.Ln2/2*rows
}

// chance is the number of standard deviations up to which an excess over the floor is chance.
const chance = 3

// Noise reports whether chance explains the excess of every joint over its floor: the logarithm of a ratio of two variances of n
// independent rows each has the standard deviation 2/√n.
func (r *Reference) Noise() bool {
	for i, s := range r.Squares {
		if math.Log(s/r.Floor[i]) > chance*2/math.Sqrt(max(r.Independent[i], 1)) {
			return false
		}
	}
	return true
}

const (
	// surely, in ln S, is an excess over the floor that no sound log has: up to 0.7 simulated, 2.5 of measured robots.
	surely = 3.0
	// learned, in ln S, is an excess that sound logs do not have if a flexible model removes as much: measured robots have up to 1.8, but for a
	// UR10e from point to point, which has 2.3 and whose causes alone are held against it (see Large).
	learned = 2.0
	// matters is the relative error of a torque below which an excess is of the size of what models of robots leave.
	matters = 0.05
	// An excess without any known cause is told from larger figures. notable is the relative error of a torque, surelyLearned what a
	// flexible model removes, in ln S: of that UR10e's joints it removes 2.9 at a relative error of 0.092, and 2.3 at larger ones.
	notable, surelyLearned = 0.1, 2.5
	// enough is the number of independent rows of a joint from which its excess is known to a factor of two: the logarithm of a ratio of two
	// variances of n rows each has the standard deviation 2/√n. Of a dozen rows sound simulated logs have up to 4.5 in ln S.
	enough = 32
	// few is the number of independent rows below which a joint asks nothing of a cause of another joint: in logs of one joint at a time the
	// joints that wait have 4 to 11, which the other rows do not determine.
	few = 12
)

// matters reports whether the error of a joint is larger than what models of robots leave.
func (r *Reference) matters(i int) bool { return r.Squares[i] >= matters*matters }

// Excess reports whether some joint has more above its floor than sound logs have.
func (r *Reference) Excess() bool { return r.excess(matters, learned, 0) }

// Large reports whether some joint has an excess that no model of a sound robot leaves.
func (r *Reference) Large() bool { return r.excess(notable, surelyLearned, enough) }

// excess reports whether a joint of at least this relative error and so many independent rows has more above its floor than sound logs have: surely, or learned by a
// flexible model.
func (r *Reference) excess(least, learns, rows float64) bool {
	for i, s := range r.Squares {
		x := math.Log(s / r.Floor[i])
		if s < least*least || x < learns || r.Independent[i] < rows {
			continue
		}
		if x >= surely || r.Flexible()[i] >= learns {
			return true
		}
	}
	return false
}

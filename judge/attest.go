package judge

import "math"

// Demands on a cause.
const (
	// something, in ln S, is what the worst joint must have above its floor, and from which a cause removes something of a joint.
	something = 0.3
	// mostLeft, in ln S, may stay above the floor at a joint of which the cause removes something: sound logs of simulated robots have up
	// to 0.46, of measured ones 0.66 to 2.5.
	mostLeft = 1.3
	// mostHealthy, in ln S, may stay at a joint of which it removes nothing.
	mostHealthy = 2.5
	// removes is the part of the worst joint's excess that a cause removes: more than is left.
	removes = 0.5
	// ShareOfFlexible is the part of what a flexible model removes that a cause removes: right causes have 0.8 to 1.2.
	ShareOfFlexible = 0.7
	// halves is the gain in ln S from which a flexible model has learned something about a joint, and by which no joint may be worse.
	halves = math.Ln2
	// mostSquares is the part of the worst joint's variance that a cause may leave: a third of a torque's changes is no noise.
	mostSquares = 0.1
)

// Verdict says what a cause removes of a reference.
type Verdict struct {
	Attested bool
	Worst    int     // joint with the largest excess over its floor
	Before   float64 // ln S⁰/F there
	After    float64 // ln S¹/F there
	Explains float64 // part of what a flexible model removes that the cause removes, from 0 to 1
}

// Attest judges a cause by what a fit with it leaves, by joint: see Squared. A floor is lowered to what the cause leaves: it is an upper
// bound if a residual is fast. A joint at which the flexible model removes more than of any sound log asks for half of that. If no joint has
// an excess to begin with, a cause is too small for floors: it must only remove its share of what the flexible model removes.
func (r *Reference) Attest(squares []float64) Verdict {
	v := Verdict{Worst: -1, Before: math.Inf(-1)}
	n := len(squares)
	before, after := make([]float64, n), make([]float64, n)
	touched := make([]bool, n)
	for i, s := range squares {
		floor := min(r.Floor[i], s)
		before[i], after[i] = math.Log(r.Squares[i]/floor), math.Log(s/floor)
		touched[i] = before[i]-after[i] >= something
		if touched[i] && before[i] > v.Before {
			v.Worst, v.Before, v.After = i, before[i], after[i]
		}
	}
	v.Explains = min(max(r.share(squares, nil), 0), 1)
	if !r.everywhere(squares) {
		return v
	}
	if r.ordinary() && v.Explains >= ShareOfFlexible && (v.Worst < 0 || squares[v.Worst] <= mostSquares) { // too small for its joints' floors: only the flexible model tells
		v.Attested = true
		return v
	}
	if v.Worst < 0 {
		return v
	}
	v.Attested = v.After <= removes*v.Before && r.share(squares, touched) >= ShareOfFlexible
	for i, s := range squares {
		most := max(pick(touched[i], mostLeft, mostHealthy), removes*v.Before)
		worse := after[i] > before[i]+halves && after[i] > mostLeft
		if r.matters(i) && (touched[i] || r.Independent[i] >= few) && after[i] > most || worse || i == v.Worst && s > mostSquares {
			v.Attested = false
		}
	}
	return v
}

func pick(c bool, a, b float64) float64 {
	if c {
		return a
	}
	return b
}

// share returns the part of what a flexible model removes that a cause removes, over some joints (nil: all): those that the flexible
// model can halve, otherwise all of them. A joint whose error is of the size of what models of robots leave does not count beside others.
func (r *Reference) share(squares []float64, some []bool) float64 {
	counts := func(i int) bool { return some == nil || some[i] }
	large := false
	for i := range squares {
		large = large || counts(i) && r.matters(i)
	}
	gained, could, all, most := 0.0, 0.0, 0.0, 0.0
	for i, s := range squares {
		if !counts(i) || large && !r.matters(i) {
			continue
		}
		g, c := r.Independent[i]*math.Log(r.Squares[i]/s), r.Independent[i]*r.learnable(i, s)
		all, most = all+g, most+c
		if r.Flexible()[i] >= halves {
			gained, could = gained+g, could+c
		}
	}
	if could == 0 {
		gained, could = all, most
	}
	if could <= 0 {
		return 1
	}
	return gained / could
}

// learnable returns what a flexible model removes of a joint, in ln S. Of a joint with an excess over its floor it is no more than that
// excess: below its floor a cause has nothing to remove, while a flexible model removes what repeats of a motion that repeats itself.
func (r *Reference) learnable(i int, s float64) float64 {
	if over := math.Log(r.Squares[i] / min(r.Floor[i], s)); over > mostLeft {
		return min(r.Flexible()[i], over)
	}
	return r.Flexible()[i]
}

// everywhere reports whether a cause removes at least half of what a flexible model removes, at each joint of which that is more than in
// any sound log. Below the size of what models of robots leave, a flexible model learns as much of sound logs of little noise; of few
// independent rows it learns as much of any log.
func (r *Reference) everywhere(squares []float64) bool {
	for i, s := range squares {
		if f := r.learnable(i, s); r.matters(i) && r.Independent[i] >= few && f >= learned && math.Log(r.Squares[i]/s) < removes*f {
			return false
		}
	}
	return true
}

// ordinary reports whether no joint has more above its floor than a cause may leave: there is no excess to be explained.
func (r *Reference) ordinary() bool {
	for i, s := range r.Squares {
		if math.Log(s/r.Floor[i]) > mostLeft {
			return false
		}
	}
	return true
}

// blind is the evidence, in nats, up to which a flexible model has learned nothing: columns that no fault makes reach 18.
const blind = 20.0

// Blind reports whether there is nothing to hold a cause against: no joint's error is larger than what models of robots leave, or no joint
// has an excess and the flexible model has learned nothing.
func (r *Reference) Blind() bool {
	for i := range r.Squares {
		if r.matters(i) {
			return r.ordinary() && r.nats(r.Flexible()) < blind
		}
	}
	return true
}

// Healthy reports whether no joint has more above its floor than sound logs have.
func (r *Reference) Healthy() bool {
	for i, s := range r.Squares {
		if math.Log(s/r.Floor[i]) > mostHealthy {
			return false
		}
	}
	return true
}

// Squared returns the mean square of a residual left out of joint i, as a part of the variance of its torque.
func (r *Reference) Squared(i int, left []float64) float64 { return r.squares(i, left) }

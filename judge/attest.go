package judge

import "math"

// Demands on a cause.
const (
	// something, in ln S, is what the worst joint must have above its floor: below it there is nothing to explain.
	something = 0.3
	// mostLeft, in ln S, may stay above the floor at any joint: sound logs of simulated robots have up to 0.46, of measured ones 0.66
	// to 2.0.
	mostLeft = 1.3
	// removes is the part of the worst joint's excess that a cause removes: more than is left.
	removes = 0.5
	// shareOfFlexible is the part of what a flexible model removes that a cause removes: right causes have 0.8 to 1.2.
	shareOfFlexible = 0.8
	// halves is the gain in ln S from which a flexible model has learned something about a joint.
	halves = math.Ln2
)

// Verdict says what a cause removes of a reference.
type Verdict struct {
	Attested bool
	Worst    int     // joint with the largest excess over its floor
	Before   float64 // ln S⁰/F there
	After    float64 // ln S¹/F there
	Most     float64 // the largest ln S¹/F of any joint
	Explains float64 // part of the excess that the cause removes: of what a flexible model removes, at most one
}

// Attest judges a cause by what a fit with it leaves, by joint: see Squared.
func (r *Reference) Attest(squares []float64) Verdict {
	v := Verdict{Before: math.Inf(-1), Most: math.Inf(-1)}
	gained, could := 0.0, 0.0
	gainedAll, couldAll := 0.0, 0.0
	for i, s := range squares {
		before, after := math.Log(r.Squares[i]/r.Floor[i]), math.Log(s/r.Floor[i])
		if before > v.Before {
			v.Worst, v.Before, v.After = i, before, after
		}
		v.Most = max(v.Most, after)
		g, c := r.Independent[i]*math.Log(r.Squares[i]/s), r.Independent[i]*r.Flexible[i]
		gainedAll, couldAll = gainedAll+g, couldAll+c
		if r.Flexible[i] >= halves {
			gained, could = gained+g, could+c
		}
	}
	if could == 0 {
		gained, could = gainedAll, couldAll
	}
	share := 1.0
	if could > 0 {
		share = gained / could
	}
	v.Explains = min(max(share, 0), 1)
	v.Attested = v.Before >= something && v.After <= removes*v.Before && v.Most <= max(mostLeft, removes*v.Before) && share >= shareOfFlexible
	return v
}

// Squared returns the mean square of a residual left out of joint i, as a part of the variance of its torque.
func (r *Reference) Squared(i int, left []float64) float64 { return r.squares(i, left) }

package doctor

import (
	"context"
	"fmt"
	"math"

	"ident/doctor/trialfit"
)

// Limits on the search for another arrangement of joints.
const (
	// The search is made where the joints' equations together leave this many times the residual of each
	// alone, or where one alone leaves this part of its torque.
	searchAgainst = 1.5
	searchOwn     = 0.25
	// Part of the sum of squares that a mirrored position may leave at most.
	searchLeaves = 0.2
	// Sum over the torques of the logarithms of their residuals' norms, by which another arrangement must be
	// less: two torques leave a third each, say. The parameters are fitted anew in each of a hundred, and where a
	// poor model meets a thin motion one of them gains 1.6 by chance (a wrist whose torques are friction, on a
	// measured log); the right one leaves noise only and gains 4 to 15.
	searchGains = 2.5
	// The same for another rate of the clock, of which only four are tried. By chance it gains 0.13.
	clockGains = 0.4
	// Part of the weighted sum of squares, under the weights of the robot file's arrangement, that an arrangement
	// may leave at most to be looked at more closely.
	screened = 0.9
	// Of more joints only neighbours are exchanged: the number of pairs grows with the square of theirs, and the cost of
	// each pair with its third power.
	manyJoints = trialfit.ManyJoints
)

// arrangementSearch looks for a joint order, a zero, a direction or a gravity that the robot file does not
// have but the log does.
type arrangementSearch struct {
	*recording
	fit    *trialfit.Stacked
	memory searchMemory
	// Of spreadInFile, nil where it is not known.
	spreads *spreads
}

type spreads struct {
	plain         float64
	weights, free []float64
}

// chance is the factor on sums over the torques that an arrangement must gain. Each torque adds to them by chance, and the
// limits are those of up to manyJoints.
func (s *arrangementSearch) chance() float64 {
	return max(1, float64(len(s.fit.Joints))/manyJoints)
}

// mirrored reports a position with the wrong sign, if that explains the friction that drives joint k of the
// stack.
func (s *arrangementSearch) mirrored(k int) (Finding, bool) {
	j := s.fit.Joints[k].Index
	turned := s.asInFile()
	turned.Turn[j] = -1
	flipped := s.flip(j, false)
	left, plain := s.arranged(flipped).Residual(), s.arranged(s.asInFile()).Residual()
	if left > searchLeaves*plain || left > 0.5*s.arranged(turned).Residual() {
		return Finding{}, false
	}
	return s.finding(flipped, math.Sqrt(left/plain), math.Sqrt(searchLeaves)), true
}

// best searches all arrangements, where the joints' equations are far from fitting.
func (s *arrangementSearch) best(ctx context.Context) (Finding, bool) {
	each := float64(len(s.fit.Joints))
	if each < 2 {
		return Finding{}, false
	}
	plain, weights, _ := s.spreadInFile()
	needed := false
	for k, o := range s.fit.Joints {
		needed = needed || s.fit.Misfit(k) > searchAgainst || o.Sigma > searchOwn*o.Size()
	}
	if !needed {
		return Finding{}, false
	}
	limit := screened * each
	gains := searchGains * s.chance()
	best, least := arrangement{}, plain-gains
	for _, a := range s.arrangements() {
		if ctx.Err() != nil {
			break
		}
		equations, ok := s.screened(a, limit, weights)
		if !ok || equations.LeastSpread() > least {
			continue
		}
		if left, _ := equations.Spread(weights); left < least {
			best, least = a, left
		}
	}
	// A zero that is off by less than a quarter turn is found by its derivative, with its deviation.
	if best.id == "" || s.zeroBelow(ctx, least, weights) {
		return Finding{}, false
	}
	if f, ok := s.foreign(best); ok {
		return f, true
	}
	return s.finding(best, math.Exp((least-plain)/each), math.Exp(-gains/each)), true
}

// spreadInFile is the sum of logarithms under the arrangement of the robot file, with its weights, and the residuals of the
// joints from which they are. The sum is that of the iteration's going on from these weights where that is less, since other
// arrangements begin with them: where joints contradict each other it takes more steps than an arrangement has.
func (s *arrangementSearch) spreadInFile() (plain float64, weights, free []float64) {
	if k := s.spreads; k != nil {
		return k.plain, k.weights, k.free
	}
	plain, weights = s.arranged(s.asInFile()).Spread(nil)
	for _, w := range weights {
		free = append(free, 1/w)
	}
	further, _ := s.arranged(s.asInFile()).Spread(weights)
	s.spreads = &spreads{min(plain, further), weights, free}
	return s.spreads.plain, weights, free
}

// foreign reports another robot's file where a zero by quarter turns or another direction brings the identified bodies
// nearer to the torques, but leaves the bodies of the file as far from them as another robot's: two robots of one
// kinematic structure differ by the zeros and directions of their joints.
func (s *arrangementSearch) foreign(a arrangement) (Finding, bool) {
	x := s.fileValues()
	if a.id != Offset && a.id != Sign || x == nil || s.unknownGains() {
		return Finding{}, false
	}
	_, weights := s.arranged(a).Spread(nil)
	free := make([]float64, len(weights))
	for k, w := range weights {
		free[k] = 1 / w
	}
	_, left, bare := s.fileResidual(a, x)
	f, ok := s.mismatch(left, bare, free)
	if ok {
		f.Severity = Error
		f.Why = fmt.Sprintf("%s, and then still %s", a.tell().text, f.Why)
	}
	return f, ok
}

// subtle searches faults that identified parameters absorb: by the bodies of the robot file, and the clock.
func (s *arrangementSearch) subtle(ctx context.Context) (Finding, bool) {
	if len(s.fit.Joints) < 2 {
		return Finding{}, false
	}
	plain, weights, free := s.spreadInFile()
	if f, ok := s.byFile(ctx, free); ok {
		return f, true
	}
	return s.wrongClock(ctx, plain, weights)
}

// zeroBelow tells whether a shift of one position, by its derivative and a line search, leaves less than that.
func (s *arrangementSearch) zeroBelow(ctx context.Context, least float64, weights []float64) bool {
	for _, c := range positions(ctx, s.recording, s.fit, nil) {
		g, ok := s.fit.Added(c.cols...)
		if c.kind != positionOffset || !s.isRevolute(c.k) || !ok || g.Share < togetherShare || !c.matters(g) {
			continue
		}
		spread := func(d float64) float64 {
			sum, _ := s.arranged(s.zero(c.k, d)).Spread(weights)
			return sum
		}
		_, lowest := trialfit.Lowest(math.Inf(1), g.Coef[:1], g.Coef[0]/2, 0.01, spread)
		if lowest < least {
			return true
		}
	}
	return false
}

// wrongClock holds the clock against gravity and inertia: first moments appear in both, and with time
// stretched s times velocities are 1/s and accelerations 1/s² of the true ones.
func (s *arrangementSearch) wrongClock(ctx context.Context, plain float64, weights []float64) (Finding, bool) {
	gains := clockGains * s.chance()
	best, least := arrangement{}, plain-gains
	var found []float64 // weights of the best
	for _, a := range s.clocks() {
		if ctx.Err() != nil {
			return Finding{}, false
		}
		equations := s.arranged(a)
		if equations.LeastSpread() > least {
			continue
		}
		if left, own := equations.Spread(weights); left < least {
			best, least, found = a, left, own
		}
	}
	if best.id == "" {
		return Finding{}, false
	}
	// All joints have one clock: without the one that gains most the others have to gain too.
	most := 0.0
	for k, w := range found {
		most = max(most, math.Log(w/weights[k]))
	}
	if plain-least-most < gains/2 {
		return Finding{}, false
	}
	// The other way the residual must grow, or the motion says nothing of the clock.
	other := s.asInFile()
	other.Clock = 1 / best.Clock
	if left, _ := s.arranged(other).Spread(weights); left < plain {
		return Finding{}, false
	}
	each := float64(len(weights))
	f := s.finding(best, math.Exp((least-plain)/each), math.Exp(-gains/each))
	f.Severity = Warning
	return f, true
}

// finding reports an arrangement with the part of the residual that it leaves.
func (s *arrangementSearch) finding(a arrangement, leaves, limit float64) Finding {
	told := a.tell()
	f := Finding{ID: a.id, Severity: Error, Value: leaves, Limit: limit, Where: "the whole log", Fix: told.fix, Repair: told.repair}
	if a.id == ClockRate {
		f.Channel = s.roles.T
	}
	if len(a.joints) > 0 {
		j := s.joints[a.joints[0]]
		f.Joint, f.Channel = j.name, j.q.name
	}
	f.Why = fmt.Sprintf("%s: the model then leaves %.2g of what it leaves now", told.text, f.Value)
	return f
}

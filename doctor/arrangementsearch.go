package doctor

import (
	"context"
	"fmt"
	"math"

	"ident/doctor/internal/trialfit"
)

// Limits of the search for another arrangement of the joints.
const (
	// The search starts if the joints' equations together leave searchAgainst times the residual of each alone, or if
	// one alone leaves searchOwn of its torque.
	searchAgainst = 1.5
	searchOwn     = 0.25
	// The largest part of the sum of squares that a mirrored position may leave.
	searchLeaves = 0.2
	// An arrangement must lower the sum of the logarithms of the torques' residual norms by this much, for instance by
	// leaving a third in two torques each. A hundred arrangements are tried, each with new parameters, and with a poor
	// model and little motion one of them gains 1.6 by chance (a wrist whose torques are friction, on a measured log).
	// The right one leaves only noise and gains 4 to 15.
	searchGains = 2.5
	// The largest part of the weighted sum of squares, under the weights of the robot file's arrangement, with which an
	// arrangement is examined further.
	screened = 0.9
	// With more joints than this only neighbours are exchanged: the number of pairs grows with the square of the number
	// of joints, the cost of a pair with its cube.
	manyJoints = trialfit.ManyJoints
)

// arrangementSearch looks for a joint order, zero, direction or gravity with which the log fits, unlike that of the
// robot file.
type arrangementSearch struct {
	*recording
	fit    *trialfit.Stacked
	memory searchMemory
	// Result of spreadInFile, nil until it is known.
	spreads *spreads
}

type spreads struct {
	plain         float64
	weights, free []float64
}

// chance returns the factor on the required gains for long chains. Each torque adds to the sum by chance; the limits
// above are for up to manyJoints.
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

// best tries all arrangements if the joints' equations fit badly.
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
	// A zero that is off by less than a quarter turn is found elsewhere, by its derivative and with its standard
	// deviation.
	if best.id == "" || s.zeroBelow(ctx, least, weights) {
		return Finding{}, false
	}
	if f, ok := s.foreign(best); ok {
		return f, true
	}
	best = s.upright(best)
	return s.finding(best, math.Exp((least-plain)/each), math.Exp(-gains/each)), true
}

// upright returns the arrangement of gravity, or the one of the opposite gravity if the robot file's bodies come nearer to the torques
// under that. Identified bodies cannot tell the two apart in slow motion: they may have negative masses.
func (s *arrangementSearch) upright(a arrangement) arrangement {
	x := s.fileValues()
	if a.gravity == nil || x == nil || s.unknownGains() {
		return a
	}
	least, _, _ := s.fileResidual(a, x)
	for _, b := range s.arrangements() {
		if b.gravity == nil || [3]float64{-b.gravity[0], -b.gravity[1], -b.gravity[2]} != *a.gravity {
			continue
		}
		if sum, _, _ := s.fileResidual(b, x); sum < least {
			return b
		}
	}
	return a
}

// spreadInFile returns the sum of logarithms under the robot file's arrangement with its weights, and the residuals of
// the joints from which these follow. If iterating further from these weights gives a smaller sum, that counts, because
// other arrangements start from these weights too: with contradicting joints the iteration takes more steps than an
// arrangement gets.
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

// foreign reports that the robot file is another robot's. It does so if a zero off by quarter turns or another direction
// brings the identified bodies nearer to the torques, while the file's bodies stay as far off as another robot's: two
// robots of one kinematic structure differ by joint zeros and directions.
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

// subtle searches for faults that identified parameters absorb, using the bodies of the robot file.
func (s *arrangementSearch) subtle(ctx context.Context) (Finding, bool) {
	if len(s.fit.Joints) < 2 {
		return Finding{}, false
	}
	_, _, free := s.spreadInFile()
	return s.byFile(ctx, free)
}

// zeroBelow reports whether a shift of one position, found by its derivative and a line search, leaves a smaller sum
// than least.
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

// finding returns an arrangement as a finding, with the part of the residual that it leaves.
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
	f.Why = fmt.Sprintf("%s: the residual then falls to %.2g of its present value", told.text, f.Value)
	return f
}

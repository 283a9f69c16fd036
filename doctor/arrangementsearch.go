package doctor

import (
	"fmt"
	"math"
)

// Limits on the search for another arrangement of joints.
const (
	// The search is made where the joints' equations together leave this many times the residual of each
	// alone, or where one alone leaves this part of its torque.
	searchAgainst = 2
	searchOwn     = 0.25
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

// mirrored reports a position with the wrong sign, if that explains the friction that drives joint k of the
// stack.
func (s *arrangementSearch) mirrored(k int) (Finding, bool) {
	j := s.fit.joints[k].joint
	turned := s.asInFile()
	turned.turn[j] = -1
	flipped := s.flip(j, false)
	left, plain := s.arranged(flipped).residual(), s.arranged(s.asInFile()).residual()
	if left > searchLeaves*plain || left > 0.5*s.arranged(turned).residual() {
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
	plain := s.arranged(s.asInFile()).residual()
	best, least := arrangement{}, searchLeaves*plain
	for _, a := range s.arrangements() {
		equations := s.arranged(a)
		if equations.exceed(least) {
			continue
		}
		if left := equations.residual(); left < least {
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

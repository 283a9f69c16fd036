package doctor

import (
	"ident/baseparams"
	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
)

// searchMemory holds what the arrangements of one search share.
type searchMemory struct {
	rearranged *trialfit.Rearranged
	tilted     *trialfit.RearrangedModel // of all parameters under another gravity
	file       fileTorques
	listed     []arrangement
}

// rearranged returns the equations of the fit, ready to be evaluated under arrangements.
func (s *arrangementSearch) rearranged() *trialfit.Rearranged {
	if s.memory.rearranged == nil {
		s.memory.rearranged = trialfit.NewRearranged(s.fit)
	}
	return s.memory.rearranged
}

// arranged returns the equations of the base parameters under an arrangement. They are valid until the next call.
func (s *arrangementSearch) arranged(a arrangement) *projection.Equations {
	r := s.rearranged()
	if a.gravity != nil {
		full := s.models.WithGravity(*a.gravity)
		return r.EquationsOf(r.Of(full.Select(baseparams.QR(full, baseparams.Options{Seed: s.opt.Seed}).Base)), &a.Change)
	}
	return r.Equations(&a.Change)
}

// screened returns the equations under an arrangement, and false if their weighted residual is known to exceed limit.
// Under another gravity it first tries the equations of all parameters, which saves the search for base parameters:
// dependent columns do not spoil that bound.
func (s *arrangementSearch) screened(a arrangement, limit float64, weights []float64) (*projection.Equations, bool) {
	if a.gravity != nil {
		model, r := s.models.WithGravity(*a.gravity), s.rearranged()
		if s.memory.tilted == nil {
			s.memory.tilted = r.Of(model)
		} else {
			s.memory.tilted.Use(model) // gravity changes no mask
		}
		if r.EquationsOf(s.memory.tilted, &a.Change).Exceed(limit, weights) {
			return nil, false
		}
	}
	eq := s.arranged(a)
	return eq, !eq.Exceed(limit, weights)
}

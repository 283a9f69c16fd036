package doctor

import (
	"ident/baseparams"
	"ident/doctor/internal/projection"
	"ident/doctor/trialfit"
)

// searchMemory is shared by the arrangements of one search.
type searchMemory struct {
	rearranged *trialfit.Rearranged
	tilted     *trialfit.RearrangedModel // of all parameters under another gravity
	file       fileTorques
	listed     []arrangement
}

// rearranged are the equations of the fit under arrangements.
func (s *arrangementSearch) rearranged() *trialfit.Rearranged {
	if s.memory.rearranged == nil {
		s.memory.rearranged = trialfit.NewRearranged(s.fit)
	}
	return s.memory.rearranged
}

// arranged are the equations of the base parameters under an arrangement, until the next one.
func (s *arrangementSearch) arranged(a arrangement) *projection.Equations {
	r := s.rearranged()
	if a.gravity != nil {
		full := s.models.WithGravity(*a.gravity)
		return r.EquationsOf(r.Of(full.Select(baseparams.QR(full, baseparams.Options{Seed: s.opt.Seed}).Base)), &a.Change)
	}
	return r.Equations(&a.Change)
}

// screened are the equations under an arrangement whose weighted residual is not known to exceed a limit. Under
// another gravity those of all parameters go first, which save the search for the base parameters: columns that
// depend on others do no harm to that bound.
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

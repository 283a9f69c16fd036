package robot

import (
	"fmt"
)

// Loop is a closed chain that was cut at one of its joints. The cut joint's
// frame Extra[Frame] hangs, with the joint's kind, on the link at one side of
// the cut and moves as any joint does; the fixed frame Extra[Meets] on the
// other side is where it must be. The loop is closed when the two frames
// coincide, all twelve entries of them. SYMORO+ numbers them k and k+B.
type Loop struct {
	Frame, Meets int // indices into Robot.Extra
	// Spherical says that only the origins of the two frames must coincide: the cut
	// joint is a ball and socket, and Extra[Frame] is fixed too.
	Spherical bool
}

// Coupling says that a joint without a drive moves as others make it:
// q[Joint] = Σ Of[k]·q[k] + Offset, over link indices. Belts and parallelograms
// couple joints so; a Mimic is one with a single leader, and needs no more.
type Coupling struct {
	Joint  int
	Of     map[int]float64
	Offset float64
}

// Closed reports whether loops or couplings tie joints together: the passive
// joints then follow the driven ones.
func (r *Robot) Closed() bool { return len(r.Loops)+len(r.Couplings) > 0 }

// Cut returns the tree that is left when the loops are cut and the couplings
// undone: a copy with every joint free.
func (r *Robot) Cut() *Robot {
	c := r.Clone()
	c.Loops, c.Couplings = nil, nil
	return c
}

// ClosedBy says why the robot is no tree: "loop 1 (frame 4 meets frame 5) is
// closed". It panics for one that is.
func (r *Robot) ClosedBy() string {
	if len(r.Loops) > 0 {
		return r.LoopName(0) + " is closed"
	}
	return r.CouplingName(0) + " ties several joints together"
}

// CouplingName returns the name of the i-th coupling in messages.
func (r *Robot) CouplingName(i int) string {
	return fmt.Sprintf("the coupling of joint %q", r.Links[r.Couplings[i].Joint].Joint.Name)
}

// LoopName returns the name of the i-th loop in messages, with its two frames.
func (r *Robot) LoopName(i int) string {
	l := r.Loops[i]
	return fmt.Sprintf("loop %d (frame %s meets frame %s)", i+1, r.Extra[l.Frame].Name, r.Extra[l.Meets].Name)
}

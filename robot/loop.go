package robot

import (
	"fmt"
)

// Loop is a closed chain that was cut at one of its joints. Extra[Frame] is the cut joint's frame: it hangs, with the
// joint's kind, on the link on one side of the cut and moves like any joint. Extra[Meets] is fixed to the link on the
// other side. The loop is closed when the two frames coincide. SYMORO+ numbers them k and k+B.
type Loop struct {
	Frame, Meets int // the two frames that coincide, as indices into Robot.Extra
	// Spherical says that only the origins of the two frames must coincide: the cut joint is a ball joint, and
	// Extra[Frame] is fixed too.
	Spherical bool
}

// Coupling is a linear relation that moves a joint without a drive: q[Joint] = Σ Of[k]·q[k] + Offset, over link indices.
// Belts and parallelograms couple joints this way. For a single leader use Mimic.
type Coupling struct {
	Joint  int
	Of     map[int]float64
	Offset float64
}

// Closed reports whether loops or couplings constrain joints: the passive joints then follow the driven ones.
func (r *Robot) Closed() bool { return len(r.Loops)+len(r.Couplings) > 0 }

// Cut returns a copy with the loops cut and the couplings removed: a tree in which every joint is free.
func (r *Robot) Cut() *Robot {
	c := r.Clone()
	c.Loops, c.Couplings = nil, nil
	return c
}

// ClosedBy returns why the robot is not a tree: "loop 1 (frame 4 meets frame 5) is closed". It panics if the robot is a
// tree.
func (r *Robot) ClosedBy() string {
	if len(r.Loops) > 0 {
		return r.LoopName(0) + " is closed"
	}
	return r.CouplingName(0) + " ties several joints together"
}

// CouplingName returns the name of the i-th coupling for messages.
func (r *Robot) CouplingName(i int) string {
	return fmt.Sprintf("the coupling of joint %q", r.Links[r.Couplings[i].Joint].Joint.Name)
}

// LoopName returns the name of the i-th loop, with its two frames, for messages.
func (r *Robot) LoopName(i int) string {
	l := r.Loops[i]
	return fmt.Sprintf("loop %d (frame %s meets frame %s)", i+1, r.Extra[l.Frame].Name, r.Extra[l.Meets].Name)
}

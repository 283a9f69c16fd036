package robot

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ident/robot/internal/words"
)

// InvalidError says why a model of a robot cannot be computed: which part is at fault and what to do. Match it with
// errors.As.
type InvalidError struct {
	Robot string
	Where string // the link, joint, drive, loop or coupling; "" for the robot as a whole
	Text  string
}

func (e *InvalidError) Error() string {
	s := fmt.Sprintf("robot %q: ", e.Robot)
	if e.Where != "" {
		s += e.Where + " "
	}
	return s + e.Text
}

// Validate returns an *InvalidError if no model can be computed. Call it for robots made or changed by hand; readers
// return valid ones. In addition to ValidateStructure, every symbol of the geometry must have a value, and gravity and
// placements must be finite.
func (r *Robot) Validate() error {
	v := validation{r}
	if len(r.Unset) > 0 {
		return v.invalid("", "geometry symbols without a value: %s; Bind gives them values", strings.Join(r.Unset, ", "))
	}
	if err := r.ValidateStructure(); err != nil {
		return err
	}
	for _, g := range r.Gravity {
		if !finite(g) {
			return v.invalid("", "gravity is %v; give it finite components, m/s²", r.Gravity)
		}
	}
	for j := range r.Links {
		if !r.Links[j].Placement.finite() {
			return v.invalid(v.linkName(j), "has no finite placement on its antecedent; give its frame finite angles and lengths")
		}
	}
	for i, l := range r.Loops {
		for _, k := range []int{l.Frame, l.Meets} {
			if !r.Extra[k].Placement.finite() {
				return v.invalid(r.LoopName(i), "has no finite placement of frame %s; give it finite angles and lengths", r.Extra[k].Name)
			}
		}
	}
	return nil
}

// ValidateStructure returns an *InvalidError unless the robot is a tree that can move, whatever the numbers of its
// geometry. Antecedents must come before their links; mimics, drives, loops and couplings must refer to existing joints
// and frames.
func (r *Robot) ValidateStructure() error {
	v := validation{r}
	for j := range r.Links {
		l := &r.Links[j]
		if l.Antecedent >= j || l.Antecedent < -1 {
			return v.invalid(v.linkName(j), "has antecedent %d, which does not come before it; number links from the base outwards", l.Antecedent+1)
		}
		if k := l.Joint.Kind; k != Revolute && k != Prismatic && k != Fixed {
			return v.invalid(v.linkName(j), "has a joint of kind %d; 0 is revolute, 1 prismatic, 2 fixed", int(k))
		}
	}
	for _, check := range []func() error{v.mimics, v.drives, v.extra, v.couplings} {
		if err := check(); err != nil {
			return err
		}
	}
	if r.DOF() == 0 {
		return v.invalid("", "it has no moving joint; models need a revolute or prismatic one")
	}
	return nil
}

// validation collects the checks of one robot.
type validation struct{ r *Robot }

func (v validation) invalid(where, format string, args ...any) error {
	return &InvalidError{Robot: v.r.Name, Where: where, Text: fmt.Sprintf(format, args...)}
}

func (v validation) linkName(j int) string {
	return fmt.Sprintf("link %q (number %d)", v.r.Links[j].Name, j+1)
}

// moves reports whether link j exists and has a moving joint.
func (v validation) moves(j int) bool {
	return j >= 0 && j < len(v.r.Links) && v.r.Links[j].Joint.Kind != Fixed
}

// movingName describes link j in a relation of joints.
func (v validation) movingName(j int) string {
	switch {
	case j < 0 || j >= len(v.r.Links):
		return fmt.Sprintf("link number %d of %d", j+1, len(v.r.Links))
	case v.r.Links[j].Joint.Kind == Fixed:
		return fmt.Sprintf("joint %q, which is fixed", v.r.Links[j].Joint.Name)
	}
	return fmt.Sprintf("joint %q", v.r.Links[j].Joint.Name)
}

func (v validation) mimics() error {
	mimics := map[int]bool{}
	for i, m := range v.r.Mimics {
		if !v.moves(m.Joint) {
			return v.invalid(fmt.Sprintf("mimic %d", i+1), "is of %s; name a moving joint", v.movingName(m.Joint))
		}
		if where := words.Joint(v.r.Links[m.Joint].Joint.Name); mimics[m.Joint] {
			return v.invalid(where, "mimics two joints; keep one relation, or use a coupling")
		} else if !finite(m.Multiplier) || !finite(m.Offset) {
			return v.invalid(where, "mimics with the multiplier %g and the offset %g; give finite ones", m.Multiplier, m.Offset)
		}
		mimics[m.Joint] = true
	}
	for _, m := range v.r.Mimics {
		where := words.Joint(v.r.Links[m.Joint].Joint.Name)
		switch {
		case !v.moves(m.Of):
			return v.invalid(where, "mimics %s; name an independent moving joint", v.movingName(m.Of))
		case mimics[m.Of]:
			return v.invalid(where, "mimics %s, which mimics another; name that one", v.movingName(m.Of))
		}
	}
	return nil
}

func (v validation) drives() error {
	for i, d := range v.r.Drives {
		where := fmt.Sprintf("shared drive %d", i+1)
		if d.Number < 0 || d.Number >= len(v.r.Links) {
			return v.invalid(where, "is named after link number %d of %d", d.Number+1, len(v.r.Links))
		}
		for _, j := range slices.Sorted(maps.Keys(d.Weights)) {
			if j < 0 || j >= len(v.r.Links) {
				return v.invalid(where, "acts on %s", v.movingName(j))
			}
		}
	}
	return nil
}

// extra checks the frames without a body and the loops between them.
func (v validation) extra() error {
	for k, f := range v.r.Extra {
		where := "frame " + f.Name
		at := f.Antecedent
		for steps := 0; at < -1; steps++ { // on to the frame that carries this one
			if -2-at >= len(v.r.Extra) {
				return v.invalid(where, "hangs on extra frame %d of %d", -1-at, len(v.r.Extra))
			}
			if steps == len(v.r.Extra) {
				return v.invalid("frame "+v.r.Extra[k].Name, "hangs on itself through other frames; one of them must hang on a link")
			}
			at = v.r.Extra[-2-at].Antecedent
		}
		if at >= len(v.r.Links) {
			return v.invalid(where, "hangs on link number %d of %d", at+1, len(v.r.Links))
		}
	}
	for i, l := range v.r.Loops {
		for _, k := range []int{l.Frame, l.Meets} {
			if k < 0 || k >= len(v.r.Extra) {
				return v.invalid(fmt.Sprintf("loop %d", i+1), "is cut at extra frame %d of %d", k+1, len(v.r.Extra))
			}
		}
		if l.Frame == l.Meets {
			return v.invalid(v.r.LoopName(i), "is cut between a frame and itself; name the frames on both sides of the cut")
		}
	}
	return nil
}

func (v validation) couplings() error {
	for i, c := range v.r.Couplings {
		if !v.moves(c.Joint) {
			return v.invalid(fmt.Sprintf("coupling %d", i+1), "is of %s; name a moving joint", v.movingName(c.Joint))
		}
		for _, j := range slices.Sorted(maps.Keys(c.Of)) {
			if !v.moves(j) {
				return v.invalid(v.r.CouplingName(i), "has %s in it; name moving joints", v.movingName(j))
			}
		}
	}
	return nil
}

func (t Transform) finite() bool {
	s := 0.0
	for i := range 3 {
		s += math.Abs(t.P[i])
		for _, v := range t.R[i] {
			s += math.Abs(v)
		}
	}
	return finite(s)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

package loops

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// TrackError says that the loops could not be followed to a state, because the state is out of reach or a singular
// state, where assemblies meet, lies on the way.
type TrackError struct {
	Robot  string
	Joints []string  // names of the driven joints
	To     []float64 // positions that the driven joints should reach
	Done   float64   // fraction of the way to To on which the loops can be closed, 0 to 1
	Loop   string    // the loop that is farthest from closed there, and its frames
	// The least distance of its frames with the driven joints at To.
	Distance float64 // m
	Angle    float64 // rad
}

func (e *TrackError) Error() string {
	at := ""
	for i, j := range e.Joints {
		if i > 0 {
			at += ", "
		}
		at += fmt.Sprintf("%s = %.4g", j, e.To[i])
	}
	if e.Distance == 0 && e.Angle == 0 {
		return fmt.Sprintf("robot %q: %s closes at %s, but a singular state lies on the way there from the assembly that is followed; say which assembly is meant near that state", e.Robot, e.Loop, at)
	}
	return fmt.Sprintf("robot %q: %s does not close at %s: the frames stay %.3g m and %.3g rad apart; the joints are out of reach of each other there, or the frames of the cut are wrong", e.Robot, e.Loop, at, e.Distance, e.Angle)
}

// lost makes the error for driven joints that the loops cannot follow to.
func (w *newton) lost(driven []float64, done float64) error {
	e := &TrackError{Robot: w.c.robot, To: slices.Clone(driven), Done: done, Loop: w.c.loops[0].name}
	q := slices.Clone(w.q)
	for i, k := range w.driven {
		e.Joints = append(e.Joints, w.c.joints[k])
		q[k] = driven[i]
	}
	for _, v := range driven {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			e.Distance = math.NaN()
			return e
		}
	}
	var open *ClosureError
	if _, err := w.c.Close(q, w.driven); errors.As(err, &open) {
		e.Loop, e.Distance, e.Angle = open.Loop, open.Distance, open.Angle
	}
	return e
}

package tasks

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// SegmentError names the segment of a task in which something is wrong.
type SegmentError struct {
	Segment int     // index of the segment, from 0; -1 for the start
	Line    int     // line of the file, 0 if unknown
	From    float64 // time at which the segment begins, s
	Err     error
}

func (e *SegmentError) Error() string {
	where := "the start"
	if e.Segment >= 0 {
		where = fmt.Sprintf("segment %d", e.Segment+1)
	}
	if e.Line > 0 {
		where += fmt.Sprintf(" (line %d)", e.Line)
	}
	return fmt.Sprintf("%s: %v", where, e.Err)
}

// Unwrap returns the reason.
func (e *SegmentError) Unwrap() error { return e.Err }

// FreeJointsError reports a task with fewer demands than joints, which leaves some joints undetermined.
type FreeJointsError struct {
	Joints  []string
	Demands int
}

func (e *FreeJointsError) Error() string {
	return fmt.Sprintf("%d demands on %d joints (%s) leave %d of them free: ask for an orientation or a direction too, or prescribe joints", e.Demands, len(e.Joints), strings.Join(e.Joints, ", "), len(e.Joints)-e.Demands)
}

// SingularError reports a path through a singular state, where joint velocities would have to be infinite for the tip to move on.
type SingularError struct {
	Part     float64 // fraction of the path, 0 to 1
	Time     float64 // time within the task, s; NaN if times are not known yet
	Distance float64 // distance along the path, m
	Smallest float64 // smallest singular value there, lengths in units of the robot's reach
	Least    float64 // smallest singular value that is allowed
	Joints   []string
	Way      []float64 // unit vector of joint velocities that do not move the tip
}

// Combination names the joints that move without the tip, those with the largest parts first.
func (e *SingularError) Combination() string {
	index := make([]int, len(e.Way))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(a, b int) int {
		return int(math.Copysign(1, math.Abs(e.Way[b])-math.Abs(e.Way[a])))
	})
	var out []string
	for _, i := range index {
		if math.Abs(e.Way[i]) >= 0.1 {
			out = append(out, fmt.Sprintf("%+.2f·%s", e.Way[i], e.Joints[i]))
		}
	}
	return strings.Join(out, " ")
}

func (e *SingularError) Error() string {
	at := fmt.Sprintf("%.4g m along it", e.Distance)
	if !math.IsNaN(e.Time) {
		at = fmt.Sprintf("at %.4g s, %s", e.Time, at)
	}
	return fmt.Sprintf("the path is singular %s: the smallest singular value is %.2g, and joint %q moves without the tip (%s): pass it elsewhere, in joints (point), or ask for less of the orientation", at, e.Smallest, e.first(), e.Combination())
}

// first returns the joint with the largest part.
func (e *SingularError) first() string {
	name, most := "", 0.0
	for i, x := range e.Way {
		if math.Abs(x) > most+1e-12 {
			name, most = e.Joints[i], math.Abs(x)
		}
	}
	return name
}

// UnreachableError reports a path that the joints cannot follow any further, although no singular state is near.
type UnreachableError struct {
	Part, Time, Distance float64 // as those of SingularError
	Deviation            float64 // distance by which the next point of the path is missed, m or rad
	Demands, Joints      int
}

func (e *UnreachableError) Error() string {
	why := "the tip cannot get there"
	if e.Demands > e.Joints {
		why = fmt.Sprintf("its %d demands contradict each other on %d joints: ask for a direction instead of an orientation, or for less", e.Demands, e.Joints)
	}
	return fmt.Sprintf("the path cannot be followed beyond %.4g m of it, off by %.2g (m or rad): %s", e.Distance, e.Deviation, why)
}

// CornerError reports a corner of the path at which the tip does not stop, which would need infinite acceleration.
type CornerError struct {
	Angle float64 // rad
	Speed float64 // speed along the path at the corner, m/s; NaN if unknown
}

func (e *CornerError) Error() string {
	return fmt.Sprintf("the path turns by %.3g° at its end and goes through without rest, which takes acceleration without bound: leave through out, blend two lines (blend: 0.02), or join an arc that begins in the line's direction", e.Angle*180/math.Pi)
}

// LimitError reports a joint outside its position limits.
type LimitError struct {
	Joint              string
	Time, At           float64 // time in the task, s, and position, rad or m
	Lower, Upper, Part float64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("joint %q is at %.4g at %.4g s, beyond its limits %.4g to %.4g", e.Joint, e.At, e.Time, e.Lower, e.Upper)
}

// TimeError reports a given time that is too short for the limits of the joints.
type TimeError struct {
	Time, Least float64 // given and least possible time, s; Least is +Inf if no time is long enough
	Joint       string
	Quantity    string  // velocity, acceleration or torque
	At          float64 // time in the task, s
	Value       float64 // value of the quantity at that time
	Limit       float64
}

func (e *TimeError) Error() string {
	if math.IsInf(e.Least, 1) {
		return fmt.Sprintf("joint %q cannot hold the robot at %.4g s: gravity and friction ask for a %s of %.4g of its %.4g, however slow the motion", e.Joint, e.At, e.Quantity, e.Value, e.Limit)
	}
	return fmt.Sprintf("%.4g s is too short: the %s of joint %q is %.4g at %.4g s, its limit %.4g; the least time is %.6g s", e.Time, e.Quantity, e.Joint, e.Value, e.At, e.Limit, e.Least)
}

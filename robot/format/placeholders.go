package format

import (
	"fmt"
	"math"

	"ident/robot"
)

// fullTurn is the largest distance in rad from ±2π of a range of one turn either way: files print 6.28.
const fullTurn = 5e-3

// boundless is a position, rad or m, that no joint reaches: 160 turns, or a kilometre. Exporters write 1e16.
const boundless = 1e3

// markPlaceholders sets Joint.Placeholder for position limits that exporters write without knowing any; motions must not
// be designed to them. These are: a range that no joint has; a range of a turn either way, if torque or speed are
// unknown; and the same range on every joint, if torque or speed are unknown or also the same on every joint. Ranges of
// several joints with different drives, such as ±2π of an arm that turns twice, are limits.
func markPlaceholders(r *robot.Robot) {
	var limited []*robot.Joint
	unknown, sameRange, sameDrive := false, true, true
	for _, k := range r.Independent() {
		j := &r.Links[k].Joint
		if j.Virtual || j.Continuous || math.IsNaN(j.Lower) || math.IsNaN(j.Upper) {
			continue
		}
		limited = append(limited, j)
		first := limited[0]
		unknown = unknown || withoutDrive(r, j)
		sameRange = sameRange && j.Lower == first.Lower && j.Upper == first.Upper && j.Kind == first.Kind
		sameDrive = sameDrive && equalOrNone(j.Velocity, first.Velocity) && equalOrNone(j.Effort, first.Effort)
	}
	for _, k := range r.Moving() {
		j := &r.Links[k].Joint
		switch {
		case !j.Continuous && (math.Abs(j.Lower) >= boundless || math.Abs(j.Upper) >= boundless):
			j.Placeholder = fmt.Sprintf("%g to %g, farther than any joint moves", j.Lower, j.Upper)
		case j.Kind == robot.Revolute && !j.Continuous && withoutDrive(r, j) && math.Abs(j.Lower+2*math.Pi) < fullTurn && math.Abs(j.Upper-2*math.Pi) < fullTurn:
			j.Placeholder = fmt.Sprintf("%g to %g rad beside no limit of torque or speed", j.Lower, j.Upper)
		}
	}
	for _, j := range limited {
		switch {
		case j.Placeholder != "":
		case sameRange && len(limited) > 1 && unknown:
			j.Placeholder = fmt.Sprintf("%g to %g on every joint, beside no limit of torque or speed", j.Lower, j.Upper)
		case sameRange && len(limited) > 2 && sameDrive:
			j.Placeholder = fmt.Sprintf("%g to %g, and the same torque and speed, on every joint", j.Lower, j.Upper)
		}
	}
}

// withoutDrive reports whether the file lacks a joint's torque or speed. MuJoCo's XML has no speed limits.
func withoutDrive(r *robot.Robot, j *robot.Joint) bool {
	none := func(v float64) bool { return math.IsNaN(v) || v == 0 }
	return none(j.Effort) || none(j.Velocity) && r.Source.Format != "mjcf"
}

func equalOrNone(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

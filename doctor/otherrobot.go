package doctor

import (
	"fmt"
	"math"

	"ident/doctor/causes"
)

// Limits on what the bodies of the robot file leave of the torques that bodies make.
const (
	// Mean part of them from which the file is another robot's. Files of six measured robots leave 0.09 to 0.20, those of other robots
	// 0.33 to 0.9.
	fileForeign = 0.3
	// Factor by which the file's bodies leave more of a torque than friction without any body.
	fileWorse = 1.3
	// The largest part of a torque left by identified bodies for which the torque counts as made by bodies.
	fileMade = 0.3
)

// otherRobot reports that the robot file's bodies are worse than none on most of the torques that bodies make, or leave more of them than
// the right robot's would. It is an error if a zero by quarter turns or a direction has been named: two robots of one structure differ by these,
// and then the bodies would agree.
func (rec *recording) otherRobot(rep *causes.Report) (f Finding, ok bool) {
	if rep == nil || rec.placeholders() {
		return f, false
	}
	by := rep.ByFile()
	if by == nil {
		return f, false
	}
	made, worse, mean, most := 0, 0, 0.0, 0.0
	for j, left := range by.File {
		if left == 0 || by.Free[j] >= fileMade*by.None[j] {
			continue
		}
		made++
		mean += left / by.None[j]
		if left > fileWorse*by.None[j] {
			worse++
		}
		most = max(most, left)
	}
	if made < 2 {
		return f, false
	}
	mean /= float64(made)
	f = Finding{ID: RobotMismatch, Severity: Info, Where: "the whole log", Fix: "give {robot} the file of this robot; or correct the bodies in it"}
	switch {
	case 2*worse > made:
		f.Value, f.Limit = most, fileWorse
		f.Why = fmt.Sprintf("the bodies of the robot file explain %d of %d torques worse than no bodies at all, with errors up to %.2g times the torque: the file is of another robot, or its bodies are", worse, made, most)
	case mean > fileForeign:
		f.Value, f.Limit = mean, fileForeign
		f.Why = fmt.Sprintf("the bodies of the robot file leave %.0f %% of %d torques unexplained (those of the right file 10 to 20 %%): the file is of another robot, or lacks a load that the robot carries", 100*mean, made)
	default:
		return f, false
	}
	if rep.Named {
		lead := rep.Causes[0]
		if lead.Kind == causes.PositionSign || lead.Kind == causes.Zero && math.Abs(lead.Value) > farZero {
			f.Severity = Error
		}
	}
	return f, true
}

// placeholders reports whether all bodies of the robot file have the same mass, as CAD programs invent them.
func (s *setup) placeholders() bool {
	mass := 0.0
	for _, l := range s.robot.Links {
		if m := l.Own.Mass(); m != 0 && mass != 0 && math.Abs(m-mass) > 1e-9*mass {
			return false
		} else if m != 0 {
			mass = m
		}
	}
	return true
}

package exports

import (
	"fmt"
	"math"

	"ident/result"
	"ident/robot"
)

// Bounds of identified parameters, SI units, without an override: beyond them are numbers that no machine has.
const (
	// largestDrive bounds rotor inertia, friction and offset of a joint: ten times the torque of the largest direct drives,
	// those of wind turbines, 1e7 N·m.
	largestDrive = 1e8
	// largestBody bounds mass, moments and inertia of a link: the largest machines that move weigh 1e7 kg and reach 100 m.
	largestBody = 1e11
)

// SizeError reports an identified parameter that no machine has.
type SizeError struct {
	Where, What    string
	Value, Largest float64
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%s: %s is %.4g; no file is written with a number that is not finite or above %g. Look at the units of the log, and fit again", e.Where, e.What, e.Value, e.Largest)
}

// sizes refuses a robot with a parameter that no machine has.
func sizes(id *result.Identified) error {
	for i := range id.Robot.Links {
		l := &id.Robot.Links[i]
		j := &l.Joint
		for k, v := range []float64{j.Ia, j.Fv, j.Fs, j.Fo} {
			if !(math.Abs(v) <= largestDrive) {
				return &SizeError{fmt.Sprintf("joint %q", j.Name), []string{"Ia", "Fv", "Fs", "Fo"}[k], v, largestDrive}
			}
		}
		for k, v := range l.Inertial {
			if !(math.Abs(v) <= largestBody) {
				return &SizeError{fmt.Sprintf("link %q", l.Name), robot.InertialNames[k], v, largestBody}
			}
		}
	}
	return nil
}

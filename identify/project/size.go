package project

import "ident/robot"

// Largest numbers of joints. The cost of a model grows with the cube of the number of joints, that of a fit with the
// fourth power. At these bounds base parameters and a plain fit of 10⁴ rows take about twenty seconds on one core, with
// all choices a minute.
const (
	maxFitted   = 60  // joints of a robot that is compared with logs, or that a motion is designed for
	maxAnalysed = 100 // of one whose base parameters are found
)

// CheckAnalysed returns an error if the robot has too many moving joints to find its base parameters.
func CheckAnalysed(r *robot.Robot) error {
	return checkJoints(r, maxAnalysed, "base parameters are found for")
}

// CheckFitted returns an error if the robot has too many moving joints to be fitted.
func CheckFitted(r *robot.Robot) error {
	return checkJoints(r, maxFitted, "logs and motions are computed with")
}

func checkJoints(r *robot.Robot, most int, use string) error {
	if n := len(r.Moving()); n > most {
		return remedy("lock", "", "robot %q has %d moving joints; %s at most %d; fix the others with {lock} JOINT=VALUE", r.Name, n, use, most)
	}
	return nil
}

package datasets

import "fmt"

// controllerState reads the points of a message of type control_msgs/JointTrajectoryControllerState, behind its names, as a jointState:
//
//	trajectory_msgs/JointTrajectoryPoint desired (in ROS 2 reference), actual (feedback), error, output (ROS 2 since 2022)
//
// each with float64[] positions, velocities, accelerations, effort and a duration of eight bytes. Position and velocity are the measured
// ones; the effort is that of the controller's output, or else the measured one; the desired positions are the commands.
func (j *jointState) controllerState(w *wire) error {
	points := 3
	if w.cdr {
		points = 4
	}
	for p := range points {
		if p == 3 && len(w.b)-w.at < 8 { // before ROS 2 Humble: no output, and at most some padding
			break
		}
		var lists [4][]byte
		for k := range lists {
			lists[k] = w.floats()
		}
		w.u32()
		w.u32()
		switch {
		case w.short:
			return fmt.Errorf("%w: a message of %d bytes is shorter than its lists", ErrDamaged, len(w.b))
		case p == 0:
			j.values[commandField] = lists[0]
		case p == 1:
			j.values[0], j.values[1], j.values[2] = lists[0], lists[1], lists[3]
		case p == 3 && len(lists[3]) > 0:
			j.values[2] = lists[3]
		}
	}
	return nil
}

// isControllerState tells the type of a message by its name in ROS 1 or 2.
func isControllerState(kind string) bool {
	return kind == "control_msgs/JointTrajectoryControllerState" || kind == "control_msgs/msg/JointTrajectoryControllerState"
}

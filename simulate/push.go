package simulate

import "fmt"

// Pushed is a motion during which the surroundings push a point of the robot, such as the tip of a task (package tasks).
type Pushed interface {
	Sampler
	// Pushed reports whether there are any forces.
	Pushed() bool
	// Push returns the force at time t (N, along the base's axes) and adds to tau the drive torques that counteract it
	// at joint positions q.
	Push(t float64, q, tau []float64) (force [3]float64)
}

// ContactChannel is the name of the channel that is 1 while a force pushes, otherwise 0.
const ContactChannel = "contact"

// pushChannels are that channel and the components of the force in N.
var pushChannels = [...]string{ContactChannel, "fx", "fy", "fz"}

// pushOf returns the motion as Pushed, nil if it has no forces.
func pushOf(s Sampler) Pushed {
	if p, ok := s.(Pushed); ok && p.Pushed() {
		return p
	}
	return nil
}

// errPushed returns the error for forces that cannot be simulated.
func errPushed(why string) error {
	return fmt.Errorf("simulate: the task has forces on the tip, which are supported for robots without loops only: %s", why)
}

// pushed adds the torques of the forces, and keeps the forces.
func (s *states) pushed(t []float64) {
	if s.push == nil {
		return
	}
	for k, at := range t {
		for i := range s.row[0] {
			s.row[0][i], s.row[1][i] = s.q[i][k], 0
		}
		f := s.push.Push(at, s.row[0], s.row[1])
		for i, x := range s.row[1] {
			s.tau[i][k] += x
		}
		s.force[0][k] = 0
		for i, x := range f {
			if s.force[1+i][k] = x; x != 0 {
				s.force[0][k] = 1
			}
		}
	}
}

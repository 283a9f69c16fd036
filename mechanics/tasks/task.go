package tasks

import (
	"fmt"

	"ident/robot"
)

// Task is a motion of the tip as a sequence of segments, each from rest to rest unless it goes through.
type Task struct {
	Tip   Tip
	Start Start
	// Limits of the joints, by name, and under the empty name for all others; those of the robot file where there is none. Unlimited
	// leaves all out.
	Velocity, Acceleration, Torque map[string]float64
	Unlimited                      bool
	// LeastSingular is the smallest singular value of the demands' derivative by the joints that a path may have, lengths in
	// units of the robot's reach; 0 stands for DefaultLeastSingular.
	LeastSingular float64
	Segments      []Segment
}

// DefaultLeastSingular lets rates of the joints be a thousand times those of the tip, a length of the reach for a radian.
const DefaultLeastSingular = 1e-3

// Tip is the frame that a task moves: on a link, or on a body that a fixed joint hangs on one, by name; the link
// farthest from the base where empty. The frame is in the body's own one, its zero value that itself.
type Tip struct {
	Link  string
	Frame robot.Transform
}

// Start is the state in which a task begins: positions of joints by name, zero where they are not named, or the state near
// them in which the tip is at a point, with an orientation.
type Start struct {
	Joints      map[string]float64
	Point       *[3]float64
	Orientation Orientation
}

// Kind is the kind of a segment: what the tip does in it.
type Kind int

// The kinds.
const (
	Line   Kind = iota // the tip moves straight to To; in other Coordinates these change in proportion
	Arc                // the tip moves on an arc through Via to To, or by Angle about Center and Axis
	Point              // the joints go in proportion to a state with the tip at To
	Joints             // the joints go to Joints
	Wait               // nothing moves
)

var kindNames = []string{"line", "arc", "point", "joints", "wait"}

// String returns the kind's name.
func (k Kind) String() string { return kindNames[k] }

// Segment is a part of a task. Points are in the base's frame, m.
type Segment struct {
	Kind         Kind
	To           [3]float64
	Relative     bool // To, Via and Center are differences from the tip's position at the beginning
	Coordinates  Coordinates
	Via          *[3]float64
	Center, Axis [3]float64
	Angle        float64 // rad

	Orientation Orientation        // orientation to keep or reach, for Line, Arc and Point
	Components  [3]bool            // components of the position that are prescribed; none means all
	Joints      map[string]float64 // positions to which the segment moves joints directly

	Profile Profile
	// The time, s, or a speed and an acceleration of the tip, m/s and m/s²; none, or Least, is the least time under the limits.
	// A Trapezoidal profile has ramps of a third of the time each, unless it is given Speed, with Time or with Acceleration.
	Time                float64
	Speed, Acceleration float64
	Least               bool

	Through bool    // go on to the next segment without stopping
	Blend   float64 // rounds the corner between two lines by an arc that begins this distance before it, m; implies Through

	Force [3]float64 // force of the surroundings on the tip, N, along the axes of the base
	Row   int        // line of the file, for messages
}

// Orienting is a way to prescribe an orientation.
type Orienting int

// The ways. With the coordinates of positions and the joints that a segment prescribes they are the adjustment blocks
// of Vukobratović and Potkonjak (1985, section 3.4): A1 to A3 Free with a joint, B1 Direction, C1 Angles, C2 Angles
// along a direction, C3 Direction with a joint.
const (
	Free          Orienting = iota // no orientation is prescribed
	Fixed                          // the tip keeps the orientation of the beginning
	Angles                         // angles of a sequence, changed in proportion
	Direction                      // an axis of the tip turns to a direction on the shortest way; turns about it are free
	SameDirection                  // an axis keeps its direction
	Turn                           // the tip turns about an axis of the base
	PartialAngles                  // the first two angles of a sequence: the direction of its third axis
)

// Orientation is the orientation that a segment ends with.
type Orientation struct {
	By        Orienting
	Sequence  Sequence
	Angles    [3]float64
	Axis      [3]float64 // axis of the tip for Direction and SameDirection, of the base for Turn; zero stands for z
	Direction [3]float64 // direction in the base frame
	Angle     float64    // rad
}

// check refuses a segment that says too little or too much.
func (s *Segment) check() error {
	switch {
	case s.Time < 0 || s.Speed < 0 || s.Acceleration < 0 || s.Blend < 0:
		return fmt.Errorf("time %g s, speed %g, acceleration %g, blend %g: give none below zero", s.Time, s.Speed, s.Acceleration, s.Blend)
	case s.Kind == Wait && s.Time == 0:
		return fmt.Errorf("wait needs a duration: give its seconds")
	case s.Least && (s.Time > 0 || s.Speed > 0):
		return fmt.Errorf("the least time, and a time or a speed: give one")
	case s.Time > 0 && s.Speed > 0 && s.Profile != Trapezoidal:
		return fmt.Errorf("time and speed both say how fast a %s profile is: give one", s.Profile)
	case s.Acceleration > 0 && (s.Speed == 0 || s.Profile != Trapezoidal || s.Time > 0):
		return fmt.Errorf("an acceleration goes with the speed of a trapezoidal profile")
	case s.Speed > 0 && s.Profile == Trapezoidal && s.Time == 0 && s.Acceleration == 0:
		return fmt.Errorf("a trapezoidal profile of a speed needs a time or an acceleration: its ramps are not known")
	case s.Speed > 0 && s.Kind != Line && s.Kind != Arc:
		return fmt.Errorf("%[1]s has a speed, which only a line or an arc of the tip can have; give %[1]s a time", s.Kind)
	case (s.Through || s.Blend > 0) && s.Kind != Line && s.Kind != Arc:
		return fmt.Errorf("%s comes to rest at its end: only a line or an arc can be passed without a stop", s.Kind)
	}
	return nil
}

// Package programs writes a motion as a program or message that the controller of an arm runs: URScript for Universal Robots, KRL for
// KUKA, RAPID for ABB, and a ROS 2 message. Each begins with a joint move to the first point at a tenth of the limits, waits, follows
// the points of the motion at their times, and ends at rest. Its header names the source of each limit, and says that the program has
// not been tried on a robot.
//
// A controller interpolates between the points by rules of its own, so the motion of the arm is not that of the design to the last
// digit. Record what the encoders measure; an identification takes that, not the design.
package programs

// Package tour finds the states of a robot at the tip poses that a motion visits, one after the other: where a payload
// is taken, held and put down, for instance.
//
// Each pose has its states by the inverse geometric model (package kinematics). Of those within the limits of the joints,
// less a margin, the one nearest to the state before is taken, by the largest move of a joint; the first pose has the state nearest
// to zero, or to the assembly of a closed robot. A pose is named with its line where no state reaches it.
package tour

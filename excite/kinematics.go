package excite

import (
	"fmt"

	"ident/mechanics/kinematics"
	"ident/robot"
)

// treeOf returns the kinematics of a robot, which must have been validated: a model was built of it, or it was read.
func treeOf(r *robot.Robot) *kinematics.Tree {
	t, err := kinematics.New(r)
	if err != nil {
		panic(fmt.Sprintf("excite: a robot that was not validated: %v", err))
	}
	return t
}

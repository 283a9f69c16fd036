package description_test

import (
	"context"
	"fmt"

	"ident/identify/description"
	"ident/robot"
)

// The joint positions that bring the tip of a slide to a point.
func ExampleSolvePose() {
	r := &robot.Robot{Name: "slide", Links: []robot.Link{{Name: "carriage", Antecedent: -1, Placement: robot.Identity(), UserFrame: robot.Identity(),
		Joint: robot.Joint{Name: "axis", Kind: robot.Prismatic, Lower: 0, Upper: 1}}}}
	doc, err := description.SolvePose(context.Background(), r, description.PoseQuery{Pose: "0 0 0.25"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range doc.Solutions {
		fmt.Printf("%s = %.2f %s\n", doc.Joints[0], s.Q[0], doc.Units[0])
	}
	// Output: axis = 0.25 m
}

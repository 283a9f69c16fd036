package tasks_test

import (
	"context"
	"fmt"
	"math"

	"ident/mechanics/tasks"
	"ident/robot"
)

// A plane arm draws a line and a half circle without rest between them.
func Example() {
	arm := robot.FromMDH("plane arm", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.4}})
	plane := [3]bool{true, true}
	task := tasks.Task{
		Tip:   tasks.Tip{Frame: robot.Transform{R: robot.Identity().R, P: [3]float64{0.3, 0, 0}}},
		Start: tasks.Start{Joints: map[string]float64{"J1": -0.5, "J2": 1.2}, Point: &[3]float64{0.5, -0.1, 0}},
		Segments: []tasks.Segment{
			{To: [3]float64{0.5, 0.1, 0}, Components: plane, Through: true},
			{Kind: tasks.Arc, Via: &[3]float64{0.45, 0.15, 0}, To: [3]float64{0.4, 0.1, 0}, Components: plane, Profile: tasks.Trapezoidal, Time: 2},
		},
	}
	task.Start.Orientation.By = tasks.Free
	motion, err := tasks.Plan(context.Background(), arm, task)
	if err != nil {
		fmt.Println(err)
		return
	}
	leg := motion.Legs()[0]
	fmt.Printf("%.4f m in %g s, at most %.4f m/s\n", leg.Length, motion.Duration(), leg.Speed)
	tip, _ := motion.Tip(1)
	fmt.Printf("after 1 s at %.4f, %.4f\n", tip[0], tip[1])
	fmt.Println(math.Abs(leg.Length-0.2-0.05*math.Pi) < 1e-12)
	// Output:
	// 0.3571 m in 2 s, at most 0.2678 m/s
	// after 1 s at 0.5000, 0.0785
	// true
}

package sway_test

import (
	"fmt"

	"ident/excite/sway"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// The legs follow a base that rises by 3 cm.
func ExampleStance_Follow() {
	dog, err := format.Read([]byte(testrobot.QuadrupedURDF(nil)), "urdf", "dog.urdf", robot.ReadOptions{})
	if err != nil {
		panic(err)
	}
	var feet []regressor.Foot
	for j, l := range dog.Links {
		if len(l.Name) == 7 && l.Name[3:] == "calf" {
			feet = append(feet, regressor.Foot{Name: l.Name[:2], Link: j, Centre: testrobot.QuadrupedFoot, Radius: testrobot.QuadrupedRadius})
		}
	}
	stance, err := sway.NewStance(dog, feet, []float64{0, 0.9, -1.7, 0, 0.9, -1.7, 0, 0.9, -1.7, 0, 0.9, -1.7})
	if err != nil {
		panic(err)
	}
	rise := func(t float64) (x, dx, ddx []float64) {
		return []float64{0, 0, 0.03 * t, 0, 0, 0}, []float64{0, 0, 0.03, 0, 0, 0}, make([]float64, 6)
	}
	w := stance.Follow(rise, 0.01, 101)
	fmt.Printf("a knee opens from %.2f to %.2f rad\n", w.Q[2][0], w.Q[2][100])
	// Output: a knee opens from -1.70 to -1.49 rad
}

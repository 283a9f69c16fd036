package scene_test

import (
	"fmt"

	"ident/report/scene"
	"ident/robot"
	"ident/robot/format"
)

func Example() {
	r, err := format.Read([]byte(`
name: arm
links:
  - name: upper
    joint: {name: shoulder, kind: revolute}
    mdh: {gamma: 0, b: 0, alpha: 0, d: 0, theta: 0, r: 0}
    inertial: {mass: 3, com: [0.2, 0, 0], inertia: {ixx: 0.002, ixy: 0, ixz: 0, iyy: 0.05, iyz: 0, izz: 0.05}}
  - name: fore
    joint: {name: elbow, kind: revolute}
    mdh: {gamma: 0, b: 0, alpha: 0, d: 0.4, theta: 0, r: 0}
`), "yaml", "arm.yaml", robot.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := scene.New(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Coordinates, s.Shapes[0].Kind, s.Shapes[0].B)
	fmt.Println(s.Links[0].File.Mass, *s.Links[0].File.Axes)
	// Output:
	// [shoulder elbow] capsule [0.4 0 0]
	// 3 [0.285774 0.040825 0.040825]
}

package yaml_test

import (
	"fmt"
	"math"
	"os"

	"ident/robot"
	"ident/robot/format/yaml"
)

// The format of the library says all that a Robot holds.
func ExampleWrite() {
	r := robot.FromMDH("arm", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Revolute}, {Antecedent: 0, Kind: robot.Prismatic, Alpha: math.Pi / 2, D: 0.4}})
	r.Links[1].Joint.Lower, r.Links[1].Joint.Upper = 0, 0.6
	if err := yaml.Write(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// name: arm
	// gravity: [0, 0, -9.81]
	// links:
	//   - name: L1
	//     parent: base
	//     joint:
	//       name: J1
	//       kind: revolute
	//     mdh: {gamma: 0, b: 0, alpha: 0, d: 0, theta: 0, r: 0}
	//   - name: L2
	//     parent: L1
	//     joint:
	//       name: J2
	//       kind: prismatic
	//       limits: {position: [0, 0.6]}
	//     mdh: {gamma: 0, b: 0, alpha: 1.5707963267948966, d: 0.4, theta: 0, r: 0}
}

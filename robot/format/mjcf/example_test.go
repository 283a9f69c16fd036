package mjcf_test

import (
	"fmt"
	"os"

	"ident/robot"
	"ident/robot/format/mjcf"
)

// A slide of two kilograms for MuJoCo.
func ExampleWrite() {
	r := robot.FromMDH("slide", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Prismatic}})
	l := &r.Links[0]
	l.Inertial = robot.InertialFromCentral(2, [3]float64{}, [3][3]float64{{0.01}, {0, 0.01}, {0, 0, 0.02}})
	l.Own, l.HasInertial, l.Joint.Fv, l.Joint.Ia = l.Inertial, true, 3, 0.5
	if err := mjcf.Write(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <mujoco model="slide">
	//   <compiler angle="radian" autolimits="true"/>
	//   <option gravity="0 0 -9.81"/>
	//   <worldbody>
	//     <body name="L1">
	//       <inertial pos="0 0 0" mass="2" fullinertia="0.01 0.01 0.02 0 0 0"/>
	//       <joint name="J1" type="slide" axis="0 0 1" damping="3" armature="0.5"/>
	//     </body>
	//   </worldbody>
	//   <actuator>
	//     <motor joint="J1"/>
	//   </actuator>
	// </mujoco>
}

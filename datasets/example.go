package datasets

import (
	"bytes"
	_ "embed"
	"slices"
)

//go:embed example/puma560.urdf
var exampleRobot []byte

//go:embed example/puma560.parquet
var exampleLog []byte

// ExampleRobot returns the URDF file of the robot of the embedded example: a Puma 560 with a gripper, six joints,
// its kinematics and inertial parameters after Armstrong, Khatib and Burdick (1986). Comments in the file
// name the sources of its numbers.
func ExampleRobot() []byte { return slices.Clone(exampleRobot) }

// ExampleLog returns a log of that robot: a minute at 100 Hz of a designed motion,
// with the channels t, q1 … q6, dq1 … dq6 and tau1 … tau6. It comes out of this
// project's own simulator, with friction, coarse encoders, and noise on
// velocities and torques, and it carries the robot in its metadata, so that it
// is enough for a fit. These commands make it:
//
//	ident design-trajectory puma560.urdf --harmonics 8 --seed 1986 -o puma560.json
//	ident simulate puma560.urdf --trajectory puma560.json --repeat 6 --rate 100 --seed 1986 \
//	    --torque-noise 0.4,0.6,0.3,0.06,0.05,0.05 --encoder 1e-4 \
//	    --torque-quantum 0.0625,0.125,0.0625,0.015625,0.015625,0.015625 -o puma560.parquet
func ExampleLog() (*Log, error) {
	return OpenReader(bytes.NewReader(exampleLog), int64(len(exampleLog)), "puma560.parquet", Options{})
}

package datasets

import (
	_ "embed"
	"slices"
)

//go:embed measured/panda.csv.gz
var measuredLog []byte

//go:embed measured/panda.urdf
var measuredRobot []byte

//go:embed measured/LICENSE
var measuredLicence []byte

// Measured is a log of a real robot: files as they are to lie in a folder.
type Measured struct {
	Log     []byte // panda.csv.gz: t, q1 … q7, dq1 … dq7 and tau1 … tau7, 727 samples at 30 Hz
	Robot   []byte // panda.urdf: kinematics and limits, no bodies
	Licence []byte // licence of the log, to be kept beside copies of it
}

// MeasuredExample returns an exciting trajectory of a Franka Emika Panda with joint torque sensors, published by
// the Automatic Control Group of the university of Salerno under the BSD 3-Clause licence
// (measured/README.md has the source).
func MeasuredExample() Measured {
	return Measured{slices.Clone(measuredLog), slices.Clone(measuredRobot), slices.Clone(measuredLicence)}
}

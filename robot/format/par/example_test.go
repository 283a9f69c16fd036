package par_test

import (
	"fmt"
	"math"
	"os"

	"ident/robot"
	"ident/robot/format/par"
)

// A tree as a SYMORO+ file. Parameters that nobody knows are their symbols.
func ExampleWrite() {
	r := robot.FromMDH("arm", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Revolute}, {Antecedent: 0, Kind: robot.Prismatic, Alpha: math.Pi / 2, D: 0.4}})
	if err := par.Write(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// (* Robotname = 'arm' *)
	// NF = 2
	// NL = 2
	// NJ = 2
	// Type = 0 (* Simple *)
	//
	// (* Geometric parameters *)
	// ant = {0, 1}
	// sigma = {0, 1}
	// b = {0, 0}
	// d = {0, 0.4}
	// r = {0, 0}
	// gamma = {0, 0}
	// alpha = {0, 1.5707963267948966}
	// mu = {1, 1}
	// theta = {0, 0}
	//
	// (* Dynamic parameters *)
	// XX = {XX1, XX2}
	// XY = {XY1, XY2}
	// XZ = {XZ1, XZ2}
	// YY = {YY1, YY2}
	// YZ = {YZ1, YZ2}
	// ZZ = {ZZ1, ZZ2}
	// MX = {MX1, MX2}
	// MY = {MY1, MY2}
	// MZ = {MZ1, MZ2}
	// M = {M1, M2}
	// IA = {IA1, IA2}
	// FV = {FV1, FV2}
	// FS = {FS1, FS2}
	//
	// (* Acceleration of gravity *)
	// G = {0, 0, -9.81}
	//
	// (* End of definition *)
}

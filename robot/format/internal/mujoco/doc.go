// Package mujoco reads the mechanics of MuJoCo's XML: bodies, inertials, joints, equalities that close loops
// or tie joints, and the limits of actuators. Visual and contact settings, keyframes and sensors are passed over.
//
// Defaults and their classes, the units of angles, the orders of Euler angles and inertias from geometries follow the
// documentation of the format (MuJoCo XML reference, "compiler" to "equality"), as MuJoCo itself takes them.
//
// SDFormat describes the same bodies and joints: package sdf reads it into the same Model.
//
// Units are m, kg, s and rad. The frame of a body is that of the file, at the file's reference configuration.
package mujoco

import "ident/internal/xmltree"

// Model is the mechanics of a file.
type Model struct {
	Name     string
	Gravity  [3]float64
	Bodies   []Body // parents before children
	Ties     []Tie
	Connects []Connect
	Welds    []Weld // as the file has them; see Welded
	Cuts     []Cut  // of a model from Welded
	Driven   bool   // the file has actuators of joints
	// ByGeometry says that inertials are those of geometries, even where a body has one of its own.
	ByGeometry bool
	Notes      []Note
}

// Body is a body on another, or on the world.
type Body struct {
	Name     string
	Line     int
	Parent   int // -1 for the world
	At       Pose
	Joints   []Joint // none: fixed to its parent
	Node     *xmltree.Node
	Inertial *Inertial
	Meshes   []Mesh
}

// Mesh is a surface that a body is drawn with; its file is named as in the robot file.
type Mesh struct {
	At    Pose // of the mesh file's frame in the body's
	File  string
	Scale [3]float64
}

// Pose is a rotation and a place in the parent's frame.
type Pose struct {
	R [3][3]float64
	P [3]float64
}

// Inertial has the inertia matrix about the mass centre, along the axes of the body's frame.
type Inertial struct {
	Mass    float64
	Centre  [3]float64
	Central [3][3]float64
}

// Joint is a joint between a body and its parent; several act one after the other.
type Joint struct {
	Name         string
	Type         string // hinge, slide, ball or free; in SDFormat also fixed
	Line         int
	At           [3]float64 // point of the axis, in the body's frame
	Axis         [3]float64
	Reference    float64 // position at the reference configuration
	Lower, Upper float64 // NaN without limits
	Velocity     float64 // NaN where there is none; MuJoCo has none
	Effort       float64 // NaN where no actuator has one
	Damping      float64
	FrictionLoss float64
	Armature     float64
	Stiffness    float64
	Spring       float64 // position without torque of the spring
	Driven       bool    // an actuator moves it
	Node         *xmltree.Node
}

// Tie makes a joint follow another: q = Offset + Multiplier·q of the other.
type Tie struct {
	Joint, Of          string
	Multiplier, Offset float64
	Line               int
}

// Connect closes a loop: a point of one body stays at that of another.
type Connect struct {
	Name     string
	Line     int
	Body, On int        // indices of bodies, -1 the world
	At, OnAt [3]float64 // the same point, in the frame of Body and in that of On
}

// Note is a remark on how the reader interpreted something.
type Note struct{ Where, Text string }

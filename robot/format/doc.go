// Package format opens robot files: it finds the format, reads the text by the format's own package below this one, and gives faults their path.
//
// # Formats
//
// URDF (.urdf, .xml): revolute, continuous, prismatic, fixed and mimic joints.
// Zero limits count as none. Elements of other namespaces are passed over; of
// several elements where one belongs the last counts, with a note.
//
// xacro (.xacro, and URDFs with elements of xacro): its expansion, a URDF, takes its place.
//
// MuJoCo's XML (.mjcf, .xml) and SDFormat (.sdf), by their first element: bodies, joints, inertials, damping and friction.
//
// SYMORO+ (.par) and YAML (.yaml, .yml), the library's own format: see packages par and yaml.
//
// # Errors
//
// Readers return *robot.FileError, with file, line and the joint, link or key, or *robot.UnsupportedError. Writers return errors that match
// robot.ErrNotWritable where a format has no place for a part of the robot.
package format

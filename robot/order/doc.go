// Package order writes the inertial parameters of a body as the vectors that other programs keep.
//
//	Pinocchio  [m, m·cx, m·cy, m·cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz], I about the origin of the joint's frame, which is the child link's
//	           frame of a URDF: Inertia::toDynamicParameters (pinocchio/spatial/inertia.hpp), one per joint, in model.inertias. The bodies that fixed
//	           joints carry are added to the link that moves them, as its URDF parser does.
//	MuJoCo     [body_mass, body_ipos ×3, body_iquat ×4 (w x y z), body_inertia ×3], fields of mjModel: mass, its centre and the principal axes
//	           in the body's frame, and the moments about them (MuJoCo API reference, mjModel).
//	Drake      [m, cx, cy, cz, Gxx, Gyy, Gzz, Gxy, Gxz, Gyz], the centre of mass in the body's frame and the unit inertia G = I/m about the origin of
//	           that frame, along its axes: the numeric parameters of a RigidBody (drake/multibody/tree/parameter_conversion.h).
//
// Frames are the user's own: those of links in a URDF, MuJoCo's XML or SDFormat. Products of inertia are Ixy = −∫xy dm in all three.
package order

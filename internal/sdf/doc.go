// Package sdf reads the mechanics of SDFormat: links, inertials, joints with their limits, damping and friction, and the gravity of a
// world, as the model of bodies that package mujoco has for MuJoCo's XML. Models in models become one, whose parts have the names of the models around
// them before their own, "arm::elbow"; Include puts models of other files in their place first. Visual and collision elements, sensors and plugins are passed over.
//
// Poses follow the pose frame semantics of SDFormat 1.7 and later: a pose is relative to the frame that relative_to names, a link's else to
// the model's frame, a joint's to its child link, a frame's to the one that it is attached to; an axis is expressed in the joint's frame or in that of
// expressed_in. Before 1.7 there is use_parent_model_frame, and before 1.5 axes are in the model's frame. Gravity is (0, 0, -9.8) in
// a world that does not say it.
//
// Units are m, kg, s and rad.
package sdf

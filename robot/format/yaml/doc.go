// Package yaml reads and writes the library's own format, which says all that a robot.Robot holds:
//
//	name: arm
//	base: floor                  # the base's name; "base" where left out
//	gravity: [0, 0, -9.81]
//	symbols: {D3: 0.45}          # values of names used under mdh
//	links:                       # a parent comes before its children
//	  - name: shoulder           # parent: the link above, or the base, where left out
//	    joint:
//	      name: j1
//	      kind: revolute         # or continuous, prismatic, fixed
//	      passive: false         # or redundant: true, driven though loops move it
//	      limits: {position: [-3, Pi], velocity: 2, acceleration: 5, jerk: 50, effort: 100}
//	      drive: {ia: 0.5, fv: 1, fs: 2, fo: 0.1, gear_ratio: 100, gain: 10.5}
//	      motor: {…}             # see package loads; dc or cylinder under drive: package drives
//	      elastic: true          # between motor and link: see package elastic
//	      stiffness: 1.5e4       # and damping, stiffness_cubic, hysteresis; 0 where left out
//	    mdh: {gamma: 0, b: 0, alpha: Pi/2, d: D3, theta: 0, r: 0}
//	    shapes: […]              # solids with density or mass: see package shapes
//	    section: {…}             # of the link as a beam: see package loads
//	    standard: {XX: 0, XY: 0, XZ: 0, YY: 0, YZ: 0, ZZ: 1.5, MX: 0.3, MY: 0, MZ: 0, M: 3}
//	  - name: slide
//	    parent: shoulder
//	    joint: {name: j2, kind: prismatic}
//	    origin: {xyz: [1, 0, 0], rpy: [0, 0, Pi/2]}
//	    axis: [1, 0, 0]          # in the link's own frame; z where left out
//	    inertial: {mass: 2, com: [0, 0, 0.5], inertia: {ixx: 0.1, ixy: 0, ixz: 0, iyy: 0.1, iyz: 0, izz: 0.1}}
//	  - name: tool
//	    joint: {name: weld, kind: fixed}
//	    origin: {xyz: [0, 0, 0.1]}
//	mimics:
//	  - {joint: j2, of: j1, multiplier: 0.5, offset: 0}
//	drives:                      # a motor that turns with j1 - j2, named after j2
//	  - {drive: j2, of: {j1: 1, j2: -1}}
//
// Closed loops and couplings of several joints, planar, spherical, floating, moving
// and screw joints, and links without mass are said so:
//
//	loops:                       # the joint that is cut, and the frames it holds together
//	  - joint: {name: cut, kind: revolute}  # or prismatic, cylindrical, universal, spherical
//	    frame: {parent: coupler, origin: {xyz: [0.9, 0, 0]}, axis: [0, 0, 1]}
//	    meets: {parent: rocker, mdh: {d: D3}}
//	couplings:                   # q3 = q7 - q2 + π/2; the joint is passive
//	  - {joint: j3, of: {j2: -1, j7: 1}, offset: Pi/2}
//	parallelograms:              # couples coupler and forearm to crank and arm
//	  - {crank: j7, arm: j2, coupler: j8, forearm: j3, offset: Pi/2}
//	assembly: {j1: 0, j2: 1}     # near which the loops close as meant
//
// A joint of several freedoms is a chain of joints on massless links, named after
// it (base.x … base.roll); one of kind moving is floating, with forces that are
// unknown unless logged. AddLoops adds loops to robots of formats without them.
//
// Rows of Denavit and Hartenberg's four parameters stand under dh, and the file says which they are:
//
//	convention: standard         # distal: joint j turns about z of frame j-1; modified: proximal, about z of frame j
//	links:
//	  - joint: {name: j1}
//	    dh: {theta: 0, d: 0.67, a: 0, alpha: Pi/2}
//
// The joint variable is added to theta, or d. A standard row's a and α lead to the link's own frame, in which its inertial is
// given, and become the first half of the next joint's six parameters, exactly; they are numbers, theta and d may have symbols. A modified row
// is mdh with a for d and d for r.
//
// A link is placed by mdh, on its parent's frame j, or by origin and axis as in
// a URDF, on its parent's own link frame. With origin the link's own frame is
// the one that origin places, unless user_frame (xyz, rpy) places it in frame j;
// then origin places the frame whose axis is the joint's. Under inertial the
// inertia is about the centre of mass, in the axes of the link's own frame; under
// standard the ten parameters are about the origin of frame j. A fixed link with
// an origin is lumped unless keep: true makes it a link of its own; one with mdh
// is always a link; zero: [XY, Ia] lists parameters of a link without inertial
// that are known to be zero. Numbers may be constant expressions (Pi/2); symbols may stand
// under mdh only. An unknown key is an error that names the nearest known one.
package yaml

// Package shapes makes inertial parameters of links from solids with a density or a mass,
// for robot files that hold none, zeros or placeholders.
//
// # Solids
//
// A Solid is a Box, Cylinder, Tube, RectangularTube, Sphere, Capsule or Frustum about
// the centre of its own frame, as a URDF places its primitives, or a Point. Axes of
// revolution and of tubes are z. A Part is a solid with its place on a link and its density,
// kg/m³, or mass, kg:
//
//	ρV or m, m·c, and I = Iᶜ + m(|c|²·1 − c·cᵀ)
//
// about the origin of the link's frame, with V and Iᶜ in closed form. Hollow solids are
// differences of full ones.
//
// # Robot files
//
// Of lists the parts of a robot: the entries "shapes" of a YAML file, in the link's own frame,
//
//	shapes:
//	  - {tube: {outer: 0.02, inner: 0.015, length: 1.14}, density: 7850, axis: [1, 0, 0], origin: {xyz: [0.57, 0, 0]}}
//	  - {point: [1.14, 0, 0], mass: 3.07}
//
// or a URDF's collision primitives, the visual ones where a body has none. Radii are
// radii, not diameters. Meshes, STL, OBJ and COLLADA, are read if FillOptions.Meshes opens their files: closed surfaces, whose
// volume and moments follow by the divergence theorem, as sums over the tetrahedra below their triangles.
//
// Fill gives their inertials to the bodies that have none, zeros, or a placeholder: the same
// inertial, about a centre of mass at the frame's origin, as two other links or more. A mass
// without moments (a point mass) stays and is spread over the body's parts.
//
// # Sources
//
// M. Vukobratović and V. Potkonjak, Applied Dynamics and CAD of Manipulation Robots, 1985,
// section 5.4 (tubes as links).
package shapes

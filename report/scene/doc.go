// Package scene is a robot as a page draws it in three dimensions: links with their joints
// and shapes, the bodies of the robot file beside those of a result, keep-outs, the path of
// the tip, and motions to play; with the viewer that a page embeds for it.
//
// # Input and output
//
// [New] makes a scene of a robot, [Scene.Identify] adds the bodies of a result and
// [Scene.Play] motions. A page has the value as JSON beside [Script], in the style of
// [Style] and with the elements of [Scene.Figure]. Script is JavaScript of its own: WebGL, and a
// 2D canvas where a browser has none. It asks for nothing, and nothing moves by itself.
//
// # Conventions
//
// Frames are those of package robot; lengths are metres, angles radians, masses kilograms.
// The coordinates are those of [dynamics.Tree]: one for each moving joint that does not mimic
// another, in link order, the passive ones of closed loops among them.
//
// A body is drawn as its ellipsoid of uniform density: with principal moments I₁ … I₃ about
// the centre of mass its semi-axes are aᵢ² = 5/(2m)·(Iⱼ + Iₖ - Iᵢ). Moments that break the
// triangle inequality, and masses that are not positive, have none: [Body] says why.
//
// A result determines base parameters, seldom a whole body. Each body tells how many of its
// ten parameters the data determined alone, and where the others are from: the robot file, or
// the choice of a physically consistent fit. The doubt of a centre of mass is given only where
// the data determined the mass and the three first moments.
package scene

// Package urdf reads and writes robots as URDF, reads the primitives of its geometry, and puts identified inertials and friction
// (damping = Fv and friction = Fs of <dynamics>) into a user's own file, every other byte kept.
package urdf

// Package urdf puts friction into the joints of a user's own URDF: damping = Fv and friction = Fs of <dynamics>, every other byte kept.
// Package robot reads and writes the format, and replaces inertials.
package urdf

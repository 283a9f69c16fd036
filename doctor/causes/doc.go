// Package causes names why a log and its robot do not agree: the recorder's delay, a wrong sign, a saturated sensor, a load, a length
// of the file.
//
// Raws finds what channels show by themselves: placeholders, wraps, jumps of the clock, held values. Judge ranks all other causes
// on one scale. Its equations are free of the robot file's bodies: only the geometry of the file is taken for true, and that can be
// a cause too.
//
// # Model
//
// Positions and torques go through one zero-phase low-pass; at some hundred rows of each log
//
//	τ = Y(q, q̇, q̈)·χ + rotors, viscous and Coulomb friction, offsets
//
// is fitted freely: no prior, no feasible bodies. The independent columns are those of random states under random gravity, so that
// one set serves every hypothesis about gravity. Blocks of one second are dealt round robin into 8 folds, each of which is left out
// once; residuals of rows left out give the weights, and the number of independent rows Neff, of each joint.
//
// # Scale
//
// With S⁰ and S¹ the sums of squares of a torque's rows left out, as parts of its own variance, without and with a hypothesis
// refitted in the other folds,
//
//	nats = Σⱼ Neffⱼ/2 · ln(S⁰ⱼ/S¹ⱼ) − columns/2 − ln(hypotheses of the family)
//
// A cause is named if it has 25 nats and explains 0.35 of the squared error, by joint or in N·m; discrete ones, such as signs and
// orders, 0.6. Columns turned in time, which no fault makes, reach 18 nats. Causes whose evidence the log cannot part, by paired
// differences over blocks, are one group; more than three families are no name.
//
// # Hypotheses
//
// Linear ones are columns beside the fit: derivatives of its own prediction τ̂ = Y·χ̄, one χ̄ for all rows, by time, clock, scale,
// position, geometry, load and force. Never the measured torque: its noise would stand on both sides. Discrete ones are fits of
// their own: other gravity, signs, orders, units, clocks, low-passes and shifts. What a column has evidence for is fitted at its full size:
// zeros, delays, tilts, and the times at which loads and touches begin and end.
//
// # Screen
//
// All of them are tried at some fifty of the rows first, with none left out: evidence of coloured residuals does not grow with rows, and
// rows that a fit has seen judge in favour of every hypothesis. What then has 5 nats and half of the gain that a name asks for is
// judged at all rows, fold by fold; of discrete ones of one kind the best three. What a channel is not, gravity and units, is judged
// always, for its evidence is told.
//
// # Order
//
// Some causes come before the scale, for a free fit absorbs them: a shift of the recorder, a log that runs backward (friction drives
// all joints but one), external torques (nothing is explained), torques without gravity (the fit without gravity is no worse) or
// without friction.
//
// What a log cannot tell, no name is given for: a scale of all joints, the zero and scale of a vertical first joint, the zero of
// the last one, lengths off by some ten per cent, and gravity that is doubled in slow motion.
package causes

// Package sensors makes the record of a virtual experiment as real loggers, sensors and gears
// make it: late, coarse, drifting, with rows that are lost and values that jump.
//
// A Stage takes the blocks of an experiment one after another and changes the measured
// channels in place; a fault has a name, the joints that it concerns, and one size, in the
// unit that the table gives. Sizes of torques are parts of the joint's root mean square, so
// that a list of faults means the same on any robot. Random ones draw from streams of their
// own, so that a fault stays as it is whichever others are beside it.
//
// # Models
//
//	backlash   q += b/2·sat(τ/(0.02·rms))       motor-side encoder; the flank follows the torque
//	flexible   q += τ/k, k = rms/size           elastic gear, quasi-static: below its resonance
//	ripple     τ += size·rms·sin(N·q)           N the gear ratio, 50 where unknown
//	warming    τ −= size·(1 − exp(−3t/T))·(Fv·dq + Fs·sign dq)   friction that falls as oil warms
//	late       the channel, interpolated by cubics through past samples, size seconds earlier
//
// The law of a controller sees its own sensors, not these: they are faults of the log. A
// warming that the robot itself feels needs the robot's file changed.
//
// # Presets
//
// A preset is a list of sizes that imitates a class of arms by the figures of their data sheets and
// published logs show; it is no model of a product.
package sensors

// Package virtual makes a fleet to try the pipeline on: robots of three models that differ from unit to unit, their
// logs over a year, logs that are damaged in ten ways, and robots that change. Everything follows from the seed.
//
// # Robots
//
// The models are small enough to be cheap: an arm of three turning joints, a SCARA of two turning joints and a slide, and
// two joints that turn in a vertical plane. A unit has the model's masses times 1 + 0.3 % N(0,1) and frictions times
// 1 + 4 % N(0,1): tolerances of casting and of seals. A log is ten seconds of a random Fourier series within the joints'
// limits, another one for each log, at 100 Hz, with the encoders of 20 bits, velocities with 2e-4 rad/s of noise and torques
// with 1 % of their root mean square.
//
// # Changes
//
// A changed robot has, in turn, Coulomb and viscous friction of a joint up by 20 % from a date, a payload of 5 % of the arm's mass
// on its last link from a date, or the payload from the first log on. Dates lie between 35 and 65 % of the year.
//
// # Truth
//
// Write returns the list of damages and changes, and writes it as truth.json beside the manifest, which the pipeline
// never reads.
package virtual

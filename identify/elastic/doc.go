// Package elastic identifies robots whose joints bend: harmonic drives, belts and cables between
// motors and links. [Machine.Identify] fits logs in memory and knows no files; [FitLogs] brings it robot files whose joints are
// elastic and logs, [Identified.Write] writes the folder of a result, and [ValidateFit] compares one with logs that the fit has not
// seen. [SimulateLog] is a virtual experiment.
//
// # Model
//
// With the positions θ of motors, at the joints' side of the gears, and q of links,
//
//	τ = Ia·θ̈ + Fv·θ̇ + Fs·sign θ̇ + Fo + s     row of a motor
//	0 = Y(q, q̇, q̈)·χ − s                      row of its link
//	s = K·(θ−q) + D·(θ̇−q̇) [+ Kc·(θ−q)³ + Kh·tanh((θ̇−q̇)/v₀)]
//
// (Spong 1987: the rotor's kinetic energy is that of its own rotation.) A passive elastic joint has no
// motor, and its spring holds it: 0 = Y·χ + K·q + D·q̇, as machines with lumped elasticity are described (Khalil
// and Gautier 2000). The model is linear in the links' parameters, rotor inertias, stiffness and
// damping. It is a regressor.Model of an extended tree, in which a motor is a massless link on the
// base that turns with its rotor's inertia, and a spring a drive with weights −1 and 1.
//
// # Logs
//
// A log has encoders of motors and links or joint torque sensors. Beside the channels of other logs (t, q1 …, tau1 …) it has
//
//	qm1 … dqm1 … ddqm1 …   motor positions, velocities and accelerations, at the joint's side of the gear
//	tauj1 …                joint torque sensors, the springs' torques on their links
//
// by the joint's number or name (qm_elbow), or by the synonyms that channelNames lists. The positions q of a
// log without motor positions are taken for the motors': one encoder a joint is the motor's.
//
// # Identification
//
// Encoders of motors and links determine all base parameters, by least squares of filtered rows. The moments that
// the encoders' noise adds to the regressor are taken off (withoutNoise); motors that reverse have no row, since they may stick.
//
// Without encoders at the links their motion behind the motors is simulated and the torques of motors, and of joint
// torque sensors, compared: output error, by the iteration of Levenberg and Marquardt with sensitivities along the motion.
// Below the resonance q follows θ, and a stiffness or a rotor inertia that stays open is an UndeterminedError.
//
// # Natural frequencies
//
// Resonances are those of small vibrations with free motors, anti-resonances with locked ones, at a configuration; their
// standard deviations are those of the parameters, to first order.
//
// # Units
//
// Torques, stiffness, damping and rotor inertias are those at the joint's side of the gear, in N·m, rad and
// s for turning joints, in N, m and s for sliding ones.
//
// # Sources
//
// M. W. Spong, Modeling and control of elastic joint robots, ASME Journal of Dynamic Systems,
// Measurement and Control 109, 1987. W. Khalil and M. Gautier, Modeling of mechanical systems with
// lumped elasticity, IEEE ICRA 2000. M. R. Schroeder, Synthesis of low-peak-factor signals and
// binary sequences with low autocorrelation, IEEE Transactions on Information Theory 16, 1970.
package elastic

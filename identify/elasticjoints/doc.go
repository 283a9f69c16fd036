// Package elasticjoints brings files to package elastic: robot files whose joints are elastic, logs with
// encoders of motors and links or joint torque sensors, and the folder of a result.
//
// Beside the channels of other logs (t, q1 …, tau1 …) a log has
//
//	qm1 … dqm1 … ddqm1 …   motor positions, velocities and accelerations, at the joint's side of the gear
//	tauj1 …                joint torque sensors, the springs' torques on their links
//
// by the joint's number or name (qm_elbow), or by the synonyms that channelNames lists. The positions q of a
// log without motor positions are taken for the motors': one encoder a joint is the motor's.
package elasticjoints

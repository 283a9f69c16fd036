// Package poses designs slow experiments that determine a robot's gravity parameters: poses within the limits at which
// the torques of gravity tell them apart best, each passed slowly in both directions.
//
// # The model at rest
//
// Without velocities and accelerations the torques are those of gravity, of springs and of offsets,
//
//	τ(q) = Y(q, 0, 0)·K
//
// of which only some combinations of the base parameters K can be known: the first independent columns of Y(q, 0, 0) in
// the model's order. A dependent column is a combination of those before it, for every pose.
//
// # Friction
//
// A joint that stands has friction of any size up to that of Coulomb, so a torque at rest is worth little. At a
// slow speed friction has the sign of the motion, whatever its law over speed, load and position: the mean of the torques at
// a place that is passed at the same speed in both directions is free of every part that is odd in the velocity,
//
//	½(τ⁺ + τ⁻) = Y(q, 0, 0)·K,  τ± = Y(q, 0, 0)·K ± f(q, v, …)
//
// (Gautier and Khalil 1988 identify gravity so; An, Atkeson and Hollerbach 1988, chapter 5). A delay of the torque, a shift in
// place of opposite signs, goes with it to first order, and a ripple over whole periods in the mean. Asymmetric friction
// is a part of the offset Fo; Coriolis torques are even and of the size of the speed's square.
//
// # The choice of the poses
//
// The criterion is the condition number of the rows of all poses with columns of unit norm, weighted by the joints' noise, the same
// that package excite makes small. Poses are drawn within the limits and free of contact, the best set is built pose by
// pose, and single poses are exchanged for others and moved as long as the criterion falls (Fedorov 1972, on another
// criterion). All draws come from the seed.
//
// # The motion
//
// Every pose is passed along all joints at once, from before it to behind it and back, at constant speed within the
// window, with quartics from rest and to rest outside. Between the poses all joints move on a straight line in joint space, from
// rest to rest (quintics). Lines that bring bodies together are not taken: another pose follows, or the line goes by a third
// one. The whole is a motion of package excite and goes through its final check.
//
// # Sources
//
// V. V. Fedorov, Theory of Optimal Experiments, Academic Press 1972. M. Gautier and W. Khalil, On the identification of the
// inertial parameters of robots, IEEE CDC 1988. C. H. An, C. G. Atkeson and J. M. Hollerbach, Model-Based Control of
// a Robot Manipulator, MIT Press 1988.
package poses
